/* SPDX-License-Identifier: MIT
 *
 * Names to numbers: each spelling that the resolver meets has one symbol, which carries what the name means now. */
#include "wgsl/semantics.h"

#include <string.h>

static uint32_t hash_text(const char *text, uint32_t length)
{
    uint64_t h = length * 0x9E3779B97F4A7C15u;
    while (length >= 8) {
        uint64_t word;
        memcpy(&word, text, 8);
        h = (h ^ word) * 0xD6E8FEB86659FD93u;
        h ^= h >> 32;
        text += 8;
        length -= 8;
    }
    uint64_t tail = 0;
    for (uint32_t k = 0; k < length; k++) tail = tail << 8 | (uint8_t)text[k];
    h = (h ^ tail) * 0xD6E8FEB86659FD93u;
    return (uint32_t)(h >> 32 ^ h);
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

static bool spelled(const telar_wgsl *m, uint32_t id, uint32_t hash, tl_str text)
{
    const tl_symbol *symbol = &m->semantics->symbols[id];
    return symbol->hash == hash && symbol->length == text.len &&
           memcmp(m->source + symbol->offset, text.data, text.len) == 0;
}

uint32_t tl_symbol_of(telar_wgsl *m, telar_arena *arena, uint32_t token)
{
    tl_wgsl_semantics *s = m->semantics;
    tl_str text = tl_token_text(m, token);
    uint32_t hash = hash_text(text.data, (uint32_t)text.len);
    uint32_t at = hash & (s->symbol_bucket_count - 1);
    for (; s->symbol_buckets[at] != 0; at = (at + 1) & (s->symbol_bucket_count - 1)) {
        if (spelled(m, s->symbol_buckets[at], hash, text)) return s->symbol_buckets[at];
    }
    if (s->symbol_count == s->symbol_capacity) {
        if (!grow(s, arena)) return 0;
        at = hash & (s->symbol_bucket_count - 1);
        while (s->symbol_buckets[at] != 0) at = (at + 1) & (s->symbol_bucket_count - 1);
    }
    uint32_t id = s->symbol_count++;
    s->symbols[id] = (tl_symbol){
        .offset = m->tokens[token].offset, .length = (uint32_t)text.len, .hash = hash, .meaning = TL_NO_INDEX};
    s->symbol_buckets[at] = id;
    return id;
}

uint32_t tl_symbol_find(const telar_wgsl *m, tl_str text)
{
    const tl_wgsl_semantics *s = m->semantics;
    uint32_t hash = hash_text(text.data, (uint32_t)text.len);
    uint32_t at = hash & (s->symbol_bucket_count - 1);
    for (; s->symbol_buckets[at] != 0; at = (at + 1) & (s->symbol_bucket_count - 1)) {
        if (spelled(m, s->symbol_buckets[at], hash, text)) return s->symbol_buckets[at];
    }
    return 0;
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
