#!/usr/bin/env python3
"""Plots what bench_report.py kept: the search's transposition table, time of an operation by size.

usage: bench_plots.py FOLDER      (has kernels.json; gets transposition.svg, *.png)
"""
import json
import pathlib
import re
import sys

import results_common
from results_common import LINES, label_lines, save_figure

OPERATIONS = {"fill_new": "make and fill", "store": "store", "probe_unknown": "probe, a miss",
              "probe_known": "probe, a hit"}


def times_by_size(report):
    """By operation (MiB, ns a position, their deviation), medians, by size."""
    found, noise = {}, {entry["run_name"]: entry["items_per_second"] for entry in report["benchmarks"]
                        if entry["aggregate_name"] == "cv"}
    for entry in report["benchmarks"]:
        name = re.fullmatch(r"Transposition/(\w+)/(\d+)MiB", entry["run_name"])
        if name and entry["aggregate_name"] == "median":
            median = 1e9 / entry["items_per_second"]
            found.setdefault(name[1], []).append((int(name[2]), median, median * noise[entry["run_name"]]))
    return {operation: sorted(found[operation]) for operation in OPERATIONS if operation in found}


def size_name(mebibytes):
    return f"{mebibytes} MiB" if mebibytes < 1024 else f"{mebibytes / 1024:g} GiB"


def draw(report, folder):
    times = times_by_size(report)
    if not times:
        return
    plots = results_common.pyplot()
    figure, axes = plots.subplots(figsize=(6, 3.6))
    ends = []
    for (operation, points), style in zip(times.items(), LINES):
        across, up, deviations = zip(*points)
        axes.errorbar(across, up, yerr=deviations, linewidth=1, elinewidth=1, capsize=3, **style)
        ends.append((across[-1], up[-1], f"{OPERATIONS[operation]}: {points[-1][1]:,.0f} ns", style["color"]))
    sizes = sorted({size for points in times.values() for size, *_ in points})
    axes.set(xscale="log", yscale="log", xlabel="size of the table", ylabel="ns a position",
             title="The search's transposition table (medians and deviation, processor time)", xlim=(sizes[0] / 1.3, sizes[-1] * 12))
    axes.set_xticks(sizes, [size_name(size) for size in sizes])
    axes.set_xticks([], minor=True)
    label_lines(axes, ends, dx=8)
    save_figure(plots, figure, folder, "transposition")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    draw(json.loads((folder / "kernels.json").read_text(encoding="utf-8")), folder)


if __name__ == "__main__":
    main()
