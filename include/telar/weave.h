/* SPDX-License-Identifier: MIT
 *
 * telar/weave.h: from a kernel that people write, and a plan, to complete WGSL.
 *
 *   Element function   fn element(i: u32) (vec2u for 2-D, vec3u for 3-D domains) without an entry point. Weaving adds the
 *                      entry point telar_main around it: index, guard, items, fold, stride, window, count.
 *   Ordinary kernel    any @compute entry point. It is passed through as it is where the dispatch fits the device, and
 *                      folded where it does not: its entry point takes the ids of the folded launch and computes from
 *                      them, at its top and under its own names, those of the unfolded one.
 *
 * The text between is the user's, untouched, except that a windowed binding's access s[i] becomes
 * s[i - telar_launch.base]. All that is added begins with telar_ and lives in the first free group of the four that
 * every device grants, or at free numbers of the last one. It relies on u32, vec2u, vec3u and all: a source that
 * declares these names otherwise is refused (UNSUPPORTED).
 *
 * Example
 *     telar_weave_desc desc = {.module = module, .plan = &plan, .dialect = telar_dialect_portable()};
 *     telar_woven woven;
 *     if (telar_weave(&desc, &arena, &woven, &diag) == TELAR_OK) puts(woven.kernel.wgsl);
 */
#ifndef TELAR_WEAVE_H
#define TELAR_WEAVE_H

#include <telar/base.h>
#include <telar/plan.h>
#include <telar/wgsl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What an implementation takes. Found by probe (host.h), or one of the sets below. */
typedef enum telar_subgroup_dialect {
    TELAR_SUBGROUPS_NONE = 0,
    TELAR_SUBGROUPS_ENABLE = 1, /* after `enable subgroups;` (Tint) */
    TELAR_SUBGROUPS_BARE = 2,   /* without, and the line is refused (naga) */
} telar_subgroup_dialect;

typedef struct telar_dialect {
    telar_subgroup_dialect subgroups;
    bool f16;
    bool immediates; /* var<immediate>; needs maxImmediateSize >= 32 */
    bool subgroup_id;
    bool subgroup_barrier; /* subgroupBarrier(), which WGSL has not yet */
    bool linear_indexing;
    bool pointer_parameters; /* to storage and workgroup memory */
    bool requires_lines;     /* `requires` directives are taken; else they are left out of what is printed */
} telar_dialect;

/* The common part of all: no extension. */
TELAR_API telar_dialect telar_dialect_portable(void);
TELAR_API telar_dialect telar_dialect_tint(void);
TELAR_API telar_dialect telar_dialect_naga(void);

typedef enum telar_binding_space {
    TELAR_BINDING_UNIFORM = 0,
    TELAR_BINDING_STORAGE_READ = 1,
    TELAR_BINDING_STORAGE_READ_WRITE = 2,
} telar_binding_space;

typedef struct telar_binding {
    const char *name; /* of the WGSL variable, zero-terminated */
    uint32_t group;
    uint32_t binding;
    telar_binding_space space;
    uint32_t element_bytes; /* stride of its outermost array; 0 when it is no array */
    uint64_t min_bytes;     /* smallest range that may be bound */
    bool windowed;          /* cut along the domain: element i of the domain is element i of the array */
} telar_binding;

/* How the parameter words of a dispatch reach the kernel. */
typedef enum telar_params_kind {
    TELAR_PARAMS_NONE = 0,
    TELAR_PARAMS_UNIFORM = 1, /* the host keeps a buffer for them, at params_group and params_binding */
    TELAR_PARAMS_IMMEDIATE = 2,
} telar_params_kind;

/* A kernel, ready for a recording. */
typedef struct telar_kernel_desc {
    const char *name; /* for people: of a woven kernel the user's function */
    const char *wgsl; /* zero-terminated */
    size_t wgsl_bytes;
    const char *entry;
    const telar_binding *bindings;
    uint32_t bindings_count;
    telar_params_kind params_kind;
    uint32_t params_group;
    uint32_t params_binding;
    uint32_t params_words;
    bool canary;  /* one of the bindings is telar_report, which a counted launch fills */
    bool trusted; /* leaves no array's bounds by itself: see telar_host_prepare_trusted */
    uint32_t workgroup_size[3];
    uint32_t workgroup_memory_bytes;
    /* Not in the text but set at pipeline creation (override); by @id, in decimal, where the text gives one, else by name.
     * telar_weave takes either and writes it so. */
    const telar_override *overrides;
    uint32_t overrides_count;
    const char *missing_override; /* used by the kernel, without a default, and not set: no pipeline; NULL: none */
} telar_kernel_desc;

typedef enum telar_weave_form {
    TELAR_FORM_ELEMENT = 0,
    TELAR_FORM_PLAIN = 1,  /* an ordinary kernel, untouched */
    TELAR_FORM_FOLDED = 2, /* an ordinary kernel under a fold */
} telar_weave_form;

typedef struct telar_weave_desc {
    const telar_wgsl *module;
    const char *element; /* name; NULL: "element" when there is such a function and no entry is named */
    const char *entry;   /* name; NULL: the only compute entry point */
    const telar_plan *plan;
    telar_dialect dialect;
    const telar_override *overrides;
    uint32_t overrides_count;
    bool
        counted; /* for telar_record_launch_counted: the launch block comes from a buffer, an ordinary kernel is folded */
    bool canary; /* the kernel marks in its count's report that it ran; with counted */
} telar_weave_desc;

typedef struct telar_woven {
    telar_kernel_desc kernel; /* all in the arena */
    telar_weave_form form;
} telar_woven;

/* What weave would need to know before a plan is made: which form the source has, what bounds a plan. */
typedef struct telar_weave_needs {
    telar_weave_form form;      /* ELEMENT or PLAIN */
    const char *name;           /* of the function, in the arena */
    uint32_t dimensions;        /* of the element function's index; 0: an ordinary kernel, any */
    uint32_t workgroup_size[3]; /* an ordinary kernel's own; {0} for an element function */
    uint32_t workgroup_memory_bytes;
    uint32_t bytes_per_element;         /* moved by one call, as far as the accesses [i] show; 0: not known */
    uint32_t binding_bytes_per_element; /* largest stride among the windowable bindings */
    const char *count_binding; /* the first array in (group, binding) order that is accessed at [i]; NULL: none */
    bool windowable;           /* the domain can be cut: an element function of one dimension */
    char why_not_windowable[256];
    char stays_whole[256]; /* names the first array that no window cuts, and its access; "" when there is none */
    bool foldable;
    char why_not_foldable[256];
} telar_weave_needs;

TELAR_API telar_status telar_weave_inspect(const telar_weave_desc *desc, telar_arena *arena, telar_weave_needs *needs,
                                           telar_diag *diag);

/* desc->plan must be a plan for these needs. Statuses: NOT_FOUND (no such function), INVALID_WGSL (a function of the
 * wrong form), NOT_FOLDABLE (why and what to change), UNSUPPORTED (a texture, a dialect without what the source uses),
 * NO_SPACE. */
TELAR_API telar_status telar_weave(const telar_weave_desc *desc, telar_arena *arena, telar_woven *woven,
                                   telar_diag *diag);

/* Words of the block telar_launch, the same for every woven kernel: count[3], groups, row_groups, rows, stride, base. */
#define TELAR_LAUNCH_WORDS 8
TELAR_API void telar_launch_params(const telar_plan *plan, const telar_window *window,
                                   uint32_t words[TELAR_LAUNCH_WORDS]);

#ifdef __cplusplus
}
#endif

#endif
