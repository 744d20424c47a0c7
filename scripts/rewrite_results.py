#!/usr/bin/env python3
"""Writes README.md and the figures of results again from their JSON, without measuring or solving anything.

usage: rewrite_results.py RESULTS [NAME ...]

  NAME   folders below RESULTS, of awari, baselines, kernels, rio-kadalis, search, urim; default: those that are there
         (kernels: the figure alone)

For when a table or a plot is to look different. Then results_index.py and report.py. Needs Debian's python3-matplotlib.
"""
import importlib
import json
import pathlib
import sys

# By folder: its JSON, the module with readme(results), that with draw(results, folder).
MADE_BY = {"awari": ("results.json", "reproduce_awari", None),
           "baselines": ("results.json", "baselines", "baselines"),
           "kernels": ("kernels.json", None, "bench_plots"), "rio-kadalis": ("results.json", "rio_results", "rio_plots"),
           "search": ("results.json", "search_results", "search_results"),
           "urim": ("results.json", "urim_results", "urim_plots")}


def main():
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= MADE_BY.keys():
        sys.exit(__doc__)
    results = pathlib.Path(sys.argv[1])
    for name in sys.argv[2:] or MADE_BY:
        file, writer, drawer = MADE_BY[name]
        if not (results / name / file).exists():
            continue
        data = json.loads((results / name / file).read_text(encoding="utf-8"))
        if writer:
            text = importlib.import_module(writer).readme(data)
            (results / name / "README.md").write_text(text, encoding="utf-8")
        if drawer:
            importlib.import_module(drawer).draw(data, results / name)


if __name__ == "__main__":
    main()
