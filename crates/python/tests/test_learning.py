"""Agents measured against perfect play."""

import foregone
import pytest


def test_a_perfect_agent_keeps_everything_and_others_do_not():
    game = foregone.game("tic-tac-toe")
    right = foregone.evaluate(foregone.perfect(game), game, 800)
    assert right == (800, 1.0, 1.0, 0.0, None)
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


def test_samples_are_different_and_repeatable():
    game = foregone.game("nim(heaps=1-2-3)")
    few = [str(position) for position in foregone.sample(game, 10_000)]
    assert len(few) == len(set(few)) < 100
    assert few == [str(position) for position in foregone.sample(game, 10_000)]
    with pytest.raises(ValueError):
        foregone.perfect(game, epsilon=2)
