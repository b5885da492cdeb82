#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A companion (bench/harness/bench.h) that solves the problems by NumPy, on the CPU: "measure N PROBLEM" lines in,
"ns TIME [DIGEST]" lines out. A time is the least of as many calls as fit in half a second."""
import sys
import time

import numpy as np

BUDGET_S = 0.5


def hashed(n):
    """As bench_hash of bench/harness/fills.c."""
    x = np.arange(n, dtype=np.uint32) * np.uint32(2654435761)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        x ^= x >> np.uint32(shift)
        x *= np.uint32(factor)
    return x ^ x >> np.uint32(16)


def unit(n):
    return (hashed(n) >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)


def runs(n):
    return np.cumsum(hashed(n) % np.uint32(100) == 0, dtype=np.uint32)


def segment_sums(average):
    def made(n):
        s, places = hashed(n), np.arange(-(-n // average))
        begins = np.minimum(places * average + (hashed(places.size) % np.uint32(average)).astype(np.int64), n)
        begins[0] = 0
        if begins[-1] == n:
            raise ValueError("NumPy has no sum of an empty segment at the end")
        return lambda: (np.add.reduceat(s, begins, dtype=np.uint32),)
    return made


def scan(n):
    s, d = hashed(n), np.zeros(n, np.uint32)
    return lambda: (np.cumsum(s[:-1], out=d[1:], dtype=np.uint32), (d,))[1]


def scan_by_key(n):
    keys, s = runs(n), hashed(n)

    def call():
        sums = np.cumsum(s, dtype=np.uint32) - s
        heads = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        return (sums - np.repeat(sums[heads], np.diff(heads, append=n)),)
    return call


def reduce_by_key(n):
    keys, s = runs(n), hashed(n)

    def call():
        heads = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        return keys[heads], np.add.reduceat(s, heads, dtype=np.uint32), np.array([heads.size], np.uint32)
    return call


def select(n):
    s = hashed(n)

    def call():
        d = s[(s & np.uint32(1)).astype(bool)]
        return d, np.array([d.size], np.uint32)
    return call


def sort_pairs(n):
    keys = hashed(n)

    def call():
        order = np.argsort(keys, kind="stable")
        return keys[order], order.astype(np.uint32)
    return call


def simple(make, call):
    """A call over one array."""
    def made(n):
        s = make(n)
        return lambda: (call(s),)
    return made


def scalar(value):
    return np.array([value])


# The last: whether the result is exact, so that it has a digest.
PROBLEMS = {
    "copy u32": (simple(hashed, np.copy), True),
    "map f32": (simple(unit, lambda s: s * np.float32(0.99)), True),
    "reduce sum u32": (simple(hashed, lambda s: scalar(s.sum(dtype=np.uint32))), True),
    "reduce sum f32": (simple(unit, lambda s: scalar(s.sum(dtype=np.float32))), False),
    "reduce min f32": (simple(unit, lambda s: scalar(s.min())), True),
    "reduce arg-min u32": (simple(hashed, lambda s: scalar(s.argmin())), True),
    "reduce arg-min f32": (simple(unit, lambda s: scalar(s.argmin())), True),
    "reduce by key u32": (reduce_by_key, True),
    "reduce segments of 10 u32": (segment_sums(10), True),
    "reduce segments of 100 u32": (segment_sums(100), True),
    "reduce segments of 10000 u32": (segment_sums(10000), True),
    "scan exclusive u32": (scan, True),
    "scan exclusive by key u32": (scan_by_key, True),
    "select odd u32": (select, True),
    "histogram 256 u32": (simple(lambda n: hashed(n) & np.uint32(255), lambda s: np.bincount(s, minlength=256)), True),
    "histogram 256 u8": (simple(lambda n: hashed(n // 4).view(np.uint8), lambda s: np.bincount(s, minlength=256)), True),
    "sort keys u32": (simple(hashed, np.sort), True),
    "sort pairs u32": (sort_pairs, True),
}


def digest(outputs):
    """The sum of words[k] * (2k + 1) over all outputs, modulo 2^64."""
    total, place = 0, 0
    for output in outputs:
        words = output.view(np.uint32) if output.dtype == np.float32 else output
        for first in range(0, words.size, 1 << 22):
            part = words[first:first + (1 << 22)].astype(np.uint64)
            factors = np.arange(part.size, dtype=np.uint64) * np.uint64(2) + np.uint64(2 * place + 1)
            total += int(np.sum(part * factors, dtype=np.uint64))
            place += part.size
    return total & (1 << 64) - 1


def measure(call):
    least, left = float("inf"), BUDGET_S
    while left > 0:
        start = time.perf_counter()
        outputs = call()
        took = time.perf_counter() - start
        least, left = min(least, took), left - took
    return least * 1e9, outputs


class Companion:
    """Keeps the latest problem's data."""

    def __init__(self):
        self.task, self.call = None, None

    def answer(self, n, problem):
        if problem not in PROBLEMS:
            return "unsupported no such problem here"
        make, exact = PROBLEMS[problem]
        if self.task != (n, problem):
            self.call, self.task = make(n), (n, problem)
        ns, outputs = measure(self.call)
        return f"ns {ns:.1f} {digest(outputs):x}" if exact else f"ns {ns:.1f}"


def main():
    companion = Companion()
    for line in sys.stdin:
        try:
            _, n, problem = line.rstrip("\n").split(" ", 2)
            text = companion.answer(int(n), problem)
        except Exception as error:  # whatever it is, the bench wants an answer
            text = f"failed {error!r}"
        print(text, flush=True)


main()
