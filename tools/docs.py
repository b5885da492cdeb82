#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: docs.py [--check] [TELAR]   (default: build/telar)

Fills the tool's output into the documents. A comment such as

    <!-- telar plan --count 3_000_001 -->

on a line of its own, followed by a fenced block, is a command: it is run from the root of the repository, and the command
and what it prints become the block; with  | sed -n '/TEXT/,$p'  behind it, only the lines from the first that matches TEXT
on. Prose of more than COLUMNS columns is broken, with the rest indented. Only commands that need no device are taken, so
the text is the same everywhere.
--check changes nothing; it prints a diff and exits with 1 where a document is stale.
"""
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/*.md"))
WITHOUT_DEVICE = ("plan", "weave")
COLUMNS = 100
COMMAND = re.compile(r"^<!-- telar (.+?)(?: \| sed -n '/(.+)/,\$p')? -->$")
# No variable of the caller reaches the tool: a device or a language would change what it says.
ENVIRONMENT = {"LC_ALL": "C", "PATH": os.environ.get("PATH", "")}
ENVIRONMENT.update({name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")})


def fail(path, number, text):
    sys.exit(f"{path.relative_to(ROOT)}:{number}: {text}")


def broken(line):
    """The line in parts of at most COLUMNS columns; a dispatch such as (20, 1, 1) stays in one piece."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    whole = re.sub(r"\(\d+(, \d+)+\)", lambda group: group[0].replace(" ", "\0"), line)
    parts = textwrap.wrap(whole, COLUMNS, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return [part.replace("\0", " ") for part in parts] or [""]


def output_of(telar, arguments):
    """What a person would see; a status other than 0 is part of it."""
    done = subprocess.run([telar, *arguments], cwd=ROOT, env=ENVIRONMENT, stdin=subprocess.DEVNULL, text=True,
                          encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
    if done.returncode not in (0, 1, 2, 3):
        sys.exit(f"telar {shlex.join(arguments)}: exit status {done.returncode}\n{done.stdout}")
    lines = [line.rstrip() for line in done.stdout.rstrip().split("\n")]
    if arguments[0] == "plan" and "--json" not in arguments:
        lines = [part for line in lines for part in broken(line)]
    if done.returncode != 0:
        words = "estado de salida" if arguments[-2:] == ["--lang", "es"] else "exit status"
        lines.append(f"({words} {done.returncode})")
    return lines


def filled(path, telar):
    """The document with every block as it must be."""
    lines = path.read_text(encoding="utf-8").split("\n")
    result, at = [], 0
    while at < len(lines):
        result.append(lines[at])
        command = COMMAND.match(lines[at])
        at += 1
        if not command:
            continue
        arguments = shlex.split(command[1])
        if arguments[0] not in WITHOUT_DEVICE:
            fail(path, at, f"telar {arguments[0]} may need a device: its output is not the same everywhere")
        if at == len(lines) or not lines[at].startswith("```"):
            fail(path, at, "no fenced block follows this command")
        end = next((k for k in range(at + 1, len(lines)) if lines[k] == "```"), None)
        if end is None:
            fail(path, at + 1, "this fenced block does not end")
        output = output_of(telar, arguments)
        first = next((k for k, line in enumerate(output) if re.search(command[2] or "", line)), None)
        if first is None:
            fail(path, at, f"no line of the output matches {command[2]}")
        shown = ("// " if lines[at] == "```wgsl" else "$ ") + lines[at - 1][5:-4]
        result += [lines[at], shown, *output[first:], "```"]
        at = end + 1
    return "\n".join(result)


def main():
    arguments = sys.argv[1:]
    check = "--check" in arguments
    rest = [argument for argument in arguments if argument != "--check"]
    if len(rest) > 1 or any(argument.startswith("-") for argument in rest):
        sys.exit(__doc__)
    telar = pathlib.Path(rest[0] if rest else ROOT / "build/telar").resolve()
    if not telar.is_file():
        sys.exit(f"{telar} does not exist: make it first, or name the tool")
    stale = 0
    for path in DOCUMENTS:
        before, after = path.read_text(encoding="utf-8"), filled(path, telar)
        if before == after:
            continue
        stale += 1
        name = str(path.relative_to(ROOT))
        if check:
            sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True), name,
                                                       f"{name} (as the tool says now)"))
        else:
            path.write_text(after, encoding="utf-8")
            print(f"{name} updated")
    if check and stale:
        sys.exit(f"{stale} stale: run tools/docs.py")
    print(f"{len(DOCUMENTS)} documents")


main()
