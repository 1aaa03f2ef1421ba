#!/usr/bin/env python3
"""Compares the book of Connect Four with that of BitBully (PyPI), which was made by another program: values in stones of
random positions of at most eight plies. Needs the packages foregone and bitbully.

    results/books.py [POSITIONS]
"""

import random
import sys

import foregone
from bitbully import BitBully, Board

WANTED = int(sys.argv[1]) if sys.argv[1:] else 1000


def main():
    game, other, dice = foregone.game("connect-four(score=stones)"), BitBully(opening_book="default"), random.Random(5)
    lines = set()
    while len(lines) < WANTED:
        board, line = Board(), []
        for _ in range(dice.randrange(9)):
            if board.has_win():
                break
            column = dice.choice([column for column in range(7) if board.is_legal_move(column)])
            board.play(column)
            line.append(column)
        if not board.has_win():
            lines.add(tuple(line))
    for line in sorted(lines):
        board, position = Board(), game.start
        for column in line:
            board.play(column)
            position = position.play(str(column + 1))
        found, expected = position.solve(seconds=1).value, other.mtdf(board)
        if found != expected:
            sys.exit(f"after columns {line}: {found}, and BitBully says {expected}")
    print(f"{len(lines)} positions, all alike")


main()
