"""Games written in Python: against the same games in Rust, and games that misbehave."""

import gc
import os
import pickle
import signal
import sys
import threading

import foregone
import plain
import pytest


@pytest.mark.parametrize("rules", plain.GAMES)
def test_every_position_is_worth_what_the_native_game_says(rules, tmp_path):
    game = rules()
    solution = foregone.solve(game)
    native = foregone.game(rules.native)
    assert foregone.conform(game) == []
    # Both are walked together, so that positions correspond by their moves alone.
    pairs = {game.start(): native.start}
    queue = list(pairs)
    while queue:
        state = queue.pop()
        position = pairs[state]
        assert position.outcome == game.outcome(state)
        if position.is_over:
            continue
        assert position.turn == game.turn(state)
        assert sorted(position.moves) == sorted(game.moves(state))
        for move in position.moves:
            child = game.play(state, move)
            after = position.play(move)
            if child not in pairs:
                pairs[child] = after
                queue.append(child)
            # Whose turn it would be after the end has no meaning.
            assert after.is_over or str(pairs[child]) == str(after)
    assert len(pairs) == len(solution)
    table = native.build_table(tmp_path / "native.table")
    positions = list(pairs.values())
    values, distances = table.probe(positions)
    for (state, position), value in zip(pairs.items(), values):
        assert position.is_over or solution[state].value == value
    if table.stores == "score+distance":
        for state, distance in zip(pairs, distances):
            assert solution[state].distance == (None if distance < 0 else distance)
    else:
        for state, position in list(pairs.items())[::97]:
            if position.is_over:
                continue
            assert solution[state].distance == position.solve().distance


def test_a_solution_is_a_mapping():
    game = plain.TicTacToe()
    solution = foregone.solve(game)
    start = solution.start
    assert start == "." * 9 and start in solution and "x" not in solution
    assert solution[start] == foregone.Worth(0, 9) == (0, 9, False)
    assert len(list(solution)) == len(solution) == len(solution.keys()) == len(solution.items()) == 5478
    assert solution.get("x") is None and solution.get("x", 7) == 7
    assert dict(solution)[start] == solution[start]
    with pytest.raises(KeyError):
        solution["x"]
    assert solution.best("XO.......") == ["4", "5", "7"] or solution.moves("XO.......")["4"].value == 1
    line = solution.line()
    assert line[0] == start and game.outcome(line[-1]) == 0 and len(line) == 10
    values, distances = solution.arrays()
    assert values[0] == 0 and distances[0] == 9 and len(values) == 5478
    assert solution.value == 0 and solution.distance == 9 and solution.endless == 0


def test_loops_and_endless_draws():
    solution = foregone.solve(plain.ThreeMensMorris())
    assert solution.endless == 1208
    endless = [state for state in solution if solution[state].endless]
    assert len(endless) == 1208 and all(solution[state] == (0, None, True) for state in endless)


def test_expand_gives_the_same():
    rules = plain.Kalah()

    class Expanding:
        start = rules.start()

        def expand(self, state):
            outcome = rules.outcome(state)
            moves = [] if outcome is not None else rules.moves(state)
            return rules.turn(state), outcome, [rules.play(state, move) for move in moves]

    assert dict(foregone.solve(Expanding())) == dict(foregone.solve(rules))


def test_keys_merge_positions():
    def mirrored(board):
        return min(board, "".join(reversed(board)))

    rules = plain.TicTacToe()
    whole, merged = foregone.solve(rules), foregone.solve(rules, key=mirrored)
    assert len(merged) < len(whole)
    assert all(merged[state] == whole[state] for state in whole)


def test_graphs_as_arrays():
    np = pytest.importorskip("numpy")
    values, distances = foregone.solve_graph([0, 2, 3, 3, 3], [1, 3, 2], [0, 1, 0, 1], [0, 0, -1, 1])
    assert values.tolist() == [1, 1, -1, -1] and distances.tolist() == [1, 1, 0, 0]
    # Two positions that lead to each other.
    values, distances = foregone.solve_graph([0, 1, 2], [1, 0], [0, 1], [0, 0], endless=1)
    assert values.tolist() == [1, -1] and distances.tolist() == [-1, -1]
    for wrong in [([0, 1], [5], [0], [0]), ([0], [], [0], [0]), ([0, 1], [-1], [0], [0]), ([0, 1, 0], [0], [0, 1], [0, 0]),
                  ([0, 0], [], [7], [0]), ([0, 0], [], [0], [2**40]), ([0], [], [], [])]:  # fmt: skip
        with pytest.raises(foregone.InvalidInput):
            foregone.solve_graph(*wrong)
    assert np


def test_frontiers_give_the_same():
    np = pytest.importorskip("numpy")
    side, height = 4, 5
    full = sum(((1 << side) - 1) << (x * height) for x in range(side))

    def expand(states):
        mine, both = states[:, 0], states[:, 1]
        other = mine ^ both
        won = np.zeros(len(states), bool)
        for step in (1, height, height - 1, height + 1):
            pairs = other & (other >> np.uint64(step))
            won |= (pairs & (other >> np.uint64(2 * step))) != 0
        count = np.array([int(each).bit_count() for each in both])
        turn = count & 1
        over = won | (both == full)
        legal, after = [], []
        for x in range(side):
            more = both | (both + np.uint64(1 << (x * height)))
            legal.append(~over & ((more & ~np.uint64(full)) == 0))
            after.append(np.stack([other, more], 1))
        legal = np.stack(legal, 1)
        return turn, np.where(won, 2 * turn - 1, 0), legal.sum(1), np.stack(after, 1)[legal]

    solved = foregone.solve_frontiers(np.array([[0, 0]], np.uint64), expand)
    own = foregone.solve(plain.ConnectFour())
    assert len(solved) == len(own) and (solved.value, solved.distance) == (own.value, own.distance)
    assert sorted(zip(solved.values, solved.distances)) == sorted(zip(*own.arrays()))
    assert (solved.numbers(solved.states) == np.arange(len(solved))).all()
    assert solved.numbers(np.array([[9, 9]], np.uint64))[0] == -1
    small = foregone.solve_frontiers(np.array([[0, 0]], np.uint64), expand, chunk=100)
    assert (small.values == solved.values).all()
    with pytest.raises(foregone.PositionLimit):
        foregone.solve_frontiers(np.array([[0, 0]], np.uint64), expand, chunk=100, positions=1000)
    with pytest.raises(foregone.InvalidInput, match="expand gives"):
        foregone.solve_frontiers(np.array([[0, 0]], np.uint64), lambda states: ([0], [0], [2], states))


class Counting:
    """Counts without end."""

    def start(self):
        return 0

    def turn(self, state):
        return state % 2

    def outcome(self, state):
        return None

    def moves(self, state):
        return [1]

    def play(self, state, move):
        return state + move


def changed(**functions):
    return type("Changed", (Counting,), {name: function for name, function in functions.items()})()


class Box:
    """A state that could be changed."""


def test_a_move_may_change_nothing():
    solution = foregone.solve(changed(play=lambda self, state, move: state))
    assert len(solution) == 1 and solution[0] == foregone.Worth(0, None, True)


def test_games_that_misbehave_are_named():
    def raises(game, match, error=foregone.InvalidInput, **limits):
        with pytest.raises(error, match=match):
            foregone.solve(game, **limits)

    raises(Counting(), "more than 1000 positions", foregone.PositionLimit, positions=1000)
    raises(Counting(), "memory limit.*infinite", foregone.MemoryLimit, memory=4_000_000)
    raises(Counting(), "time limit", foregone.TimeLimit, seconds=0.05)
    raises(object(), "has no `start`")
    raises(changed(start=lambda self: [1]), "must be hashable")
    raises(changed(turn=lambda self, state: 7), "turn gives 7")
    raises(changed(turn=lambda self, state: None), "turn gives None")
    raises(changed(outcome=lambda self, state: "won"), "outcome gives won")
    raises(changed(outcome=lambda self, state: 0.5), "outcome gives 0.5")
    raises(changed(outcome=lambda self, state: 2**31), "outcome gives")
    raises(changed(moves=lambda self, state: []), "no move")
    raises(changed(moves=lambda self, state: 5), "moves gives 5")
    raises(changed(start=lambda self: Box(), turn=lambda self, state: 0, play=lambda self, box, move: box), "the state itself")

    def broken(self, state, move):
        raise KeyError("mine")

    raises(changed(play=broken), "mine", KeyError)

    class Hash:
        def __hash__(self):
            raise RuntimeError("no hash today")

    raises(changed(start=lambda self: Hash()), "no hash today", RuntimeError)


def test_conform_says_what_is_wrong():
    def says(game, part):
        problems = foregone.conform(game, positions=50)
        assert any(part in problem for problem in problems), problems

    says(object(), "it has no start")
    says(changed(start=lambda self: [1], turn=lambda self, state: 0), "must be hashable")
    says(changed(turn=lambda self, state: 2), "expected 0 or 1")
    for result in ("won", 0.5, float("nan"), float("inf")):
        says(changed(outcome=lambda self, state: result), "expected a whole number or None")
    says(changed(moves=lambda self, state: 5), "expected a list")
    says(changed(play=lambda self, state, move: {}[move]), "play raises KeyError: 1")
    says(changed(moves=lambda self, state: []), "there is no move")
    says(changed(moves=lambda self, state: [1, 1]), "a move is there twice")
    calls = iter(range(10**6))
    says(changed(moves=lambda self, state: [next(calls)]), "other moves when it is asked again")
    says(changed(play=lambda self, state, move: next(calls)), "other answers when they are asked again")

    class Board:
        def __init__(self):
            self.count = 0

        def __repr__(self):
            return f"Board({self.count})"

    def change(self, state, move):
        state.count += 1
        return state

    says(changed(start=lambda self: Board(), turn=lambda self, state: 0, play=change), "changes the state itself")


def test_conform_looks_at_keys_expand_and_arrays():
    for game in (plain.TicTacToe(), plain.Nim(), plain.ConnectFour()):
        assert foregone.conform(game, key=lambda state: state) == []
    [*_, first] = foregone.conform(Counting(), key=lambda state: state // 2, positions=9)
    assert "it has the key of" in first

    class Expanding:
        start = 3

        def expand(self, state):
            return (state % 2, None if state else 1, [state - 1])

    assert foregone.conform(Expanding()) == []
    Expanding.expand = lambda self, state: state
    assert "expand gives 3, expected a tuple: the turn" in foregone.conform(Expanding())[0]
    np = pytest.importorskip("numpy")
    assert foregone.conform(changed(moves=lambda self, state: [np.array([1, 2])], play=lambda self, state, move: 1 - state)) == []
    [problem] = foregone.conform(changed(turn=lambda self, state: np.array([0, 1])))
    assert "expected 0 or 1" in problem


def test_control_c_ends_it():
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        foregone.solve(Counting())
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        foregone.game("connect-four(columns=8)").solve()


def test_progress_is_told_and_its_exceptions_are_raised():
    seen = []
    with pytest.raises(foregone.TimeLimit):
        foregone.solve(Counting(), seconds=0.5, progress=lambda *args: seen.append(args))
    assert seen and seen[0][0] == "finding positions" and seen[-1][1] > 0

    def stop(*_):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        foregone.solve(Counting(), progress=stop)
    with pytest.raises(LookupError, match="enough"):
        foregone.game("connect-four(columns=8)").solve(progress=stop)


def test_nothing_leaks():
    import resource

    game = plain.Nim()

    def rounds(count):
        for _ in range(count):
            foregone.solve(game)
            foregone.game("nim(heaps=1-2-3)").solve()
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = rounds(1000)
    # Kilobytes: below one a round.
    assert rounds(int(os.environ.get("ROUNDS", "2000"))) - before < 2000
    assert sys.getrefcount(game) < 10


def test_several_threads_solve_at_once():
    answers = []

    def work():
        answers.append(foregone.solve(plain.TicTacToe()).value)
        answers.append(foregone.game("fox-and-hounds(size=6)").solve().value)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [0] * 4 + [1] * 4


def test_errors_pickle():
    error = pickle.loads(pickle.dumps(foregone.InvalidInput("why")))
    assert isinstance(error, ValueError) and str(error) == "why"


def test_best_moves_of_states_that_share_a_key_are_their_own():
    def mirrored(board):
        return min(board, "".join(reversed(board)))

    rules = plain.TicTacToe()
    whole, merged = foregone.solve(rules), foregone.solve(rules, key=mirrored)
    for state in list(whole)[::7]:
        assert merged.moves(state) == whole.moves(state)
        assert merged.best(state) == whole.best(state)
    assert [rules.outcome(merged.line()[-1])] == [0]


def test_equal_moves_and_equal_next_states_do_not_shift_the_best():
    class Twice:
        """Two moves lead to a draw, the third one wins."""

        start = "root"

        def expand(self, state):
            if state == "root":
                return 0, None, ["x", "x", "y"]
            return 1, {"x": 0, "y": 1}[state], []

    solution = foregone.solve(Twice())
    assert solution.best("root") == ["y"] and solution.moves("root") == {"x": (0, 1, False), "y": (1, 1, False)}

    class Names(Twice):
        """`moves` is in another order than `expand`, and names a move twice."""

        def turn(self, state):
            return 0 if state == "root" else 1

        def outcome(self, state):
            return None if state == "root" else {"x": 0, "y": 1}[state]

        def moves(self, state):
            return ["to y", "to y", "to x"]

        def play(self, state, move):
            return move[-1]

    assert foregone.solve(Names()).best("root") == ["to y"]


def test_arrays_that_would_be_changed_are_refused():
    np = pytest.importorskip("numpy")
    for wrong in [([0, 1.5], [0], [0], [0]), ([0, 0], [], [0], [0.9]), (["0", "0"], [], [0], [0]), ([0, 0], [], [float("nan")], [0])]:
        with pytest.raises(foregone.InvalidInput, match="whole numbers"):
            foregone.solve_graph(*wrong)

    def counting(states):
        low = states[:, 0].astype(np.int64)
        over = low >= 3
        return low % 2, np.zeros(len(low)), np.where(over, 0, 1), (low[~over] + 1)[:, None]

    solved = foregone.solve_frontiers(np.array([[0]], np.uint8), counting)
    assert len(solved) == 4
    assert solved.numbers(np.array([[0], [3], [7]])).tolist() == [0, 3, -1]
    with pytest.raises(foregone.InvalidInput, match="do not fit"):
        solved.numbers(np.array([[300]]))
    with pytest.raises(foregone.InvalidInput, match="shape"):
        solved.numbers(np.array([[0, 1]]))
    with pytest.raises(foregone.InvalidInput, match="do not fit"):
        foregone.solve_frontiers(
            np.array([[0]], np.uint8), lambda states: (states[:, 0] * 0, states[:, 0] * 0, states[:, 0] * 0 + 1, [[300]] * len(states))
        )


def test_results_that_are_too_large_are_refused():
    for endless in (2**30, -(2**31)):
        with pytest.raises(foregone.InvalidInput, match="expected an outcome from -1073741823 to 1073741823"):
            foregone.solve(plain.Nim(), endless=endless)
    with pytest.raises(foregone.InvalidInput, match="expected an outcome from -1073741823 to 1073741823"):
        foregone.solve_graph([0, 0], [], [0], [2**30])


def test_limits_hold_within_a_state():
    def endless_moves(self, state):
        while True:
            yield 1

    with pytest.raises(foregone.TimeLimit):
        foregone.solve(changed(moves=endless_moves, play=lambda self, state, move: 0 if state else 1), seconds=0.3)
    with pytest.raises(foregone.MemoryLimit):
        foregone.solve(
            changed(start=lambda self: (0, (0,)), turn=lambda self, state: 0, play=lambda self, state, move: (state[0] + 1, tuple(range(1000)))),
            memory=20_000_000,
        )


def test_a_game_that_keeps_its_own_solution_is_collected():
    import weakref

    class Mine(plain.Nim):
        pass

    game = Mine()
    game.solution = foregone.solve(game)
    there = weakref.ref(game)
    del game
    gc.collect()
    assert there() is None


def test_a_solution_is_registered_as_a_mapping():
    from collections.abc import Mapping

    assert isinstance(foregone.solve(plain.Nim()), Mapping)
