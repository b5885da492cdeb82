/* SPDX-License-Identifier: MIT
 *
 * Helpers of the WGSL tests: read the grammar of a text, show tokens, tree and errors as text. Results are static. */
#ifndef WGSL_HELP_H
#define WGSL_HELP_H

#include "wgsl/module.h"

/* Reads the grammar; NULL on an error, which stands in help_diag. The module lasts until the next call but one. */
const telar_wgsl *help_read(const char *source);
const telar_wgsl *help_read_bytes(const char *source, size_t bytes);
extern telar_diag help_diag;

/* Kinds of all tokens but the last: "var TEMPLATE_START ...": texts of words and signs, "name", "int", "float", "T<" and
 * "T>" for templates; "error: ..." when it cannot be read as tokens. */
const char *help_tokens(const char *source);

/* The declarations as nested lists, one a line. "error: ..." when it is not read. */
const char *help_tree(const char *source);

/* The expression as a nested list. */
const char *help_expression(const char *source);

/* All errors of a source with their carets, the file being "f". */
const char *help_errors(const char *source);
const char *help_errors_bytes(const char *source, size_t bytes);

/* Canonical text, after the check that it is a fixed point with the same tree ("not a fixed point" else). */
const char *help_print(const char *source);

#endif
