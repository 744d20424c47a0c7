#!/usr/bin/env python3
"""Proves the tables of the Urim family (urim, oware, awari) in a folder from the rules, in plain Python.

Shares nothing with the program that made them: the rules engine below is written from bitboard/RULES.md,
the reader decode_table.py from tables/FORMAT.md, and what is checked is a certificate, not how the tables
were made.

The certificate. Let the *distance* d of a board be the number of plies to the next capture or the end of
the game, under play that keeps the value, the winner hurrying and the loser delaying. For every board:

  - the game is over: the value is the end's, d = 0;
  - otherwise the value is that of the best move: what it captures minus the value of the board behind it;
  - value > 0: d = 1 + the least d behind a move that keeps the value, where a capture counts as 0;
  - value < 0: d = 1 + the greatest such d;
  - value = 0: no d.

Why that is a proof. Suppose that all levels below are right. On a board of value v > 0 the mover has a move
that keeps v and comes one ply nearer to a capture or the end. His opponent, on a board of value -v, has no
better move; those that keep -v come nearer too, and any other gives the mover more than v, which can happen
at most n times. So the mover gets at least v. The loser always has a move that keeps -v, and gets at least that,
for endless play is worth 0; so it is for both on a board of value 0. In a zero-sum game, then, nobody can get
more than the value either. Values without distances cannot be proved this way: where play goes in circles,
wrong values can support each other.

For every level from 0: `proved`, or, where the folder has no distances of it or of a level below,
`consistent` and no more. About 10,000 positions of 2x6 a second; two bytes and more a position.

A file that cannot be read is named on standard error, and what does not need it is proved all the same.

Exit codes: 0 nothing wrong, 1 something is wrong (the first faults are named), 2 usage, 3 input or
output, or a level that is not there, 4 damaged data, 5 unsupported version or rules, 70 a fault of this
program; of several 1, then 4, 3, 5.
"""
import argparse
import dataclasses
import functools
import json
import os
import sys
import time
import traceback

import decode_table
from decode_table import NO_DISTANCE

FAULTS_NAMED = 5


# ---------------------------------------------------------------------------------------------------------
# Rules


@dataclasses.dataclass(frozen=True)
class Rules:
    """Rule options, by the names of bitboard/RULES.md; the defaults are Urim's."""

    pit_limit: int = 17  # 0: none
    pit_limit_rule: str = "skip"
    trigger: frozenset = frozenset((2, 3))
    chain: frozenset = frozenset((2, 3, 4))
    grand_slam: str = "capture"
    starvation: str = "feed"
    remainder: str = "row"


CHOICES = {
    "pit_limit_rule": ("skip", "forbid"),
    "grand_slam": ("capture", "leave", "forbid"),
    "starvation": ("feed", "leave"),
    "remainder": ("row", "last-mover"),
}
PRESETS = {
    "urim": Rules(),
    "oware": Rules(pit_limit=0, chain=frozenset((2, 3)), grand_slam="leave"),
    "awari": Rules(pit_limit=0, chain=frozenset((2, 3)), starvation="leave"),
}


def with_option(rules, name, text):
    """The rules with one option set. Raises UnsupportedError."""
    name = name.replace("-", "_")
    try:
        if name == "pit_limit":
            value = int(text)
        elif name in ("trigger", "chain"):
            value = frozenset(() if text == "none" else map(int, text.split(",")))
        elif text in CHOICES[name]:
            value = text
        else:
            raise ValueError
    except (KeyError, ValueError) as error:
        raise decode_table.UnsupportedError(f"unknown rule '{name}={text}'") from error
    return dataclasses.replace(rules, **{name: value})


def parse_rules(text):
    """The rules of a canonical text, `pit-limit=17 pit-limit-rule=skip …`."""
    rules = Rules()
    for option in text.split():
        rules = with_option(rules, *option.partition("=")[::2])
    return rules


def legal_moves(board, rules):
    """What the player to move can do: a list of (pit from 0, seeds captured, board after).

    A board is a tuple of both rows, that of the player to move first, each in sowing order; the board after
    a move has the opponent's row first, since he moves next.
    """
    pits = len(board) // 2
    limit = rules.pit_limit
    moves = []
    for start in range(pits):
        if board[start] == 0:
            continue
        after = list(board)

        # Sowing: one seed into each following pit, never into the one that was lifted.
        hand, at, passed = after[start], start, 0
        after[start] = 0
        while hand > 0:
            at = at + 1 if at + 1 < len(board) else 0
            if at == start or (limit and rules.pit_limit_rule == "skip" and after[at] >= limit):
                passed += 1
                if passed == len(board):
                    break  # no pit can take the next seed
                continue
            passed = 0
            after[at] += 1
            hand -= 1
        if hand > 0 or (limit and max(after) > limit):
            continue

        # Capture: the last seed's pit, and backwards from it as long as the chain holds.
        captured = 0
        if at >= pits and after[at] in rules.trigger:
            run = [at]
            while run[-1] > pits and after[run[-1] - 1] in rules.chain:
                run.append(run[-1] - 1)
            captured = sum(after[i] for i in run)
            takes_all = captured == sum(after[pits:])
            if takes_all and rules.starvation == "feed" and rules.grand_slam == "forbid":
                continue
            if takes_all and rules.starvation == "feed" and rules.grand_slam == "leave":
                captured = 0
            else:
                for i in run:
                    after[i] = 0
        moves.append((start, captured, tuple(after[pits:] + after[:pits])))

    # Starvation: moves that leave the opponent a seed, if there are any. `feed` asks for it only where he has none.
    if rules.starvation == "leave" or not any(board[pits:]):
        moves = [move for move in moves if any(move[2][:pits])] or moves
    return moves


def end_value(board, rules):
    """Seeds for the player to move minus seeds for his opponent, where he has no legal move."""
    pits = len(board) // 2
    if rules.remainder == "last-mover":
        return -sum(board)
    return sum(board[:pits]) - sum(board[pits:])


# ---------------------------------------------------------------------------------------------------------
# Index order, written once more


class Boards:
    """The boards of two rows of k pits, level by level: opponent's seeds, then his row, then the mover's row,
    rows of as many seeds in lexicographic order."""

    def __init__(self, pits, limit):
        self._pits = pits
        self._limit = limit
        self._ranks = {}  # row -> place among the rows with as many seeds
        self._rows = []  # by seeds

    def _rows_of(self, seeds):
        def rows(pits, left):
            if pits == 0:
                return [()] if left == 0 else []
            return [(first, *rest) for first in range(min(left, self._limit or left) + 1)
                    for rest in rows(pits - 1, left - first)]

        while len(self._rows) <= seeds:
            self._rows.append(rows(self._pits, len(self._rows)))
            self._ranks.update((row, rank) for rank, row in enumerate(self._rows[-1]))
        return self._rows[seeds]

    def level(self, seeds):
        """Yields the boards with so many seeds, mover's row first."""
        for theirs in range(seeds + 1):
            for opponent in self._rows_of(theirs):
                for mover in self._rows_of(seeds - theirs):
                    yield mover + opponent

    @functools.lru_cache(maxsize=None)
    def _bases(self, seeds):
        bases = [0]
        for theirs in range(seeds + 1):
            bases.append(bases[-1] + len(self._rows_of(theirs)) * len(self._rows_of(seeds - theirs)))
        return bases

    def index(self, board, seeds):
        """The place of a board with so many seeds in its level."""
        mover, opponent = board[:self._pits], board[self._pits:]
        theirs = sum(opponent)
        return (self._bases(seeds)[theirs] + self._ranks[opponent] * len(self._rows[seeds - theirs]) +
                self._ranks[mover])


# ---------------------------------------------------------------------------------------------------------
# The certificate


def board_faults(board, seeds, rules, boards, values, distances):
    """What is wrong with one board: a list of texts. `values` and `distances` are lists by level and index;
    without distances None stands for those of `seeds`."""
    index = boards.index(board, seeds)
    value = values[seeds][index]
    moves = legal_moves(board, rules)
    if not moves:
        best, behind = end_value(board, rules), []
    else:
        best, behind = -seeds - 1, []
        for _, captured, after in moves:
            left = seeds - captured
            place = boards.index(after, left)
            worth = captured - values[left][place]
            if worth > best:
                best, behind = worth, []
            if worth == best:
                behind.append((captured, place))
    if value != best:
        return [f"value {value}, but {'its best move is worth' if moves else 'the game is over with'} {best}"]
    if distances is None:
        return []
    if value == 0:
        right = NO_DISTANCE
    elif not moves:
        right = 0
    else:
        plies = [0 if captured else distances[place] for captured, place in behind]
        right = 1 + (min(plies) if value > 0 else max(plies))
    if distances[index] != right:
        return [f"value {value}, distance {distances[index]}, but its moves make it {right}"]
    return []


def check_level(seeds, rules, boards, values, distances):
    """(faults in all, the first of them) of a level."""
    found, first = 0, []
    for board in boards.level(seeds):
        for fault in board_faults(board, seeds, rules, boards, values, distances):
            found += 1
            if len(first) < FAULTS_NAMED:
                half = len(board) // 2
                first.append({"position": decode_table.rows_text(board[:half], board[half:]), "fault": fault})
    return found, first


# ---------------------------------------------------------------------------------------------------------
# Folders


class Worst:
    """The exit code of a run that goes on after a fault: what is disproved weighs most, then damage."""

    ORDER = (1, 4, 3, 5)

    def __init__(self):
        self.exit_code = 0

    def note(self, code):
        if code in self.ORDER and (self.exit_code == 0 or
                                   self.ORDER.index(code) < self.ORDER.index(self.exit_code)):
            self.exit_code = code

    def report(self, error):
        """Names a TableError and goes on."""
        print(f"prove_table: {error}", file=sys.stderr)
        self.note(error.exit_code)


def tables_in(folder, worst):
    """{(rules, pits): {(seeds, kind): path}} of the Urim family. Files that cannot be read are reported to `worst`.

    Raises IoError if the folder cannot be read, or holds no table and no fault.
    """
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".rsow"))
    except OSError as error:
        raise decode_table.IoError(f"{folder}: {error.strerror}") from error
    sets = {}
    for name in names:
        path = os.path.join(folder, name)
        try:
            with decode_table.TableFile(path) as file:
                header = file.header
        except decode_table.TableError as error:
            worst.report(error)
            continue
        except OSError as error:
            worst.report(decode_table.IoError(f"{path}: {error.strerror}"))
            continue
        if header.family != decode_table.URIM:
            print(f"prove_table: {path}: {header.game} is not of the Urim family, left out", file=sys.stderr)
            continue
        files = sets.setdefault((header.rules, header.pits), {})
        if (header.seeds, header.kind) in files:
            worst.report(decode_table.UnsupportedError(f"{path}: left out, the folder holds the same level twice: "
                                                       f"{files[header.seeds, header.kind]}"))
            continue
        files[header.seeds, header.kind] = path
    if not sets and worst.exit_code == 0:
        raise decode_table.IoError(f"{folder}: no tables of the Urim family")
    return sets


def load(path, boards):
    """The table, if it has as many positions as its level has boards."""
    table = decode_table.read_table(path)
    count = sum(1 for _ in boards.level(table.header.seeds))
    if len(table.values) != count:
        raise decode_table.DamagedError(f"{path}: {len(table.values)} positions, but there are {count} boards")
    return table


def prove(rules_text, pits, files, max_seeds):
    """Yields a record a level: what `--json` prints. Raises TableError."""
    rules = parse_rules(rules_text)
    boards = Boards(pits, rules.pit_limit)
    top = max(seeds for seeds, _ in files)
    if max_seeds is not None:
        top = min(top, max_seeds)
    values, proved_below = [], True
    for seeds in range(top + 1):
        began = time.monotonic()
        path = files.get((seeds, decode_table.VALUES))
        if path is None:
            raise decode_table.IoError(f"no values of level {seeds} ({pits} pits, {rules_text}); levels are proved "
                                       "from 0 upwards")
        table = load(path, boards)
        values.append(table.values)
        faults, distances = [], None
        found = 0
        distances_path = files.get((seeds, decode_table.DISTANCES))
        if distances_path is not None:
            distance_table = load(distances_path, boards)
            distances = distance_table.values
            if distance_table.header.values_digest != table.header.digest:
                found = 1
                faults.append({"position": None, "fault": "the distances belong to values with another digest, "
                               f"{distance_table.header.values_digest}"})
        more, first = check_level(seeds, rules, boards, values, distances)
        found += more
        faults = (faults + first)[:FAULTS_NAMED]
        proved_below = proved_below and distances is not None and found == 0
        yield {
            "game": table.header.game,
            "rules": rules_text,
            "pits": pits,
            "seeds": seeds,
            "positions": len(table.values),
            "distances": distances is not None,
            "proved": proved_below,
            "faults_found": found,
            "faults": faults,
            "digest": table.header.digest,
            "seconds": round(time.monotonic() - began, 3),
        }


def report(record):
    """The line of a level for people, and one for each fault."""
    if record["faults_found"]:
        verdict = f"WRONG, {record['faults_found']} fault{'s' if record['faults_found'] > 1 else ''}"
    elif record["proved"]:
        verdict = "proved"
    elif record["distances"]:
        verdict = "consistent, no proof: a level below has none"
    else:
        verdict = "consistent, no proof: no distances"
    print(f"level {record['seeds']:>3}  {record['positions']:>9,} positions  {record['seconds']:>7.2f} s  {verdict}")
    for fault in record["faults"]:
        print("    " + (f"{fault['position']}: " if fault["position"] else "") + fault["fault"])
    sys.stdout.flush()


def prove_folder(arguments):
    worst = Worst()
    for (rules_text, pits), files in sorted(tables_in(arguments.folder, worst).items()):
        try:
            for record in prove(rules_text, pits, files, arguments.max_seeds):
                if arguments.json:
                    print(json.dumps(record), flush=True)
                else:
                    if record["seeds"] == 0:
                        print(f"{record['game']} 2x{pits}, {rules_text}")
                    report(record)
                if record["faults_found"] > 0:
                    worst.note(1)
        except decode_table.TableError as error:  # what lies above is not proved
            worst.report(error)
    return worst.exit_code


# ---------------------------------------------------------------------------------------------------------
# The rules engine against known moves


def case_fault(case):
    """What the rules engine does otherwise than a case says, or None."""
    rules = PRESETS[case["game"]]
    for name, text in case["rules"].items():
        if name != "pits" and (name, text) != ("grand_slam", "any"):
            rules = with_option(rules, name, str(text))
    mover, opponent = decode_table.parse_position(case["position"])
    moves = {pit + 1: (captured, after) for pit, captured, after in legal_moves(mover + opponent, rules)}
    if "legal" in case and sorted(moves) != case["legal"]:
        return f"legal moves {sorted(moves)} instead of {case['legal']}"
    if case["pit"] not in moves:
        return f"pit {case['pit']} is not a legal move"
    captured, after = moves[case["pit"]]
    result = decode_table.rows_text(after[:len(opponent)], after[len(opponent):])
    if (captured, result) != (case["captured"], case["result"]):
        return f"captures {captured} and leaves {result} instead of {case['captured']} and {case['result']}"
    return None


def check_cases(path):
    """Prints how the rules engine agrees with a file of known moves (tests/data/README.md)."""
    faults = count = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            count += 1
            try:
                case = json.loads(line)
                name, fault = case["id"], case_fault(case)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise decode_table.DamagedError(f"line {count}: not a file of known moves: {error!r}", path) from error
            if fault is not None:
                faults += 1
                if faults <= FAULTS_NAMED:
                    print(f"{path}: {name}: {fault}")
    print(f"{path}: {count} moves, {faults} wrong")
    return 0 if faults == 0 and count > 0 else 1


# ---------------------------------------------------------------------------------------------------------
# Command line


def seeds_number(text):
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is no number of seeds")
    return int(text)


def main(words=None):
    parser = argparse.ArgumentParser(
        description="Proves the tables of the Urim family in a folder from the rules.",
        epilog="Exit codes: 0 nothing wrong, 1 something is wrong, 2 usage, 3 input or output or a missing "
        "level, 4 damaged data, 5 unsupported version or rules, 70 a fault of this program.")
    parser.add_argument("folder", nargs="?", metavar="DIR", help="a folder with tables")
    parser.add_argument("--max-seeds", type=seeds_number, metavar="N", help="levels up to N only")
    parser.add_argument("--json", action="store_true", help="one JSON object a level")
    parser.add_argument("--cases", metavar="FILE", action="append",
                        help="check the rules engine against known moves, a JSON object a line, as in tests/data")
    arguments = parser.parse_args(words)
    if (arguments.folder is None) == (arguments.cases is None):
        parser.error("give either a folder or --cases")
    try:
        if arguments.cases is not None:
            return max(check_cases(path) for path in arguments.cases)
        return prove_folder(arguments)
    except decode_table.TableError as error:
        print(f"prove_table: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 3
    except OSError as error:
        print(f"prove_table: {error.filename or 'output'}: {error.strerror}", file=sys.stderr)
        return 3
    except Exception:  # not 1, which says that tables are wrong
        traceback.print_exc()
        return 70


if __name__ == "__main__":
    sys.exit(main())
