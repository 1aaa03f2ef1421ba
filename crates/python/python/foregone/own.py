"""Games of one's own as arrays: whole frontiers, and graphs that are known already."""

from __future__ import annotations

from . import _foregone
from ._foregone import Frontiers
from .errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class FrontierSolution:
    """The worth of every position of a game that was unfolded by arrays."""

    def __init__(self, solved: Frontiers, dtype: Any, shape: tuple[int, ...]) -> None:
        self._solved = solved
        self._dtype = dtype
        self._shape = shape
        self.values, self.distances = solved.arrays()

    def __len__(self) -> int:
        return len(self._solved)

    @property
    def value(self) -> int:
        """The value of the first state, for the side to move there."""
        return int(self.values[0])

    @property
    def distance(self) -> int | None:
        """The plies to the end from the first state; None if play is endless."""
        return None if self.distances[0] < 0 else int(self.distances[0])

    @property
    def states(self) -> Any:
        """All states, in the order of values and distances."""
        return self._solved.rows().view(self._dtype).reshape(-1, *self._shape)

    def numbers(self, states: Any) -> Any:
        """The places of states in values and distances; -1 if one cannot arise."""
        states = _exact(states, self._dtype, "states")
        if states.size == 0:
            states = states.reshape(0, *self._shape)
        if states.shape[1:] != self._shape:
            raise InvalidInput(f"found states of the shape {states.shape[1:]}, expected {self._shape}")
        return self._solved.numbers(_rows(states))

    def __repr__(self) -> str:
        return f"<FrontierSolution of {len(self)} positions: value={self.value}, distance={self.distance}>"


def _exact(array: Any, dtype: Any, what: str) -> Any:
    """An array of this type, if that changes no value."""
    import numpy as np

    array = np.asarray(array)
    if array.size == 0:
        return np.ascontiguousarray(array, dtype=dtype) if array.dtype.kind in "biuf" else array.astype(dtype)
    if array.dtype.kind not in "biuf":
        raise InvalidInput(f"found {what} of the type {array.dtype}, expected whole numbers")
    with np.errstate(all="ignore"):
        cast = np.ascontiguousarray(array, dtype=dtype)
    if array.dtype != cast.dtype and not np.array_equal(array, cast):
        raise InvalidInput(f"found {what} that do not fit into {np.dtype(dtype)}, or are no whole numbers")
    return cast


def _rows(states: Any) -> Any:
    """States as rows of bytes."""
    import numpy as np

    states = np.ascontiguousarray(states)
    width = states.dtype.itemsize * int(np.prod(states.shape[1:]))
    return states.view(np.uint8).reshape(len(states), width)


def solve_frontiers(
    start: Any,
    expand: Callable[[Any], tuple[Any, Any, Any, Any]],
    *,
    endless: int = 0,
    chunk: int = 1 << 17,
    seconds: float | None = None,
    memory: int | None = None,
    positions: int | None = None,
    progress: Callable[[str, int, int | None], object] | None = None,
) -> FrontierSolution:
    """Solves a game by arrays of numpy, some million positions a second.

    `start` is an array of states: numbers, or rows of numbers. `expand` gets such an array, and gives four: whose turn
    it is in each state (0 or 1), the outcome of each (used where the game is over), the number of moves of each (0 if
    the game is over), and the states after all moves, those of the first state first.
    """
    import numpy as np

    start = np.ascontiguousarray(start)
    dtype, shape = start.dtype, start.shape[1:]
    if start.ndim == 0 or start.size == 0 or dtype.hasobject:
        raise InvalidInput(f"found {start!r}, expected an array of numbers with at least one state")

    def by_rows(rows: Any) -> tuple[Any, Any, Any, Any]:
        expanded = expand(rows.view(dtype).reshape(-1, *shape))
        if not isinstance(expanded, (tuple, list)) or len(expanded) != 4:
            raise InvalidInput(
                f"expand gives {expanded!r:.200}, expected four arrays: turns, outcomes, counts of moves, next states"
            )
        turns, outcomes, counts, children = expanded
        children = _exact(children, dtype, "next states").reshape(-1, *shape)
        rows_after = children.view(np.uint8).reshape(len(children), rows.shape[1])
        turns = _exact(turns, np.int64, "turns")
        outcomes = _exact(outcomes, np.int64, "outcomes")
        counts = _exact(counts, np.int64, "counts")
        return turns, outcomes, counts, rows_after

    solved = _foregone.unfold_frontiers(
        _rows(start), by_rows, endless, chunk, seconds, memory, positions, progress
    )
    return FrontierSolution(solved, dtype, shape)


def solve_graph(
    offsets: Any,
    targets: Any,
    turns: Any,
    outcomes: Any,
    *,
    endless: int = 0,
    seconds: float | None = None,
    memory: int | None = None,
    progress: Callable[[str, int, int | None], object] | None = None,
) -> tuple[Any, Any]:
    """Solves a graph of numbered positions; gives arrays of values and distances (-1 where play is endless).

    The moves of position n lead to `targets[offsets[n]:offsets[n + 1]]`. A position without moves is over, with the
    outcome that the first player sees.
    """
    import numpy as np

    graph = (
        _exact(offsets, np.int64, "offsets"),
        _exact(targets, np.int64, "targets"),
        _exact(turns, np.int64, "turns"),
        _exact(outcomes, np.int64, "outcomes"),
    )
    return _foregone.solve_graph(*graph, endless, seconds, memory, progress)
