#!/usr/bin/env python3
"""Solves Rio Kadalis, rounds and match, with the program, and writes what comes out as results.

usage: rio_results.py PATH/TO/retrosow TABLES FOLDER [options]

  TABLES   folder for the tables of the rounds of matches; those of the other starts go to TABLES-starts. What is there
           already is not built again.
  FOLDER   gets results.json (all records), README.md (tables), levels.csv (every table's digest), *.svg (plots)

Knows the game from the program's JSON alone. Plots need Debian's python3-matplotlib. The exit code is that of the
first call of the program that fails for another reason than a limit.
"""
import argparse
import csv
import json
import pathlib

from results_common import Budget, Program, calls_table, duration, facts_of, facts_table, rules_digests, signed, table

ENDLESS = ("forbid", "draw")
STARTERS = ("alternate", "winner", "loser")
MATCH_STONES = 4  # a hole
START_STONES = range(1, 7)
LEVEL_KEYS = ("game", "rules", "start", "seeds", "positions", "digest")
OUT_OF_TIME = 124  # exit code of coreutils' timeout


def rules_of(endless):
    return ("--game", "rio-kadalis", "--endless-sow", endless)


def row(pits, open_holes):
    return ",".join([str(MATCH_STONES)] * open_holes + ["x"] * (pits - open_holes))


def round_starts(max_pits):
    """Starts of all rounds of all matches: as many holes as there are on one side at least."""
    for pits in range(1, max_pits + 1):
        for few in range(1, pits):
            yield pits, row(pits, few) + "/" + row(pits, pits)
            yield pits, row(pits, pits) + "/" + row(pits, few)
        yield pits, row(pits, pits) + "/" + row(pits, pits)


def build_rounds(program, options):
    """Records of the starts with 4 stones a hole: value, moves, line, levels."""
    rounds = []
    for endless in ENDLESS:
        for pits, start in round_starts(options.max_pits):
            extra = [*rules_of(endless)] + (["--distance"] if options.distance else [])
            program.records("build", start, "--out", program.tables, *extra)
            record = program.records("solve", start, "--tables", program.tables, *rules_of(endless))[0]
            record["pits"] = pits
            rounds.append(record)
        for level in program.records("stats", "--endless", "--longest-relay", "--tables", program.tables,
                                     *rules_of(endless)):
            for record in rounds:
                if record["rules"] == level["rules"] and record["position"] == level["start"]:
                    record.setdefault("levels", []).append(level)
    digests = rules_digests(program.tables)
    for record in rounds:
        record["rules_digest"] = digests["rio-kadalis", record["rules"]]
    return rounds


def build_within(program, words, options):
    """Records of a build's levels; none, and why, where memory or time does not suffice."""
    before = ["--foreground", "--signal=INT", f"{options.minutes:g}m", program.binary]
    limited = Program("timeout", program.tables)
    limited.shown = program.shown
    try:
        levels = limited.records(*before, *words, "--memory", options.memory, limit_allowed=True)
        reason = f"more than {options.memory} of memory, or than there is disk" if limited.exit_code else None
    except SystemExit as stopped:
        if stopped.code != OUT_OF_TIME:
            raise
        levels, reason = [], f"more than {options.minutes:g} minutes"
    for call in limited.calls:
        call["command"] = call["command"].replace(" ".join([*before, ""]), "")
    program.calls += limited.calls
    return levels, reason


def solve_starts(program, rounds, options):
    """Records of the starts with 1 to 6 stones a hole, with their levels, as far as --memory and --minutes let them be built."""
    tables = program.tables + "-starts"
    program.shown[tables] = "TABLES-starts"
    starts = []
    for endless in ENDLESS:
        for pits in range(1, options.max_pits + 1):
            for stones in START_STONES:
                start = ("start", "--pits", pits, "--seeds-per-pit", stones, *rules_of(endless))
                if stones == MATCH_STONES:
                    record = next(dict(record) for record in rounds if record["pits"] == pits and
                                  "x" not in record["position"] and record["rules"] == f"endless-sow={endless}")
                    record["levels"] = [{key: level[key] for key in LEVEL_KEYS} for level in record["levels"]]
                else:
                    levels, reason = build_within(program, ("build", *start, "--out", tables), options)
                    record = ({"not_solved": reason} if reason
                              else program.records("solve", *start, "--tables", tables)[0])
                    record["levels"] = [{key: level[key] for key in LEVEL_KEYS} for level in levels]
                record.update({"endless_sow": endless, "pits": pits, "stones_per_hole": stones})
                starts.append(record)
    return starts


def relays_of(record):
    """Of a round's levels: the longest relay that ends, the endless ones, and of these the one that repeats last."""
    levels = record["levels"]
    longest = [level["longest_relay"] for level in levels if "longest_relay" in level]
    endless = [move for level in levels for move in level["endless"]]
    return (max(longest, key=lambda move: move["laps"], default=None), len(endless),
            max(endless, key=lambda move: move["laps"], default=None))


def solve_matches(program, options):
    matches = []
    for endless in ENDLESS:
        for pits in range(1, options.max_pits + 1):
            for starter in STARTERS:
                states = program.records("match", "--pits", str(pits), "--starter", starter, *rules_of(endless),
                                         "--tables", program.tables)
                matches.append({"rules": states[0]["rules"], "pits": pits, "starter": starter, "states": states})
    return matches


# ------------------------------------------------------------------ README.md and levels.csv

TOP_DIGEST = "digest of the start's level"


def reached(record):
    return sum(level["positions"] for level in record["levels"])


def top_digest(record):
    return f"`{max(record['levels'], key=lambda level: level['seeds'])['digest']}`"


def line_text(record):
    ends = {"end": "", "repetition": ", then round and round", "cut": " and more"}
    if "pv" not in record:
        return ""
    plies = len(record["pv"])
    return f"{plies} {'ply' if plies == 1 else 'plies'}{ends[record['pv_end']]}"


def moves_text(record):
    return ", ".join(f"{move['pit']}: {signed(move['value'])}" for move in record.get("moves", []))


def starts_table(starts, endless):
    rows = []
    for record in starts:
        if record["endless_sow"] != endless:
            continue
        cells = [f"2x{record['pits']}", record["stones_per_hole"]]
        cells += ([f"{reached(record):,}", signed(record["value"]), moves_text(record), line_text(record),
                   top_digest(record)] if "value" in record else
                  ["", "not solved", f"takes {record['not_solved']}", "", ""])
        rows.append(cells)
    return table(("board", "stones a hole", "positions", "value", "hole: value", "perfect play", TOP_DIGEST), rows,
                 ("stones a hole", "positions", "value"))


def reached_table(starts, pits):
    """Positions by stones on the board, a column for each number of stones a hole."""
    columns = [record for record in starts if record["pits"] == pits and record["endless_sow"] == ENDLESS[0]]
    counts = [{level["seeds"]: level["positions"] for level in record["levels"]} for record in columns]
    heads = ["stones on the board", *(f"{record['stones_per_hole']} a hole" for record in columns)]
    rows = [[seeds, *(f"{count[seeds]:,}" if seeds in count else "" for count in counts)]
            for seeds in sorted(set().union(*counts))]
    rows.append(["all", *(f"{reached(record):,}" if record["levels"] else "" for record in columns)])
    return table(heads, rows, heads)


def same_reached(starts):
    """Whether both rules reach the same positions, as many as can be told."""
    def counts(endless):
        return {(record["pits"], record["stones_per_hole"], level["seeds"]): level["positions"]
                for record in starts if record["endless_sow"] == endless for level in record["levels"]}

    one, other = map(counts, ENDLESS)
    return all(one[key] == other[key] for key in one.keys() & other.keys())


def rounds_table(rounds, rules):
    rows = [(f"2x{record['pits']}", f"`{record['position']}`", f"{reached(record):,}",
             signed(record["value"]), moves_text(record), line_text(record), top_digest(record))
            for record in rounds if record["rules"] == rules]
    return table(("board", "start", "positions", "value", "hole: value", "perfect play", TOP_DIGEST), rows,
                 ("positions", "value"))


def levels_table(start):
    distances = "longest_distance" in start["levels"][0]
    heads = ["stones", "positions", "wins", "draws", "losses", "least value", "greatest value", "endless moves"]
    heads += ["longest distance"] if distances else []
    rows = []
    for level in start["levels"]:
        values = [int(value) for value in level["values"]]
        cells = [level["seeds"], *(f"{level[key]:,}" for key in ("positions", "wins", "draws", "losses")),
                 signed(min(values)), signed(max(values)), f"{level['endless_moves']:,}"]
        cells += ["-" if level["longest_distance"] is None else level["longest_distance"]] if distances else []
        rows.append(cells + [f"`{level['digest']}`"])
    return table(heads + ["digest of the values"], rows, heads)


def relays_table(rounds):
    def place(move):
        return "none" if move is None else f"{move['laps']} laps: hole {move['pit']} of `{move['position']}`"

    rows = []
    for record in rounds:
        longest, endless, longest_endless = relays_of(record)
        rows.append((f"2x{record['pits']}", record["rules"].split("=")[1], f"`{record['position']}`", place(longest),
                     f"{endless:,}", place(longest_endless)))
    return table(("board", "endless sow", "start", "longest that ends", "endless", "last to repeat"), rows, ("endless",))


def level_start(match):
    return next(state for state in match["states"] if "line" in state)


def match_end(match):
    start = level_start(match)
    if start["line_end"] == "cycle":
        return f"drawn: round {start['cycle_begin'] + 1} comes again"
    return f"the {start['line_end']} player wins"


def matches_table(matches):
    rows = []
    for match in matches:
        start, states = level_start(match), match["states"]
        line = ", ".join(f"{place['first']}:{place['second']}" for place in start["line"])
        rows.append((f"2x{match['pits']}", match["rules"].split("=")[1], match["starter"], match_end(match),
                     "-" if start["rounds"] is None else start["rounds"], line, len(states),
                     sum(state["monotone"] for state in states), sum(state["stones_suffice"] for state in states)))
    return table(("board", "endless sow", "starter", "level start", "rounds", "perfect match (first : second)", "states",
                  "monotone", "stones suffice"), rows, ("rounds", "states", "monotone", "stones suffice"))


def match_moves(match):
    """A perfect match, a line for each round: what both own, the holes sown in turn."""
    start = level_start(match)
    ends = {"end": "", "repetition": " then round and round", "cut": " and more"}
    lines = []
    for place, play in zip(start["line"], start["line_moves"]):
        moves = ("not the moves for most stones" if play["end"] is None
                 else " ".join(map(str, play["pits"])) + ends[play["end"]])
        lines.append(f"- {place['first']} : {place['second']}, the {place['starter']} player starts: {moves}")
    return "\n".join(lines) + "\n"


def states_table(match):
    rows = []
    for state in match["states"]:
        play = state["match_play"]
        rows.append((" : ".join(map(str, state["stones"])), " v ".join(map(str, state["open"])),
                     signed(state["stones_play"]["value"]), ", ".join(map(str, state["stones_play"]["best"])),
                     " : ".join(map(str, play["totals"])), "same" if play["same_starter"] else "other",
                     state["outcome"], "-" if state["rounds"] is None else state["rounds"],
                     ", ".join(map(str, play["best"])), "yes" if state["stones_suffice"] else "**no**"))
    return table(("stones", "open", "value", "best", "totals", "next starter", "match", "rounds", "moves for it",
                  "stones suffice"), rows, ("value", "rounds"))


def write_levels(results, path):
    """Every level of every round and start: positions that can be reached and the digest of their values."""
    levels = {(level["rules"], level["start"], level["seeds"]): level
              for record in [*results["rounds"], *results["starts"]] for level in record["levels"]}
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("rules", "start", "stones", "positions", "digest"))
        for key, level in levels.items():
            rows.writerow((*key, level["positions"], level["digest"]))


def readme(results):
    rounds, matches = results["rounds"], results["matches"]
    parts = ["# Rio Kadalis, solved\n",
             "Written by `scripts/rio_results`, like the files beside it; not to be edited. `results.json` has all\n"
             "records as the program prints them (`solver/cli/JSON.md`), the levels of starts by their digests alone.\n",
             facts_table(results["facts"]),
             "Values are stones for the player to move minus stones for his opponent. The digest of the values of every level\n"
             "of every round and start below, with its positions, is in [levels.csv](levels.csv).\n"]
    for endless in ENDLESS:
        parts.append(f"## Starts, `--endless-sow {endless}`\n\n{starts_table(results['starts'], endless)}")
    parts.append("![Values of the starts](starts.svg)\n")
    for rules in sorted({record["rules"] for record in rounds}, reverse=True):
        parts.append(f"## Rounds of a match, {rules}\n\n{rounds_table(rounds, rules)}")
    for start in rounds:
        if start["pits"] > 4 and "x" not in start["position"]:
            parts.append(f"## Positions reachable from `{start['position']}`, {start['rules']}\n\n{levels_table(start)}")
    boards = sorted({record["pits"] for record in results["starts"]})
    both = "The same under both rules for endless sows" if same_reached(results["starts"]) else f"Under {ENDLESS[0]}"
    parts.append(f"## Positions reachable from starts, by stones on the board\n\n{both}.\n")
    parts += [f"### 2x{pits}\n\n{reached_table(results['starts'], pits)}" for pits in boards]
    parts += ["![Reachable positions by stones on the board](positions.svg)\n",
              "![Values by stones on the board](values.svg)\n"]
    parts.append("## Relay moves\n\nOf all positions that can be reached: the legal move of most laps that ends, the holes whose\n"
                 "sowing never ends, and of these the one that takes most laps until its state repeats.\n\n"
                 + relays_table(rounds))
    parts.append("## Matches\n\n`monotone`, `stones suffice`: in how many states more stones from a round never hurt, and\n"
                 "play for most stones is proved to be best for the match.\n\n" + matches_table(matches))
    largest = max(match["pits"] for match in matches)
    for match in matches:
        if match["pits"] == largest:
            parts.append(f"### 2x{largest}, {match['rules']}, starter {match['starter']}: {match_end(match)}\n\n" +
                         match_moves(match) + "\n" + states_table(match))
    parts.append("![Length of perfect play](length.svg)\n")
    parts.append("## Commands\n\n" + calls_table(results["calls"]))
    return "\n".join(parts)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("tables")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--max-pits", type=int, default=6, help="boards 2x1 to 2xK (default 6)")
    parser.add_argument("--memory", default="12GiB", metavar="SIZE",
                        help="for a start with other than 4 stones a hole; one that takes more is left out (default 12GiB)")
    parser.add_argument("--minutes", type=float, default=30, help="the same for time (default 30)")
    parser.add_argument("--distance", action="store_true", help="build tables of distances, too")
    parser.add_argument("--no-plots", action="store_true", help="do without matplotlib")
    parser.add_argument("--fact", action="append", default=[], metavar="NAME=VALUE", help="for the head of README.md")
    return parser.parse_args()


def main():
    options = parse_options()
    if not options.no_plots:
        import rio_plots  # before hours of work
    program = Program(options.binary, options.tables)
    facts, spent = facts_of(program, options.fact), Budget()
    rounds = build_rounds(program, options)
    results = {"facts": facts, "rounds": rounds, "starts": solve_starts(program, rounds, options),
               "matches": solve_matches(program, options), "calls": program.calls}
    for rules, digest in sorted({(record["rules"], record["rules_digest"]) for record in rounds}):
        facts[f"rules `{rules}`"] = f"digest `{digest}`"
    facts["time"], facts["most memory"] = duration(spent.used), f"{program.peak_mib:,.0f} MiB"
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "results.json").write_text(json.dumps(results, separators=(",", ":")) + "\n")
    (options.folder / "README.md").write_text(readme(results))
    write_levels(results, options.folder / "levels.csv")
    if not options.no_plots:
        rio_plots.draw(results, options.folder)


if __name__ == "__main__":
    main()
