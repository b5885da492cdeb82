/* SPDX-License-Identifier: MIT
 *
 * What the files of the printer share. */
#ifndef TL_WGSL_PRINT_H
#define TL_WGSL_PRINT_H

#include "wgsl/module.h"

typedef struct tl_printer {
    const telar_wgsl *m;
    telar_out *out;
    uint32_t indent; /* levels */
} tl_printer;

/* ---- print_expression.c ---- */

/* The tokens from first to last with canonical spaces between them; trailing commas are left out. */
void tl_print_tokens(const tl_printer *p, uint32_t first, uint32_t last);

static inline void tl_print_node(const tl_printer *p, uint32_t node)
{
    tl_print_tokens(p, p->m->nodes[node].first, p->m->nodes[node].last);
}

/* Each attribute with a space behind it. */
void tl_print_attributes(const tl_printer *p, uint32_t list);

/* ---- print_statement.c ---- */

/* `{`, the statements and `}`; no line break behind it. */
void tl_print_block(tl_printer *p, uint32_t block);

/* var, let, const, override without the ';'. */
void tl_print_value(const tl_printer *p, uint32_t node);

#endif
