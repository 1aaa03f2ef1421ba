"""Games by their names, positions, answers, tables, proofs, the command."""

import json
import pickle
import subprocess
import sys
import threading
import time

import foregone
import pytest


def test_games_and_their_parameters():
    kalah = foregone.game("kalah", pits=4, stones=3)
    assert kalah == foregone.game("kalah(pits=4,stones=3)") and hash(kalah) == hash(foregone.game(str(kalah)))
    assert kalah != foregone.game("kalah") and kalah != "kalah"
    assert foregone.game("hex(size=3)", swap=True).name == "hex(size=3,swap=true)"
    assert kalah.sides == ("first", "second") and kalah.unit == "stones" and kalah.title == "Kalah"
    assert "tic-tac-toe" in foregone.games() and "breakthrough" in foregone.games()
    for wrong, says in [
        (lambda: foregone.game("kalahh"), "did you mean `kalah`"),
        (lambda: foregone.game("kalah", pits="x"), "from 1 to 8"),
        (lambda: foregone.game("kalah", stone=3), "did you mean `stones`"),
        (lambda: foregone.Game(), "foregone.game"),
        (lambda: kalah.position("x"), "expected"),
        (lambda: kalah.start.play("9"), "expected a legal move"),
        (lambda: kalah.solve(method="sarch"), "expected a method"),
        (lambda: kalah.solve(method="table"), "no table"),
        (lambda: kalah.solve(seconds=-1), "expected a time"),
        (lambda: kalah.solve(threads=0), "at least 1"),
    ]:
        with pytest.raises(foregone.InvalidInput, match=says):
            wrong()


def test_rules_as_text(tmp_path):
    text = """game Apart
board length 1
param length 5 from 1 to 20
"""
    with pytest.raises(foregone.InvalidInput, match="game:3:1: found `param`"):
        foregone.rules(text + "nonsense\n")
    source = subprocess.run(
        [sys.executable, "-m", "foregone", "rules", "show", "breakthrough"], capture_output=True, text=True, check=True
    ).stdout
    game = foregone.rules(source, name="mine", rows=5, columns=3)
    shipped = foregone.game("breakthrough", rows=5, columns=3)
    assert game.solve().value == shipped.solve().value
    again = pickle.loads(pickle.dumps(game))
    assert again.start.moves == game.start.moves


def test_positions_do_not_change():
    start = foregone.game("tic-tac-toe").start
    after = start.play("5")
    assert str(start) == ".../.../... X" and str(after) == ".../.X./... O"
    assert start.play(["5", "1"]) == foregone.game("tic-tac-toe").position(moves="5,1")
    assert after.played == ["5"] and after.turn == 1 and after.to_move == "O" and not after.is_over
    assert len({after, foregone.game("tic-tac-toe").position(".../.X./... O")}) == 1
    assert pickle.loads(pickle.dumps(after)) == after
    over = start.play("1,4, 2 5\n3")
    assert over.is_over and over.outcome == 1 and over.moves == []
    assert "| 4 | X | 6 |" in after.picture
    assert after.svg().startswith("<svg") and after._repr_svg_() == after.svg()
    with pytest.raises(TypeError):
        foregone.Position()
    with pytest.raises(AttributeError):
        after.turn = 0


def test_answers_have_the_fields_of_the_json():
    for game, more in [("fox-and-hounds(size=6)", []), ("kalah(pits=3,stones=3)", ["--moves", "3,1"]), ("tic-tac-toe", [])]:
        command = [sys.executable, "-m", "foregone", "solve", game, "--json", *more]
        written = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        answer = foregone.game(game).solve(moves=more[1] if more else None)
        found = answer.to_dict()
        for each in (written, found):
            del each["seconds"]
        assert written == found
        for name, value in written.items():
            if name in ("best", "preferred", "line"):
                assert getattr(answer, name) == tuple(value)
            elif name not in ("moves", "bounds"):
                assert getattr(answer, name) == value
        for each in written["moves"]:
            mine = answer[each["move"]]
            assert {name: getattr(mine, name) for name in each} == each
        assert "<table>" in answer._repr_html_()
    with pytest.raises(KeyError):
        answer["none"]


def test_a_halted_solve_is_an_answer():
    answer = foregone.game("connect-four(columns=8)").solve(seconds=0.3)
    assert answer.value is None and not answer.proven and "time limit" in answer.halted
    answer = foregone.game("connect-four(columns=8)").solve(seconds=0.3, estimate=True)
    assert answer.value is not None and not answer.proven and answer.moves[0].chance is not None
    answer = foregone.game("kalah").solve(memory=1_000_000, method="strong")
    assert answer.value is None and "memory limit" in answer.halted


def test_solving_lets_other_threads_run():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.01)

    thread = threading.Thread(target=tick)
    thread.start()
    foregone.game("connect-four(columns=8)").solve(seconds=0.5)
    done.set()
    thread.join()
    assert len(ticks) > 10


def test_tables(tmp_path):
    pytest.importorskip("numpy")
    game = foregone.game("three-mens-morris")
    file = tmp_path / "morris.table"
    seen = []
    table = game.build_table(file, progress=lambda *args: seen.append(args))
    assert len(table) == 5390 or len(table) > 1000
    assert table[game.start] == table[str(game.start)]
    answer = game.solve()
    assert table[game.start] == (answer.value, answer.distance, answer.endless)
    assert table.solve().best == answer.best
    assert game.start in table and table.verify() and table.verify().positions == len(table)
    total = 0
    for batch in table.batches(1000, encode="text"):
        assert 0 < len(batch.values) <= 1000 and len(batch.positions) == len(batch.turns)
        values, distances = table.probe(batch.positions)
        assert (values == batch.values).all() and (distances == batch.distances).all()
        total += len(batch.values)
    assert total == len(table)
    for batch in table.batches(777, encode="cells"):
        # The points, then the men in hand.
        assert batch.positions.shape == (len(batch.values), 11) and abs(batch.positions[:, :9]).max() <= 1
    assert sum(len(batch.values) for batch in table.batches()) == total
    assert pickle.loads(pickle.dumps(table))[game.start] == table[game.start]
    with pytest.raises(foregone.InvalidInput, match="position 1"):
        table.probe([game.start, "nonsense"])
    with pytest.raises(FileExistsError, match="force=True"):
        game.build_table(file)
    with pytest.raises(foregone.InvalidInput, match="encoding"):
        next(table.batches(encode="pictures"))
    with pytest.raises(ValueError):
        table.batches(0)
    with pytest.raises(FileNotFoundError):
        foregone.open_table(tmp_path / "none")
    content = bytearray(file.read_bytes())
    content[20] ^= 1
    (tmp_path / "damaged").write_bytes(content)
    with pytest.raises(foregone.DamagedFile):
        foregone.open_table(tmp_path / "damaged")
    with pytest.raises(foregone.DamagedFile):
        foregone.open_table(file, foregone.game("tic-tac-toe"))


def test_batches_as_arrow(tmp_path):
    pa = pytest.importorskip("pyarrow")
    table = foregone.game("kalah(pits=2,stones=2)").build_table(tmp_path / "kalah.table")
    batches = [batch.arrow() for batch in table.batches(100, encode="cells")]
    whole = pa.concat_tables([pa.Table.from_batches([batch]) for batch in batches])
    assert whole.num_rows == len(table) and whole.schema.names == ["layer", "number", "value", "distance", "position", "turn"]
    assert whole["distance"].null_count == len(table)


def test_proofs(tmp_path):
    game = foregone.game("fox-and-hounds(size=6)")
    proof = game.prove(tmp_path / "fox.proof")
    assert proof.check().right and proof.check() and proof.claims == ["the first player wins"]
    assert foregone.open_proof(tmp_path / "fox.proof").game == game
    assert pickle.loads(pickle.dumps(proof)).check()
    with pytest.raises(foregone.InvalidInput, match="false"):
        game.prove(tmp_path / "other.proof", claim=(1, 1))
    content = bytearray((tmp_path / "fox.proof").read_bytes())
    for place in range(0, len(content), 97):
        content[place] ^= 1
        (tmp_path / "fox.proof").write_bytes(content)
        content[place] ^= 1
        try:
            assert not foregone.open_proof(tmp_path / "fox.proof").check(), place
        except (foregone.DamagedFile, foregone.InvalidInput):
            pass


def test_the_command():
    def run(*arguments):
        return subprocess.run([sys.executable, "-m", "foregone", *arguments], capture_output=True, text=True)

    done = run("solve", "tic-tac-toe")
    assert done.returncode == 0 and "best line" in done.stdout
    done = run("solve", "tic-tac-to")
    assert done.returncode == 2 and "did you mean `tic-tac-toe`" in done.stderr
    assert run("--version").stdout.startswith("foregone ")


def test_a_table_refuses_positions_of_other_games(tmp_path):
    pytest.importorskip("numpy")
    table = foregone.game("nim(heaps=1-2-3)").build_table(tmp_path / "nim.table")
    other = foregone.game("nim(heaps=1-2-3,misere=true)").start
    for ask in (lambda: table[other], lambda: table.probe([other]), lambda: other in table, lambda: table.solve(other)):
        with pytest.raises(foregone.InvalidInput, match="found a position of"):
            ask()


def test_equal_games_have_equal_hashes():
    source = subprocess.run(
        [sys.executable, "-m", "foregone", "rules", "show", "hexapawn"], capture_output=True, text=True, check=True
    ).stdout
    own, again = foregone.rules(source, name="hexapawn"), pickle.loads(pickle.dumps(foregone.rules(source, name="hexapawn")))
    for game in (own, again, foregone.game("hexapawn")):
        assert (game == own) == (hash(game) == hash(own))
    assert {own.start: 1}[own.position(str(own.start))] == 1


def test_force_begins_anew(tmp_path):
    file = tmp_path / "x.table"
    part = tmp_path / "x.table.part"
    part.mkdir()
    (part / "manifest").write_text("{}")
    foregone.game("nim(heaps=1-2)").build_table(file, force=True)
    assert file.exists() and not part.exists()


def test_the_command_line_gives_its_status_back(capfd):
    from foregone._foregone import command

    assert command(["--help"]) == 0
    assert command(["solve"]) == 2
    assert command(["solve", "tic-tac-toe", "--value-only"]) == 0
    out, err = capfd.readouterr()
    assert "Usage: foregone" in out and "required arguments" in err and "Draw" in out


def test_a_daemon_thread_that_solves_does_not_crash_the_end():
    code = (
        "import foregone, threading, time\n"
        "solve = lambda: foregone.game('connect-four(columns=8)').solve()\n"
        "[threading.Thread(target=solve, daemon=True).start() for _ in range(3)]\n"
        "time.sleep(0.2)\n"
    )
    sleeping = (
        "import foregone, threading, time\n"
        "class C:\n"
        "    start = 0\n"
        "    def turn(self, s): return s & 1\n"
        "    def outcome(self, s): return None\n"
        "    def moves(self, s): return (3, 5)\n"
        "    def play(self, s, m): time.sleep(.001); return (s * m + 1) % 10**9\n"
        "threading.Thread(target=lambda: foregone.solve(C(), memory=10**9), daemon=True).start(); time.sleep(.2)\n"
    )
    for program in (code, code, sleeping, sleeping):
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        assert (run.returncode, run.stderr) == (0, "")


def test_possible_positions_are_those_that_are_read(tmp_path):
    for name in ("tic-tac-toe", "kalah(pits=2,stones=2)", "three-mens-morris"):
        table = foregone.game(name).build_table(tmp_path / "some.table", force=True)
        for batch in table.batches(encode="text", possible=True):
            values, distances = table.probe(batch.positions)
            assert (values == batch.values).all() and (distances == batch.distances).all()
        cells = [batch.positions for batch in table.batches(encode="cells", possible=True)]
        texts = [text for batch in table.batches(encode="text", possible=True) for text in batch.positions]
        assert sum(map(len, cells)) == len(texts) < len(table) or name == "three-mens-morris"


def test_files_with_rules_are_games(tmp_path):
    file = tmp_path / "pins.rules"
    file.write_text(
        "game Pins\nparameter pins = 3 in 1..9\nboard pins 1\npiece pin I\nstuck loses\nstart\n  put pin on all\n"
        "move\n  choose at in pin\n  clear at\n"
    )
    for game in (foregone.rules(file), foregone.rules(str(file)), foregone.game(str(file)), foregone.game(f"{file}(pins=3)")):
        assert game.solve().value == 1 and pickle.loads(pickle.dumps(game)) == game
    assert foregone.game(str(file), pins=4).solve().value == foregone.rules(file, pins=4).solve().value == -1
    with pytest.raises(foregone.InvalidInput, match="nothing.rules: No such file"):
        foregone.rules("nothing.rules")


def test_wrong_types_are_named():
    game = foregone.game("nim(heaps=1-2)")
    for use in (lambda: game.start.play(1), lambda: game.start.play([1, 2]), lambda: game.position(moves=1)):
        with pytest.raises(TypeError, match="expected moves as a text"):
            use()


def test_times_without_end_are_no_limit():
    game = foregone.game("nim(heaps=1-2)")
    assert game.solve(seconds=float("inf")).value == game.solve(seconds=1e300).value == 1
    for seconds in (-1, float("nan")):
        with pytest.raises(foregone.InvalidInput, match="expected a time from 0"):
            game.solve(seconds=seconds)


def test_files_are_closed_after_with(tmp_path):
    game = foregone.game("nim(heaps=1-2)")
    with game.build_table(tmp_path / "nim.table") as table:
        assert len(table) > 0 and table[game.start].value == 1
    for use in (lambda: len(table), lambda: table[game.start], lambda: next(table.batches()), lambda: table.verify()):
        with pytest.raises(ValueError, match="closed: open it again"):
            use()
    assert "closed" in repr(table)
    with game.prove(tmp_path / "nim.proof") as proof:
        assert proof.check()
    with pytest.raises(ValueError, match="closed"):
        proof.check()
    assert "closed" in repr(proof)


def test_a_table_is_a_stream_of_arrow(tmp_path):
    pa = pytest.importorskip("pyarrow")
    table = foregone.game("tic-tac-toe").build_table(tmp_path / "ttt.table")
    whole = pa.table(table)
    assert whole.num_rows == sum(len(batch.values) for batch in table.batches(possible=True)) == 5478
    assert set(whole.column_names) >= {"value", "distance", "position", "turn"}
    at = whole["position"].to_pylist().index(".../.../... X")
    assert (whole["value"][at].as_py(), whole["distance"][at].as_py()) == (0, 9)
    assert next(table.batches(100, encode="cells")).arrow().num_rows == 100


def test_a_report_has_what_the_command_says():
    found = foregone.report("tic-tac-toe", games=2, puzzles=1)
    assert found["start"]["value"] == 0 and found["whole"]["positions"] == 5478 and found["whole"]["games"] == 255168
    assert [played["player"] for played in found["players"]] == ["random", "easy", "medium", "hard"]
    large = foregone.game("hex(size=4)").report(positions=100, games=1, puzzles=0, seconds=10)
    assert large["whole"] is None and large["expected"] > 100
    with pytest.raises(foregone.InvalidInput, match="expected a time from 0"):
        foregone.report("tic-tac-toe", seconds=-1)
