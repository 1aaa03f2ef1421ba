"""An independent count of lines of play of the games in crates/text/games, in another language.

Written from the prose of their rules (the lines `game`, `about`, `source`, `sides`, `parameter`,
`board` and `start`), not from the rules themselves: two programs that were written apart do not
share their mistakes.

For each ply this counts the lines of play that have exactly that many plies, where different moves
count apart even if they lead to the same position, and how many of these are finished games.

    python3 checkers/texts.py               a line per game: [lines per ply] [finished per ply]
    python3 checkers/texts.py NAME          the same for one game
    python3 checkers/texts.py NAME PLIES    the same to another depth

A game is a function that gives its start and a function `after`, which yields the position after
each move, and nothing if the game is over. Positions are tuples. Boards are strings, a character
for each cell, '.' if it is empty: squares from the lower left to the right and up, drawn points by
their letters. The first player is X, the second O. Comments say how unclear prose was read.
"""

from collections import Counter
from itertools import product
from sys import argv

OTHER = {"X": "O", "O": "X"}
# Directions: up and down the board is y.
ACROSS, DOWN = ((1, 0), (-1, 0)), ((0, 1), (0, -1))
STRAIGHT = ACROSS + DOWN
AROUND = STRAIGHT + ((1, 1), (-1, 1), (1, -1), (-1, -1))


def count(start, after, plies):
    """Lines of play, and finished ones, per ply."""
    level, lines, finished = {start: 1}, [], []
    for ply in range(plies + 1):
        following, done = Counter(), 0
        for position, number in level.items():
            over = True
            for new in after(*position):
                over = False
                if ply == plies:
                    break
                following[new] += number
            if over:
                done += number
        lines.append(sum(level.values()))
        finished.append(done)
        level = following
    return lines, finished


# Boards


def put(board, pieces):
    """The board with some pieces, a dict from cells, put on it."""
    cells = list(board)
    for cell, piece in pieces.items():
        cells[cell] = piece
    return "".join(cells)


def cells_of(board, pieces):
    return [cell for cell, piece in enumerate(board) if piece in pieces]


def rays(columns, rows, steps):
    """For each square, the squares ahead of it in each of these directions."""
    result = []
    for y, x in product(range(rows), range(columns)):
        result.append([])
        for dx, dy in steps:
            a, b, ray = x + dx, y + dy, []
            while 0 <= a < columns and 0 <= b < rows:
                ray.append(a + b * columns)
                a, b = a + dx, b + dy
            result[-1].append(ray)
    return result


def next_cells(columns, rows, steps):
    """For each square, the squares one step away."""
    return [[ray[0] for ray in ahead if ray] for ahead in rays(columns, rows, steps)]


def rows_of(columns, rows, length):
    """All straight rows of this length, across, down and diagonally."""
    ahead = rays(columns, rows, ((1, 0), (0, 1), (1, 1), (-1, 1)))
    starts = [(cell, *ray[: length - 1]) for cell, each in enumerate(ahead) for ray in each]
    return [row for row in starts if len(row) == length]


def row_made(board, rows):
    """Whether equal marks fill one of the rows."""
    return any(board[row[0]] != "." and len({board[cell] for cell in row}) == 1 for row in rows)


def drawn(lines):
    """A drawn board of lines "abc cde": neighbours of points, and rows of three along the lines."""
    number = {point: cell for cell, point in enumerate(sorted(set(lines) - {" "}))}
    near, rows = [set() for _ in number], []
    for line in lines.split():
        cells = [number[point] for point in line]
        for one, other in zip(cells, cells[1:]):
            near[one].add(other)
            near[other].add(one)
        rows += zip(cells, cells[1:], cells[2:])
    return near, rows


# Marks on empty squares


def marks(size, length, choice=""):
    """Players put their own mark, or one of these, on a square; a row ends the game."""
    rows = rows_of(size, size, length)

    def after(board, player):
        if row_made(board, rows):
            return
        for cell in cells_of(board, "."):
            for mark in choice or player:
                yield put(board, {cell: mark}), OTHER[player]

    return ("." * size * size, "X"), after


def score_four(size=3):
    # Along a row in space each coordinate stays, or goes from one end to the other.
    walks = [[n] * size for n in range(size)] + [range(size), range(size)[::-1]]
    rows = {frozenset(x + y * size + z * size**2 for x, y, z in zip(*walk))
            for walk in product(walks, repeat=3)}
    rows = [tuple(row) for row in rows if len(row) == size]

    def after(board, player):
        if row_made(board, rows):
            return
        for peg in range(size**2):
            beads = [cell for cell in range(peg, size**3, size**2) if board[cell] == "."]
            if beads:
                yield put(board, {beads[0]: player}), OTHER[player]

    return ("." * size**3, "X"), after


def pentago(size=4, length=4):
    rows, half = rows_of(size, size, length), size // 2
    # The turns: for each cell of a block the cell that its marble comes from.
    turns = []
    for left, low in product((0, half), repeat=2):
        turn = {left + x + (low + y) * size: left + y + (low + half - 1 - x) * size
                for x, y in product(range(half), repeat=2)}
        turns += [turn, {source: cell for cell, source in turn.items()}]

    def after(board, player):
        if row_made(board, rows):
            return
        for cell in cells_of(board, "."):
            placed = put(board, {cell: player})
            # A row that is made before the turn wins at once: no block is turned.
            for turn in [{}] if row_made(placed, rows) else turns:
                turned = {to: placed[source] for to, source in turn.items()}
                yield put(placed, turned), OTHER[player]

    return ("." * size * size, "X"), after


def quarto(size=3):
    # A piece is a number, its marks are the digits in base two; a board is a tuple.
    rows, pieces = rows_of(size, size, size), range(2**size)

    def won(board):
        full = [row for row in rows if all(board[cell] is not None for cell in row)]
        return any(len({board[cell] >> mark & 1 for cell in row}) == 1
                   for row in full for mark in range(size))

    def after(board, given):
        if given is None:
            # Nothing was handed over: this is the start, or the game is over.
            for piece in pieces if board == (None,) * size * size else ():
                yield board, piece
            return
        for cell, there in enumerate(board):
            if there is None:
                placed = board[:cell] + (given,) + board[cell + 1:]
                left = [] if won(placed) else [piece for piece in pieces if piece not in placed]
                # No piece is handed over after a winning one, or after the last.
                for piece in left or [None]:
                    yield placed, piece

    return ((None,) * size * size, None), after


def quixo(size=3):
    rows = rows_of(size, size, size)

    def after(board, player):
        if row_made(board, rows):
            return
        for cell, mark in enumerate(board):
            x, y = cell % size, cell // size
            if mark == OTHER[player] or not {x, y} & {0, size - 1}:
                continue
            across = [n + y * size for n in range(size)]
            down = [x + n * size for n in range(size)]
            for line in (across, across[::-1], down, down[::-1]):
                # The cube comes back at the start of the line, and those before its place move up.
                place = line.index(cell)
                if place:
                    pushed = {line[n + 1]: board[line[n]] for n in range(place)}
                    yield put(board, {**pushed, line[0]: player}), OTHER[player]

    return ("." * size * size, "X"), after


def bridg_it(size=3):
    side = 2 * size + 1
    near = next_cells(side, side, STRAIGHT)
    board, bridges = "", []
    for y, x in product(range(side), repeat=2):
        # The nets of dots; y and x count from 0.
        board += "." if (x + y) % 2 == 0 else "X" if y % 2 else "O"
        if (x + y) % 2 == 0 and 0 < x < side - 1 and 0 < y < side - 1:
            bridges.append(x + y * side)

    def connected(board, player):
        def along(cell):
            return cell % side if player == "X" else cell // side

        reached = [cell for cell in cells_of(board, player) if along(cell) == 0]
        for cell in reached:
            reached += [to for to in near[cell] if board[to] == player and to not in reached]
        return any(along(cell) == side - 1 for cell in reached)

    def after(board, player):
        if not connected(board, OTHER[player]):
            for cell in bridges:
                if board[cell] == ".":
                    yield put(board, {cell: player}), OTHER[player]

    return (board, "X"), after


# Games that end when a player cannot move


def dominoes(columns, rows, first, second):
    """Dominoes on two empty squares, in the directions of the player."""
    ahead = {"X": next_cells(columns, rows, first), "O": next_cells(columns, rows, second)}

    def after(board, player):
        for cell in cells_of(board, "."):
            for other in ahead[player][cell]:
                if board[other] == ".":
                    yield put(board, {cell: "#", other: "#"}), OTHER[player]

    return ("." * columns * rows, "X"), after


def colours(columns, rows, own):
    """Stones on empty squares, not beside one of the own colour, or not beside one of the other."""
    near = next_cells(columns, rows, STRAIGHT)

    def after(board, player):
        forbidden = player if own else OTHER[player]
        for cell in cells_of(board, "."):
            if all(board[other] != forbidden for other in near[cell]):
                yield put(board, {cell: player}), OTHER[player]

    return ("." * columns * rows, "X"), after


def clobber(columns=4, rows=4):
    near = next_cells(columns, rows, STRAIGHT)
    board = "".join("OX"[(x + y) % 2] for y in range(rows) for x in range(columns))

    def after(board, player):
        for cell in cells_of(board, player):
            for to in near[cell]:
                if board[to] == OTHER[player]:
                    yield put(board, {cell: ".", to: player}), OTHER[player]

    return (board, "X"), after


def konane(size=4):
    near, ahead = next_cells(size, size, STRAIGHT), rays(size, size, STRAIGHT)
    board = "".join("XO"[(x + y) % 2] for y in range(size) for x in range(size))
    ends, middle = (0, size - 1), (size // 2 - 1, size // 2)
    first = [x + y * size for each in (ends, middle) for x, y in product(each, repeat=2)]

    def after(board, player):
        gaps = cells_of(board, ".")
        if len(gaps) < 2:
            for cell in near[gaps[0]] if gaps else first:
                if board[cell] == player:
                    yield put(board, {cell: "."}), OTHER[player]
            return
        for cell in cells_of(board, player):
            for ray in ahead[cell]:
                cleared = {cell: "."}
                for over, to in zip(ray[::2], ray[1::2]):
                    if board[over] != OTHER[player] or board[to] != ".":
                        break
                    cleared[over] = "."
                    yield put(board, {**cleared, to: player}), OTHER[player]

    return (board, "X"), after


def amazons(size=4):
    ahead = rays(size, size, AROUND)
    last = size * size - 1
    board = put("." * size * size, {0: "X", 2 * size - 1: "X", last: "O", last + 1 - 2 * size: "O"})

    def queen(board, cell):
        for ray in ahead[cell]:
            for to in ray:
                if board[to] != ".":
                    break
                yield to

    def after(board, player):
        for cell in cells_of(board, player):
            for to in queen(board, cell):
                moved = put(board, {cell: ".", to: player})
                for arrow in queen(moved, to):
                    yield put(moved, {arrow: "#"}), OTHER[player]

    return (board, "X"), after


def chomp(columns=4, rows=3):
    # A position is the heights of the columns.
    def after(*heights):
        for column, height in enumerate(heights):
            for row in range(height):
                yield heights[:column] + tuple(min(row, other) for other in heights[column:])

    return (rows,) * columns, after


def l_game():
    # All places of an L: three squares in a line, and one beside an end of it.
    places = set()
    for along, beside in ((ACROSS, DOWN), (DOWN, ACROSS)):
        for x, y, (a, b), (c, d) in product(range(4), range(4), along, beside):
            squares = [(x, y), (x + a, y + b), (x + 2 * a, y + 2 * b), (x + c, y + d)]
            if all(0 <= n < 4 for square in squares for n in square):
                places.add(frozenset(p + 4 * q for p, q in squares))

    # The L of the player to move, that of the other, and the men.
    def after(mine, theirs, men):
        for place in places - {mine}:
            if not place & (theirs | men):
                yield theirs, place, men
                for man, to in product(men, set(range(16)) - place - theirs - men):
                    yield theirs, place, men - {man} | {to}

    board = ".LLN" ".LM." ".LM." "NMM."
    return tuple(frozenset(cells_of(board, piece)) for piece in "LMN"), after


# Men that are placed first, and then move


def placed_men(near, rows, men):
    """Each player places men, then moves them to points next to them; a row wins."""

    def after(board, player):
        if row_made(board, rows):
            return
        for to in cells_of(board, "."):
            if board.count(player) < men:
                yield put(board, {to: player}), OTHER[player]
                continue
            for cell in near[to]:
                if board[cell] == player:
                    yield put(board, {cell: ".", to: player}), OTHER[player]

    return ("." * len(near), "X"), after


def morris(men):
    """A board of two squares: the outer one from a to h, the inner one from i to p."""
    near, rows = drawn("abc cde efg gha ijk klm mno opi bj dl fn hp")
    mills = [[row for row in rows if cell in row] for cell in range(16)]

    def milled(board, cell):
        return any(all(board[other] == board[cell] for other in row) for row in mills[cell])

    def after(board, player, hand, their_hand):
        other = OTHER[player]
        if board.count(player) + hand == 2:
            return
        steps = [(None, to) for to in cells_of(board, ".")]
        if not hand:
            steps = [(cell, to) for _, to in steps for cell in near[to] if board[cell] == player]
        for cell, to in steps:
            moved = put(board, {to: player} if cell is None else {cell: ".", to: player})
            hands = their_hand, max(hand - 1, 0)
            theirs = cells_of(moved, other)
            if not milled(moved, to) or not theirs:
                yield moved, other, *hands
                continue
            # One man is taken, also for two mills.
            for taken in [cell for cell in theirs if not milled(moved, cell)] or theirs:
                yield put(moved, {taken: "."}), other, *hands

    return ("." * 16, "X", men, men), after


def dara(columns=3, rows=3, stones=4):
    near, ahead = next_cells(columns, rows, STRAIGHT), rays(columns, rows, STRAIGHT)

    def row(board, cell):
        """The length of the longest row, across or down, through a stone."""
        reach = []
        for ray in ahead[cell]:
            same = [board[other] == board[cell] for other in ray] + [False]
            reach.append(same.index(False))
        return 1 + max(reach[0] + reach[1], reach[2] + reach[3])

    def after(board, player, ply):
        new = OTHER[player], min(ply + 1, 2 * stones)
        if ply < 2 * stones:
            for to in cells_of(board, "."):
                placed = put(board, {to: player})
                if row(placed, to) < 3:
                    yield placed, *new
            return
        if board.count(player) == 2:
            return
        steps = [(cell, to) for cell in cells_of(board, player) for to in near[cell]]
        for cell, to in [step for step in steps if board[step[1]] == "."]:
            moved = put(board, {cell: ".", to: player})
            if row(moved, to) < 3:
                yield moved, *new
            elif row(moved, to) == 3:
                theirs = cells_of(moved, OTHER[player])
                for taken in [other for other in theirs if row(moved, other) < 3] or theirs:
                    yield put(moved, {taken: "."}), *new

    return ("." * columns * rows, "X", 0), after


def yote(columns=3, rows=3, stones=3):
    ahead = rays(columns, rows, STRAIGHT)

    def after(board, player, hand, their_hand):
        other = OTHER[player]
        if board.count(player) + hand == 0:
            return
        if hand:
            for to in cells_of(board, "."):
                yield put(board, {to: player}), other, their_hand, hand - 1
        for cell, ray in ((cell, ray) for cell in cells_of(board, player) for ray in ahead[cell] if ray):
            if board[ray[0]] == ".":
                yield put(board, {cell: ".", ray[0]: player}), other, their_hand, hand
            elif board[ray[0]] == other and ray[1:] and board[ray[1]] == ".":
                jumped = put(board, {cell: ".", ray[0]: ".", ray[1]: player})
                # The second stone is taken from the board, if there is one.
                for taken in cells_of(jumped, other) or [ray[0]]:
                    yield put(jumped, {taken: "."}), other, their_hand, hand

    return ("." * columns * rows, "X", stones, stones), after


# Men that stand on the board from the start


def sliders(lines, board, through="", centre=None):
    """Men that move along lines to empty points; three men in a row through a point win."""
    near, rows = drawn(lines)
    points = sorted(set(lines) - {" "})
    rows = [row for row in rows if points[row[1]] == through]

    def after(board, player):
        if row_made(board, rows):
            return
        for cell in cells_of(board, player):
            for to in near[cell]:
                # To the centre only if another point beside the man is held by the other player.
                beside = [board[other] for other in near[cell] - {to}]
                if board[to] == "." and (points[to] != centre or OTHER[player] in beside):
                    yield put(board, {cell: ".", to: player}), OTHER[player]

    return (board, "X"), after


def hare_and_hounds():
    # Points a to k are 0 to 10.
    near, _ = drawn("abehk acfik adgjk bcd efg hij bf hf df jf")
    column = (0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4)

    def after(hounds, hare, hunting):
        if all(column[hound] >= column[hare] for hound in hounds):
            return
        for cell in hounds if hunting else {hare}:
            for to in near[cell] - hounds - {hare}:
                if not hunting:
                    yield hounds, to, True
                elif column[to] >= column[cell]:
                    yield hounds - {cell} | {to}, hare, False

    return (frozenset((0, 1, 3)), 10, True), after


def pawns(columns, rows, ranks, steps, captures):
    """Men step to empty squares and capture, each by its own steps; the farthest row wins."""
    near, hits = [{"X": next_cells(columns, rows, each),
                   "O": next_cells(columns, rows, [(x, -y) for x, y in each])}
                  for each in (steps, captures)]
    men, size = columns * ranks, columns * rows

    def after(board, player):
        if "X" in board[size - columns:] or "O" in board[:columns]:
            return
        for cell in cells_of(board, player):
            to_empty = [to for to in near[player][cell] if board[to] == "."]
            to_other = [to for to in hits[player][cell] if board[to] == OTHER[player]]
            for to in to_empty + to_other:
                yield put(board, {cell: ".", to: player}), OTHER[player]

    return ("X" * men + "." * (size - 2 * men) + "O" * men, "X"), after


def dodgem(size=3):
    near = {"X": next_cells(size, size, ((1, 0), *DOWN)),
            "O": next_cells(size, size, ((0, 1), *ACROSS))}
    board = "." + "O" * (size - 1) + ("X" + "." * (size - 1)) * (size - 1)

    def after(board, player):
        if "X" not in board or "O" not in board:
            return
        for cell in cells_of(board, player):
            for to in near[player][cell]:
                if board[to] == ".":
                    yield put(board, {cell: ".", to: player}), OTHER[player]
            if (cell % size if player == "X" else cell // size) == size - 1:
                yield put(board, {cell: "."}), OTHER[player]

    return (board, "X"), after


def ataxx(size=4):
    near = next_cells(size, size, AROUND)
    far = next_cells(size, size, [s for s in product(range(-2, 3), repeat=2) if {-2, 2} & set(s)])
    last = size * size - 1
    board = put("." * size * size, {0: "O", size - 1: "X", last + 1 - size: "X", last: "O"})

    def after(board, player):
        if set(board) != set(".XO"):
            return
        moved = False
        for to in cells_of(board, "."):
            turned = {cell: player for cell in near[to] if board[cell] == OTHER[player]}
            turned[to] = player
            jumps = [{cell: "."} for cell in far[to] if board[cell] == player]
            # A disc that is added is one move, however many own discs are beside it.
            adds = [{}] if any(board[cell] == player for cell in near[to]) else []
            for left in adds + jumps:
                moved = True
                yield put(board, {**turned, **left}), OTHER[player]
        # To pass is a ply.
        if not moved:
            yield board, OTHER[player]

    return (board, "X"), after


def baghchal(size=3, goats=5, captures=2):
    # X are the goats, O the tigers. The corners have diagonals, and so has every other crossing.
    straight, around = rays(size, size, STRAIGHT), rays(size, size, AROUND)
    ahead = [(straight if (cell % size + cell // size) % 2 else around)[cell]
             for cell in range(size * size)]
    last = size * size - 1
    board = put("." * size * size, dict.fromkeys((0, size - 1, last + 1 - size, last), "O"))

    def after(board, player, hand, captured):
        if captured == captures:
            return
        if player == "X" and hand:
            for to in cells_of(board, "."):
                yield put(board, {to: "X"}), "O", hand - 1, captured
            return
        for cell in cells_of(board, player):
            for ray in filter(None, ahead[cell]):
                if board[ray[0]] == ".":
                    moved = put(board, {cell: ".", ray[0]: player})
                    yield moved, OTHER[player], hand, captured
                elif player == "O" and [board[to] for to in ray[:2]] == ["X", "."]:
                    moved = put(board, {cell: ".", ray[0]: ".", ray[1]: "O"})
                    yield moved, "X", hand, captured + 1

    return (board, "X", goats, 0), after


def checkers(size=4):
    # Men are small letters, kings capitals.
    up, down = [(-1, 1), (1, 1)], [(-1, -1), (1, -1)]
    ahead = {piece: rays(size, size, steps)
             for piece, steps in (("x", up), ("o", down), ("X", up + down), ("O", up + down))}
    men = size // 2 - 1
    rows = ["x"] * men + ["."] * 2 + ["o"] * men
    board = "".join("." if (x + y) % 2 else rows[y] for y in range(size) for x in range(size))

    def arrived(piece, cell):
        """The piece on a cell that it comes to: a man becomes a king on the farthest row."""
        farthest = {"x": size - 1, "o": 0}.get(piece)
        return piece.upper() if cell // size == farthest else piece

    def jumps(board, cell, other):
        """The boards after all jumps of a piece, which goes on while it can."""
        piece = board[cell]
        for ray in ahead[piece][cell]:
            if len(ray) > 1 and board[ray[0]] in other and board[ray[1]] == ".":
                now = arrived(piece, ray[1])
                jumped = put(board, {cell: ".", ray[0]: ".", ray[1]: now})
                further = list(jumps(jumped, ray[1], other)) if now == piece else []
                yield from further or [jumped]

    def after(board, player):
        own, other = player.lower() + player, OTHER[player].lower() + OTHER[player]
        moves = [new for cell in cells_of(board, own) for new in jumps(board, cell, other)]
        if not moves:
            for cell in cells_of(board, own):
                for ray in filter(None, ahead[board[cell]][cell]):
                    if board[ray[0]] == ".":
                        now = arrived(board[cell], ray[0])
                        moves.append(put(board, {cell: ".", ray[0]: now}))
        yield from ((new, OTHER[player]) for new in moves)

    return (board, "X"), after


def ohvalhu(pits=3, stones=2):
    # From the own pits on: own store, the other's pits, the other's store. The player to move is
    # always the first of the two.
    def after(*seeds):
        full = [pit for pit in range(pits) if seeds[pit]]
        for pit in full if any(seeds[pits + 1:-1]) else ():
            now, at, hand = list(seeds), pit, seeds[pit]
            now[pit] = 0
            while hand:
                # The last of the ring, the other's store, is left out.
                at = (at + 1) % (len(now) - 1)
                now[at] += 1
                hand -= 1
                if not hand and at != pits and now[at] > 1:
                    hand, now[at] = now[at], 0
            if at == pits:
                yield tuple(now)
                continue
            opposite = 2 * pits - at
            if at < pits and now[opposite]:
                # The last seed is taken too, though the prose did not say so.
                now[pits] += now[opposite] + 1
                now[at] = now[opposite] = 0
            yield tuple(now[pits + 1:] + now[: pits + 1])

    return ((stones,) * pits + (0,)) * 2, after


def drops(columns, rows, length, around=False, pops=False):
    """Discs fall down columns, whose last may stand beside the first; some leave from the lowest row."""
    lines = rows_of(columns, rows, length)
    if around:
        steps = product(range(columns), range(rows), ((1, 0), (0, 1), (1, 1), (-1, 1)))
        lines = [[(x + n * dx) % columns + (y + n * dy) * columns for n in range(length)]
                 for x, y, (dx, dy) in steps if y + (length - 1) * dy < rows]

    def after(board, player):
        if row_made(board, lines):
            return
        for column in range(columns):
            stack = board[column::columns]
            ways = [stack.replace(".", player, 1)] if "." in stack else []
            if pops and stack[0] == player:
                ways.append(stack[1:] + ".")
            for new in ways:
                yield put(board, {column + n * columns: c for n, c in enumerate(new)}), OTHER[player]

    return ("." * columns * rows, "X"), after


def triangle(size):
    """Stones on a triangle of rows of 1, 2 and so on hexagons; a chain that touches all sides wins."""
    cells = [(row, place) for row in range(size) for place in range(row + 1)]
    number = {cell: n for n, cell in enumerate(cells)}
    steps = ((0, 1), (0, -1), (-1, -1), (-1, 0), (1, 0), (1, 1))
    near = [[number[row + a, place + b] for a, b in steps if (row + a, place + b) in number]
            for row, place in cells]
    sides = [{(place == 0) * "l", (place == row) * "r", (row == size - 1) * "b"} - {""} for row, place in cells]

    def after(board, player):
        for first in cells_of(board, OTHER[player]):
            chain, todo = {first}, [first]
            while todo:
                new = {to for to in near[todo.pop()] if board[to] == OTHER[player]} - chain
                chain |= new
                todo += new
            if len(set().union(*(sides[cell] for cell in chain))) == 3:
                return
        for cell in cells_of(board, "."):
            yield put(board, {cell: player}), OTHER[player]

    return ("." * len(cells), "X"), after


def hexagon(size):
    """Stones on a hexagon of hexagons; two corners, three sides without their corners, or a cell that is surrounded."""
    cells = [(x, y) for x in range(1 - size, size) for y in range(1 - size, size) if abs(x + y) < size]
    number = {cell: n for n, cell in enumerate(cells)}
    steps = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    near = [[number[x + a, y + b] for a, b in steps if (x + a, y + b) in number] for x, y in cells]
    sides = [{side for side, at in enumerate((x, y, -x - y, -x, -y, x + y)) if at == size - 1} for x, y in cells]
    rim = {cell for cell in range(len(cells)) if sides[cell]}

    def reached(start, may):
        found, todo = set(start), list(start)
        while todo:
            new = {to for to in near[todo.pop()] if may(to)} - found
            found |= new
            todo += new
        return found

    def wins(board, player):
        mine = set(cells_of(board, player))
        while mine:
            chain = reached([min(mine)], lambda cell: board[cell] == player)
            mine -= chain
            if len([cell for cell in chain if len(sides[cell]) == 2]) >= 2:
                return True
            if len({min(sides[cell]) for cell in chain if len(sides[cell]) == 1}) >= 3:
                return True
            outside = reached(rim - chain, lambda cell: cell not in chain)
            if len(outside) + len(chain) < len(cells) or any(chain.issuperset(near[cell]) for cell in chain - rim):
                return True
        return False

    def after(board, player):
        if not wins(board, OTHER[player]):
            for cell in cells_of(board, "."):
                yield put(board, {cell: player}), OTHER[player]

    return ("." * len(cells), "X"), after


def heaps(*sticks):
    def after(*heaps):
        for at, heap in enumerate(heaps):
            for left in range(heap):
                yield heaps[:at] + (left,) + heaps[at + 1:]

    return sticks, after


def two_heaps(one, other):
    """Any number from one heap, or as many from both."""
    def after(one, other):
        yield from ((one - n, other) for n in range(1, one + 1))
        yield from ((one, other - n) for n in range(1, other + 1))
        yield from ((one - n, other - n) for n in range(1, min(one, other) + 1))

    return (one, other), after


def kayles(pins=7, rows=1):
    def after(board):
        for at, pin in enumerate(board):
            if pin == "I":
                yield board[:at] + "." + board[at + 1:],
                if board[at + 1:at + 2] == "I":
                    yield board[:at] + ".." + board[at + 2:],

    return ("/".join(["I" * pins] * rows),), after


def toads_and_frogs(animals=3, gap=2):
    def after(board, player):
        step = 1 if player == "X" else -1
        for at in cells_of(board, player):
            ahead = [board[at + n * step] if 0 <= at + n * step < len(board) else "" for n in (1, 2)]
            if ahead[0] == ".":
                yield put(board, {at: ".", at + step: player}), OTHER[player]
            if ahead == [OTHER[player], "."]:
                yield put(board, {at: ".", at + 2 * step: player}), OTHER[player]

    return ("X" * animals + "." * gap + "O" * animals, "X"), after


def marseillais(size=3, length=3):
    rows = rows_of(size, size, length)

    def after(board, player, left):
        if row_made(board, rows):
            return
        for cell in cells_of(board, "."):
            new = put(board, {cell: player})
            yield (new, player, 1) if left == 2 else (new, OTHER[player], 2)

    return ("." * size * size, "X", 1), after


def heavy_king(size=5):
    """A king and a rook against a king."""
    near, far = next_cells(size, size, AROUND), rays(size, size, STRAIGHT)

    def hits(rook, board):
        """The squares that the rook sees, up to the first piece."""
        for ray in far[rook]:
            for cell in ray:
                yield cell
                if board[cell] != ".":
                    break

    def after(board, player):
        if "R" not in board:
            return
        king, rook, other = (board.index(piece) for piece in "KRk")
        if player == "O":
            without = put(board, {other: "."})
            for to in near[other]:
                if to not in near[king] and to != king and to not in set(hits(rook, without)) - {rook}:
                    yield put(board, {other: ".", to: "k"}), "X"
            return
        for to in near[king]:
            if board[to] == "." and to not in near[other]:
                yield put(board, {king: ".", to: "K"}), "O"
        for to in hits(rook, board):
            if board[to] == ".":
                yield put(board, {rook: ".", to: "R"}), "O"

    board = put("." * size * size, {0: "K", size - 1: "R", (size + 1) // 2 - 1 + size * (size - 1): "k"})
    return (board, "X"), after


def santorini(columns=3, rows=3):
    near = next_cells(columns, rows, AROUND)

    def after(own, other, levels):
        if levels[other] == "3":
            return
        for to in near[own]:
            if to == other or levels[to] == "4" or int(levels[to]) > int(levels[own]) + 1:
                continue
            if levels[to] == "3":
                # The game is over before anything is built.
                yield other, to, levels
                continue
            for site in near[to]:
                if site != other and levels[site] != "4":
                    yield other, to, put(levels, {site: str(int(levels[site]) + 1)})

    return (0, columns * rows - 1, "0" * columns * rows), after


def dobutsu():
    steps = {"l": AROUND, "e": [s for s in AROUND if 0 not in s], "g": STRAIGHT, "c": [(0, 1)],
             "h": [*STRAIGHT, (1, 1), (-1, 1)]}
    near = {"X": {}, "O": {}}
    for animal, each in steps.items():
        near["X"][animal] = next_cells(3, 4, each)
        near["O"][animal.upper()] = next_cells(3, 4, [(x, -y) for x, y in each])

    def attacked(cell, board, player):
        """Whether this player can move to a cell."""
        return any(piece in near[player] and cell in near[player][piece][at] for at, piece in enumerate(board))

    def after(board, player, hands):
        # The player to move may have lost: without a lion, or by one on the last row.
        lions = {"X": board.find("l"), "O": board.find("L")}
        own, other = lions[player], lions[OTHER[player]]
        last = {"X": range(9, 12), "O": range(3)}
        if own < 0 or other in last[OTHER[player]] and not attacked(other, board, player):
            return
        # It did not take what came to the last row.
        if own in last[player]:
            return
        for at, piece in enumerate(board):
            for to in near[player][piece][at] if piece in near[player] else ():
                taken = board[to]
                if taken in near[player]:
                    continue
                grown = piece if piece not in "cC" or to not in last[player] else "hH"[piece == "C"]
                # The lion is not held by anybody.
                caught = "" if taken in ".lL" else taken.lower().replace("h", "c")
                held = hands[player == "O"] + caught
                pair = (hands[0], "".join(sorted(held))) if player == "O" else ("".join(sorted(held)), hands[1])
                yield put(board, {at: ".", to: grown}), OTHER[player], pair
        for animal in sorted(set(hands[player == "O"])):
            rest = hands[player == "O"].replace(animal, "", 1)
            pair = (hands[0], rest) if player == "O" else (rest, hands[1])
            for to in cells_of(board, "."):
                yield put(board, {to: animal if player == "X" else animal.upper()}), OTHER[player], pair

    return ("elg" ".c." ".C." "GLE", "X", ("", "")), after


def quoridor(size=3, each=1):
    """A wall is (column, row, direction) of its middle, the corner where the squares (c, r) to (c + 1, r + 1) meet."""
    near = next_cells(size, size, STRAIGHT)

    def closed(walls):
        """Pairs of squares with a wall between them."""
        for x, y, across in walls:
            for n in range(2):
                one, step = (x + n + y * size, size) if across else (x + (y + n) * size, 1)
                yield {one, one + step}

    def open_from(cell, shut):
        return [to for to in near[cell] if {cell, to} not in shut]

    def arrives(cell, row, shut):
        seen, todo = {cell}, [cell]
        while todo:
            new = set(open_from(todo.pop(), shut)) - seen
            seen |= new
            todo += new
        return any(cell // size == row for cell in seen)

    def after(pawns, walls, left, player):
        me = player == "O"
        rows = (size - 1, 0)
        if any(pawns[n] // size == rows[n] for n in range(2)):
            return
        shut = list(closed(walls))
        ways = set(open_from(pawns[me], shut))
        if pawns[not me] in ways:
            ways |= set(open_from(pawns[not me], shut))
        for to in ways - set(pawns):
            yield (pawns[0], to) if me else (to, pawns[1]), walls, left, OTHER[player]
        for x, y, across in product(range(size - 1), range(size - 1), (True, False)) if left[me] else ():
            wall, new = (x, y, across), walls | {(x, y, across)}
            beside = [(x - 1, y, True), (x + 1, y, True)] if across else [(x, y - 1, False), (x, y + 1, False)]
            if walls & {wall, (x, y, not across), *beside}:
                continue
            shut = list(closed(new))
            if all(arrives(pawns[n], rows[n], shut) for n in range(2)):
                yield pawns, new, (left[0] - (not me), left[1] - me), OTHER[player]

    middle = size // 2 if size % 2 else size // 2 - 1
    return ((middle, middle + size * (size - 1)), frozenset(), (each, each), "X"), after


def onitama(columns=3, rows=4):
    cards = {"tiger": [(0, 2), (0, -1)], "crab": [(0, 1), (-2, 0), (2, 0)],
             "monkey": [(1, 1), (-1, 1), (1, -1), (-1, -1)], "crane": [(0, 1), (1, -1), (-1, -1)],
             "mantis": [(1, 1), (-1, 1), (0, -1)]}
    middle = columns // 2
    temples = {"X": middle, "O": middle + columns * (rows - 1)}
    masters = {"X": "M", "O": "m"}

    def after(board, player, held, beside):
        for side in "XO":
            if masters[side] not in board or board[temples[OTHER[side]]] == masters[side]:
                return
        own = "PM" if player == "X" else "pm"
        ahead = 1 if player == "X" else -1
        for at, card in product(cells_of(board, own), held[player == "O"]):
            for dx, dy in cards[card]:
                x, y = at % columns + dx, at // columns + dy * ahead
                if not (0 <= x < columns and 0 <= y < rows) or board[x + y * columns] in own:
                    continue
                new = tuple(sorted(set(held[player == "O"]) - {card} | {beside}))
                pair = (held[0], new) if player == "O" else (new, held[1])
                yield put(board, {at: ".", x + y * columns: board[at]}), OTHER[player], pair, card

    row = put("P" * columns, {middle: "M"})
    board = row + "." * columns * (rows - 2) + row.lower()
    return (board, "X", (("crab", "tiger"), ("crane", "monkey")), "mantis"), after


def brandubh():
    near, far = rays(7, 7, STRAIGHT), next_cells(7, 7, STRAIGHT)
    corners, middle = {0, 6, 42, 48}, 24

    def after(board, player):
        """A for attackers, who are X; D and K for the others."""
        if "K" not in board or board.index("K") in corners:
            return
        own, other = ("A", "DK") if player == "X" else ("DK", "A")
        for at in cells_of(board, own):
            for ray in near[at]:
                for to in ray:
                    if board[to] != ".":
                        break
                    if board[at] != "K" and to in corners | {middle}:
                        continue
                    new = put(board, {at: ".", to: board[at]})

                    def holds(cell):
                        return new[cell] in own or cell in corners or cell == middle and new[cell] == "."

                    caught = {}
                    for beyond in near[to]:
                        if len(beyond) > 1 and new[beyond[0]] in other and holds(beyond[1]):
                            if new[beyond[0]] != "K" or beyond[0] not in {middle, *far[middle]}:
                                caught[beyond[0]] = "."
                    if player == "X" and (king := new.index("K")) in {middle, *far[middle]}:
                        around = far[king]
                        if to in around and all(new[cell] == "A" or cell == middle for cell in around):
                            caught[king] = "."
                    # The king is taken first; then the game is over.
                    yield put(new, caught), OTHER[player]

    board = put("." * 49, {cell: "A" for cell in (3, 10, 21, 22, 26, 27, 38, 45)})
    return (put(board, {17: "D", 23: "D", 25: "D", 31: "D", 24: "K"}), "X"), after


NINE = drawn("abc def ghi adg beh cfi aei ceg")
PICARIA = drawn("abc fgh klm afk bgl chm adgjm cegik bdf beh fil hjl")
# Rows of four, and squares.
TEEKO = rows_of(5, 5, 4) + [(n, n + 1, n + 5, n + 6) for n in range(20) if n % 5 < 4]
# A ring of eight points, and o, the centre; the points are a to h and o.
WHEEL = "abcdefgha aoe bof cog doh"

# Of each game the plies to count, the function and its parameters.
GAMES = {
    "achi": (12, placed_men, *NINE, 4),
    "amazons": (3, amazons),
    "ataxx": (5, ataxx),
    "baghchal": (12, baghchal),
    "brandubh": (3, brandubh),
    "breakthrough": (5, pawns, 5, 5, 2, [(-1, 1), (0, 1), (1, 1)], [(-1, 1), (1, 1)]),
    "bridg-it": (7, bridg_it),
    "checkers": (20, checkers),
    "checkers(size=6)": (9, checkers, 6),
    "chomp": (12, chomp),
    "clobber": (6, clobber),
    "col": (6, colours, 4, 4, True),
    "cram": (6, dominoes, 4, 4, [(1, 0), (0, 1)], [(1, 0), (0, 1)]),
    "cylinder-four": (8, drops, 5, 4, 4, True),
    "dara": (14, dara),
    "dobutsu-shogi": (5, dobutsu),
    "dodgem": (12, dodgem),
    "domineering": (5, dominoes, 5, 5, [(0, 1)], [(1, 0)]),
    "five-mens-morris": (5, morris, 5),
    "gomoku": (3, marks, 6, 5),
    "hare-and-hounds": (12, hare_and_hounds),
    "havannah": (5, hexagon, 3),
    "havannah(size=2)": (7, hexagon, 2),
    "hexapawn": (7, pawns, 3, 3, 1, [(0, 1)], [(-1, 1), (1, 1)]),
    "kayles": (7, kayles),
    "kayles(rows=2)": (4, kayles, 7, 2),
    "king-and-rook": (5, heavy_king),
    "konane": (12, konane),
    "l-game": (4, l_game),
    "marseillais-tic-tac-toe": (9, marseillais),
    "misere-tic-tac-toe": (9, marks, 3, 3),
    "mu-torere": (16, sliders, WHEEL, "XXXXOOOO.", "", "o"),
    "nim": (6, heaps, 3, 4, 5),
    "notakto": (9, marks, 3, 3, "X"),
    "ohvalhu": (16, ohvalhu),
    "onitama": (5, onitama),
    "onitama(columns=5,rows=5)": (4, onitama, 5, 5),
    "order-and-chaos": (5, marks, 4, 4, "XO"),
    "pentago": (4, pentago),
    "picaria": (7, placed_men, *PICARIA, 3),
    "pong-hau-ki": (20, sliders, "ace bcd ad be de", "OO.XX"),
    "pop-out": (8, drops, 4, 4, 4, False, True),
    "quarto": (4, quarto),
    "quixo": (7, quixo),
    "quoridor": (6, quoridor),
    "quoridor(size=4,walls=2)": (3, quoridor, 4, 2),
    "santorini": (5, santorini),
    "score-four": (6, score_four),
    "shisima": (12, sliders, WHEEL, "XXX.OOO..", "o"),
    "six-mens-morris": (5, morris, 6),
    "snort": (6, colours, 4, 4, False),
    "tapatan": (12, placed_men, *NINE, 3),
    "teeko": (4, placed_men, next_cells(5, 5, AROUND), TEEKO, 4),
    "toads-and-frogs": (20, toads_and_frogs),
    "wild-tic-tac-toe": (9, marks, 3, 3, "XO"),
    "wythoff": (5, two_heaps, 7, 5),
    "y": (6, triangle, 4),
    "yote": (8, yote),
    "y(size=3)": (6, triangle, 3),
}


def main():
    for name in argv[1:2] or GAMES:
        plies, function, *parameters = GAMES[name]
        lines, finished = count(*function(*parameters), int(argv[2]) if argv[2:] else plies)
        print(f"{name}: {lines} {finished}", flush=True)


if __name__ == "__main__":
    main()
