#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Writes src/wgsl/lex_tables.inl: the words of WGSL with a hash that has no collisions among them, and the code points
# that identifiers may have (XID_Start, XID_Continue of Unicode 14, the version that WGSL names).
# Use: python3 tools/wgsl_tables.py > src/wgsl/lex_tables.inl (Python 3.11, whose unicodedata is that version).
import random
import sys
import unicodedata

KEYWORDS = """alias break case const const_assert continue continuing default diagnostic discard else enable false fn
for if let loop override requires return struct switch true var while""".split()

RESERVED = """NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become cast catch
class co_await co_return co_yield coherent column_major common compile compile_fragment concept const_cast consteval
constexpr constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends
extern external fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements import
inline instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut mutable namespace new
nil noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator package packoffset
partial pass patch pixelfragment precise precision premerge priv protected pub public readonly ref regardless register
reinterpret_cast require resource restrict self set shared sizeof smooth snorm static static_assert static_cast std
subroutine super target template this thread_local throw trait try type typedef typeid typename typeof union unless
unorm unsafe unsized use using varying virtual volatile wgsl where with writeonly yield""".split()

SLOTS = 2048


def hash_of(word, factors):
    n = len(word)
    parts = (n, word[0], word[1], word[n // 2], word[n - 1])
    return sum(f * p for f, p in zip(factors, parts)) % SLOTS


def find_factors(words):
    numbers = random.Random(1)
    while True:
        factors = [numbers.randrange(1, SLOTS) for _ in range(5)]
        seen = set()
        for word in words:
            seen.add(hash_of(word, factors))
        if len(seen) == len(words):
            return factors


def print_numbers(numbers, width):
    numbers = [str(n) for n in numbers]
    for i in range(0, len(numbers), width):
        print("    " + ", ".join(numbers[i:i + width]) + ",")


def print_words():
    words = sorted(KEYWORDS + RESERVED)
    factors = find_factors([w.encode() for w in words])
    print("static const uint32_t word_factors[5] = {%s};\n" % ", ".join(map(str, factors)))
    print("static const struct word words[] = {\n    {\"\", 0, 0},")
    for word in words:
        kind = word.upper() if word in KEYWORDS else "RESERVED"
        print("    {\"%s\", %d, TL_TOKEN_%s}," % (word, len(word), kind))
    print("};\n")
    slots = [0] * SLOTS
    for i, word in enumerate(words):
        slots[hash_of(word.encode(), factors)] = i + 1
    print("static const uint8_t word_slots[%d] = {" % SLOTS)
    print_numbers(slots, 24)
    print("};\n")


def print_ranges(name, member):
    edges, inside = [], False
    for code in range(0x80, 0x110001):
        now = code <= 0x10FFFF and member(chr(code))
        if now != inside:
            edges.append(code)
            inside = now
    print("static const uint32_t %s[%d] = {" % (name, len(edges)))
    print_numbers(["0x%X" % e for e in edges], 11)
    print("};")


def main():
    assert unicodedata.unidata_version == "14.0.0", unicodedata.unidata_version
    start = str.isidentifier
    print("/* SPDX-License-Identifier: MIT\n *\n * Written by tools/wgsl_tables.py: do not edit. */\n")
    print_words()
    print("/* Code points from 0x80 on: inside from each even entry to the next odd one. */")
    print_ranges("xid_start_edges", start)
    print("\n/* What may follow in an identifier but not start it. */")
    print_ranges("xid_only_continue_edges", lambda c: not start(c) and ("a" + c).isidentifier())


if __name__ == "__main__":
    sys.exit(main())
