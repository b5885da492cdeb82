/* SPDX-License-Identifier: MIT
 *
 * Writing ops: what the files that build recordings share. */
#ifndef TL_RECORD_BUILDER_H
#define TL_RECORD_BUILDER_H

#include "record/reader.h"

void tl_put_u32(telar_record *record, uint32_t word);
void tl_put_u64(telar_record *record, uint64_t value);
void tl_put_bind(telar_record *record, const telar_bind *bind);
size_t tl_begin_op(telar_record *record, tl_op_code code);
void tl_end_op(telar_record *record, size_t start);

/* Keeps the first failure. */
void tl_record_fail(telar_record *record, const char *format, ...) TL_PRINTF(2, 3);
/* The same with the status and numbers of another diag. */
void tl_record_fail_as(telar_record *record, const telar_diag *numbers, const char *format, ...) TL_PRINTF(3, 4);
/* Whether binding k is the report that a canary writes: the launch binds it itself. */
bool tl_is_report(const telar_kernel_desc *desc, uint32_t k);
/* The bind for binding k of a launch, by name or by order. */
const telar_bind *tl_bind_for(const telar_kernel_desc *desc, uint32_t k, const telar_bind *binds, uint32_t binds_count);
/* False, with a failure kept, when a launch over `elements` lacks a bind, has one too many, or one that is too short. */
bool tl_can_launch(telar_record *record, const telar_kernel_desc *desc, uint64_t elements, const telar_bind *binds,
                   uint32_t binds_count);
/* False, with a failure kept, when the kernel or a buffer is not of this recording. */
bool tl_can_dispatch(telar_record *record, telar_kernel kernel, const telar_bind *binds, uint32_t binds_count);

#endif
