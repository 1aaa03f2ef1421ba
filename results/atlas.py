#!/usr/bin/env python3
"""The atlas: for every game that comes as a text its value, the number of positions, the longest win, and a picture of the
position in which it begins. Writes docs/atlas.md and docs/pictures/atlas; all of it comes from the command `foregone`.

    results/atlas.py [PROGRAM] [--memory 8G] [--only NAME]     --only makes the row of one text, new or anew
    results/atlas.py [PROGRAM] --large GAME    makes the row of a large board, by a table alone: minutes to hours
    results/atlas.py [PROGRAM] --check     compares the small games with what stands there, and writes nothing
"""

import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[1]
PAGE = TOP / "docs/atlas.md"
PICTURES = TOP / "docs/pictures/atlas"
# A check looks at games with at most so many positions.
SMALL = 20_000
# What stands before the games which have no row.
LEFT_OUT = "Not solved whole within two minutes: "

# The parameters, where the usual board is too large for a table of every position.
SMALLER = {
    "amazons": "size=3",
    "ataxx": "size=3",
    "breakthrough": "rows=4,columns=4",
    "connect-four": "columns=4,rows=4",
    "five-mens-morris": "men=3",
    "havannah": "size=2",
    "hex": "size=3",
    "kalah": "pits=3,stones=3",
    "order-and-chaos": "size=3",
    "quarto": "size=2",
    "quoridor": "size=4,walls=1",
    "reversi": "size=4",
    "score-four": "size=2",
    "six-mens-morris": "men=4",
    "dobutsu-shogi": "rows=3",
    "king-and-rook": "size=8",
    "santorini": "columns=3,rows=2",
}

# The usual board, where the one of the atlas is smaller.
USUAL = {
    "amazons": "10x10",
    "ataxx": "7x7",
    "awari": "6 pits a side, 4 seeds in each",
    "baghchal": "5x5, 20 goats",
    "breakthrough": "8x8",
    "checkers": "8x8",
    "clobber": "6x5",
    "connect-four": "7x6",
    "cylinder-four": "7x6",
    "dobutsu-shogi": "3x4",
    "pop-out": "7x6",
    "santorini": "5x5, two workers each",
    "dara": "6x5, 12 stones each",
    "domineering": "8x8",
    "five-mens-morris": "5 men each",
    "havannah": "10 along a side",
    "hex": "11x11",
    "kalah": "6 pits a side, 4 stones in each",
    "konane": "8x8",
    "onitama": "5x5, all cards",
    "ohvalhu": "8 pits a side, 8 seeds in each",
    "order-and-chaos": "6x6, rows of five",
    "pentago": "6x6, rows of five",
    "quarto": "4x4",
    "quixo": "5x5",
    "quoridor": "9x9, 10 walls each",
    "reversi": "8x8",
    "score-four": "4x4x4",
    "six-mens-morris": "6 men each",
    "yote": "6x5, 12 stones each",
}

# The heading of what follows the boards that are solved whole in two minutes.
LARGER = "## Larger boards"
ABOUT_LARGER = f"""{LARGER}

By `results/atlas.py --large GAME`, which builds a table and asks it (`foregone table build`, `probe` and `stats`). Counted are
the positions that the table lists: those that are alike by symmetry count once, and those in which the game is over, or
which only come after a win at once was passed over, not at all. Time is user CPU on two threads.

| game | where the longest win begins | value | plies | positions listed | longest win | time | memory |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def looked_up(program, game, memory, folder):
    """The value of the start and the statistics of all positions; None if there are too many."""
    answer = run(program, "solve", game, "--method", "strong", "--memory", memory, "--time", "2m", "--json")
    answer = answer and json.loads(answer)
    if not answer or not answer["proven"]:
        return None
    table = folder / "game.table"
    built = run(program, "table", "build", game, "-o", str(table), "--memory", memory, "--all", "--force")
    stats = json.loads(run(program, "table", "stats", str(table), "--json")) if built is not None else None
    return answer, stats


def in_words(answer):
    value, unit = answer["value"], answer["unit"]
    if answer["endless"]:
        return "draw without end" if value == 0 else f"{value:+} {unit} without end"
    if unit != "result":
        return f"{value:+} {unit}"
    return {1: "win", 0: "draw", -1: "loss"}[(value > 0) - (value < 0)]


def longest_win(program, game, name, answer, stats):
    """The cell with the position in which the longest win begins, else the start, and its picture."""
    longest = stats and stats.get("longest_win")
    position = longest["position"] if longest else answer["position"]
    picture = run(program, "show", game, "--position", position, "--format", "svg")
    side = json.loads(run(program, "show", game, "--position", position, "--json"))["to_move"]
    whose = "the start" if position == answer["position"] else f"{side} to move"
    # A browser may not squeeze the picture to make room for text.
    shown = f'<img src="pictures/atlas/{name}.svg" alt="{position}" width="120" style="min-width:120px"><br>{whose}'
    return shown, picture


def row_of(program, name, memory):
    """A game's row of the page and its picture; None if there are too many positions."""
    game = f"text:{name}({SMALLER[name]})" if name in SMALLER else f"text:{name}"
    with tempfile.TemporaryDirectory() as folder:
        found = looked_up(program, game, memory, pathlib.Path(folder))
    if found is None:
        return None
    answer, stats = found
    shown, picture = longest_win(program, game, name, answer, stats)
    longest = stats and stats.get("longest_win")
    plies = answer["distance"] if answer["distance"] is not None else ""
    win = f"{longest['plies']} {'ply' if longest['plies'] == 1 else 'plies'}" if longest else ""
    usual = f"<br>(usually {USUAL[name]})" if name in USUAL else ""
    cells = [
        f"`{answer['game']}`{usual}",
        shown,
        in_words(answer),
        plies,
        f"{answer['positions']:,}",
        win,
    ]
    return "|" + "".join(f" {cell} |" if cell != "" else " |" for cell in cells), picture


def large_row(program, game, memory):
    """A game's row among the larger boards, and its picture."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "game.table"
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        built = subprocess.run([program, "table", "build", game, "-o", str(table), "--memory", memory, "--threads", "2"])
        if built.returncode != 0:
            sys.exit(f"{game}: no table")
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        answer = json.loads(run(program, "table", "probe", str(table), "--json"))
        stats = json.loads(run(program, "table", "stats", str(table), "--json"))
    name = re.match(r"(?:text:)?([\w-]+)", game)[1] + "-large"
    shown, picture = longest_win(program, game, name, answer, stats)
    longest = stats.get("longest_win")
    cells = [
        f"`{answer['game']}`",
        shown,
        in_words(answer),
        "" if answer["distance"] is None else answer["distance"],
        f"{sum(stats[key] for key in ('wins', 'draws', 'losses')):,}",
        f"{longest['plies']} plies" if longest else "",
        f"{used.ru_utime - before:,.0f} s",
        f"{used.ru_maxrss / 1e6:.1f} GB",
    ]
    return "|" + "".join(f" {cell} |" if cell != "" else " |" for cell in cells), picture, name


def add_large(program, game, memory):
    row, picture, name = large_row(program, game, memory)
    (PICTURES / f"{name}.svg").write_text(picture)
    before, _, larger = PAGE.read_text().partition(LARGER)
    rows = {line.split("`")[1]: line for line in larger.splitlines() if line.startswith("| `")}
    rows[row.split("`")[1]] = row
    PAGE.write_text(before.rstrip() + "\n\n" + ABOUT_LARGER + "\n".join(rows[key] for key in sorted(rows)) + "\n")
    print(row)


def check(program, memory):
    """Are the small games on the page what the program says today?"""
    page = PAGE.read_text().partition(LARGER)[0].rstrip() + "\n"
    rows = re.findall(r"^\| `(?:text:)?([\w-]+).*\| ([\d,]+) \|[^|]*\|$", page, re.MULTILINE)
    small = [name for name, positions in rows if int(positions.replace(",", "")) <= SMALL]
    for name in small:
        row, picture = row_of(program, name, memory)
        if row not in page:
            sys.exit(f"docs/atlas.md has another row than\n{row}")
        if picture != (PICTURES / f"{name}.svg").read_text():
            sys.exit(f"docs/pictures/atlas/{name}.svg is another picture")
    left_out = page.partition(LEFT_OUT)[2].rstrip(".\n").split(", ")
    missing = set(names(program)) - {name for name, _ in rows} - set(left_out)
    if missing:
        sys.exit(f"docs/atlas.md has no row of {', '.join(sorted(missing))}")
    print(f"{len(small)} of {len(rows)} rows are as they were")


def names(program):
    listed = run(program, "rules").split("\n\n")[0]
    return [line.split()[0] for line in listed.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=str(TOP / "target/dist/foregone"))
    parser.add_argument("--memory", default="8G")
    parser.add_argument("--only")
    parser.add_argument("--large")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if given.check:
        check(given.program, given.memory)
        return
    PICTURES.mkdir(parents=True, exist_ok=True)
    if given.large:
        add_large(given.program, given.large, given.memory)
        return
    rows, left_out = [], []
    for name in names(given.program):
        if given.only not in (None, name):
            continue
        made = row_of(given.program, name, given.memory)
        if made is None:
            left_out.append(name)
            continue
        row, picture = made
        (PICTURES / f"{name}.svg").write_text(picture)
        rows.append(row)
        print(row, flush=True)
    if given.only:
        if not rows:
            sys.exit(f"no text is called {given.only}, or it has too many positions")
        page, *larger = PAGE.read_text().partition(LARGER)
        there = list(re.finditer(r"^\| `(?:text:)?([\w-]+)[(`].*$", page, re.MULTILINE))
        known = {row[1]: row[0] for row in there} | {given.only: rows[0]}
        ordered = [known[name] for name in names(given.program) if name in known]
        page = page[: there[0].start()] + "\n".join(ordered) + page[there[-1].end() :]
        PAGE.write_text(page + "".join(larger))
        return
    text = f"""# An atlas of small games

For each game that comes as a text: what perfect play from the start leads to, seen by the first player, in how many plies,
how many positions can arise, and how long the longest win is that any of them holds. The picture is the position in which
that win begins (of several equal ones the first in the table).

Many boards are smaller than usual, since every position has to fit into memory: then the usual one stands below, about
which this page says nothing. Where what endless play is worth changes in the course of a game (awari), there
is no table, and so no longest win: the picture is the start.

Made by `results/atlas.py` from nothing but the texts; `foregone solve GAME --method strong` and `foregone table stats` give
the figures of one game.

| game | where the longest win begins | value | plies | positions | longest win |
| --- | --- | --- | --- | --- | --- |
""" + "\n".join(rows) + "\n"
    if left_out:
        text += f"\n{LEFT_OUT}{', '.join(left_out)}.\n"
    _, *larger = PAGE.read_text().partition(LARGER)
    PAGE.write_text(text + "\n" * any(larger) + "".join(larger))


main()
