"""Plots of rio_results.py: readable in grey, labelled in place, the same files for the same results."""
import collections
import math

import results_common
from results_common import FILLS, LINES, draw_grid, label_lines, save_figure

plots = results_common.pyplot()


def full_rounds(results):
    """Rounds with all holes open, endless sows forbidden, by board."""
    return {record["pits"]: record for record in results["rounds"]
            if record["rules"] == "endless-sow=forbid" and "x" not in record["position"]}


def draw_starts(results, folder):
    values = {(start["stones_per_hole"], start["pits"]): start["value"] for start in results["starts"]
              if start["endless_sow"] == "forbid" and "value" in start}
    draw_grid(plots, values, folder, "starts", xlabel="stones a hole",
              title="Values of the starts, endless sows forbidden\n(dark won, white drawn, hatched lost)")


def draw_positions(results, folder):
    figure, axes = plots.subplots(figsize=(6, 4))
    for (pits, start), style in reversed(list(zip(sorted(full_rounds(results).items()), LINES))):
        levels = start["levels"]
        axes.plot([level["seeds"] for level in levels], [level["positions"] for level in levels], linewidth=1,
                  label=f"2x{pits}", **style)
    axes.set(xlabel="stones on the board", ylabel="reachable positions", yscale="log",
             title="Reachable positions, 4 stones a hole, endless sows forbidden")
    axes.legend(frameon=False, handlelength=3, loc="upper left")
    save_figure(plots, figure, folder, "positions")


def draw_values(results, folder):
    """The largest board: of the positions of each level the share that has each value."""
    pits, start = max(full_rounds(results).items())
    levels = start["levels"]
    shares = collections.defaultdict(float)
    for level in levels:
        for value, count in level["values"].items():
            shares[level["seeds"], int(value)] += count / level["positions"]
    figure, (values, results_axes) = plots.subplots(2, 1, figsize=(6, 7), height_ratios=(2, 1), sharex=True)
    points = sorted(shares.items())
    dots = values.scatter([seeds for (seeds, _), _ in points], [value for (_, value), _ in points], marker="s", s=18,
                          c=[math.log10(share) for _, share in points], cmap="Greys", vmin=-6, vmax=0,
                          edgecolors="0.6", linewidths=0.3)
    figure.colorbar(dots, ax=values, label="share of the level's positions, log10")
    values.set(ylabel="value, stones", title=f"Values by level, 2x{pits}")
    seeds = [level["seeds"] for level in levels]
    below = [0.0] * len(levels)
    for kind, fill in zip(("wins", "draws", "losses"), FILLS):
        heights = [level[kind] / level["positions"] for level in levels]
        results_axes.bar(seeds, heights, bottom=below, width=3, edgecolor="0.3", linewidth=0.4, label=kind, **fill)
        below = [a + b for a, b in zip(below, heights)]
    results_axes.set(xlabel="stones on the board", ylabel="share")
    results_axes.legend(ncol=3, loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False, fontsize=8)
    save_figure(plots, figure, folder, "values")


def draw_lengths(results, folder):
    figure, (rounds, matches) = plots.subplots(1, 2, figsize=(9, 4))
    ends = []
    for pits, style in zip(sorted({record["pits"] for record in results["starts"]}), LINES):
        lines = [(record["stones_per_hole"], len(record["pv"])) for record in results["starts"]
                 if record["pits"] == pits and record["endless_sow"] == "forbid" and "pv" in record]
        rounds.plot([stones for stones, _ in lines], [plies for _, plies in lines], linewidth=1, **style)
        if lines:
            ends.append((*lines[-1], f"2x{pits}", style["color"]))
    rounds.set(xlabel="stones a hole at the start", ylabel="plies to the end or to a repetition",
               title="Perfect play of a round")
    rounds.margins(x=0.1)
    label_lines(rounds, ends)
    for offset, starter, grey in zip((-0.25, 0, 0.25), ("alternate", "winner", "loser"), ("0.3", "0.6", "0.9")):
        bars = [(match["pits"], len(state["line"]) - (state["line_end"] != "cycle"), state["outcome"])
                for match in results["matches"] if match["starter"] == starter and match["rules"] == "endless-sow=forbid"
                for state in match["states"] if "line" in state]
        drawn = matches.bar([pits + offset for pits, _, _ in bars], [length for _, length, _ in bars], width=0.24,
                            facecolor=grey, edgecolor="black", linewidth=0.5, label=starter)
        for bar, (_, _, outcome) in zip(drawn, bars):
            bar.set_hatch("//" if outcome == "draw" else "")
            matches.annotate(f"{starter[0]}\n{outcome[0].upper()}",
                             (bar.get_x() + bar.get_width() / 2, bar.get_height()), (0, 2),
                             textcoords="offset points", ha="center", fontsize=7)
    matches.set(xticks=sorted({match["pits"] for match in results["matches"]}), xlabel="holes in a row",
                ylabel="rounds to the end or (hatched) to a cycle",
                title="A perfect match: Win, Draw, Loss of who starts it")
    matches.margins(y=0.12)
    matches.legend(title="next round's starter (initial above the bar)", fontsize=8, frameon=False, ncol=3,
                   loc="upper center", bbox_to_anchor=(0.5, -0.14))
    save_figure(plots, figure, folder, "length")


def draw(results, folder):
    draw_starts(results, folder)
    draw_positions(results, folder)
    draw_values(results, folder)
    draw_lengths(results, folder)
