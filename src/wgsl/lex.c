/* SPDX-License-Identifier: MIT
 *
 * Source text to tokens, with template lists found on the way (WGSL section 3.9): whether a '<' opens a template list
 * is known only at its '>', so every candidate waits on a stack and its token is changed when the '>' comes. Tokens grow
 * from the front of the free arena, the stack from its end. It knows nothing of the grammar. */
#include "wgsl/module.h"
#include "wgsl/text.h"

#include <string.h>

#define MAX_TOKEN_BYTES ((1u << 24) - 1)

/* A '<' after a name, and how many brackets were open there. */
typedef struct candidate {
    uint32_t token;
    uint32_t depth;
} candidate;

_Static_assert(sizeof(candidate) == sizeof(tl_wgsl_token), "both share the free arena");

typedef struct lexer {
    const char *at;
    const char *end;
    tl_wgsl_token *tokens;
    candidate *stack_end; /* the stack grows downwards from here */
    const char *begin;
    size_t cap; /* tokens and candidates together */
    uint32_t count;
    uint32_t stack_count;
    uint32_t depth;
    bool no_space;
    tl_wgsl_log *log;
} lexer;

/* ---- Bytes ------------------------------------------------------------------------------------------------------- */

enum {
    BAD,
    BLANK,
    WORD,
    DIGIT,
    SIGN,
    DOT,
    SLASH,
    HIGH
};

#define B BAD
#define S BLANK
#define W WORD
#define D DIGIT
#define O SIGN
#define P DOT
#define L SLASH
#define H HIGH

/* clang-format off */
/* Rows of 32: controls, blank to ?, @ to _, ` to DEL, and four beyond ASCII. */
static const uint8_t byte_class[256] = {
    B, B, B, B, B, B, B, B, B, S, S, S, S, S, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
    S, O, B, B, B, O, O, B, O, O, O, O, O, O, P, L, D, D, D, D, D, D, D, D, D, D, O, O, O, O, O, B,
    O, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, O, B, O, O, W,
    B, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, O, O, O, O, B,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
};
/* clang-format on */

#undef B
#undef S
#undef W
#undef D
#undef O
#undef P
#undef L
#undef H

static inline unsigned class_at(const char *at)
{
    return byte_class[(unsigned char)*at];
}

static inline uint32_t offset_of(const lexer *l, const char *at)
{
    return (uint32_t)(at - l->begin);
}

/* ---- Tokens ------------------------------------------------------------------------------------------------------ */

static inline void emit(lexer *l, tl_wgsl_token_kind kind, const char *start)
{
    size_t length = (size_t)(l->at - start);
    if (l->count + (size_t)l->stack_count >= l->cap) {
        l->no_space = true;
        return;
    }
    if (length > MAX_TOKEN_BYTES) {
        tl_wgsl_error(l->log, offset_of(l, start), "token of %zu bytes is longer than %u", length, MAX_TOKEN_BYTES);
        length = MAX_TOKEN_BYTES;
    }
    l->tokens[l->count++] = (tl_wgsl_token){
        .offset = offset_of(l, start),
        .kind_length = (uint32_t)kind | (uint32_t)length << 8,
    };
}

/* ---- Template lists ---------------------------------------------------------------------------------------------- */

static void push_candidate(lexer *l, uint32_t token)
{
    if (l->count + (size_t)l->stack_count + 1 >= l->cap) {
        l->no_space = true;
        return;
    }
    l->stack_count++;
    *(l->stack_end - l->stack_count) = (candidate){.token = token, .depth = l->depth};
}

/* Candidates of this depth and deeper cannot be template lists any more. */
static void drop_candidates(lexer *l, uint32_t depth)
{
    while (l->stack_count > 0 && (l->stack_end - l->stack_count)->depth >= depth) l->stack_count--;
}

/* A '>' that closes the last candidate: the candidate is a template list. */
static bool close_candidate(lexer *l)
{
    if (l->stack_count == 0) return false;
    const candidate *top = l->stack_end - l->stack_count;
    if (top->depth != l->depth) return false;
    l->tokens[top->token].kind_length = (uint32_t)TL_TOKEN_TEMPLATE_START | 1u << 8;
    l->stack_count--;
    return true;
}

static void follow_brackets(lexer *l, tl_wgsl_token_kind kind)
{
    switch (kind) {
    case TL_TOKEN_PAREN_LEFT:
    case TL_TOKEN_BRACKET_LEFT: l->depth++; break;
    case TL_TOKEN_PAREN_RIGHT:
    case TL_TOKEN_BRACKET_RIGHT:
        drop_candidates(l, l->depth);
        if (l->depth > 0) l->depth--;
        break;
    case TL_TOKEN_AND_AND:
    case TL_TOKEN_OR_OR: drop_candidates(l, l->depth); break;
    case TL_TOKEN_SEMICOLON:
    case TL_TOKEN_BRACE_LEFT:
    case TL_TOKEN_COLON:
        l->depth = 0;
        l->stack_count = 0;
        break;
    default:
        if (kind < TL_TOKEN_EQUAL) break;
        l->depth = 0; /* assignments end expressions */
        l->stack_count = 0;
        break;
    }
}

/* ---- Operators --------------------------------------------------------------------------------------------------- */

/* What a byte is alone, doubled, followed by '=', and doubled and followed by '='. 0 where there is no such token. */
static const struct sign {
    uint8_t alone;
    uint8_t twice;
    uint8_t equal;
    uint8_t twice_equal;
} signs[128] = {
    ['('] = {TL_TOKEN_PAREN_LEFT, 0, 0, 0},
    [')'] = {TL_TOKEN_PAREN_RIGHT, 0, 0, 0},
    ['['] = {TL_TOKEN_BRACKET_LEFT, 0, 0, 0},
    [']'] = {TL_TOKEN_BRACKET_RIGHT, 0, 0, 0},
    ['{'] = {TL_TOKEN_BRACE_LEFT, 0, 0, 0},
    ['}'] = {TL_TOKEN_BRACE_RIGHT, 0, 0, 0},
    ['@'] = {TL_TOKEN_AT, 0, 0, 0},
    [','] = {TL_TOKEN_COMMA, 0, 0, 0},
    [':'] = {TL_TOKEN_COLON, 0, 0, 0},
    [';'] = {TL_TOKEN_SEMICOLON, 0, 0, 0},
    ['~'] = {TL_TOKEN_TILDE, 0, 0, 0},
    ['!'] = {TL_TOKEN_BANG, 0, TL_TOKEN_NOT_EQUAL, 0},
    ['+'] = {TL_TOKEN_PLUS, TL_TOKEN_PLUS_PLUS, TL_TOKEN_PLUS_EQUAL, 0},
    ['-'] = {TL_TOKEN_MINUS, 0, TL_TOKEN_MINUS_EQUAL, 0},
    ['*'] = {TL_TOKEN_STAR, 0, TL_TOKEN_STAR_EQUAL, 0},
    ['/'] = {TL_TOKEN_SLASH, 0, TL_TOKEN_SLASH_EQUAL, 0},
    ['%'] = {TL_TOKEN_PERCENT, 0, TL_TOKEN_PERCENT_EQUAL, 0},
    ['^'] = {TL_TOKEN_XOR, 0, TL_TOKEN_XOR_EQUAL, 0},
    ['&'] = {TL_TOKEN_AND, TL_TOKEN_AND_AND, TL_TOKEN_AND_EQUAL, 0},
    ['|'] = {TL_TOKEN_OR, TL_TOKEN_OR_OR, TL_TOKEN_OR_EQUAL, 0},
    ['='] = {TL_TOKEN_EQUAL, 0, TL_TOKEN_EQUAL_EQUAL, 0},
    ['<'] = {TL_TOKEN_LESS, TL_TOKEN_SHIFT_LEFT, TL_TOKEN_LESS_EQUAL, TL_TOKEN_SHIFT_LEFT_EQUAL},
    ['>'] = {TL_TOKEN_GREATER, TL_TOKEN_SHIFT_RIGHT, TL_TOKEN_GREATER_EQUAL, TL_TOKEN_SHIFT_RIGHT_EQUAL},
};

/* The longest operator at l->at; moves past it. */
static tl_wgsl_token_kind take_sign(lexer *l)
{
    char byte = *l->at++;
    const struct sign *sign = &signs[(unsigned char)byte];
    if (l->at == l->end) return (tl_wgsl_token_kind)sign->alone;
    char next = *l->at;
    if (next == '=' && sign->equal != 0) {
        l->at++;
        return (tl_wgsl_token_kind)sign->equal;
    }
    if (next == byte && sign->twice != 0) {
        l->at++;
        if (sign->twice_equal == 0 || l->at == l->end || *l->at != '=') { return (tl_wgsl_token_kind)sign->twice; }
        l->at++;
        return (tl_wgsl_token_kind)sign->twice_equal;
    }
    if (byte == '-' && next == '>') {
        l->at++;
        return TL_TOKEN_ARROW;
    }
    return (tl_wgsl_token_kind)sign->alone;
}

static void lex_sign(lexer *l)
{
    const char *start = l->at;
    if (*start == '>' && close_candidate(l)) {
        l->at++;
        emit(l, TL_TOKEN_TEMPLATE_END, start);
        return;
    }
    tl_wgsl_token_kind kind = take_sign(l);
    emit(l, kind, start);
    if (kind == TL_TOKEN_LESS && l->count >= 2) {
        uint32_t before = l->tokens[l->count - 2].kind_length & 0xFFu;
        if (before == TL_TOKEN_IDENT || before == TL_TOKEN_VAR) push_candidate(l, l->count - 1);
        return;
    }
    follow_brackets(l, kind);
}

/* ---- Comments ---------------------------------------------------------------------------------------------------- */

/* A run of bytes that are no text is one error. */
static void bad_bytes(lexer *l)
{
    uint32_t offset = offset_of(l, l->at);
    unsigned byte = (unsigned char)*l->at;
    uint32_t code = 0;
    if (byte == 0) tl_wgsl_error(l->log, offset, "the source has a zero byte");
    else tl_wgsl_error(l->log, offset, "byte 0x%x is not well-formed UTF-8", byte);
    while (l->at < l->end && (tl_utf8_decode(l->at, l->end, &code) == 0 || code == 0)) l->at++;
}

/* Moves past one code point inside a comment. */
static void skip_code_point(lexer *l)
{
    uint32_t code = 0;
    uint32_t bytes = tl_utf8_decode(l->at, l->end, &code);
    if (bytes == 0 || code == 0) bad_bytes(l);
    else l->at += bytes;
}

static void skip_line_comment(lexer *l)
{
    l->at += 2;
    while (l->at < l->end) {
        unsigned char byte = (unsigned char)*l->at;
        if (byte >= ' ' && byte < 0x80) {
            l->at++;
            continue;
        }
        if (tl_line_break(l->at, l->end) != 0) return;
        skip_code_point(l);
    }
}

static void skip_block_comment(lexer *l)
{
    const char *start = l->at;
    size_t open = 0;
    while (l->at < l->end) {
        bool pair = l->end - l->at >= 2;
        if (pair && l->at[0] == '/' && l->at[1] == '*') {
            open++;
            l->at += 2;
        } else if (pair && l->at[0] == '*' && l->at[1] == '/') {
            open--;
            l->at += 2;
            if (open == 0) return;
        } else {
            skip_code_point(l);
        }
    }
    tl_wgsl_error(l->log, offset_of(l, start), "comment is not closed, expected '*/'");
}

static void lex_slash(lexer *l)
{
    char next = l->end - l->at >= 2 ? l->at[1] : '\0';
    if (next == '/') skip_line_comment(l);
    else if (next == '*') skip_block_comment(l);
    else lex_sign(l);
}

/* ---- Words and numbers ------------------------------------------------------------------------------------------- */

/* Moves past identifier characters, from the first non-ASCII one on. */
static void skip_wide_word(lexer *l)
{
    while (l->at < l->end) {
        unsigned class = class_at(l->at);
        if (class == WORD || class == DIGIT) {
            l->at++;
            continue;
        }
        uint32_t code = 0;
        uint32_t bytes = class == HIGH ? tl_utf8_decode(l->at, l->end, &code) : 0;
        if (bytes == 0 || !tl_is_xid_continue(code)) return;
        l->at += bytes;
    }
}

static void lex_word(lexer *l)
{
    const char *start = l->at;
    const char *at = start + 1;
    const char *end = l->end;
    while (at < end && (class_at(at) == WORD || class_at(at) == DIGIT)) at++;
    l->at = at;
    if (at < end && class_at(at) == HIGH) skip_wide_word(l);
    size_t length = (size_t)(l->at - start);
    if (length >= 2 && start[0] == '_' && start[1] == '_') {
        tl_wgsl_error(l->log, offset_of(l, start), "a name may not begin with '__'");
    }
    emit(l, tl_word_kind(start, length), start);
}

static void lex_number(lexer *l)
{
    const char *start = l->at;
    tl_number_scan number = tl_scan_number(start, l->end);
    l->at += number.length;
    if (number.problem != NULL) {
        int shown = number.length < 40 ? (int)number.length : 40;
        tl_wgsl_error(l->log, offset_of(l, start), "'%.*s' is not a number: %s", shown, start, number.problem);
    }
    emit(l, number.kind, start);
}

static void lex_dot(lexer *l)
{
    const char *start = l->at;
    if (l->end - start >= 2 && class_at(start + 1) == DIGIT) {
        lex_number(l);
        return;
    }
    l->at++;
    emit(l, TL_TOKEN_DOT, start);
}

/* Outside of comments: blanks, names that begin with a letter beyond ASCII, and what is not allowed. */
static void lex_high(lexer *l)
{
    const char *start = l->at;
    uint32_t code = 0;
    uint32_t bytes = tl_utf8_decode(start, l->end, &code);
    if (bytes == 0) {
        bad_bytes(l);
        return;
    }
    l->at += bytes;
    if (tl_is_wide_blank(code)) return;
    if (tl_is_xid_start(code)) {
        skip_wide_word(l);
        emit(l, TL_TOKEN_IDENT, start);
        return;
    }
    if (code == 0xFEFF) {
        tl_wgsl_error(l->log, offset_of(l, start),
                      "a byte order mark (U+FEFF) is not allowed; save the file without it");
        return;
    }
    tl_wgsl_error(l->log, offset_of(l, start), "character U+%x is not allowed here", code);
}

static void lex_bad(lexer *l)
{
    char byte = *l->at;
    if (byte == 0) {
        bad_bytes(l);
        return;
    }
    uint32_t offset = offset_of(l, l->at);
    if (byte > ' ' && byte < 0x7F) {
        tl_wgsl_error(l->log, offset, "character '%c' is not part of WGSL", byte);
    } else {
        tl_wgsl_error(l->log, offset, "control character 0x%x is not allowed", (unsigned)byte);
    }
    l->at++;
}

/* ---- The loop ---------------------------------------------------------------------------------------------------- */

static void lex_all(lexer *l)
{
    while (l->at < l->end && !l->no_space) {
        switch (class_at(l->at)) {
        case BLANK: l->at++; continue;
        case WORD: lex_word(l); continue;
        case SIGN: lex_sign(l); continue;
        case DIGIT: lex_number(l); continue;
        case DOT: lex_dot(l); continue;
        case SLASH: lex_slash(l); break;
        case HIGH: lex_high(l); break;
        default: lex_bad(l); break;
        }
        if (tl_wgsl_log_full(l->log)) return;
    }
    l->at = l->end;
    emit(l, TL_TOKEN_END, l->end);
}

telar_status tl_wgsl_lex(telar_wgsl *m, telar_arena *arena, tl_wgsl_log *log)
{
    size_t start = (arena->used + 7) & ~(size_t)7;
    size_t cap = start < arena->cap ? (arena->cap - start) / sizeof(tl_wgsl_token) : 0;
    char *block = (char *)arena->data + (cap > 0 ? start : 0);
    lexer l = {
        .at = m->source,
        .begin = m->source,
        .end = m->source + m->source_bytes,
        .tokens = (tl_wgsl_token *)(void *)block,
        .cap = cap,
        .stack_end = (candidate *)(void *)block + cap,
        .log = log,
    };
    lex_all(&l);
    if (log->error_count > 0) return TELAR_INVALID_WGSL;
    if (l.no_space) {
        /* As if the rest were as dense as what was read. */
        size_t read = offset_of(&l, l.at) + (size_t)1;
        size_t more = (m->source_bytes / read + 1) * (cap + 16) * sizeof(tl_wgsl_token);
        arena->needed = more < SIZE_MAX - start ? start + more : SIZE_MAX;
        return TELAR_NO_SPACE;
    }
    m->tokens = l.tokens;
    m->token_count = l.count;
    arena->used = start + l.count * sizeof(tl_wgsl_token);
    return TELAR_OK;
}
