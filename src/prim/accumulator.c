/* SPDX-License-Identifier: MIT
 *
 * What reductions gather elements in: a table of forms, printed with the caller's expression and types. */
#include "prim/accumulator.h"

#include <string.h>

/* Types of A and R: of the elements' expression, of its numbers (as many as it has), or as told. */
typedef enum form_type {
    TYPE_VALUE, /* V */
    TYPE_FLOAT, /* f32, as many */
    TYPE_BITS,  /* u32, as many */
    TYPE_U32,
    TYPE_PAIR,       /* array<V, 2> */
    TYPE_FLOAT_PAIR, /* array<f32, 2> */
    TYPE_STRUCTURE,
} form_type;

struct tl_form {
    form_type held, result;
    const char *structure; /* of TYPE_STRUCTURE */
    const char *wgsl;      /* all functions; NULL: these three, and the operator's combine */
    const char *identity;  /* NULL: the operator's */
    const char *taken;     /* what x is as an A */
    const char *lowered;
    bool ordered; /* by float_order or integer_order */
};

typedef struct tl_form form;

static const form plain = {.taken = "value_of(x, i)", .lowered = "a"};
static const form wide = {.held = TYPE_FLOAT, .taken = "A(value_of(x, i))", .lowered = "R(a)"};
static const form condition = {.held = TYPE_U32, .result = TYPE_U32, .taken = "u32(holds(x, i))", .lowered = "a"};
/* All of none is true. */
static const form condition_of_all = {
    .held = TYPE_U32, .result = TYPE_U32, .identity = "1", .taken = "u32(holds(x, i))", .lowered = "a"};
static const form float_min = {.held = TYPE_BITS,
                               .identity = "MIN_OF_NONE",
                               .taken = "order_for_min(value_of(x, i))",
                               .lowered = "value_for_min(a)",
                               .ordered = true};
static const form float_max = {.held = TYPE_BITS,
                               .identity = "MAX_OF_NONE",
                               .taken = "order_for_max(value_of(x, i))",
                               .lowered = "value_for_max(a)",
                               .ordered = true};
static const form compensated = {
    .held = TYPE_STRUCTURE, .structure = "struct A { sum: V, rest: V }\n", .wgsl = tl_wgsl_accumulate_compensated};
static const form arg = {.held = TYPE_STRUCTURE,
                         .result = TYPE_U32,
                         .structure = "struct A { order: u32, index: u32 }\n",
                         .wgsl = tl_wgsl_accumulate_arg,
                         .ordered = true};
static const form min_max = {.held = TYPE_STRUCTURE,
                             .result = TYPE_PAIR,
                             .structure = "struct A { least: Bits, greatest: Bits }\n",
                             .wgsl = tl_wgsl_accumulate_min_max,
                             .ordered = true};
static const form moments = {.held = TYPE_STRUCTURE,
                             .result = TYPE_FLOAT_PAIR,
                             .structure = "struct A { count: u32, mean: f32, squares: f32 }\n",
                             .wgsl = tl_wgsl_accumulate_moments};

static bool is_condition(telar_reduction_kind kind)
{
    return kind == TELAR_REDUCE_ANY || kind == TELAR_REDUCE_ALL || kind == TELAR_REDUCE_COUNT;
}

static bool is_half(const tl_type_facts *type)
{
    return type->number != NULL && strcmp(type->number, "f16") == 0;
}

/* ---- Which form -------------------------------------------------------------------------------------------------- */

static const form *form_of_operator(const telar_reduction *reduction, const tl_type_facts *value)
{
    telar_op op = reduction->op.op;
    if (reduction->compensated) return &compensated;
    if (value->is_float && op == TELAR_OP_MIN) return &float_min;
    if (value->is_float && op == TELAR_OP_MAX) return &float_max;
    if (is_half(value) && (op == TELAR_OP_SUM || op == TELAR_OP_PRODUCT)) return &wide;
    return &plain;
}

static const form *form_of(const telar_reduction *reduction, const tl_type_facts *value)
{
    switch (reduction->kind) {
    case TELAR_REDUCE_ARG_MIN:
    case TELAR_REDUCE_ARG_MAX: return &arg;
    case TELAR_REDUCE_MIN_MAX: return &min_max;
    case TELAR_REDUCE_MEAN_VARIANCE: return &moments;
    case TELAR_REDUCE_ALL: return &condition_of_all;
    case TELAR_REDUCE_ANY:
    case TELAR_REDUCE_COUNT: return &condition;
    default: return form_of_operator(reduction, value);
    }
}

/* The operator that combines what is held. */
static telar_op op_of(const telar_reduction *reduction)
{
    switch (reduction->kind) {
    case TELAR_REDUCE_ANY: return TELAR_OP_OR;
    case TELAR_REDUCE_ALL: return TELAR_OP_AND;
    case TELAR_REDUCE_COUNT: return TELAR_OP_SUM;
    default: return reduction->op.op;
    }
}

/* Why the reduction cannot be had; NULL: it can. */
static const char *why_not(const telar_reduction *reduction, const tl_type_facts *value, const form *chosen)
{
    telar_op op = reduction->op.op;
    bool by_operator = reduction->kind == TELAR_REDUCE_OPERATOR;
    bool integers_only = op == TELAR_OP_AND || op == TELAR_OP_OR || op == TELAR_OP_XOR;
    if (reduction->kind > TELAR_REDUCE_MEAN_VARIANCE || op > TELAR_OP_OWN) return "there is no such reduction";
    if (reduction->compensated && (!by_operator || op != TELAR_OP_SUM || !value->is_float || is_half(value))) {
        return "only sums of f32 can be compensated";
    }
    if (by_operator && op == TELAR_OP_OWN) {
        bool whole = reduction->op.wgsl != NULL && reduction->op.identity != NULL;
        return whole ? NULL : "an operator of your own needs its WGSL and an identity";
    }
    if (is_condition(reduction->kind)) {
        return reduction->expression != NULL || value->components == 1 ? NULL : "a condition is needed for this type";
    }
    if (value->components == 0 || (by_operator && integers_only && value->is_float)) {
        return "this reduction is not for this type";
    }
    if ((chosen == &arg || chosen == &moments) && value->components > 1) return "this reduction is not for vectors";
    return NULL;
}

/* ---- Its types --------------------------------------------------------------------------------------------------- */

static const char *print_in_arena(tl_job *job, const char *format, ...) TL_PRINTF(2, 3);
static const char *print_in_arena(tl_job *job, const char *format, ...)
{
    va_list args;
    telar_out size = {0};
    va_start(args, format);
    tl_out_vformat(&size, format, args);
    va_end(args);
    telar_out out = {.data = TL_ARENA_ARRAY(job->prim->arena, char, size.len + 1), .cap = size.len + 1};
    if (out.data == NULL) {
        tl_job_fail(job, TELAR_NO_SPACE, "the arena is too small");
        return "";
    }
    va_start(args, format);
    tl_out_vformat(&out, format, args);
    va_end(args);
    out.data[out.len] = 0;
    return out.data;
}

/* `number`, or a vector of as many as the type has. */
static const char *as_many(tl_job *job, const char *number, const tl_type_facts *type)
{
    return type->components < 2 ? number : print_in_arena(job, "vec%u<%s>", type->components, number);
}

/* What the structures above refer to. */
static const char *aliases(tl_job *job, const tl_type_facts *value)
{
    const char *alias =
        strcmp(value->type.name, "V") == 0 ? "" : print_in_arena(job, "alias V = %s;\n", value->type.name);
    if (value->components == 0) return alias;
    return print_in_arena(job, "%salias Float = %s;\nalias Bits = %s;\nalias Signed = %s;\n", alias,
                          as_many(job, "f32", value), as_many(job, "u32", value), as_many(job, "i32", value));
}

static tl_type_facts type_of(tl_job *job, form_type type, const char *structure, const tl_type_facts *value)
{
    const char *wgsl = value->type.wgsl;
    switch (type) {
    case TYPE_VALUE: return *value;
    case TYPE_FLOAT: return tl_job_type(job, (telar_type){as_many(job, "f32", value), NULL});
    case TYPE_BITS: return tl_job_type(job, (telar_type){as_many(job, "u32", value), NULL});
    case TYPE_U32: return tl_job_type(job, (telar_type){"u32", NULL});
    case TYPE_PAIR: return tl_job_type(job, (telar_type){print_in_arena(job, "array<%s, 2>", value->type.name), wgsl});
    case TYPE_FLOAT_PAIR: return tl_job_type(job, (telar_type){"array<f32, 2>", NULL});
    default: break;
    }
    const char *text = print_in_arena(job, "%s%s%s", wgsl == NULL ? "" : wgsl, aliases(job, value), structure);
    return tl_job_type(job, (telar_type){"A", text});
}

static uint32_t words_of(tl_job *job, telar_type type)
{
    tl_type_part parts[TL_TYPE_PARTS_MAX];
    uint32_t count = tl_type_parts(job, type, parts), words = 0;
    for (uint32_t k = 0; k < count; k++) words += parts[k].components;
    return words;
}

tl_accumulator tl_accumulator_of(tl_job *job, const tl_type_facts *element, const telar_reduction *reduction)
{
    tl_accumulator a = {.reduction = reduction, .element = *element, .value = *element};
    if (reduction->type.name != NULL) a.value = tl_job_type(job, reduction->type);
    const form *f = a.form = form_of(reduction, &a.value);
    const char *why = tl_job_failed(job) ? NULL : why_not(reduction, &a.value, f);
    if (why != NULL) tl_job_fail(job, TELAR_UNSUPPORTED, "%s ('%s')", why, a.value.type.name);
    if (tl_job_failed(job)) return a;
    a.held = type_of(job, f->held, f->structure, &a.value);
    a.held_structure = f->structure;
    a.result = type_of(job, f->result, NULL, &a.value);
    a.lanes_op = f->wgsl == NULL ? op_of(reduction) : TELAR_OP_OWN;
    a.words = words_of(job, a.held.type);
    return a;
}

bool tl_accumulator_has_value(const tl_accumulator *a)
{
    return a->form == &arg;
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

static void print_types(tl_text *text, const tl_accumulator *a)
{
    const char *wgsl = a->value.type.wgsl, *element_wgsl = a->element.type.wgsl;
    tl_text_type(text, &a->element);
    if (wgsl != NULL && (element_wgsl == NULL || strcmp(wgsl, element_wgsl) != 0)) tl_text_add_own(text, wgsl);
    tl_text_add(text, aliases(text->job, &a->value));
    if (a->held_structure != NULL) tl_text_add(text, a->held_structure);
    else tl_text_format(text, "alias A = %s;\n", a->held.type.name);
    tl_text_format(text, "alias R = %s;\n", a->result.type.name);
}

/* The expression that stands for an element. */
static void print_value(tl_text *text, const tl_accumulator *a)
{
    const telar_reduction *reduction = a->reduction;
    bool holds = is_condition(reduction->kind);
    bool same = strcmp(a->element.type.name, a->value.type.name) == 0;
    const char *given = holds ? "x != V()" : same ? "x" : "V(x)";
    if (reduction->wgsl != NULL) tl_text_add_own(text, reduction->wgsl);
    tl_text_add(text, holds ? "fn holds(x: T, i: u32) -> bool { return " : "fn value_of(x: T, i: u32) -> V { return ");
    if (reduction->expression == NULL) tl_text_add(text, given);
    else tl_text_add_own(text, reduction->expression);
    tl_text_add(text, "; }\n");
}

static void print_order(tl_text *text, const tl_accumulator *a)
{
    bool least = a->reduction->kind == TELAR_REDUCE_ARG_MIN;
    if (!a->value.is_float) tl_text_u32(text, "SIGN", a->value.is_signed ? 0x80000000u : 0);
    tl_text_add(text, a->value.is_float ? tl_wgsl_float_order : tl_wgsl_integer_order);
    if (a->form != &arg) return;
    tl_text_add(text, least ? "const ARG_OF_NONE = MIN_OF_NONE;\n"
                              "fn arg_order(x: V) -> u32 { return order_for_min(x); }\n"
                              "fn arg_value(order: u32) -> V { return value_for_min(order); }\n"
                            : "const ARG_OF_NONE = ~MAX_OF_NONE;\n"
                              "fn arg_order(x: V) -> u32 { return ~order_for_max(x); }\n"
                              "fn arg_value(order: u32) -> V { return value_for_max(~order); }\n");
}

static void print_operator(tl_text *text, const tl_accumulator *a)
{
    const telar_operator *op = &a->reduction->op;
    telar_op combining = op_of(a->reduction);
    if (combining == TELAR_OP_OWN) {
        tl_text_add(text, "fn identity() -> A { return ");
        tl_text_add_own(text, op->identity);
        tl_text_add(text, "; }\n");
        tl_text_add_own(text, op->wgsl);
    } else {
        const char *identity =
            a->form->identity == NULL ? tl_operator_identity(&a->held, combining) : a->form->identity;
        tl_text_format(text, "fn identity() -> A { return A(%s); }\n", identity);
        tl_text_format(text, "fn combine(a: A, b: A) -> A { return %s; }\n", tl_operator_combine(combining));
    }
    tl_text_format(text, "fn lift(x: T, i: u32) -> A { return %s; }\n", a->form->taken);
    tl_text_add(text, "fn take(a: A, x: T, i: u32, turn: u32) -> A { return combine(a, lift(x, i)); }\n");
    tl_text_format(text, "fn lower(a: A) -> R { return %s; }\n", a->form->lowered);
}

void tl_text_accumulator(tl_text *text, const tl_accumulator *a)
{
    if (tl_job_failed(text->job)) return;
    print_types(text, a);
    print_value(text, a);
    if (a->form->ordered) print_order(text, a);
    if (a->form->wgsl == NULL) {
        print_operator(text, a);
    } else {
        tl_text_add(text, a->form->wgsl);
        tl_text_add(text, "fn lift(x: T, i: u32) -> A { return take(identity(), x, i, 1u); }\n");
    }
    tl_lanes_print(text, &a->held, a->lanes_op);
}

/* How a number goes into a word and comes out of it: what stands before and behind it. */
static const struct {
    const char *number, *into[2], *out[2];
} word_forms[] = {
    {"u32", {"", ""}, {"", ""}},
    {"i32", {"bitcast<u32>(", ")"}, {"bitcast<i32>(", ")"}},
    {"f32", {"bitcast<u32>(", ")"}, {"bitcast<f32>(", ")"}},
    {"f16", {"pack2x16float(vec2(f32(", "), 0.0))"}, {"f16(unpack2x16float(", ").x)"}},
};

static size_t word_form_of(const char *number)
{
    size_t k = 0;
    while (k + 1 < TL_COUNT(word_forms) && strcmp(word_forms[k].number, number) != 0) k++;
    return k;
}

static void print_words_of_part(tl_text *text, const tl_type_part *part, uint32_t first, bool into)
{
    static const char *const components[] = {".x", ".y", ".z", ".w"};
    size_t form_number = word_form_of(part->number);
    for (uint32_t c = 0; c < part->components; c++) {
        const char *component = part->components == 1 ? "" : components[c];
        const char *const *around = into ? word_forms[form_number].into : word_forms[form_number].out;
        if (into) {
            tl_text_format(text, "    words[%u] = %sa%s%s%s;\n", first + c, around[0], part->path, component,
                           around[1]);
        } else {
            tl_text_format(text, "    a%s%s = %swords[%u]%s;\n", part->path, component, around[0], first + c,
                           around[1]);
        }
    }
}

void tl_text_words(tl_text *text, const tl_accumulator *a)
{
    tl_type_part parts[TL_TYPE_PARTS_MAX];
    uint32_t count = tl_type_parts(text->job, a->held.type, parts);
    tl_text_u32(text, "WORDS", a->words);
    for (int into = 1; into >= 0; into--) {
        tl_text_add(text, into ? "fn words_of(a: A) -> array<u32, WORDS> {\n    var words: array<u32, WORDS>;\n"
                               : "fn of_words(words: array<u32, WORDS>) -> A {\n    var a: A;\n");
        uint32_t first = 0;
        for (uint32_t k = 0; k < count; k++) {
            print_words_of_part(text, &parts[k], first, into);
            first += parts[k].components;
        }
        tl_text_format(text, "    return %s;\n}\n", into ? "words" : "a");
    }
}
