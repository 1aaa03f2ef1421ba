"""Agents measured against perfect play."""

import foregone
import pytest


def test_a_perfect_agent_keeps_everything_and_others_do_not():
    game = foregone.game("tic-tac-toe")
    right = foregone.evaluate(foregone.perfect(game), game, 800)
    assert right == (800, 1.0, 1.0, 0.0, None, 0)
    first = foregone.evaluate(lambda position: position.moves[0], game, 800)
    assert first.positions == 800 and first.kept < 1 and first.best <= first.kept and first.lost > 0
    position, move, lost = first.worst
    answer = position.solve()
    assert lost == answer.value - answer[move].value == 2
    often = foregone.evaluate(foregone.perfect(game, epsilon=0.5), game, 800)
    assert first.lost > 0 and 0 < often.lost and often.kept < 1


def test_values_can_come_from_a_table(tmp_path):
    pytest.importorskip("numpy")
    game = foregone.game("kalah(pits=3,stones=3)")
    table = game.build_table(tmp_path / "kalah.table")
    agent = foregone.perfect(game, table=table)
    assert foregone.evaluate(agent, game, 300, table=table).kept == 1.0
    assert foregone.evaluate(agent, game, 300).kept == 1.0


def test_positions_of_large_games_are_asked_one_by_one():
    # The start of neither is solved in time, but the ends of their games are.
    game = foregone.game("reversi(size=6)")
    result = foregone.evaluate(lambda position: position.moves[0], game, 20, seconds=0.05)
    assert 0 < result.unknown < 20 and result.positions == 20 - result.unknown
    with pytest.raises(foregone.TimeLimit):
        foregone.perfect(game, seconds=0.01)(game.start)


def test_many_positions_are_solved_in_their_order():
    game = foregone.game("fox-and-hounds")
    positions = list(foregone.sample(game, 100))
    seen = []
    answers = game.solve_many(positions, threads=2, progress=lambda *told: seen.append(told))
    assert [answer.position for answer in answers] == [str(position) for position in positions]
    assert {answer.method for answer in answers} == {"strong"}
    # They are from one solution: none was explored again.
    assert len({answer.positions for answer in answers}) == 1
    assert seen[-1][1:] == (100, 100)
    for answer, position in zip(answers[:5], positions):
        alone = position.solve()
        assert (answer.value, answer.distance, answer.best) == (alone.value, alone.distance, alone.best)
    with pytest.raises(foregone.InvalidInput, match="position 1"):
        game.solve_many([str(positions[0]), "nonsense"])
    large = foregone.game("reversi(size=8)").solve_many([foregone.game("reversi(size=8)").start], seconds=0.1)
    assert large[0].value is None and large[0].halted
    assert game.solve_many([]) == []


def test_samples_are_different_and_repeatable():
    game = foregone.game("nim(heaps=1-2-3)")
    few = [str(position) for position in foregone.sample(game, 10_000)]
    assert len(few) == len(set(few)) < 100
    assert few == [str(position) for position in foregone.sample(game, 10_000)]
    with pytest.raises(ValueError):
        foregone.perfect(game, epsilon=2)
