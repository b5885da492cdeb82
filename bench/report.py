#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: report.py [--title TEXT] [--command TEXT] ARCHIVE...      a results file, on standard output
       report.py --docs DOCUMENT... [--check]                       tables into documents

Reads archives that telar bench wrote (--out). A results file has what was asked for and what came out, then every table.

In a document, a line  <!-- bench ARCHIVE... -->  (from the root of the repository) is followed by such a summary, up to the
line  <!-- bench end -->, and  <!-- ends ARCHIVE... -->  likewise by a table of the shortest and the longest n; both are written
anew, in Spanish in a document NAME.es.md. --check changes nothing and exits with 1 where it would be another."""
import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# As archives call them, and as tables do. Archives of version 1 have their places in these lists.
CLOCKS = ("gpu", "host", "companion")
VERDICTS = {"right": "right", "unchecked": "unchecked", "wrong": "WRONG", "unsupported": "not here", "failed": "FAILED"}
# What a summary says, by the document's language. Problems and ways keep their names, which the tool takes.
ENGLISH = {
    "header": ["problem", "n", "way", "us", "GB/s", "of the copy limit", "time of others / Telar's", "dispatches", "result"],
    "ends header": ["problem", "way", "n", "us", "us of CUB", "time of CUB / Telar's"],
    "verdicts": VERDICTS,
    "environment": "{parts}; {date}; medians of {rounds} rounds, sets of {set_ms:.0f} ms after {warm_ms:.0f} ms of the same",
    "unknown rounds": "three or more", "tuned": ", tuned", "checked": ", bounds checked",
    "marks": {},
}
SPANISH = {
    "header": ["problema", "n", "modo", "us", "GB/s", "del límite de copia", "tiempo de otros / el de Telar", "dispatches",
               "resultado"],
    "ends header": ["problema", "modo", "n", "us", "us de CUB", "tiempo de CUB / el de Telar"],
    "verdicts": {"right": "correcto", "unchecked": "sin comprobar", "wrong": "MAL", "unsupported": "aquí no", "failed": "FALLÓ"},
    "environment": "{parts}; {date}; medianas de {rounds} rondas, series de {set_ms:.0f} ms tras {warm_ms:.0f} ms de lo mismo",
    "unknown rounds": "tres o más", "tuned": ", con datos medidos", "checked": ", con comprobación de límites",
    "marks": str.maketrans(".,", ",."),
}
MI = 1 << 20

# What is asked for: problem, n, way, what is compared, how much. A companion's time / Telar's and the part of the copy limit
# are to be at least that, us at most.
ASKED_OF = "wgpu-native"  # others stand beside it
TARGETS = [
    ("map f32", 256 * MI, "telar", "of the copy limit", 0.97),
    ("map f32", 16 * MI, "telar", "of the copy limit", 0.97),
    ("reduce sum u32", 256 * MI, "telar", "cub", 1.02),
    ("reduce sum u32", MI, "telar", "us", 6),
    ("reduce sum f32", 256 * MI, "telar", "cub", 1.02),
    ("reduce sum f32", MI, "telar", "us", 6),
    ("reduce arg-min u32", 256 * MI, "telar", "cub", 0.95),
    ("scan exclusive u32", 256 * MI, "telar", "cub", 0.95),
    ("scan exclusive u32", MI, "telar", "us", 7),
    ("scan exclusive u32", 256 * MI, "telar deterministic", "cub", 0.90),
    ("scan exclusive u32", MI, "telar deterministic", "us", 11),
    ("scan exclusive by key u32", 256 * MI, "telar", "cub", 0.75),
    ("select odd u32", 256 * MI, "telar", "cub", 0.85),
    ("select odd u32", MI, "telar", "us", 7),
    ("histogram 256 u32", 256 * MI, "telar", "cub", 2.2),
    ("histogram 256 u32", MI, "telar", "us", 6),
    ("histogram 256 u8", 1024 * MI, "telar", "cub", 1.8),
    ("histogram 256 u8", 4 * MI, "telar", "us", 6),
    ("sort keys u32", 256 * MI, "telar", "cub", 0.80),
    ("sort keys u32", 256 * MI, "telar portable", "cub", 0.74),
    ("sort keys u32", MI, "telar", "us", 70),
    ("sort pairs u32", 256 * MI, "telar", "cub", 0.72),
    ("sort pairs u32", 256 * MI, "telar portable", "cub", 0.66),
    ("sort pairs u32", MI, "telar", "us", 90),
    ("reduce sum u32", 64 * MI, "telar", "gridwise", 2),
    ("scan exclusive u32", 64 * MI, "telar", "gridwise", 1.5),
    ("sort keys u32", 64 * MI, "telar", "gridwise", 2),
]


def load(path):
    archive = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    if archive.get("format") != "telar-bench":
        sys.exit(f"{path} is no archive of benchmarks")
    if archive["version"] == 1:
        for result in archive["results"]:
            result["clock"] = CLOCKS[result["clock"]]
            result["verdict"] = list(VERDICTS)[result["verdict"]]
    return archive


def tasks(archives):
    """(archive, results of one problem at one n), in order."""
    for archive in archives:
        group = []
        for result in archive["results"]:
            if group and (group[0]["problem"], group[0]["n"]) != (result["problem"], result["n"]):
                yield archive, group
                group = []
            group.append(result)
        if group:
            yield archive, group


def n_text(n):
    power = n.bit_length() - 1
    return f"2^{power}" if n == 1 << power and power >= 10 else f"{n:,}"


def is_ours(result):
    return result["way"].startswith("telar")


def measured(group):
    return [result for result in group if result["median_ns"] > 0]


def figure(result, group, kind):
    """The number that a target is compared with; None where there is none."""
    if kind == "us":
        return result["median_ns"] / 1e3
    if kind == "of the copy limit":
        return result["copy_ns"] / result["median_ns"] if result["copy_ns"] > 0 else None
    other = [x["median_ns"] for x in measured(group) if x["way"] == kind and x["verdict"] in ("right", "unchecked")]
    return other[0] / result["median_ns"] if other else None


def table(header, rows):
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


def result_text(result):
    text = VERDICTS[result["verdict"]]
    return f"{text}: {result['text']}" if result["text"] else text


def environment_text(environment, words=ENGLISH):
    parts = ", ".join(filter(None, (environment["adapter"], environment["implementation"], environment["driver"])))
    text = words["environment"].format_map({**environment, "parts": parts,
                                            "rounds": environment["rounds"] or words["unknown rounds"]})
    return text + "".join(words[mark] for mark in ("tuned", "checked") if environment.get(mark))


def target_rows(archives):
    rows = []
    for problem, n, way, kind, wanted in TARGETS:
        for archive, group in tasks(archives):
            if (group[0]["problem"], group[0]["n"]) != (problem, n):
                continue
            for result in (x for x in measured(group) if x["way"] == way):
                got = figure(result, group, kind) if result["verdict"] == "right" else None
                if got is None:
                    continue
                by = archive["environment"]["implementation"].split()[0]
                reached = got <= wanted if kind == "us" else got >= wanted
                what = kind if kind in ("us", "of the copy limit") else f"{kind} / {way}"
                rows.append([problem, n_text(n), by, way, what,
                             f"{'at most ' if kind == 'us' else ''}{wanted:g}", f"{got:.2f}" if kind == "us" else f"{got:.3f}",
                             "beside" if by != ASKED_OF else "yes" if reached else "**no**"])
    return rows


def short(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}"


def summary_rows(archives, words):
    rows = []
    for _, group in tasks(archives):
        others = [x for x in measured(group) if not is_ours(x)]
        for result in filter(is_ours, measured(group)):
            share = figure(result, group, "of the copy limit")
            ratios = [(x["way"], f"{x['median_ns'] / result['median_ns']:.3g}".translate(words["marks"])) for x in others]
            numbers = [f"{result['median_ns'] / 1e3:.2f}", short(result["bytes"] / result["median_ns"]),
                       "" if share is None else f"{share:.3f}"]
            rows.append([result["problem"], n_text(result["n"]).translate(words["marks"]), result["way"],
                         *(number.translate(words["marks"]) for number in numbers),
                         ", ".join(f"{way} {ratio}" for way, ratio in ratios),
                         str(result["dispatches"] or ""), words["verdicts"][result["verdict"]]])
    return rows


def by_environment(archives, words):
    groups = {}
    for archive in archives:
        groups.setdefault(environment_text(archive["environment"], words), []).append(archive)
    return groups.items()


def summary(archives, words=ENGLISH):
    lines = []
    for text, group in by_environment(archives, words):
        lines += [f"{text}:", "", table(words["header"], summary_rows(group, words)), ""]
    return "\n".join(lines).rstrip()


def pair(texts):
    return texts[0] if len(texts) == 1 or texts[0] == texts[1] else " · ".join(texts)


def ends(archives, words=ENGLISH):
    """Each problem at the least and at the greatest n, beside CUB; without what stands for the same kernel."""
    problems = {}
    for _, group in tasks(archives):
        problems.setdefault(group[0]["problem"], []).append(group)
    rows = []
    for problem, groups in problems.items():
        groups.sort(key=lambda group: group[0]["n"])
        groups = [groups[0], groups[-1]] if len(groups) > 1 else groups
        ns = [n_text(group[0]["n"]) for group in groups]
        for way in (x["way"] for x in groups[0] if is_ours(x) and x["way"] != "telar element"):
            ours = [next(x for x in group if x["way"] == way) for group in groups]
            ratios = [figure(x, group, "cub") for x, group in zip(ours, groups)]
            times = [x["median_ns"] / 1e3 for x in ours]
            cubs = ["" if ratio is None else f"{time * ratio:.1f}" for time, ratio in zip(times, ratios)]
            rows.append([problem, way, *(pair(texts).translate(words["marks"]) for texts in (
                ns, [f"{time:.1f}" for time in times], cubs,
                ["" if ratio is None else f"{ratio:.2f}" for ratio in ratios]))])
    return f"{environment_text(archives[0]['environment'], words)}:\n\n{table(words['ends header'], rows)}"


def full_tables(archives):
    lines = []
    last = None
    for archive, group in tasks(archives):
        if archive is not last:
            lines += ["", f"## {environment_text(archive['environment'])}"]
            last = archive
        companions = [x["way"] for x in group if x["clock"] == "companion"]
        rows = []
        for x in group:
            if x["median_ns"] <= 0:
                rows.append([x["way"]] + [""] * (5 + len(companions)) + [result_text(x)])
                continue
            share = figure(x, group, "of the copy limit")
            ratios = [figure(x, group, name) for name in companions]
            rows.append([x["way"], f"{x['median_ns'] / 1e3:.2f}", f"{x['bytes'] / x['median_ns']:.1f}",
                         "" if share is None else f"{share:.3f}", *("" if r is None else f"{r:.3f}" for r in ratios),
                         str(x["dispatches"] or ""), f"{100 * x['spread']:.1f} %", result_text(x)])
        lines += ["", f"### {group[0]['problem']}, n = {n_text(group[0]['n'])}", "",
                  table(["way", "us", "GB/s", "of the copy limit", *(f"{name} / way" for name in companions), "dispatches",
                         "spread", "result"], rows)]
        if group[0]["copy_ns"] > 0:
            lines += ["", f"The copy limit: {group[0]['copy_ns'] / 1e3:.2f} us for as many bytes."]
    return "\n".join(lines)


def results_file(title, command, archives):
    lines = [f"# {title}", ""]
    if command:
        lines += [f"    {line}" for line in command.splitlines()] + [""]
    rows = target_rows(archives)
    if rows:
        lines += ["## What was asked for", "",
                  table(["problem", "n", "by", "way", "figure", "asked for", "measured", "reached"], rows), ""]
    lines += ["## Telar beside the others", "", summary(archives), full_tables(archives)]
    return "\n".join(lines)


def document(path, check):
    before = path.read_text(encoding="utf-8")
    words = SPANISH if path.name.endswith(".es.md") else ENGLISH

    def fill(match):
        archives = [load(ROOT / name) for name in match[2].split()]
        made = {"bench": summary, "ends": ends}[match[1]](archives, words)
        return f"<!-- {match[1]} {match[2]} -->\n\n{made}\n\n<!-- {match[1]} end -->"
    after = re.sub(r"<!-- (bench|ends) (?!end)(.+?) -->\n.*?<!-- \1 end -->", fill, before, flags=re.DOTALL)
    if check and before != after:
        sys.exit(f"{path} is stale: run bench/report.py --docs {path}")
    if not check:
        path.write_text(after, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--title", default="Telar's primitives")
    parser.add_argument("--command", default="")
    parser.add_argument("--docs", type=pathlib.Path, nargs="+")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("archives", nargs="*")
    options = parser.parse_args()
    if options.docs:
        for path in options.docs:
            document(path, options.check)
    elif options.archives:
        print(results_file(options.title, options.command, [load(path) for path in options.archives]))
    else:
        parser.error("no archives")


main()
