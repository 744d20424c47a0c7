#!/usr/bin/env python3
"""Measures the search of the program and writes what comes out as results.

usage: search_results.py PATH/TO/retrosow TABLES FOLDER [options]

  TABLES   folder for tables of 2x6; levels that are there already are not built again
  FOLDER   gets results.json (all records), README.md (tables), nodes_per_second.svg

Plots need Debian's python3-matplotlib. The exit code is that of the first call of the program that fails for
another reason than a limit.
"""
import argparse
import json
import pathlib
import random

from results_common import (LINES, Budget, Program, calls_table, duration, facts_of, facts_table, levels_digests_table,
                            pyplot, rules_facts, save_figure, signed, there_before)

STARTS = ((6, 1), (6, 2), (5, 2), (4, 3))  # pits in a row, seeds a pit; without tables
BOARD_SEED = 1
BOARDS = 20  # of each number of seeds
RATE_MEMORY = "64MiB"  # of the transposition table for them: a large one would take longer to clear than to use
MOST_SEEDS = 36


def start_words(pits, seeds_per_pit):
    return ("solve", "start", "--method", "search", "--pits", str(pits), "--seeds-per-pit", str(seeds_per_pit))


def solve_starts(program, options):
    found = []
    for pits, seeds_per_pit in STARTS:
        words = start_words(pits, seeds_per_pit) + ("--value-only", "--threads", "1", "--memory", options.memory,
                                                    "--limit-seconds", str(options.seconds))
        found += program.records(*words, limit_allowed=True)
    return found


def solve_with_tables(program, options):
    """The records of the tables that a build names, and of the searches with them."""
    tables = program.records("build", "--seeds", str(options.table_seeds), "--out", program.tables, "--quiet")
    common = ("--value-only", "--memory", options.memory, "--tables", program.tables)
    with_limit = common + ("--limit-seconds", str(options.seconds))
    two = program.records(*start_words(6, 2), "--threads", "1", *with_limit, limit_allowed=True)
    three = program.records(*start_words(6, 3), *common, "--limit-seconds", str(options.start_seconds), limit_allowed=True)
    return tables, two + three


def random_boards(seeds, pits=6):
    """Boards with so many seeds, dropped into pits at random; the same in every run."""
    draw = random.Random(BOARD_SEED * 1000 + seeds)
    boards = []
    for _ in range(BOARDS):
        board = [0] * (2 * pits)
        for _ in range(seeds):
            board[draw.randrange(2 * pits)] += 1
        boards.append(",".join(map(str, board[:pits])) + "/" + ",".join(map(str, board[pits:])))
    return "\n".join(boards) + "\n"


def rates_by_seeds(program, options, with_tables):
    """Nodes per second over random boards, each searched for a number of nodes at most."""
    rates = []
    extra = ("--tables", program.tables) if with_tables else ()
    for seeds in range(8, MOST_SEEDS + 1, 4):
        records = program.records("solve", "-", "--method", "search", "--value-only", "--threads", "1", "--memory",
                                  RATE_MEMORY, "--limit-nodes", str(options.nodes), *extra,
                                  lines=random_boards(seeds), limit_allowed=True)
        nodes = sum(record["nodes"] for record in records)
        seconds = sum(record["seconds"] for record in records)
        rates.append({"seeds": seeds, "tables": with_tables, "boards": len(records), "nodes": nodes,
                      "seconds": round(seconds, 6), "solved": sum("value" in record for record in records)})
    return rates


def draw(results, folder):
    plots, rates = pyplot(), results["rates"]
    figure, axes = plots.subplots(figsize=(6, 4))
    for with_tables, label, style in ((False, "without tables", LINES[0]), (True, "with tables", LINES[1])):
        rows = [rate for rate in rates if rate["tables"] == with_tables and rate["seconds"] > 0]
        axes.plot([rate["seeds"] for rate in rows], [rate["nodes"] / rate["seconds"] / 1e6 for rate in rows],
                  label=label, **style)
    axes.set(xlabel="seeds on the board", ylabel="million positions entered per second",
             title="Search of random boards of 2x6, one thread", ylim=(0, None))
    axes.legend(frameon=False, handlelength=3)
    save_figure(plots, figure, folder, "nodes_per_second")


def value_text(record):
    if "value" in record:
        return signed(record["value"])
    return "{} to {}".format(*map(signed, record["bounds"]))


def starts_table(records):
    lines = ["| start | value | positions entered | seconds | million/s | depth, plies | from the table | from files |",
             "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for record in records:
        rate = record["nodes"] / record["seconds"] / 1e6 if record["seconds"] else 0
        lines.append(f"| `{record['position']}` | {value_text(record)} | {record['nodes']:,} | {record['seconds']:.2f} | "
                     f"{rate:.2f} | {record['depth']} | {record['hash_hits']:,} | {record['table_values']:,} |")
    return "\n".join(lines)


def rates_table(rates):
    lines = ["| seeds | tables | boards | solved | positions entered | million/s |", "|--:|---|--:|--:|--:|--:|"]
    for rate in rates:
        lines.append(f"| {rate['seeds']} | {'yes' if rate['tables'] else 'no'} | {rate['boards']} | {rate['solved']} | "
                     f"{rate['nodes']:,} | {rate['nodes'] / max(rate['seconds'], 1e-6) / 1e6:.2f} |")
    return "\n".join(lines)


def readme(results):
    limits = results["limits"]
    return f"""# Search

Written by `scripts/search_results`; every record of the program is in `results.json`. Values are for the player to
move; two numbers are proved bounds, where a limit stopped the search.

{facts_table(results["facts"])}
## Starts without tables, one thread

At most {limits["seconds"]:g} s each.

{starts_table(results['starts'])}

## Starts with tables to {limits["table_seeds"]} seeds

2x6 with two seeds a pit by one thread, at most {limits["seconds"]:g} s; with three (36 seeds) by all cores, for
{limits["start_seconds"]:g} s.

{starts_table(results['with_tables'])}

## Random boards of 2x6, one thread, {limits["nodes"]:,} positions each at most, {RATE_MEMORY} of transposition table

![positions per second](nodes_per_second.svg)

{rates_table(results['rates'])}

## The fixed set of `retrosow bench`

{results['bench']['nodes_per_second'] / 1e6:.2f} million positions per second, one thread; signature
{results['signature']['search_nodes']:,} positions.

## Tables

The searches with tables read these, 2x6 to {limits["table_seeds"]} seeds.

{levels_digests_table(results["tables"])}
## Commands

{calls_table(results["calls"])}"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("tables")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--table-seeds", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=600, help="for a start")
    parser.add_argument("--start-seconds", type=float, default=600, help="for the start with 36 seeds")
    parser.add_argument("--nodes", type=int, default=2_000_000, help="for a random board")
    parser.add_argument("--bench-seconds", type=float, default=3, help="for each measurement of `retrosow bench`")
    parser.add_argument("--memory", default="2GiB", help="of the transposition table")
    parser.add_argument("--fact", action="append", default=[], metavar="KEY=TEXT", help="to write into the results")
    options = parser.parse_args()

    program = Program(options.binary, options.tables)
    facts, spent = facts_of(program, options.fact), Budget()
    facts.update(rules_facts(program, "urim"))
    bench = program.records("bench", "--seconds", str(options.bench_seconds))
    starts = solve_starts(program, options)
    tables, with_tables = solve_with_tables(program, options)
    rates = rates_by_seeds(program, options, False) + rates_by_seeds(program, options, True)
    there = [level["reused"] for level in tables]
    facts["tables there before"] = there_before(sum(there), len(there))
    facts["time"], facts["most memory"] = duration(spent.used), f"{program.peak_mib:,.0f} MiB"
    limits = {key: getattr(options, key) for key in ("table_seeds", "seconds", "start_seconds", "nodes")}
    results = {"facts": facts, "limits": limits, "calls": program.calls, "bench": bench[-2], "signature": bench[-1],
               "starts": starts, "tables": tables, "with_tables": with_tables, "rates": rates}
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    (options.folder / "README.md").write_text(readme(results), encoding="utf-8")
    draw(results, options.folder)


if __name__ == "__main__":
    main()
