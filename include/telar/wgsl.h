/* SPDX-License-Identifier: MIT
 *
 * telar/wgsl.h: reads WGSL, prints it, and shows where an error is.
 *
 * Reading resolves names, types and constants too: what telar_wgsl_read returns is a module without errors, ready to be
 * reflected (bindings, sizes, entry points), woven and printed. It does not check what depends on a launch or a device.
 *
 * The reader takes the whole language as of the 2026 draft and the extensions of Tint and naga. It reads whole modules,
 * entry points of every stage, and sources without any (libraries, element functions).
 *
 * Ownership: a module lives in the caller's arena and points into the caller's source; both must outlive it. Nothing
 * has to be freed. A source may hold zero bytes or broken UTF-8: that is an error of the source, not of the caller.
 *
 * Errors: TELAR_INVALID_WGSL with line, column (bytes, from 1), offset and one sentence in the diag; TELAR_NO_SPACE when
 * the arena is too small (its `needed` says for how much); TELAR_OVERFLOWS above TELAR_WGSL_MAX_SOURCE_BYTES.
 *
 * Example
 *     telar_arena arena = telar_arena_make(memory, telar_wgsl_arena_bytes(length));
 *     telar_wgsl *module;
 *     telar_diag diag = {0};
 *     if (telar_wgsl_read(source, length, &arena, &module, &diag) != TELAR_OK) {
 *         char text[4096];
 *         telar_out out = {.data = text, .cap = sizeof text};
 *         telar_wgsl_caret("kernel.wgsl", source, length, &diag, &out);
 *         fputs(text, stderr);
 *     }
 */
#ifndef TELAR_WGSL_H
#define TELAR_WGSL_H

#include <telar/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Longest source that can be read: 1 GiB. */
#define TELAR_WGSL_MAX_SOURCE_BYTES ((size_t)1 << 30)

/* Errors reported by one read at most. */
#define TELAR_WGSL_MAX_REPORTS 32u

/* A module that was read. Opaque. */
typedef struct telar_wgsl telar_wgsl;

/* Called once for each error, in the order found. The diag is valid during the call only. */
typedef void telar_wgsl_report(void *user, const telar_diag *diag);

/* Bytes of arena with which a source of this size can be read. Sources that are denser than any that people write can
 * need more: then the read returns TELAR_NO_SPACE and succeeds with a larger arena. Saturates at SIZE_MAX. */
TELAR_API size_t telar_wgsl_arena_bytes(size_t source_bytes);

/* Reads a module into the arena. On failure *module is NULL, the arena is as before, and diag has the first error. */
TELAR_API telar_status telar_wgsl_read(const char *source, size_t source_bytes, telar_arena *arena, telar_wgsl **module,
                                       telar_diag *diag);

/* As telar_wgsl_read, and calls report for each error, the first included: after an error the reader goes on at the
 * next statement or declaration. At most TELAR_WGSL_MAX_REPORTS. */
TELAR_API telar_status telar_wgsl_read_report(const char *source, size_t source_bytes, telar_arena *arena,
                                              telar_wgsl_report *report, void *user, telar_wgsl **module,
                                              telar_diag *diag);

/* Writes the module as canonical text: one statement a line, four spaces a level, no comments. The text has the same
 * meaning, and reading and printing it again gives the same bytes. TELAR_NO_SPACE when it did not fit (out->len says
 * how much it takes). */
TELAR_API telar_status telar_wgsl_print(const telar_wgsl *module, telar_out *out, telar_diag *diag);

/* Writes an error of this source as three lines:
 *     kernel.wgsl:3:10: error: expected ';' after 'return', found '}'
 *     return x }
 *              ^
 * The caret stands under the place as a terminal shows it: tabs are repeated before it, East Asian characters take two
 * columns, combining ones none. Control characters and broken UTF-8 are shown as '?'; a long line is cut around the
 * caret. file is zero-terminated. A diag without a line, or with an offset beyond the source, gives the first line only.
 * TELAR_NO_SPACE when it did not fit. */
TELAR_API telar_status telar_wgsl_caret(const char *file, const char *source, size_t source_bytes,
                                        const telar_diag *diag, telar_out *out);

/* ---- Reflection -------------------------------------------------------------------------------------------------- */

typedef enum telar_wgsl_stage {
    TELAR_WGSL_VERTEX = 1,
    TELAR_WGSL_FRAGMENT = 2,
    TELAR_WGSL_COMPUTE = 3,
    TELAR_WGSL_OTHER_STAGE = 4, /* mesh, task, ray tracing */
} telar_wgsl_stage;

typedef enum telar_wgsl_space {
    TELAR_WGSL_UNIFORM = 1,
    TELAR_WGSL_STORAGE = 2,
    TELAR_WGSL_HANDLE = 3, /* textures, samplers, and arrays of bindings */
    TELAR_WGSL_OTHER_SPACE = 4,
} telar_wgsl_space;

typedef enum telar_wgsl_access {
    TELAR_WGSL_READ = 1,
    TELAR_WGSL_WRITE = 2,
    TELAR_WGSL_READ_WRITE = 3,
} telar_wgsl_access;

/* A value given to an override when the pipeline is made. */
typedef struct telar_override {
    const char *name; /* or its @id, as decimal text */
    double value;
} telar_override;

/* A variable of the module with @group and @binding. Texts are zero-terminated and live in the arena. */
typedef struct telar_wgsl_binding {
    const char *name;
    uint32_t group;   /* UINT32_MAX when the attribute is absent */
    uint32_t binding; /* likewise */
    telar_wgsl_space space;
    telar_wgsl_access access; /* of a storage texture its own, of other handles READ */
    const char *type;         /* as WGSL writes it: "array<vec4<f32>>" */
    uint64_t min_bytes; /* the least that may be bound: a runtime-sized array counts as one element; 0: a handle */
    /* The outermost array: the whole type, or the last member when that is a runtime-sized array. */
    uint64_t array_offset;    /* bytes before its first element */
    uint64_t array_count;     /* elements; 0 when runtime-sized, or when there is no array */
    uint32_t array_stride;    /* bytes from element to element; 0 when there is no array */
    const char *element_type; /* NULL when there is no array */
    uint32_t element_bytes;   /* size of an element without the padding of its stride */
    bool has_atomics;
    /* False: a uniform variable that only implementations with uniform_buffer_standard_layout take, since an array's
     * stride or a structure's place is no multiple of 16; misfit_offset is where. */
    bool fits_uniform_layout;
    uint64_t misfit_offset;
} telar_wgsl_binding;

typedef struct telar_wgsl_override {
    const char *name;
    uint32_t id; /* UINT32_MAX without @id: then the name is the key */
    const char *type;
    bool has_default;
    bool has_value; /* given by the caller, or by a default that could be evaluated */
    double value;
} telar_wgsl_override;

typedef struct telar_wgsl_entry {
    const char *name;
    telar_wgsl_stage stage;
    /* A compute entry point's size, 1 where it is not written, for the override values given; 0 where it depends on an
     * override without a value. {0} in other stages. */
    uint32_t workgroup_size[3];
    bool size_by_override; /* some axis depends on an override */
    /* The first override that these functions name and that has neither a default nor a value; NULL: none. */
    const char *missing_override;
    /* What it and the functions that it calls, directly or not, use, in the order of (group, binding). */
    const telar_wgsl_binding *const *bindings;
    uint32_t bindings_count;
    const char *const *builtins; /* built-in values among its parameters and their members: "global_invocation_id" */
    uint32_t builtins_count;
    uint64_t workgroup_bytes; /* of its workgroup variables, each rounded up to 16, as WebGPU counts them; those whose
                                * size depends on an override without a value are left out */
    uint64_t immediate_bytes; /* of var<immediate> */
    uint32_t barriers_count;  /* calls of barriers in the text of all these functions */
    uint32_t functions_count; /* these functions, itself included */
    bool uses_subgroups;      /* built-in functions of subgroups or quads */
    bool uses_atomics;
    bool uses_derivatives;
} telar_wgsl_entry;

typedef struct telar_wgsl_reflection {
    const telar_wgsl_entry *entries; /* in source order, as the rest */
    uint32_t entries_count;
    const telar_wgsl_binding *bindings; /* all of the module, used or not */
    uint32_t bindings_count;
    const telar_wgsl_override *overrides;
    uint32_t overrides_count;
    const char *const *enables; /* words of the enable directives */
    uint32_t enables_count;
    const char *const *required; /* words of the requires directives */
    uint32_t required_count;
} telar_wgsl_reflection;

/* What a host must know of a module. overrides gives values to overrides for the sizes that depend on them; the rest
 * keep their defaults. All is in the arena; *reflection is zeroed on failure. Statuses: NOT_FOUND (no override of this
 * name or id), INVALID_ARGUMENT (a value that its type does not have), INVALID_WGSL (a size that comes out as 0 or not
 * at all, for these values), NO_SPACE. */
TELAR_API telar_status telar_wgsl_reflect(const telar_wgsl *module, const telar_override *overrides,
                                          uint32_t overrides_count, telar_arena *arena,
                                          telar_wgsl_reflection *reflection, telar_diag *diag);

/* The entry point of this name, NULL when there is none. */
TELAR_API const telar_wgsl_entry *telar_wgsl_find_entry(const telar_wgsl_reflection *reflection, const char *name);

#ifdef __cplusplus
}
#endif

#endif
