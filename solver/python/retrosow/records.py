"""What functions of retrosow answer with: frozen dataclasses (``dataclasses.asdict`` makes a dict of one).

Pits are numbered 1 to ``pits`` within a row as it is written. Values and counts are in seeds (Rio Kadalis: stones); a
value is what the player to move will take minus what his opponent will take from the position on, both playing
perfectly. A distance is in plies to the next capture (or other exit) or the end, under play that keeps the value, the
winning side hurrying and the losing side delaying; None where the value is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrosow._native import Position

__all__ = [
    "BuiltLevel",
    "End",
    "LevelInfo",
    "LevelStats",
    "Match",
    "MatchRound",
    "MatchState",
    "Move",
    "MoveBounds",
    "MoveValue",
    "PerftCounts",
    "Probe",
    "ProbedMove",
    "Progress",
    "RoundPlay",
    "Solution",
    "TableFault",
]


def outcome_of(value: int) -> str:
    """'win', 'draw' or 'loss': the sign of a value."""
    return "win" if value > 0 else "loss" if value < 0 else "draw"


@dataclass(frozen=True)
class Move:
    """A legal move."""

    pit: int
    captured: int  # by the player who moves
    captured_opponent: int  # fours that fell to his opponent (Rio Kadalis; else 0)
    ends: str  # 'plain', 'capture' or 'grand-slam'; Rio Kadalis: 'empty', 'binikh' or 'endless'
    laps: int | None  # Rio Kadalis: laps sown; of an endless sow, until its state repeats
    result: Position | None  # seen by the opponent, who is to move; None after an endless sow


@dataclass(frozen=True)
class End:
    """What each side takes of the board where there is no legal move."""

    mover: int
    opponent: int


@dataclass(frozen=True)
class PerftCounts:
    """All move sequences of one length. All but ``nodes`` look at the last move, or at what is behind it."""

    depth: int  # plies
    nodes: int  # sequences
    captures: int  # whose last move captured something, for whichever side
    captured: int  # seeds that the last moves took for the mover
    captured_opponent: int
    ends: int  # after which the game (round) is over


@dataclass(frozen=True)
class MoveValue:
    """What a move is worth to the player who makes it, its own gain included."""

    pit: int
    value: int


@dataclass(frozen=True)
class MoveBounds:
    """What is proved of the value of a move, for the player who makes it, its own gain included."""

    pit: int
    bounds: tuple[int, int]


@dataclass(frozen=True)
class Solution:
    """What ``solve`` found."""

    value: int | None  # None: a limit came first
    bounds: tuple[int, int]  # proved bounds of the value, both equal to it once it is known
    complete: bool  # False: stopped by a limit, perhaps after the value was proved
    moves: list[MoveValue] | None  # every legal move, by pit; None: value_only, or a limit came first
    move_bounds: list[MoveBounds] | None  # where a limit left moves open behind a proved value: every legal move, by pit
    line: list[int] | None  # a line of perfect play: pits of the two sides in turn; with moves
    line_end: str | None  # why it ends: 'end' (of the game), 'repetition', 'cut' (too long)
    method: str  # the one that was used: 'tables' or 'search'
    nodes: int  # by tables: positions solved; by search: positions entered by a move
    seconds: float
    hash_hits: int | None  # by search: positions that the transposition table answered
    table_values: int | None  # by search: values read from table files
    depth: int | None  # by search: plies of the deepest attempt

    @property
    def outcome(self) -> str | None:
        """'win', 'draw' or 'loss' of the player to move; None where the value is not known."""
        return None if self.value is None else outcome_of(self.value)

    @property
    def best(self) -> list[int] | None:
        """Every pit that keeps the value; None where ``moves`` is."""
        return None if self.moves is None else [move.pit for move in self.moves if move.value == self.value]


@dataclass(frozen=True)
class ProbedMove:
    """What tables say of a move, for the player who makes it."""

    pit: int
    value: int  # its own gain included
    distance: int | None  # if it is played; None also where there are no distances


@dataclass(frozen=True)
class Probe:
    """What tables say of a position."""

    value: int
    distance: int | None  # None also where there are no distances
    moves: list[ProbedMove]  # every legal move, by pit; empty where the game is over
    progress: list[int] | None  # the best pits that also make progress; None where there are no distances

    @property
    def outcome(self) -> str:
        """'win', 'draw' or 'loss' of the player to move."""
        return outcome_of(self.value)

    @property
    def best(self) -> list[int]:
        """Every pit that keeps the value. Some may go round for ever: ``progress`` has those that carry a win to its end."""
        return [move.pit for move in self.moves if move.value == self.value]


@dataclass(frozen=True)
class LevelInfo:
    """What the file of a level says of itself."""

    game: str
    rules: str  # canonical text; RuleSet.from_text(game, rules) is the rule set
    pits: int  # in a row as written
    rows: tuple[int, int]  # open pits of the player to move and of his opponent (rounds: at the start)
    seeds: int
    scope: str  # 'all' boards that the rules allow, or 'reachable' from start
    start: str | None  # with scope 'reachable'
    positions: int
    digest: str  # XXH3-128 of the values, 32 hex digits
    distance_digest: str | None  # of the distances, where there are any
    keys_digest: str | None  # of the positions, with scope 'reachable'
    endless_moves: int | None  # with scope 'reachable': holes whose sowing never ends
    path: str
    bytes: int  # length of the file of values


@dataclass(frozen=True)
class TableFault:
    """A file of a folder that cannot be used, and why."""

    path: str
    error: str


@dataclass(frozen=True)
class LevelStats:
    """Counts over all positions of a level."""

    positions: int
    wins: int  # of the player to move
    draws: int
    losses: int
    values: dict[int, int]  # how many positions have which value, ascending, without zeros
    digest: str
    longest_distance: int | None  # None where every value is 0, or there are no distances
    longest_distance_positions: int | None  # how many have it; None where there are no distances
    longest_distance_position: str | None  # the first of them in index order


@dataclass(frozen=True)
class BuiltLevel:
    """A level that ``build`` has built, or found finished."""

    seeds: int
    positions: int
    bytes: int  # of its files
    digest: str
    distance_digest: str | None
    reused: bool  # the finished file of values was there already and passed its checks
    seconds: float


@dataclass(frozen=True)
class Progress:
    """How far a long run has come."""

    phase: str  # 'solve', 'enumerate', 'write', ...
    level: int  # seeds on the boards in work
    last_level: int  # the level that the run ends with
    done: int  # positions of the whole run that are finished
    total: int  # positions of the whole run; 0 while unknown
    elapsed_seconds: float


@dataclass(frozen=True)
class RoundPlay:
    """A round of a match, played in one of two ways."""

    value: int  # stones of the starter minus stones of the other
    best: list[int]  # first moves that keep what is played for
    totals: tuple[int, int]  # what starter and other own behind it
    next: tuple[int, int]  # the same totals, those of the next round's starter first
    same_starter: bool  # the next round has the same starter
    outcome: str  # of the match, for the starter: 'win', 'draw' or 'loss'
    rounds: int | None  # to the end, this one included; None: it never comes


@dataclass(frozen=True)
class MatchState:
    """What the player who starts a round (first in every pair) and the other own, and what that is worth."""

    stones: tuple[int, int]
    open: tuple[int, int]  # holes that they open
    aside: tuple[int, int]  # stones that they keep aside
    position: Position  # the start of the round
    outcome: str  # of the match, for the starter, when both play for it
    rounds: int | None  # the least number in which the winner can force the end; None: drawn
    monotone: bool  # the match result never falls as the round brings more stones
    stones_suffice: bool  # proved: play for most stones is best for the match in this round
    match_play: RoundPlay  # both play for the match and, where that leaves a choice, for stones
    stones_play: RoundPlay  # both play this and all later rounds for most stones


@dataclass(frozen=True)
class MatchRound:
    """A round of a perfect match; the last one of a match that ends is its end."""

    starter: str  # 'first' or 'second': the player who starts the match, or the other
    first: int  # what the first player owns before the round
    second: int
    # Holes sown in turn, the starter first. None: the match is over, or the moves are not known, since play for most
    # stones is not best for the match.
    pits: list[int] | None
    line_end: str | None  # how they end: 'end', 'repetition' or 'cut' (there is more)


@dataclass(frozen=True)
class Match:
    """A solved match of Rio Kadalis."""

    states: list[MatchState]  # that arise from the level start by any play, by stones of the starter
    line: list[MatchRound]  # a perfect match from the level start
    line_end: str  # the winner, 'first' or 'second', or 'cycle': it goes on for ever
    cycle_begin: int | None  # behind the last round comes this one of line again, counted from 0
    sets_solved: int  # sets of results that a round was solved for
