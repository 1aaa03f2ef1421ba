"""The rules of some games, and the numbers and keys of their positions.

Written from docs/format.md and from what `foregone games NAME` says, not from Foregone's code: two
programs that were written apart do not share their mistakes.

A position here leaves out what was banked (Kalah's stores, what is captured in awari): a move says
what it banks. All games have
the same methods:

- `start()`: the position at the start, whether the first player moves, and what the mover has banked
  more than the other.
- `parse(text)`: the same of a position in the game's notation.
- `over(state)`: what the mover gets, if the game is over; else `None`.
- `moves(state)`: the moves, in the order of the rules; `move_text(move)` is their notation.
- `play(state, move)`: the next position, whether the same player moves again, and what the mover banks.
- `layers`, `size(layer)`, `state(layer, number)` (`None` if no position has that number) and
  `number(state)` (the layer and the number there): how tables number positions.
- `representative(state)`, `key(state)` of a representative: how tables and proofs list them.

`listed` says whether tables can list the game's positions by keys, `banks` whether moves bank points,
`loops` whether play can come back to a position.
"""

from functools import cache
from math import comb
from re import fullmatch


class Unknown(Exception):
    """A game that this program does not know."""


class Wrong(Exception):
    """A text that is no game, position or move."""


def rank(numbers):
    """The rank of a set of numbers, given in rising order, among all sets of as many numbers."""
    return sum(comb(number, place) for place, number in enumerate(numbers, 1))


def unrank(place, count):
    """The set of `count` numbers with this rank, in rising order."""
    numbers = []
    for size in range(count, 0, -1):
        number = size - 1
        while comb(number + 1, size) <= place:
            number += 1
        place -= comb(number, size)
        numbers.append(number)
    return numbers[::-1]


def word(numbers):
    """A set as a word: bit n for each member n."""
    return sum(1 << number for number in numbers)


def images(columns, rows):
    """For each symmetry of a board: where each square goes."""
    squares = [(column, row) for row in range(rows) for column in range(columns)]
    flips = [
        lambda column, row, across=across, down=down: (
            columns - 1 - column if across else column,
            rows - 1 - row if down else row,
        )
        for across in (False, True)
        for down in (False, True)
    ]
    found = []
    for flip in flips:
        at = [flip(column, row) for column, row in squares]
        found.append([row * columns + column for column, row in at])
        if columns == rows:
            found.append([column * columns + row for column, row in at])
    return found


class Lines:
    """(m,n,k) games, tic-tac-toe among them. A state is the sets of X's and of O's squares."""

    # The largest result.
    most = 1
    banks = False
    listed = True
    loops = False

    def __init__(self, columns, rows, line, misere):
        if columns * rows > 64:
            raise Wrong("a board has at most 64 squares")
        self.columns, self.rows, self.squares = columns, rows, columns * rows
        self.misere = misere
        self.images = images(columns, rows)
        self.lines = [
            frozenset(
                (row + step * down) * columns + column + step * across for step in range(line)
            )
            for row in range(rows)
            for column in range(columns)
            for across, down in [(1, 0), (0, 1), (1, 1), (-1, 1)]
            if 0 <= column + across * (line - 1) < columns and row + down * (line - 1) < rows
        ]
        # Of one square, every direction is the same line.
        self.lines = list(dict.fromkeys(self.lines))
        self.layers = self.squares + 1

    def start(self):
        return (frozenset(), frozenset()), True, 0

    def parse(self, text):
        match = fullmatch(r"([XO./]+) ([XO])", text)
        rows = match[1].split("/") if match else []
        if len(rows) != self.rows or any(len(row) != self.columns for row in rows):
            raise Wrong(f"`{text}` is no position")
        marks = "".join(rows)
        crosses, noughts = (
            frozenset(at for at, mark in enumerate(marks) if mark == side) for side in "XO"
        )
        if len(crosses) - len(noughts) not in (0, 1):
            raise Wrong(f"`{text}` has other numbers of X and O than play makes")
        state = crosses, noughts
        if (match[2] == "X") != self.crosses_move(state):
            raise Wrong(f"`{text}` names the side that does not move")
        return state, match[2] == "X", 0

    @staticmethod
    def crosses_move(state):
        crosses, noughts = state
        return len(crosses) == len(noughts)

    def over(self, state):
        crosses, noughts = state
        last = noughts if self.crosses_move(state) else crosses
        if any(line <= last for line in self.lines):
            return 1 if self.misere else -1
        return 0 if len(crosses) + len(noughts) == self.squares else None

    def moves(self, state):
        crosses, noughts = state
        return [at for at in range(self.squares) if at not in crosses and at not in noughts]

    def move_text(self, move):
        return str(move + 1)

    def play(self, state, move):
        crosses, noughts = state
        if self.crosses_move(state):
            return (crosses | {move}, noughts), False, 0
        return (crosses, noughts | {move}), False, 0

    def size(self, layer):
        marks = self.squares - layer
        return comb(self.squares, marks) * comb(marks, marks // 2)

    def state(self, layer, number):
        marks = self.squares - layer
        taken, places = divmod(number, comb(marks, marks // 2))
        taken = unrank(taken, marks)
        noughts = frozenset(taken[place] for place in unrank(places, marks // 2))
        return frozenset(taken) - noughts, noughts

    def number(self, state):
        crosses, noughts = state
        taken = sorted(crosses | noughts)
        marks = len(taken)
        places = [place for place, square in enumerate(taken) if square in noughts]
        return self.squares - marks, rank(taken) * comb(marks, marks // 2) + rank(places)

    def representative(self, state):
        def seen(image):
            own, other = image if self.crosses_move(image) else image[::-1]
            return word(own), word(other)

        return min((moved(state, image) for image in self.images), key=seen)

    def key(self, state):
        crosses, noughts = state
        return word(crosses) << self.squares | word(noughts)


class ConnectFour(Lines):
    """Connect Four, by result; without numbers. A move is a column, from 0."""

    def __init__(self, columns, rows, line, score):
        super().__init__(columns, rows, line, False)
        # Its numbers are other ones.
        self.layers = None
        mirror = [at - at % columns + columns - 1 - at % columns for at in range(self.squares)]
        self.images = [range(self.squares), mirror]

    def parse(self, text):
        position = super().parse(text)
        stones = frozenset().union(*position[0])
        if any(at + self.columns not in stones for at in stones if at + self.columns < self.squares):
            raise Wrong(f"`{text}` has a stone above an empty square")
        return position

    def moves(self, state):
        return [at for at in range(self.columns) if at not in state[0] and at not in state[1]]

    def play(self, state, move):
        column = range(move, self.squares, self.columns)
        lowest = max(at for at in column if at not in state[0] and at not in state[1])
        return super().play(state, lowest)

    def word(self, squares):
        """A bit for each square, column by column, each from the bottom and with a bit that is free above."""
        places = ((at % self.columns, self.rows - 1 - at // self.columns) for at in squares)
        return sum(1 << column * (self.rows + 1) + height for column, height in places)

    def words(self, state):
        """Of the side to move, and of the other side."""
        crosses, noughts = map(self.word, state)
        return (crosses, noughts) if self.crosses_move(state) else (noughts, crosses)

    def representative(self, state):
        return min((moved(state, image) for image in self.images), key=self.words)

    def key(self, state):
        own, other = self.words(state)
        return own + own + other + sum(1 << column * (self.rows + 1) for column in range(self.columns))


def moved(state, image):
    """Both sides' squares where a symmetry puts them."""
    crosses, noughts = state
    return frozenset(image[at] for at in crosses), frozenset(image[at] for at in noughts)


class Morris:
    """Three men's morris. A state is X's points, O's points, and whether X moves."""

    most = 1
    banks = False
    listed = True
    loops = True
    layers = 7
    lines = [frozenset(line) for line in [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7),
                                          (2, 5, 8), (0, 4, 8), (2, 4, 6)]]
    images = images(3, 3)

    def __init__(self):
        # Men move along a line to the next point on it.
        self.next = [set() for _ in range(9)]
        for line in self.lines:
            low, middle, high = sorted(line)
            for one, other in [(low, middle), (middle, high)]:
                self.next[one].add(other)
                self.next[other].add(one)

    def start(self):
        return (frozenset(), frozenset(), True), True, 0

    def parse(self, text):
        match = fullmatch(r"([XO.]{3})/([XO.]{3})/([XO.]{3}) ([0-3]) ([0-3]) ([XO])", text)
        if not match:
            raise Wrong(f"`{text}` is no position")
        marks = match[1] + match[2] + match[3]
        crosses, noughts = (
            frozenset(at for at, mark in enumerate(marks) if mark == side) for side in "XO"
        )
        state = crosses, noughts, match[6] == "X"
        hands = 3 - len(crosses), 3 - len(noughts)
        if not self.arises(state) or hands != (int(match[4]), int(match[5])):
            raise Wrong(f"`{text}` has other men than play makes")
        return state, match[6] == "X", 0

    @classmethod
    def has_row(cls, men):
        return any(line <= men for line in cls.lines)

    def arises(self, state):
        """Whether the men are such as play makes, and the side to move has no row."""
        crosses, noughts, crosses_move = state
        count = len(crosses), len(noughts)
        placed = count == (3, 3) or count[0] - count[1] == (0 if crosses_move else 1)
        return placed and max(count) <= 3 and not self.has_row(crosses if crosses_move else noughts)

    def over(self, state):
        crosses, noughts, crosses_move = state
        if self.has_row(noughts if crosses_move else crosses):
            return -1
        return None if self.moves(state) else -1

    def moves(self, state):
        crosses, noughts, crosses_move = state
        own = crosses if crosses_move else noughts
        empty = [at for at in range(9) if at not in crosses and at not in noughts]
        if len(own) < 3:
            return [(None, to) for to in empty]
        return [(at, to) for at in sorted(own) for to in empty if to in self.next[at]]

    def move_text(self, move):
        at, to = move
        return str(to + 1) if at is None else f"{at + 1}-{to + 1}"

    def play(self, state, move):
        crosses, noughts, crosses_move = state
        at, to = move
        if crosses_move:
            return (crosses - {at} | {to}, noughts, False), False, 0
        return (crosses, noughts - {at} | {to}, True), False, 0

    def size(self, layer):
        return 2 * 3**9

    def state(self, layer, number):
        digits, noughts_move = divmod(number, 2)
        sides = [set(), set(), set()]
        men = 0
        for point in range(9):
            digits, side = divmod(digits, 3)
            sides[side].add(point)
            men += side > 0
        if men != 6 - layer:
            return None
        state = frozenset(sides[1]), frozenset(sides[2]), noughts_move == 0
        return state if self.arises(state) else None

    def number(self, state):
        crosses, noughts, crosses_move = state
        digits = sum(3**at for at in crosses) + sum(2 * 3**at for at in noughts)
        return 6 - len(crosses) - len(noughts), 2 * digits + (0 if crosses_move else 1)

    def representative(self, state):
        crosses, noughts, crosses_move = state
        sides = (moved((crosses, noughts), image) for image in self.images)
        return *min(sides, key=lambda image: (word(image[0]), word(image[1]))), crosses_move

    def key(self, state):
        crosses, noughts, crosses_move = state
        digits = sum(3**at for at in crosses) + sum(2 * 3**at for at in noughts)
        hands = 4 * (3 - len(crosses)) + 3 - len(noughts)
        return 2 * (16 * digits + hands) + (0 if crosses_move else 1)


class Nim:
    """Nim. A state is the heaps and whether the first player moves."""

    most = 1
    banks = False
    listed = True
    loops = False

    def __init__(self, heaps, misere):
        if not 1 <= len(heaps) <= 8 or max(heaps) > 63:
            raise Wrong("nim has 1 to 8 heaps of 0 to 63 sticks")
        self.heaps, self.misere = heaps, misere
        self.layers = sum(heaps) + 1

    def start(self):
        return (self.heaps, True), True, 0

    def parse(self, text):
        match = fullmatch(r"(\d+(?:-\d+)*) (first|second)", text)
        heaps = tuple(map(int, match[1].split("-"))) if match else ()
        too_many = len(heaps) != len(self.heaps) or any(map(int.__gt__, heaps, self.heaps))
        if too_many or match[1] != "-".join(map(str, heaps)):
            raise Wrong(f"`{text}` is no position")
        return (heaps, match[2] == "first"), match[2] == "first", 0

    def over(self, state):
        heaps, _ = state
        if any(heaps):
            return None
        return 1 if self.misere else -1

    def moves(self, state):
        heaps, _ = state
        return [(heap, take) for heap, sticks in enumerate(heaps) for take in range(1, sticks + 1)]

    def move_text(self, move):
        heap, take = move
        return f"{heap + 1}:{take}"

    def play(self, state, move):
        heaps, first = state
        heap, take = move
        left = heaps[:heap] + (heaps[heap] - take,) + heaps[heap + 1 :]
        return (left, not first), False, 0

    def size(self, layer):
        size = 2
        for heap in self.heaps:
            size *= heap + 1
        return size

    def state(self, layer, number):
        heaps = []
        for heap in reversed(self.heaps):
            number, sticks = divmod(number, heap + 1)
            heaps.append(sticks)
        return (tuple(heaps[::-1]), number == 0) if sum(heaps) == layer else None

    def number(self, state):
        heaps, first = state
        number = 0 if first else 1
        for heap, sticks in zip(self.heaps, heaps):
            number = number * (heap + 1) + sticks
        return sum(heaps), number

    def representative(self, state):
        heaps, first = state
        return tuple(sorted(heaps)), first

    def key(self, state):
        heaps, first = state
        key = 0 if first else 1
        for sticks in heaps:
            key = key << 6 | sticks
        return key


@cache
def rows_of(pits, stones):
    """All rows of so many pits with so many stones, in the order of the classes and in them."""
    def all_rows(pits, stones):
        if pits == 1:
            return [(stones,)]
        return [
            (first, *rest)
            for first in range(stones + 1)
            for rest in all_rows(pits - 1, stones - first)
        ]

    return sorted(all_rows(pits, stones), key=lambda row: (nearness(row), row))


@cache
def classes_of(pits, stones):
    """The classes of rows: by nearness where it begins, and how many rows it has."""
    classes = {}
    for place, row in enumerate(rows_of(pits, stones)):
        begin, count = classes.get(nearness(row), (place, 0))
        classes[nearness(row)] = begin, count + 1
    return classes


@cache
def places_of(pits, stones):
    """The place of each row among all rows with as many stones."""
    return {row: place for place, row in enumerate(rows_of(pits, stones))}


def nearness(row):
    return sum(pit * stones for pit, stones in enumerate(row))


class Kalah:
    """Kalah. A state is the mover's pits and the other's, each from the pit farthest from its store."""

    banks = True
    listed = False
    loops = False

    def __init__(self, pits, stones, capture, end, rest):
        if not 1 <= pits <= 8 or not 1 <= stones <= 12:
            raise Wrong("kalah has 1 to 8 pits and 1 to 12 stones in each")
        self.pits, self.stones = pits, stones
        self.capture, self.end, self.rest = capture, end, rest
        self.most = 2 * pits * stones
        self.layers = self.most + 1

    def start(self):
        row = (self.stones,) * self.pits
        return (row, row), True, 0

    def parse(self, text):
        match = fullmatch(r"(\d+(?: \d+)*) (first|second)", text)
        numbers = [int(number) for number in match[1].split()] if match else []
        if len(numbers) != 2 * self.pits + 2 or sum(numbers) > 255:
            raise Wrong(f"`{text}` is no position")
        if match[1] != " ".join(map(str, numbers)):
            raise Wrong(f"`{text}` is not the usual way to write it")
        *first, first_store = numbers[: self.pits + 1]
        *second, second_store = numbers[self.pits + 1 :]
        lead = first_store - second_store
        first_moves = match[2] == "first"
        state = (tuple(first), tuple(second)) if first_moves else (tuple(second), tuple(first))
        if self.over(state) is not None and any(first + second):
            raise Wrong(f"`{text}` is over, and what is left was not banked")
        return state, first_moves, lead if first_moves else -lead

    def over(self, state):
        own, other = state
        # The move that ends the game banks what is left.
        return None if any(own) and (self.end == "mover" or any(other)) else 0

    def moves(self, state):
        own, _ = state
        return [pit for pit, stones in enumerate(own) if stones]

    def move_text(self, move):
        return str(move + 1)

    def sow(self, state, pit):
        """Both rows after a sowing, what both sides bank, and whether the mover moves again."""
        own, other = map(list, state)
        round_trip = [(own, at) for at in range(self.pits)] + [(None, 0)]
        round_trip += [(other, at) for at in range(self.pits)]
        stones, own[pit] = own[pit], 0
        at, banked = pit, 0
        for _ in range(stones):
            at = (at + 1) % len(round_trip)
            row, place = round_trip[at]
            if row is None:
                banked += 1
            else:
                row[place] += 1
        if at < self.pits and own[at] == 1:
            # The opposite pit: the one farthest from the one store is nearest to the other.
            opposite = self.pits - 1 - at
            if self.capture == "always" or other[opposite]:
                banked += 1 + other[opposite]
                own[at] = other[opposite] = 0
        again = at == self.pits
        mover_next = own if again else other
        ends = not any(mover_next) if self.end == "mover" else not any(own) or not any(other)
        if not ends:
            return (tuple(own), tuple(other)), (banked, 0), again
        left = {"owner": (sum(own), sum(other)), "mover": (sum(own + other), 0), "none": (0, 0)}
        more, others = left[self.rest]
        none = (0,) * self.pits
        return (none, none), (banked + more, others), False

    def play(self, state, move):
        (own, other), (banked, others), again = self.sow(state, move)
        return ((own, other) if again else (other, own)), again, banked - others

    def size(self, layer):
        return comb(layer + 2 * self.pits - 1, layer)

    def rows(self, stones):
        return comb(stones + self.pits - 1, stones)

    def state(self, layer, number):
        stones = 0
        while number >= self.rows(stones) * self.rows(layer - stones):
            number -= self.rows(stones) * self.rows(layer - stones)
            stones += 1
        owns, others = (classes_of(self.pits, count) for count in (stones, layer - stones))
        for own_begin, own_count in owns.values():
            if number < own_count * self.rows(layer - stones):
                break
            number -= own_count * self.rows(layer - stones)
        for other_begin, other_count in others.values():
            if number < own_count * other_count:
                break
            number -= own_count * other_count
        other, own = divmod(number, own_count)
        return (
            rows_of(self.pits, stones)[own_begin + own],
            rows_of(self.pits, layer - stones)[other_begin + other],
        )

    def number(self, state):
        own, other = state
        stones, others = sum(own), sum(other)
        layer = stones + others
        before = sum(self.rows(fewer) * self.rows(layer - fewer) for fewer in range(stones))
        own_begin, own_count = classes_of(self.pits, stones)[nearness(own)]
        other_begin, _ = classes_of(self.pits, others)[nearness(other)]
        own_place = places_of(self.pits, stones)[own] - own_begin
        other_place = places_of(self.pits, others)[other] - other_begin
        before += own_begin * self.rows(others) + other_begin * own_count
        return layer, before + other_place * own_count + own_place

    def representative(self, state):
        return state

    def key(self, state):
        own, other = state
        return sum(stones << 8 * at for at, stones in enumerate(own + other))


class WholeKalah:
    """Kalah by whole positions, stores included: a trial of tables that list positions of a game with
    extra turns. A state is both sides' pits and store, the mover's first; the key has them as bytes,
    the mover's first pit lowest. No program of Foregone makes such files but
    crates/check/examples/files.rs."""

    banks = False
    listed = True
    loops = False
    layers = None

    def __init__(self, *parameters):
        self.kalah = Kalah(*parameters)
        if self.kalah.pits > 7:
            raise Wrong("a key has room for 7 pits")

    def start(self):
        (own, other), _, _ = self.kalah.start()
        return (own, 0, other, 0), True, 0

    def over(self, state):
        own, store, other, others = state
        value = self.kalah.over((own, other))
        return None if value is None else value + store - others

    def moves(self, state):
        own, _, other, _ = state
        return self.kalah.moves((own, other))

    def play(self, state, move):
        own, store, other, others = state
        (own, other), (banked, gift), again = self.kalah.sow((own, other), move)
        side, opponent = (own, store + banked), (other, others + gift)
        return (*side, *opponent) if again else (*opponent, *side), again, 0

    def representative(self, state):
        return state

    def key(self, state):
        own, store, other, others = state
        return sum(number << 8 * at for at, number in enumerate((*own, store, *other, others)))


class Awari:
    """Awari. A state is the mover's pits and the other's, each from its owner's left."""

    banks = True
    listed = False
    loops = True

    def __init__(self, pits, stones, slam):
        if not 1 <= pits <= 8 or not 1 <= stones <= 12:
            raise Wrong("awari has 1 to 8 pits and 1 to 12 stones in each")
        self.pits, self.stones, self.slam = pits, stones, slam
        self.layers = 2 * pits * stones + 1

    def start(self):
        row = (self.stones,) * self.pits
        return (row, row), True, 0

    def parse(self, text):
        match = fullmatch(r"(\d+(?: \d+)*) (first|second)", text)
        numbers = [int(number) for number in match[1].split()] if match else []
        if len(numbers) != 2 * self.pits + 2 or sum(numbers) >= self.layers:
            raise Wrong(f"`{text}` is no position")
        if match[1] != " ".join(map(str, numbers)):
            raise Wrong(f"`{text}` is not the usual way to write it")
        *first, captured = numbers[: self.pits + 1]
        *second, lost = numbers[self.pits + 1 :]
        if match[2] == "first":
            return (tuple(first), tuple(second)), True, captured - lost
        return (tuple(second), tuple(first)), False, lost - captured

    def over(self, state):
        own, other = state
        return None if self.moves(state) else sum(own) - sum(other)

    def moves(self, state):
        own, _ = state
        filled = [pit for pit, stones in enumerate(own) if stones]
        feeding = [pit for pit in filled if any(self.sow(state, pit)[0][1])]
        return filled if self.slam == "forbidden" and not feeding else feeding

    def move_text(self, move):
        return str(move + 1)

    def sow(self, state, pit):
        """Both rows after a sowing, and how many stones are captured."""
        board = [*state[0], *state[1]]
        others = range(self.pits, 2 * self.pits)
        hand, board[pit] = board[pit], 0
        at = pit
        while hand:
            at = (at + 1) % len(board)
            if at != pit:
                board[at] += 1
                hand -= 1
        left = list(board)
        while at in others and left[at] in (2, 3):
            left[at] = 0
            at -= 1
        if self.slam == "void" and not any(left[at] for at in others):
            left = board
        rows = tuple(left[: self.pits]), tuple(left[self.pits :])
        return rows, sum(board) - sum(left)

    def play(self, state, move):
        (own, other), captured = self.sow(state, move)
        return (other, own), False, captured

    def size(self, layer):
        return comb(layer + 2 * self.pits - 1, layer)

    def state(self, layer, number):
        # The ends of all pits but the last, among them and the stones.
        ends = unrank(number, 2 * self.pits - 1)
        begins = [-1, *ends]
        board = [end - begin - 1 for begin, end in zip(begins, [*ends, layer + len(ends)])]
        return tuple(board[: self.pits]), tuple(board[self.pits :])

    def number(self, state):
        board = [*state[0], *state[1]]
        ends, before = [], 0
        for nth, stones in enumerate(board[:-1]):
            before += stones
            ends.append(before + nth)
        return sum(board), rank(ends)

    def representative(self, state):
        return state

    def key(self, state):
        own, other = state
        return sum(stones << 8 * at for at, stones in enumerate(own + other))


class DotsAndBoxes:
    """Dots and boxes. A state is the set of the edges that are drawn: boxes are banked, and whose turn it
    is makes no difference to the side to move."""

    banks = True
    listed = False
    loops = False

    def __init__(self, columns, rows):
        wide, high = 2 * columns + 1, 2 * rows + 1
        places = [(x, y) for y in range(high) for x in range(wide) if (x + y) % 2]
        if len(places) > 64:
            raise Wrong("dots and boxes has at most 64 edges")
        edges = {place: edge for edge, place in enumerate(places)}
        self.columns, self.rows, self.edges = columns, rows, len(places)
        self.boxes = [
            frozenset(edges[place] for place in [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)])
            for y in range(1, high, 2)
            for x in range(1, wide, 2)
        ]
        self.most = len(self.boxes)
        # Edges are among the squares of the finer board, and so are their images.
        number = {y * wide + x: edge for (x, y), edge in edges.items()}
        self.images = [
            [number[image[square]] for square in sorted(number)] for image in images(wide, high)
        ]
        self.layers = self.edges + 1

    def start(self):
        return frozenset(), True, 0

    def parse(self, text):
        match = fullmatch(r"([X./]+) (\d+) (\d+) (first|second)", text)
        rows = match[1].split("/") if match else []
        lengths = [self.columns + row % 2 for row in range(2 * self.rows + 1)]
        if [len(row) for row in rows] != lengths:
            raise Wrong(f"`{text}` is no position")
        state = frozenset(at for at, mark in enumerate("".join(rows)) if mark == "X")
        lead = int(match[2]) - int(match[3])
        if int(match[2]) + int(match[3]) > sum(box <= state for box in self.boxes):
            raise Wrong(f"`{text}` has more boxes than are complete")
        return state, match[4] == "first", lead if match[4] == "first" else -lead

    def over(self, state):
        return 0 if len(state) == self.edges else None

    def moves(self, state):
        return [edge for edge in range(self.edges) if edge not in state]

    def move_text(self, move):
        return str(move + 1)

    def play(self, state, move):
        drawn = state | {move}
        complete = sum(move in box and box <= drawn for box in self.boxes)
        return drawn, complete > 0, complete

    def size(self, layer):
        return comb(self.edges, layer)

    def state(self, layer, number):
        return frozenset(range(self.edges)) - frozenset(unrank(number, layer))

    def number(self, state):
        left = [edge for edge in range(self.edges) if edge not in state]
        return len(left), rank(left)

    def representative(self, state):
        return min((frozenset(image[edge] for edge in state) for image in self.images), key=word)

    def key(self, state):
        return 2 * word(state)


class Stones:
    """What Hex and Reversi have in common: a board on which both sides have stones. A state is X's cells,
    O's cells, and whether X moves. Moves are cells, or a word."""

    most = 1
    banks = False
    listed = True
    loops = False
    layers = None

    def __init__(self, columns, rows):
        self.columns, self.rows, self.cells = columns, rows, columns * rows

    def parse(self, text):
        match = fullmatch(r"([XO./]+) ([XO])", text)
        rows = match[1].split("/") if match else []
        if len(rows) != self.rows or any(len(row) != self.columns for row in rows):
            raise Wrong(f"`{text}` is no position")
        marks = "".join(rows)
        crosses, noughts = (
            frozenset(at for at, mark in enumerate(marks) if mark == side) for side in "XO"
        )
        state = crosses, noughts, match[2] == "X"
        if not self.arises(state):
            raise Wrong(f"`{text}` has other stones than play makes")
        return state, match[2] == "X", 0

    def move_text(self, move):
        row, column = divmod(move, self.columns) if isinstance(move, int) else (0, 0)
        return move if isinstance(move, str) else f"{chr(97 + column)}{row + 1}"

    def key(self, state):
        crosses, noughts, crosses_move = state
        digits = sum(3**at for at in crosses) + sum(2 * 3**at for at in noughts)
        return 2 * digits + (0 if crosses_move else 1)


class Hex(Stones):
    """Hex, with or without the swap rule."""

    def __init__(self, columns, rows, swap):
        super().__init__(columns, rows)
        self.swap = swap

    def start(self):
        return (frozenset(), frozenset(), True), True, 0

    def arises(self, state):
        crosses, noughts, crosses_move = state
        more = len(crosses) - len(noughts)
        swapped = self.swap and noughts and more == (-1 if crosses_move else 0)
        fits = swapped or more == (0 if crosses_move else 1)
        return fits and not self.joined(state, crosses_move)

    def joined(self, state, crosses):
        """Whether X, or else O, has its chain."""
        own = state[0] if crosses else state[1]
        reached = [at for at in own if (at // self.columns if crosses else at % self.columns) == 0]
        last = (self.rows if crosses else self.columns) - 1
        seen = set(reached)
        for at in reached:
            row, column = divmod(at, self.columns)
            if (row if crosses else column) == last:
                return True
            for down, right in [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)]:
                to = (row + down) * self.columns + column + right
                if 0 <= column + right < self.columns and to in own and to not in seen:
                    seen.add(to)
                    reached.append(to)
        return False

    def over(self, state):
        return -1 if self.joined(state, not state[2]) else None

    def moves(self, state):
        crosses, noughts, crosses_move = state
        cells = [at for at in range(self.cells) if at not in crosses and at not in noughts]
        can_swap = self.swap and not crosses_move and not noughts
        return cells + ["swap"] if can_swap else cells

    def play(self, state, move):
        crosses, noughts, crosses_move = state
        if move == "swap":
            mirrored = (at % self.columns * self.columns + at // self.columns for at in crosses)
            return (frozenset(), frozenset(mirrored), True), False, 0
        if crosses_move:
            return (crosses | {move}, noughts, False), False, 0
        return (crosses, noughts | {move}, True), False, 0

    def representative(self, state):
        crosses, noughts, crosses_move = state
        turned = (frozenset(self.cells - 1 - at for at in stones) for stones in (crosses, noughts))
        both = [(crosses, noughts), tuple(turned)]
        return *min(both, key=lambda sides: (word(sides[0]), word(sides[1]))), crosses_move


class Reversi(Stones):
    """Reversi."""

    def __init__(self, size, empties):
        super().__init__(size, size)
        self.most = self.cells
        self.empties = empties
        self.images = images(size, size)
        upper, lower = (size // 2 - 1) * (size + 1), size // 2 * (size + 1)
        self.middle = frozenset([upper, upper + 1, lower - 1, lower])

    def start(self):
        upper, left, right, lower = sorted(self.middle)
        return (frozenset([left, right]), frozenset([upper, lower]), True), True, 0

    def arises(self, state):
        return self.middle <= state[0] | state[1]

    def turned(self, own, other, at):
        """The discs that one more of its own turns over."""
        turned = set()
        for down, right in [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]:
            row, column = divmod(at, self.columns)
            run = []
            while True:
                row, column = row + down, column + right
                to = row * self.columns + column
                if not (0 <= row < self.rows and 0 <= column < self.columns) or to not in other:
                    break
                run.append(to)
            if 0 <= row < self.rows and 0 <= column < self.columns and to in own:
                turned.update(run)
        return turned

    def places(self, own, other):
        empty = (at for at in range(self.cells) if at not in own and at not in other)
        return [at for at in empty if self.turned(own, other, at)]

    def over(self, state):
        own, other = state[:2] if state[2] else state[1::-1]
        if self.places(own, other) or self.places(other, own):
            return None
        lead = len(own) - len(other)
        empty = self.cells - len(own) - len(other) if self.empties == "winner" else 0
        return lead + (empty if lead > 0 else -empty if lead < 0 else 0)

    def moves(self, state):
        own, other = state[:2] if state[2] else state[1::-1]
        return self.places(own, other) or ["pass"]

    def play(self, state, move):
        crosses, noughts, crosses_move = state
        if move == "pass":
            return (crosses, noughts, not crosses_move), False, 0
        own, other = (crosses, noughts) if crosses_move else (noughts, crosses)
        turned = self.turned(own, other, move)
        own, other = own | {move} | turned, other - turned
        return (own, other, False) if crosses_move else (other, own, True), False, 0

    def representative(self, state):
        sides = state[:2] if state[2] else state[1::-1]
        all_images = (moved(sides, image) for image in self.images)
        return *min(all_images, key=lambda image: (word(image[0]), word(image[1]))), True


def number(low, high):
    """A parameter that is a number."""
    values = {str(value): value for value in range(low, high + 1)}
    return values.get


FLAG = {"true": True, "false": False}.get
KALAH = {
    "pits": number(1, 8),
    "stones": number(1, 12),
    "capture": {"always": "always", "nonempty": "nonempty"}.get,
    "end": {"either": "either", "mover": "mover"}.get,
    "rest": {"owner": "owner", "mover": "mover", "none": "none"}.get,
}


def heaps(text):
    """Nim's heaps."""
    sizes = text.split("-")
    known = {str(size): size for size in range(64)}
    return tuple(known[size] for size in sizes) if all(size in known for size in sizes) else None


GAMES = {
    "mnk": (Lines, {"columns": number(1, 64), "rows": number(1, 64), "line": number(1, 64),
                    "misere": FLAG}),
    "connect-four": (ConnectFour, {"columns": number(1, 9), "rows": number(1, 9), "line": number(1, 9),
                                   "score": {"result": "result"}.get}),
    "three-mens-morris": (Morris, {}),
    "nim": (Nim, {"heaps": heaps, "misere": FLAG}),
    "kalah": (Kalah, KALAH),
    "awari": (Awari, {"pits": number(1, 8), "stones": number(1, 12),
                      "slam": {"forbidden": "forbidden", "void": "void"}.get}),
    "whole-kalah": (WholeKalah, KALAH),
    "dots-and-boxes": (DotsAndBoxes, {"columns": number(1, 21), "rows": number(1, 21)}),
    "hex": (Hex, {"columns": number(1, 16), "rows": number(1, 16), "swap": FLAG}),
    "reversi": (Reversi, {"size": {"4": 4, "6": 6, "8": 8}.get,
                          "empties": {"nobody": "nobody", "winner": "winner"}.get}),
}


def game(text):
    """The game with this name and all of its parameters, as manifests have them.

    Raises `Unknown` if this program does not know it, `Wrong` if it has other parameters.
    """
    match = fullmatch(r"([a-z-]+)(?:\(([^()]*)\))?", text)
    if not match:
        raise Wrong(f"`{text}` is no game")
    if match[1] not in GAMES:
        raise Unknown(f"this program does not know the game {match[1]}")
    made, parameters = GAMES[match[1]]
    given = [part.partition("=") for part in match[2].split(",")] if match[2] is not None else []
    # A board of Hex that is as wide as high has one number in its name.
    if match[1] == "hex" and given and given[0][0] == "size":
        given[:1] = [("columns", "=", given[0][2]), ("rows", "=", given[0][2])]
    if [name for name, _, _ in given] != list(parameters):
        expected = ", ".join(parameters) or "none"
        raise Wrong(f"`{text}` has other parameters than expected: {expected}")
    values = [parameters[name](value) for name, _, value in given]
    if None in values:
        raise Wrong(f"`{text}` has a parameter that cannot be")
    return made(*values)
