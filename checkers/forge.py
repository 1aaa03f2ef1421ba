"""Writes false files with right checksums, made of true ones: what a checker has to refuse.

    forge.py -o OUT COMMAND FILE ...
        edit FILE EDIT                   changes entries (see edits.py)
        swap FILE LAYER ONE OTHER COUNT  swaps the entries of COUNT numbers from ONE and from OTHER
        copy FILE OTHER                  the contents of OTHER under the name of FILE's game
        keep FILE VALUES                 the same table with values of which it keeps less
        add FILE KEY VALUE PLIES [MOVE]  one more key with its entry, in a proof with a move
        remove FILE KEY                  one key less
        claim FILE NUMBER AT_LEAST       another claim of a proof, by its number
    forge.py list FILE [--sample N] [--seed S]
                                         prints edits, a line each

The list has every entry changed to every other worth that occurs in the file and to some that do not,
one at a time; numbers that no position has, each with a worth; pairs and runs of entries changed at
random; and lies that are told through: an entry that is false, and everything before it as it would be
if that were true, so that nothing disagrees but the lie itself. A sample has N of all these, drawn with
a seed.
"""

import argparse
import random
import sys
from bisect import bisect_left
from dataclasses import replace
from pathlib import Path

import edits
import files
import graph as graphs

# How many of the edits that are drawn at random stand in a whole list.
PAIRS, RUNS, LIES = 500, 500, 200
# How many of the numbers that no position has stand in it, drawn at random.
MISSING = 5_000
LONGEST_RUN = 16


def other_worths(file, layer):
    """Worths to change an entry of a layer to: those that occur in the file, and some that do not."""
    if file.proof is not None:
        worths = set(file.layers[layer].worths)
        most = max(value for value, _ in worths)
        more = [(most + 1, 0), (-1, 0)]
        if layer == 0:
            plies = [plies for _, plies in worths]
            more += [(most, max(plies) + 1), (0, None)]
        return sorted(worths | set(more), key=files.order)
    worths = {worth for layer in file.layers for worth in layer.worths}
    values = [value for value, _ in worths]
    plies = max((plies for _, plies in worths if plies is not None), default=0)
    # The last of each cannot stand in such a file.
    more = {
        "wdl": [(-1, 0), (0, 0), (1, 0), (2, 0)],
        "score": [(max(values) + 1, 0), (min(values) - 1, 0), (1, 1)],
        "score+distance": [(0, None), (0, 0), (1, plies + 1), (-1, plies + 1), (1, None)],
        "score+rank": [(max(values) + 1, 1), (1, plies + 1), (-1, plies + 1), (0, 1)],
    }
    return sorted(worths | set(more[file.values]), key=files.order)


def single_edits(file, dice):
    """Every entry changed alone; and numbers that no position has, each to one worth."""
    missing = []
    for number, layer in enumerate(file.layers):
        worths = other_worths(file, number)
        for place, entry in enumerate(layer.entries()):
            if entry is None:
                missing.append([(number, place, dice.choice(worths))])
                continue
            yield [(number, place, None)]
            for worth in worths:
                if worth != entry:
                    yield [(number, place, worth)]
    yield from dice.sample(missing, min(MISSING, len(missing)))


def places(file):
    """All entries that say something."""
    return [
        (number, place)
        for number, layer in enumerate(file.layers)
        for place, cell in enumerate(layer.cells)
        if cell
    ]


def drawn(file, dice, where, count, kind):
    """Edits of a kind, which change something."""
    found = []
    while len(found) < count:
        edit = kind(file, dice, where)
        if any(file.layers[layer].get(place) != worth for layer, place, worth in edit):
            found.append(edit)
    return found


def pair(file, dice, where):
    """Two entries, or two whose worths are swapped."""
    (layer, place), (other, at) = dice.sample(where, 2)
    if dice.random() < 0.5 and (layer == other or file.proof is None):
        worths = file.layers[other].get(at), file.layers[layer].get(place)
    else:
        worths = dice.choice(other_worths(file, layer)), dice.choice(other_worths(file, other))
    return [(layer, place, worths[0]), (other, at, worths[1])]


def run(file, dice, where):
    """A run of entries that all say one thing, or what those of another run say."""
    layer, _ = dice.choice(where)
    some = [place for other, place in where if other == layer]
    length = min(dice.randint(2, LONGEST_RUN), len(some))
    begin, other = (dice.randint(0, len(some) - length) for _ in range(2))
    if dice.random() < 0.5:
        worths = [dice.choice(other_worths(file, layer))] * length
    else:
        worths = [file.layers[layer].get(place) for place in some[other : other + length]]
    return [(layer, place, worth) for place, worth in zip(some[begin:], worths)]


class Lies:
    """Lies that are told through in a table."""

    def __init__(self, file):
        from check import Table

        self.table = Table(file)
        self.entries = [entry for layer in file.layers for entry in layer.entries()]

    def __call__(self, file, dice, where):
        graph = self.table.graph
        node = dice.choice([node for node, entry in enumerate(self.entries) if entry is not None])
        ends = list(graph.ends)
        values = {-1, 0, 1} if graph.loops else {value for value, _ in filter(None, self.entries)}
        ends[node] = dice.choice(sorted(values - {self.entries[node][0]} or {ends[node] or 0}))
        moves = list(graph.moves)
        moves[node] = []
        told = graphs.Graph()
        told.ends, told.moves, told.layers, told.places = ends, moves, graph.layers, graph.places
        worths = graphs.solve(told.finish())
        kept = [worth and files.kept(file.values, worth) for worth in worths]
        return [
            (graph.layers[node], graph.places[node], worth)
            for node, (worth, entry) in enumerate(zip(kept, self.entries))
            if worth != entry
        ]


def every_edit(file, seed, sample=None):
    """All edits of the list, or a sample of them."""
    dice = random.Random(seed)
    where = places(file)
    if len(where) < 2:
        raise edits.Wrong("a list is made of a file with two positions at least")
    counts = PAIRS, RUNS, LIES
    if sample is not None:
        counts = sample // 6, sample // 6, sample // 6
    if file.proof is not None:
        counts = counts[0], counts[1], 0
    kinds = [pair, run] + ([Lies(file)] if counts[2] else [])
    if sample is None:
        yield from single_edits(file, dice)
    else:
        for _ in range(sample - sum(counts)):
            layer, place = dice.choice(where)
            if file.keys is None and dice.random() < 0.1:
                # Some numbers that no position has, too.
                place = dice.randrange(len(file.layers[layer].cells))
            entry = file.layers[layer].get(place)
            worths = [worth for worth in [None, *other_worths(file, layer)] if worth != entry]
            yield [(layer, place, dice.choice(worths))]
    for kind, count in zip(kinds, counts):
        yield from drawn(file, dice, where, count, kind)


def swapped(file, layer, one, other, count):
    """The edit that swaps runs of entries."""
    entries = file.layers[layer].entries()
    if abs(one - other) < count or max(one, other) + count > len(entries) or min(one, other) < 0:
        raise edits.Wrong("the runs overlap, or do not lie in the layer")
    return [
        (layer, to + at, entries[begin + at])
        for begin, to in [(one, other), (other, one)]
        for at in range(count)
    ]


def keep(file, values):
    """A table with other values."""
    file = replace(file.copy(), values=values)
    for layer in file.layers:
        entries = layer.entries()
        kept = [None if entry is None else files.kept(values, entry) for entry in entries]
        layer.worths = sorted(set(filter(None, kept)), key=files.order)
        cells = {worth: cell for cell, worth in enumerate(layer.worths, 1)}
        layer.cells = [0 if worth is None else cells[worth] for worth in kept]
    return file


def keyed(file):
    if file.keys is None:
        raise edits.Wrong("the file lists no keys")


def insert(file, key, worths):
    """Lists one more key, with a worth for each layer."""
    keyed(file)
    at = bisect_left(file.keys, key)
    if file.keys[at : at + 1] == [key]:
        raise edits.Wrong(f"the file lists key {key}")
    file.keys.insert(at, key)
    if len(worths) != len(file.layers):
        raise edits.Wrong("a proof has a move for each key, and a table has none")
    for number, (layer, worth) in enumerate(zip(file.layers, worths)):
        layer.cells.insert(at, 0)
        edits.apply(file, [(number, at, worth)])


def remove(file, key):
    """Lists a key no more."""
    keyed(file)
    if key not in file.keys:
        raise edits.Wrong(f"the file does not list key {key}")
    at = file.keys.index(key)
    del file.keys[at]
    for number, layer in enumerate(file.layers):
        file.positions[number] -= layer.cells[at] != 0
        del layer.cells[at]


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", dest="out", type=Path, metavar="OUT")
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name, *more):
        command = commands.add_parser(name)
        command.add_argument("file", type=Path)
        for argument, kind in more:
            command.add_argument(argument, type=kind)
        return command

    command("edit", ("edit", str))
    command("swap", ("layer", int), ("one", int), ("other", int), ("count", int))
    command("copy", ("other", Path))
    command("keep").add_argument("values", choices=files.KINDS)
    added = command("add", ("key", int), ("value", int), ("plies", int))
    added.add_argument("move", type=int, nargs="?")
    command("remove", ("key", int))
    command("claim", ("number", int), ("at_least", int))
    listed = command("list")
    listed.add_argument("--sample", type=int)
    listed.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.command != "list" and asked.out is None:
        parser.error("expected -o and the file to write")
    return asked


def forged(asked, file):
    """The file that was asked for."""
    match asked.command:
        case "edit":
            edits.apply(file, edits.parse(asked.edit, file))
        case "swap":
            edits.apply(file, swapped(file, asked.layer, asked.one, asked.other, asked.count))
        case "copy":
            other = files.read(asked.other.read_bytes())
            return replace(other, game=file.game, fingerprint=file.fingerprint)
        case "keep":
            return keep(file, asked.values)
        case "add":
            more = [] if asked.move is None else [(asked.move, 0)]
            insert(file, asked.key, [(asked.value, asked.plies), *more])
        case "remove":
            remove(file, asked.key)
        case "claim":
            claims = [] if file.proof is None else file.proof["claims"]
            if not 0 <= asked.number < len(claims):
                raise edits.Wrong(f"the file has no claim number {asked.number}")
            claims[asked.number]["at_least"] = asked.at_least
    return file


def main():
    asked = arguments()
    try:
        file = files.read(asked.file.read_bytes())
        if asked.command == "list":
            for edit in every_edit(file, asked.seed, asked.sample):
                print(edits.text(edit))
            return 0
        asked.out.write_bytes(files.write(forged(asked, file)))
        return 0
    except (OSError, files.Unreadable, files.Damaged, edits.Wrong) as error:
        print(f"error: {asked.file}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        sys.exit(1)
