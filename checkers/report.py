"""The numbers of `foregone report`, counted by brute force from docs/report.md and the rules in games.py.

    python3 checkers/report.py FOREGONE [GAME ...]

Compares them with what FOREGONE reports of each game, and fails at the first difference.
"""

import json
import subprocess
import sys
from collections import defaultdict

from games import game

GAMES = [
    "mnk(columns=3,rows=3,line=3,misere=false)",
    "mnk(columns=3,rows=3,line=3,misere=true)",
    "mnk(columns=4,rows=2,line=3,misere=false)",
    "connect-four(columns=4,rows=3,line=3,score=result)",
    "nim(heaps=1-2-3,misere=true)",
    "kalah(pits=2,stones=2,capture=always,end=either,rest=owner)",
    "kalah(pits=3,stones=1,capture=nonempty,end=mover,rest=mover)",
    "dots-and-boxes(columns=2,rows=1)",
    "hex(size=3,swap=true)",
    "reversi(size=4,empties=winner)",
    "three-mens-morris",
]


class Whole:
    """All positions of a game: a state, who moves, and by how much the first player leads."""

    def __init__(self, name):
        self.rules = game(name)
        self.start = self.rules.start()
        self.after, self.ply = {}, {self.start: 0}
        row = [self.start]
        while row:
            following = []
            for position in row:
                self.after[position] = self.moves(position)
                for new in self.after[position]:
                    if new not in self.ply:
                        self.ply[new] = self.ply[position] + 1
                        following.append(new)
            row = following
        self.solve()

    def moves(self, position):
        state, first, lead = position
        if self.rules.over(state) is not None:
            return []
        new = []
        for move in self.rules.moves(state):
            there, again, gain = self.rules.play(state, move)
            new.append((there, first if again else not first, lead + (gain if first else -gain)))
        return new

    def result(self, position):
        """For the first player, of a position in which play is over."""
        state, first, lead = position
        mover = self.rules.over(state)
        return lead + (mover if first else -mover)

    def solve(self):
        """Values for the first player and plies, by more and more plies; what never ends is a draw without plies."""
        self.worth = {p: (self.result(p), 0) for p, new in self.after.items() if not new}
        open_ones = [p for p, new in self.after.items() if new]
        if not self.rules.loops:
            # Longest lines first: a position is settled when all after it are.
            waiting = {p: len(new) for p, new in self.after.items() if new}
            before = defaultdict(list)
            for p, new in self.after.items():
                for q in new:
                    before[q].append(p)
            ready = list(self.worth)
            while ready:
                for p in before[ready.pop()]:
                    waiting[p] -= 1
                    if not waiting[p]:
                        self.worth[p] = max((self.seen(p, q) for q in self.after[p]), key=self.liking(p))
                        ready.append(p)
            return
        plies = 0
        while open_ones:
            plies += 1
            settled = {}
            for p in open_ones:
                known = [self.seen(p, q) for q in self.after[p] if q in self.worth]
                sign = 1 if p[1] else -1
                won = [worth for worth in known if worth[0] * sign > 0]
                if won:
                    settled[p] = min(won, key=lambda worth: worth[1])
                elif len(known) == len(self.after[p]):
                    settled[p] = max(known, key=self.liking(p))
            if not settled:
                break
            self.worth |= settled
            open_ones = [p for p in open_ones if p not in settled]
        self.worth |= {p: (0, None) for p in open_ones}

    def seen(self, p, q):
        value, plies = self.worth[q]
        return value, None if plies is None else plies + 1

    def liking(self, position):
        """How much its mover likes a worth: wins soon, other results late."""
        sign = 1 if position[1] else -1

        def key(worth):
            value, plies = worth[0] * sign, worth[1]
            plies = 1 << 30 if plies is None else plies
            return value, -plies if value > 0 else plies

        return key

    def counts(self):
        rows = defaultdict(lambda: defaultdict(int))
        for p, new in self.after.items():
            row = rows[self.ply[p]]
            value = self.worth[p][0]
            row["positions"] += 1
            row["over"] += not new
            row["moves"] += len(new)
            row["results"] = row["results"] or [0, 0, 0]
            row["results"][1 - (value > 0) + (value < 0)] += 1
            if len(new) > 1:
                good = sum(self.worth[q][0] == value for q in new)
                row["choices"] += 1
                row["only"] += good == 1
                row["free"] += good == len(new)
                row["choosable"] += len(new)
                row["wrong"] += len(new) - good
        return [dict(rows[ply], ply=ply) for ply in sorted(rows)]

    def lines(self):
        """Lines of play by their length, and those that end."""
        level, lines, games = {self.start: 1}, [], 0
        while level:
            lines.append(sum(level.values()))
            following = defaultdict(int)
            for p, number in level.items():
                games += number if not self.after[p] else 0
                for q in self.after[p]:
                    following[q] += number
            level = following
        return lines, games

    def flow(self, perfect):
        """How games of random or of perfect moves last and end."""
        level, ends, results, mistakes, turns = {self.start: 1.0}, [], [0.0] * 3, 0.0, 0.0
        sign = lambda value: (value > 0) - (value < 0)
        while level and sum(level.values()) > 1e-9:
            following, ended = defaultdict(float), 0.0
            for p, share in level.items():
                value, new = self.worth[p][0], self.after[p]
                if not new:
                    ended += share
                    results[1 - sign(value)] += share
                    continue
                if perfect:
                    best = max(map(self.liking(p), (self.seen(p, q) for q in new)))
                    new = [q for q in new if self.liking(p)(self.seen(p, q)) == best]
                for q in new:
                    following[q] += share / len(new)
                    if not perfect:
                        mistakes += share / len(new) * (self.worth[q][0] != value)
                        turns += share / len(new) * (sign(self.worth[q][0]) != sign(value))
            ends.append(ended)
            level = following
        whole = sum(ends)
        mean = sum(ply * share for ply, share in enumerate(ends)) / whole if whole else 0.0
        return {"results": results, "mean": mean, "mistakes": mistakes, "turns": turns}


def check(foregone, name):
    command = [foregone, "report", name, "--json", "--games", "1", "--puzzles", "0"]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    whole, said = Whole(name), told["whole"]

    def same(what, found, expected):
        near = isinstance(expected, float) and abs(found - expected) < 1e-6 * max(1, abs(expected))
        if found != expected and not near:
            sys.exit(f"{name}: {what} is {found}, and {expected} by brute force")

    same("value", told["start"]["value"], whole.worth[whole.start][0])
    same("plies", told["start"]["plies"], whole.worth[whole.start][1])
    first = [whole.seen(whole.start, q) for q in whole.after[whole.start]]
    same("first moves", [(mv["value"], mv["plies"]) for mv in told["start"]["moves"]], first)
    fairest = min(abs(value) for value, _ in first)
    same("pie rule", told["pie"]["value"], -fairest)
    same("positions", said["positions"], len(whole.after))
    if not whole.rules.loops:
        lines, games = whole.lines()
        same("games", said["games"], float(games))
        same("lines", [ply["lines"] for ply in said["plies"]], [float(number) for number in lines])
    counts = {row["ply"]: row for row in whole.counts()}
    none = dict.fromkeys(counts[0], 0) | {"results": [0, 0, 0]}
    for ply, found in enumerate(said["plies"]):
        for what, number in counts.pop(ply, none | {"ply": ply}).items():
            same(f"{what} after {ply} moves", found[what], number)
    same("later plies", counts, {})
    decided = [plies for value, plies in whole.worth.values() if value]
    same("longest win", said["longest"] and said["longest"]["plies"], max(decided, default=0) or None)
    for kind in ("random", "perfect"):
        expected, found = whole.flow(kind == "perfect"), said[kind]
        for place in range(3):
            same(f"result {place} of {kind} play", found["results"][place], expected["results"][place])
        same(f"length of {kind} play", found["length"]["mean"], expected["mean"])
        for what in ("mistakes", "turns"):
            same(f"{what} of {kind} play", found[what], expected[what])
    print(f"{name}: {len(whole.after)} positions, all numbers agree")


if __name__ == "__main__":
    for each in sys.argv[2:] or GAMES:
        check(sys.argv[1], each)
