/* SPDX-License-Identifier: MIT
 *
 * For the leak sanitizer, in programs that open devices: libraries stay loaded to the end. A Vulkan driver that is unloaded
 * before leaves its caches behind, and nothing tells any more whose they are, so that lsan.supp could not name them.
 * Leaks of ours are found as before. */
__attribute__((visibility("default"))) int dlclose(void *handle);

int dlclose(void *handle)
{
    (void)handle;
    return 0;
}
