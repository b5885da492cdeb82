/* SPDX-License-Identifier: MIT
 *
 * The bound buffers of a recording, and what a replay binds to them and writes from them. */
#ifndef TL_CLI_REPLAY_DATA_H
#define TL_CLI_REPLAY_DATA_H

#include "recording_file.h"
#include "run_launch.h"

typedef struct tl_replay_options {
    tl_texts binds;
    tl_texts outs;
} tl_replay_options;
extern const tl_option_group tl_replay_data_group;

typedef struct tl_replayed {
    char *name; /* "" where it has none */
    uint32_t id;
    uint64_t recorded_bytes;
    uint64_t buffer_bytes; /* as many at least */
    const char *source;    /* of --bind; NULL: zeros */
    tl_array array;
    tl_slot slot;
    tl_layout layout;
    const char *out;
    tl_output output;
    WGPUBuffer handle;
} tl_replayed;

typedef struct tl_replay_data {
    tl_replayed *items;
    uint32_t count;
} tl_replay_data;

/* Lists the bound buffers, opens the sources and checks them against the sizes recorded, begins the outputs. */
telar_status tl_replay_open(const tl_replay_options *options, telar_recording recording, tl_replay_data *data,
                            telar_diag *diag);
void tl_replay_close(tl_replay_data *data);
/* The only buffer of that name; NULL: there is none, or several. */
tl_replayed *tl_replay_find(const tl_replay_data *data, const char *name);

#endif
