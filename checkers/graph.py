"""Positions and moves of a game as a graph, and what positions are worth, derived backwards from the
ends of play.

Positions are nodes from 0. A move is a triple: the node it leads to; 1 if the same player moves
again, else -1; and what the mover banks.
"""

from collections import deque


class TooMany(Exception):
    """There are more positions than asked for."""


class Graph:
    """`ends` has what the mover gets where the game is over, `moves` a list of moves for each node;
    both are `None` where no position is (a number of a table that stands for none)."""

    def __init__(self):
        self.ends, self.moves, self.layers, self.places = [], [], [], []

    def __len__(self):
        return len(self.moves)

    def add(self, layer, place):
        self.ends.append(None)
        self.moves.append(None)
        self.layers.append(layer)
        self.places.append(place)

    def name(self, node):
        return f"number {self.places[node]} of layer {self.layers[node]}"

    def finish(self):
        """Finds out which moves lead where, and whether play can loop."""
        self.before = [[] for _ in self.moves]
        left = [len(moves or ()) for moves in self.moves]
        for node, moves in enumerate(self.moves):
            for child, _, _ in moves or ():
                self.before[child].append(node)
        self.backwards = [node for node, count in enumerate(left) if not count]
        for node in self.backwards:
            for parent in self.before[node]:
                left[parent] -= 1
                if not left[parent]:
                    self.backwards.append(parent)
        self.loops = len(self.backwards) < len(self)
        return self


def of_numbers(game, layers):
    """The graph of the lowest layers of a game, numbers in order."""
    graph, begins = Graph(), []
    for layer in range(layers):
        begins.append(len(graph))
        for number in range(game.size(layer)):
            graph.add(layer, number)
    for node in range(len(graph)):
        layer = graph.layers[node]
        state = game.state(layer, graph.places[node])
        if state is None:
            continue
        if game.number(state) != (layer, graph.places[node]):
            raise AssertionError(f"{graph.name(node)} stands for {state}, which has another number")
        graph.ends[node] = game.over(state)
        graph.moves[node] = []
        if graph.ends[node] is None:
            for move in game.moves(state):
                child, again, gain = game.play(state, move)
                to, number = game.number(child)
                if to > layer or game.state(to, number) is None:
                    raise AssertionError(f"{state} leads to {child}, which has no number")
                graph.moves[node].append((begins[to] + number, 1 if again else -1, gain))
    return graph.finish()


def of_keys(game, start, most, most_moves=None, horizon=None, listed="all"):
    """The graph of all positions that can arise from one, one for all that are alike, and their keys:
    both in the order of the keys. Raises `TooMany` if there are more than `most`, or more moves than
    `most_moves`. After `horizon` moves there are no more, where that is given. If only positions in play
    are `listed`, no other move is made where one wins at once; if not all are, `most` counts those in which
    play is not over."""
    first = game.representative(start)
    nodes, open_states = {game.key(first): None}, deque([(first, 0)])
    count, over, layers = 0, 0, {}
    while open_states:
        state, ply = open_states.popleft()
        end, moves = game.over(state), []
        if end is None and ply != horizon:
            after = [game.play(state, move) for move in game.moves(state)]
            if listed == "in-play":
                after = [move for move in after if wins_at_once(game, *move)] or after
            for child, again, gain in after:
                child = game.representative(child)
                key = game.key(child)
                if key not in nodes:
                    over += listed != "all" and game.over(child) is not None
                    if len(nodes) + 1 - over > most:
                        raise TooMany
                    nodes[key] = None
                    open_states.append((child, ply + 1))
                moves.append((key, 1 if again else -1, gain))
        count += len(moves)
        if most_moves is not None and count > most_moves:
            raise TooMany
        nodes[game.key(state)] = end, moves
        # Moves that bank points lead to lower layers.
        layers[game.key(state)] = game.number(state)[0] if game.banks else 0
    keys = sorted(nodes)
    places, graph = {key: place for place, key in enumerate(keys)}, Graph()
    for place, key in enumerate(keys):
        end, moves = nodes[key]
        graph.add(layers[key], place)
        graph.ends[place] = end
        graph.moves[place] = [(places[child], sign, gain) for child, sign, gain in moves]
    return graph.finish(), keys


def wins_at_once(game, child, again, _gain):
    """Whether a move ends the game with the largest result, for who makes it."""
    end = game.over(child)
    return end is not None and (end if again else -end) == game.most > 0


def seen_before(worth, sign, gain):
    """What a move is worth to who makes it, from what it leads to."""
    value, plies = worth
    return sign * value + gain, None if plies is None else plies + 1


def liking(worth):
    """A mover likes worths in this order: who wins hurries, and who does not takes as long as can be."""
    value, plies = worth
    plies = float("inf") if plies is None else plies
    return value, -plies if value > 0 else plies


def solve(graph):
    """What each node is worth: value and plies, `None` where play never ends; `None` for no position.
    Where play can loop and points are banked, a rank stands for the plies."""
    if not graph.loops:
        return solve_backwards(graph)
    gains = (gain for moves in graph.moves for _, _, gain in moves or ())
    scores = any(gains) or any(end not in (None, -1, 0, 1) for end in graph.ends)
    return solve_layers(graph) if scores else solve_loops(graph)


def solve_backwards(graph):
    """Where play cannot loop: every position after those that it leads to."""
    worths = [None] * len(graph)
    for node in graph.backwards:
        if graph.ends[node] is not None:
            worths[node] = graph.ends[node], 0
        elif graph.moves[node] is not None:
            moves = graph.moves[node]
            after = (seen_before(worths[child], sign, gain) for child, sign, gain in moves)
            worths[node] = max(after, key=liking)
    return worths


def solve_loops(graph):
    """Where play can loop: wins and losses by how far they are from the end, then the draws in which
    play has to end, the shortest first; the others are without end. Values are 1, 0 or -1."""
    worths = [None] * len(graph)
    parents = [[] for _ in worths]
    open_moves = [len(moves or ()) for moves in graph.moves]
    for node, moves in enumerate(graph.moves):
        for child, sign, gain in moves or ():
            if gain or graph.ends[child] not in (None, -1, 0, 1):
                raise AssertionError("a game that loops has values 1, 0 and -1 here")
            parents[child].append((node, sign))
    ends = [(node, end) for node, end in enumerate(graph.ends) if end is not None]
    for decided in ([item for item in ends if item[1]], [item for item in ends if not item[1]]):
        queue = deque()
        for node, end in decided:
            worths[node] = end, 0
            queue.append(node)
        while queue:
            child = queue.popleft()
            value, plies = worths[child]
            for node, sign in parents[child]:
                if worths[node] is not None:
                    continue
                open_moves[node] -= 1
                # A win by the first move found; anything else when no move is left.
                if sign * value > 0 or not open_moves[node]:
                    worths[node] = sign * value, plies + 1
                    queue.append(node)
    return [
        (0, None) if worth is None and moves is not None else worth
        for worth, moves in zip(worths, graph.moves)
    ]


def solve_layers(graph):
    """Where play can loop and bank points, which only moves to lower layers do: layer by layer, what
    play is worth that is broken off after more and more plies in a layer, until that stays as it is. The
    rank of a node is the number of plies from which on it does."""
    worths = [None if moves is None else (graph.ends[node] or 0, 0)
              for node, moves in enumerate(graph.moves)]
    by_layer = {}
    for node, moves in enumerate(graph.moves):
        if graph.layers[node] not in by_layer:
            by_layer[graph.layers[node]] = []
        if moves:
            by_layer[graph.layers[node]].append(node)
    for _, nodes in sorted(by_layer.items()):
        plies = 0
        while True:
            plies += 1
            best = [
                max(sign * worths[child][0] + gain for child, sign, gain in graph.moves[node])
                for node in nodes
            ]
            changed = [item for item in zip(nodes, best) if item[1] != worths[item[0]][0]]
            if not changed:
                break
            for node, value in changed:
                worths[node] = value, plies
    return worths
