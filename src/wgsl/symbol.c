/* SPDX-License-Identifier: MIT
 *
 * Names to numbers: each spelling that the resolver meets has one symbol, which carries what the name means now. */
#include "wgsl/semantics.h"

#include <string.h>

typedef struct spelling {
    tl_str text;
    uint64_t head;
    uint32_t hash;
} spelling;

static uint64_t head_by_bytes(const char *text, size_t length)
{
    uint64_t head = 0;
    for (size_t k = 0; k < length && k < 8; k++) head |= (uint64_t)(uint8_t)text[k] << 8 * k;
    return head;
}

/* Eight bytes at once where they are readable. */
static uint64_t head_of(tl_str text, size_t readable)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t head;
    if (readable < sizeof head) return head_by_bytes(text.data, text.len);
    memcpy(&head, text.data, sizeof head);
    return text.len < 8 ? head & ~(UINT64_MAX << 8 * text.len) : head;
#else
    (void)readable;
    return head_by_bytes(text.data, text.len);
#endif
}

static uint32_t hash_text(tl_str text, uint64_t head)
{
    uint64_t h = (head ^ text.len * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
    for (size_t k = 8; k < text.len; k += 8) {
        h ^= h >> 32;
        h = (h ^ head_by_bytes(text.data + k, text.len - k)) * 0xD6E8FEB86659FD93u;
    }
    return (uint32_t)(h >> 32 ^ h);
}

/* readable is how many bytes from the text's start on may be looked at. */
static spelling spell(tl_str text, size_t readable)
{
    uint64_t head = head_of(text, readable);
    return (spelling){.text = text, .head = head, .hash = hash_text(text, head)};
}

static bool grow(tl_wgsl_semantics *s, telar_arena *arena)
{
    uint32_t capacity = s->symbol_capacity == 0 ? 64 : s->symbol_capacity * 2;
    tl_symbol *symbols = TL_ARENA_ARRAY(arena, tl_symbol, capacity);
    uint32_t *buckets = TL_ARENA_ARRAY(arena, uint32_t, (size_t)capacity * 2);
    if (symbols == NULL || buckets == NULL) return false;
    if (s->symbols != NULL) memcpy(symbols, s->symbols, s->symbol_count * sizeof *symbols);
    s->symbols = symbols;
    s->symbol_capacity = capacity;
    s->symbol_buckets = buckets;
    s->symbol_bucket_count = capacity * 2;
    for (uint32_t id = 1; id < s->symbol_count; id++) {
        uint32_t at = symbols[id].hash & (s->symbol_bucket_count - 1);
        while (buckets[at] != 0) at = (at + 1) & (s->symbol_bucket_count - 1);
        buckets[at] = id;
    }
    return true;
}

bool tl_symbols_init(telar_wgsl *m, telar_arena *arena)
{
    m->semantics->symbol_count = 1;
    return grow(m->semantics, arena);
}

static bool spelled(const telar_wgsl *m, uint32_t id, const spelling *s)
{
    const tl_symbol *symbol = &m->semantics->symbols[id];
    if (symbol->head != s->head || symbol->length != s->text.len) return false;
    return s->text.len <= 8 || memcmp(m->source + symbol->offset + 8, s->text.data + 8, s->text.len - 8) == 0;
}

/* The symbol, or 0 and the empty bucket where it belongs. */
static uint32_t look_up(const telar_wgsl *m, const spelling *name, uint32_t *bucket)
{
    const tl_wgsl_semantics *s = m->semantics;
    uint32_t mask = s->symbol_bucket_count - 1;
    for (*bucket = name->hash & mask; s->symbol_buckets[*bucket] != 0; *bucket = (*bucket + 1) & mask) {
        if (spelled(m, s->symbol_buckets[*bucket], name)) return s->symbol_buckets[*bucket];
    }
    return 0;
}

uint32_t tl_symbol_of(telar_wgsl *m, telar_arena *arena, uint32_t token)
{
    tl_wgsl_semantics *s = m->semantics;
    uint32_t offset = m->tokens[token].offset, bucket;
    spelling name = spell(tl_token_text(m, token), m->source_bytes - offset);
    uint32_t id = look_up(m, &name, &bucket);
    if (id != 0) return id;
    if (s->symbol_count == s->symbol_capacity) {
        if (!grow(s, arena)) return 0;
        look_up(m, &name, &bucket);
    }
    id = s->symbol_count++;
    s->symbols[id] = (tl_symbol){.head = name.head,
                                 .offset = offset,
                                 .length = (uint32_t)name.text.len,
                                 .hash = name.hash,
                                 .meaning = TL_NO_INDEX};
    s->symbol_buckets[bucket] = id;
    return id;
}

uint32_t tl_symbol_find(const telar_wgsl *m, tl_str text)
{
    uint32_t bucket;
    spelling name = spell(text, text.len);
    return look_up(m, &name, &bucket);
}

tl_str tl_symbol_name(const telar_wgsl *m, uint32_t symbol)
{
    const tl_symbol *record = &m->semantics->symbols[symbol];
    return (tl_str){m->source + record->offset, record->length};
}

tl_str tl_symbol_text_of(const void *module, uint32_t symbol)
{
    return tl_symbol_name(module, symbol);
}

/* One insertion, deletion, replacement or swap of neighbours, or another case of letters. */
static bool near(tl_str a, tl_str b)
{
    if (a.len > b.len) {
        tl_str swap = a;
        a = b;
        b = swap;
    }
    if (b.len - a.len > 1 || b.len < 2) return false;
    size_t start = 0;
    while (start < a.len && a.data[start] == b.data[start]) start++;
    size_t end = 0;
    while (end < a.len - start && a.data[a.len - 1 - end] == b.data[b.len - 1 - end]) end++;
    size_t left = b.len - start - end;
    if (left <= 1) return true;
    return left == 2 && a.len == b.len && a.data[start] == b.data[start + 1] && a.data[start + 1] == b.data[start];
}

tl_str tl_symbol_suggest(const telar_wgsl *m, tl_str text)
{
    const tl_wgsl_semantics *s = m->semantics;
    for (uint32_t id = 1; id < s->symbol_count; id++) {
        if (s->symbols[id].declaration != 0 && near(text, tl_symbol_name(m, id))) { return tl_symbol_name(m, id); }
    }
    for (uint32_t k = 0; k < TL_BUILTIN_COUNT; k++) {
        tl_str name = tl_str_of(tl_builtin_get((tl_builtin)k)->name);
        if (near(text, name)) return name;
    }
    return (tl_str){0};
}
