#!/usr/bin/env python3
"""Writes results/README.md: every claim, the command that makes it, the file that holds it, the figure that shows it.

usage: results_index.py RESULTS

Claims come from the `claims` of NAME/results.json where a script wrote some, else from what this script reads out of the
files it knows. A claim without its file or figure is an error (exit code 1). Claims may have `proved`: rules, position,
low and high. Of those that prove the same position the others refer to the best.
"""
import json
import pathlib
import sys

from bench_plots import size_name, times_by_size
from results_common import duration, signed, table

ORDER = ("awari", "urim", "rio-kadalis", "search", "kernels", "builder", "baselines")
TITLES = {"awari": "Awari and Oware, published before", "urim": "Urim", "rio-kadalis": "Rio Kadalis", "search": "Search",
          "kernels": "Move kernels", "builder": "Table builder", "baselines": "Side by side"}


def claim(text, command, file="README.md", figure=None):
    return {"claim": text, "command": command, "file": file, "figure": figure}


def command_of(facts, usual):
    """The command with its options, where the facts of a result name it. Older ones go on with what it ran."""
    return facts.get("command", usual).strip("`").split(": ")[0]


def of_kernels(data):
    best = {}
    for entry in data["benchmarks"]:
        if entry.get("aggregate_name") == "median":
            what, *inputs = entry["run_name"].split("/")
            if what in ("Sow", "Generate", "Relay") and "2x6" in inputs and "played" in inputs:
                best[what] = max(best.get(what, 0), entry["items_per_second"])
    names = {"Sow": "single sowings with capture", "Generate": "boards' full move lists",
             "Relay": "relay moves of Rio Kadalis"}
    command = command_of(data["context"], "scripts/bench")
    claims = [claim(f"{rate / 1e6:.0f} million {names[what]} a second on one core, 2x6", command)
              for what, rate in best.items()]
    times = times_by_size(data)
    if {"probe_known", "probe_unknown", "store"} <= times.keys():
        sizes = {operation: points[-1] for operation, points in times.items()}
        claims.append(claim(f"The search's transposition table at {size_name(sizes['store'][0])}: "
                            f"{sizes['probe_known'][1]:.0f} ns a probe that hits, "
                            f"{sizes['probe_unknown'][1]:.0f} one that misses, {sizes['store'][1]:.0f} a store",
                            command, "README.md#the-searchs-transposition-table", "transposition.svg"))
    return claims


def of_builder(data):
    one = data["one_thread"]["positions_per_second"]
    plain = data["plain_counters"]["one_thread"]["positions_per_second"]
    command = command_of(data, "scripts/bench_builder")
    two = data["two_threads"]["positions_per_second"]
    return [claim(f"Level {data['seeds']} of 2x6 Urim, {data['positions']:,} positions: {one / 1e6:.1f} million "
                  f"positions a second by one thread, {two / 1e6:.1f} by two, {plain / 1e6:.2f} by plain counters",
                  command),
            claim(f"{data['file_bytes'] / data['positions']:.3f} bytes a position in the file", command)]


def of_rio(data):
    claims, command = [], command_of(data["facts"], "scripts/rio_results")
    for record in data["rounds"]:
        if "x" not in record["position"] and record["rules"] == "endless-sow=forbid" and record["pits"] >= 4:
            positions = sum(level["positions"] for level in record["levels"])
            claims.append(claim(f"2x{record['pits']}, 4 stones a hole: {signed(record['value'])} for the player to "
                                f"move; all {positions:,} positions that can be reached are solved", command,
                                "README.md#starts---endless-sow-forbid", "starts.svg"))
    pits = max((match["pits"] for match in data["matches"]), default=0)
    for match in data["matches"]:
        start = next(state for state in match["states"] if "line" in state)
        if match["pits"] == pits and match["rules"] == "endless-sow=forbid":
            claims.append(claim(f"The 2x{pits} match with starter {match['starter']}: {start['outcome']} for the "
                                "player who starts", command, "README.md#matches", "length.svg"))
    return claims


def of_awari(data):
    """What scripts/reproduce_awari compared, where it agreed."""
    def same(records):
        return [record for record in records if record.get("as_published")]

    claims, levels = [], same(data["awari"]["levels"])
    command = command_of(data["facts"], "scripts/reproduce_awari")
    if levels:
        claims.append(claim(f"Awari: value counts over all boards of {len(levels)} levels, to {levels[-1]['seeds']} "
                            f"stones, are "
                            "those that Lincke published", command))
    for record in same(data["awari"]["positions"]):
        claims.append(claim(f"Awari: `{record['position']}` and its moves have the values of the published "
                            f"database", command))
    for record in same(data["awari"]["starts"]):
        worth = "is worth" if "value" in record else "may be worth"
        claims.append(claim(f"Awari: the start with {record['seeds_per_pit']} stones a pit {worth} "
                            f"{signed(record['published'])}, "
                            "as published", command))
    levels = same(data["oware"]["levels"])
    if levels:
        claims.append(claim(f"Oware: the guarantees of {len(levels)} levels, to {levels[-1]['seeds']} seeds, are "
                            f"those of the "
                            "published tables, byte by byte", command))
    return claims


def of_search(data):
    claims, command = [], command_of(data["facts"], "scripts/search_results")
    seeds = data["limits"]["table_seeds"] if "limits" in data else 20
    sections = (("starts", "without tables", "starts-without-tables-one-thread"),
                ("with_tables", f"with tables to {seeds} seeds", f"starts-with-tables-to-{seeds}-seeds"))
    for key, how, anchor in sections:
        for record in data.get(key, []):
            low, high = record.get("bounds", [record.get("value")] * 2)
            entry = claim(f"`{record['position']}` is worth {worth(low, high)}, by search {how} in "
                          f"{duration(record['seconds'])}", command, f"README.md#{anchor}")
            claims.append({**entry, "proved": {"rules": record["rules"], "position": record["position"],
                                               "low": low, "high": high}})
    return claims


def worth(low, high):
    return signed(low) if low == high else f"{signed(low)} to {signed(high)}"


READERS = {"awari": ("results.json", of_awari), "kernels": ("kernels.json", of_kernels), "builder": ("builder.json", of_builder),
           "rio-kadalis": ("results.json", of_rio), "search": ("results.json", of_search)}


def claims_of(folder):
    """The claims of a result, and the facts that stand with them."""
    name, reader = READERS.get(folder.name, ("results.json", None))
    path = folder / name
    if not path.exists():
        return [], {}
    data = json.loads(path.read_text(encoding="utf-8"))
    claims = data["claims"] if "claims" in data else reader(data) if reader else []
    return claims, data.get("facts", data.get("context", data))


def best_proofs(claims_by_name):
    """By (rules, position) the name and the `proved` of the claim that proves most."""
    best = {}
    for name, claims in claims_by_name.items():
        for proved in (entry["proved"] for entry in claims if "proved" in entry):
            key = proved["rules"], proved["position"]
            if key not in best or proved["high"] - proved["low"] < best[key][1]["high"] - best[key][1]["low"]:
                best[key] = name, proved
    return best


def reference(entry, best):
    """Where a claim's position is proved better, or an empty string."""
    proved = entry.get("proved")
    if not proved:
        return ""
    name, other = best[proved["rules"], proved["position"]]
    if other["high"] - other["low"] == proved["high"] - proved["low"]:
        return ""
    return f" (best: {worth(other['low'], other['high'])}, see [{TITLES.get(name, name)}]({name}/README.md))"


def row(folder, entry, best):
    """Cells of a claim. Fails: SystemExit, where what it points at is not there."""
    for key in ("file", "figure"):
        if entry.get(key) and not (folder / entry[key].split("#")[0]).exists():
            sys.exit(f"{folder / entry[key]}: not there, but a claim points at it: {entry['claim']}")
    figure = f"[{entry['figure']}]({folder.name}/{entry['figure']})" if entry.get("figure") else "-"
    file = f"[{entry['file'].split('#')[0]}]({folder.name}/{entry['file']})"
    return entry["claim"] + reference(entry, best), f"`{entry['command']}`", file, figure


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    results = pathlib.Path(sys.argv[1])
    folders = {folder.name: folder for folder in results.iterdir() if folder.is_dir()}
    names = [name for name in ORDER if name in folders] + sorted(folders.keys() - set(ORDER))
    parts = ["# Results\n", "Written by `scripts/results_index.py`; not to be edited. Each claim with the command "
                            "that makes it, the\n"
             "file that holds it and the figure that shows it. `REPORT.md` tells what they mean. "
             "`scripts/reproduce_all --budget 30m`\n"
             "computes again what fits into the time and compares digests, counts and values with what is committed.\n"
             "`scripts/rewrite_results.py results` writes pages and figures anew from the JSON beside them.\n",
             "Every folder's `README.md` names rules with their digest, digests of the tables, commit, machine, time "
             "and memory.\n"]
    read = {name: claims_of(folders[name]) for name in names}
    best = best_proofs({name: claims for name, (claims, _) in read.items()})
    for name, (claims, facts) in read.items():
        if not claims:
            continue
        made = [f"commit {facts['commit']}"] if "commit" in facts else []
        made += [str(facts[key]) for key in ("processor", "cpu") if key in facts][:1]
        made += [f"in {facts['time']}"] if "time" in facts else []
        made += [f"with {facts['most memory']} at most"] if "most memory" in facts else []
        there = facts.get("tables there before", "0 of 0")
        made += [f"tables there before: {there}"] if not there.startswith("0 of ") else []
        parts += [f"## [{TITLES.get(name, name)}]({name}/README.md)\n", ", ".join(made) + "\n" if made else "",
                  table(("claim", "command", "file", "figure"), [row(folders[name], entry, best) for entry in claims])]
    (results / "README.md").write_text("\n".join(part for part in parts if part), encoding="utf-8")


if __name__ == "__main__":
    main()
