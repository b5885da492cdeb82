/* SPDX-License-Identifier: MIT
 *
 * Scalar helpers of constant folding. No libm: under wasm its functions would be imports. */
#ifndef TL_WGSL_CONSTANT_MATH_H
#define TL_WGSL_CONSTANT_MATH_H

#include "wgsl/constant.h"

/* ---- constant_fold.c ---- */

/* The low bits of an integer type, extended by its sign. */
int64_t tl_wrap_integer(tl_type type, uint64_t bits);

/* The nearest value of a float type, as a double; infinite on overflow. */
double tl_round_to(tl_type type, double value);

/* ---- constant_math.c: within an ulp or two of a double ---- */

double tl_truncate(double value);
double tl_floor(double value);
double tl_round_even(double value);
double tl_power_of_two(int exponent); /* |exponent| <= 1022 */
double tl_square_root(double value);
double tl_exponential(double value);
double tl_logarithm(double value); /* value > 0 */
double tl_base2_logarithm(double value);
double tl_base2_power(double value);
double tl_sine(double value);
double tl_cosine(double value);
double tl_arc_tangent(double value);

#endif
