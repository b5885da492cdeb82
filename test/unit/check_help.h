/* SPDX-License-Identifier: MIT
 *
 * Kernels with mistakes and without: a table of them is a test. */
#ifndef CHECK_HELP_H
#define CHECK_HELP_H

#include <telar/check.h>

typedef struct check_case {
    const char *rule;
    telar_severity severity; /* that the rule must find; DEFAULT: the kernel is correct, and the rule is silent */
    const char *source;
    uint64_t count[3];
    uint32_t dispatch[3];
    telar_check_bind binds[3];
    telar_check_set sets[3];
    bool indirect;
    const char *indirect_buffer;
    uint64_t indirect_offset;
    bool compatibility; /* the device is one of that level */
} check_case;

/* Checks the kernel in both languages, which must find the same and say it in words of their own; the result is the English
 * one and lives until the next call. Fails the test when a check fails. */
telar_check_result help_check(const check_case *one);

/* The strongest finding of a rule; DEFAULT when there is none. */
telar_severity help_severity(const telar_check_result *result, const char *rule);

/* Runs a table: faulty kernels are found with their severity, correct ones are silent. Each rule of the families named
 * (zero-terminated list) must have three of both. */
void help_check_table(const check_case *cases, size_t count, const char *const *families);

/* A kernel over u32 arrays a (read) and o (written), a uniform p: P, and the ids g, wg, l, nw. */
#define HEAD                                                                                                           \
    "struct P { n: u32, w: u32, h: u32, row: u32, n_bytes: u32 }\n"                                                    \
    "@group(0) @binding(0) var<uniform> p: P;\n"                                                                       \
    "@group(0) @binding(1) var<storage, read> a: array<u32>;\n"                                                        \
    "@group(0) @binding(2) var<storage, read_write> o: array<u32>;\n"
#define MAIN(size)                                                                                                     \
    "@compute @workgroup_size(" size ") fn main(@builtin(global_invocation_id) g: vec3<u32>, @builtin(workgroup_id) "  \
    "wg: vec3<u32>, @builtin(local_invocation_id) l: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {\n"
#define KERNEL(size, body) HEAD MAIN(size) body "\n}\n"

#define FAULTY(rule_, severity_, ...) {.rule = (rule_), .severity = TELAR_SEVERITY_##severity_, .source = __VA_ARGS__}
#define CORRECT(rule_, ...) {.rule = (rule_), .source = __VA_ARGS__}

#endif
