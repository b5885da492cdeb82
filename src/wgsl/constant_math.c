/* SPDX-License-Identifier: MIT
 *
 * Elementary functions in plain C: argument reduction by exact bit operations, then a short series. Good to about
 * 1e-15 relative, more than an f32 constant can show. */
#include "wgsl/constant_math.h"

#include <string.h>

#define LN2 0.693147180559945309417
#define PI 3.14159265358979323846

double tl_truncate(double value)
{
    /* Doubles from 2^52 on are integers. */
    if (!(value > -4503599627370496.0 && value < 4503599627370496.0)) return value;
    double whole = (double)(int64_t)value;
    return whole == 0 && value < 0 ? -0.0 : whole;
}

double tl_floor(double value)
{
    double whole = tl_truncate(value);
    return whole > value ? whole - 1 : whole;
}

double tl_round_even(double value)
{
    double low = tl_floor(value);
    double rest = value - low;
    if (rest < 0.5) return low;
    if (rest > 0.5) return low + 1;
    return tl_floor(low / 2) * 2 == low ? low : low + 1;
}

double tl_power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

/* value = fraction * 2^exponent with fraction in [1, 2). For positive finite values. */
static double split(double value, int *exponent)
{
    int shift = 0;
    if (value < 1e-300) {
        value *= 18014398509481984.0; /* 2^54 lifts the subnormals */
        shift = 54;
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    *exponent = (int)(bits >> 52) - 1023 - shift;
    bits = (bits & 0x000FFFFFFFFFFFFFu) | 0x3FF0000000000000u;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double tl_square_root(double value)
{
    if (value == 0) return value;
    int exponent;
    double fraction = split(value, &exponent);
    if (exponent % 2 != 0) {
        fraction *= 2;
        exponent -= 1;
    }
    double root = 0.5 + fraction * 0.5;
    for (int k = 0; k < 6; k++) root = 0.5 * (root + fraction / root);
    return root * tl_power_of_two(exponent / 2);
}

double tl_logarithm(double value)
{
    int exponent;
    double fraction = split(value, &exponent);
    if (fraction > 1.41421356237309505) {
        fraction /= 2;
        exponent++;
    }
    /* ln(x) = 2 artanh((x - 1) / (x + 1)) */
    double s = (fraction - 1) / (fraction + 1);
    double square = s * s, term = s, sum = 0;
    for (int k = 1; k < 40; k += 2) {
        sum += term / k;
        term *= square;
    }
    return 2 * sum + exponent * LN2;
}

double tl_base2_logarithm(double value)
{
    int exponent;
    double fraction = split(value, &exponent);
    return fraction == 1.0 ? exponent : exponent + tl_logarithm(fraction) / LN2;
}

static double series_exponential(double value)
{
    double term = 1, sum = 1;
    for (int k = 1; k < 24; k++) {
        term *= value / k;
        sum += term;
    }
    return sum;
}

static double scaled(double value, double exponent)
{
    if (exponent > 1023) return value * 1e308 * 1e308;
    if (exponent < -1060) return 0;
    int n = (int)exponent;
    return value * tl_power_of_two(n / 2) * tl_power_of_two(n - n / 2);
}

double tl_base2_power(double value)
{
    double whole = tl_round_even(value);
    return scaled(series_exponential((value - whole) * LN2), whole);
}

double tl_exponential(double value)
{
    if (value > 800 || value < -800) return scaled(1, value > 0 ? 2000 : -2000);
    double whole = tl_round_even(value / LN2);
    return scaled(series_exponential(value - whole * LN2), whole);
}

/* Series of the sine (first = value) or cosine (first = 1) for |value| <= pi / 4. */
static double circular(double value, double first, int from)
{
    double term = first, sum = first;
    for (int k = from; k < 24; k += 2) {
        term *= -value * value / ((k + 1) * (k + 2));
        sum += term;
    }
    return sum;
}

double tl_sine(double value)
{
    double quarter = tl_round_even(value / (PI / 2));
    double rest = value - quarter * (PI / 2);
    double turn = quarter - 4 * tl_floor(quarter / 4);
    double result = turn == 0 || turn == 2 ? circular(rest, rest, 1) : circular(rest, 1, 0);
    return turn >= 2 ? -result : result;
}

double tl_cosine(double value)
{
    double quarter = tl_round_even(value / (PI / 2));
    double rest = value - quarter * (PI / 2);
    double turn = quarter - 4 * tl_floor(quarter / 4);
    double result = turn == 0 || turn == 2 ? circular(rest, 1, 0) : circular(rest, rest, 1);
    return turn == 1 || turn == 2 ? -result : result;
}

double tl_arc_tangent(double value)
{
    bool negative = value < 0;
    double x = negative ? -value : value;
    bool inverted = x > 1;
    if (inverted) x = 1 / x;
    /* Two half-angle steps bring x under 0.2. */
    for (int k = 0; k < 2; k++) x = x / (1 + tl_square_root(1 + x * x));
    double square = x * x, term = x, sum = 0;
    for (int k = 1; k < 40; k += 2) {
        sum += term / k;
        term *= -square;
    }
    sum *= 4;
    if (inverted) sum = PI / 2 - sum;
    return negative ? -sum : sum;
}
