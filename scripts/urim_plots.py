"""Plots of urim_results.py: readable in grey, labelled in place, the same files for the same results."""
import results_common
from results_common import FILLS, LINES, draw_grid, label_line, save_figure

plots = results_common.pyplot()


def draw_starts(results, folder):
    values = {(start["seeds_a_pit"], start["pits"]): start["value"] for start in results["starts"]
              if start["variant"] == "default"}
    draw_grid(plots, values, folder, "starts", xlabel="seeds a pit",
              title="Values of the starts: dark won, white drawn, hatched lost; blank not solved")


def draw_outcomes(results, folder):
    """Above: wins, draws, losses by level. Below: how many values rest on endless play, levels by parity of the seeds."""
    levels = results["levels"]
    seeds = [level["seeds"] for level in levels]
    figure, (axes, endless) = plots.subplots(2, 1, figsize=(6.5, 5.4), height_ratios=(3, 2), sharex=True)
    below = [0.0] * len(levels)
    for kind, fill in zip(("wins", "draws", "losses"), FILLS):
        heights = [100 * level[kind] / level["positions"] for level in levels]
        axes.bar(seeds, heights, bottom=below, width=0.92, edgecolor="0.3", linewidth=0.4, **fill)
        label_line(axes, seeds[-1] + 0.5, below[-1] + heights[-1] / 2, f"{kind} {heights[-1]:.0f} %")
        below = [a + b for a, b in zip(below, heights)]
    axes.set(ylabel="% of all boards", ylim=(0, 100), xlim=(seeds[0] - 0.6, seeds[-1] + 0.6),
             title="Outcome for the player to move")
    for parity, name, style, dy in ((1, "odd", LINES[0], 14), (0, "even", LINES[1], -12)):
        points = [(level["seeds"], 100 * level["endless_by_parity"] / level["positions"]) for level in levels
                  if level["seeds"] % 2 == parity]
        if points:
            endless.plot(*zip(*points), linewidth=1, **style)
            label_line(endless, *points[-1], f"by parity,\n{name} levels", dx=6, dy=dy, color=style["color"], fontsize=8)
    known = [(level["seeds"], 100 - 100 * level["forced"]["values"] / level["positions"]) for level in levels
             if "forced" in level]
    if known:
        endless.plot(*zip(*known), linewidth=1, **LINES[2])
        label_line(endless, *known[-1], "by guarantees", dx=6, color=LINES[2]["color"], fontsize=8)
    endless.set(xlabel="seeds on the board", ylabel="% of all boards", ylim=(0, None), title="Value rests on endless play")
    save_figure(plots, figure, folder, "outcomes")


def draw_values(results, folder):
    """Counts by value of a few levels, and the mean value of all."""
    levels = results["levels"]
    figure, (counts, means) = plots.subplots(1, 2, figsize=(8.4, 3.6), width_ratios=(3, 2))
    shown = [level for level in levels if level["seeds"] and level["seeds"] % 6 == 0][-4:]
    for level, style in zip(shown, LINES):
        values = sorted((int(value), 100 * count / level["positions"]) for value, count in level["values"].items())
        same = [(value, share) for value, share in values if (value - level["seeds"]) % 2 == 0]
        other = [(value, share) for value, share in values if (value - level["seeds"]) % 2]
        counts.plot(*zip(*same), **{**style, "markersize": 3}, linewidth=0.8, label=f"{level['seeds']} seeds")
        if other:
            counts.plot(*zip(*other), **{**style, "markersize": 3, "linestyle": "none"}, markerfacecolor="white")
    counts.set(yscale="log", xlabel="value, seeds", ylabel="% of all boards",
               title="How often values occur (white: parity of endless play)")
    counts.legend(fontsize=8, frameon=False, handlelength=3)
    means.plot([level["seeds"] for level in levels], [level["mean"] for level in levels], **LINES[0])
    means.axhline(0, color="0.6", linewidth=0.6)
    means.xaxis.get_major_locator().set_params(integer=True)
    means.set(xlabel="seeds on the board", ylabel="mean value, seeds", title="The advantage of moving")
    save_figure(plots, figure, folder, "values")


def draw_moves(results, folder):
    levels = [level for level in results["levels"] if level["seeds"] and "moves" in level]
    if not levels:
        return
    seeds = [level["seeds"] for level in levels]
    figure, axes = plots.subplots(1, 3, figsize=(9, 3))
    panels = (("branching", 1, "legal moves a position"), ("capture_share", 100, "% of legal moves that capture"),
              ("seeds_a_capture", 1, "seeds a capture"))
    for axis, (key, scale, label) in zip(axes, panels):
        known = [(level["seeds"], scale * level[key]) for level in levels if level[key] is not None]
        axis.plot([x for x, _ in known], [y for _, y in known], **LINES[0], linewidth=1)
        axis.set(xlabel="seeds on the board", title=label, xlim=(0, seeds[-1] * 1.12),
                 ylim=(0, 1.12 * max((y for _, y in known), default=1)))
        if known:
            axis.annotate(f"{known[-1][1]:.2f}", known[-1], (0, 6), textcoords="offset points", ha="center", fontsize=8)
    save_figure(plots, figure, folder, "moves")


def draw_distances(results, folder):
    known = [(level["seeds"], level["longest_distance"]) for level in results["levels"]
             if level.get("longest_distance") is not None]
    if not known:
        return
    figure, axes = plots.subplots(figsize=(5.5, 3.2))
    axes.bar([x for x, _ in known], [y for _, y in known], width=0.8, edgecolor="0.3", linewidth=0.4, **FILLS[2])
    for x, y in known:
        axes.annotate(str(y), (x, y), (0, 2), textcoords="offset points", ha="center", fontsize=7)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set(xlabel="seeds on the board", ylabel="plies", title="Longest distance to a capture or the end")
    save_figure(plots, figure, folder, "distances")


def draw(results, folder):
    draw_starts(results, folder)
    draw_outcomes(results, folder)
    draw_values(results, folder)
    draw_moves(results, folder)
    draw_distances(results, folder)
