#!/usr/bin/env python3
"""Computes committed results again, within a budget of time, and compares.

usage: reproduce_all.py PATH/TO/retrosow RESULTS [--budget 30m] [--only NAME,...] [--keep FOLDER]

  RESULTS   folder with NAME/*.json, as the scripts *_results write them

It needs no knowledge of who wrote a result: every record with `rules`, `seeds`, `positions` and `digest` is a level of a
table, every one with `rules`, `position` and `value` a position, every one with `rules` and `states` a match. What is
least work comes first. Exit code 1: something differs, or nothing could be compared.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import sys
import tempfile

from results_common import Budget, Program, duration, rule_words, table

RIO = "rio-kadalis"
# Tables beside that of the values: key of the digest in a committed level, key of the program's record, option of build.
SECOND_TABLES = (("distance_digest", "distance", "--distance"), ("guarantee_digest", "guarantee", "--guarantees"))


def seconds_of(text):
    parts = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if not parts:
        raise argparse.ArgumentTypeError("a number with s, m or h, such as 30m")
    return float(parts[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[parts[2]]


# ------------------------------------------------------------------ what is committed


class Committed:
    """The levels, positions and matches that a result's JSON files hold."""

    def __init__(self, folder):
        self.name = folder.name
        self.levels = collections.defaultdict(dict)  # (game, rules, pits, start) -> seeds -> record
        self.positions = {}  # (game, rules, position) -> record
        self.matches = []
        for path in sorted(folder.glob("*.json")):
            self.read(json.loads(path.read_text(encoding="utf-8")), {})

    def read(self, data, around):
        """`around`: game, rules and pits of what this is part of."""
        if isinstance(data, list):
            for item in data:
                self.read(item, around)
            return
        if not isinstance(data, dict):
            return
        here = {**around, **{key: data[key] for key in ("game", "rules", "pits") if isinstance(data.get(key), (str, int))}}
        if "rules" in here and "game" not in here:
            here["game"] = RIO if "endless-sow" in here["rules"] else "urim"
        if {"seeds", "positions", "digest"} <= data.keys() and "rules" in here:
            self.add_level(data, here)
        elif {"position", "value", "best"} <= data.keys() and "rules" in here:
            self.positions.setdefault((here["game"], here["rules"], data["position"]), data)
        if {"states", "starter"} <= data.keys():
            self.matches.append({**here, **data})
        for key, value in data.items():
            if key != "states":
                self.read(value, here)

    def add_level(self, data, here):
        if here["game"] == RIO and "start" not in data:
            return
        key = (here["game"], here["rules"], here.get("pits", 6) if here["game"] != RIO else None, data.get("start"))
        known = self.levels[key].setdefault(data["seeds"], {})
        kept = ("positions", "digest", "values", *(name for name, _, _ in SECOND_TABLES))
        known.update({name: data[name] for name in kept if name in data})


# ------------------------------------------------------------------ doing it again


class Comparison:
    """Counts what is the same and keeps what is not."""

    def __init__(self):
        self.same, self.different = collections.Counter(), []

    def add(self, kind, what, committed, again):
        if committed == again:
            self.same[kind] += 1
        else:
            self.different.append((kind, what, committed, again))


def positions_to(levels, seeds):
    return sum(record["positions"] for level, record in levels.items() if level <= seeds)


def again_levels(program, folder, key, levels, top, comparison):
    """Builds the levels up to `top` and compares them."""
    game, rules, pits, start = key
    words = rule_words(game, rules)
    what = start if game == RIO else f"2x{pits}"
    build = [start] if game == RIO else ["--pits", pits, "--seeds", top]
    built = program.records("build", *build, *words, "--out", folder, "--quiet")
    for key_of_digest, kind, option in SECOND_TABLES:
        wanted = [level for level, record in levels.items() if key_of_digest in record and level <= top]
        if wanted:
            last = [start] if game == RIO else ["--pits", pits, "--seeds", max(wanted)]
            for record in program.records("build", *last, *words, option, "--out", folder, "--quiet"):
                if record["seeds"] in wanted:
                    comparison.add(f"{kind}s", f"{game} {what}, {record['seeds']} seeds, {rules}",
                                   levels[record["seeds"]][key_of_digest], record[kind]["digest"])
    for record in built:
        if record["seeds"] in levels:
            comparison.add("levels", f"{game} {what}, {record['seeds']} seeds, {rules}",
                           levels[record["seeds"]]["digest"], record["digest"])
    counted = {level: record["values"] for level, record in levels.items() if "values" in record and level <= top}
    if counted:
        select = [] if game == RIO else ["--pits", pits]
        for record in program.records("stats", *words, *select, "--tables", folder):
            if record["seeds"] in counted and (game != RIO or record["start"] == start):
                comparison.add("counts", f"{game} {what}, {record['seeds']} seeds, {rules}", counted[record["seeds"]],
                               record["values"])


def seeds_on(position):
    return sum(int(pit) for pit in re.split("[,/]", position) if pit != "x")


def again_positions(program, folder, committed, built, comparison):
    """Probes the positions that the built tables hold."""
    by_rules = collections.defaultdict(list)
    for (game, rules, position), record in committed.positions.items():
        pits = len(position.split("/")[0].split(","))
        for (other_game, other_rules, other_pits, start), top in built.items():
            held = start == position if game == RIO else (pits == other_pits and seeds_on(position) <= top)
            if (game, rules) == (other_game, other_rules) and held:
                by_rules[game, rules].append(record)
                break
    for (game, rules), records in by_rules.items():
        lines = "".join(record["position"] + "\n" for record in records)
        for record, again in zip(records, program.records("probe", "-", *rule_words(game, rules), "--tables", folder,
                                                          lines=lines)):
            comparison.add("positions", f"{game} {record['position']}, {rules}", (record["value"], record["best"]),
                           (again["value"], again["best"]))


def again_matches(program, folder, committed, comparison):
    for match in committed.matches:
        states = program.records("match", *rule_words(RIO, match["rules"]), "--pits", match["pits"], "--starter",
                                 match["starter"], "--tables", folder)
        for before, after in zip(match["states"], states):
            comparison.add("match states", f"match 2x{match['pits']} {match['starter']}, "
                                           f"{before['stones']}", before, after)
        comparison.add("matches", f"match 2x{match['pits']} {match['starter']}", len(match["states"]), len(states))


def work_of(levels, top):
    """Positions to solve, each second table as work of two; a budget ends what that gets wrong."""
    return positions_to(levels, top) + sum(2 * record["positions"] for level, record in levels.items() if level <= top
                                           for key, _, _ in SECOND_TABLES if key in record)


def reproduce(program, committed, budget, rate, folder):
    """Again what fits. Returns the comparison, and how many levels were left out."""
    comparison, left_out, built = Comparison(), 0, {}
    for key, levels in sorted(committed.levels.items(), key=lambda item: work_of(item[1], max(item[1]))):
        game = key[0]
        tops = [max(levels)] if game == RIO else sorted(levels, reverse=True)
        speed = rate / 8 if game == RIO else rate  # relays are slower
        top = next((top for top in tops if work_of(levels, top) / speed <= budget.left / 2), None)
        left_out += sum(1 for level in levels if top is None or level > top)
        if top is None:
            continue
        again_levels(program, folder, key, levels, top, comparison)
        built[key] = top
    again_positions(program, folder, committed, built, comparison)
    every_round = all(key in built for key in committed.levels)
    if committed.matches and every_round and budget.left > 0:
        again_matches(program, folder, committed, comparison)
    return comparison, left_out


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--budget", type=seconds_of, default=1800.0, help="such as 90s, 30m, 2h (default 30m)")
    parser.add_argument("--only", type=lambda text: text.split(","), help="results by name, such as urim,rio-kadalis")
    parser.add_argument("--keep", help="folder for tables; what is there already is not built again, so it proves less")
    return parser.parse_args()


def main():
    options = parse_options()
    found = [Committed(folder) for folder in sorted(options.results.iterdir()) if folder.is_dir()]
    found = [committed for committed in found if committed.levels or committed.positions]
    if options.only:
        found = [committed for committed in found if committed.name in options.only]
    budget = Budget(options.budget)
    tables = options.keep or tempfile.mkdtemp(prefix="retrosow-reproduce-")
    program = Program(options.binary, tables)
    rows, different, total = [], [], 0
    try:
        trial = program.records("estimate", "--pits", 6, "--seeds", 16, limit_allowed=True)[-1]
        rate = trial["positions"] / max(trial["seconds"], 1e-3)
        # A share of the budget for each, what one leaves goes to the next.
        for at, committed in enumerate(found):
            share = Budget(budget.left / (len(found) - at))
            folder = str(pathlib.Path(tables) / committed.name)
            program.shown[folder] = "TABLES"
            comparison, left_out = reproduce(program, committed, share, rate, folder)
            if not options.keep:
                shutil.rmtree(folder, ignore_errors=True)
            kinds = sorted(set(comparison.same) | {kind for kind, *_ in comparison.different})
            for kind in kinds:
                bad = sum(1 for other, *_ in comparison.different if other == kind)
                rows.append((committed.name, kind, comparison.same[kind], bad, left_out if kind == "levels" else "",
                             duration(share.used)))
                total += comparison.same[kind] + bad
            if not kinds:
                rows.append((committed.name, "levels", 0, 0, left_out, duration(share.used)))
            different += [(committed.name, *entry) for entry in comparison.different]
    finally:
        if not options.keep:
            shutil.rmtree(tables, ignore_errors=True)
    print(table(("result", "compared", "the same", "different", "levels left out", "time"), rows,
                ("the same", "different", "levels left out", "time")))
    for name, kind, what, committed, again in different:
        print(f"DIFFERENT  {name}, {kind}: {what}\n  committed  {committed}\n  again      {again}")
    print(f"{total} comparisons, {len(different)} different, {duration(budget.used)}")
    if different or not total:
        sys.exit(1)


if __name__ == "__main__":
    main()
