"""Two-row sowing games solved exactly: Urim, Rio Kadalis, and Oware and Awari.

>>> import retrosow
>>> retrosow.solve("2,2,2/2,2,2").value
3
>>> with retrosow.Tables("tables-urim") as tables:      # doctest: +SKIP
...     tables.probe("0,2,0,1,3,0/1,0,2,0,0,3").value
-1

Rules and positions: RuleSet, Position. Tables: Tables, Level, LevelIndex, list_tables. Solving: solve, solve_match,
build. What they answer with: retrosow.records. Errors: retrosow.errors, all of them Error.
"""

from retrosow import errors, records
from retrosow._native import CLOSED, MAX_LEVEL_SEEDS, NO_DISTANCE, Position, RuleSet, __version__
from retrosow.errors import *  # noqa: F403
from retrosow.records import *  # noqa: F403
from retrosow.solving import build, solve, solve_match
from retrosow.tables import Level, LevelIndex, Tables, list_tables

__all__ = [
    "CLOSED",
    "MAX_LEVEL_SEEDS",
    "NO_DISTANCE",
    "Level",
    "LevelIndex",
    "Position",
    "RuleSet",
    "Tables",
    "__version__",
    "build",
    "list_tables",
    "solve",
    "solve_match",
    *errors.__all__,
    *records.__all__,
]
