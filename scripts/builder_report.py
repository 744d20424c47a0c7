#!/usr/bin/env python3
"""Writes results/builder from what retrosow_build_bench printed.

usage: builder_report.py RAW.json RESULTS_FOLDER NAME=TEXT ...      (facts of the run, by facts.py)
Called by scripts/bench_builder.
"""
import json
import os
import sys

from results_common import facts_table, levels_digests_table


def row(name, level, run):
    seconds = run["seconds"]
    return (f"| {name} | {level} | {run['median_seconds']:.2f} | {min(seconds):.2f} … {max(seconds):.2f} | "
            f"{run['positions_per_second'] / 1e6:.2f} |")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        result = json.load(file)
    folder = sys.argv[2]
    context = dict(text.split("=", 1) for text in sys.argv[3:])
    plain = result["plain_counters"]
    one, two = result["one_thread"], result["two_threads"]
    # Older names of facts, for who reads them.
    old = {"cpu": context.get("processor"), "rules": context.get("rules of Urim", "").strip("`")}
    with open(os.path.join(folder, "builder.json"), "w", encoding="utf-8") as file:
        json.dump({**old, **context, **result}, file, indent=1)
        file.write("\n")
    rows = [row("ours, 1 thread", result["seeds"], one), row("ours, 2 threads", result["seeds"], two),
            row("plain counters, 1 thread", plain["seeds"], plain["one_thread"])]
    bytes_each = result["file_bytes"] / result["positions"]
    faster = one["positions_per_second"] / plain["one_thread"]["positions_per_second"]
    text = f"""# Speed of the table builder

Written by `scripts/bench_builder`, like `builder.json` beside it; not to be edited.

{facts_table(context)}
Urim 2x6, one level from finished lower ones to the finished file: half-board tables, values, compression and writing
included. The plain counter builder works in memory and writes nothing. All in one process, in turn.

| builder | level | median s | least … most s | M positions/s |
|---|---|---|---|---|
""" + "\n".join(rows) + f"""

Two threads are {one["median_seconds"] / two["median_seconds"]:.2f} times as fast as one; one thread is
{faster:.1f} times as fast as plain counters. The file takes {bytes_each:.3f} bytes a position;
the process held {result["peak_resident_kib"] / 1024:,.0f} MiB at most.

## The level

{levels_digests_table([{**result, "bytes": result["file_bytes"]}])}
The digest is the same from all builders: {"yes" if result["digests_agree"] else "NO"}.
"""
    with open(os.path.join(folder, "README.md"), "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
