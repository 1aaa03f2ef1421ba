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

    `positions` that it was asked about; the part of them (0 to 1) in which its move `kept` the value, and in which it was
    among the `best`, distance included; the value `lost` a move in the mean; and the `worst` case: the position, the
    move, and what it lost (None if it never lost anything).
    """

    positions: int
    kept: float
    best: float
    lost: float
    worst: tuple[Position, str, int] | None


def _asker(game: Game, table: Table | None) -> Callable[[Position], Answer]:
    if table is not None:
        return table.solve
    # What is solved here is shared with all positions that begin from it.
    game.solve()
    return lambda position: game.solve(position=str(position))


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
) -> Evaluation:
    """Measures an agent, a function that chooses a move of a position, against perfect play.

    It is asked about positions of random games. Their values come from `table`, or are solved; the game should be one
    that can be.

    >>> import foregone
    >>> result = foregone.evaluate(lambda position: position.moves[0], foregone.game("tic-tac-toe"), 500)
    >>> result.kept < 1 and result.worst is not None
    True
    """
    ask = _asker(game, table)
    count = kept = best = 0
    lost_in_all = 0
    worst: tuple[Position, str, int] | None = None
    for position in sample(game, positions, seed=seed):
        move = agent(position)
        if move not in position.moves:
            legal = ", ".join(position.moves)
            raise InvalidInput(f"the agent chose {move!r} at {position}, expected a legal move: {legal}")
        answer = ask(position)
        if answer.value is None:
            raise _unsolved(answer)
        lost = answer.value - answer[move].value
        count += 1
        kept += lost == 0
        best += move in answer.best
        lost_in_all += lost
        if lost > 0 and (worst is None or lost > worst[2]):
            worst = (position, move, lost)
    if count == 0:
        raise ValueError("found no position with a choice of moves")
    return Evaluation(count, kept / count, best / count, lost_in_all / count, worst)


def perfect(
    game: Game, *, epsilon: float = 0.0, seed: int = 0, table: Table | None = None
) -> Callable[[Position], str]:
    """An agent that plays perfectly, but chooses any move with the chance `epsilon`.

    >>> import foregone
    >>> game = foregone.game("tic-tac-toe")
    >>> foregone.evaluate(foregone.perfect(game), game, 500).kept
    1.0
    """
    if not 0 <= epsilon <= 1:
        raise ValueError(f"found epsilon {epsilon}, expected a chance from 0 to 1")
    ask = _asker(game, table)
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
