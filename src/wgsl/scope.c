/* SPDX-License-Identifier: MIT
 *
 * Scopes: a symbol carries its innermost declaration; what it meant outside is kept on a stack and put back when the
 * scope ends. Looking a name up costs nothing more than finding its symbol. */
#include "wgsl/resolver.h"

#include <string.h>

static bool push(tl_resolver *r, tl_scope_entry entry)
{
    if (r->scope_count == r->scope_capacity) {
        uint32_t capacity = r->scope_capacity == 0 ? 32 : r->scope_capacity * 2;
        tl_scope_entry *scope = TL_ARENA_ARRAY(r->arena, tl_scope_entry, capacity);
        if (scope == NULL) {
            r->full = true;
            return false;
        }
        if (r->scope_count > 0) memcpy(scope, r->scope, r->scope_count * sizeof *scope);
        r->scope = scope;
        r->scope_capacity = capacity;
    }
    r->scope[r->scope_count++] = entry;
    return true;
}

/* Declares the node's name in the current scope. The first of two declarations stays. */
void tl_scope_declare(tl_resolver *r, uint32_t node)
{
    uint32_t id = tl_symbol_of(r->m, r->arena, tl_at(r, node)->b);
    if (id == 0) {
        r->full = true;
        return;
    }
    tl_symbol *symbol = &r->s->symbols[id];
    if (symbol->declaration != 0 && symbol->level == r->level) {
        tl_resolve_error_at(r, tl_at(r, node)->b, "'%.*s' is declared twice in the same scope",
                            TL_STR_ARGS(tl_node_name(r->m, node)));
        return;
    }
    if (r->level > 0 && !push(r, (tl_scope_entry){id, symbol->declaration, symbol->level})) { return; }
    symbol->declaration = node;
    symbol->level = r->level;
}

uint32_t tl_scope_enter(tl_resolver *r)
{
    r->level++;
    return r->scope_count;
}

void tl_scope_leave(tl_resolver *r, uint32_t mark)
{
    r->level--;
    while (r->scope_count > mark) {
        tl_scope_entry entry = r->scope[--r->scope_count];
        r->s->symbols[entry.symbol].declaration = entry.declaration;
        r->s->symbols[entry.symbol].level = entry.level;
    }
}
