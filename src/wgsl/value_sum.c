/* SPDX-License-Identifier: MIT
 *
 * Values as sums of products, so that two ways to write one index are seen to be the same. */
#include "wgsl/value.h"

#include <string.h>

#define DEPTH_MAX 24   /* of operators that are taken apart */
#define PARTS_MAX 200u /* looked at for one sum */

typedef struct summing {
    const tl_values *v;
    uint32_t parts;
} summing;

/* Products behind the count are left as they are: a sum is large, and most have two. */
static void clear(tl_sum *sum)
{
    sum->constant = 0;
    sum->count = 0;
}

static bool add_product(tl_sum *sum, const tl_product *product)
{
    if (product->factor == 0) return true;
    if (product->count == 0) return !__builtin_add_overflow(sum->constant, product->factor, &sum->constant);
    for (uint32_t k = 0; k < sum->count; k++) {
        tl_product *p = &sum->products[k];
        if (p->count != product->count || memcmp(p->atoms, product->atoms, p->count * sizeof p->atoms[0]) != 0)
            continue;
        if (__builtin_add_overflow(p->factor, product->factor, &p->factor)) return false;
        if (p->factor == 0) *p = sum->products[--sum->count];
        return true;
    }
    if (sum->count == TL_SUM_MAX) return false;
    sum->products[sum->count++] = *product;
    return true;
}

static bool add_scaled(tl_sum *sum, const tl_sum *other, int64_t factor)
{
    tl_product constant = {0};
    if (__builtin_mul_overflow(other->constant, factor, &constant.factor) || !add_product(sum, &constant)) return false;
    for (uint32_t k = 0; k < other->count; k++) {
        tl_product product = other->products[k];
        if (__builtin_mul_overflow(product.factor, factor, &product.factor) || !add_product(sum, &product))
            return false;
    }
    return true;
}

bool tl_sum_subtract(const tl_sum *a, const tl_sum *b, tl_sum *difference)
{
    clear(difference);
    return add_scaled(difference, a, 1) && add_scaled(difference, b, -1);
}

static bool multiply_products(const tl_product *a, const tl_product *b, tl_product *result)
{
    if (a->count + b->count > TL_FACTORS_MAX) return false;
    if (__builtin_mul_overflow(a->factor, b->factor, &result->factor)) return false;
    uint32_t i = 0, j = 0;
    result->count = 0;
    while (i < a->count || j < b->count) {
        bool from_a = j == b->count || (i < a->count && a->atoms[i] <= b->atoms[j]);
        result->atoms[result->count++] = from_a ? a->atoms[i++] : b->atoms[j++];
    }
    return true;
}

static tl_product product_at(const tl_sum *sum, uint32_t k)
{
    return k < sum->count ? sum->products[k] : (tl_product){.factor = sum->constant};
}

static bool multiply(const tl_sum *a, const tl_sum *b, tl_sum *result)
{
    clear(result);
    for (uint32_t i = 0; i <= a->count; i++) {
        for (uint32_t j = 0; j <= b->count; j++) {
            tl_product x = product_at(a, i), y = product_at(b, j), product = {0};
            if (!multiply_products(&x, &y, &product) || !add_product(result, &product)) return false;
        }
    }
    return true;
}

static bool add_atom(tl_sum *sum, tl_term atom, int64_t factor)
{
    tl_product product = {.factor = factor, .count = 1, .atoms = {atom}};
    return add_product(sum, &product);
}

static bool add_builtin(const tl_values *v, tl_term term, tl_sum *sum)
{
    const tl_term_info *info = &v->terms[term];
    const uint32_t axis = info->b, *size = v->size;
    if (info->a == TL_VALUE_global_invocation_id && size[axis] != 0) {
        if (size[axis] != 1 && !add_atom(sum, v->local[axis], 1)) return false;
        return add_atom(sum, v->group[axis], size[axis]);
    }
    bool sized = size[0] != 0 && size[1] != 0 && size[2] != 0;
    if (info->a == TL_VALUE_local_invocation_index && sized) {
        int64_t stride = 1;
        for (uint32_t k = 0; k < 3; k++) {
            if (size[k] != 1 && !add_atom(sum, v->local[k], stride)) return false;
            stride *= size[k];
        }
        return true;
    }
    return add_atom(sum, term, 1);
}

static bool sum_term(summing *s, tl_term term, uint32_t depth, tl_sum *sum);

static bool sum_binary(summing *s, tl_term term, uint32_t depth, tl_sum *sum)
{
    const tl_term_info *info = &s->v->terms[term];
    tl_sum a, b;
    int64_t shift = 0;
    switch (info->op) {
    case TL_OP_ADD:
    case TL_OP_SUBTRACT:
        if (!sum_term(s, info->a, depth, sum) || !sum_term(s, info->b, depth, &b)) return false;
        return add_scaled(sum, &b, info->op == TL_OP_ADD ? 1 : -1);
    case TL_OP_MULTIPLY:
        return sum_term(s, info->a, depth, &a) && sum_term(s, info->b, depth, &b) && multiply(&a, &b, sum);
    case TL_OP_SHIFT_LEFT:
        if (!tl_term_constant(s->v, info->b, &shift) || shift < 0 || shift > 31) break;
        return sum_term(s, info->a, depth, &a) && add_scaled(sum, &a, (int64_t)1 << shift);
    default: break;
    }
    return add_atom(sum, term, 1);
}

static bool sum_term(summing *s, tl_term term, uint32_t depth, tl_sum *sum)
{
    clear(sum);
    term = tl_term_plain(s->v, term);
    const tl_term_info *info = &s->v->terms[term];
    if (depth == 0 || ++s->parts > PARTS_MAX) return add_atom(sum, term, 1);
    switch (info->kind) {
    case TL_TERM_CONSTANT: sum->constant = info->lo; return true;
    case TL_TERM_LOAD: /* that the launch sets */
        if (info->lo != info->hi || (info->type != TL_TYPE_U32 && info->type != TL_TYPE_I32)) break;
        sum->constant = info->lo;
        return true;
    case TL_TERM_BUILTIN: return add_builtin(s->v, term, sum);
    case TL_TERM_BINARY:
        if (sum_binary(s, term, depth - 1, sum)) return true;
        clear(sum);
        break;
    default: break;
    }
    return add_atom(sum, term, 1);
}

bool tl_sum_of(const tl_values *v, tl_term term, tl_sum *sum)
{
    summing s = {.v = v};
    return sum_term(&s, term, DEPTH_MAX, sum);
}

int64_t tl_sum_factor(const tl_sum *sum, tl_term atom)
{
    for (uint32_t k = 0; k < sum->count; k++) {
        if (sum->products[k].count == 1 && sum->products[k].atoms[0] == atom) return sum->products[k].factor;
    }
    return 0;
}
