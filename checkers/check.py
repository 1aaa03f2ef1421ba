"""Checks a table, a book or a proof of Foregone by docs/format.md and the rules of its game: a second checker
beside `foregone-check`, which shares no code with it.

    check.py FILE                a table, a book or a proof
    check.py --edits FILE        the file with each edit of standard input (a line each; see edits.py),
                                 and prints a verdict a line
    check.py --near FILE         as --edits, but looks again only at entries that an edit changes and
                                 at those of positions before them

A table is checked in two ways that have to agree: every entry has to follow from those of the
positions that the moves lead to, as docs/format.md tells; and what positions are worth is derived from
the ends of play alone. Of a proof the value is derived, too, where few positions can arise. Of a book
the values at the horizon are taken from the file.

Exit status: 0 everything is right; 1 something is false, or the file is damaged; 2 the request is
wrong, or the file cannot be read, or its game is unknown; 3 the file is whole, but cannot be shown to be
right; 4 a book is right if its values at the horizon are; 5 this program is wrong. With edits: 0 they
were checked.
"""

import sys
from functools import cached_property
from pathlib import Path

import edits
import files
import games
import graph as graphs
from files import Damaged, Unreadable
from graph import liking, seen_before

# Larger tables are left to foregone-check.
MOST_NUMBERS = 1_000_000
LARGEST_FILE = 256 << 20
# A proof's value is derived if no more positions can arise, with no more moves.
MOST_DERIVED, MOST_MOVES = 50_000, 500_000

STATUS = {"right": 0, "derived": 4, "false": 1, "damaged": 1, "unshown": 3}


class False_(Exception):
    """Something in the file is false."""


class Unshown(Exception):
    """The file may be right, but cannot be shown to be."""


class Table:
    """The game of a table, its positions, and what they are worth."""

    def __init__(self, file):
        self.game = game_of(file)
        self.values, self.keyed = file.values, file.keys is not None
        if self.keyed:
            self.keys_of(file)
        else:
            self.numbers_of(file)
        self.truth = graphs.solve(self.graph)

    def numbers_of(self, file):
        game, layers = self.game, len(file.layers)
        if game.layers is None:
            raise Unshown("how this game numbers its positions is not known here")
        if layers > game.layers:
            raise Damaged(f"it has {layers} layers, and the game {game.layers}")
        for layer, part in enumerate(file.layers):
            size = len(part.cells)
            if size != game.size(layer):
                raise Damaged(f"layer {layer} has {size} numbers, not {game.size(layer)}")
        if game.banks and file.values in ("wdl", "score+distance"):
            raise Unshown(f"the game banks points, and {file.values} does not carry them")
        self.graph = graphs.of_numbers(game, layers)
        self.covers = f"layers 0 to {layers - 1} of {game.layers}"

    def keys_of(self, file):
        if not self.game.listed:
            raise Unshown("tables of this game do not list positions by keys")
        start, _, _ = self.game.start()
        try:
            of = (self.game, start, len(file.keys), None, None, file.listed)
            self.graph, self.keys = graphs.of_keys(*of)
        except graphs.TooMany:
            raise False_(f"more positions can arise than its {len(file.keys)} keys") from None
        self.covers = {"all": "all that can arise", "open": "all in which play is not over",
                       "in-play": "all in which play is not over and no win at once was passed over"}[file.listed]
        # The nodes of positions that the file lists.
        over = [file.listed != "all" and end is not None for end in self.graph.ends]
        self.places = [node for node, over in enumerate(over) if not over]
        self.keys = [self.keys[node] for node in self.places]

    def with_ends(self, entries, nodes):
        """The entries of all nodes, those that a file leaves out as the rules say them; and nodes by the numbers that
        they have in the file."""
        every = [end if end is None else (end, 0) for end in self.graph.ends]
        for node, entry in zip(self.places, entries):
            every[node] = entry
        return every, None if nodes is None else [self.places[number] for number in nodes]

    def check(self, file, entries=None, nodes=None):
        """Checks these nodes, or all. Raises `False_` or `Unshown`."""
        if self.keyed and file.keys != self.keys:
            wrong = sorted(set(file.keys) ^ set(self.keys))[0]
            raise False_(f"key {wrong} is missing, or no position that can arise has it")
        if entries is None:
            entries = [entry for layer in file.layers for entry in layer.entries()]
        if self.keyed:
            entries, nodes = self.with_ends(entries, nodes)
        flaws = self.flaws(entries, range(len(entries)) if nodes is None else nodes)
        differences = self.differences(entries, range(len(entries)) if nodes is None else nodes)
        unshown = self.unshown()
        if flaws and not differences and self.values != "score+rank":
            raise AssertionError(f"{flaws[0]}, and what was derived agrees")
        if differences and not flaws and not unshown:
            raise AssertionError(f"{differences[0]}, and it follows from the other entries")
        if flaws or differences:
            raise False_((flaws or differences)[0])
        for layer, (part, stated) in enumerate(zip(file.layers, file.positions)):
            count = len(part.cells) - part.cells.count(0)
            if stated != count:
                raise False_(f"layer {layer} has {count} positions, not {stated} as is stated")
        if unshown:
            raise Unshown(unshown)

    def unshown(self):
        """Why entries that follow from each other may be false; `None` if they cannot be."""
        if self.values in ("wdl", "score") and self.graph.loops:
            return f"play can loop, and {self.values} does not show that it ends"
        # No move of these games banks points and stays in its layer, or goes to a higher one.
        return None

    def differences(self, entries, nodes):
        """The first entry that differs from what was derived."""
        for node in nodes:
            said, truth = entries[node], self.truth[node]
            truth = None if truth is None else files.kept(self.values, truth)
            if self.values == "score+rank" and said is not None and truth is not None:
                said, truth = said[0], truth[0]
            if said != truth:
                return [f"{self.graph.name(node)} says {said}, and {truth} was derived"]
        return []

    def flaws(self, entries, nodes):
        """The first entry that does not follow from those that the moves lead to."""
        graph = self.graph
        for node in nodes:
            said, moves = entries[node], graph.moves[node]
            if (said is None) != (moves is None):
                is_one = "a position" if said is None else "no position"
                return [f"{graph.name(node)} says {said}, and it is {is_one}"]
            if moves is None:
                continue
            if graph.ends[node] is not None:
                end = files.kept(self.values, (graph.ends[node], 0))
                if said != end:
                    return [f"{graph.name(node)} says {said}, and the game is over with {end}"]
                continue
            after = [(entries[child], sign, gain, child) for child, sign, gain in moves]
            if any(worth is None for worth, _, _, _ in after):
                return [f"{graph.name(node)} leads to a position without an entry"]
            if said[1] is None and said[0] != 0:
                flaw = "endless play is worth 0"
            elif self.values == "score+rank":
                flaw = self.rank_flaw(node, said, after)
            else:
                best = max((seen_before(*move[:3]) for move in after), key=liking)
                best = files.kept(self.values, best)
                flaw = f"the moves lead to {best}" if best != said else None
            if flaw:
                return [f"{graph.name(node)} says {said}, and {flaw}"]
        return []

    def rank_flaw(self, node, said, after):
        """What is wrong with a value and its rank."""
        layers = self.graph.layers
        value = max(sign * worth[0] + gain for worth, sign, gain, _ in after)
        if value != said[0]:
            return f"the moves lead to {value}"
        falls = [
            layers[child] < layers[node] or worth[1] < said[1]
            for worth, sign, gain, child in after
            if sign * worth[0] + gain == value
        ]
        for _, _, gain, child in after:
            if layers[child] > layers[node] or layers[child] == layers[node] and gain:
                raise AssertionError("a move of this game does not keep to layers")
        if value > 0 and not any(falls):
            return "no move that keeps it leads to a lower layer or a smaller rank"
        if value < 0 and not all(falls):
            return "a move that keeps it stays in the layer without a smaller rank"
        if value == 0 and said[1] != 0:
            return "the rank of 0 is 0"
        return None

    def words(self, file):
        count = sum(file.positions)
        return f"{file.game} with {file.values}: {count:,} positions are right; {self.covers}"


class Book:
    """The game of a book, and the positions that its first moves lead to."""

    def __init__(self, file):
        self.game = game_of(file)
        start, _, _ = self.game.start()
        if self.game.loops:
            raise Unshown("play can loop, and a book does not show that it ends")
        try:
            of = (self.game, start, len(file.keys), None, file.horizon)
            self.graph, self.keys = graphs.of_keys(*of)
        except graphs.TooMany:
            raise False_(f"more positions can arise than its {len(file.keys)} keys") from None

    def check(self, file):
        if file.keys != self.keys:
            wrong = sorted(set(file.keys) ^ set(self.keys))[0]
            raise False_(f"key {wrong} is missing, or no position that can arise has it")
        entries = file.layers[0].entries()
        if any(entry is None for entry in entries):
            raise Damaged("it has an entry that says nothing")
        self.taken = 0
        for node, (value, _) in enumerate(entries):
            found, moves = self.graph.ends[node], self.graph.moves[node]
            if found is None and not moves:
                if abs(value) > self.game.most:
                    raise False_(f"{self.graph.name(node)} has {value}, and no result is worth as much")
                self.taken += 1
                continue
            if found is None:
                found = max(sign * entries[child][0] + gain for child, sign, gain in moves)
            if value != found:
                raise False_(f"{self.graph.name(node)} has {value}, and {found} follows")

    def words(self, file):
        return (f"{file.game}: book of {file.horizon} moves, {len(self.keys) - self.taken:,} "
                f"positions derived; {self.taken:,} values at the horizon taken from the file")


class Proof:
    """A proof, and the position that it is about."""

    def __init__(self, file):
        self.game, self.claims = game_of(file), file.proof["claims"]
        try:
            self.root, self.first_moves, self.banked = root(self.game, file.proof)
        except games.Wrong as error:
            raise Damaged(str(error)) from error

    @cached_property
    def derived(self):
        """What the mover gets at the root; `None` if too many positions can arise."""
        try:
            graph, keys = graphs.of_keys(self.game, self.root, MOST_DERIVED, MOST_MOVES)
        except graphs.TooMany:
            return None
        node = keys.index(self.game.key(self.game.representative(self.root)))
        return graphs.solve(graph)[node][0] + self.banked

    def check(self, file):
        bounds, moves = (layer.entries() for layer in file.layers)
        if any(bound is None or move is None for bound, move in zip(bounds, moves)):
            raise Damaged("it has an entry that says nothing")
        entries = dict(zip(file.keys, zip(bounds, moves)))
        unseen, self.positions = set(entries), 0
        for number, claim in enumerate(self.claims):
            walk = Walk(self.game, entries, unseen, number, claim["at_least"])
            mine = self.first_moves == claim["first"]
            banked = self.banked if mine else -self.banked
            walk.go(self.root, mine, claim["at_least"] - banked)
            self.positions += walk.positions
        if unseen:
            raise False_(f"no play leads to the entry of key {min(unseen)}")
        for claim in self.claims:
            if self.derived is None:
                break
            value = self.derived if self.first_moves == claim["first"] else -self.derived
            if value < claim["at_least"]:
                raise AssertionError(f"{claim} is proven, and {value} was derived")

    def words(self, file):
        side = {True: "first", False: "second"}
        claims = " and ".join(
            f"the {side[claim['first']]} player gets at least {claim['at_least']}"
            for claim in self.claims
        )
        position = file.proof.get("position") or "the start"
        moves = "".join(f" {move}" for move in file.proof["moves"])
        derived = "" if self.derived is None else "; derived, too"
        return (f"{file.game}: proven of {position}{moves} that {claims}; {self.positions:,} "
                f"positions, {len(file.keys):,} entries{derived}")


class Walk:
    """Goes through all that can arise while the side of a claim keeps to the proof."""

    def __init__(self, game, entries, unseen, number, claimed):
        self.game, self.entries, self.unseen = game, entries, unseen
        self.number, self.claimed = number, claimed
        self.open, self.positions = [], 0

    def has_to_end(self, needed):
        """Whether endless play would not be enough where so much is needed beyond what is banked:
        what is banked counts in it, if the game can loop."""
        return (needed if self.game.banks and self.game.loops else self.claimed) > 0

    def go(self, state, mine, needed):
        self.come_to(state, mine, needed, None)
        while self.open:
            state, ((bound, rank), (move, _)) = self.open.pop()
            moves = self.game.moves(state)
            if not 0 <= move < len(moves):
                raise False_(f"there is no move number {move} at {state}")
            child, again, gain = self.game.play(state, moves[move])
            self.come_to(child, again, bound - gain, rank)

    def come_to(self, state, mine, needed, rank):
        """Comes to a position of which the side needs so much, beyond what is banked; makes all moves
        of the other side, and looks up all positions in which the side moves."""
        rows, way, done = [(state, mine, needed)], [], set()
        while rows:
            item = rows.pop()
            if item is None:
                # Everything after this position was gone through.
                done.add(way.pop())
                continue
            state, mine, needed = item
            self.positions += 1
            end = self.game.over(state)
            if end is not None:
                if (end if mine else -end) < needed:
                    raise False_(f"{state} is over with {end}, and {needed} is needed")
            elif mine:
                self.look_up(state, needed, rank)
            elif (state, needed) in way:
                if self.has_to_end(needed):
                    raise False_(f"the other side's moves come round to {state}")
            elif (state, needed) not in done:
                way.append((state, needed))
                rows.append(None)
                for move in self.game.moves(state):
                    child, again, gain = self.game.play(state, move)
                    # What the other side banks, this side lacks.
                    rows.append((child, not again, needed + gain))

    def look_up(self, state, needed, rank):
        state = self.game.representative(state)
        key = self.game.key(state) << 1 | self.number
        if key not in self.entries:
            raise False_(f"there is no entry for {state}")
        (bound, own_rank), (move, _) = self.entries[key]
        if own_rank is None or bound < needed:
            raise False_(f"the entry says {bound} for {state}, and {needed} is needed")
        if self.has_to_end(needed) and rank is not None and own_rank >= rank:
            raise False_(f"the rank does not fall: {own_rank} after {rank} at {state}")
        if key in self.unseen:
            self.unseen.remove(key)
            self.open.append((state, self.entries[key]))


def game_of(file):
    """The game of a file."""
    if file.rules is not None:
        raise games.Unknown("this program does not know rules as text")
    try:
        return games.game(file.game)
    except games.Wrong as error:
        raise Damaged(str(error)) from error


def root(game, proof):
    """The position that a proof is about, whether the first player moves there, and what the mover
    has banked more than the other."""
    text = proof.get("position")
    state, first, banked = game.start() if text is None else game.parse(text)
    for text in proof["moves"]:
        moves = [] if game.over(state) is not None else game.moves(state)
        move = next((move for move in moves if game.move_text(move) == text), None)
        if move is None:
            raise games.Wrong(f"`{text}` is no legal move")
        state, again, gain = game.play(state, move)
        first, banked = (first, banked + gain) if again else (not first, -banked - gain)
    return state, first, banked


def subject(file):
    """The table or the proof that a file holds."""
    if sum(len(layer.cells) for layer in file.layers) > MOST_NUMBERS:
        raise Unshown(f"it has more than {MOST_NUMBERS:,} numbers, too many for this program")
    if file.horizon is not None:
        return Book(file)
    if file.proof is None:
        return Table(file)
    if not hasattr(game_of(file), "parse"):
        raise Unshown("there are no proofs of this game")
    return Proof(file)


def verdict(work):
    """The verdict that some work of checking ends with, and a text."""
    try:
        return "right", work()
    except False_ as error:
        return "false", str(error)
    except Damaged as error:
        return "damaged", str(error)
    except Unshown as error:
        return "unshown", str(error)


def check(data):
    """The verdict on a file with these bytes, and a text."""
    taken = 0

    def work():
        nonlocal taken
        file = files.read(data)
        what = subject(file)
        what.check(file)
        taken = getattr(what, "taken", 0)
        return what.words(file)

    word, text = verdict(work)
    return "derived" if word == "right" and taken else word, text


def check_edits(data, lines, near):
    """The verdict on the file with each edit."""
    file = files.read(data)
    what = subject(file)
    base, _ = verdict(lambda: what.check(file))
    if near:
        if file.proof is not None or base != "right" or file.listed != "all":
            raise edits.Wrong("with --near the file has to be a table of all positions that is right")
        entries = [entry for layer in file.layers for entry in layer.entries()]
        begins = [0]
        for layer in file.layers:
            begins.append(begins[-1] + len(layer.cells))

    def work(line):
        edit = edits.parse(line, file)
        if not all(worth is None or files.holds(file.values, worth) for _, _, worth in edit):
            raise Damaged("a worth that the file cannot have")
        if not near:
            edited = file.copy()
            edits.apply(edited, edit)
            edited = files.read(files.write(edited))
            what.check(edited)
            return
        nodes = [begins[layer] + number for layer, number, _ in edit]
        before = [entries[node] for node in nodes]
        for node, (_, _, worth) in zip(nodes, edit):
            entries[node] = worth
        try:
            before_them = (parent for node in nodes for parent in what.graph.before[node])
            what.check(file, entries, {*nodes, *before_them})
        finally:
            for node, worth in zip(reversed(nodes), reversed(before)):
                entries[node] = worth

    for line in lines:
        yield verdict(lambda: work(line))[0]


def main():
    *options, name = sys.argv[1:] or ["--help"]
    if name in ("-h", "--help"):
        print(__doc__.strip())
        return 0
    if options not in ([], ["--edits"], ["--near"]):
        print("error: expected a file, and before it --edits or --near at most", file=sys.stderr)
        return 2
    try:
        if Path(name).stat().st_size > LARGEST_FILE:
            print(f"error: {name}: too large for this program", file=sys.stderr)
            return 3
        data = Path(name).read_bytes()
        if options:
            for word in check_edits(data, sys.stdin, options == ["--near"]):
                print(word)
            return 0
        word, text = check(data)
    except BrokenPipeError:
        # Nobody reads the verdicts.
        return 2
    except (OSError, Unreadable, games.Unknown, edits.Wrong) as error:
        print(f"error: {name}: {error}", file=sys.stderr)
        return 2
    except Exception as error:
        # Whatever the file says, nothing else may come of it.
        print(f"error: {name}: this program is wrong: {error!r}", file=sys.stderr)
        return 5
    if word in ("right", "derived"):
        print(text)
    else:
        shown = {"false": "it is false", "damaged": "the file is damaged",
                 "unshown": "it cannot be shown to be right"}[word]
        print(f"error: {name}: {shown}: {text}", file=sys.stderr)
    return STATUS[word]


if __name__ == "__main__":
    sys.exit(main())
