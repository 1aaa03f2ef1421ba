"""The bridge to OpenSpiel: against alpha-beta without memory, and what must be refused."""

import random

import pytest

pyspiel = pytest.importorskip("pyspiel")

import foregone  # noqa: E402
from foregone import openspiel  # noqa: E402

SMALL = [
    "tic_tac_toe",
    "connect_four(rows=4,columns=4,x_in_row=3)",
    "mnk(m=3,n=3,k=3)",
    "gomoku(size=3,connect=3)",
    "breakthrough(rows=4,columns=3)",
    "dots_and_boxes(num_rows=2,num_cols=2)",
    "dots_and_boxes(num_rows=2,num_cols=2,utility_margin=true)",
    "hex(board_size=3)",
    "hex(board_size=3,swap=true)",
    "nim(pile_sizes=1;3;5)",
    "clobber(rows=3,columns=4)",
    "y(board_size=3)",
    "havannah(board_size=2)",
]


def alpha_beta(state, low, high):
    """The value for the first player, without any memory; or a bound outside the window."""
    if state.is_terminal():
        return state.returns()[0]
    first = state.current_player() == 0
    best = -1e9 if first else 1e9
    for action in state.legal_actions():
        value = alpha_beta(state.child(action), low, high)
        if first:
            best = max(best, value)
            low = max(low, best)
        else:
            best = min(best, value)
            high = min(high, best)
        if low >= high:
            break
    return best


@pytest.mark.parametrize("name", SMALL)
def test_values_are_those_of_alpha_beta_without_memory(name):
    game = pyspiel.load_game(name)
    solution = openspiel.solve(game, check=True)
    assert len(openspiel.solve(game)) == len(solution)
    dice = random.Random(1)
    checked = 0
    while checked < 12:
        state = game.new_initial_state()
        line = []
        while not state.is_terminal():
            line.append(state.clone())
            state.apply_action(dice.choice(state.legal_actions()))
        # Late positions, which are quick without memory.
        late = [each for each in line if game.max_game_length() - each.move_number() <= 8] or line[-3:]
        position = dice.choice(late)
        value = alpha_beta(position, -1e9, 1e9)
        seen = value if position.current_player() == 0 else -value
        assert solution[position].value == seen, position.history()
        best = solution.best(position)
        assert max(each.value for each in solution.actions(position).values()) == seen
        assert all(solution.actions(position)[action].value == seen for action in best)
        checked += 1


@pytest.mark.parametrize(
    ("name", "why"),
    [
        *((name, "by its text") for name in openspiel.UNSOUND if name not in ("hive",)),
        ("kuhn_poker", "chance"),
        ("matrix_rps", "in turn"),
        ("phantom_ttt", "hidden"),
        ("catch", "players"),
    ],
)
def test_what_cannot_be_right_is_refused(name, why):
    with pytest.raises(foregone.InvalidInput, match=why):
        openspiel.solve(name)


def test_a_key_that_leaves_out_the_side_to_move_is_found_out():
    with pytest.raises(foregone.UnsoundKey, match="same key and different futures") as caught:
        openspiel.solve("breakthrough(rows=4,columns=3)", key=str)
    game = pyspiel.load_game("breakthrough(rows=4,columns=3)")
    states = []
    for history in caught.value.histories:
        state = game.new_initial_state()
        for action in history:
            state.apply_action(action)
        states.append(state)
    assert str(states[0]) == str(states[1]) and states[0].current_player() != states[1].current_player()


def test_limits_and_wrong_arguments():
    with pytest.raises(foregone.TimeLimit):
        openspiel.solve("othello", seconds=0.3)
    with pytest.raises(foregone.PositionLimit):
        openspiel.solve("tic_tac_toe", positions=100)
    with pytest.raises(foregone.MemoryLimit):
        openspiel.solve("othello", memory=10_000_000)
    solution = openspiel.solve("tic_tac_toe")
    with pytest.raises(KeyError):
        solution[pyspiel.load_game("connect_four").new_initial_state()]


def test_perfect_play_as_a_policy_and_as_a_bot():
    from open_spiel.python.algorithms import exploitability

    game = pyspiel.load_game("nim(pile_sizes=1;2;3)")
    solution = openspiel.solve(game)
    policy = openspiel.policy(solution)
    state = game.new_initial_state()
    chances = policy.action_probabilities(state)
    assert sum(chances.values()) == pytest.approx(1) and set(chances) == set(solution.best(state))
    assert exploitability.nash_conv(game, policy) == pytest.approx(0)
    game = pyspiel.load_game("tic_tac_toe")
    bot = openspiel.bot(openspiel.solve(game))
    for seed in range(20):
        state = game.new_initial_state()
        dice = random.Random(seed)
        while not state.is_terminal():
            mine = state.current_player() == seed % 2
            state.apply_action(bot.step(state) if mine else dice.choice(state.legal_actions()))
        assert state.returns()[seed % 2] >= 0
    with pytest.raises(foregone.InvalidInput, match="the game is over"):
        bot.step(state)
    returns = pyspiel.evaluate_bots(game.new_initial_state(), [bot, bot], 1)
    assert list(returns) == [0, 0]


def test_returns_are_whole_or_scaled():
    class State:
        """One move, to an end with half a point."""

        def __init__(self, over=False):
            self.over = over

        def __str__(self):
            return str(self.over)

        def is_terminal(self):
            return self.over

        def current_player(self):
            return -4 if self.over else 0

        def legal_actions(self):
            return [] if self.over else [0]

        def child(self, action):
            return State(True)

        def returns(self):
            return [0.5, -0.5]

    class Half:
        def new_initial_state(self):
            return State()

    from foregone._foregone import solve_spiel

    with pytest.raises(foregone.InvalidInput, match="scale"):
        solve_spiel(Half())
    solution = solve_spiel(Half(), scale=2)
    assert solution.value == 1 and solution.scale == 2


OURS = [
    "tic-tac-toe",
    "connect-four(columns=5,rows=4)",
    "kalah(pits=3,stones=2)",
    "awari(pits=3,stones=2)",
    "nim(heaps=1-2-3)",
    "hex(size=3,swap=true)",
    "reversi(size=4)",
    "dots-and-boxes(columns=2,rows=2)",
    "fox-and-hounds(size=6)",
    "three-mens-morris",
    "nine-mens-morris",
    "quantum-tic-tac-toe",
    # Games from text.
    "breakthrough(rows=4,columns=4)",
    "amazons",
    "dara",
    "quarto",
    "mu-torere",
]


@pytest.mark.parametrize("name", OURS)
def test_games_of_ours_pass_the_tests_of_openspiel(name):
    from open_spiel.python.algorithms import generate_playthrough

    game = openspiel.game(name)
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)
    state = game.new_initial_state()
    position = foregone.game(name).start
    dice = random.Random(2)
    while not state.is_terminal():
        assert state.current_player() == position.turn
        assert sorted(position.actions) == state.legal_actions()
        action = dice.choice(state.legal_actions())
        move = dict(zip(position.actions, position.moves))[action]
        assert state.action_to_string(action) == move
        copy = state.clone()
        state.apply_action(action)
        position = position.play(move)
        assert str(state) == str(position) and str(copy) != str(state)
    if position.is_over:
        assert state.returns() == [position.outcome, -position.outcome]
    lines = generate_playthrough.playthrough(game.get_type().short_name, None, seed=3)
    assert "IsTerminal() = True" in lines or "is_terminal" in lines.lower()


def test_a_game_of_ours_comes_back_with_the_same_values():
    for name in ("tic-tac-toe", "kalah(pits=3,stones=2)", "hex(size=3)", "hexapawn"):
        theirs = openspiel.solve(openspiel.game(name))
        answer = foregone.game(name).solve()
        assert (theirs.value, theirs.distance) == (answer.value, answer.distance)


def test_games_without_numbers_of_moves_are_refused():
    with pytest.raises(foregone.InvalidInput, match="no numbers"):
        openspiel.game("l-game")
    with pytest.raises(foregone.InvalidInput, match="did you mean"):
        openspiel.game("tic-tac-to")


def test_a_bot_is_an_agent():
    game = openspiel.game("connect-four", columns=4, rows=4)

    class Last(pyspiel.Bot):
        def restart_at(self, state):
            pass

        def step(self, state):
            return max(state.legal_actions())

    own = foregone.game("connect-four(columns=4,rows=4)")
    result = foregone.evaluate(openspiel.agent(Last(), game), own, 200)
    assert result.illegal == 0
    assert all(row.legal == row.position.moves[-1] for row in result.rows)
