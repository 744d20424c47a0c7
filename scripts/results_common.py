"""What the scripts that write results have in common: running the program, facts of the machine, Markdown, plots.

Needs only the standard library; `pyplot()` needs Debian's python3-matplotlib.
"""
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

LIMIT_REACHED = 6  # exit code of the program
MEASURE = pathlib.Path(__file__).resolve().parent / "measure.py"


def measured(words, shown, lines=None, **how):
    """Runs a command: its exit code, its output and the call, as `calls_table` wants it. `shown` stands for it."""
    how = {"stdin": subprocess.DEVNULL if lines is None else None, "stdout": subprocess.PIPE, "text": True, **how}
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        run = subprocess.run([sys.executable, "-I", "-S", str(MEASURE), report.name, *map(str, words)], input=lines,
                             check=False, **how)
        call = {"command": shown, **json.loads(report.read() or "{}")}
    call.pop("load", None)
    print(f"{call.get('seconds', 0):8.1f} s  {shown}", file=sys.stderr, flush=True)
    return run.returncode, run.stdout, call


class Program:
    """Runs the program and keeps what it was asked, as it can be repeated, with time and memory.

    `tables`, its folder of tables, is shown as TABLES: machines differ in paths.
    """

    def __init__(self, binary, tables):
        self.binary, self.tables = str(binary), str(tables)
        self.shown = {self.tables: "TABLES"}  # words by what stands for them in `calls`
        self.calls = []

    def run(self, *words, limit_allowed=False, lines=None):
        """What a call prints. Fails: SystemExit, with its exit code."""
        words = [str(word) for word in words]
        command = "retrosow " + " ".join(self.shown.get(word, word) for word in words if word != "--json")
        self.exit_code, output, call = measured([self.binary, *words], command, lines)
        self.calls.append(call)
        if self.exit_code != 0 and not (self.exit_code == LIMIT_REACHED and limit_allowed):
            sys.exit(self.exit_code)
        return output

    def records(self, *words, **how):
        """The records of a call. Where a limit may stop it, those printed by then."""
        return [json.loads(line) for line in self.run(*words, "--json", **how).splitlines()]

    @property
    def commands(self):
        return [call["command"] for call in self.calls]

    @property
    def peak_mib(self):
        return max((call["peak_mib"] for call in self.calls), default=0)


class Budget:
    """Seconds that a script may take; None is no end."""

    def __init__(self, seconds=None):
        self.began, self.seconds = time.monotonic(), seconds
        self.left_out = []

    @property
    def used(self):
        return time.monotonic() - self.began

    @property
    def left(self):
        return float("inf") if self.seconds is None else self.seconds - self.used

    def allows(self, what, seconds):
        """Whether so much time is left; what it is not left for is kept in `left_out`."""
        if seconds <= self.left:
            return True
        self.left_out.append(what)
        print(f"left out, {seconds:.0f} s needed and {max(self.left, 0):.0f} s left: {what}", file=sys.stderr, flush=True)
        return False


# ------------------------------------------------------------------ rules and boards


def rule_words(game, rules):
    """The options that choose rules, from their canonical text."""
    words = ["--game", game]
    for option in rules.split():
        name, value = option.split("=")
        words += ["--" + name, value]
    return words


def boards_of_level(pits, seeds, limit):
    """The number of boards of 2 x pits with so many seeds and no pit above the limit (0: none)."""
    ways = [1] + [0] * seeds
    for _ in range(2 * pits):
        sums, below = [], 0
        for at in range(seeds + 1):
            below += ways[at] - (ways[at - limit - 1] if limit and at > limit else 0)
            sums.append(below)
        ways = sums
    return ways[seeds]


def boards_to_level(pits, seeds, limit):
    return sum(boards_of_level(pits, level, limit) for level in range(seeds + 1))


def table_files(tables):
    """What the manifest of a folder of tables says of each file (tables/FORMAT.md)."""
    return json.loads((pathlib.Path(tables) / "MANIFEST.json").read_text(encoding="utf-8"))["files"]


def rules_digests(tables):
    """By (game, rules) the digest of the rules that stands in the files' headers (tables/FORMAT.md)."""
    digests = {}
    for file in table_files(tables):
        if (file["game"], file["rules"]) not in digests:
            with open(pathlib.Path(tables) / file["name"], "rb") as table_file:
                digests[file["game"], file["rules"]] = table_file.read(72)[56:72].hex()
    return digests


def rules_facts(program, *games):
    """Facts: the default rules of games, and their digests as the program writes them into a table of 2x1."""
    facts = {}
    for game in games:
        with tempfile.TemporaryDirectory() as tables:
            board = ["1/1"] if game == "rio-kadalis" else ["--pits", "1", "--seeds", "0"]
            subprocess.run([program.binary, "build", *board, "--game", game, "--out", tables, "--quiet"], check=True,
                           stdout=subprocess.DEVNULL)
            (_, rules), digest = rules_digests(tables).popitem()
        name = game.replace("-", " ").title()
        facts.update({f"rules of {name}": f"`{rules}`", f"rules digest of {name}": f"`{digest}`"})
    return facts


# ------------------------------------------------------------------ facts


def there_before(count, of):
    """A fact: how many tables a run found in its folder. Those are checked, not computed, so they have no time of their own."""
    return f"{count} of {of}" + (", checked and not computed again: times do not include them" if count else "")


def memory_gib():
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (ValueError, OSError):
        return None


def facts_of(program, given):
    """What a result is worth little without. `given`: NAME=VALUE, from the script around this one.

    The commit is the program's. That counts results written since as changes of the tree, a given one does not.
    """
    version = program.records("version")[0]
    facts = {"program": f"retrosow {version['version']}, {version['compiler']}, kernel {version['kernel']}, "
                        f"format {version['format_version']}"}
    facts.update(fact.split("=", 1) for fact in given)
    if facts.get("commit") != version["commit"].removesuffix("-dirty"):
        facts["commit"] = version["commit"]
    facts.setdefault("processor", platform.processor() or platform.machine())
    facts["cores"] = str(os.cpu_count())
    if memory_gib():
        facts["memory of the machine"] = f"{memory_gib()} GiB"
    facts["load when it began"] = f"{os.getloadavg()[0]:.2f}"
    facts["date"] = time.strftime("%Y-%m-%d", time.gmtime())
    return facts


# ------------------------------------------------------------------ Markdown and JSON


def table(heads, rows, right=()):
    lines = ["| " + " | ".join(heads) + " |", "|" + "|".join("--:" if head in right else "---" for head in heads) + "|"]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |" for cells in rows]
    return "\n".join(lines) + "\n"


def signed(value):
    return f"{value:+d}" if value else "0"


CODE_FACTS = ("command", "runs")


def code(text):
    """As code in Markdown, once."""
    return f"`{text.strip('`')}`"


def facts_table(facts):
    return "| | |\n|---|---|\n" + "\n".join(f"| {name} | {code(value) if name in CODE_FACTS else value} |"
                                         for name, value in facts.items()) + "\n"


def levels_digests_table(levels):
    """The tables that a result was made with."""
    rows = [(level["seeds"], f"{level['positions']:,}", f"{level['bytes']:,}", f"`{level['digest']}`")
            for level in levels]
    heads = ("seeds", "positions", "bytes", "digest of the values")
    return table(heads, rows, heads[:3])


def calls_table(calls):
    """Commands with time and memory; many of a kind are one row."""
    rows = [(f"`{call['command']}`", f"{call['seconds']:.1f}", f"{call['cpu_seconds']:.1f}", f"{call['peak_mib']:,.0f}")
            for call in calls if call["seconds"] >= 1]
    rest = [call for call in calls if call["seconds"] < 1]
    if rest:
        rows.append((f"{len(rest)} of less than a second each, in `results.json`", f"{sum(c['seconds'] for c in rest):.1f}",
                     f"{sum(c['cpu_seconds'] for c in rest):.1f}", f"{max(c['peak_mib'] for c in rest):,.0f}"))
    return table(("command", "seconds", "processor seconds", "most MiB"), rows, ("seconds", "processor seconds", "most MiB"))


def write_json(path, data):
    """One line an element of the outer lists: small enough to read, and to see in a diff what changed."""
    parts = []
    for key, value in data.items():
        if isinstance(value, list) and value:
            body = "[\n  " + ",\n  ".join(json.dumps(item, separators=(",", ":")) for item in value) + "\n ]"
        else:
            body = json.dumps(value)
        parts.append(f" {json.dumps(key)}: {body}")
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def duration(seconds):
    """"12 s", "3 min 20 s", "29 h 23 min", "98 days"."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{int(seconds // 60)} min {int(seconds % 60)} s"
    if seconds < 48 * 3600:
        return f"{int(seconds // 3600)} h {int(seconds % 3600 // 60)} min"
    return f"{seconds / 86400:,.0f} days"


def size(count):
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:,.0f} {unit}" if unit == "bytes" else f"{count:,.1f} {unit}"
        count /= 1024
    return f"{count:,.2f} TiB"


# ------------------------------------------------------------------ plots

# Greys far enough apart to survive a photocopier, each with a hatch of its own; colours are never the only difference.
FILLS = ({"facecolor": "0.25", "hatch": ""}, {"facecolor": "0.95", "hatch": ".."}, {"facecolor": "0.65", "hatch": "//"})
LINES = ({"color": "black", "marker": "o", "linestyle": "-"}, {"color": "#0072b2", "marker": "s", "linestyle": "--"},
         {"color": "#d55e00", "marker": "^", "linestyle": "-."}, {"color": "0.45", "marker": "D", "linestyle": ":"},
         {"color": "#009e73", "marker": "v", "linestyle": (0, (5, 1))}, {"color": "#cc79a7", "marker": "x", "linestyle": "-"})


def pyplot():
    """Pyplot, set up so that the same results give the same files."""
    try:
        import matplotlib
    except ImportError:
        sys.exit("matplotlib is not here (Debian: python3-matplotlib)")
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "retrosow", "font.size": 9, "figure.constrained_layout.use": True,
                                "axes.spines.top": False, "axes.spines.right": False, "hatch.linewidth": 0.6,
                                "lines.markersize": 4, "savefig.dpi": 150})
    from matplotlib import pyplot as plots
    return plots


def save_figure(plots, figure, folder, name):
    """NAME.svg and NAME.png, without the date that would make them differ from run to run."""
    figure.savefig(pathlib.Path(folder) / f"{name}.svg", metadata={"Date": None})
    figure.savefig(pathlib.Path(folder) / f"{name}.png", metadata={"Software": None})
    plots.close(figure)


def label_line(axes, x, y, text, dx=4, dy=0, **style):
    """A direct label beside a line's end: no legend to match colours with."""
    axes.annotate(text, (x, y), (dx, dy), textcoords="offset points", va="center", **style)


def label_lines(axes, ends, apart=11, dx=5, **style):
    """Labels beside the ends (x, y, text, color) of lines, moved apart where lines end beside each other.

    Pre: the axes have their limits.
    """
    axes.figure.draw_without_rendering()
    placed = []  # (x, y) in points
    for x, y, text, color in sorted(ends, key=lambda end: end[1]):
        at_x, at_y = (coordinate * 72 / axes.figure.dpi for coordinate in axes.transData.transform((x, y)))
        moved = max([at_y, *(other_y + apart for other_x, other_y in placed if abs(other_x - at_x) < 3 * apart)])
        placed.append((at_x, moved))
        label_line(axes, x, y, text, dx=dx, dy=moved - at_y, color=color, **style)


def draw_grid(plots, values, folder, name, **settings):
    """NAME: a cell for each (column, board 2xK) of `values`; the winner's dark, the loser's hatched."""
    boards = sorted({pits for _, pits in values})
    most = max(column for column, _ in values)
    figure, axes = plots.subplots(figsize=(max(4.4, 0.4 * most + 0.8), 0.42 * len(boards) + 1.1))
    for (x, pits), value in values.items():
        y, kind = boards.index(pits), (value > 0) - (value < 0)
        style = {1: {"facecolor": "0.2"}, 0: {"facecolor": "white"}, -1: {"facecolor": "0.8", "hatch": "//"}}[kind]
        axes.add_patch(plots.Rectangle((x - 0.5, y - 0.5), 1, 1, edgecolor="0.5", linewidth=0.6, **style))
        box = {"boxstyle": "square,pad=0.15", "facecolor": "0.8", "edgecolor": "none"} if kind < 0 else None
        axes.text(x, y, signed(value), ha="center", va="center", fontsize=8, color="white" if kind > 0 else "black",
                  bbox=box)
    axes.set(xlim=(0.5, most + 0.5), ylim=(len(boards) - 0.5, -0.5), xticks=range(1, most + 1),
             yticks=range(len(boards)), yticklabels=[f"2x{pits}" for pits in boards], **settings)
    axes.tick_params(length=0)
    save_figure(plots, figure, folder, name)
