#!/usr/bin/env python3
"""Measures the program beside what it is compared with, and writes what comes out as results.

usage: baselines.py FOLDER_OF_BINARIES TABLES FOLDER [options]

  FOLDER_OF_BINARIES   has retrosow, retrosow_bench, retrosow_build_bench
  TABLES               folder for table files of 2x6 Urim
  FOLDER               gets results.json, README.md, *.svg, *.png

Every figure is the median of several repetitions, taken in turn where several things are compared; beside it stand the
least and the greatest, and their distance is the noise. Plots need Debian's python3-matplotlib. Exit code 1: digests of
the tables that are compared differ; nothing is written then.
"""
import argparse
import functools
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from results_common import (FILLS, LINES, Budget, Program, boards_of_level, boards_to_level, calls_table, duration, facts_of,
                            facts_table, label_lines, levels_digests_table, measured, rules_facts, table,
                            table_files, write_json)

KERNELS = ("reference", "portable", "sse41", "avx512")
PITS, PIT_LIMIT = 6, 17
PACKERS = ("ours", "zstd -19, blocks", "xz -9, blocks", "zstd -19", "xz -9")


def summary(samples):
    """Of repetitions of one thing. cv: standard deviation divided by mean."""
    mean = statistics.fmean(samples)
    return {"samples": samples, "median": statistics.median(samples), "least": min(samples), "most": max(samples),
            "cv": statistics.stdev(samples) / mean if len(samples) > 1 and mean else 0.0}


def run(program, words, shown, **how):
    """What a command writes; it is kept among the calls. Fails: SystemExit, with its exit code."""
    code, output, call = measured(words, shown, **how)
    program.calls.append(call)
    if code:
        sys.exit(code)
    return output, call


def run_benchmarks(program, pattern, options, tables):
    """By name the summary of items per second of processor time, and of other counters."""
    with tempfile.NamedTemporaryFile(suffix=".json") as raw:
        words = [f"--benchmark_filter={pattern}", f"--benchmark_repetitions={options.repetitions}",
                 f"--benchmark_min_time={options.min_time}", "--benchmark_enable_random_interleaving=true"]
        output_words = ["--benchmark_out_format=json", f"--benchmark_out={raw.name}"]
        run(program, [options.binaries / "retrosow_bench", *words, *output_words],
            f"retrosow_bench {' '.join(words)}", stdout=subprocess.DEVNULL,
            env={**os.environ, "RETROSOW_BENCH_LEVEL": str(options.probe_level), "RETROSOW_BENCH_TABLES": str(tables)})
        report = json.loads(pathlib.Path(raw.name).read_text())
    samples = {}
    for entry in report["benchmarks"]:
        if entry.get("run_type") == "iteration":
            of_name = samples.setdefault(entry["run_name"], {})
            for key, value in entry.items():
                if key.endswith(("_per_second", "_us")):
                    of_name.setdefault(key, []).append(value)
    return {name: {key: summary(values) for key, values in of_name.items()} for name, of_name in sorted(samples.items())}


def measure_kernels(program, options):
    rows = run_benchmarks(program, "^(Generate|Relay)/2x6/played/", options, options.tables)
    found = []
    for name, row in rows.items():
        what, board, _, kernel = name.split("/")
        found.append({"what": what, "board": board, "kernel": kernel, **row["items_per_second"],
                      "moves": row.get("moves_per_second", row["items_per_second"])["median"]})
    return sorted(found, key=lambda row: (row["what"], KERNELS.index(row["kernel"])))


def builder_seconds(level, options):
    """What measure_builder takes for a level: 7 million positions a second by one thread, 14 by two, 1 by plain counters."""
    a_board = options.repetitions * (1 / 7e6 + 1 / 14e6)
    if level == options.plain_level:
        a_board += options.plain_repetitions / 1e6
    return boards_of_level(PITS, level, PIT_LIMIT) * a_board + boards_to_level(PITS, level - 1, PIT_LIMIT) / 14e6


def packing_seconds(level):
    """zstd -19 and xz -9, twice each: half a million bytes a second together."""
    return boards_of_level(PITS, level, PIT_LIMIT) / 0.5e6


def measure_builder(program, budget, options):
    """Level by level, by one thread and by two; at the plain level also by plain counters."""
    found = []
    for level in options.levels:
        plain = level if level == options.plain_level else 0
        if not budget.allows(f"builder at level {level}", builder_seconds(level, options)):
            continue
        words = [level, options.repetitions, plain, options.plain_repetitions]
        output, _ = run(program, [options.binaries / "retrosow_build_bench", options.tables, *words],
                        f"retrosow_build_bench TABLES {' '.join(map(str, words))}")
        raw = json.loads(output)
        if not raw["digests_agree"]:
            sys.exit(f"level {level}: the digests of what is compared differ; nothing is written")
        entry = {"seeds": level, "positions": raw["positions"], "file_bytes": raw["file_bytes"], "digest": raw["digest"],
                 "peak_mib": round(raw["peak_resident_kib"] / 1024, 1), "digests_agree": True,
                 "one_thread": summary(raw["one_thread"]["seconds"]), "two_threads": summary(raw["two_threads"]["seconds"])}
        if plain:
            entry["plain"] = summary(raw["plain_counters"]["one_thread"]["seconds"])
        found.append(entry)
    return found


def compressed_by(program, words, shown, path):
    """Bytes that a compressor makes of a file, and seconds that it takes."""
    with open(path, "rb") as source:
        output, call = run(program, words, f"{shown} < VALUES_{path.stem}", stdin=source, text=False)
    return len(output), call["seconds"]


def block_values(tables, level):
    """Values in a block of the file of a level: tables/FORMAT.md, Header."""
    file = next(pathlib.Path(tables).glob(f"urim-2x{PITS}-*-{level:03}.rsow"))
    return int.from_bytes(file.read_bytes()[32:36], "little")


def compressed_in_blocks(program, words, shown, path, block):
    """The same for blocks of as many values as our files have, each packed alone, by one run of the compressor."""
    folder = path.parent / "blocks"
    folder.mkdir()
    data = path.read_bytes()
    for at in range(0, len(data), block):
        (folder / f"{at:012}").write_bytes(data[at:at + block])
    _, call = run(program, [*words, *sorted(folder.iterdir())], f"{shown} BLOCKS_{path.stem}")
    size = sum(packed.stat().st_size for packed in folder.iterdir() if packed.suffix)
    shutil.rmtree(folder)
    return size, call["seconds"]


def measure_compression(program, budget, options):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for level in options.pack_levels:
            path = pathlib.Path(folder) / f"{level}.raw"
            program.shown[str(path)] = f"VALUES_{level}"
            if not budget.allows(f"compression of level {level}", packing_seconds(level)):
                continue
            built = program.records("build", "--pits", PITS, "--seeds", level, "--out", options.tables, "--quiet")[-1]
            program.records("export", "--tables", options.tables, "--pits", PITS, "--level", level, "--format", "raw",
                            "--out", path)
            block = block_values(options.tables, level)
            entry = {"seeds": level, "positions": built["positions"], "digest": built["digest"], "block_values": block,
                     "ours": {"bytes": built["bytes"]}}
            in_blocks = functools.partial(compressed_in_blocks, block=block)
            for name, pack, words in (("zstd -19", compressed_by, ("zstd", "-19", "-q", "-c")),
                                      ("xz -9", compressed_by, ("xz", "-9", "-c")),
                                      ("zstd -19, blocks", in_blocks, ("zstd", "-19", "-q", "-k")),
                                      ("xz -9, blocks", in_blocks, ("xz", "-9", "-k"))):
                size, seconds = pack(program, words, ' '.join(words), path)
                entry[name] = {"bytes": size, "seconds": round(seconds, 2)}
            found.append(entry)
            path.unlink()
    return found


def tables_of(results, options):
    """The levels that were built, packed or probed, with their digests. Fails: SystemExit, where these differ."""
    found = [{**row, "bytes": row["file_bytes"]} for row in results["builder"]]
    found += [{**row, "bytes": row["ours"]["bytes"]} for row in results["compression"]]
    probed = table_files(f"{options.tables}-probe")
    found += [file for file in probed if file["seeds"] == options.probe_level and file["kind"] == "values"]
    levels = {}
    for entry in sorted(found, key=lambda entry: entry["seeds"]):
        level = {"game": "urim", "rules": probed[0]["rules"], "pits": PITS,
                 **{key: entry[key] for key in ("seeds", "positions", "bytes", "digest")}}
        if levels.setdefault(level["seeds"], level)["digest"] != level["digest"]:
            sys.exit(f"level {level['seeds']}: digests of what is built, packed and probed differ; nothing is written")
    return list(levels.values())


def measure_probes(program, options):
    # A folder of its own: the benchmark makes distances up.
    rows = run_benchmarks(program, "^Probe/.*/(values|raw|cold)($|/)", options, f"{options.tables}-probe")
    found = []
    for name, row in rows.items():
        parts = re.fullmatch(r"Probe/(.*)/level(\d+)/(\w+?)(?:/threads:(\d+))?", name)
        if parts:
            found.append({"how": parts[3], "seeds": int(parts[2]), "threads": int(parts[4] or 1), **row["items_per_second"],
                          **{key: value["median"] for key, value in row.items() if key.endswith("_us")}})
    return sorted(found, key=lambda row: (row["threads"], ("raw", "values", "cold").index(row["how"])))


# ------------------------------------------------------------------ README.md


def spread(row, scale=1e-6, digits=2):
    return f"{row['least'] * scale:.{digits}f} … {row['most'] * scale:.{digits}f}"


def kernels_table(rows):
    base = {row["what"]: row["median"] for row in rows if row["kernel"] == "reference"}
    names = {"Generate": "Urim, boards", "Relay": "Rio Kadalis, moves"}
    cells = [(names[row["what"]], row["board"], row["kernel"], f"{row['median'] / 1e6:.2f}", spread(row),
              f"{100 * row['cv']:.1f} %", f"{row['median'] / base[row['what']]:.0f}" if row["what"] in base else "-")
             for row in rows]
    heads = ("what, million a second", "board", "kernel", "median", "least … most", "cv", "times the reference")
    return table(heads, cells, ("median", "cv", "times the reference"))


def builder_table(rows):
    cells = []
    for row in rows:
        one, two = row["one_thread"], row["two_threads"]
        rate = row["positions"] / one["median"]
        cells.append((row["seeds"], f"{row['positions']:,}", f"{one['median']:.3f}", spread(one, 1, 3), f"{two['median']:.3f}",
                      spread(two, 1, 3), f"{one['median'] / two['median']:.2f}", f"{rate / 1e6:.2f}",
                      f"{row['positions'] / two['median'] / 1e6:.2f}",
                      f"{row['plain']['median']:.2f}" if "plain" in row else "-",
                      f"{row['plain']['median'] / one['median']:.1f}" if "plain" in row else "-",
                      f"{row['peak_mib']:,.0f}"))
    heads = ("seeds", "positions", "1 thread, s", "least … most", "2 threads, s", "least … most ", "speed-up",
             "million/s, 1", "million/s, 2", "plain counters, s", "times plain", "most MiB")
    return table(heads, cells, heads)


def compression_table(rows):
    cells = []
    for row in rows:
        sizes = [row[name]["bytes"] / row["positions"] for name in PACKERS]
        cells.append((row["seeds"], f"{row['positions']:,}", *(f"{size:.4f}" for size in sizes),
                      *(f"{size / sizes[0]:.3f}" for size in sizes[1:]),
                      f"{row['zstd -19']['seconds']:.1f}", f"{row['xz -9']['seconds']:.1f}"))
    heads = ("seeds", "positions", *PACKERS, *(f"{name} : ours" for name in PACKERS[1:]), "zstd -19, s", "xz -9, s")
    return table(heads, cells, heads)


def probes_table(rows):
    names = {"raw": "raw values, mapped", "values": "our file, blocks in the "
                                                    "cache", "cold": "our file, every probe decodes a block"}
    base = {row["threads"]: row["median"] for row in rows if row["how"] == "raw"}
    cells = [(names[row["how"]], row["threads"], f"{row['median'] / 1e6:.3f}", spread(row, digits=3), f"{100 * row['cv']:.1f} %",
              f"{base[row['threads']] / row['median']:.1f}" if row["threads"] in base else "-",
              f"{row['cpu_p50_us']:.0f}, {row['cpu_p99_us']:.0f}" if "cpu_p50_us" in row else "-") for row in rows]
    heads = ("probes", "threads", "million/s, median", "least … most", "cv", "times slower than "
                                                                             "raw", "median, 99 % in µs")
    return table(heads, cells, heads[1:])


def noise_of(results):
    """The largest cv of what was repeated, by kind."""
    kinds = {"kernels": [row["cv"] for row in results["kernels"]],
             "builder": [row[key]["cv"] for row in results["builder"] for key in ("one_thread", "two_threads", "plain")
                         if key in row],
             "probes": [row["cv"] for row in results["probes"]]}
    return {kind: max(cvs) for kind, cvs in kinds.items() if cvs}


def repetitions_of(rows, key=None):
    return next((len((row[key] if key else row)["samples"]) for row in rows if key is None or key in row), 0)


def readme(results):
    noise = ", ".join(f"{kind} {100 * cv:.1f} %" for kind, cv in results["noise"].items())
    parts = ["# Side by side\n", "Written by `scripts/baselines`, like the files beside it; not to be edited. "
                                 "`results.json` has "
             "all repetitions.\n", facts_table(results["facts"]),
             f"Medians of {repetitions_of(results['kernels'])} repetitions, what is compared in turn; *cv* is the "
             "standard deviation divided by\n"
             f"the mean. **Noise of this run**, the largest cv: {noise}. Differences of that size mean nothing.\n",
             "## Move kernels beside the plain reference\n",
             "All legal moves of boards from play with their results (`bench/generate_bench.cpp`, `relay_bench.cpp`), "
             "one core.\n"
             "The reference is that of the tests, plain arrays written from the rules. All fold to the same number.\n",
             kernels_table(results["kernels"]), "![Kernels](kernels.svg)\n"]
    if results["builder"]:
        parts += ["## Table builder beside plain counters\n",
                  "A level of 2x6 Urim from finished lower ones to the finished file. The plain builder has one "
                  "thread, works in\n"
                  f"memory and writes nothing; {repetitions_of(results['builder'], 'plain')} repetitions. Digests are "
                  "the same.\n",
                  builder_table(results["builder"]), "![Builder](builder.svg)\n"]
    if results["compression"]:
        parts += ["## Bytes a position\n", "Ours is the whole file, header, block index and checksums included, from "
                                           "which single values can be read. zstd\n"
                  f"and xz pack the raw values, one byte each: in blocks of "
                  f"{results['compression'][0]['block_values']:,} like ours, and as one stream that must be\n"
                  "unpacked from its start to read a value. Above 1: larger than ours.\n",
                  compression_table(results["compression"]), "![Bytes a position](bytes.svg)\n"]
    parts += ["## Probes beside a mapped file of raw "
              "values\n", "Boards drawn from the whole level, ranking included.\n",
              probes_table(results["probes"])]
    if results["left_out"]:
        parts += ["Left out for want of time: " + "; ".join(results["left_out"]) + ".\n"]
    parts += ["## Tables\n", "Of 2x6 Urim, built, packed or probed:\n", levels_digests_table(results["tables"]),
              "## Commands\n", calls_table(results["calls"])]
    return "\n".join(parts)


def claims_of(results):
    claims, command = [], results["facts"].get("command", "scripts/baselines").strip("`")

    def claim(text, anchor, figure):
        claims.append({"claim": text, "command": command, "file": f"README.md#{anchor}", "figure": figure})

    for what, name in (("Generate", "Urim"), ("Relay", "Rio Kadalis")):
        rows = {row["kernel"]: row["median"] for row in results["kernels"] if row["what"] == what}
        if "reference" in rows and len(rows) > 1:
            best = max(rows, key=rows.get)
            claim(f"Move lists of {name}: the kernel {best} is {rows[best] / rows['reference']:.0f} times as fast as "
                  f"the plain "
                  "reference", "move-kernels-beside-the-plain-reference", "kernels.svg")
    for row in results["builder"]:
        if "plain" in row:
            claim(f"The builder is {row['plain']['median'] / row['one_thread']['median']:.1f} times as fast as plain "
                  f"counters "
                  f"(level {row['seeds']}, one thread)", "table-builder-beside-plain-counters", "builder.svg")
    if results["builder"]:
        row = results["builder"][-1]
        claim(f"Two threads build level {row['seeds']} "
              f"{row['one_thread']['median'] / row['two_threads']['median']:.2f} times as "
              "fast as one", "table-builder-beside-plain-counters", "builder.svg")
    if results["compression"]:
        row = results["compression"][-1]
        sizes = {name: row[name]["bytes"] / row["positions"] for name in PACKERS}
        claim(f"{sizes['ours']:.3f} bytes a position at {row['seeds']} seeds; zstd -19 takes "
              f"{sizes['zstd -19, blocks']:.3f} and xz -9 "
              f"{sizes['xz -9, blocks']:.3f} in blocks like ours, {sizes['zstd -19']:.3f} and {sizes['xz -9']:.3f} as "
              f"one stream",
              "bytes-a-position", "bytes.svg")
    probes = {row["how"]: row["median"] for row in results["probes"] if row["threads"] == 1}
    if {"raw", "values"} <= probes.keys():
        claim(f"A probe from the cache takes {probes['raw'] / probes['values']:.1f} times as long as one of mapped "
              f"raw values",
              "probes-beside-a-mapped-file-of-raw-values", None)
    return claims


# ------------------------------------------------------------------ plots


def draw(results, folder):
    import results_common
    plots = results_common.pyplot()
    figure, panels = plots.subplots(1, 2, figsize=(7.5, 2.8))
    for axes, what, title in zip(panels, ("Generate", "Relay"), ("Urim: boards", "Rio Kadalis: moves")):
        rows = [row for row in results["kernels"] if row["what"] == what]
        rates = [row["median"] / 1e6 for row in rows]
        bars = axes.barh(range(len(rows)), rates, edgecolor="0.3", linewidth=0.5, **FILLS[2])
        for bar, row in zip(bars, rows):
            if row["kernel"] == "reference":
                bar.set(**FILLS[0])
        for at, rate in enumerate(rates):
            axes.annotate(f"{rate:.2f}", (rate, at), (3, 0), textcoords="offset points", va="center", fontsize=8)
        axes.set(yticks=range(len(rows)), yticklabels=[row["kernel"] for row in rows], xlabel="million a second",
                 title=f"{title}, 2x6", xlim=(0, 1.2 * max(rates, default=1)))
    results_common.save_figure(plots, figure, folder, "kernels")

    if results["builder"]:
        figure, axes = plots.subplots(figsize=(6, 3.4))
        ends = []
        for key, name, style in (("two_threads", "2 threads", LINES[1]), ("one_thread", "1 thread", LINES[0]),
                                 ("plain", "plain counters", LINES[2])):
            rows = [row for row in results["builder"] if key in row]
            if not rows:
                continue
            seeds = [row["seeds"] for row in rows]
            rates = [row["positions"] / row[key]["median"] / 1e6 for row in rows]
            errors = [[rate - row["positions"] / row[key]["most"] / 1e6 for rate, row in zip(rates, rows)],
                      [row["positions"] / row[key]["least"] / 1e6 - rate for rate, row in zip(rates, rows)]]
            axes.errorbar(seeds, rates, yerr=errors, capsize=2, linewidth=1, **style)
            ends.append((seeds[-1], rates[-1], name, style["color"]))
        levels = [row["seeds"] for row in results["builder"]]
        axes.set(xlabel="seeds of the level", ylabel="million positions a second", ylim=(0, None), xticks=levels,
                 xlim=(levels[0] - 0.5, levels[-1] + 0.28 * max(levels[-1] - levels[0], 2)),
                 title="Building a level of 2x6 (bars: least to most)")
        label_lines(axes, ends, dx=8)
        results_common.save_figure(plots, figure, folder, "builder")

    if results["compression"]:
        figure, axes = plots.subplots(figsize=(7, 3))
        for at, (name, fill) in enumerate(zip(PACKERS, (FILLS[0], FILLS[2], FILLS[2], FILLS[1], FILLS[1]))):
            sizes = [row[name]["bytes"] / row["positions"] for row in results["compression"]]
            places = [index + 0.18 * (at - 2) for index in range(len(sizes))]
            axes.bar(places, sizes, width=0.16, edgecolor="0.3", linewidth=0.5, **fill)
            for x, size in zip(places, sizes):
                text = name.replace(", ", "\n").replace(" -", "-")
                axes.annotate(f"{text}\n{size:.3f}", (x, size), (0, 2), textcoords="offset points", ha="center", fontsize=6.5)
        axes.set(xticks=range(len(results["compression"])), ylabel="bytes a position",
                 xticklabels=[f"{row['seeds']} seeds" for row in results["compression"]],
                 title="Size of the values of a level")
        axes.margins(y=0.25)
        results_common.save_figure(plots, figure, folder, "bytes")


def parse_options():
    numbers = lambda text: [int(number) for number in text.split(",") if number]  # noqa: E731
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", type=pathlib.Path)
    parser.add_argument("tables")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, help="budget; what does not fit any more is left out and named")
    parser.add_argument("--repetitions", type=int, default=5, help="of what is repeated (default 5)")
    parser.add_argument("--min-time", type=float, default=0.3, help="seconds of a repetition of a small benchmark")
    parser.add_argument("--levels", type=numbers, default=[12, 14, 16, 18], help="to build (default 12,14,16,18)")
    parser.add_argument("--plain-level", type=int, default=16, help="of these, the one for plain counters (default 16)")
    parser.add_argument("--plain-repetitions", type=int, default=3, help="of plain counters (default 3)")
    parser.add_argument("--pack-levels", type=numbers, default=[12, 16], help="to compress (default 12,16)")
    parser.add_argument("--probe-level", type=int, default=16, help="to probe (default 16)")
    parser.add_argument("--no-plots", action="store_true", help="do without matplotlib")
    parser.add_argument("--fact", action="append", default=[], metavar="NAME=VALUE", help="for the head of README.md")
    return parser.parse_args()


def expected_seconds(options):
    """On two idle cores."""
    return (sum(builder_seconds(level, options) for level in options.levels)
            + sum(packing_seconds(level) for level in options.pack_levels)
            + 20 * options.repetitions * options.min_time + 20)


def main():
    options = parse_options()
    if not options.no_plots:
        import matplotlib  # noqa: F401  (before minutes of work)
    print(f"about {duration(expected_seconds(options))} on two idle cores", file=sys.stderr)
    program = Program(options.binaries / "retrosow", options.tables)
    facts = facts_of(program, options.fact)
    facts.update(rules_facts(program, "urim", "rio-kadalis"))
    budget = Budget(options.seconds)
    results = {"facts": facts, "kernels": measure_kernels(program, options), "probes": measure_probes(program, options),
               "builder": measure_builder(program, budget, options),
               "compression": measure_compression(program, budget, options), "left_out": budget.left_out}
    results["tables"] = tables_of(results, options)
    facts["time"], facts["most memory"] = duration(budget.used), f"{program.peak_mib:,.0f} MiB"
    results["noise"] = noise_of(results)
    results["claims"] = claims_of(results)
    if options.no_plots:
        for claim in results["claims"]:
            claim["figure"] = None
    results["calls"] = program.calls
    write_json(options.folder / "results.json", results)
    (options.folder / "README.md").write_text(readme(results), encoding="utf-8")
    if not options.no_plots:
        draw(results, options.folder)


if __name__ == "__main__":
    main()
