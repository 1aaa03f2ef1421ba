#!/usr/bin/env python3
"""How soon the values of all moves are on the page: along random games, asked for one after the other.

python3 crates/cli/benches/moves.py PROGRAM [GAME] [--games 500] [--early 8]

Prints a row for the positions before --early plies, and one for those after it.
"""

import argparse
import html
import random
import re
import time

from lesson import Pupil, served


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
            listed = re.search(r'<ul class="moves">.*?</ul>', page, re.S)
            legal = re.findall(r"moves=([^&\"]*)", html.unescape(listed[0])) if listed else []
            unfinished += "could not be settled" in page or "Nothing more could be found" in page
            if not legal:
                break
            moves = dice.choice(legal).split("#")[0].replace("%2C", ",").split(",")
    return times, unfinished


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("game", nargs="?", default="connect-four")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--early", type=int, default=8)
    asked = parser.parse_args()
    with served(asked.program, ["--think", "60s"]) as port:
        times, unfinished = games(port, asked.game, asked.games, asked.early)
    print("| positions | asked | median | 95 % | longest |")
    print("| --- | --- | --- | --- | --- |")
    for name, waits in zip((f"before ply {asked.early}", "later"), times):
        waits.sort()
        part = lambda share: waits[min(len(waits) - 1, int(share * len(waits)))]
        print(f"| {name} | {len(waits)} | {part(0.5):.3f} s | {part(0.95):.3f} s | {part(1):.3f} s |")
    print(f"{unfinished} positions without the values of all moves")
