"""Table folders and the levels in them."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from retrosow import _native
from retrosow._native import CLOSED, NO_DISTANCE, Position, RuleSet
from retrosow.arrays import boards_array, indices_array
from retrosow.errors import Error, IoError, UsageError
from retrosow.records import LevelInfo, LevelStats, Probe, TableFault

__all__ = ["CLOSED", "NO_DISTANCE", "Level", "LevelIndex", "Tables", "list_tables"]

_Array = TypeVar("_Array", bound="npt.NDArray[Any]")

_CHUNK = 1 << 24  # positions that stats reads at a time


def list_tables(folder: str | os.PathLike[str]) -> tuple[list[LevelInfo], list[TableFault]]:
    """Every level in a folder, of whatever rules, sorted by game, rules, pits, start and seeds; and the files that
    cannot be used. Raises IoError if the folder is not there."""
    levels, faults = _native.list_folder(os.fspath(folder))
    return levels, faults


class LevelIndex:
    """The index order of a level of the Urim family: all boards with so many seeds, numbered 0 to ``size`` - 1.

    rules: RuleSet or name of a game (pit_limit is what matters); pits in a row; seeds on the board, 0 to 127.
    Raises UsageError, and LimitError for levels that int64 does not count.
    """

    def __init__(self, seeds: int, pits: int = 6, rules: RuleSet | str = "urim") -> None:
        self.rules = _rules(rules)
        self.seeds = _whole("seeds", seeds)
        self.pits = _whole("pits", pits)
        self._ranks = _native.Ranks(self.rules, self.pits, self.seeds)

    @property
    def size(self) -> int:
        """Positions of the level."""
        return self._ranks.size

    def __len__(self) -> int:
        return self._ranks.size

    def __repr__(self) -> str:
        return f"LevelIndex({self.seeds}, {self.pits}, {self.rules!r})"

    def rank(self, boards: Any) -> npt.NDArray[np.int64]:
        """The index of each board.

        boards: integers of shape (n, 2 * pits), or positions. Returns int64 of shape (n,).
        Raises UsageError that names the first board that is none of the level.
        """
        return self._ranks.rank(boards_array(boards))

    def unrank(self, indices: Any) -> npt.NDArray[np.uint8]:
        """The boards with these indices.

        indices: integers of shape (n,). Returns uint8 of shape (n, 2 * pits). Raises UsageError.
        """
        return self._ranks.unrank(indices_array(indices))


class Level:
    """A level of a table folder, from ``Tables.level`` or ``Tables.levels``. Not to be used once the tables are closed.

    Index order: scope 'all' as ``LevelIndex``; scope 'reachable' the order of ``boards``. Large arrays: a value takes a
    byte, a distance two, a board 2 * pits.
    """

    def __init__(self, native: _native.Level, tables: Tables) -> None:
        self._native = native
        self._tables = tables  # open as long as there are levels of it, unless it is closed
        self._info: LevelInfo = native.info()

    @property
    def info(self) -> LevelInfo:
        """What the file says of itself."""
        return self._info

    @property
    def seeds(self) -> int:
        """Seeds on the boards."""
        return self._info.seeds

    @property
    def positions(self) -> int:
        """How many there are."""
        return self._info.positions

    @property
    def has_distances(self) -> bool:
        """Whether there is a table of distances that goes with the values."""
        return self._info.distance_digest is not None

    def __len__(self) -> int:
        return self._info.positions

    def __repr__(self) -> str:
        info = self._info
        origin = f" from {info.start}" if info.start else ""
        return f"<level {info.seeds} of {info.game} 2x{info.pits}{origin}, {info.positions:,} positions>"

    def values(self, first: int = 0, count: int | None = None) -> npt.NDArray[np.int8]:
        """Values of the positions from index ``first`` on (all, without arguments): int8 of shape (count,).

        The whole level is compared with its digest, a part block by block with the checksums.
        Raises CorruptError; UsageError for a range outside the level. Without the GIL.
        """
        return self._native.values(*self._range(first, count))

    def distances(self, first: int = 0, count: int | None = None) -> npt.NDArray[np.uint16]:
        """Distances, as ``values``: uint16 of shape (count,), NO_DISTANCE (65535) where the value is 0.

        Raises also IoError where there are none.
        """
        return self._native.distances(*self._range(first, count))

    def boards(self, first: int = 0, count: int | None = None) -> npt.NDArray[np.uint8]:
        """The boards in index order: uint8 of shape (count, 2 * pits), the pits of the player to move first.

        Holes that a round does not open are CLOSED (255), at the end of their row. Raises as ``values``.
        """
        return self._native.boards(*self._range(first, count))

    def position(self, index: int) -> Position:
        """The position with this index. Raises UsageError."""
        rules = RuleSet.from_text(self._info.game, self._info.rules)
        return Position.from_counts(self.boards(_whole("index", index), 1)[0], rules)

    def index_of(self, boards: Any) -> npt.NDArray[np.int64]:
        """The index of each board, or -1 where the level does not hold it: int64 of shape (n,).

        boards: integers of shape (n, 2 * pits), or positions. Raises UsageError for what is no board of the rules.
        """
        return self._native.index_of(boards_array(boards))

    def stats(self) -> LevelStats:
        """Counts values and finds the longest distance. Reads the level in parts. Raises CorruptError."""
        counts = np.zeros(256, np.int64)
        longest, with_it, example = -1, 0, 0
        for first in range(0, self.positions, _CHUNK):
            count = min(_CHUNK, self.positions - first)
            counts += np.bincount(self.values(first, count).view(np.uint8), minlength=256)
            if not self.has_distances:
                continue
            distances = self.distances(first, count)
            some = distances[distances != NO_DISTANCE]
            greatest = int(some.max()) if some.size else -1
            if greatest > longest:
                longest, with_it, example = greatest, 0, first + int(np.argmax(distances == greatest))
            if greatest == longest and greatest >= 0:
                with_it += int(np.count_nonzero(distances == greatest))
        values = {value: int(counts[value % 256]) for value in range(-128, 128) if counts[value % 256]}
        return LevelStats(
            positions=self.positions,
            wins=sum(count for value, count in values.items() if value > 0),
            draws=values.get(0, 0),
            losses=sum(count for value, count in values.items() if value < 0),
            values=values,
            digest=self._info.digest,
            longest_distance=longest if longest >= 0 else None,
            longest_distance_positions=with_it if self.has_distances else None,
            longest_distance_position=str(self.position(example)) if longest >= 0 else None,
        )

    def _range(self, first: int, count: int | None) -> tuple[int, int]:
        first = _whole("first", first)
        return first, max(0, self.positions - first) if count is None else _whole("count", count)


class Tables:
    """The tables of one rule set in a folder; a context manager.

    Tables(folder, rules="urim", *, cache_bytes=...)

    folder       path of a folder that ``retrosow build`` or ``build`` has filled
    rules        RuleSet or name of a game
    cache_bytes  memory for decoded blocks

    Probing is safe from any number of threads and runs without the GIL. Files are mapped, and blocks decoded only as
    they are needed. Where rounds of Rio Kadalis from several starts lie in one folder, any that holds a position
    answers. Raises IoError if the folder is not there; files that cannot be used are ``faults``.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        rules: RuleSet | str = "urim",
        *,
        cache_bytes: int = _native.DEFAULT_CACHE_BYTES,
    ) -> None:
        self._path = os.fspath(folder)
        self._rules = _rules(rules)
        self._native = _native.Folder(self._path, self._rules, _whole("cache_bytes", cache_bytes))

    @property
    def folder(self) -> str:
        """Its path."""
        return self._path

    @property
    def rules(self) -> RuleSet:
        """The rules of the tables that answer."""
        return self._rules

    @property
    def levels(self) -> list[Level]:
        """The levels of these rules, sorted by pits, start and seeds."""
        return [Level(level, self) for level in self._native.levels()]

    @property
    def faults(self) -> list[TableFault]:
        """Files of the folder that cannot be used."""
        return self._native.faults()

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._native.closed

    def close(self) -> None:
        """Lets go of the files, once calls that run in other threads are done. Any later call raises UsageError."""
        self._native.close()

    def __enter__(self) -> Tables:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __fspath__(self) -> str:
        return self._path

    def __repr__(self) -> str:
        return f"Tables({self._path!r}, {self._rules!r})"

    def level(
        self, seeds: int, pits: int | None = None, start: Position | str | None = None
    ) -> Level:
        """The level with so many seeds.

        pits   in a row; may be left out where the folder has such levels of one board size
        start  of a round of Rio Kadalis: from where; may be left out where there is one

        Raises IoError if there is none, UsageError if there are several.
        """
        found = [level for level in self.levels if level.seeds == _whole("seeds", seeds)]
        wanted = f"level {seeds} of {self._rules.game}"
        if pits is not None:
            found = [level for level in found if level.info.pits == pits]
            wanted += f" 2x{pits}"
        if start is not None:
            position = start if isinstance(start, Position) else Position(start, self._rules)
            found = [level for level in found if level.info.start == _without_closed(position)]
            wanted += f" from {position}"
        if len(found) == 1:
            return found[0]
        if found:
            some = ", ".join(level.info.start or f"2x{level.info.pits}" for level in found[:5])
            raise UsageError(f"{self._path} has several tables of {wanted}: {some}; pits or start says which")
        raise IoError(f"no {wanted} ({self._rules.text}) in {self._path}; there: {self._native.contents()}")

    def probe(self, position: Position | str) -> Probe:
        """Value and, where there are distances, distance of a position and of every move of it. The answer is checked
        against its neighbours.

        Raises IoError where no table has the position or a position behind a move, CorruptError where that may be because
        of a damaged file, or where the answer contradicts its neighbours; LimitError above 127 seeds.
        """
        return self._native.probe(self._position(position))

    def value(self, position: Position | str) -> int:
        """The value as it stands in the table: one look-up, no check against the moves. Raises as ``probe``."""
        position = self._position(position)
        values, there = self._native.values(position.counts[np.newaxis])
        if not there[0]:
            self._native.explain_missing(position)
        return int(values[0])

    def values(self, boards: Any, *, mask: bool = False) -> npt.NDArray[np.int8]:
        """The value of each board, without a look at its moves.

        boards: integers of shape (n, 2 * pits), the pits of the player to move first, CLOSED (255) a closed hole; or a
        sequence of positions. Returns int8 of shape (n,). Raises UsageError for a row that is no board of the rules.
        A board that no table has raises as ``probe``; with ``mask`` it is masked, and the result is a numpy.ma.MaskedArray.
        Cost, in processor time: 0.4 us a board in random order, 0.12 us in index order (all 2,496,144 of 2x6 with 13 seeds,
        blocks cached, AMD EPYC); a block that is not in the cache takes some 80 us to decode.
        """
        rows = self._boards(boards)
        return self._answer(rows, *self._native.values(rows), mask)

    def distances(self, boards: Any, *, mask: bool = False) -> npt.NDArray[np.uint16]:
        """The distance of each board, as ``values``: uint16 of shape (n,), NO_DISTANCE (65535) where the value is 0."""
        rows = self._boards(boards)
        return self._answer(rows, *self._native.distances(rows), mask)

    def _boards(self, boards: Any) -> npt.NDArray[np.uint8]:
        if not isinstance(boards, np.ndarray) and not isinstance(boards, Position):
            boards = list(boards)
            for position in boards:
                if isinstance(position, Position):
                    self._position(position)
        return boards_array(boards)

    def _position(self, position: Position | str) -> Position:
        if not isinstance(position, Position):
            return Position(position, self._rules)
        if not position.rules.plays_like(self._rules):
            raise UsageError(
                f"{position} is played by other rules ({position.rules.text}) than these tables ({self._rules.text})"
            )
        return position

    def _answer(self, boards: npt.NDArray[np.uint8], found: _Array, there: npt.NDArray[np.bool_], mask: bool) -> _Array:
        if mask:
            return cast(_Array, np.ma.masked_array(found, mask=~there))  # type: ignore[no-untyped-call]
        if not there.all():
            index = int(np.argmin(there))
            try:
                self._native.explain_missing(Position.from_counts(boards[index], self._rules))
            except Error as error:
                raise type(error)(f"board {index}: {error}", path=error.path) from None
        return found


def _rules(rules: RuleSet | str) -> RuleSet:
    return rules if isinstance(rules, RuleSet) else RuleSet(rules)


def _whole(name: str, number: Any) -> int:
    """A whole number, not negative, as int; NumPy's count. Raises UsageError."""
    try:
        whole = number.__index__()
    except AttributeError:
        raise UsageError(f"{name}={number!r} is no whole number") from None
    if not 0 <= whole < 1 << 64:
        raise UsageError(f"{name}={number!r} is out of range")
    return int(whole)


def _without_closed(position: Position) -> str:
    """The start as files name it: missing holes closed at the end of a row."""
    counts, pits = position.counts, position.pits
    rows = [[str(c) for c in row if c != CLOSED] for row in (counts[:pits], counts[pits:])]
    width = max(len(row) for row in rows)
    return "/".join(",".join(row + ["x"] * (width - len(row))) for row in rows)
