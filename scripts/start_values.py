#!/usr/bin/env python3
"""Prints the perfect-play values of small start positions as a table, each with its best moves.

usage: start_values.py PATH/TO/retrosow TABLES

Urim on 2x1 to 2x3 with 1 to 3 seeds a pit, solved; on 2x6 with one seed a pit, from TABLES (a folder
with the Urim 2x6 tables to 12 seeds); Rio Kadalis on 2x1 to 2x5, solved.
Needs only the standard library. The exit code is that of the first call that fails.
"""
import json
import subprocess
import sys
import time

COLUMNS = (("game", 11), ("board", 5), ("start", 27), ("value", 5), ("result", 6), ("best moves", 13), ("by", 6),
           ("seconds", 7))


def print_row(cells):
    right = ("value", "seconds")
    print("  ".join(f"{cell:>{w}}" if name in right else f"{cell:<{w}}" for (name, w), cell in zip(COLUMNS, cells)),
          flush=True)


def print_value(binary, verb, game, pits, seeds, *options):
    command = [binary, verb, "start", "--game", game, "--pits", str(pits), "--seeds-per-pit", str(seeds), "--json",
               *options]
    began = time.monotonic()
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        print("failed:", " ".join(command), file=sys.stderr)
        sys.exit(run.returncode)
    record = json.loads(run.stdout)
    value = record["value"]
    print_row((game, f"2x{pits}", record["position"], f"{value:+d}" if value else "0", record["outcome"],
               ", ".join(map(str, record["best"])) or "none", verb, f"{time.monotonic() - began:.2f}"))


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    binary, tables = sys.argv[1:]
    print_row([name for name, _ in COLUMNS])
    print_row(["-" * width for _, width in COLUMNS])
    for pits in (1, 2, 3):
        for seeds in (1, 2, 3):
            print_value(binary, "solve", "urim", pits, seeds)
    print_value(binary, "probe", "urim", 6, 1, "--tables", tables)
    for pits in (1, 2, 3, 4, 5):
        print_value(binary, "solve", "rio-kadalis", pits, 4)


main()
