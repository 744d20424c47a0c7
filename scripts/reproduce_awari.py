#!/usr/bin/env python3
"""Builds Awari and Oware tables with the program and compares them with what others have published.

usage: reproduce_awari.py PATH/TO/retrosow TABLES FOLDER [options]

  TABLES   folder for table files; levels that are there already are checked and not built again
  FOLDER   gets results.json (all records) and README.md (tables)

Awari: the number of positions with each value, of every level, against tests/data/awari-histograms.csv; published
positions; starts. Oware: the guarantees of every level, written in the format of the published tables
(jh85/smallgames), against their SHA-256 sums in tests/data/oware-guarantees.sha256.
Knows the games from the program's JSON alone. Exit code: 1 if anything is not as published; else that of the first call
of the program that fails.
"""
import argparse
import array
import csv
import hashlib
import json
import pathlib
import re
import struct
import sys

from results_common import (Budget, Program, calls_table, duration, facts_of, facts_table, rules_digests, signed, table,
                            there_before)

DATA = pathlib.Path(__file__).resolve().parent.parent / "tests" / "data"
AWARI, OWARE = ("--game", "awari"), ("--game", "oware")
PITS = 6
# Of the budget: for values of Awari, and for values and guarantees of Oware. The rest is for reading and comparing.
AWARI_SHARE, OWARE_SHARE, SEARCH_SHARE = 0.45, 0.3, 0.1
# Levels above 24 seeds are published with fewer values told apart, and the header of level 0 is of no interest.
OWARE_MOST = 24

# The database of Romein and Bal (2003), as keesverstoep/Awari gives it: value, and values of the moves 1 to 6.
POSITION = ("1,1,1,1,1,2/4,2,3,0,0,0", 0, (-1, -1, -2, -2, -2, 0))
# Seeds a pit at the start: value. van den Herik, Uiterwijk, van Rijswijck, Games solved: now and in the future, 2002;
# Romein and Bal, Solving the game of awari using parallel retrograde analysis, 2003.
STARTS = {3: (0, "van den Herik, Uiterwijk and van Rijswijck 2002"), 4: (0, "Romein and Bal 2003")}
# Share of the boards with an empty pit in the opponent's row whose value is forced, in per cent; jh85/smallgames,
# oware/README.md, 2026.
EXACT = {4: 72.8, 8: 61.1, 12: 18.7, 16: 6.5, 20: 3.8, 24: 2.4}


def guarantees_of(program, folder, seeds):
    """Both guarantees of a level as bytes, mover and opponent in turn, in index order."""
    path = pathlib.Path(folder) / f"guarantees-{seeds}.raw"
    program.shown[str(path)] = "GUARANTEES_N"
    program.run("export", *OWARE, "--tables", str(folder), "--level", str(seeds), "--what", "guarantees", "--format",
                "raw", "--out", str(path), "--quiet")
    contents = path.read_bytes()
    path.unlink()
    return contents


def seeds_for(program, options, seconds, rules, *extra):
    """The most seeds that a build of so many seconds reaches, by estimate, within the memory."""
    *levels, whole = program.records("estimate", *rules, "--seeds", "30", "--threads", str(options.threads),
                                     "--memory", options.memory, *extra, limit_allowed=True)
    most = 0
    total = 0.0
    for level in levels:
        total += level["seconds"]
        if total <= seconds and level["memory"] <= whole["available_memory"]:
            most = level["seeds"]
    return most


def made(record):
    """Of a table that a build names: whether it was there, and the seconds that it took; those of a check are left out."""
    return {"reused": record["reused"], "seconds": None if record["reused"] else record["seconds"]}


# ------------------------------------------------------------------ Awari


def published_histograms():
    histograms = {}
    with open(DATA / "awari-histograms.csv", encoding="ascii") as file:
        for row in csv.DictReader(file):
            histograms.setdefault(int(row["stones"]), {})[int(row["value"])] = int(row["positions"])
    return histograms


def awari(program, options):
    folder = f"{program.tables}/awari"
    seeds = options.stones if options.stones is not None else seeds_for(
        program, options, 60 * options.budget * AWARI_SHARE, AWARI)
    built = program.records("build", *AWARI, "--seeds", str(seeds), "--threads", str(options.threads), "--memory",
                            options.memory, "--out", folder)
    published = published_histograms()
    levels = program.records("stats", *AWARI, "--pits", str(PITS), "--tables", folder)[:seeds + 1]
    for level, record in zip(levels, built):
        level["bytes"] = record["bytes"]
        level.update(made(record))
        expected = published.get(level["seeds"])
        level["as_published"] = None if expected is None else (
            {int(value): count for value, count in level["values"].items()} == expected)
    position, value, moves = POSITION
    results = {"levels": levels, "positions": [], "starts": []}
    in_search = ("--limit-seconds", str(max(1, round(60 * options.budget * SEARCH_SHARE / 3))))
    if sum(map(int, re.findall(r"\d+", position))) <= seeds:
        record = program.records("probe", *AWARI, "--tables", folder, position)[0]
    else:
        record = program.records("solve", *AWARI, "--tables", folder, position, *in_search, limit_allowed=True)[0]
    if "value" in record:
        found = tuple(move["value"] for move in record["moves"])
        record["as_published"] = record["value"] == value and found == moves
        record["published"] = {"value": value, "moves": list(moves)}
        results["positions"].append(record)
    for a_pit in (1, 2, 3, 4):
        published_value, source = STARTS.get(a_pit, (None, None))
        if 2 * PITS * a_pit <= seeds:
            record = program.records("probe", *AWARI, "--tables", folder, "start", "--seeds-per-pit", str(a_pit))[0]
        else:
            record = program.records("solve", *AWARI, "--tables", folder, "start", "--seeds-per-pit", str(a_pit),
                                     "--value-only", *in_search, limit_allowed=True)[0]
        low, high = record.get("bounds", [record.get("value")] * 2)
        record.update({"seeds_per_pit": a_pit, "published": published_value, "source": source})
        # Bounds that hold the published value neither confirm nor contradict it.
        record["as_published"] = None
        if published_value is not None and (low == high or not low <= published_value <= high):
            record["as_published"] = low == high == published_value
        results["starts"].append(record)
    return results


# ------------------------------------------------------------------ Oware


def rows_of(pits, seeds):
    """All rows with so many seeds, lexicographically."""
    if pits == 1:
        yield (seeds,)
        return
    for first in range(seeds + 1):
        for rest in rows_of(pits - 1, seeds - first):
            yield (first, *rest)


def published_codes(contents, seeds):
    """Yields for runs of boards the numbers that the published tables store, and how many boards they stand for.

    Those hold the boards with an empty pit in the opponent's row, in our order (opponent's seeds, his row, the mover's
    row), each as the place of its pair (mover, opponent) among all pairs by sum and then by the mover's.
    """
    code = array.array("H", bytes(2 * 256 * (seeds + 1)))
    exact = bytearray(256 * (seeds + 1))
    number = 0
    for total in range(seeds + 1):
        for mover in range(total + 1):
            pair = mover + 256 * (total - mover)
            code[pair], exact[pair] = number, total == seeds
            number += 1
    pairs = array.array("H", contents)
    if sys.byteorder == "big":
        pairs.byteswap()
    counts = [sum(1 for _ in rows_of(PITS, s)) for s in range(seeds + 1)]
    at = 0
    for opponent_seeds in range(seeds + 1):
        length = counts[seeds - opponent_seeds]
        for row in rows_of(PITS, opponent_seeds):
            if 0 in row:
                run = pairs[at:at + length]
                yield [code[pair] for pair in run], sum(map(exact.__getitem__, run))
            at += length
    assert at == len(pairs)


def published_file(contents, seeds):
    """(SHA-256 of the level as the published tables have it, boards in it, boards whose value is forced)."""
    pairs = (seeds + 1) * (seeds + 2) // 2
    a_byte = 3 if pairs**3 <= 256 else 2 if pairs**2 <= 256 else 1
    bits = max(1, (pairs - 1).bit_length())
    radix, bit_fields, words = 0, 1, 2
    mode = words if pairs > 256 else bit_fields if a_byte == 1 and bits < 8 else radix
    body = bytearray()
    boards = exact = 0
    rest = []  # numbers that do not fill a byte, or a word, yet
    group = a_byte if mode == radix else 8
    for codes, run_exact in published_codes(contents, seeds):
        boards += len(codes)
        exact += run_exact
        if mode == words:
            block = array.array("H", codes)
            if sys.byteorder == "big":
                block.byteswap()
            body += block.tobytes()
        elif group == 1:
            body += bytes(codes)
        else:
            rest += codes
            if len(rest) >= 1 << 16:
                full = len(rest) - len(rest) % group
                body += pack_numbers(rest[:full], mode == bit_fields, group, bits, pairs)
                rest = rest[full:]
    body += pack_numbers(rest, mode == bit_fields, group, bits, pairs)
    size = (boards * bits + 7) // 8 + 2 if mode == bit_fields else 2 * boards if mode == words else -(-boards // a_byte)
    body = bytes(body[:size]) + bytes(max(0, size - len(body)))
    header = struct.pack("<8s8i2Q", b"OWARELH1", seeds, 0, seeds + 1, pairs, mode, a_byte, bits, 0, boards, size)
    return hashlib.sha256(header + body).hexdigest(), boards, exact


def pack_numbers(numbers, as_bits, group, bits, pairs):
    packed = bytearray()
    for first in range(0, len(numbers), group):
        some = numbers[first:first + group]
        if as_bits:
            packed += sum(number << bits * i for i, number in enumerate(some)).to_bytes(bits, "little")
        else:
            packed.append(sum(number * pairs**i for i, number in enumerate(some)))
    return packed


def published_sums():
    sums = {}
    for line in (DATA / "oware-guarantees.sha256").read_text(encoding="ascii").splitlines():
        if line and not line.startswith("#"):
            digest, name = line.split()
            sums[int(re.fullmatch(r"oware_n(\d+)\.lh", name).group(1))] = digest
    return sums


def oware(program, options):
    folder = f"{program.tables}/oware"
    seeds = options.oware_seeds if options.oware_seeds is not None else min(OWARE_MOST, seeds_for(
        program, options, 60 * options.budget * OWARE_SHARE, OWARE, "--guarantees"))
    built = program.records("build", *OWARE, "--seeds", str(seeds), "--guarantees", "--threads", str(options.threads),
                            "--memory", options.memory, "--out", folder)
    sums = published_sums()
    levels = program.records("stats", *OWARE, "--pits", str(PITS), "--tables", folder)[:seeds + 1]
    for level, record in zip(levels, built):
        level["bytes"], level["guarantee_bytes"] = record["bytes"], record["guarantee"]["bytes"]
        level.update({**made(record), **{f"guarantee_{key}": value for key, value in made(record["guarantee"]).items()}})
        n = level["seeds"]
        if n in sums:
            level["published_sha256"] = sums[n]
        if n > options.compare_seeds or n not in sums:
            level["as_published"] = None
            continue
        digest, boards, exact = published_file(guarantees_of(program, folder, n), n)
        level.update({"sha256": digest, "indexed_boards": boards, "indexed_exact": exact})
        level["as_published"] = digest == sums[n]
        if n in EXACT:
            level["published_exact_percent"] = EXACT[n]
            level["as_published"] = level["as_published"] and round(100 * exact / boards, 1) == EXACT[n]
    return {"levels": levels}


# ------------------------------------------------------------------ README.md


def verdict(as_published, unknown="not compared"):
    if as_published is None:
        return unknown
    return "yes" if as_published else "**NO**"


def seconds_text(seconds):
    return "-" if seconds is None else f"{seconds:.1f}"


def awari_table(levels):
    rows = [(level["seeds"], *(f"{level[key]:,}" for key in ("positions", "wins", "draws", "losses")),
             seconds_text(level["seconds"]), f"{level['bytes']:,}",
             verdict(level["as_published"], "no published counts at hand"), f"`{level['digest']}`") for level in levels]
    heads = ("stones", "positions", "wins", "draws", "losses", "seconds", "bytes", "counts as published",
             "digest of the values")
    return table(heads, rows, heads[:7])


def starts_table(starts):
    def found(record):
        return signed(record["value"]) if "value" in record else "{} to {}".format(*map(signed, record["bounds"]))

    rows = [(record["seeds_per_pit"], found(record), "-" if record["published"] is None else signed(record["published"]),
             record["source"] or "", "no published value at hand" if record["published"] is None else
             verdict(record["as_published"], "bounds only")) for record in starts]
    return table(("stones a pit", "value", "published", "by", "the same"), rows, ("stones a pit", "value", "published"))


def oware_table(levels):
    rows = []
    for level in levels:
        forced = level["forced"]
        rows.append((level["seeds"], f"{level['positions']:,}",
                     f"{100 * forced['values'] / level['positions']:.1f} %",
                     *(f"{level[key]:,}" for key in ("wins", "draws", "losses")),
                     *(f"{forced[key]:,}" for key in ("wins", "draws", "losses")),
                     seconds_text(level["seconds"]), seconds_text(level["guarantee_seconds"]),
                     verdict(level["as_published"], "not compared" if "published_sha256" in level else
                             "no published table at hand"), f"`{level['guarantee_digest']}`"))
    heads = ("seeds", "positions", "values forced", "wins", "draws", "losses", "wins forced", "draws forced",
             "losses forced", "seconds, values", "seconds, guarantees", "table as published", "digest of the guarantees")
    return table(heads, rows, heads[:11])


def readme(results):
    facts, a, o = results["facts"], results["awari"], results["oware"]
    parts = ["# Against others: Awari and Oware\n",
             "Written by `scripts/reproduce_awari`, like `results.json` beside it, which has all records as the program\n"
             "prints them (`solver/cli/JSON.md`); not to be edited.\n",
             facts_table(facts),
             "## Awari\n\nRules: `" + a["levels"][0]["rules"] + "`\n\nAll boards of a level. Published counts: T. Lincke, "
             "*Exploring the Computational Limits of Large\nExhaustive Search Problems*, ETH Zürich 2002, appendix B.\n\n"
             + awari_table(a["levels"])]
    for record in a["positions"]:
        moves = ", ".join(f"{move['pit']}: {signed(move['value'])}" for move in record["moves"])
        parts.append(f"`{record['position']}`: value {signed(record['value'])}, moves {moves}. As in the database of "
                     f"Romein and Bal\n(keesverstoep/Awari): {verdict(record['as_published'])}.\n")
    parts.append("Starts:\n\n" + starts_table(a["starts"]))
    parts.append("## Oware\n\nRules: `" + o["levels"][0]["rules"] + "`\n\n*Forced*: the same whatever endless play is worth "
                 "(`tables/FORMAT.md`, guarantees); other values rest on the\neven split. Published tables: jh85/smallgames, "
                 "oware, 2026, which hold both sides' guarantees of the boards with an\nempty pit in the opponent's row. "
                 "Compared: the whole file, written from our table, by its SHA-256, and the share\nof forced values where "
                 "it is published.\n\n" + oware_table(o["levels"]))
    parts.append("## Commands\n\n" + calls_table(joined_calls(results["calls"])))
    return "\n".join(parts)


def joined_calls(calls):
    """Calls that differ in a level alone as one."""
    joined = {}
    for call in calls:
        command = re.sub(r"--level \d+", "--level N", call["command"])
        before = joined.get(command, {"seconds": 0, "cpu_seconds": 0, "peak_mib": 0})
        joined[command] = {"command": command, "seconds": before["seconds"] + call["seconds"],
                           "cpu_seconds": before["cpu_seconds"] + call["cpu_seconds"],
                           "peak_mib": max(before["peak_mib"], call["peak_mib"])}
    return list(joined.values())


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("tables", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--budget", type=float, default=15, metavar="MINUTES",
                        help="time for all of it, by estimate (default 15)")
    parser.add_argument("--memory", default="12GiB", help="for each build (default 12GiB)")
    parser.add_argument("--threads", type=int, default=2, help="for each build (default 2)")
    parser.add_argument("--stones", type=int, help="Awari levels up to here, whatever the budget")
    parser.add_argument("--oware-seeds", type=int, help="Oware levels up to here, whatever the budget")
    parser.add_argument("--compare-seeds", type=int, default=22,
                        help="compare whole tables of Oware up to here, in Python, which takes its time (default 22)")
    parser.add_argument("--fact", action="append", default=[], metavar="NAME=VALUE", help="for the head of README.md")
    return parser.parse_args()


def main():
    options = parse_options()
    program = Program(options.binary, options.tables)
    program.shown = {str(options.tables / game): f"TABLES/{game}" for game in ("awari", "oware")}
    facts, spent = facts_of(program, options.fact), Budget()
    results = {"version": program.records("version")[0], "facts": facts, "awari": awari(program, options),
               "oware": oware(program, options)}
    results["version"]["commit"] = facts["commit"]
    results.update({"calls": program.calls, "seconds": round(spent.used, 1)})
    results["rules_digests"] = {rules: digest for game in ("awari", "oware")
                                for (_, rules), digest in rules_digests(options.tables / game).items()}
    compared = [*results["awari"]["levels"], *results["awari"]["positions"], *results["awari"]["starts"],
                *results["oware"]["levels"]]
    known = [record["as_published"] for record in compared if record["as_published"] is not None]
    results["as_published"] = all(known)
    facts["compared"] = f"{len(known)} records, {'all as published' if all(known) else '**NOT all as published**'}"
    for rules, digest in sorted(results["rules_digests"].items()):
        facts[f"rules digest, `{rules}`"] = f"`{digest}`"
    there = [level[key] for game in ("awari", "oware") for level in results[game]["levels"]
             for key in ("reused", "guarantee_reused") if key in level]
    facts["tables there before"] = there_before(sum(there), len(there))
    facts["threads"] = str(options.threads)
    facts["time"], facts["most memory"] = duration(spent.used), f"{program.peak_mib:,.0f} MiB"
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "results.json").write_text(json.dumps(results, separators=(",", ":")) + "\n")
    (options.folder / "README.md").write_text(readme(results))
    return 0 if all(known) else 1


if __name__ == "__main__":
    sys.exit(main())
