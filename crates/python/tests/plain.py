"""Six games in plain Python, written from their rules; moves are named as Foregone names them."""


class TicTacToe:
    LINES = ("012", "345", "678", "036", "147", "258", "048", "246")
    native = "tic-tac-toe"

    def start(self):
        return "." * 9

    def turn(self, board):
        return (9 - board.count(".")) % 2

    def outcome(self, board):
        for line in self.LINES:
            marks = {board[int(at)] for at in line}
            if marks in ({"X"}, {"O"}):
                return 1 if marks == {"X"} else -1
        return None if "." in board else 0

    def moves(self, board):
        return [str(at + 1) for at in range(9) if board[at] == "."]

    def play(self, board, move):
        at = int(move) - 1
        return board[:at] + "XO"[self.turn(board)] + board[at + 1 :]


class Nim:
    """The last to take wins."""

    native = "nim(heaps=1-2-3)"

    def start(self):
        return ((1, 2, 3), 0)

    def turn(self, state):
        return state[1]

    def outcome(self, state):
        heaps, turn = state
        return None if any(heaps) else (-1 if turn == 0 else 1)

    def moves(self, state):
        return [f"{heap + 1}:{take}" for heap, size in enumerate(state[0]) for take in range(1, size + 1)]

    def play(self, state, move):
        heap, take = map(int, move.split(":"))
        heaps = list(state[0])
        heaps[heap - 1] -= take
        return (tuple(heaps), 1 - state[1])


class ThreeMensMorris:
    """Three pieces each, put down and then moved to a neighbour; a row wins. Play can loop."""

    native = "three-mens-morris"
    STEPS = {
        0: (1, 3, 4), 1: (0, 2, 4), 2: (1, 4, 5), 3: (0, 4, 6), 4: (0, 1, 2, 3, 5, 6, 7, 8),
        5: (2, 4, 8), 6: (3, 4, 7), 7: (4, 6, 8), 8: (4, 5, 7),
    }  # fmt: skip

    def start(self):
        return (".........", 6, 0)

    def turn(self, state):
        return state[2]

    def outcome(self, state):
        board = state[0]
        for line in TicTacToe.LINES:
            marks = {board[int(at)] for at in line}
            if marks in ({"X"}, {"O"}):
                return 1 if marks == {"X"} else -1
        if not self.moves(state):
            return -1 if state[2] == 0 else 1
        return None

    def moves(self, state):
        board, left, turn = state
        if left:
            return [str(at + 1) for at in range(9) if board[at] == "."]
        own = [at for at in range(9) if board[at] == "XO"[turn]]
        return [f"{a + 1}-{b + 1}" for a in own for b in self.STEPS[a] if board[b] == "."]

    def play(self, state, move):
        board, left, turn = list(state[0]), state[1], state[2]
        *origin, to = (int(at) - 1 for at in move.split("-"))
        for at in origin:
            board[at] = "."
        board[to] = "XO"[turn]
        return ("".join(board), max(0, left - 1), 1 - turn)


class FoxAndHounds:
    """Two hounds move forward from row 1, a fox in any direction; it wants to row 1."""

    native = "fox-and-hounds(size=4)"

    def start(self):
        return ((3, 3), ((0, 0), (2, 0)), 0)

    def turn(self, state):
        return state[2]

    def outcome(self, state):
        fox, hounds, turn = state
        if fox[1] == 0:
            return 1
        if self.moves(state):
            return None
        return -1 if turn == 0 else 0

    def moves(self, state):
        fox, hounds, turn = state
        movers = [(fox, (-1, 1))] if turn == 0 else [(hound, (1,)) for hound in hounds]
        out = []
        for (x, y), ways in movers:
            for dy in ways:
                for dx in (-1, 1):
                    to = (x + dx, y + dy)
                    if 0 <= to[0] < 4 and 0 <= to[1] < 4 and to != fox and to not in hounds:
                        out.append(f"{self.name(x, y)}-{self.name(*to)}")
        return out

    def play(self, state, move):
        fox, hounds, turn = state
        a, b = (("abcd".index(square[0]), int(square[1]) - 1) for square in move.split("-"))
        if turn == 0:
            return (b, hounds, 1)
        return (fox, tuple(sorted(b if hound == a else hound for hound in hounds)), 0)

    @staticmethod
    def name(x, y):
        return f"{'abcd'[x]}{y + 1}"


class ConnectFour:
    """Three in a row on 4x4; a tuple of columns, each a text from the bottom."""

    native = "connect-four(columns=4,rows=4,line=3)"

    def start(self):
        return ("", "", "", "")

    def turn(self, columns):
        return sum(map(len, columns)) % 2

    def outcome(self, columns):
        def at(x, y):
            return columns[x][y] if 0 <= x < 4 and 0 <= y < len(columns[x]) else None

        for x in range(4):
            for y in range(4):
                for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    marks = {at(x + step * dx, y + step * dy) for step in range(3)}
                    if marks in ({"X"}, {"O"}):
                        return 1 if marks == {"X"} else -1
        return None if any(len(column) < 4 for column in columns) else 0

    def moves(self, columns):
        return [str(x + 1) for x in range(4) if len(columns[x]) < 4]

    def play(self, columns, move):
        x = int(move) - 1
        return columns[:x] + (columns[x] + "XO"[self.turn(columns)],) + columns[x + 1 :]


class Kalah:
    """Three pits a side, two stones in each; captures of an own empty pit take the other side's pit, even if that is
    empty; the game ends when a side has no stones, and each side keeps those on its side."""

    native = "kalah(pits=3,stones=2)"
    PITS = 3

    def start(self):
        return ((2, 2, 2, 0, 2, 2, 2, 0), 0)

    def turn(self, state):
        return state[1]

    def outcome(self, state):
        board = state[0]
        sides = (board[:3], board[4:7])
        if all(map(any, sides)):
            return None
        return sum(sides[0]) + board[3] - sum(sides[1]) - board[7]

    def moves(self, state):
        board, turn = state
        return [str(pit + 1) for pit in range(3) if board[4 * turn + pit]]

    def play(self, state, move):
        board, turn = list(state[0]), state[1]
        own = 4 * turn
        at = own + int(move) - 1
        hand, board[at] = board[at], 0
        while hand:
            at = (at + 1) % 8
            if at == (own + 7) % 8:  # the store of the other side
                continue
            board[at] += 1
            hand -= 1
        if at == own + 3:
            return (tuple(board), turn)
        if own <= at < own + 3 and board[at] == 1:
            opposite = 6 - at
            board[own + 3] += board[at] + board[opposite]
            board[at] = board[opposite] = 0
        return (tuple(board), 1 - turn)


GAMES = [TicTacToe, Nim, ThreeMensMorris, FoxAndHounds, ConnectFour, Kalah]
