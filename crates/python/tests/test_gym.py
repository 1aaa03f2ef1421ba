"""Environments of PettingZoo."""

import random

import foregone
import pytest

pytest.importorskip("pettingzoo")

from foregone import gym  # noqa: E402
from pettingzoo.test import api_test  # noqa: E402


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "kalah(pits=3,stones=3)", "quantum-tic-tac-toe"])
def test_it_is_an_environment_as_pettingzoo_wants_it(name):
    api_test(gym.AECEnv(foregone.game(name)), num_cycles=200)


def test_perfect_play_does_not_lose():
    game = foregone.game("tic-tac-toe")
    agent = foregone.perfect(game)
    env = gym.AECEnv(game, render_mode="ansi")
    dice = random.Random(4)
    for _ in range(20):
        env.reset()
        while not any(env.terminations.values()):
            legal = env.observe(env.agent_selection)["action_mask"].nonzero()[0]
            action = int(dice.choice(legal))
            if env.agent_selection == "player_0":
                position = env.position
                action = dict(zip(position.moves, position.actions))[agent(position)]
            assert action in legal
            env.step(action)
        assert env.rewards["player_0"] >= 0 and env.rewards["player_0"] == -env.rewards["player_1"]
    assert "+---+" in env.render()
    env.reset()
    with pytest.raises(foregone.InvalidInput, match="expected one of"):
        env.step(99)
    with pytest.raises(foregone.InvalidInput, match="found a position of nim"):
        env.reset(options={"position": foregone.game("nim").start})
    with pytest.raises(foregone.InvalidInput, match="no numbers"):
        gym.AECEnv(foregone.game("l-game"))


def test_long_games_are_cut_off():
    env = gym.AECEnv(foregone.game("three-mens-morris"), longest=3)
    env.reset()
    for _ in range(3):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(mask.nonzero()[0][0]))
    assert all(env.truncations.values())


def test_a_policy_is_an_agent():
    game = foregone.game("tic-tac-toe")
    policy = gym.agent(lambda seen: int(seen["action_mask"].nonzero()[0][0]), game)
    first = foregone.evaluate(lambda position: position.moves[0], game, 200)
    assert [row.legal for row in foregone.evaluate(policy, game, 200).rows] == [row.legal for row in first.rows]
    wrong = foregone.evaluate(gym.agent(lambda seen: 99, game), game, 20)
    assert wrong.illegal == 20 and "expected one of" in wrong.rows[0].error
