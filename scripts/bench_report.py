#!/usr/bin/env python3
"""Turns Google Benchmark's JSON into results/kernels: kernels.json and README.md.

usage: bench_report.py RAW.json FOLDER [KEY=VALUE ...]

Drops what names the machine or its folders, and adds the given keys to the context. RAW.json holds
aggregates of repetitions. Needs only the standard library. Exit code 1 if a benchmark failed or is missing.
README.md shows a figure that bench_plots.py draws.
"""
import json
import pathlib
import re
import sys

from results_common import facts_table

PRIVATE = ("host_name", "executable")  # of Google Benchmark's context
KERNELS = ("reference", "portable", "sse41", "avx512")  # slowest first

SECTIONS = (
    ("Sow", "Single sowings with capture (Urim)", "million sowings/s"),
    ("Generate", "All legal moves of a board, results included (Urim)", "million boards/s"),
    ("Relay", "All legal moves of a board, results included (Rio Kadalis)", "million moves/s"),
    ("Rank", "Rank of a board in its level", "million boards/s"),
    ("Unrank", "Board of a rank", "million boards/s"),
    ("Perft", "Perft from the start", "million nodes/s"),
    ("Transposition", "The search's transposition table", "million positions/s"),
)
FIGURES = {"Transposition": "![Time of an operation by size of the table](transposition.svg)\n"}  # by bench_plots.py
# Of the context those that README.md names, in this order, as far as they are there.
FACTS = ("program", "command", "runs", "commit", "cpu", "compiler", "cores", "memory of the machine",
         "load when it began", "date", "time", "processor time", "most memory", "inputs", "tables", "rules of Urim",
         "rules digest of Urim", "rules of Rio Kadalis", "rules digest of Rio Kadalis")
GOALS = (
    ("Sow", 100e6, "single sowings with capture"),
    ("Generate", 20e6, "boards' full move lists, results included,"),
)


def fail(message):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(1)


def medians(report):
    """By benchmark: a dict of its rates, and the coefficient of variation of items_per_second."""
    found = {}
    for entry in report["benchmarks"]:
        if entry.get("error_occurred"):
            fail(f"{entry['name']}: {entry.get('error_message')}")
        row = found.setdefault(entry["run_name"], {})
        if entry["aggregate_name"] == "median":
            row.update({key: value for key, value in entry.items() if key.endswith("_per_second")})
        elif entry["aggregate_name"] == "cv":
            row["cv"] = entry["items_per_second"]
    if not found:
        fail("no benchmark was run")
    return found


def table(section, items, rows):
    rows = sorted_rows({name: row for name, row in rows.items() if name.split("/")[0] == section})
    extra = [key for key in ("moves_per_second", "laps_per_second", "boards_per_second")
             if any(key in row for _, row in rows)]
    heads = [items] + ["million " + key.split("_")[0] + "/s" for key in extra]
    lines = ["| benchmark | " + " | ".join(heads) + " | cv |", "|---|" + "--:|" * (len(heads) + 1)]
    for name, row in rows:
        rates = [f"{row[key] / 1e6:.1f}" if key in row else "" for key in ["items_per_second"] + extra]
        lines.append(f"| `{name}` | " + " | ".join(rates) + f" | {100 * row['cv']:.1f} % |")
    return "\n".join(lines)


def sorted_rows(rows):
    """By name, kernels from slow to fast, numbers by size."""

    def key(item):
        *head, last = item[0].split("/")
        number = re.search(r"\d+", last)  # level20, 64MiB
        return head, KERNELS.index(last) if last in KERNELS else int(number[0]) if number else 0, last

    return sorted(rows.items(), key=key)


def verdict(section, goal, what, rows):
    """Whether the best kernel reaches the goal on every board and mix, by more than twice the deviation."""
    best = {}
    for name, row in rows.items():
        what_runs, *inputs, kernel = name.split("/")
        rate = row["items_per_second"]
        if what_runs == section and rate > best.get(" ".join(inputs), (0,))[0]:
            best[" ".join(inputs)] = (rate, row["cv"], kernel)
    lines = [f"- Goal: at least {goal / 1e6:.0f} million {what} a second."]
    for inputs, (rate, cv, kernel) in sorted(best.items()):
        if rate * (1 - 2 * cv) >= goal:
            result = "reached"
        elif rate >= goal:
            result = "reached by the median, not beyond the noise"
        else:
            result = "**missed**"
        lines.append(f"  - {inputs}: {rate / 1e6:.1f} million with {kernel}, {result}.")
    return "\n".join(lines)


def readme(context, rows):
    context = {"load when it began": f"{context['load_avg'][0]:.2f}", "rules of Urim": f"`{context['rules urim']}`",
               "rules of Rio Kadalis": f"`{context['rules rio-kadalis']}`", **context}
    facts = {"processor" if name == "cpu" else name: context[name] for name in FACTS if name in context}
    parts = ["# Speed of the kernels\n",
             "Written by `scripts/bench`, like `kernels.json` beside it, which has more; not to be edited.\n",
             facts_table(facts),
             "One core; rates are per second of processor time. Medians of the repetitions; cv is their standard\n"
             "deviation divided by their mean, and differences of that size mean nothing. Inputs: `mixed` are boards\n"
             "of 8 to 36 seeds, as many of each count; `played` are boards from random play (`bench/inputs.h`).\n"
             "Rates include folding all results into a number that was compared with the portable kernel's.\n"
             "A kernel that has no code of its own for a case runs that of the one before it (avx512: single\n"
             "sowings, relays); such pairs of rows show how far two runs of the same code lie apart.\n",
             "## Goals\n", "\n".join(verdict(*goal, rows) for goal in GOALS),
             "\nReached: the median minus two deviations is at least the goal.\n"]
    for section, title, items in SECTIONS:
        parts.append(f"## {title}\n\n{table(section, items, rows)}\n")
        if section in FIGURES:
            parts.append(FIGURES[section])
    return "\n".join(parts)


def main():
    if len(sys.argv) < 3 or not all("=" in argument for argument in sys.argv[3:]):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    report = json.loads(pathlib.Path(sys.argv[1]).read_text())
    context = {key: value for key, value in report["context"].items() if key not in PRIVATE}
    context.update(argument.split("=", 1) for argument in sys.argv[3:])
    context.setdefault("cpu", context.get("processor", "unknown"))
    rows = medians(report)
    for section, _, _ in SECTIONS:
        if not any(name.split("/")[0] == section for name in rows):
            fail(f"no benchmark of {section}")
    folder = pathlib.Path(sys.argv[2])
    kept = {"context": context, "benchmarks": report["benchmarks"]}
    (folder / "kernels.json").write_text(json.dumps(kept, indent=1) + "\n")
    text = readme(context, rows)
    (folder / "README.md").write_text(text)
    print(text[text.index("## Goals"):text.index("## " + SECTIONS[0][1])])


if __name__ == "__main__":
    main()
