"""The figures of the Python package in docs/performance.md. With the package installed, and numpy and open_spiel:

    python crates/python/benches/figures.py
"""

import pathlib
import random
import resource
import statistics
import tempfile
import time

begun = time.perf_counter()
import foregone  # noqa: E402

print(f"import: {(time.perf_counter() - begun) * 1e3:.1f} ms")

import numpy as np  # noqa: E402


def measured(function, *arguments, **named):
    """What a function gives, and the seconds of processor time that it takes."""
    begun = time.process_time()
    found = function(*arguments, **named)
    return found, time.process_time() - begun


def show(what, count, seconds):
    print(f"{what}: {count:,} in {seconds:.2f} s, {count / seconds:,.0f} a second", flush=True)


class Bits:
    """Connect Four on 4x4: the stones of the side to move, and all; a column has a bit more than squares."""

    def __init__(self):
        self.width, self.height, self.column = 4, 4, 5
        self.full = sum(((1 << self.height) - 1) << (x * self.column) for x in range(self.width))

    def start(self):
        return (0, 0)

    def turn(self, state):
        return state[1].bit_count() & 1

    def has_line(self, stones):
        for step in (1, self.column, self.column - 1, self.column + 1):
            pairs = stones & (stones >> step)
            if pairs & (pairs >> 2 * step):
                return True
        return False

    def outcome(self, state):
        mine, all_stones = state
        if self.has_line(mine ^ all_stones):
            return 1 if self.turn(state) else -1
        return 0 if all_stones == self.full else None

    def moves(self, state):
        top = self.height - 1
        return [x for x in range(self.width) if not state[1] >> (x * self.column + top) & 1]

    def play(self, state, x):
        mine, all_stones = state
        return (mine ^ all_stones, all_stones | (all_stones + (1 << (x * self.column))))


class Expanding(Bits):
    def expand(self, state):
        outcome = self.outcome(state)
        children = () if outcome is not None else [self.play(state, x) for x in self.moves(state)]
        return self.turn(state), outcome, children


class Numbers:
    """Takes 2, 3 or 5 from a number."""

    def start(self):
        return 600_000

    def turn(self, left):
        return left & 1

    def outcome(self, left):
        return None if left > 1 else (-1 if not left & 1 else 1)

    def moves(self, left):
        return (2,) if left < 8 else (2, 3, 5)

    def play(self, left, taken):
        return left - taken


def expand(states):
    """Connect Four on 5x4, all positions of a frontier at once."""
    width, height, column = 5, 4, 5
    full = np.uint64(sum(((1 << height) - 1) << (x * column) for x in range(width)))
    all_stones = states[:, 1]
    last = states[:, 0] ^ all_stones
    won = np.zeros(len(states), bool)
    for step in (1, column, column - 1, column + 1):
        pairs = last & (last >> np.uint64(step))
        won |= (pairs & (pairs >> np.uint64(2 * step))) != 0
    turn = (np.bitwise_count(all_stones) & 1).astype(np.int64)
    over = won | (all_stones == full)
    legal, after = [], []
    for x in range(width):
        more = all_stones | (all_stones + np.uint64(1 << (x * column)))
        legal.append(~over & ((more & ~full) == 0))
        after.append(np.stack([last, more], 1))
    legal = np.stack(legal, 1)
    return turn, np.where(won, np.where(turn == 1, 1, -1), 0), legal.sum(1), np.stack(after, 1)[legal]


times = []
for _ in range(200):
    game = foregone.game("tic-tac-toe")
    begun = time.perf_counter()
    game.solve()
    times.append(time.perf_counter() - begun)
print(f"solve tic-tac-toe, median: {statistics.median(times) * 1e3:.2f} ms")

for what, own in (("tuples", Bits()), ("tuples by expand", Expanding()), ("integers", Numbers())):
    solution, seconds = measured(foregone.solve, own)
    show(what, len(solution), seconds)

solution, seconds = measured(foregone.solve_frontiers, np.array([[0, 0]], np.uint64), expand)
show("frontiers", len(solution), seconds)

with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    table = foregone.game("connect-four(columns=5,rows=4)").build_table(folder / "four.table")
    for named in ({}, {"encode": "cells"}, {"encode": "text"}, {"possible": True}):
        count, seconds = measured(lambda: sum(len(batch.values) for batch in table.batches(**named)))
        show(f"batches {named}", count, seconds)
    table = foregone.game("kalah(pits=4,stones=3)").build_table(folder / "kalah.table")
    texts = [text for batch in table.batches(encode="text") for text in batch.positions]
    texts = random.Random(1).sample(texts, 1_000_000)
    show("probe", len(texts), measured(table.probe, texts)[1])

try:
    from foregone import openspiel
except ImportError:
    print("OpenSpiel is not installed")
else:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    solution, seconds = measured(openspiel.solve, "connect_four(rows=4,columns=5,x_in_row=4)", check=False)
    show("OpenSpiel's connect_four, unchecked", len(solution), seconds)
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"memory, at most: {max(more, 0) * 1024 / len(solution):.0f} bytes a position more than before")
