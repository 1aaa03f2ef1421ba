"""OpenSpiel's games solved, and Foregone's games for OpenSpiel.

>>> import pyspiel                                            # doctest: +SKIP
>>> from foregone import openspiel                            # doctest: +SKIP
>>> solution = openspiel.solve(pyspiel.load_game("tic_tac_toe"))  # doctest: +SKIP
>>> state = solution.game.new_initial_state()                 # doctest: +SKIP
>>> solution[state], solution.best(state)                     # doctest: +SKIP
(Worth(value=0, distance=9, endless=False), [0, 1, 2, 3, 4, 5, 6, 7, 8])

A position is known by `str(state)` and the side to move, because in many of OpenSpiel's games `str(state)` alone does
not say who is to move (breakthrough, dots and boxes), and in some it leaves out what the future depends on. Games of the
second kind are refused; for all others every merge of two histories is checked while the game is unfolded, unless the
game is known to be sound (`SOUND`) or `check=False` is given.
"""

from __future__ import annotations

import pyspiel

from . import _foregone
from ._foregone import SpielSolution, solve_spiel
from .errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["SOUND", "UNSOUND", "Policy", "SpielSolution", "agent", "bot", "game", "policy", "solve"]

#: Games whose text and side to move are the whole position, as unfolding small ones with all checks has shown.
SOUND = frozenset(
    {
        "breakthrough",
        "clobber",
        "connect_four",
        "dots_and_boxes",
        "gomoku",
        "hex",
        "mnk",
        "nim",
        "tic_tac_toe",
        "y",
    }
)

#: Games that cannot be right by their text, and what it leaves out.
UNSOUND = {
    "amazons": "the text does not say which part of a move comes next",
    "antichess": "a counter and repetitions are part of a position",
    "checkers": "a counter of moves without captures is part of a position",
    "chess": "repetitions and a counter are part of a position",
    "chinese_checkers": "the history is part of a position",
    "crazyhouse": "repetitions and a counter are part of a position",
    "go": "the history (superko) is part of a position",
    "hive": "the text is that of the moves",
    "nine_mens_morris": "a counter of moves is part of a position",
    "oware": "repetitions end the game, and are not in the text",
    "quoridor": "repetitions and a counter are part of a position",
    "shogi": "repetitions are part of a position",
    "xiangqi": "repetitions are part of a position",
}


def _qualify(game: pyspiel.Game) -> None:
    """Refuses what cannot be solved here."""
    kind = game.get_type()
    name = kind.short_name
    types = pyspiel.GameType
    for wrong, why in [
        (kind.dynamics != types.Dynamics.SEQUENTIAL, "players do not move in turn"),
        (kind.chance_mode != types.ChanceMode.DETERMINISTIC, "chance has a part in it"),
        (kind.information != types.Information.PERFECT_INFORMATION, "information is hidden"),
        (game.num_players() != 2, f"it has {game.num_players()} players"),
        (kind.utility != types.Utility.ZERO_SUM, "what one player wins the other does not lose"),
        (kind.reward_model != types.RewardModel.TERMINAL, "it has rewards before the end"),
    ]:
        if wrong:
            raise InvalidInput(f"{name} cannot be solved: {why}, expected two players in turn, with perfect information")


def solve(
    game: pyspiel.Game | str,
    *,
    key: Callable[[Any], object] | None = None,
    check: bool | None = None,
    scale: int = 1,
    endless: int = 0,
    seconds: float | None = None,
    memory: int | None = None,
    positions: int | None = None,
    progress: Callable[[str, int, int | None], object] | bool | None = None,
) -> SpielSolution:
    """Solves every position that can arise in a game.

    `key` gives what a position is known by; without it, its text and the side to move. `check` says whether each merge
    of two histories is checked (UnsoundKey shows both if they differ); by default it is, unless the game is in `SOUND`.
    `scale` multiplies the returns, which must then be whole numbers. `endless` is the value of endless play for the
    first player.
    """
    if isinstance(game, str):
        game = pyspiel.load_game(game)
    _qualify(game)
    name = game.get_type().short_name
    if key is None and name in UNSOUND:
        raise InvalidInput(f"{name} cannot be solved by its text: {UNSOUND[name]}; give a `key` that holds all of a position")
    if check is None:
        check = key is not None or name not in SOUND
    return solve_spiel(game, key, check, scale, endless, seconds, memory, positions, progress)


def _policy_class() -> Any:
    from open_spiel.python import policy as spiel_policy

    class Policy(spiel_policy.Policy):  # type: ignore[misc]
        """Perfect play as a policy of OpenSpiel: all best actions, equally often."""

        def __init__(self, solution: SpielSolution, by_value: bool = False) -> None:
            super().__init__(solution.game, [0, 1])
            self.solution = solution
            self.by_value = by_value

        def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
            best = self.solution.best(state, by_value=self.by_value)
            return {action: 1 / len(best) for action in best}

    return Policy


def policy(solution: SpielSolution, *, by_value: bool = False) -> Any:
    """Perfect play as an `open_spiel.python.policy.Policy`: all best actions, equally often.

    With `by_value`, all that keep the value are best, however long they take: then a win can be put off for ever in a
    game that loops.
    """
    return _policy_class()(solution, by_value)


def __getattr__(name: str) -> Any:
    if name == "Policy":
        return _policy_class()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Bot(pyspiel.Bot):  # type: ignore[misc]
    """Plays perfectly; the first of the best actions."""

    def __init__(self, solution: SpielSolution) -> None:
        super().__init__()
        self.solution = solution

    def step(self, state: Any) -> int:
        if state.is_terminal():
            raise InvalidInput("the game is over, so there is no move to choose")
        return self.solution.best(state)[0]

    def restart_at(self, state: Any) -> None:
        """Nothing is kept from move to move."""


def bot(solution: SpielSolution) -> Any:
    """Perfect play as a `pyspiel.Bot`."""
    return _Bot(solution)


def agent(bot: Any, name: str | pyspiel.Game) -> Callable[[Any], str]:
    """A `pyspiel.Bot` that plays a game of ours (`openspiel.game`), as an agent for `foregone.evaluate`.

    The bot is asked by `step` at each position alone: it hears of no moves before it, but is told by `restart_at`. There is
    one bot for all calls: with `workers=` in `foregone.evaluate`, it has to bear several threads.
    """
    spiel = game(name) if isinstance(name, str) else name

    def choose(position: Any) -> str:
        state = spiel.new_initial_state()
        state.position = position
        bot.restart_at(state)
        return str(state.action_to_string(state.current_player(), bot.step(state)))

    return choose


#: The longest game that OpenSpiel plays with a game of ours in which play can loop; then it is a draw.
LONGEST = 1_000


class _Observer:
    """What a player sees: all of it, as text and as the cells of the board with the side to move."""

    def __init__(self, cells: int) -> None:
        import numpy as np

        self.tensor = np.zeros(cells + 2, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: Any, player: int) -> None:
        position = state.position
        self.tensor[:] = 0
        self.tensor[position.turn] = 1
        self.tensor[2:] = position.cells

    def string_from(self, state: Any, player: int) -> str:
        return str(state)


class _State(pyspiel.State):  # type: ignore[misc]
    """A position of a game of ours."""

    def __init__(self, game: Any, position: Any) -> None:
        super().__init__(game)
        self.position = position
        self.plies = 0
        self.longest = game.max_game_length()

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(self.position.turn)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.actions)

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(self._move(action))
        self.plies += 1

    def _move(self, action: int) -> str:
        position = self.position
        for number, move in zip(position.actions, position.moves):
            if number == action:
                return str(move)
        raise InvalidInput(f"found action {action}, expected one of {sorted(position.actions)}")

    def _action_to_string(self, player: int, action: int) -> str:
        return self._move(action)

    def is_terminal(self) -> bool:
        return bool(self.position.is_over or self.plies >= self.longest)

    def returns(self) -> list[float]:
        outcome = float(self.position.outcome or 0)
        return [outcome, -outcome]

    def __str__(self) -> str:
        return str(self.position)


def game(name: str, /, **parameters: object) -> pyspiel.Game:
    """A game of ours for OpenSpiel: `openspiel.game("kalah", pits=4, stones=3)`.

    Its moves must have numbers (`foregone.game(name).actions`). Returns are in the game's unit. A game in which play can
    loop ends as a draw after `LONGEST` plies.
    """
    own = _foregone.game(name, **parameters)
    if own.actions is None:
        raise InvalidInput(f"the moves of {own} have no numbers, which OpenSpiel needs")
    return _game_class(own)()


_CLASSES: dict[str, Any] = {}


def _game_class(own: Any) -> Any:
    """A game of OpenSpiel is registered once, by a class of its own."""
    short = "foregone_" + "".join(letter if letter.isalnum() else "_" for letter in str(own)).strip("_")
    if short in _CLASSES:
        return _CLASSES[short]
    start = own.start
    cells = len(start.cells)
    most = float(own.max_value)
    types = pyspiel.GameType
    kind = types(
        short_name=short,
        long_name=own.title,
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.DETERMINISTIC,
        information=types.Information.PERFECT_INFORMATION,
        utility=types.Utility.ZERO_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=own.actions,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-most,
        max_utility=most,
        utility_sum=0.0,
        max_game_length=LONGEST,
    )

    class Game(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: object = None) -> None:
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> Any:
            return _State(self, start)

        def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> Any:
            return _Observer(cells)

    pyspiel.register_game(kind, Game)
    _CLASSES[short] = Game
    return Game
