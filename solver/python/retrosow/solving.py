"""Solving positions and matches, and building tables: long runs that leave other Python threads running."""

from __future__ import annotations

import os
from collections.abc import Callable

from retrosow import _native
from retrosow._native import Position, RuleSet
from retrosow.errors import UsageError
from retrosow.records import BuiltLevel, Match, Progress, Solution
from retrosow.tables import _rules, _whole

__all__ = ["build", "solve", "solve_match"]

_MAX_THREADS = 1024


def solve(
    position: Position | str,
    rules: RuleSet | str | None = None,
    *,
    method: str = "auto",
    tables: str | os.PathLike[str] | None = None,
    value_only: bool = False,
    limit_nodes: int | None = None,
    limit_seconds: float | None = None,
    threads: int | None = None,
    memory_bytes: int | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Solution:
    """The perfect-play value of a position, of every move, and a line of perfect play.

    position       Position, or notation that is read by ``rules`` (default: urim)
    method         'tables': solve every position that can arise; 'search': only what bears on the value; 'auto':
                   tables where they are there or quickly made, else search
    tables         folder (or Tables) whose levels are read instead of solved
    value_only     no values of moves, no line
    limit_nodes    positions to solve, or to search, at most } behind that the Solution has bounds and, as a rule,
    limit_seconds  time to take at most                      } no value
    threads        default: all cores
    memory_bytes   to use at most (default: 80 % of what is available); by search, of its transposition table (256 MiB)
    progress       is called with a Progress some times a second

    Raises UsageError, LimitError where memory does not suffice or the board has more than 127 seeds, CorruptError.
    KeyboardInterrupt stops it, and so does an exception of ``progress``.
    """
    if limit_seconds is not None and not 0 <= limit_seconds <= 1e9:
        raise UsageError(f"limit_seconds={limit_seconds!r} is out of range")
    found = _native.solve(
        _position(position, rules),
        method,
        None if tables is None else os.fspath(tables),
        value_only,
        None if limit_nodes is None else _whole("limit_nodes", limit_nodes),
        limit_seconds,
        _threads(threads),
        _memory(memory_bytes),
        progress,
    )
    return Solution(**found)


def solve_match(
    rules: RuleSet | str = "rio-kadalis",
    *,
    pits: int = 6,
    tables: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    memory_bytes: int | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Match:
    """Solves a match of Rio Kadalis, round after round, for win, draw and loss.

    rules   their option ``starter`` says who starts the next round
    tables  folder (or Tables): rounds found whole in it are read, the others solved; ``threads``, ``memory_bytes``
            and ``progress`` as for ``solve``

    Raises as ``solve``.
    """
    found = _native.solve_match(
        _rules(rules),
        _whole("pits", pits),
        None if tables is None else os.fspath(tables),
        _threads(threads),
        _memory(memory_bytes),
        progress,
    )
    return Match(**found)


def build(
    folder: str | os.PathLike[str],
    rules: RuleSet | str = "urim",
    *,
    seeds: int | None = None,
    pits: int = 6,
    start: Position | str | None = None,
    distance: bool = False,
    threads: int | None = None,
    memory_bytes: int | None = None,
    force: bool = False,
    progress: Callable[[Progress], object] | None = None,
) -> list[BuiltLevel]:
    """Builds tables into a folder: what ``retrosow build`` does. Finished levels are checked, not built again.

    seeds     Urim family: all levels of 2 x ``pits`` boards up to so many seeds
    start     Rio Kadalis: everything reachable from this position (default: the start of 2 x ``pits``)
    distance  also tables of distances
    force     builds finished levels again

    Raises IoError, CorruptError for a finished file that is damaged, LimitError where memory does not suffice or the
    disk is full. Interrupted, it leaves finished levels; the same call goes on. The rest as for ``solve``.
    """
    rules = _rules(rules)
    root: Position | None = None
    if rules.family == "urim":
        if seeds is None or start is not None:
            raise UsageError(f"tables of {rules.game} hold all boards up to a number of seeds: give seeds, and no start")
    else:
        if seeds is not None:
            raise UsageError(f"tables of {rules.game} hold what can be reached from a start: give no seeds")
        root = Position("start", rules, pits=pits) if start is None else _position(start, rules)
        if not root.rules.plays_like(rules):
            raise UsageError("the start is played by other rules")
    if not 1 <= _whole("pits", pits) <= 8:
        raise UsageError(f"pits={pits}: 1 to 8 are possible")
    return _native.build(
        os.fspath(folder),
        rules,
        pits,
        0 if seeds is None else _whole("seeds", seeds),
        root,
        distance,
        _threads(threads),
        _memory(memory_bytes),
        force,
        progress,
    )


def _position(position: Position | str, rules: RuleSet | str | None) -> Position:
    if not isinstance(position, Position):
        return Position(position, "urim" if rules is None else rules)
    if rules is not None and not position.rules.plays_like(_rules(rules)):
        raise UsageError("the position is played by other rules; leave rules out, they are the position's")
    return position


def _threads(threads: int | None) -> int:
    if threads is None:
        return 0
    if not 1 <= _whole("threads", threads) <= _MAX_THREADS:
        raise UsageError(f"threads={threads}: 1 to {_MAX_THREADS} are possible")
    return threads


def _memory(memory_bytes: int | None) -> int | None:
    return None if memory_bytes is None else _whole("memory_bytes", memory_bytes)
