/* SPDX-License-Identifier: MIT
 *
 * What a source text is made of: code points, line breaks, identifier characters, number literals. */
#ifndef TL_WGSL_TEXT_H
#define TL_WGSL_TEXT_H

#include "wgsl/ast.h"

/* Decodes one code point of well-formed UTF-8. Returns its bytes, or 0 when what is at `at` is not well-formed. */
uint32_t tl_utf8_decode(const char *at, const char *end, uint32_t *code);

/* Bytes of the line break at `at` (CR LF is one), or 0. */
uint32_t tl_rare_break(const char *at, const char *end);
static inline uint32_t tl_line_break(const char *at, const char *end)
{
    bool plain = at < end && (unsigned char)*at > '\r' && (unsigned char)*at < 0xC2; /* nearly always */
    return plain ? 0 : tl_rare_break(at, end);
}

/* Non-ASCII code points only. */
bool tl_is_xid_start(uint32_t code);
bool tl_is_xid_continue(uint32_t code);
bool tl_is_wide_blank(uint32_t code); /* NEL, LS, PS and the two direction marks */

/* Keyword, RESERVED, UNDERSCORE or IDENT. */
tl_wgsl_token_kind tl_word_kind(const char *word, size_t length);

typedef struct tl_number_scan {
    tl_wgsl_token_kind kind; /* INT or FLOAT */
    uint32_t length;
    const char *problem; /* NULL when it is a literal; else why not */
} tl_number_scan;

/* Scans the number that begins at `at` (a digit, or '.' and a digit). Values are not looked at. */
tl_number_scan tl_scan_number(const char *at, const char *end);

#endif
