"""For learning: positions to train on, perfect agents that err, and the measure of an agent against perfect play."""

from __future__ import annotations

import random
from typing import NamedTuple

from .errors import InvalidInput, TimeLimit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from ._foregone import Answer, Game, Position, Table

__all__ = ["Evaluation", "evaluate", "perfect", "sample"]


class Evaluation(NamedTuple):
    """How an agent plays, against perfect play.

    `positions` that it was asked about and whose values are known; the part of them (0 to 1) in which its move `kept` the
    value, and in which it was among the `best`, distance included; the value `lost` a move in the mean; the `worst` case:
    the position, the move, and what it lost (None if it never lost anything); and how many other positions are `unknown`,
    because they were not solved in time.
    """

    positions: int
    kept: float
    best: float
    lost: float
    worst: tuple[Position, str, int] | None
    unknown: int = 0


# Whether the game is so small that all of it is solved at once is tried for this long.
_SOON = 3.0


def _asker(game: Game, table: Table | None, seconds: float | None) -> Callable[[Position], Answer]:
    if table is not None:
        return table.solve
    # What is solved here is shared with all positions that begin from it.
    game.solve(method="strong", seconds=_SOON if seconds is None else min(_SOON, seconds))
    return lambda position: game.solve(position=str(position), seconds=seconds)


def sample(game: Game, count: int, *, seed: int = 0) -> Iterator[Position]:
    """Positions of random games from the start, in which there is a choice of moves; each only once.

    Ends before `count` if random games bring nothing new for long.
    """
    dice = random.Random(seed)
    seen: set[str] = set()
    in_vain = 0
    while len(seen) < count and in_vain < 1_000:
        position = game.start
        found = False
        while not position.is_over and len(seen) < count:
            moves = position.moves
            if len(moves) > 1 and str(position) not in seen:
                seen.add(str(position))
                found = True
                yield position
            position = position.play(dice.choice(moves))
            if len(position.played) > 1_000:
                break
        in_vain = 0 if found else in_vain + 1


def evaluate(
    agent: Callable[[Position], str],
    game: Game,
    positions: int = 10_000,
    *,
    seed: int = 0,
    table: Table | None = None,
    seconds: float | None = None,
) -> Evaluation:
    """Measures an agent, a function that chooses a move of a position, against perfect play.

    It is asked about positions of random games. Their values come from `table`, or are solved, each within `seconds`;
    those that are not known then are counted as unknown.

    >>> import foregone
    >>> result = foregone.evaluate(lambda position: position.moves[0], foregone.game("tic-tac-toe"), 500)
    >>> result.kept < 1 and result.worst is not None
    True
    """
    ask = _asker(game, table, seconds)
    count = kept = best = unknown = 0
    lost_in_all = 0
    worst: tuple[Position, str, int] | None = None
    for position in sample(game, positions, seed=seed):
        move = agent(position)
        if move not in position.moves:
            legal = ", ".join(position.moves)
            raise InvalidInput(f"the agent chose {move!r} at {position}, expected a legal move: {legal}")
        answer = ask(position)
        if answer.value is None or not answer.proven or len(answer.moves) < len(position.moves):
            unknown += 1
            continue
        lost = answer.value - answer[move].value
        count += 1
        kept += lost == 0
        best += move in answer.best
        lost_in_all += lost
        if lost > 0 and (worst is None or lost > worst[2]):
            worst = (position, move, lost)
    if count + unknown == 0:
        raise ValueError("found no position with a choice of moves")
    if count == 0:
        raise TimeLimit(f"none of {unknown} positions was solved within the time for each")
    return Evaluation(count, kept / count, best / count, lost_in_all / count, worst, unknown)


def perfect(
    game: Game,
    *,
    epsilon: float = 0.0,
    seed: int = 0,
    table: Table | None = None,
    seconds: float | None = None,
) -> Callable[[Position], str]:
    """An agent that plays perfectly, but chooses any move with the chance `epsilon`.

    It raises `TimeLimit` at a position that is not solved within `seconds`.

    >>> import foregone
    >>> game = foregone.game("tic-tac-toe")
    >>> foregone.evaluate(foregone.perfect(game), game, 500).kept
    1.0
    """
    if not 0 <= epsilon <= 1:
        raise ValueError(f"found epsilon {epsilon}, expected a chance from 0 to 1")
    ask = _asker(game, table, seconds)
    dice = random.Random(seed)

    def choose(position: Position) -> str:
        if position.is_over:
            raise ValueError(f"the game is over at {position}")
        if epsilon and dice.random() < epsilon:
            return dice.choice(position.moves)
        answer = ask(position)
        if not answer.best:
            raise _unsolved(answer)
        return dice.choice(answer.best)

    return choose


def _unsolved(answer: Any) -> Exception:
    return TimeLimit(f"the position {answer.position} is not solved: {answer.halted}")
