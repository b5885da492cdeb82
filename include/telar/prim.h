/* SPDX-License-Identifier: MIT
 *
 * telar/prim.h: parallel primitives. Each call records a few dispatches (and the kernels and scratch buffers that they
 * need) into a recording; nothing runs and nothing is allocated.
 *
 * Arrays    A telar_array is a range of elements in a buffer, from any multiple of 4 bytes (of the stride, where that is
 *           larger). The kernels read and write four elements at a time where the array begins at a multiple of 16
 *           bytes and its size_bytes reach the end of the last four: leave that room for the best speed. Elements past
 *           the length are never changed.
 * Lengths   Known on the host, or a count on the GPU with a capacity: one more dispatch turns it into launches.
 * Types     u32, i32, f32, f16, their vectors, and structures that you declare.
 * Operators Named ones, or your own WGSL. All are associative and commutative unless a primitive says otherwise. Names
 *           of your WGSL must differ from those in the kernels: a clash is a failure with a message.
 * Errors    As all recording: the first failure is kept, and telar_record_end reports it.
 * Scratch   Buffers of the recording, from the host's pool. record.scratch_bytes counts what has been declared, also
 *           while words are only counted (telar_record_begin with NULL): that is the size query.
 * Trust     Kernels without WGSL of yours never leave their bounds by themselves; prepare such a recording with
 *           telar_host_prepare_trusted and they run without bounds checks.
 *
 * Example
 *     telar_prim prim = {.facts = telar_host_facts(host), .dialect = telar_host_dialect(host), .arena = &arena};
 *     telar_record_reduce(&record, &prim, &(telar_reduce_desc){.length = {.count = n},
 *                                                              .type = {"f32"},
 *                                                              .op = {TELAR_OP_SUM},
 *                                                              .in = {.buffer = data},
 *                                                              .out = {.buffer = sum}});
 */
#ifndef TELAR_PRIM_H
#define TELAR_PRIM_H

#include <telar/base.h>
#include <telar/facts.h>
#include <telar/record.h>
#include <telar/weave.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For whom primitives are recorded; the same for all calls. */
typedef struct telar_prim {
    const telar_facts *facts;
    telar_dialect dialect;
    telar_arena *arena; /* room for texts while a call runs, given back at its end: 4 MiB is ample */
    bool plain;         /* no subgroup operations, even where the device has them */
} telar_prim;

typedef struct telar_array {
    telar_buffer buffer;
    uint64_t offset_bytes;
    uint64_t size_bytes; /* that belong to it, at least its elements'; 0: just those */
} telar_array;

typedef struct telar_length {
    uint64_t count;     /* elements; with on_gpu the most there can be */
    telar_count on_gpu; /* its buffer's id 0: count is all */
} telar_length;

/* Zero: u32. */
typedef struct telar_type {
    const char *name; /* as WGSL writes it: "f32", "vec2<f32>", or that of a structure in wgsl */
    const char *wgsl; /* declarations that it needs; NULL: none */
} telar_type;

typedef enum telar_op {
    TELAR_OP_SUM = 0,
    TELAR_OP_PRODUCT,
    TELAR_OP_MIN,
    TELAR_OP_MAX,
    TELAR_OP_AND,
    TELAR_OP_OR,
    TELAR_OP_XOR,
    TELAR_OP_OWN,
} telar_op;

/* Zero: the sum. */
typedef struct telar_operator {
    telar_op op;
    const char *wgsl;     /* OWN: fn combine(a: T, b: T) -> T, where T is the type; and what it calls */
    const char *identity; /* OWN: an expression e with combine(e, x) == x */
} telar_operator;

/* ---- reduce ------------------------------------------------------------------------------------------------------ */

typedef struct telar_reduce_desc {
    telar_length length;
    telar_type type;
    telar_operator op;
    telar_array in;
    telar_array out; /* one element; the identity for no elements */
} telar_reduce_desc;
TELAR_API void telar_record_reduce(telar_record *record, const telar_prim *prim, const telar_reduce_desc *desc);

#ifdef __cplusplus
}
#endif

#endif
