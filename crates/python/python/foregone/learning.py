"""For learning: positions to train on, and agents: perfect ones that err as often as wanted, and Foregone's other players."""

from __future__ import annotations

import random

from .errors import InvalidInput, TimeLimit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from ._foregone import Answer, Game, Position, Table

__all__ = ["perfect", "player", "sample"]


# After so many searches it is tried for so many seconds to solve the whole game at once.
_SEARCHES, _SOON = 3, 3.0


def _asker(game: Game, table: Table | None, seconds: float | None) -> Callable[[Position], Answer]:
    if table is not None:
        return table.solve
    searches = 0

    def ask(position: Position) -> Answer:
        nonlocal searches
        answer = game.solve(position=str(position), seconds=seconds)
        searches += answer.method not in ("book", "strong")
        if searches == _SEARCHES:
            # What is solved here is shared with all positions that come later.
            game.solve(method="strong", seconds=_SOON if seconds is None else min(_SOON, seconds))
            searches += 1
        return answer

    return ask


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
        return dice.choice(answer.preferred)

    return choose


#: The players that are agents.
PLAYERS = ("random", "first", "easy", "medium", "hard", "mcts", "deepening", "perfect")


def player(game: Game, name: str, *, seed: int = 0, seconds: float = 1.0) -> Callable[[Position], str]:
    """One of Foregone's players as an agent: "easy", "medium", "hard", "random", "first", or "mcts", "deepening" and "perfect",
    which think for so many seconds.

    >>> import foregone
    >>> game = foregone.game("tic-tac-toe")
    >>> foregone.player(game, "hard")(game.position(moves="1 5 2 9"))
    '3'
    """
    if name not in PLAYERS:
        raise InvalidInput(f"found {name!r}, expected a player: {', '.join(PLAYERS)}")

    def choose(position: Position) -> str:
        return position.choose(name, seed=seed, seconds=seconds)

    return choose


def _unsolved(answer: Any) -> Exception:
    return TimeLimit(f"the position {answer.position} is not solved: {answer.halted}")
