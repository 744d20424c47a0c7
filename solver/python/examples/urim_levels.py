# Three pictures of Urim's levels: who wins, by how much, and how long it takes.
#
# The cells (`# %%`) run one by one in an editor that knows them, or all at once:
#
#     python3 solver/python/examples/urim_levels.py [FOLDER [SEEDS]]
#
# It needs matplotlib (Debian: python3-matplotlib). Tables up to SEEDS (13) are built into FOLDER (urim-tables), unless they
# are there, and the pictures are saved beside them. Each level holds all boards of 2x6 pits with so many seeds.

# %% Tables
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import retrosow

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "urim-tables")
seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 13

built = retrosow.build(folder, "urim", seeds=seeds, distance=True)
print(f"{sum(level.positions for level in built):,} positions of levels 0 to {seeds} in {folder}")
tables = retrosow.Tables(folder, "urim")
levels = [tables.level(n, pits=6) for n in range(1, seeds + 1)]
numbers = [level.seeds for level in levels]

# %% Who wins? Shares of the positions that are won, drawn and lost for the player to move.
stats = [level.stats() for level in levels]
shares = np.array([[s.wins, s.draws, s.losses] for s in stats]) / [[s.positions] for s in stats]

figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
bottom = np.zeros(len(levels))
for share, name, colour in zip(shares.T, ["won", "drawn", "lost"], ["#3b7dd8", "#c9c9c9", "#e08a3c"]):
    axes.bar(numbers, share, bottom=bottom, label=name, color=colour, width=0.85)
    bottom += share
axes.set(xlabel="seeds on the board", ylabel="share of all positions", ylim=(0, 1), xticks=numbers)
axes.set_title("Urim 2x6: the player to move wins, draws, loses")
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
figure.savefig(folder / "outcomes.png", dpi=120)

# %% By how much? The values of each level, as shares of its positions.
grid = np.full((2 * seeds + 1, len(levels)), np.nan)  # values from -seeds to seeds, by level
for column, s in enumerate(stats):
    for value, count in s.values.items():
        grid[value + seeds, column] = 100 * count / s.positions

figure, axes = plt.subplots(figsize=(7, 5), layout="constrained")
picture = axes.imshow(
    grid, origin="lower", aspect="auto", cmap="viridis", extent=(0.5, seeds + 0.5, -seeds - 0.5, seeds + 0.5), norm="log"
)
axes.set(xlabel="seeds on the board", ylabel="value for the player to move (seeds)", xticks=numbers)
axes.set_title("Urim 2x6: how often each value occurs")
figure.colorbar(picture, label="% of the level's positions (white: none)")
figure.savefig(folder / "values.png", dpi=120)

# %% How long does it take? Plies to the next capture under perfect play, where the game is not drawn.
figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
colours = plt.cm.viridis(np.linspace(0, 0.9, 5))
for level, colour in zip(levels[-5:], colours):
    distances = level.distances()
    distances = distances[distances != retrosow.NO_DISTANCE]
    longer = (len(distances) - np.cumsum(np.bincount(distances))) / len(distances)  # the share that takes more than d plies
    axes.step(np.arange(len(longer)), np.where(longer > 0, longer, np.nan), where="post", label=f"{level.seeds} seeds", color=colour)
axes.set(xlabel="plies d", ylabel="share that takes more than d plies", yscale="log")
axes.set_title("Urim 2x6: plies to the next capture or the end")
axes.legend(frameon=False)
figure.savefig(folder / "distances.png", dpi=120)

# %% The board that takes longest, and where its first moves lead.
longest = max(stats, key=lambda s: s.longest_distance or 0)
board = retrosow.Position(longest.longest_distance_position, tables.rules)
probe = tables.probe(board)
print(f"{board} takes {probe.distance} plies to the next capture; it is worth {probe.value:+}")
for move in probe.moves:
    print(f"  pit {move.pit}: {move.value:+}" + (" makes progress" if move.pit in probe.progress else ""))
