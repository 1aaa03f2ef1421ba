"""Foregone's games as environments of PettingZoo.

>>> import foregone
>>> from foregone import gym                                  # doctest: +SKIP
>>> env = gym.AECEnv(foregone.game("connect-four"))           # doctest: +SKIP
"""

from __future__ import annotations

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv as _AECEnv

from .errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ._foregone import Game, Position

#: The longest game, in plies; then it is cut off (truncated).
LONGEST = 1_000


class AECEnv(_AECEnv):  # type: ignore[misc]
    """A game for two agents, `player_0` and `player_1`, with the rules of PettingZoo.

    An observation has `observation`, the cells of the board and whose turn it is (-1 for the second player), and
    `action_mask`. The reward at the end is the outcome, in the game's unit.
    """

    metadata = {"render_modes": ["ansi"], "name": "foregone", "is_parallelizable": False}

    def __init__(self, game: Game, *, longest: int = LONGEST, render_mode: str | None = None) -> None:
        super().__init__()
        if game.actions is None:
            raise InvalidInput(f"the moves of {game} have no numbers, which an environment needs")
        self.game = game
        self.longest = longest
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        cells = len(game.start.cells)
        observation = spaces.Dict(
            {
                "observation": spaces.Box(-32_768, 32_767, (cells + 1,), np.int16),
                "action_mask": spaces.Box(0, 1, (game.actions,), np.int8),
            }
        )
        self.observation_spaces = {agent: observation for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(game.actions) for agent in self.possible_agents}
        self.position: Position = game.start

    def observation_space(self, agent: str) -> Any:
        """The space of observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins anew; `options={"position": ...}` begins at a position of the game."""
        position = (options or {}).get("position", self.game.start)
        if position.game != self.game:
            raise InvalidInput(f"found a position of {position.game}, expected one of {self.game}")
        self.position = position
        self.plies = 0
        self.agents = self.possible_agents[:]
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: self.position.is_over for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.position.turn]

    def observe(self, agent: str) -> dict[str, Any]:
        """What is on the board, whose turn it is, and which actions are legal."""
        position = self.position
        mask = np.zeros(self.game.actions or 0, np.int8)
        if not position.is_over and agent == self.agent_selection:
            mask[position.actions] = 1
        turn = -1 if position.turn else 1
        return {"observation": np.array([*position.cells, turn], np.int16), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Makes a move for the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        moves = dict(zip(self.position.actions or [], self.position.moves))
        if action not in moves:
            raise InvalidInput(f"found action {action}, expected one of {sorted(moves)}")
        self._cumulative_rewards[agent] = 0.0
        self.position = self.position.play(moves[action])
        self.plies += 1
        self.rewards = {each: 0.0 for each in self.agents}
        if self.position.is_over:
            outcome = float(self.position.outcome or 0)
            self.rewards = {"player_0": outcome, "player_1": -outcome}
            self.terminations = {each: True for each in self.agents}
        elif self.plies >= self.longest:
            self.truncations = {each: True for each in self.agents}
        self.agent_selection = (
            self.possible_agents[1 - self.possible_agents.index(agent)]
            if self.position.is_over
            else self.possible_agents[self.position.turn]
        )
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text."""
        return self.position.picture if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


def agent(policy: Callable[[dict[str, Any]], int], game: Game) -> Callable[[Position], str]:
    """A policy, a function from an observation of `AECEnv` to an action, as an agent for `foregone.evaluate`."""

    def choose(position: Position) -> str:
        # One of its own, so that several workers may ask.
        env = AECEnv(game)
        env.reset(options={"position": position})
        action = int(policy(env.observe(env.agent_selection)))
        moves = dict(zip(position.actions or [], position.moves))
        if action not in moves:
            raise InvalidInput(f"found action {action}, expected one of {sorted(moves)}")
        return moves[action]

    return choose
