#!/usr/bin/env python3
"""Fills report_template.md from the JSON of the results and writes RESULTS/REPORT.md, so that text and results agree.

usage: report.py RESULTS [--strict]

In the template `{{ expression }}` is replaced by a Python expression's value; it may use the results (`urim`, `baselines`:
their results.json) and the functions of this file. A block from `<!-- needs NAME -->` to `<!-- end -->` is replaced by a
remark where results/NAME is not there. With --strict that is an error, as is always an expression that fails.
"""
import pathlib
import re
import sys
import json

from results_index import of_awari
from results_common import duration, signed, size, table

HERE = pathlib.Path(__file__).parent
MEASURED_BY = {"urim": "scripts/urim_results", "rio-kadalis": "scripts/rio_results", "baselines": "scripts/baselines"}


class Data(dict):
    """Keys as attributes: urim.facts["commit"]."""

    __getattr__ = dict.__getitem__


def load(results):
    found = {}
    for path in results.glob("*/results.json"):
        found[path.parent.name] = Data(json.loads(path.read_text(encoding="utf-8")))
    return found


def percent(part, whole, digits=1):
    return f"{100 * part / whole:.{digits}f} %"


def listing(words):
    words = list(words)
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def times(count, one, many=None):
    return f"{count:,} {one if count == 1 else many or one + 's'}"


class Report:
    """The functions that the template calls."""

    def __init__(self, found):
        self.found = found
        self.urim, self.rio = found.get("urim"), found.get("rio-kadalis")
        self.baselines, self.awari = found.get("baselines"), found.get("awari")

    def names(self):
        functions = {name: getattr(self, name) for name in dir(type(self)) if not name.startswith("_")}
        return {**functions, "urim": self.urim, "rio": self.rio, "baselines": self.baselines}

    # ---------------------------------------------------------------- front matter

    def abstract(self):
        parts = []
        if self.urim:
            starts, top = self._default_starts(), self.urim.levels[-1]
            pits = self._level_pits()
            parts.append(f"For Urim we give the value of {len(starts)} starts that have a legal move, of 2x1 to "
                         f"2x{max(s['pits'] for s in starts)} and "
                         f"of every board of 2x{pits} with up to {top['seeds']} seeds "
                         f"({sum(level['positions'] for level in self.urim.levels):,}).")
            for record in self._best_bounds():
                parts.append(f"The traditional start of 2x{record['pits']} is {self._bounds_text(record)}.")
        if self.rio:
            whole = self._whole_round()
            parts.append(f"For Rio Kadalis we solve the round of 2x{whole['pits']} from its start completely, "
                         f"{self._reached(whole):,} positions: it is worth {signed(whole['value'])} stones to the "
                         f"player who "
                         "begins; and the match of many rounds.")
        return "\n".join(parts)

    def machine_text(self):
        """The cores and memory that the results name; most of them are of one machine."""
        for data in (self.urim, self.rio, self.baselines):
            facts = data.get("facts", {}) if data else {}
            if "memory of the machine" in facts:
                return f"a machine with {times(int(facts['cores']), 'core')} and {facts['memory of the machine']} of memory"
        return "one machine"

    def _proof(self):
        proof = self.urim.get("proof") if self.urim else None
        return proof if proof and proof["proved"] else None

    def proved_short(self):
        proof = self._proof()
        if not proof:
            return ""
        return (f"That was done for all boards of 2x{proof['pits']} Urim with up to {proof['seeds']} seeds "
                f"({proof['positions']:,}).")

    def proof_text(self):
        """Which of the results have distances, and which of these were verified."""
        parts, proof = [], self._proof()
        if proof:
            above = [level["seeds"] for level in self.urim.levels if level["seeds"] > proof["seeds"]]
            parts.append(f"Of the tables of section 6, those of {self.level_board()} with 0 to {proof['seeds']} seeds under "
                         f"the default rules have distances, and\n`verify` proved their {proof['positions']:,} values in "
                         f"{duration(proof['seconds'])}.")
            parts.append((f"Its levels from {above[0]} seeds on, other boards and other rules" if above else
                          "Other boards and other rules") + " were solved by the same\nprogram, but without distances.")
        elif self.urim:
            parts.append("No table of section 6 was verified in the run that this report tells of.")
        if self.urim and any("forced" in level for level in self.urim.levels):
            parts.append("Guarantees were not verified in that run.")
        if self.rio:
            rounds = [record for record in self.rio.rounds if "levels" in record]
            have = [record for record in rounds if any(level.get("distance_digest") for level in record["levels"])]
            parts.append(f"Of the {len(rounds)} rounds of section 7, {len(have)} have distances; they are not verified in "
                         "that run." if have else "The rounds of section 7 were solved without distances.")
        return "\n".join(parts)

    def guarantees_text(self):
        if self.urim and any("forced" in level for level in self.urim.levels):
            return ("For each side we can also compute its *guarantee*: what it can force by play that ends by "
                    "itself, which needs no "
                    "convention. Where\nboth guarantees add up to all seeds, the value does not rest on the "
                    "convention.")
        return ("A value rests on that convention where perfect play goes round. When play ends, every seed has gone "
                "to one side or "
                "the other, so a\nvalue of another parity than the number of seeds is a sure sign of it; section 6.3 "
                "counts those.")

    def awari_claims(self):
        if not self.awari:
            return ""
        return "\n".join(f"- {claim['claim']} ([awari](awari/README.md))." for claim in of_awari(self.awari))

    # ---------------------------------------------------------------- Urim

    def _default_starts(self):
        """Those with a legal move."""
        return [start for start in self.urim.starts if start["variant"] == "default" and start["moves"]]

    def _level_pits(self):
        return self.urim.levels[0]["pits"]

    def level_board(self):
        return f"2x{self._level_pits()}"

    def there_before_text(self):
        """A remark where the run that is told of found tables made by an earlier one."""
        there = self.urim.facts.get("tables there before", "0 of 0")
        return "" if there.startswith("0 of ") else f" Tables there before: {there}."

    def starts_text(self):
        starts = self._default_starts()
        over = [s for s in self.urim.starts if s["variant"] == "default" and not s["moves"]]
        where = [f"2x{pits} with {listing(str(s['seeds_a_pit']) for s in over if s['pits'] == pits)} a pit"
                 for pits in sorted({s["pits"] for s in over})]
        kinds = {word: [s for s in starts if (s["value"] > 0) - (s["value"] < 0) == sign]
                 for word, sign in (("won", 1), ("drawn", 0), ("lost", -1))}
        highest = max(starts, key=lambda s: abs(s["value"]) / s["seeds"])
        two = [s for s in starts if s["match_points"]["mover"] == 2 or s["match_points"]["opponent"] == 2]
        without = (f"\nIn {len(over)} more there is no legal move, and the game is over before it begins: {'; '.join(where)}."
                   if over else "")
        return (f"Of {len(starts)} starts, 2x1 to 2x{max(s['pits'] for s in starts)}, {len(kinds['won'])} are won for "
                f"the player "
                f"who begins, {len(kinds['drawn'])} drawn and {len(kinds['lost'])} lost. In {len(two)} the winner "
                f"takes three\n"
                f"quarters of the seeds and so two match points. Relative to the seeds, the most lopsided is "
                f"{highest['seeds_a_pit']} "
                f"a pit on 2x{highest['pits']}, worth {signed(highest['value'])} of {highest['seeds']}.{without}")

    def starts_matrix(self):
        starts = {(s["pits"], s["seeds_a_pit"]): s["value"] for s in self.urim.starts if s["variant"] == "default"}
        boards = sorted({pits for pits, _ in starts})
        most = max(seeds for _, seeds in starts)
        heads = ["seeds a pit", *map(str, range(1, most + 1))]
        rows = [[f"2x{pits}", *(signed(starts[pits, n]) if (pits, n) in starts else "" for n in range(1, most + 1))]
                for pits in boards]
        return table(heads, rows, heads[1:])

    def variants_text(self):
        lines = []
        for variant in sorted({entry["variant"] for entry in self.urim.compared}):
            entries = sorted((entry for entry in self.urim.compared if entry["variant"] == variant),
                             key=lambda entry: entry["pits"])
            starts = sum(entry["starts_compared"] for entry in entries)
            changed = [f"2x{entry['pits']} with {listing(map(str, entry['values_differ']))} a pit"
                       for entry in entries if entry["values_differ"]]
            moves = [f"2x{entry['pits']} with {listing(map(str, entry['best_differ']))} a pit"
                     for entry in entries if entry["best_differ"]]
            first = {entry["pits"]: entry["first_level_that_differs"] for entry in entries}
            same = [f"2x{pits}" for pits, level in first.items() if level is None]
            by_level = {level: [f"2x{pits}" for pits in sorted(first) if first[pits] == level]
                        for level in sorted({level for level in first.values() if level is not None})}
            other = [f"{level} seeds on ({listing(boards)})" for level, boards in by_level.items()]
            text = f"- `--{variant}`: of {times(starts, 'start')} compared, "
            text += f"the value differs at {listing(changed)}" if changed else "none has another value"
            text += f"; the same value but other best moves: {listing(moves)}" if moves else ""
            text += f". Values of boards differ from {listing(other)}" if other else ""
            text += f"; no board's value differs in the levels compared of {listing(same)}" if same else ""
            lines.append(text + ".")
        return ("Each rule that is not the default, alone, all else by default. Levels are compared by "
                "digest.\n\n" + "\n".join(lines))

    def levels_text(self):
        top = self.urim.levels[-1]
        odd = [level for level in self.urim.levels if level["seeds"] % 2][-1]
        text = (f"Of the {top['positions']:,} boards with {top['seeds']} seeds, "
                f"{percent(top['wins'], top['positions'])} are won for "
                f"the player to move, {percent(top['draws'], top['positions'])} drawn and "
                f"{percent(top['losses'], top['positions'])} lost; the\nmean value is {top['mean']:+.2f} seeds. "
                f"{percent(top['endless_by_parity'], top['positions'])} of the values have a parity that play that "
                f"ends cannot "
                f"have, so they rest on endless play for\ncertain; with {odd['seeds']} seeds, where every draw is "
                f"endless, it is "
                f"{percent(odd['endless_by_parity'], odd['positions'])}.")
        exact = [level for level in self.urim.levels if "forced" in level]
        if exact:
            last, forced = exact[-1], exact[-1]["forced"]
            outcomes = forced["wins"] + forced["draws"] + forced["losses"]
            text += (f"\nGuarantees tell exactly: with {last['seeds']} seeds, "
                     f"{percent(forced['values'], last['positions'])} of the values "
                     f"hold whatever endless play is worth, and on {percent(outcomes, last['positions'])} of the "
                     f"boards the outcome does.")
        return text

    def levels_short_table(self):
        levels = self.urim.levels
        shown = [level for level in levels if level["seeds"] and level["seeds"] % 4 == 0] or levels[-1:]
        if levels[-1] not in shown:
            shown.append(levels[-1])
        rows = [(level["seeds"], f"{level['positions']:,}", percent(level["wins"], level["positions"]),
                 percent(level["draws"], level["positions"]), percent(level["losses"], level["positions"]),
                 f"{level['mean']:+.3f}", percent(level["endless_by_parity"], level["positions"]), f"`{level['digest']}`")
                for level in shown]
        heads = ("seeds", "boards", "won", "drawn", "lost", "mean value", "endless by parity", "digest of the values")
        return table(heads, rows, heads[:-1])

    def moves_text(self):
        capturing = [level for level in self.urim.levels if level["moves"]["captures"]]
        if not capturing:
            return ""
        top = capturing[-1]
        moves = top["moves"]
        return (f"A board with {top['seeds']} seeds has {top['branching']:.2f} legal moves on average; "
                f"{percent(moves['captures'], moves['legal'])} of them capture, "
                f"{moves['captured'] / moves['captures']:.2f} seeds "
                f"each. On {percent(moves['over'], top['positions'], 2)} of the boards the game is over.")

    def distance_text(self):
        line = self.urim.line
        if not line:
            return ""
        last = [level for level in self.urim.levels if level.get("longest_distance") is not None][-1]
        ends = {"repetition": f"comes to a repetition after {line['plies']} plies",
                "game-over": f"is over after {line['plies']} plies"}
        return (f"The longest distance to a capture or the end, over all boards of {self.level_board()} with up to "
                f"{last['seeds']} seeds, is {line['distance']} plies, from `{line['position']}`\n(value "
                f"{signed(line['value'])}). Perfect play from there {ends.get(line['end'], 'goes on')}. An example of "
                "each level is in [urim/README.md](urim/README.md).\n\n![Longest distances](urim/distances.svg)")

    def _best_bounds(self):
        """Of each traditional start the search that proved most, here or in the results of the search itself."""
        def width(record):
            return 0 if "value" in record else record["bounds"][1] - record["bounds"][0]

        search = self.found.get("search", {})
        rules = self.urim.levels[0]["rules"]
        records = [record for record in [*self.urim.bounds, *search.get("starts", []), *search.get("with_tables", [])]
                   if record["rules"] == rules]
        best = []
        for pits in (6, 7):
            row = ",".join(["3"] * pits)
            same = [record for record in records if record["position"] == f"{row}/{row}"]
            best += [{**min(same, key=width), "pits": pits}] if same else []
        return best

    @staticmethod
    def _bounds_text(record):
        if "value" in record:
            return f"worth {signed(record['value'])} to the player who begins"
        low, high = record["bounds"]
        return f"proved to be worth between {signed(low)} and {signed(high)} to the player who begins"

    def bounds_text(self):
        return "\n".join(f"- 2x{record['pits']}, {record['pits'] * 6} seeds: {self._bounds_text(record)} (search with "
                         f"tables, {record['seconds']:.0f} s, {record['nodes']:,} positions entered, "
                         f"{record['table_values']:,} values read from tables)."
                         for record in self._best_bounds())

    def full_text(self):
        lines = []
        for record in self.urim.full:
            measured = record.get("measured_seconds")
            lines.append(f"| 2x{record['pits']} | {record['seeds']} | "
                         f"{'values and distances' if record['distance'] else 'values'} | "
                         f"{record['positions']:,} | {record['largest_level']:,} | {size(record['least_memory'])} | "
                         f"{size(record['bytes'])} | {size(record['scratch']) if record['scratch'] else '-'} | "
                         f"{duration(record['seconds'])} | {duration(measured) if measured else '-'} |")

        def memory(record):
            whole = next(other for other in self.urim.full if other["pits"] == record["pits"] and other["distance"])
            return f"{size(record['least_memory'])} of memory for values ({size(whole['least_memory'])} with distances)"

        smallest, largest = (next(record for record in self.urim.full if record["pits"] == pits and not record["distance"])
                             for pits in (min(record["pits"] for record in self.urim.full),
                                          max(record["pits"] for record in self.urim.full)))
        threads = listing(map(str, sorted({record["threads"] for record in self.urim.full})))
        here = self.urim.facts.get("memory of the machine", "0 GiB")
        machine = ("this machine while it does nothing else, which has " + here if float(here.split()[0]) * 2**30 > smallest["least_memory"]
                   else "one larger machine")
        return ("What the full solutions would take on one machine, by `estimate`. Positions and memory are exact; "
                "disk and the first time are\n"
                f"forecasts from a short trial here with {threads} {'thread' if threads == '1' else 'threads'}; the "
                "second time is at the rate of the largest levels built here, if\nall went so fast. Scratch is disk "
                "that distances need besides while they are made a few values at a time.\n\n"
                "| board | seeds | tables | boards | largest level | least memory | disk | scratch | time by forecast "
                "| at the rate measured |\n|---|--:|---|--:|--:|--:|--:|--:|--:|--:|\n"
                + "\n".join(lines) + f"\n\nThe 2x{smallest['pits']} game at {smallest['seeds']} seeds is within reach "
                                     f"of {machine}: "
                f"{memory(smallest)}\nand {size(smallest['bytes'])} of disk for values. "
                f"2x{largest['pits']} at {largest['seeds']}, with {memory(largest)}, is not.")

    # ---------------------------------------------------------------- Rio Kadalis

    def _starts(self):
        return [record for record in self.rio.rounds
                if "x" not in record["position"] and record["rules"] == "endless-sow=forbid"]

    def _whole_round(self):
        return max(self._starts(), key=lambda record: record["pits"])

    @staticmethod
    def _reached(record):
        return sum(level["positions"] for level in record["levels"])

    def rio_text(self):
        whole = self._whole_round()
        endless = sum(level["endless_moves"] for level in whole["levels"])
        verdict = {1: "the player who begins wins", 0: "the round is drawn", -1: "the player who begins loses"}[
            (whole["value"] > 0) - (whole["value"] < 0)]
        return (f"From the start of 2x{whole['pits']} with four stones a hole, {self._reached(whole):,} positions can "
                f"be reached. All are "
                f"solved: {verdict}, {signed(whole['value'])} stones, and best\nis hole "
                f"{listing(map(str, whole['best']))}. "
                f"In all these positions there are {endless:,} holes whose sowing would never end.")

    def rio_table(self):
        rows = [(f"2x{record['pits']}", f"{self._reached(record):,}", signed(record["value"]), ", ".join(map(str, record["best"])),
                 f"{sum(level['endless_moves'] for level in record['levels']):,}", f"`{record['levels'][-1]['digest']}`")
                for record in self._starts()]
        heads = ("board", "positions reached", "value", "best holes", "endless moves", "digest of the start's level")
        return table(heads, rows, heads[1:5])

    def rio_match_text(self):
        pits = max(match["pits"] for match in self.rio.matches)
        lines = []
        for match in self.rio.matches:
            if match["pits"] == pits:
                start = next(state for state in match["states"] if "line" in state)
                suffice = sum(state["stones_suffice"] for state in match["states"])
                lines.append(f"- {match['rules']}, next round started by: {match['starter']}. "
                             f"**{start['outcome'].capitalize()}** for the "
                             f"player who starts the match" + (f", in {start['rounds']} "
                                                               f"rounds" if start["rounds"] else "") +
                             f"; playing each round for most stones is best in {suffice} of {len(match['states'])} "
                             f"states.")
        return f"The match on 2x{pits}, by who starts the next round:\n\n" + "\n".join(lines)

    # ---------------------------------------------------------------- baselines

    def noise_text(self):
        return ("The noise of that run, the largest deviation of repetitions from their mean, was "
                + listing(f"{100 * cv:.1f} % ({kind})" for kind, cv in self.baselines.noise.items()) + ".")

    def baselines_claims(self):
        return "\n".join(f"- {claim['claim']}." for claim in self.baselines.claims)


def fill(template, found, strict):
    """The template with its blocks chosen and its expressions replaced. Fails: SystemExit."""
    def choose(block):
        name, text = block[1], block[2]
        if name in found:
            return text
        if strict:
            sys.exit(f"results/{name} is not there; run {MEASURED_BY.get(name, 'its script')}")
        return f"*Not there yet: `{MEASURED_BY.get(name, name)}` writes it.*\n"

    names = Report(found).names()

    def value(expression):
        try:
            return str(eval(expression[1], {"__builtins__": {}}, names))  # noqa: S307  (our own template)
        except (KeyError, IndexError, AttributeError, TypeError, ValueError) as error:
            sys.exit(f"report_template.md: {expression[1]}: {type(error).__name__}: {error}")

    text = re.sub(r"<!-- needs (\S+) -->\n(.*?)<!-- end -->\n", choose, template, flags=re.S)
    text = re.sub(r"\{\{ (.+?) \}\}", value, text)
    return re.sub(r"\n{3,}", "\n\n", text)


def main():
    words = [word for word in sys.argv[1:] if word != "--strict"]
    if len(words) != 1:
        sys.exit(__doc__)
    results = pathlib.Path(words[0])
    text = fill((HERE / "report_template.md").read_text(encoding="utf-8"), load(results), "--strict" in sys.argv)
    (results / "REPORT.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
