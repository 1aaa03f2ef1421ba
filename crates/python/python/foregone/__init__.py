"""Foregone solves two-player games of perfect information: values, distances, best moves.

>>> import foregone
>>> answer = foregone.game("tic-tac-toe").solve(moves="5,1")
>>> answer.value, answer.distance, answer.best
(0, 7, ('2', '3', '4', '6', '7', '8', '9'))
"""

from collections.abc import Mapping
from typing import Any

from . import _foregone
from ._foregone import (
    Answer,
    Checked,
    Game,
    MoveAnswer,
    Position,
    Proof,
    Solution,
    Table,
    __version__,
    game,
    games,
    open_proof,
    open_table,
    rules,
    solve,
)
from .arrays import Batch
from .conformance import conform
from .errors import (
    DamagedFile,
    ForegoneError,
    InvalidInput,
    Loops,
    MemoryLimit,
    PositionLimit,
    TimeLimit,
    UnsoundKey,
)
from .own import FrontierSolution, solve_frontiers, solve_graph
from .worth import Worth

__all__ = [
    "Answer",
    "Batch",
    "Checked",
    "Comparison",
    "DamagedFile",
    "Evaluation",
    "ForegoneError",
    "FrontierSolution",
    "Game",
    "InvalidInput",
    "Loops",
    "MemoryLimit",
    "MoveAnswer",
    "Position",
    "PositionLimit",
    "Proof",
    "Solution",
    "Table",
    "TimeLimit",
    "UnsoundKey",
    "Worth",
    "__version__",
    "compare",
    "conform",
    "evaluate",
    "find_move",
    "game",
    "games",
    "open_proof",
    "open_table",
    "perfect",
    "player",
    "report",
    "rules",
    "sample",
    "solve",
    "solve_frontiers",
    "solve_graph",
]


Mapping.register(Solution)

_LEARNING = ("perfect", "player", "sample")
_MEASURE = ("Comparison", "Evaluation", "compare", "evaluate", "find_move")


def report(game: Game | str, /, **options: Any) -> dict[str, Any]:
    """What a game is like, given as a game or by its name: see `Game.report`."""
    return (_foregone.game(game) if isinstance(game, str) else game).report(**options)


def __dir__() -> list[str]:
    return [*globals(), *_LEARNING, *_MEASURE, "gym", "learning", "measure", "openspiel"]


def _position(game: Game, text: str) -> Position:
    """A pickled position."""
    return game.position(text)


def __getattr__(name: str) -> object:
    # Imported when needed: `import foregone` takes some milliseconds.
    from importlib import import_module

    for module, names in (("learning", _LEARNING), ("measure", _MEASURE)):
        if name in names:
            return getattr(import_module(f"foregone.{module}"), name)
    if name in ("gym", "learning", "measure", "openspiel"):
        return import_module(f"foregone.{name}")
    raise AttributeError(f"module 'foregone' has no attribute {name!r}")
