"""Plots of rio_results.py, as SVG files that are the same for the same results."""
import collections
import math
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("matplotlib is not here (Debian: python3-matplotlib)")
matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "retrosow", "font.size": 9, "figure.constrained_layout.use": True})
from matplotlib import pyplot  # noqa: E402  (after the choice of its output)


def save(figure, path):
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def full_rounds(results):
    """Rounds with all holes open, endless sows forbidden, by board."""
    return {record["pits"]: record for record in results["rounds"]
            if record["rules"] == "endless-sow=forbid" and "x" not in record["position"]}


def draw_positions(results, path):
    figure, axes = pyplot.subplots(figsize=(6, 4))
    for pits, start in full_rounds(results).items():
        levels = start["levels"]
        axes.plot([level["seeds"] for level in levels], [level["positions"] for level in levels], marker="o",
                  markersize=3, label=f"2x{pits}")
    axes.set(xlabel="stones on the board", ylabel="reachable positions", yscale="log",
             title="Reachable positions, 4 stones a hole, endless sows forbidden")
    axes.legend()
    save(figure, path)


def draw_values(results, path):
    """The largest board: of the positions of each level the share that has each value."""
    pits, start = max(full_rounds(results).items())
    levels = start["levels"]
    shares = collections.defaultdict(float)
    for level in levels:
        for value, count in level["values"].items():
            shares[level["seeds"], int(value)] += count / level["positions"]
    figure, (values, results_axes) = pyplot.subplots(2, 1, figsize=(6, 7), height_ratios=(2, 1), sharex=True)
    points = sorted(shares.items())
    dots = values.scatter([seeds for (seeds, _), _ in points], [value for (_, value), _ in points], marker="s", s=18,
                          c=[math.log10(share) for _, share in points], cmap="viridis", vmin=-5, vmax=0)
    figure.colorbar(dots, ax=values, label="share of the level's positions, log10")
    values.set(ylabel="value, stones", title=f"Values by level, 2x{pits}")
    seeds = [level["seeds"] for level in levels]
    below = [0.0] * len(levels)
    for kind, color in (("wins", "tab:green"), ("draws", "tab:gray"), ("losses", "tab:red")):
        heights = [level[kind] / level["positions"] for level in levels]
        results_axes.bar(seeds, heights, bottom=below, width=3, color=color, label=kind)
        below = [a + b for a, b in zip(below, heights)]
    results_axes.set(xlabel="stones on the board", ylabel="share")
    results_axes.legend(ncol=3, loc="lower right")
    save(figure, path)


def draw_lengths(results, path):
    figure, (rounds, matches) = pyplot.subplots(1, 2, figsize=(9, 4))
    for pits in sorted({record["pits"] for record in results["starts"]}):
        lines = [(record["stones_per_hole"], len(record["pv"])) for record in results["starts"]
                 if record["pits"] == pits and record["endless_sow"] == "forbid" and "pv" in record]
        rounds.plot([stones for stones, _ in lines], [plies for _, plies in lines], marker="o", markersize=3,
                    label=f"2x{pits}")
    rounds.set(xlabel="stones a hole at the start", ylabel="plies to the end or to a repetition",
               title="Perfect play of a round")
    rounds.legend()
    for offset, starter in zip((-0.25, 0, 0.25), ("alternate", "winner", "loser")):
        bars = [(match["pits"], len(state["line"]) - (state["line_end"] != "cycle"), state["line_end"] == "cycle")
                for match in results["matches"] if match["starter"] == starter and match["rules"] == "endless-sow=forbid"
                for state in match["states"] if "line" in state]
        drawn = matches.bar([pits + offset for pits, _, _ in bars], [length for _, length, _ in bars], width=0.24,
                            label=starter)
        for bar, (_, _, cycle) in zip(drawn, bars):
            bar.set_hatch("//" if cycle else "")
    matches.set(xlabel="holes in a row", ylabel="rounds to the end or (hatched) to a cycle", title="A perfect match")
    matches.legend(title="starter")
    save(figure, path)


def draw(results, folder):
    draw_positions(results, folder / "positions.svg")
    draw_values(results, folder / "values.svg")
    draw_lengths(results, folder / "length.svg")
