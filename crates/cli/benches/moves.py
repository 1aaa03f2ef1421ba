#!/usr/bin/env python3
"""How soon the values of all moves are on the page: along random games, asked for one after the other.

python3 crates/cli/benches/moves.py PROGRAM [GAME] [--games 500] [--early 8] [--whole]

Prints a row for the positions before --early plies, and one for those after it. With --whole a row for the analysis of every
move of each game, of which nothing was asked before.
"""

import argparse
import html
import random
import re
import time

from lesson import Pupil, served


def whole(port, game, count):
    """The times of the analysis of random games."""
    pupil, times = Pupil(port, 0, game, 0, 0), []
    for number in range(count):
        dice, moves = random.Random(number), []
        path = f"/play.html?game={game}&first=human&second=human&moves="
        while legal := following(pupil.get(path + ",".join(moves))):
            moves = dice.choice(legal)
        begun = time.time()
        pupil.settled(pupil.get(f"{path}{','.join(moves)}&review=on"))
        times.append(time.time() - begun)
    return times


def following(page):
    """The moves of the game so far with each legal move."""
    listed = re.search(r'<ul class="moves">.*?</ul>', page, re.S)
    legal = re.findall(r"moves=([^&\"]*)", html.unescape(listed[0])) if listed else []
    return [moves.split("#")[0].replace("%2C", ",").split(",") for moves in legal]


def games(port, game, count, early):
    """The times of all positions along random games, before and after `early` plies; how many were left open."""
    pupil = Pupil(port, 0, game, 0, 0)
    times, unfinished = ([], []), 0
    for number in range(count):
        dice, moves = random.Random(number), []
        while True:
            begun = time.time()
            path = f"/play.html?game={game}&first=human&second=human&hints=on&moves={','.join(moves)}"
            page = pupil.settled(pupil.get(path))
            times[len(moves) >= early].append(time.time() - begun)
            unfinished += "could not be settled" in page or "Nothing more could be found" in page
            if not (legal := following(page)):
                break
            moves = dice.choice(legal)
    return times, unfinished


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("game", nargs="?", default="connect-four")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--early", type=int, default=8)
    parser.add_argument("--whole", action="store_true")
    asked = parser.parse_args()
    rows = {}
    with served(asked.program, ["--think", "60s"]) as port:
        if asked.whole:
            rows["every move of a game"], unfinished = whole(port, asked.game, asked.games), 0
        else:
            (early, later), unfinished = games(port, asked.game, asked.games, asked.early)
            rows = {f"before ply {asked.early}": early, "later": later}
    print("| positions | asked | median | 95 % | longest |")
    print("| --- | --- | --- | --- | --- |")
    for name, waits in rows.items():
        waits.sort()
        part = lambda share: waits[min(len(waits) - 1, int(share * len(waits)))]
        print(f"| {name} | {len(waits)} | {part(0.5):.3f} s | {part(0.95):.3f} s | {part(1):.3f} s |")
    print(f"{unfinished} positions without the values of all moves")
