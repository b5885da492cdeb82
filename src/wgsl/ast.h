/* SPDX-License-Identifier: MIT
 *
 * The syntax tree of a WGSL module: a token array, a node array and an array of words ("extra") for lists and records.
 * Everything is an index: token 0 is the first token, node 0 means "no node", list 0 is the empty list.
 *
 * Laws that a walker may rely on
 *   - Post-order: every child has a smaller index than its parent, and the nodes of a subtree are contiguous. So an
 *     expression can be evaluated by a loop over nodes instead of a recursion, children first.
 *   - Nesting is bounded by TL_WGSL_MAX_DEPTH except for chains to the left: `a + b + c ...`, `a.b[c].d ...` (child a
 *     of BINARY, MEMBER_ACCESS, INDEX) can be as long as the source. Do not recurse into those; use the first law.
 *     An else-if chain is one flat IF node.
 *   - The source text of a node is [tl_node_begin, tl_node_end) bytes, from its first to its last token. Declarations
 *     and statements include their attributes and their final ';'. The header parts of `for` have no ';'.
 *
 * Lists: a list is an index i into extra; extra[i] is the count, the items follow. Records: a fixed number of words at
 * an index into extra; the structs tl_*_parts below name the words. */
#ifndef TL_WGSL_AST_H
#define TL_WGSL_AST_H

#include "base/base.h"

/* Levels of nested blocks, parentheses, brackets, templates and prefix operators, together. */
#define TL_WGSL_MAX_DEPTH 256

/* ---- Tokens ------------------------------------------------------------------------------------------------------ */

/* Name and text. Kinds without a text of their own have the words that messages use for them. The compound-assignment
 * operators are in the order of the binary operators in tl_wgsl_op. `--` is two MINUS tokens, since `a--b` is an
 * expression. */
#define TL_WGSL_TOKEN_LIST(X)                                                                                          \
    X(END, "the end of the file")                                                                                      \
    X(IDENT, "a name")                                                                                                 \
    X(INT, "an integer")                                                                                               \
    X(FLOAT, "a float")                                                                                                \
    X(RESERVED, "a reserved word")                                                                                     \
    X(UNDERSCORE, "_")                                                                                                 \
    X(ALIAS, "alias")                                                                                                  \
    X(BREAK, "break")                                                                                                  \
    X(CASE, "case")                                                                                                    \
    X(CONST, "const")                                                                                                  \
    X(CONST_ASSERT, "const_assert")                                                                                    \
    X(CONTINUE, "continue")                                                                                            \
    X(CONTINUING, "continuing")                                                                                        \
    X(DEFAULT, "default")                                                                                              \
    X(DIAGNOSTIC, "diagnostic")                                                                                        \
    X(DISCARD, "discard")                                                                                              \
    X(ELSE, "else")                                                                                                    \
    X(ENABLE, "enable")                                                                                                \
    X(FALSE, "false")                                                                                                  \
    X(FN, "fn")                                                                                                        \
    X(FOR, "for")                                                                                                      \
    X(IF, "if")                                                                                                        \
    X(LET, "let")                                                                                                      \
    X(LOOP, "loop")                                                                                                    \
    X(OVERRIDE, "override")                                                                                            \
    X(REQUIRES, "requires")                                                                                            \
    X(RETURN, "return")                                                                                                \
    X(STRUCT, "struct")                                                                                                \
    X(SWITCH, "switch")                                                                                                \
    X(TRUE, "true")                                                                                                    \
    X(VAR, "var")                                                                                                      \
    X(WHILE, "while")                                                                                                  \
    X(TEMPLATE_START, "<")                                                                                             \
    X(TEMPLATE_END, ">")                                                                                               \
    X(PAREN_LEFT, "(")                                                                                                 \
    X(PAREN_RIGHT, ")")                                                                                                \
    X(BRACKET_LEFT, "[")                                                                                               \
    X(BRACKET_RIGHT, "]")                                                                                              \
    X(BRACE_LEFT, "{")                                                                                                 \
    X(BRACE_RIGHT, "}")                                                                                                \
    X(AT, "@")                                                                                                         \
    X(ARROW, "->")                                                                                                     \
    X(DOT, ".")                                                                                                        \
    X(COMMA, ",")                                                                                                      \
    X(COLON, ":")                                                                                                      \
    X(SEMICOLON, ";")                                                                                                  \
    X(BANG, "!")                                                                                                       \
    X(TILDE, "~")                                                                                                      \
    X(PLUS_PLUS, "++")                                                                                                 \
    X(STAR, "*")                                                                                                       \
    X(SLASH, "/")                                                                                                      \
    X(PERCENT, "%")                                                                                                    \
    X(PLUS, "+")                                                                                                       \
    X(MINUS, "-")                                                                                                      \
    X(SHIFT_LEFT, "<<")                                                                                                \
    X(SHIFT_RIGHT, ">>")                                                                                               \
    X(LESS, "<")                                                                                                       \
    X(LESS_EQUAL, "<=")                                                                                                \
    X(GREATER, ">")                                                                                                    \
    X(GREATER_EQUAL, ">=")                                                                                             \
    X(EQUAL_EQUAL, "==")                                                                                               \
    X(NOT_EQUAL, "!=")                                                                                                 \
    X(AND, "&")                                                                                                        \
    X(XOR, "^")                                                                                                        \
    X(OR, "|")                                                                                                         \
    X(AND_AND, "&&")                                                                                                   \
    X(OR_OR, "||")                                                                                                     \
    X(EQUAL, "=")                                                                                                      \
    X(STAR_EQUAL, "*=")                                                                                                \
    X(SLASH_EQUAL, "/=")                                                                                               \
    X(PERCENT_EQUAL, "%=")                                                                                             \
    X(PLUS_EQUAL, "+=")                                                                                                \
    X(MINUS_EQUAL, "-=")                                                                                               \
    X(SHIFT_LEFT_EQUAL, "<<=")                                                                                         \
    X(SHIFT_RIGHT_EQUAL, ">>=")                                                                                        \
    X(AND_EQUAL, "&=")                                                                                                 \
    X(XOR_EQUAL, "^=")                                                                                                 \
    X(OR_EQUAL, "|=")

#define TL_WGSL_TOKEN_ENUM(name, text) TL_TOKEN_##name,
typedef enum tl_wgsl_token_kind {
    TL_WGSL_TOKEN_LIST(TL_WGSL_TOKEN_ENUM) TL_TOKEN_COUNT
} tl_wgsl_token_kind;
#undef TL_WGSL_TOKEN_ENUM

/* 8 bytes. Comments and blanks are no tokens. The last token of a module is END, of length 0. */
typedef struct tl_wgsl_token {
    uint32_t offset;
    uint32_t kind_length; /* kind in the low 8 bits, length in bytes above: a token is under 16 MiB */
} tl_wgsl_token;

/* ---- Operators --------------------------------------------------------------------------------------------------- */

typedef enum tl_wgsl_op {
    TL_OP_NONE,
    /* UNARY */
    TL_OP_NEGATE,
    TL_OP_NOT,        /* !a */
    TL_OP_COMPLEMENT, /* ~a */
    TL_OP_DEREF,      /* *a */
    TL_OP_ADDRESS,    /* &a */
    /* BINARY, and ASSIGN for the compound ones */
    TL_OP_MULTIPLY,
    TL_OP_DIVIDE,
    TL_OP_REMAINDER,
    TL_OP_ADD,
    TL_OP_SUBTRACT,
    TL_OP_SHIFT_LEFT,
    TL_OP_SHIFT_RIGHT,
    TL_OP_LESS,
    TL_OP_LESS_EQUAL,
    TL_OP_GREATER,
    TL_OP_GREATER_EQUAL,
    TL_OP_EQUAL,
    TL_OP_NOT_EQUAL,
    TL_OP_AND, /* bitwise, or on bool */
    TL_OP_XOR,
    TL_OP_OR,
    TL_OP_AND_AND,
    TL_OP_OR_OR
} tl_wgsl_op;

/* ---- Attributes -------------------------------------------------------------------------------------------------- */

/* Enumerator, name, least and most arguments. From the specification first, then Tint's, then naga's. */
#define TL_WGSL_ATTRIBUTE_LIST(X)                                                                                      \
    X(ALIGN, "align", 1, 1)                                                                                            \
    X(BINDING, "binding", 1, 1)                                                                                        \
    X(BLEND_SRC, "blend_src", 1, 1)                                                                                    \
    X(BUILTIN, "builtin", 1, 2)                                                                                        \
    X(COMPUTE, "compute", 0, 0)                                                                                        \
    X(CONST, "const", 0, 0)                                                                                            \
    X(DIAGNOSTIC, "diagnostic", 2, 3)                                                                                  \
    X(FRAGMENT, "fragment", 0, 0)                                                                                      \
    X(GROUP, "group", 1, 1)                                                                                            \
    X(ID, "id", 1, 1)                                                                                                  \
    X(INTERPOLATE, "interpolate", 1, 2)                                                                                \
    X(INVARIANT, "invariant", 0, 0)                                                                                    \
    X(LOCATION, "location", 1, 1)                                                                                      \
    X(MUST_USE, "must_use", 0, 0)                                                                                      \
    X(SIZE, "size", 1, 1)                                                                                              \
    X(SUBGROUP_SIZE, "subgroup_size", 1, 1)                                                                            \
    X(VERTEX, "vertex", 0, 0)                                                                                          \
    X(WORKGROUP_SIZE, "workgroup_size", 1, 3)                                                                          \
    X(SECOND_BLEND_SOURCE, "second_blend_source", 0, 0)                                                                \
    X(COLOR, "color", 1, 1)                                                                                            \
    X(INPUT_ATTACHMENT_INDEX, "input_attachment_index", 1, 1)                                                          \
    X(EARLY_DEPTH_TEST, "early_depth_test", 0, 1)                                                                      \
    X(TASK, "task", 0, 0)                                                                                              \
    X(MESH, "mesh", 0, 1)                                                                                              \
    X(PAYLOAD, "payload", 1, 1)                                                                                        \
    X(PER_PRIMITIVE, "per_primitive", 0, 0)                                                                            \
    X(PER_VERTEX, "per_vertex", 0, 0)                                                                                  \
    X(RAY_GENERATION, "ray_generation", 0, 0)                                                                          \
    X(ANY_HIT, "any_hit", 0, 0)                                                                                        \
    X(CLOSEST_HIT, "closest_hit", 0, 0)                                                                                \
    X(MISS, "miss", 0, 0)                                                                                              \
    X(INCOMING_PAYLOAD, "incoming_payload", 1, 1)

#define TL_WGSL_ATTRIBUTE_ENUM(name, text, least, most) TL_ATTR_##name,
typedef enum tl_wgsl_attribute {
    TL_ATTR_NONE,
    TL_WGSL_ATTRIBUTE_LIST(TL_WGSL_ATTRIBUTE_ENUM) TL_ATTR_COUNT
} tl_wgsl_attribute;
#undef TL_WGSL_ATTRIBUTE_ENUM

/* ---- Nodes ------------------------------------------------------------------------------------------------------- */

typedef enum tl_wgsl_node_kind {
    TL_NODE_NONE,

    /* Expressions; a type is an IDENT too. Parentheses are nodes. */
    TL_NODE_IDENT,         /* name token = first; a = list of template arguments (expressions); b = 0, free for the
                            * resolver */
    TL_NODE_BOOL,          /* op = 0 false, 1 true */
    TL_NODE_INT,           /* token = first; its text, with prefix and suffix, is the literal */
    TL_NODE_FLOAT,         /* as INT */
    TL_NODE_PAREN,         /* a = expression */
    TL_NODE_UNARY,         /* op; a = operand */
    TL_NODE_BINARY,        /* op; a, b = operands; the operator is the token after a */
    TL_NODE_CALL,          /* a = callee, always an IDENT; b = list of arguments */
    TL_NODE_INDEX,         /* a = base; b = index */
    TL_NODE_MEMBER_ACCESS, /* a = base; b = name token (it is also `last`) */

    /* Attribute: `@name` or `@name(arguments)`; op = tl_wgsl_attribute; a = list of arguments (expressions); the name
     * is the token after first. The arguments of BUILTIN, INTERPOLATE, EARLY_DEPTH_TEST are IDENTs to be taken as
     * words; those of DIAGNOSTIC are severity, rule and perhaps the second part of the rule. */
    TL_NODE_ATTRIBUTE,

    /* Directives, before all declarations. */
    TL_NODE_ENABLE,               /* a = list of IDENT */
    TL_NODE_REQUIRES,             /* a = list of IDENT */
    TL_NODE_DIAGNOSTIC_DIRECTIVE, /* a = list of IDENT: severity, rule, perhaps the second part of the rule */

    /* Declarations. b = name token in all but CONST_ASSERT. */
    TL_NODE_ALIAS,        /* a = type */
    TL_NODE_STRUCT,       /* a = list of MEMBER */
    TL_NODE_MEMBER,       /* a = record tl_member_parts. Span without the ',' */
    TL_NODE_FN,           /* a = record tl_fn_parts */
    TL_NODE_PARAM,        /* a = record tl_member_parts. Span without the ',' */
    TL_NODE_VAR,          /* a = record tl_var_parts; TL_FLAG_GLOBAL at module scope; all four declare values */
    TL_NODE_LET,          /* a = record tl_var_parts; local */
    TL_NODE_CONST,        /* a = record tl_var_parts; TL_FLAG_GLOBAL at module scope */
    TL_NODE_OVERRIDE,     /* a = record tl_var_parts; always TL_FLAG_GLOBAL */
    TL_NODE_CONST_ASSERT, /* a = expression; b = 0; TL_FLAG_GLOBAL at module scope */

    /* Statements: also VAR, LET, CONST and CONST_ASSERT. Empty statements leave no node. */
    TL_NODE_BLOCK,  /* a = list of statements; b = list of attributes. Also bodies of functions and so on. In the
                         * body of a LOOP the last statement may be CONTINUING */
    TL_NODE_IF,     /* a = list: condition, BLOCK, then condition, BLOCK for each else-if, then BLOCK for else when
                         * the count is odd; b = list of attributes */
    TL_NODE_SWITCH, /* a = record tl_switch_parts */
    TL_NODE_CASE,   /* a = list of selectors: expressions and DEFAULT_SELECTOR (at least one); b = BLOCK.
                         * `default { }` is a CASE with one DEFAULT_SELECTOR */
    TL_NODE_DEFAULT_SELECTOR,
    TL_NODE_LOOP,       /* a = BLOCK; b = list of attributes */
    TL_NODE_CONTINUING, /* a = BLOCK, whose last statement may be BREAK_IF */
    TL_NODE_WHILE,      /* a = record tl_while_parts */
    TL_NODE_FOR,        /* a = record tl_for_parts */
    TL_NODE_BREAK,
    TL_NODE_BREAK_IF, /* a = expression; only as the last statement of a CONTINUING block */
    TL_NODE_CONTINUE,
    TL_NODE_DISCARD,
    TL_NODE_RETURN,         /* a = expression or 0 */
    TL_NODE_ASSIGN,         /* a = target, b = value; op = TL_OP_NONE for '=', else the operator of the compound */
    TL_NODE_PHONY,          /* `_ = a` */
    TL_NODE_INCREMENT,      /* `a++` */
    TL_NODE_DECREMENT,      /* `a--` */
    TL_NODE_CALL_STATEMENT, /* a = CALL */
    TL_NODE_KIND_COUNT
} tl_wgsl_node_kind;

#define TL_FLAG_NONE 0u
#define TL_FLAG_GLOBAL 1u

/* 20 bytes. */
typedef struct tl_wgsl_node {
    uint8_t kind; /* tl_wgsl_node_kind */
    uint8_t op;
    uint16_t flags;
    uint32_t first; /* token */
    uint32_t last;  /* token, inclusive */
    uint32_t a;
    uint32_t b;
} tl_wgsl_node;

/* ---- Records (words in extra) ------------------------------------------------------------------------------------ */

typedef struct tl_member_parts { /* MEMBER, PARAM */
    uint32_t attributes;         /* list */
    uint32_t type;               /* node */
} tl_member_parts;

typedef struct tl_var_parts { /* VAR, LET, CONST, OVERRIDE */
    uint32_t attributes;      /* list */
    uint32_t templates;       /* list: address space, access mode; of VAR only */
    uint32_t type;            /* node or 0 */
    uint32_t init;            /* node or 0 */
} tl_var_parts;

typedef struct tl_fn_parts {    /* FN */
    uint32_t attributes;        /* list */
    uint32_t params;            /* list of PARAM */
    uint32_t result_attributes; /* list */
    uint32_t result;            /* type node or 0 */
    uint32_t body;              /* BLOCK */
} tl_fn_parts;

typedef struct tl_switch_parts { /* SWITCH */
    uint32_t attributes;         /* list, before `switch` */
    uint32_t subject;            /* expression */
    uint32_t body_attributes;    /* list, before '{' */
    uint32_t cases;              /* list of CASE */
} tl_switch_parts;

typedef struct tl_while_parts { /* WHILE */
    uint32_t attributes;        /* list */
    uint32_t condition;         /* expression */
    uint32_t body;              /* BLOCK */
} tl_while_parts;

typedef struct tl_for_parts { /* FOR */
    uint32_t attributes;      /* list */
    uint32_t init;            /* statement (VAR, LET, CONST, ASSIGN, ..., without its ';') or 0 */
    uint32_t condition;       /* expression or 0 */
    uint32_t update;          /* statement or 0 */
    uint32_t body;            /* BLOCK */
} tl_for_parts;

#endif
