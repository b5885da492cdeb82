#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: header_examples.py ROOT WEBGPU_INCLUDE COMPILER...

Compiles every example: the code after "Example" in the head comment of each public header, and every ```c block of the
documents. A header without an example is a fault. A block with an #include is a file of its own; any other is the body
of a function, with the variables of PREAMBLE at hand, which it may declare again.
"""
import pathlib
import re
import subprocess
import sys
import textwrap

PREAMBLE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define TELAR_WEBGPU_LINKED
#include <telar/host.h>
#include <telar/telar.h>
#include <telar/tune.h>

extern const char source[];
extern size_t length;
extern char memory[1 << 16];
extern uint64_t n;
extern telar_diag diag;
extern telar_facts facts;
extern telar_plan plan;
extern telar_arena arena;
extern telar_wgsl *module;
extern telar_woven woven;
extern telar_record record;
extern telar_buffer data, sum, sizes, offsets, rows, order, result, index, least, kept, count, image, bins;
extern uint64_t pixels;
extern telar_prim prim;
extern telar_recording recording;
extern telar_host *host;
extern telar_prepared *prepared;
extern WGPUInstance instance;
extern WGPUDevice device;
extern WGPUCommandEncoder encoder;

void example(void);
void example(void)
{
"""


def header_example(path):
    """(line, code) of a header's example; the code is None where a file is named instead."""
    lines = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        found = re.match(r"^ \* Example(?:: (\S+\.c)\b)?", line)
        if not found and line.endswith("*/"):
            return None  # the head comment is over
        if not found:
            continue
        if found[1]:
            return number, None if (path.parents[2] / found[1]).is_file() else f"#error {found[1]} does not exist"
        code = []
        for follower in lines[number:]:
            if not re.match(r"^ \*(     .*)?$", follower):
                break
            code.append(follower[2:])
        return number + 1, textwrap.dedent("\n".join(code))
    return None


def document_examples(path):
    lines = path.read_text(encoding="utf-8").split("\n")
    at = 0
    while at < len(lines):
        at += 1
        if lines[at - 1] == "```c":
            end = lines.index("```", at)
            yield at + 1, "\n".join(lines[at:end])
            at = end + 1


def compiles(path, number, code, command):
    place = f'\n#line {number} "{path}"\n'
    program = place + code if "#include" in code else PREAMBLE + place + code + "\n}\n"
    done = subprocess.run([*command, "-"], input=program, text=True, encoding="utf-8", check=False)
    return done.returncode == 0


def main():
    root, webgpu, compiler = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    command = [*compiler, "-x", "c", "-std=c11", "-Wall", "-Werror", "-fsyntax-only", f"-I{root / 'include'}",
               "-idirafter", webgpu]
    count, faults = 0, 0
    for path in sorted(root.glob("include/telar/*.h")):
        example = header_example(path)
        if example is None:
            print(f"{path}: no example in the head comment")
            faults += 1
            continue
        count += 1
        faults += example[1] is not None and not compiles(path, *example, command)
    for path in [*sorted(root.glob("*.md")), *sorted(root.glob("docs/*.md"))]:
        for example in document_examples(path):
            count += 1
            faults += not compiles(path, *example, command)
    print(f"{count} examples, {faults} faults")
    sys.exit(1 if faults or count == 0 else 0)


main()
