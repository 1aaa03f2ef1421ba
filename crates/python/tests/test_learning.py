"""Agents measured against perfect play."""

import foregone
import pytest


def test_a_perfect_agent_keeps_everything_and_others_do_not():
    game = foregone.game("tic-tac-toe")
    right = foregone.evaluate(foregone.perfect(game), game, 800)
    assert (right.positions, right.kept, right.best, right.lost, right.worst) == (800, 1.0, 1.0, 0.0, None)
    assert (right.unknown, right.illegal, right.stopped) == (0, 0, False)
    first = foregone.evaluate(lambda position: position.moves[0], game, 800)
    assert first.positions == 800 and first.kept < 1 and first.best <= first.kept and first.lost > 0
    worst = first.worst
    answer = worst.position.solve()
    assert worst.lost == answer.value - answer[worst.legal].value == 2
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
    result = foregone.evaluate(lambda position: position.moves[0], game, 20, seconds=0.25)
    assert 0 < result.unknown < 20 and result.positions == 20 - result.unknown
    with pytest.raises(foregone.TimeLimit):
        foregone.perfect(game, seconds=0.01)(game.start)


def test_many_positions_are_solved_in_their_order():
    # Small enough to be solved whole in time on any machine.
    game = foregone.game("tic-tac-toe")
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


def test_every_row_is_what_the_rules_and_the_solver_say():
    game = foregone.game("tic-tac-toe")
    result = foregone.evaluate(lambda position: position.moves[-1], game, 500)
    for row in result.rows:
        answer = row.position.solve()
        keeping = [move.move for move in answer.moves if move.value == answer.value]
        assert row.ply == len(row.position.played) and row.value == answer.value and row.best == answer.best
        assert row.legal == row.reply == row.position.moves[-1] and row.error is None and row.asked == 1
        assert row.kept == (row.legal in keeping) and row.lost == answer.value - answer[row.legal].value
        assert row.chance == len(keeping) / len(answer.moves)
        if len(keeping) == len(answer.moves):
            assert row.difficulty == "free"
        elif len(keeping) == 1:
            assert row.difficulty == "only"
        else:
            assert row.difficulty == ("easy" if 2 * len(keeping) >= len(answer.moves) else "hard")
        later = answer[row.legal].distance - answer[answer.best[0]].distance
        assert row.plies_lost == (abs(later) if row.kept else None)
    by_level = result.by("difficulty")
    assert list(by_level) == [level for level in ("free", "easy", "hard", "only") if level in by_level]
    assert by_level["free"].part == 1.0
    assert abs(result.chance - sum(row.chance for row in result.rows) / 500) < 1e-9


def test_what_goes_wrong_is_data():
    game = foregone.game("tic-tac-toe")

    def agent(position):
        if len(position.played) % 2:
            raise RuntimeError("no idea")
        return {0: "nonsense", 2: 7, 4: "  " + position.moves[0]}.get(len(position.played), position.moves[0])

    counted = foregone.evaluate(agent, game, 200, retries=2)
    for row in counted.rows:
        wrong = row.ply % 2 == 1 or row.ply < 4
        assert (row.legal is None, row.asked) == (wrong, 3 if wrong else 1)
        assert (row.error is not None, row.lost is None) == (wrong, wrong)
        assert not (wrong and row.kept)
    assert counted.illegal == sum(row.ply % 2 == 1 or row.ply < 4 for row in counted.rows) > 0
    assert {row.error for row in counted.rows if row.ply % 2} == {"RuntimeError: no idea"}
    # Losing the game is what an illegal move loses.
    lost = foregone.evaluate(agent, game, 200, on_illegal="loss")
    assert all(row.lost == row.value + 1 and not row.kept for row in lost.rows if row.legal is None)
    assert lost.kept == counted.kept
    assert lost.lost > counted.lost
    with pytest.raises(foregone.InvalidInput, match="the agent chose 'nonsense' at .*expected a legal move"):
        foregone.evaluate(lambda _: "nonsense", game, 10, on_illegal="raise")
    with pytest.raises(ZeroDivisionError):
        foregone.evaluate(lambda _: 1 / 0, game, 10, on_illegal="raise", workers=2)
    with pytest.raises(ValueError, match="on_illegal"):
        foregone.evaluate(agent, game, 10, on_illegal="ignore")
    # An exception ends it only when there are no more retries.
    slow = iter(range(1_000))

    def tired(position):
        if next(slow) % 2 == 0:
            raise TimeoutError
        return position.moves[0]

    assert foregone.evaluate(tired, game, 10, on_illegal="raise", retries=1).illegal == 0
    for field in ("legal", "error", "lost", "plies_lost", "position", "best"):
        assert sum(1 for _ in counted.by(field)) >= 1
    # It is asked again until it knows.
    tries = iter(range(1_000))
    patient = foregone.evaluate(lambda position: position.moves[0] if next(tries) % 3 == 2 else "", game, 50, retries=2)
    assert patient.illegal == 0 and {row.asked for row in patient.rows} == {3}


def test_workers_and_batches_give_the_same_rows():
    game = foregone.game("connect-four(columns=4,rows=4)")
    seen, sizes = [], []

    def many(positions):
        sizes.append(len(positions))
        return [position.moves[-1] for position in positions]

    def rows(result):
        return [row._replace(seconds=0.0) for row in result.rows]

    one = foregone.evaluate(lambda position: position.moves[-1], game, 150, progress=lambda *told: seen.append(told))
    assert rows(foregone.evaluate(lambda position: position.moves[-1], game, 150, workers=4)) == rows(one)
    assert rows(foregone.evaluate(many, game, 150, batch=40)) == rows(one)
    assert sizes == [40, 40, 40, 30]
    assert seen[-1] == ("asking", 150, 150)
    # An agent that gives too few replies has given none.
    few = foregone.evaluate(lambda positions: positions[0].moves[:1], game, 30, batch=10)
    assert few.illegal == 30 and "expected 10" in few.rows[0].error


def test_rows_are_a_data_frame():
    pytest.importorskip("pandas")
    game = foregone.game("tic-tac-toe")
    found = foregone.compare({"one": lambda position: position.moves[0], "easy": "easy"}, [game], 50)
    frame = found.to_pandas()
    assert list(frame.columns) == ["agent", "game", *foregone.measure.Reply._fields, "kept"] and len(frame) == 100
    kept = frame[frame.agent == "one"].kept.mean()
    assert abs(kept - found.evaluations["one", str(game)].kept) < 1e-9
    assert frame.position[0] == str(found.evaluations["one", str(game)].rows[0].position)


def test_ctrl_c_keeps_the_rows_there_are():
    game = foregone.game("tic-tac-toe")
    asked = []

    def agent(position):
        asked.append(position)
        if len(asked) > 20:
            raise KeyboardInterrupt
        return position.moves[0]

    result = foregone.evaluate(agent, game, 100)
    assert (result.positions, result.stopped) == (20, True)
    assert "stopped" in result.summary()


def test_a_move_is_found_in_free_text():
    start = foregone.game("tic-tac-toe").start
    for text, move in {
        "5": "5",
        "The answer is 7.": "7",
        "Move: **3**, since 5 is taken": "3",
        "ANSWER: 4 or 6": "4",
        "I thought of 1. My move is 2": "2",
        "1 or 2": None,
        "15": None,
        "": None,
        "move: none": None,
        "Move: none, 5 is taken": None,
        "The move is 4.": "4",
        "Answer: 5.5": None,
        "Move: 5/7": None,
        "There are 5 moves. Answer: 3": "3",
    }.items():
        assert foregone.find_move(text, start) == move, text
    assert foregone.find_move(None, start) is None
    chess = foregone.game("text:hexapawn").start
    [move, *_] = chess.moves
    for text in (f"I play {move.upper()}!", f"move: {move.replace('-', ' – ')}", move.replace("-", " - ")):
        assert foregone.find_move(text, chess) == move, text


def test_agents_are_compared_at_the_same_positions():
    games = ["tic-tac-toe", foregone.game("nim(heaps=1-2-3)")]
    agents = {"first": lambda position: position.moves[0], "hard": "hard", "none": lambda position: None}
    found = foregone.compare(agents, games, 60, seed=3)
    assert len(found.evaluations) == 6
    for game in games:
        at = [[row.position for row in found.evaluations[name, str(foregone.game(str(game)))].rows] for name in agents]
        assert at[0] == at[1] == at[2]
    alone = foregone.evaluate(agents["first"], games[1], 60, seed=3)
    assert [row.legal for row in alone.rows] == [row.legal for row in found.evaluations["first", str(games[1])].rows]
    hard = found.evaluations["hard", str(foregone.game("tic-tac-toe"))]
    assert hard.kept > hard.chance and hard.illegal == 0
    lines = found.markdown().splitlines()
    assert lines[0] == "|  | positions | first | hard | none | random move |" and lines[-1].count("0") >= 2
    assert {line.count("|") for line in lines} == {7}
    with pytest.raises(foregone.InvalidInput, match="expected a player"):
        foregone.compare({"best": "hrad"}, games)


def test_intervals_are_those_of_wilson():
    # For 8 of 10 the literature has 0.490 to 0.943.
    part, low, high = foregone.measure.interval(8, 10)
    assert (part, round(low, 3), round(high, 3)) == (0.8, 0.49, 0.943)


def test_players_of_foregone_are_agents():
    game = foregone.game("tic-tac-toe")
    once, again = (foregone.evaluate(foregone.player(game, "random", seed=5), game, 200, workers=w) for w in (1, 3))
    assert [row.legal for row in once.rows] == [row.legal for row in again.rows]
    assert abs(once.kept - once.chance) < 0.1
    assert game.position(moves="1 5 2 9").choose("perfect", seconds=1) == "3"
    for wrong in ("human", "nobody"):
        with pytest.raises(foregone.InvalidInput):
            game.start.choose(wrong)
        with pytest.raises(foregone.InvalidInput, match=f"found '{wrong}', expected a player"):
            foregone.evaluate(wrong, game, 10)
    with pytest.raises(foregone.InvalidInput, match="over"):
        game.position(moves="1 4 2 5 3").choose("easy")


def test_samples_are_different_and_repeatable():
    game = foregone.game("nim(heaps=1-2-3)")
    few = [str(position) for position in foregone.sample(game, 10_000)]
    assert len(few) == len(set(few)) < 100
    assert few == [str(position) for position in foregone.sample(game, 10_000)]
    with pytest.raises(ValueError):
        foregone.perfect(game, epsilon=2)


def test_positions_may_be_given_and_games_without_a_bound_have_losses():
    game = foregone.game("tic-tac-toe")
    start = game.start
    given = [str(start), start.play("5"), game.position(moves="5 1 9")]
    found = foregone.evaluate(lambda position: position.moves[0], game, given)
    assert [str(row.position) for row in found.rows] == [str(position) for position in given]
    # Where it was given without its moves, nobody knows how many there were.
    assert [row.ply for row in found.rows] == [0, 1, 3]
    [late] = foregone.evaluate(lambda position: position.moves[0], game, [str(given[2])]).rows
    assert late.ply is None and "ply" not in foregone.evaluate("easy", game, [str(given[2])]).summary()
    for wrong, error in {(): "not over", 0: "at least 1", "OX. X": "a list of positions"}.items():
        with pytest.raises((ValueError, TypeError), match=error):
            foregone.evaluate(lambda position: None, game, wrong)
    misere = foregone.game("misere-tic-tac-toe")
    with pytest.raises(foregone.InvalidInput, match="a position of misere-tic-tac-toe.*expected one of mnk"):
        foregone.evaluate(lambda position: None, game, [misere.start])
    with pytest.raises(TypeError, match="agent=None, expected a function"):
        foregone.evaluate(None, game, 10)
    kalah = foregone.game("kalah(pits=2,stones=2)")
    for row in foregone.evaluate(lambda position: None, kalah, 20, on_illegal="loss").rows:
        answer = row.position.solve()
        assert row.lost == row.value - min(move.value for move in answer.moves)


def test_options_of_a_comparison_are_read_and_each_agent_has_its_own():
    game = foregone.game("tic-tac-toe")
    agents = {"text|it": lambda position: f"Move: {position.moves[0]}", "plain": lambda position: position.moves[0]}
    found = foregone.compare(agents, [game, "tic-tac-toe"], 30, parse={"text|it": foregone.find_move})
    assert len(found.evaluations) == 2 and all(each.illegal == 0 for each in found.evaluations.values())
    assert found.markdown().startswith("|  | positions | text\\|it | plain |")
    several = foregone.compare(agents, game, 30, workers={"plain": 3}, parse={"text|it": foregone.find_move})
    one = foregone.compare(agents, game, 30, parse={"text|it": foregone.find_move})
    assert [row.legal for row in several.evaluations["plain", str(game)].rows] == [
        row.legal for row in one.evaluations["plain", str(game)].rows
    ]
    with pytest.raises(ValueError, match="workers=.'nobody'"):
        foregone.compare(agents, game, 10, workers={"nobody": 2})
    with pytest.raises(TypeError, match="'retry', expected one of on_illegal, parse"):
        foregone.compare({"easy": "easy"}, game, 10, retry=2)
    with pytest.raises(ValueError, match="expected names of agents: text"):
        foregone.compare(agents, game, 10, parse={"test|it": foregone.find_move})
    with pytest.raises(ValueError, match="retries"):
        foregone.compare(agents, game, 10, retries=-1)


def test_a_comparison_that_was_stopped_sums_what_all_were_asked():
    def tired(position):
        if str(position.game).startswith("nim"):
            raise KeyboardInterrupt
        return position.moves[0]

    agents = {"first": lambda position: position.moves[0], "tired": tired}
    found = foregone.compare(agents, ["tic-tac-toe", "nim(heaps=1-2)"], 20)
    *_, last, _ = found.summary().splitlines()
    assert last.startswith("1 of 2 games  ") and last.split()[4] == "20", last


def test_failures_are_told_from_illegal_replies():
    game = foregone.game("tic-tac-toe")
    found = foregone.evaluate(lambda position: 1 // len(position.played) and "nonsense", game, 50)
    assert found.illegal == 50 > found.failed == sum(row.ply == 0 for row in found.rows) > 0
    assert "of these failed" in found.markdown() and found.markdown().count("| all |") == 1
