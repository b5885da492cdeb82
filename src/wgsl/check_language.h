/* SPDX-License-Identifier: MIT
 *
 * What the specification forbids and the reader lets through, since an implementation takes it, or since nothing after the
 * reader depends on it. Each function looks at one side of the module and reports under the rule "wgsl". */
#ifndef TL_WGSL_CHECK_LANGUAGE_H
#define TL_WGSL_CHECK_LANGUAGE_H

#include "wgsl/check.h"

/* Inputs and outputs of entry points: check_language_io.c */
void tl_language_io(tl_check *c);
/* What only some stages may use: check_language_stage.c */
void tl_language_stages(tl_check *c);
/* Loops without an exit, values that statements cannot take: check_language_body.c */
void tl_language_bodies(tl_check *c);
/* Pointers to the same variable in one call: check_language_alias.c */
void tl_language_aliases(tl_check *c);

/* The family. */
tl_check_family tl_check_language_module;

#endif
