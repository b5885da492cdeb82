/* SPDX-License-Identifier: MIT
 *
 * The op table of recordings: OP(number, NAME, name, fields). Builder, reader and dump expand it, and so will the
 * browser host. Numbers are pinned. Fields, in the order of their words:
 *   U32(name) one word    U64(name) two words, low first    BUFFER(name) KERNEL(name) an id
 *   TEXT(name)  a byte count, then UTF-8 padded with zeros to a word     BYTES(name)  the same for data
 *   WORDS(name) a word count, then words
 *   BINDINGS(name) a count, then 8 words each: group, binding, space, element bytes, min bytes (U64), windowed, 0;
 *                  after all of them one TEXT each: their names
 *   BINDS(name) a count, then 5 words each: buffer id, offset (U64), size (U64)
 *   OVERRIDES(name) a count, then for each a TEXT and a U64 (the bits of a double) */
OP(1, BUFFER, buffer, U32(use) U64(size_bytes) TEXT(name))
OP(2, KERNEL, kernel,
   U32(size_x) U32(size_y) U32(size_z) U32(memory_bytes) U32(params_kind) U32(params_group) U32(params_binding)
   U32(params_words) U32(trusted) BINDINGS(bindings) OVERRIDES(overrides) TEXT(name) TEXT(entry) TEXT(wgsl))
OP(3, DISPATCH, dispatch, KERNEL(kernel) U32(x) U32(y) U32(z) WORDS(params) BINDS(binds))
OP(4, COPY, copy, BUFFER(from) U64(from_bytes) BUFFER(to) U64(to_bytes) U64(size_bytes))
OP(5, CLEAR, clear, BUFFER(buffer) U64(offset_bytes) U64(size_bytes))
OP(6, UPLOAD, upload, BUFFER(buffer) U64(offset_bytes) BYTES(data))
OP(7, DOWNLOAD, download, BUFFER(buffer) U64(offset_bytes) U64(size_bytes))
OP(8, MARK, mark, TEXT(name))
/* A dispatch that a count on the GPU decides. `launch` holds at launch_bytes what the prepare kernel wrote: the launch
 * block (8 words, the kernel's uniform parameters), then x, y, z. */
OP(9, DISPATCH_COUNTED, dispatch_counted, KERNEL(kernel) BUFFER(launch) U64(launch_bytes) BINDS(binds))
