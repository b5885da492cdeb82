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

/* ---- map and what is made like it ----------------------------------------------------------------------------------
 * Each is one dispatch (a window), planned by the criterion for the bytes it moves. In the WGSL of these, `i` is the
 * element's index in the whole array, a u32: with more than 2^32 elements it wraps.
 *
 * In place: `out` may be exactly the same array as an input that is read only at [i]. Other arrays of the same buffer
 * may be used where their bindings, which begin at multiples of 256 bytes, do not overlap. */

#define TELAR_MAP_INPUTS_MAX 4

typedef struct telar_map_input {
    telar_array array;
    telar_type type;
} telar_map_input;

/* out[i] = expression(x, a, b, c, i), where `where` holds; elsewhere out[i] stays as it is. */
typedef struct telar_map_desc {
    telar_length length;
    telar_map_input inputs[TELAR_MAP_INPUTS_MAX]; /* x, a, b, c */
    uint32_t inputs_count;                        /* 0: the expression is of i alone */
    const char *expression;                       /* of the output's type: "x * 0.99f + a" */
    const char *where;                            /* a condition on the same; NULL: everywhere */
    const char *wgsl;                             /* functions that these call; NULL: none */
    telar_array out;
    telar_type out_type;
} telar_map_desc;
TELAR_API void telar_record_map(telar_record *record, const telar_prim *prim, const telar_map_desc *desc);

/* out[i] = value, a WGSL expression without i. */
typedef struct telar_fill_desc {
    telar_length length;
    telar_type type;
    const char *value; /* NULL: the type's zero value */
    telar_array out;
} telar_fill_desc;
TELAR_API void telar_record_fill(telar_record *record, const telar_prim *prim, const telar_fill_desc *desc);

/* out[i] = first + i * step, in the type's arithmetic (u32, i32, f32). */
typedef struct telar_iota_desc {
    telar_length length;
    telar_type type;
    const char *first; /* WGSL; NULL: 0 */
    const char *step;  /* NULL: 1 */
    telar_array out;
} telar_iota_desc;
TELAR_API void telar_record_iota(telar_record *record, const telar_prim *prim, const telar_iota_desc *desc);

/* Gather: out[i] = in[index[i]]; the zero value where index[i] >= in_count. Scatter: out[index[i]] = in[i], dropped where
 * index[i] >= out_count; of several with the same index any one stays. The array that is reached through the index is at
 * most one binding long. */
typedef struct telar_gather_desc {
    telar_length length; /* of index and out */
    telar_type type;
    telar_array in;
    uint64_t in_count;
    telar_array index; /* u32 */
    telar_array out;
} telar_gather_desc;
TELAR_API void telar_record_gather(telar_record *record, const telar_prim *prim, const telar_gather_desc *desc);

typedef struct telar_scatter_desc {
    telar_length length; /* of index and in */
    telar_type type;
    telar_array in;
    telar_array index; /* u32 */
    telar_array out;
    uint64_t out_count;
} telar_scatter_desc;
TELAR_API void telar_record_scatter(telar_record *record, const telar_prim *prim, const telar_scatter_desc *desc);

/* out[i * out_stride] = in[i * in_stride]; strides in elements, 0: 1. Both arrays are at most one binding long where
 * their stride is above 1. */
typedef struct telar_stride_copy_desc {
    telar_length length;
    telar_type type;
    telar_array in;
    uint32_t in_stride;
    telar_array out;
    uint32_t out_stride;
} telar_stride_copy_desc;
TELAR_API void telar_record_stride_copy(telar_record *record, const telar_prim *prim,
                                        const telar_stride_copy_desc *desc);

/* out[0] = in[0], out[i] = expression(x = in[i], before = in[i - 1]). Not in place; at most one binding long. */
typedef struct telar_adjacent_difference_desc {
    telar_length length;
    telar_type type;
    const char *expression; /* NULL: x - before */
    const char *wgsl;
    telar_array in;
    telar_array out;
} telar_adjacent_difference_desc;
TELAR_API void telar_record_adjacent_difference(telar_record *record, const telar_prim *prim,
                                                const telar_adjacent_difference_desc *desc);

/* Random numbers by Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011):
 * out[4 k + j] is word j of philox(counter + k, key), so that the same seed gives the same numbers on every device and in
 * every order. f32: the upper 24 bits of each word, in [0, 1). */
typedef struct telar_generate_desc {
    telar_length length;
    telar_type type;     /* u32, i32 (the same bits) or f32 */
    uint64_t seed;       /* the key, low word first */
    uint64_t counter[2]; /* the first counter, low half first */
    telar_array out;
} telar_generate_desc;
TELAR_API void telar_record_generate(telar_record *record, const telar_prim *prim, const telar_generate_desc *desc);

/* ---- reduce --------------------------------------------------------------------------------------------------------
 * What the elements are reduced to. x is an element, i its index in the whole array (a u32: it wraps past 2^32), and
 * `expression` what stands for them.
 *
 *     kind                 result                                              of no elements
 *     OPERATOR             all combined by `op`                                the identity
 *     ANY, ALL, COUNT      u32: 1 or 0, or for how many the condition          0, 1, 0
 *                          `expression` holds
 *     ARG_MIN, ARG_MAX     u32: the index of the least or greatest, the        0xffffffff
 *                          first of equal ones; `value` is also given it
 *     MIN_MAX              two: the least, the greatest                        as MIN and MAX
 *     MEAN_VARIANCE        two f32: the mean, the variance (the mean square    0, 0
 *                          of distances from it)
 *
 * Floats    Sums and products of f16 are f32 until they are stored. The order of all operations depends on the length
 *           and the device alone: the same bits on every run. A sum of f32 may be `compensated`: it is then as good as
 *           one of twice the precision, rounded once.
 * NaN       Sums, products, means: as arithmetic has it. MIN, MAX, MIN_MAX, ARG_MIN, ARG_MAX leave NaNs out, as if they
 *           were not there; -0 is less than 0. MIN of none is infinity, MAX of none -infinity.
 * Integers  wrap. */
typedef enum telar_reduction_kind {
    TELAR_REDUCE_OPERATOR = 0,
    TELAR_REDUCE_ANY = 1,
    TELAR_REDUCE_ALL = 2,
    TELAR_REDUCE_COUNT = 3,
    TELAR_REDUCE_ARG_MIN = 4,
    TELAR_REDUCE_ARG_MAX = 5,
    TELAR_REDUCE_MIN_MAX = 6,
    TELAR_REDUCE_MEAN_VARIANCE = 7,
} telar_reduction_kind;

/* Zero: the sum of the elements. */
typedef struct telar_reduction {
    telar_reduction_kind kind;
    telar_operator op;      /* of OPERATOR: of the expression's type */
    const char *expression; /* of x and i: "x * x"; NULL: x */
    telar_type type;        /* of the expression; zero: the elements' */
    const char *wgsl;       /* functions that it calls; NULL: none */
    bool compensated;       /* a sum of f32, or of its vectors */
} telar_reduction;

/* Dispatches: 1 where the length fits a few tiles, or where the device lets workgroups wait for others (FORWARD_PROGRESS);
 * else 2. A count on the GPU: at most 3. Lengths above one binding: one more a binding. The result may not stand in the
 * bindings of `in`, which begin at multiples of 256 bytes. Vectors and structures are for OPERATOR; vectors also for MIN_MAX. */
typedef struct telar_reduce_desc {
    telar_length length;
    telar_type type;
    telar_reduction reduction;
    telar_array in;
    telar_array out;
    telar_array value; /* of ARG_MIN, ARG_MAX, in the expression's type; buffer 0: not wanted */
} telar_reduce_desc;
TELAR_API void telar_record_reduce(telar_record *record, const telar_prim *prim, const telar_reduce_desc *desc);

/* Every segment by itself: out[s] is what in[offsets[s]] to in[offsets[s + 1] - 1] are reduced to. Segments may have any
 * length, none too (see the table above) and nearly all of the elements too: the work is divided by elements, not by
 * segments (on CPU adapters by segments, and long ones by elements). Indices are those of `in`. Elements before offsets[0]
 * belong to no segment.
 *
 * 2 dispatches; `in` and each other array fit one binding. offsets must not fall, else the results mean nothing. Not in
 * place. Order of operations and repeatability as for reduce. */
typedef struct telar_reduce_segments_desc {
    telar_length length; /* of segments; of their count on the GPU there is no report */
    telar_type type;
    telar_reduction reduction;
    telar_array in;
    uint64_t in_count;   /* elements of `in`; what offsets say beyond them is left out */
    telar_array offsets; /* u32, one more than segments */
    telar_array out;
    telar_array value; /* as above */
} telar_reduce_segments_desc;
TELAR_API void telar_record_reduce_segments(telar_record *record, const telar_prim *prim,
                                            const telar_reduce_segments_desc *desc);

/* Every run of equal neighbours among `keys` by itself: the k-th run's key goes to keys_out[k], what its elements of `in`
 * are reduced to goes to out[k], and how many runs there are to count[0], a u32. Room for as many as there are elements
 * is needed; what is behind the count stays as it is. Keys are numbers or vectors, equal as WGSL's == has it: -0 equals 0,
 * a NaN nothing, itself included.
 *
 * 3 dispatches, 1 more for a count on the GPU; each array fits one binding. Not in place. Order of operations and
 * repeatability as for reduce. */
typedef struct telar_reduce_by_key_desc {
    telar_length length;
    telar_type key_type;
    telar_array keys;
    telar_type type;
    telar_reduction reduction;
    telar_array in;
    telar_array keys_out; /* buffer 0: not wanted */
    telar_array out;
    telar_array value; /* as above */
    telar_array count;
} telar_reduce_by_key_desc;
TELAR_API void telar_record_reduce_by_key(telar_record *record, const telar_prim *prim,
                                          const telar_reduce_by_key_desc *desc);

/* ---- scan -------------------------------------------------------------------------------------------------------- */

/* How a scan is done. */
typedef enum telar_scan_way {
    TELAR_SCAN_AUTO = 0,
    /* Totals of tiles, their scan, the tiles: reads the data twice. The order of all operations depends on the length and
     * the device alone: the same bits on every run, also of f32. */
    TELAR_SCAN_DETERMINISTIC = 1,
    /* One dispatch, in which tiles wait for earlier ones. */
    TELAR_SCAN_LOOK_BACK = 2,
} telar_scan_way;

/* Where segments begin, each of which is scanned by itself; at most one of the three. */
typedef struct telar_segments {
    telar_array heads;      /* one u32 an element: not 0 where a segment begins */
    telar_array keys;       /* or a key an element: a segment is a run of equal ones (a NaN equals nothing) */
    telar_type key_type;    /* a number, or a vector of numbers */
    telar_array offsets;    /* or where segments begin: u32, in any order; those past the end do not matter */
    uint64_t offsets_count; /* known on the host */
} telar_segments;

/* out[i] = initial op in[0] op ... op in[i - 1], and op in[i] where it is inclusive; of segments, each from its own first
 * element. The operator is associative; it need not commute. Operators are those of reduce's OPERATOR, with its rules for
 * NaN, -0 and f16; besides, a -0 may become a 0, since the identity joins every sum.
 *
 * In place    `out` may be exactly the same array as `in`. Arrays of one buffer must not overlap otherwise.
 * Ways        AUTO takes LOOK_BACK where 32-bit integers are combined (u32, i32, and MIN and MAX of f32), the device lets
 *             waiting workgroups go on (FORWARD_PROGRESS), the length is known on the host and fits one binding, and it is
 *             not in place; else DETERMINISTIC. LOOK_BACK that cannot be had is UNSUPPORTED.
 * Dispatches  LOOK_BACK 1, DETERMINISTIC 3, what fits two tiles 1 in either way. Segments by offsets 2 more, a count on
 *             the GPU 1 more.
 * Scratch     LOOK_BACK: 8 bytes a tile, kept from run to run; DETERMINISTIC: a sum a tile; offsets: a bit an element.
 * Windows     Lengths above one binding are cut; not by keys or offsets (LIMIT_EXCEEDED). A count on the GPU: up to one
 *             binding.
 * Source      LOOK_BACK is the single pass of Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled
 *             Look-back" (2016), with tickets, so that it does not depend on the order in which workgroups begin, and
 *             with an exit: a tile that is waited for too long is added up by those who wait. */
typedef struct telar_scan_desc {
    telar_length length;
    telar_type type;
    telar_operator op;
    telar_array in;
    telar_array out;
    bool inclusive;
    const char *initial;      /* an expression of the type; NULL: the identity */
    telar_array initial_word; /* or one element on the GPU */
    telar_segments segments;  /* zero: all is one */
    telar_scan_way way;
} telar_scan_desc;
TELAR_API void telar_record_scan(telar_record *record, const telar_prim *prim, const telar_scan_desc *desc);
/* ---- select ------------------------------------------------------------------------------------------------------ */

/* How elements are found and placed. */
typedef enum telar_select_way {
    TELAR_SELECT_AUTO = 0,
    /* A bit an element and the counts of tiles, their sums, the placing: 3 dispatches, which read the data twice (where
     * few elements are kept the second time only those). */
    TELAR_SELECT_COUNTED = 1,
    /* One dispatch, in which tiles wait for earlier ones. */
    TELAR_SELECT_LOOK_BACK = 2,
} telar_select_way;

/* Keeps some elements, in their order. Exactly one of `where`, `flags` and `bits` says which.
 *
 *     where   an expression of x (the element) and i (its index, u32) that is a bool: "x > 0.0 && i % 2u == 0u"
 *     flags   a u32 an element; kept where it is not 0
 *     bits    a bit an element, the first in the lowest bit of a word
 *
 * `out` has room for `capacity` elements; what does not fit is counted, and not written. `indices` may ask for the index
 * of each kept element beside it, or instead of it (`out` without a buffer); then `in` may be without one too, unless
 * `where` uses x. `count` may be the telar_count of what follows.
 *
 * Not in place: what is written may not overlap what is read. Up to 2^32 - 1 elements, in windows; what is written must
 * fit one binding.
 * Ways: AUTO takes one workgroup for very few elements (1 dispatch); LOOK_BACK where the device lets waiting workgroups go
 * on (FORWARD_PROGRESS), the length is known on the host and fits one binding; else COUNTED. A count on the GPU: one dispatch more. All give
 * the same result. Scratch of COUNTED: 5 bits an element. */
typedef struct telar_select_desc {
    telar_length length;
    telar_type type;
    telar_array in;
    const char *where;
    const char *wgsl; /* declarations that `where` needs */
    telar_array flags;
    telar_array bits;
    telar_array out;
    uint64_t capacity; /* 0: the length */
    telar_array indices;
    telar_array count; /* one u32 */
    telar_select_way way;
} telar_select_desc;
TELAR_API void telar_record_select(telar_record *record, const telar_prim *prim, const telar_select_desc *desc);

/* ---- unique, run-length encode ----------------------------------------------------------------------------------- */

/* Keeps the first element of each run of equal ones; with `values` also its value (unique by key). Two NaN are not equal.
 * Places, ways, windows, scratch and dispatches: as select. */
typedef struct telar_unique_desc {
    telar_length length;
    telar_type type;
    telar_array in;
    const char *equal; /* an expression of a and b; NULL: a == b, of scalars and vectors */
    const char *wgsl;  /* declarations that it needs */
    telar_array out;
    telar_type value_type;
    telar_array values;
    telar_array values_out;
    uint64_t capacity; /* of out and values_out; 0: the length */
    telar_array count; /* one u32: runs */
} telar_unique_desc;
TELAR_API void telar_record_unique(telar_record *record, const telar_prim *prim, const telar_unique_desc *desc);

/* Each run as its first element and its length. One dispatch more than unique; scratch 4 bytes more an element. */
typedef struct telar_run_length_encode_desc {
    telar_length length;
    telar_type type;
    telar_array in;
    const char *equal; /* as unique's */
    const char *wgsl;
    telar_array out;     /* room for as many as the length, as all that follow */
    telar_array lengths; /* u32 */
    telar_array count;   /* one u32: runs */
} telar_run_length_encode_desc;
TELAR_API void telar_record_run_length_encode(telar_record *record, const telar_prim *prim,
                                              const telar_run_length_encode_desc *desc);

/* ---- partition --------------------------------------------------------------------------------------------------- */

/* All elements: those of which `first` holds, then those of which `second` does (where it is given), then the rest, each
 * part in its order. `first` and `second` are expressions of x and i, as select's. 3 dispatches. */
typedef struct telar_partition_desc {
    telar_length length;
    telar_type type;
    telar_array in;
    const char *first;
    const char *second; /* NULL: there are two parts */
    const char *wgsl;
    telar_array flags; /* instead of first: a u32 an element */
    telar_array out;
    telar_array counts; /* a u32 for each of first and second: the elements of its part */
} telar_partition_desc;
TELAR_API void telar_record_partition(telar_record *record, const telar_prim *prim, const telar_partition_desc *desc);

/* ---- find_if, lower_bound, upper_bound --------------------------------------------------------------------------- */

/* The index of the first element of which `where` (of x and i) holds; the length, where there is none. What stands behind
 * it is hardly read. Up to 2^32 - 1 elements, in windows. 2 dispatches. */
typedef struct telar_find_if_desc {
    telar_length length;
    telar_type type;
    telar_array in;
    const char *where;
    const char *wgsl;
    telar_array out; /* one u32 */
} telar_find_if_desc;
TELAR_API void telar_record_find_if(telar_record *record, const telar_prim *prim, const telar_find_if_desc *desc);

/* For each x of `in` a place among elements in order: how many are less than x (lower), or not greater (upper). Elements
 * in order fit one binding. Not in place. 1 dispatch. */
typedef struct telar_bound_desc {
    telar_length length;
    telar_type type;
    telar_array in;
    telar_array sorted;
    uint64_t sorted_count;
    bool upper;
    const char *less; /* an expression of a and b; NULL: a < b, of scalars */
    const char *wgsl;
    telar_array out; /* u32 */
} telar_bound_desc;
TELAR_API void telar_record_bound(telar_record *record, const telar_prim *prim, const telar_bound_desc *desc);

/* ---- histogram --------------------------------------------------------------------------------------------------- */

typedef enum telar_sample {
    TELAR_SAMPLE_U32 = 0,
    TELAR_SAMPLE_I32,
    TELAR_SAMPLE_F32,
    TELAR_SAMPLE_F16, /* two in a word, the first in the low half; needs no f16 of the device */
    TELAR_SAMPLE_U16,
    TELAR_SAMPLE_I16,
    TELAR_SAMPLE_U8, /* four in a word, the first in the low byte */
    TELAR_SAMPLE_I8,
} telar_sample;

#define TELAR_BINS_MAX 65536u

/* Counts samples into bins, of each channel on its own. Sums are modulo 2^32.
 *
 * Even bins   lower <= x < upper is cut into equal parts. For integers the bin of x is exactly
 *             floor((x - lower) * bins / (upper - lower)), whatever the numbers; lower and upper are whole, in the range of
 *             32-bit samples (upper may be one above it). For floats it is floor((x - lower) * (bins / (upper - lower))) in
 *             f32, at most bins - 1; lower and upper are rounded to f32. Both 0: from 0 to bins, x itself is the bin.
 * Edges       where edges are given: bin k takes edges[k] <= x < edges[k + 1]. They go up; of equal ones the last counts.
 * Dropped     samples outside of all bins, NaN too. -0 is 0. Halves below 2^-14 may count as 0.
 *
 * Whole words of `in` are read, also the last one's rest. No array may overlap another. Dispatches: 1 with `add`, or for
 * few samples (below about 2^23, on the host, bins of all channels up to 4096, no weights); else 2, one more for a count
 * on the GPU. Deterministic. Scratch: 4 bytes a bin. Each workgroup counts in its own memory, in one copy a lane while they fit;
 * counters beyond it are cut into ranges, or counted in `out` at once. */
typedef struct telar_histogram_desc {
    telar_length length; /* pixels: samples of each channel */
    telar_sample sample;
    uint32_t channels; /* interleaved, 1 to 4; 0: 1 */
    uint32_t bins;     /* of a channel, 2 to TELAR_BINS_MAX */
    double lower, upper;
    bool add; /* to what `out` holds; else it is replaced */
    telar_array in;
    telar_array
        edges; /* id 0: even bins; else bins + 1 of u32, i32 or f32, as samples are unsigned, signed or floats */
    telar_array weights; /* id 0: each counts 1; else a u32 a pixel */
    telar_array out;     /* u32: bins of channel 0, of channel 1, ... */
} telar_histogram_desc;
TELAR_API void telar_record_histogram(telar_record *record, const telar_prim *prim, const telar_histogram_desc *desc);

/* ---- sort -------------------------------------------------------------------------------------------------------- */

typedef enum telar_key {
    TELAR_KEY_U32 = 0,
    TELAR_KEY_I32,
    TELAR_KEY_F32,
    TELAR_KEY_U64, /* 64 bits are two words, the low one first, at a multiple of 8 bytes */
    TELAR_KEY_I64,
    TELAR_KEY_F64,
    TELAR_KEY_U16, /* 16 bits are packed, two in a word, the lower half first */
    TELAR_KEY_I16,
    TELAR_KEY_F16,
} telar_key;

/* Sorts keys, or pairs of a key and a value: radix sort, least digit first. It is stable, also when it descends: equal keys
 * stay in their order. No device needs f16 or 64-bit types for it.
 *
 * Floats are in the total order of IEEE 754: NaNs with a sign, -infinity, ..., -0, +0, ..., +infinity, NaNs without a sign,
 * each by its bits; none is changed. (CUB takes -0 and +0 for equal.) A part of the bits can be sorted by: bit 0 is the
 * lowest, signs and exponents of signed numbers and floats count as in their order.
 *
 * The arrays stand in four different buffers; `in` and `values_in` may share one, and stay as they are. Nothing is sorted in
 * place. One binding holds an array, or the call fails (LIMIT_EXCEEDED) with both numbers.
 *
 * Dispatches, of p passes (8 bits each; on a device of little workgroup memory 4): 1 where one workgroup can sort all (up to
 * 8192 elements, less by the device); 2 + p by look-back, where the device is known to let workgroups wait for each other;
 * else 3p. Keys of 16 bits take one more. Passes after the first in whose digit all keys agree return at once.
 * Scratch: as much as the elements once more, and about a tenth of it by look-back, a twentieth else.
 * Source: N. Satish, M. Harris, M. Garland, "Designing efficient sorting algorithms for manycore GPUs", IPDPS 2009; look-back:
 * A. Adinets, D. Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", 2022. */
typedef struct telar_sort_desc {
    telar_length length;
    telar_key key;
    bool descending;
    uint32_t begin_bit, end_bit; /* by these bits alone; end 0: to the highest */
    telar_array in;
    telar_array out;        /* no buffer: only values_out is wanted */
    telar_array values_in;  /* no buffer: the values are the indices of the keys (u32) */
    telar_array values_out; /* no buffer: keys alone */
    uint32_t value_bytes;   /* 4 or 8, of any type; 0: 4 */
} telar_sort_desc;
TELAR_API void telar_record_sort(telar_record *record, const telar_prim *prim, const telar_sort_desc *desc);

#ifdef __cplusplus
}
#endif

#endif
