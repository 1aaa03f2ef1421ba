"""OpenSpiel's Monte Carlo tree search as a player of `foregone match`.

    pip install open_spiel==2.0.2
    foregone match connect-four mcts "program:python3 crates/cli/benches/openspiel.py" --think 1s --openings 50

It reads a question as a line of JSON and answers a move. Its search is the one in C++ (`MCTSBot`), with random
rollouts, and proofs backed up. It takes a number of simulations, not a time: a short search before says how many
fit. At each question it compares the legal moves of both programs; if the rules differ, it says so and ends.
"""

import json
import sys
import time

import pyspiel

# The weight of what has been tried little: the one that OpenSpiel's own examples use.
UCT_C = 2
MEMORY_MB = 1000


class ConnectFour:
    name = "connect_four"

    def __init__(self, _):
        pass

    def texts(self, state):
        return {str(action + 1): [action] for action in state.legal_actions()}


class Squares:
    """Hex and reversi write squares as we do."""

    def __init__(self, parameters):
        size = parameters["size"]
        self.name = "othello" if "empties" in parameters else f"hex(board_size={size})"

    def texts(self, state):
        return {state.action_to_string(action).lower(): [action] for action in state.legal_actions()}


class Breakthrough:
    """There the first player comes from above."""

    def __init__(self, parameters):
        self.rows = int(parameters["rows"])
        self.name = f"breakthrough(rows={self.rows},columns={parameters['columns']})"

    def texts(self, state):
        return {self.text(state.action_to_string(action)): [action] for action in state.legal_actions()}

    def text(self, there):
        square = lambda text: text[0] + str(self.rows + 1 - int(text[1]))
        return square(there[:2]) + "-" + square(there[2:4])


class Morris:
    """There a man is taken by an action of its own."""

    name = "nine_mens_morris"
    points = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()

    def __init__(self, _):
        pass

    def texts(self, state):
        texts = {}
        for action in state.legal_actions():
            mover, text = state.current_player(), self.text(state, action)
            after = state.child(action)
            if after.is_terminal() or after.current_player() != mover:
                texts[text] = [action]
                continue
            for taken in after.legal_actions():
                texts[text + "x" + self.text(after, taken)] = [action, taken]
        return texts

    def text(self, state, action):
        words = state.action_to_string(action).replace("->", " ").split()
        return "-".join(self.points[int(word)] for word in words if word.isdigit())


GAMES = {
    "connect-four": ConnectFour,
    "hex": Squares,
    "reversi": Squares,
    "breakthrough": Breakthrough,
    "nine-mens-morris": Morris,
}


def game_of(specification):
    name, _, rest = specification.partition("(")
    parameters = dict(part.split("=") for part in rest.rstrip(")").split(",") if part)
    return GAMES[name.removeprefix("text:")](parameters)


class Player:
    def __init__(self):
        self.rate = 2000.0
        self.searches, self.proven, self.seconds, self.simulations = 0, 0, 0.0, 0

    def answer(self, question):
        ours = game_of(question["game"])
        game = pyspiel.load_game(ours.name)
        state = game.new_initial_state()
        for move in question["moves"]:
            for action in ours.texts(state)[move]:
                state.apply_action(action)
        texts = ours.texts(state)
        if set(texts) != set(question["legal"]):
            sys.exit(f"{question['position']}: the rules differ: {set(texts) ^ set(question['legal'])}")
        # What is taken may be an action of its own, which has a fifth of the time, besides.
        shares = [1, 0.2]
        chosen = []
        while len(texts) > 1:
            chosen.append(self.search(game, state, question["seconds"] * shares[len(chosen)]))
            state.apply_action(chosen[-1])
            texts = {text: actions for text, actions in texts.items() if actions[: len(chosen)] == chosen}
        return next(iter(texts))

    def search(self, game, state, seconds):
        # A short search first: how many simulations fit depends on the machine, and on how much is proven.
        begun = time.perf_counter()
        simulations = max(int(self.rate * seconds / 10), 20)
        root = self.grow(game, state, simulations)
        taken = time.perf_counter() - begun
        # It ends early where the position is proven.
        if root.explore_count >= simulations:
            self.rate = simulations / taken
            if seconds > 2 * taken:
                root = self.grow(game, state, int(self.rate * (seconds - taken)))
        self.searches += 1
        if root.outcome:
            self.proven += 1
        else:
            self.seconds += time.perf_counter() - begun
            self.simulations += root.explore_count
        return root.best_child().action

    def grow(self, game, state, simulations):
        evaluator = pyspiel.RandomRolloutEvaluator(1, self.searches)
        bot = pyspiel.MCTSBot(game, evaluator, UCT_C, simulations, MEMORY_MB, True, self.searches, False)
        return bot.mcts_search(state)


def main():
    player = Player()
    for line in sys.stdin:
        print(player.answer(json.loads(line)), flush=True)
    searches = player.searches - player.proven
    if searches:
        print(
            f"OpenSpiel: {player.searches} searches, {player.proven} of them proven, the others with "
            f"{player.seconds / searches:.2f} s and {player.simulations / searches:.0f} simulations each",
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
