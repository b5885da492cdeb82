/* SPDX-License-Identifier: MIT
 *
 * Helpers of the tests of the resolver: read a whole source, show its first error, the type and value of an expression. */
#ifndef WGSL_RESOLVE_HELP_H
#define WGSL_RESOLVE_HELP_H

#include "wgsl/query.h"

/* Reads a source; NULL on an error, which stands in resolve_diag. The module and what is reflected of it last until the
 * next call but one. */
const telar_wgsl *resolve_read(const char *source);
extern telar_diag resolve_diag;

/* "ok", or the first error as "line:column: text". Static. */
const char *resolve_error(const char *source);

/* The type of a global or local declaration of this name, references shown as what they hold. Static. */
const char *resolve_type_of(const telar_wgsl *m, const char *name);

/* The node that declares the name; fails the test when there is none. The last one of this name. */
uint32_t resolve_declared(const telar_wgsl *m, const char *name);

/* The value of a const: "3", "-1", "0.500000", "true", "(1, 2, 3)"; "?" when it is not evaluated. Static. */
const char *resolve_value_of(const telar_wgsl *m, const char *name);

/* The reflection of the module read last. */
const telar_wgsl_reflection *resolve_reflect(const telar_wgsl *m, const telar_override *overrides, uint32_t count);

#endif
