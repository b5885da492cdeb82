/* SPDX-License-Identifier: MIT
 *
 * What the host needs of the operating system: shared libraries, a clock, sleep, the environment. */
#include "host/host.h"

#include <stdlib.h>

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

void *tl_library_open(const char *path)
{
    return (void *)LoadLibraryA(path);
}

void *tl_library_symbol(void *library, const char *name)
{
    return (void *)GetProcAddress((HMODULE)library, name);
}

void tl_library_close(void *library)
{
    FreeLibrary((HMODULE)library);
}

const char *tl_library_error(void)
{
    return "the system's loader refused it";
}

uint64_t tl_now_ns(void)
{
    LARGE_INTEGER now, second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&second);
    uint64_t ticks = (uint64_t)now.QuadPart, rate = (uint64_t)second.QuadPart;
    return ticks / rate * 1000000000u + ticks % rate * 1000000000u / rate;
}

void tl_yield(void)
{
    SwitchToThread();
}

void tl_sleep_ns(uint64_t ns)
{
    Sleep((DWORD)(ns / 1000000u));
}

#else

#include <dlfcn.h>
#include <sched.h>
#include <time.h>

void *tl_library_open(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

void *tl_library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

void tl_library_close(void *library)
{
    dlclose(library);
}

const char *tl_library_error(void)
{
    const char *text = dlerror();
    return text != NULL ? text : "unknown reason";
}

uint64_t tl_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void tl_yield(void)
{
    sched_yield();
}

void tl_sleep_ns(uint64_t ns)
{
    struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    nanosleep(&time, NULL);
}

#endif

const char *tl_environment(const char *name)
{
    return getenv(name);
}
