#!/usr/bin/env python3
"""Solves Urim as far as tables fit, with the program, and writes what comes out as results.

usage: urim_results.py PATH/TO/retrosow TABLES FOLDER [options]

  TABLES   folder for table files; levels that are there already are not built again
  FOLDER   gets results.json, README.md, *.svg, *.png

What is solved: every start of 2x1 to 2x7 with the same number of seeds in all pits for which tables fit, under the
default rules and under each other grand-slam and pit-limit rule; the levels of 2x6 with their values, distances and
moves, and the proof of those with distances; bounds for the full start of 2x7 (42 seeds) by search, that of 2x6 (36)
being searched by search_results.py; what their full solution would take.
Knows the game from the program's JSON alone. Plots need Debian's python3-matplotlib.
"""
import argparse
import pathlib
import shutil
import sys

from results_common import (Budget, Program, boards_to_level, calls_table, duration, facts_of, facts_table, rule_words,
                            rules_digests, signed, size, table, table_files, there_before, write_json)

DEFAULTS = {"--grand-slam": "capture", "--pit-limit-rule": "skip", "--pit-limit": "17"}
# One option at a time is not the default's.
VARIANTS = (("--grand-slam", "leave"), ("--grand-slam", "forbid"), ("--pit-limit-rule", "forbid"), ("--pit-limit", "0"))
BOARDS = range(1, 8)  # pits in a row
TRADITIONAL = ((6, 3), (7, 3))  # pits in a row, seeds a pit: the starts that nobody has solved
MOST_SEEDS_A_PIT = 17  # a start must not be above the pit limit
MOST_SEEDS = 127  # of a level, see the program's limits


def limit_of(variant):
    return int(variant[1]) if variant and variant[0] == "--pit-limit" else 17


def variant_words(variant):
    return ["--game", "urim", *(variant or ())]


def variant_name(variant):
    return " ".join(variant).lstrip("-") if variant else "default"


def top_level(pits, variant, options):
    """The highest level to build, a multiple of 2k where that is a start, and the number of boards up to it."""
    limit = limit_of(variant)
    cheap, seeds_for_all = ((options.variant_boards, options.variant_seeds) if variant
                            else (options.cheap_boards, options.table_seeds))
    best = 0
    for seeds_a_pit in range(1, MOST_SEEDS_A_PIT + 1):
        seeds = 2 * pits * seeds_a_pit
        if seeds > MOST_SEEDS:
            break
        boards = boards_to_level(pits, seeds, limit)
        if boards <= options.max_boards and (seeds <= seeds_for_all or boards <= cheap):
            best = seeds
    if variant is None and (pits, 3) in TRADITIONAL:  # the search reads what tables there are
        wanted = options.table_seeds if pits == 6 else options.table_seeds_7
        while wanted > best and boards_to_level(pits, wanted, limit) > options.max_boards:
            wanted -= 1
        best = max(best, wanted)
    return best, boards_to_level(pits, best, limit)


def plan_of(options):
    """What to build, in the order in which it is worth most: (pits, variant, top level, boards)."""
    jobs = []
    for variant in (None, *VARIANTS):
        for pits in BOARDS:
            if pits <= options.max_pits:
                top, boards = top_level(pits, variant, options)
                if top:
                    jobs.append((pits, variant, top, boards))
    return sorted(jobs, key=lambda job: (job[1] is not None, job[3]))


def trial_rates(program, options):
    """Positions a second that builds make here, by pits in a row: small boards with many seeds are slower."""
    rates = {}
    for pits, _, top, _ in plan_of(options):  # default rules first
        if pits not in rates:
            whole = program.records("estimate", "--pits", pits, "--seeds", top, limit_allowed=True)[-1]
            rates[pits] = whole["positions"] / max(whole["seconds"], 1e-3)
    return rates


def build_all(program, budget, rates, options):
    built = []
    for pits, variant, top, boards in plan_of(options):
        what = f"tables of 2x{pits} to {top} seeds, {variant_name(variant)}"
        if not budget.allows(what, boards / rates[pits]):
            if variant is not None:
                continue
            # The default rules go as far as half of what is left lets them.
            while top and boards_to_level(pits, top, limit_of(variant)) / rates[pits] > budget.left / 2:
                top -= 1
            if not top:
                continue
        levels = program.records("build", *variant_words(variant), "--pits", pits, "--seeds", top, "--out", program.tables,
                                 "--quiet", *program.limits)
        built.append({"pits": pits, "variant": variant_name(variant), "rules": levels[0]["rules"],
                      "levels": [{**{key: level[key] for key in ("seeds", "positions", "bytes", "digest", "reused")},
                                  "seconds": None if level["reused"] else level["seconds"]} for level in levels],
                      "words": variant_words(variant)})
    return built


def solve_starts(program, built):
    starts = []
    for tables in built:
        pits, top = tables["pits"], tables["levels"][-1]["seeds"]
        row = {seeds: ",".join([str(seeds)] * pits) for seeds in range(1, top // (2 * pits) + 1)}
        if not row:
            continue
        lines = "".join(f"{text}/{text}\n" for text in row.values())
        records = program.records("probe", "-", *tables["words"], "--captured", "0,0", "--tables", program.tables,
                                  lines=lines)
        for seeds_a_pit, record in zip(row, records):
            record.update({"variant": tables["variant"], "pits": pits, "seeds_a_pit": seeds_a_pit})
            starts.append(record)
    return sorted(starts, key=lambda start: (start["variant"] != "default", start["variant"], start["pits"],
                                             start["seeds_a_pit"]))


def compare_variants(built, starts):
    """For each other rule: from which level on values differ from the default's, and which starts do."""
    defaults = {tables["pits"]: {level["seeds"]: level["digest"] for level in tables["levels"]}
                for tables in built if tables["variant"] == "default"}
    of_default = {(start["pits"], start["seeds_a_pit"]): start for start in starts if start["variant"] == "default"}
    compared = []
    for tables in built:
        if tables["variant"] == "default" or tables["pits"] not in defaults:
            continue
        pits, own = tables["pits"], {level["seeds"]: level["digest"] for level in tables["levels"]}
        both = sorted(own.keys() & defaults[pits].keys())
        if tables["variant"] == variant_name(("--pit-limit", "0")):
            both = [seeds for seeds in both if seeds <= 17]  # above, there are boards that the default does not have
        pairs = [(start, of_default.get((pits, start["seeds_a_pit"]))) for start in starts
                 if start["pits"] == pits and start["variant"] == tables["variant"]]
        pairs = [(start, default) for start, default in pairs if default]
        compared.append({
            "pits": pits, "variant": tables["variant"], "rules": tables["rules"], "levels_compared": len(both),
            "last_level_compared": both[-1] if both else None,
            "first_level_that_differs": next((n for n in both if own[n] != defaults[pits][n]), None),
            "starts_compared": len(pairs),
            "values_differ": [start["seeds_a_pit"] for start, default in pairs if start["value"] != default["value"]],
            "best_differ": [start["seeds_a_pit"] for start, default in pairs
                            if start["value"] == default["value"] and start["best"] != default["best"]],
            "points_differ": [start["seeds_a_pit"] for start, default in pairs
                              if start["match_points"] != default["match_points"]]})
    return compared


def study_levels(program, budget, rate, built, options):
    """The levels of one board, as far as they were built, with values, distances, moves and guarantees; of each level a
    line of the longest distance; the records of the tables of distances, and of guarantees, that builds name."""
    pits = options.level_pits
    top = next(tables["levels"][-1]["seeds"] for tables in built
               if tables["pits"] == pits and tables["variant"] == "default")
    words = ["--game", "urim", "--pits", pits]
    distances, guarantees = [], []
    with_distances = min(options.distance_seeds, top)
    if budget.allows(f"distances to {with_distances} seeds", 2 * boards_to_level(pits, with_distances, 17) / rate):
        built_now = program.records("build", *words, "--seeds", with_distances, "--distance", "--out", program.tables,
                                    "--quiet", *program.limits)
        distances = [{"seeds": level["seeds"], "positions": level["positions"], **level["distance"]}
                     for level in built_now]
    guarantee_seeds = min(options.guarantee_seeds, top)
    if budget.allows(f"guarantees to {guarantee_seeds} seeds", 4 * boards_to_level(pits, guarantee_seeds, 17) / rate):
        guarantees = [level["guarantee"] for level in program.records(
            "build", *words, "--seeds", guarantee_seeds, "--guarantees", "--out", program.tables, "--quiet",
            *program.limits)]
    levels = program.records("stats", *words, "--moves", "--tables", program.tables)
    levels = [level for level in levels if level["seeds"] <= top]
    for level in levels:
        add_shares(level)
    known = [level for level in levels if level.get("longest_distance") is not None]
    lines = program.records("line", "-", *words, "--tables", program.tables, lines="".join(
        f"{level['longest_distance_position']}\n" for level in known)) if known else []
    return levels, [{"seeds": level["seeds"], **line} for level, line in zip(known, lines)], distances, guarantees


def short_line(line):
    """A line without what can be had by playing it, and with the ply of its first capture, or None."""
    capture = next((at for at, ply in enumerate(line["line"], 1) if ply["captured"]), None)
    kept = ("seeds", "position", "value", "distance", "plies", "end", "end_position", "first_ply", "final")
    return {**{key: line[key] for key in kept if key in line}, "first_capture": capture,
            "pits": [ply["pit"] for ply in line["line"]]}


def prove_levels(program, budget, rate, levels, options):
    """Verifies the levels that have distances, in a folder that holds nothing else. Returns the program's record, or None.

    The files are the same ones, by hard links. Guarantees are left out: to prove them takes many times as long.
    """
    last = max((level["seeds"] for level in levels if level.get("distance_digest")), default=None)
    if last is None or not budget.allows(f"proof of the levels to {last} "
                                         f"seeds", 3 * boards_to_level(options.level_pits, last, 17) / rate):
        return None
    folder = pathlib.Path(f"{program.tables}-proof")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    program.shown[str(folder)] = "LEVELS-WITH-DISTANCES"
    try:
        for file in table_files(program.tables):
            if (file["rules"] == levels[0]["rules"] and file["pits"] == options.level_pits and file["seeds"] <= last
                    and file["kind"] in ("values", "distances")):
                (folder / file["name"]).hardlink_to(pathlib.Path(program.tables) / file["name"])
        return {"seeds": last, **program.records("verify", "--tables", folder, *program.limits)[0]}
    finally:
        shutil.rmtree(folder)


def add_shares(level):
    """What follows from a level's counts.

    Parity: when play ends, all seeds have gone to one side or the other, so the value is odd if and only if their number
    is. A value of the other parity therefore rests on endless play. Where guarantees are there, the share is exact.
    """
    values = {int(value): count for value, count in level["values"].items()}
    positions = level["positions"]
    level["mean"] = sum(value * count for value, count in values.items()) / positions
    level["endless_by_parity"] = sum(count for value, count in values.items() if (value - level["seeds"]) % 2)
    if "forced" in level and level["endless_by_parity"] > positions - level["forced"]["values"]:
        sys.exit(f"level {level['seeds']}: more values rest on endless play by parity than by guarantees")
    if "moves" in level:
        moves = level["moves"]
        level["branching"] = moves["legal"] / positions
        level["capture_share"] = moves["captures"] / moves["legal"] if moves["legal"] else None
        level["seeds_a_capture"] = moves["captured"] / moves["captures"] if moves["captures"] else None


def endless_of(level):
    """Positions whose value rests on endless play being an even split, and those whose outcome does; None: not known."""
    if "forced" not in level:
        return None, None
    forced = level["forced"]
    return (level["positions"] - forced["values"],
            level["positions"] - forced["wins"] - forced["draws"] - forced["losses"])


def search_starts(program, budget, options):
    found = []
    for pits, seeds_a_pit in TRADITIONAL:
        if pits > options.max_pits or pits not in options.search_pits:
            continue
        if not budget.allows(f"search of 2x{pits}", options.search_seconds):
            continue
        record = program.records("solve", "start", "--game", "urim", "--pits", pits, "--seeds-per-pit", seeds_a_pit,
                                 "--method", "search", "--value-only", "--tables", program.tables, "--memory",
                                 options.search_memory, "--limit-seconds", options.search_seconds, *program.threads,
                                 limit_allowed=True)[0]
        record.update({"pits": pits, "limit_seconds": options.search_seconds})
        found.append(record)
    return found


def measured_rate(levels):
    """Positions a second of the largest of these levels that this run built, or None."""
    rates = [(level["positions"], level["positions"] / level["seconds"]) for level in levels
             if not level["reused"] and level["seconds"] > 0]
    return max(rates)[1] if rates else None


def estimate_full(program, built, distances, options):
    """What the full solution would take: values alone, and with the distances that prove them; by the program's
    forecast, and at the rates of the largest levels that this run built (distances: of --level-pits)."""
    found = []
    for pits, seeds_a_pit in TRADITIONAL:
        rate = measured_rate([level for tables in built if tables["pits"] == pits and tables["variant"] == "default"
                              for level in tables["levels"]])
        rate_of_distances = measured_rate(distances) if pits == options.level_pits else None
        for extra in ((), ("--distance",)):
            records = program.records("estimate", "--game", "urim", "--pits", pits, "--seeds", 2 * pits * seeds_a_pit, *extra,
                                      limit_allowed=True)
            rates = [rate, rate_of_distances] if extra else [rate]
            measured = records[-1]["positions"] * sum(1 / each for each in rates) if all(rates) else None
            found.append({"pits": pits, "seeds": 2 * pits * seeds_a_pit, "distance": bool(extra),
                          "largest_level": records[-2]["positions"], "measured_rate": rate,
                          "measured_seconds": measured, **records[-1]})
    return found


# ------------------------------------------------------------------ README.md


def best_text(record):
    return ", ".join(map(str, record["best"])) or "no move"


def points_text(record):
    return f"{record['match_points']['mover']} : {record['match_points']['opponent']}"


def starts_table(starts):
    rows = [(f"2x{start['pits']}", start["seeds_a_pit"], start["seeds"], signed(start["value"]), best_text(start),
             ", ".join(f"{move['pit']}: {signed(move['value'])}" for move in start["moves"]), points_text(start))
            for start in starts if start["variant"] == "default"]
    return table(("board", "seeds a pit", "seeds", "value", "best moves", "pit: value", "match points"), rows,
                 ("seeds a pit", "seeds", "value"))


def variants_table(compared):
    def numbers(list_of):
        return ", ".join(map(str, list_of)) or "none"

    rows = []
    for entry in sorted(compared, key=lambda entry: (entry["variant"], entry["pits"])):
        first = entry["first_level_that_differs"]
        rows.append((f"`--{entry['variant']}`", f"2x{entry['pits']}", entry["last_level_compared"],
                     "none" if first is None else first, entry["starts_compared"], numbers(entry["values_differ"]),
                     numbers(entry["best_differ"]), numbers(entry["points_differ"])))
    return table(("rule", "board", "levels compared to", "first with other "
                                                         "values", "starts", "other value at seeds a pit",
                  "same value, other best moves", "other match points"), rows,
                 ("levels compared to", "first with other values", "starts"))


def changed_starts_table(starts):
    of_default = {(start["pits"], start["seeds_a_pit"]): start for start in starts if start["variant"] == "default"}
    rows = []
    for start in starts:
        default = of_default.get((start["pits"], start["seeds_a_pit"]))
        if start["variant"] == "default" or default is None:
            continue
        if (start["value"], start["best"]) != (default["value"], default["best"]):
            rows.append((f"`--{start['variant']}`", f"2x{start['pits']}", start["seeds_a_pit"], signed(default["value"]),
                         signed(start["value"]), best_text(default), best_text(start), points_text(start)))
    return table(("rule", "board", "seeds a pit", "default value", "value", "default best", "best", "match points"), rows,
                 ("seeds a pit", "default value", "value"))


def percent(part, whole, digits=1):
    return f"{100 * part / whole:.{digits}f} %" if whole else "-"


def levels_table(levels):
    rows = []
    for level in levels:
        values, outcomes = (None if count is None else percent(count, level["positions"]) for count in endless_of(level))
        rows.append((level["seeds"], f"{level['positions']:,}", percent(level["wins"], level["positions"]),
                     percent(level["draws"], level["positions"]), percent(level["losses"], level["positions"]),
                     f"{level['mean']:+.3f}", percent(level["endless_by_parity"], level["positions"]),
                     values or "-", outcomes or "-",
                     level.get("longest_distance") if level.get("longest_distance") is not None else "-",
                     f"{level['branching']:.3f}" if "branching" in level else "-",
                     percent(level["moves"]["captures"], level["moves"]["legal"]) if "moves" in level else "-",
                     f"{level['seeds_a_capture']:.2f}" if level.get("seeds_a_capture") else "-",
                     percent(level["moves"]["over"], level["positions"]) if "moves" in level else "-",
                     f"`{level['digest']}`"))
    heads = ("seeds", "positions", "wins", "draws", "losses", "mean", "endless by parity", "value rests on endless "
                                                                                           "play",
             "outcome does", "longest distance", "moves a position", "that capture", "seeds a capture", "game over",
             "digest of the values")
    return table(heads, rows, heads)


def histogram_table(levels):
    """Values of the highest levels; all are in results.json."""
    shown = levels[-3:]
    values = sorted({int(value) for level in shown for value in level["values"]})
    rows = [(signed(value), *(f"{level['values'].get(str(value), 0):,}" for level in shown)) for value in values]
    heads = ["value", *(f"{level['seeds']} seeds" for level in shown)]
    return table(heads, rows, heads)


def bounds_text(record):
    if "value" in record:
        return f"value {signed(record['value'])}"
    return f"{signed(record['bounds'][0])} to {signed(record['bounds'][1])}"


def bounds_table(found):
    rows = [(f"2x{record['pits']}", f"`{record['position']}`", bounds_text(record), f"{record['seconds']:.0f}",
             f"{record['nodes']:,}", f"{record['table_values']:,}", record["depth"]) for record in found]
    return table(("board", "start", "proved", "seconds", "positions entered", "values from "
                                                                              "tables", "depth, plies"), rows,
                 ("seconds", "positions entered", "values from tables", "depth, plies"))


def full_table(estimates):
    def answer(fits):
        return "yes" if fits else "no"

    rows = [(f"2x{record['pits']}", record["seeds"], "values and distances" if record["distance"] else "values",
             f"{record['positions']:,}", f"{record['largest_level']:,}", size(record["least_memory"]),
             size(record["comfortable_memory"]), answer(record["fits_memory"]), size(record["bytes"]),
             size(record["scratch"]) if record["scratch"] else "-", answer(record["fits_disk"]),
             duration(record["seconds"]), f"{record['trial_rate']:,}",
             duration(record["measured_seconds"]) if record["measured_seconds"] else "-") for record in estimates]
    heads = ("board", "seeds", "tables", "positions", "largest level", "least memory", "comfortable memory",
             "least memory is free", "disk", "scratch disk besides", "so much disk is free", "time by forecast",
             "positions/s in the trial", "time at the rate measured")
    return table(heads, rows, [head for head in heads if head not in ("board", "tables") and not head.endswith("free")])


def full_text(estimates):
    first = estimates[0]
    return ("What the full solution would take. Positions and memory are exact by `estimate`; disk and the first\n"
            "time are its forecasts, from a trial on this machine. The second time is what it would take if all of it\n"
            "went at the rate of the largest level that this run built, for distances added that of their largest. *Free*\n"
            f"is by what `estimate` found: {size(first['available_memory'])} of memory (80 % of what was available) and "
            f"{size(first['available_disk'])} of disk.\n"
            "With less than the comfortable memory a build reads lower levels more than once; neither time counts that.\n")


def goal_text(line):
    """What comes at a line's distance."""
    return ("capture" if line["first_capture"] == line["distance"] else "end") + f" with ply {line['distance']}"


def end_text(line):
    """How a line ends."""
    if line["end"] == "repetition":
        return f"comes to a repetition after {line['plies']} plies, of the position after {line['first_ply']}"
    return f"is {'over' if line['end'] == 'game-over' else 'cut'} after {line['plies']} plies"


def lines_table(lines):
    rows = [(line["seeds"], line["distance"], f"`{line['position']}`", signed(line["value"]), goal_text(line),
             end_text(line), f"{line['final']['mover']:g} : {line['final']['opponent']:g}",
             " ".join(map(str, line["pits"]))) for line in lines]
    return table(("seeds", "longest distance", "a board that has it", "value", "to the", "perfect play", "final count",
                  "pits sown"), rows, ("seeds", "longest distance", "value"))


def proof_text(proof):
    return (f"`verify` {'proved' if proof['proved'] else '**did not prove**'} the {proof['levels']} levels to "
            f"{proof['seeds']} seeds, {proof['positions']:,} boards, from their\n"
            f"distances in {duration(proof['seconds'])}; faults: {proof['fault_count']}.")


def rules_table(built):
    rules = {(tables["variant"], tables["rules"], tables["rules_digest"]) for tables in built}
    in_order = sorted(rules, key=lambda row: (row[0] != "default", row))
    rows = [(name, f"`{text}`", f"`{digest}`") for name, text, digest in in_order]
    return table(("rules", "text", "digest"), rows)


def readme(results):
    levels, pits = results["levels"], results["levels"][0]["pits"]
    ours = [tables for tables in results["built"] if tables["variant"] == "default"]
    parts = ["# Urim, solved as far as tables fit\n",
             "Written by `scripts/urim_results`, like the files beside it; not to be edited. `results.json` has all\n"
             "records as the program prints them (`solver/cli/JSON.md`).\n", facts_table(results["facts"]),
             "Values are seeds for the player to move minus seeds for his opponent; match points are 2 for three "
             "quarters of\n"
             "the seeds, 1 for more than half, else 0.\n",
             "## Starts, default rules\n", starts_table(results["starts"]),
             "![Values of the starts](starts.svg)\n",
             "## Other rules\n",
             "Each differs from the default in one option. Levels are compared by digest: equal digests are equal "
             "values of\n"
             "all boards. Without a pit limit there are other boards from 18 seeds on, so levels are compared to 17 "
             "only.\n",
             variants_table(results["compared"]), "Starts that the rule "
                                                  "changes:\n", changed_starts_table(results["starts"]),
             f"## Levels of 2x{pits}, default rules\n",
             "Over all boards. *Endless by parity*: boards whose value is odd where the number of seeds is even, or "
             "even where\n"
             "it is odd; when play ends, all seeds have gone to one side or the other, so such a value rests on "
             "endless play.\n"
             "It is a lower bound of the share that does; the exact one needs guarantees.\n"
             if all(endless_of(level)[0] is None for level in levels) else
             "Over all boards. *Endless by parity*: boards whose value has another parity than the number of seeds, "
             "which play\n"
             "that ends cannot have. *Value rests on endless play*: what both sides can force by play that ends does "
             "not add up\n"
             "to all seeds. *Outcome does*: it does not even decide between win, draw and loss.\n",
             levels_table(levels)]
    if results["proof"]:
        parts += [proof_text(results["proof"]) + "\n"]
    parts += ["![Wins, draws and losses](outcomes.svg)\n", "![Values](values.svg)\n", "![Moves](moves.svg)\n"]
    if results["lines"]:
        parts += ["### Longest distances, level by level\n",
                  "Distance: plies to the next capture or the end, the winner hurrying and the loser delaying. An\n"
                  "example for each level with a position that has one, its line as `retrosow line` plays it: a\n"
                  "position of value 0 has no distance, and a line that comes to one goes on to the first repetition,\n"
                  "which is an even split of what is on the board.\n",
                  "![Longest distances](distances.svg)\n", lines_table(results["lines"])]
    parts += ["### Value counts of the highest levels\n", histogram_table(levels), "## The traditional starts\n"]
    if results["bounds"]:
        parts += ["Bounds proved by search with the tables above, within a limit of time:\n",
                  bounds_table(results["bounds"])]
    if 6 not in {record["pits"] for record in results["bounds"]}:
        parts += ["The start of 2x6, 36 seeds, is searched by `scripts/search_results`: "
                  "[its results](../search/README.md).\n"]
    parts += [full_text(results["full"]), full_table(results["full"])]
    rows = [(f"2x{tables['pits']}", tables["variant"], f"`{tables['rules_digest'][:12]}…`",
             tables["levels"][-1]["seeds"], f"{sum(level['positions'] for level in tables['levels']):,}",
             f"{sum(level['bytes'] for level in tables['levels']):,}", f"`{tables['levels'][-1]['digest']}`")
            for tables in results["built"]]
    parts += ["## Tables\n", rules_table(results["built"]),
              f"{len(ours)} boards under the default rules, {len(rows) - len(ours)} under others. Digests of all "
              "levels are in `results.json`.\n",
              table(("board", "rules", "rules digest", "to seeds", "positions", "bytes", "digest of the last "
                                                                                         "level"), rows,
                    ("to seeds", "positions", "bytes"))]
    if results["left_out"]:
        parts += ["Left out for want of time: " + "; ".join(results["left_out"]) + ".\n"]
    parts += ["## Commands\n", calls_table(results["calls"])]
    return "\n".join(part for part in parts if part)


def claims_of(results):
    """What results/README.md is to list: claim, command, file, figure."""
    levels, claims = results["levels"], []
    starts = [start for start in results["starts"] if start["variant"] == "default"]
    command = results["facts"].get("command", "scripts/urim_results").strip("`")
    pits = levels[0]["pits"]
    over = sum(1 for start in starts if not start["moves"])
    claims.append({"claim": f"Value, best moves and match points of {len(starts)} starts of Urim, 2x1 to "
                            f"2x{max(start['pits'] for start in starts)}"
                            + (f"; {over} of them have no legal move" if over else ""), "command": command,
                   "file": "README.md#starts-default-rules", "figure": "starts.svg"})
    changed = sorted({entry["variant"] for entry in results["compared"] if entry["values_differ"] or entry["best_differ"]})
    claims.append({"claim": "Rules that change the value or the best moves of a start: "
                            + (", ".join(f"`--{name}`" for name in changed) or "none"), "command": command,
                   "file": "README.md#other-rules", "figure": None})
    top = levels[-1]
    claims.append({"claim": f"Of the {top['positions']:,} boards of 2x{pits} with {top['seeds']} seeds "
                            f"{percent(top['wins'], top['positions'])} are won, "
                            f"{percent(top['draws'], top['positions'])} "
                            f"drawn, {percent(top['losses'], top['positions'])} lost for the player to move",
                   "command": command, "file": f"README.md#levels-of-2x{pits}-default-rules",
                   "figure": "outcomes.svg"})
    if top.get("moves", {}).get("legal"):
        claims.append({"claim": f"2x{pits} with {top['seeds']} seeds: {top['branching']:.2f} legal moves a "
                                f"board on average over all boards; "
                                f"{percent(top['moves']['captures'], top['moves']['legal'])} of them capture, "
                                f"{top['seeds_a_capture'] or 0:.2f} seeds each", "command": command,
                       "file": f"README.md#levels-of-2x{pits}-default-rules", "figure": "moves.svg"})
    if results["line"]:
        known = [level["seeds"] for level in levels if level.get("distance_digest")]
        claims.append({"claim": f"Longest distance to a capture or the end on 2x{pits}, boards with "
                                f"{known[0]} to {known[-1]} seeds: {results['line']['distance']} plies; an example of "
                                f"each level",
                       "command": command, "file": "README.md#longest-distances-level-by-level",
                       "figure": "distances.svg"})
    proof = results["proof"]
    if proof and proof["proved"]:
        claims.append({"claim": f"The values of 2x{pits} with 0 to {proof['seeds']} seeds, "
                                f"{proof['positions']:,} boards, are proved from the rules by `verify`",
                       "command": command, "file": f"README.md#levels-of-2x{pits}-default-rules",
                       "figure": None})
    for record in results["bounds"]:
        low, high = record.get("bounds", [record.get("value")] * 2)
        claims.append({"claim": f"The start of 2x{record['pits']} with 3 seeds a pit: {bounds_text(record)}, proved by "
                                f"search with tables in {duration(record['seconds'])}",
                       "command": command, "file": "README.md#the-traditional-starts", "figure": None,
                       "proved": {"rules": record["rules"], "position": record["position"], "low": low, "high": high}})
    for record in results["full"]:
        if not record["distance"]:
            measured = record["measured_seconds"]
            claims.append({"claim": f"The full solution of 2x{record['pits']} at {record['seeds']} seeds: "
                                    f"{record['positions']:,} positions, {size(record['least_memory'])} of memory, "
                                    f"{size(record['bytes'])} of disk, {duration(record['seconds'])} on this machine "
                                    "by forecast"
                                    + (f", {duration(measured)} at the rate measured" if measured else ""),
                           "command": command, "file": "README.md#the-traditional-starts", "figure": None})
    return claims


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("tables")
    parser.add_argument("folder", type=pathlib.Path)
    count = lambda text: int(float(text))  # noqa: E731  (1.3e9 is a count)
    parser.add_argument("--plan", action="store_true", help="print what would be built and how long it takes, and end")
    parser.add_argument("--seconds", type=float, help="budget; what does not fit any more is left out and named")
    parser.add_argument("--max-pits", type=int, default=7, help="boards 2x1 to 2xK (default 7)")
    parser.add_argument("--max-boards", type=count, default=1_300_000_000,
                        help="of all levels of one board and rule set together (default 1.3e9)")
    parser.add_argument("--table-seeds", type=int, default=24, help="levels to solve wherever --max-boards allows "
                                                                    "(default 24)")
    parser.add_argument("--cheap-boards", type=count, default=1_100_000_000,
                        help="levels above --table-seeds are solved while boards are no more than this (default 1.1e9)")
    parser.add_argument("--variant-seeds", type=int, default=24, help="the same as --table-seeds under other rules")
    parser.add_argument("--variant-boards", type=count, default=100_000_000, help="as --cheap-boards under other rules")
    parser.add_argument("--table-seeds-7", type=int, default=18, help="levels of 2x7 for its search (default 18)")
    parser.add_argument("--level-pits", type=int, default=6, help="the board whose levels are studied (default 6)")
    parser.add_argument("--distance-seeds", type=int, default=20, help="levels with distances, which prove them (default 20)")
    parser.add_argument("--guarantee-seeds", type=int, default=20, help="levels with guarantees (default 20)")
    parser.add_argument("--search-pits", type=lambda text: [int(pits) for pits in text.split(",") if pits], default=[7],
                        help="traditional starts to search (default 7; search_results.py searches that of 2x6)")
    parser.add_argument("--search-seconds", type=float, default=480, help="for each of these starts (default 480)")
    parser.add_argument("--search-memory", default="4GiB", help="of the search's transposition table")
    parser.add_argument("--memory", help="for builds, such as 8GiB")
    parser.add_argument("--threads", type=int, help="default: all cores")
    parser.add_argument("--no-plots", action="store_true", help="do without matplotlib")
    parser.add_argument("--fact", action="append", default=[], metavar="NAME=VALUE", help="for the head of README.md")
    return parser.parse_args()


def print_plan(rates, options):
    total, rate = 0, rates[options.level_pits]
    for pits, variant, top, count in plan_of(options):
        total += count / rates[pits]
        print(f"2x{pits} to {top:3} seeds  {count:14,} boards  {count / rates[pits]:7.1f} s  {variant_name(variant)}")
    def boards(seeds):
        return boards_to_level(options.level_pits, seeds, 17)

    rest = {"distances": 2 * boards(options.distance_seeds) / rate,
            "guarantees": 4 * boards(options.guarantee_seeds) / rate,
            "proof": 3 * boards(options.distance_seeds) / rate,
            "counting moves and values": boards(options.table_seeds) / 25e6,
            "search": len(options.search_pits) * options.search_seconds}
    print(", ".join(f"{what} {seconds:.0f} s" for what, seconds in rest.items()))
    total += sum(rest.values())
    print(f"in all about {duration(total)}, at {rate / 1e6:.1f} million positions a second on 2x{options.level_pits}")


def main():
    options = parse_options()
    program = Program(options.binary, options.tables)
    program.threads = ["--threads", options.threads] if options.threads else []
    program.limits = program.threads + (["--memory", options.memory] if options.memory else [])
    too_little = f"too little for a start and for levels of 2x{options.level_pits}; give more --seconds or --max-boards"
    rates = trial_rates(program, options)
    if options.level_pits not in rates:
        sys.exit(too_little)
    print_plan(rates, options)
    if options.plan:
        return
    if not options.no_plots:
        import urim_plots  # before minutes of work
    budget = Budget(options.seconds)
    facts = facts_of(program, options.fact)
    built = build_all(program, budget, rates, options)
    starts = solve_starts(program, built)
    if not starts or (options.level_pits, "default") not in {(tables["pits"], tables["variant"]) for tables in built}:
        sys.exit(too_little)
    levels, lines, distances, guarantees = study_levels(program, budget, rates[options.level_pits], built, options)
    proof = prove_levels(program, budget, rates[options.level_pits], levels, options)
    bounds = search_starts(program, budget, options)
    full = estimate_full(program, built, distances, options)
    digests = rules_digests(program.tables)
    for tables in built:
        del tables["words"]
        tables["rules_digest"] = digests["urim", tables["rules"]]
    values = [level for tables in built for level in tables["levels"]]
    there = [level["reused"] for level in [*values, *distances, *guarantees]]
    facts["tables there before"] = there_before(sum(there), len(there))
    facts["most memory"] = f"{program.peak_mib:,.0f} MiB"
    facts["time"] = duration(budget.used)
    results = {"facts": facts, "built": built, "starts": starts, "compared": compare_variants(built, starts),
               "levels": levels, "line": max(lines, key=lambda line: line["distance"], default=None),
               "lines": [short_line(line) for line in lines], "proof": proof, "bounds": bounds, "full": full,
               "left_out": budget.left_out, "calls": program.calls}
    results["claims"] = claims_of(results)
    if options.no_plots:
        for claim in results["claims"]:
            claim["figure"] = None
    write_json(options.folder / "results.json", results)
    (options.folder / "README.md").write_text(readme(results), encoding="utf-8")
    if not options.no_plots:
        urim_plots.draw(results, options.folder)


if __name__ == "__main__":
    main()
