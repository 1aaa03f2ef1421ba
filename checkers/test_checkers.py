"""`python3 -m unittest`, in this folder."""

import random
import unittest
from math import comb
from pathlib import Path

import check
import edits
import files
import forge
import games
import graph as graphs

NIM = "nim(heaps=1-2-3,misere=false)"
MORRIS = "three-mens-morris"
KALAH = "kalah(pits={},stones={},capture=always,end=either,rest=owner)"
AWARI = "awari(pits={},stones={},slam={})"
PROOFS = Path(__file__).parent / "../proofs"


def table(name, values, layers=None):
    """The true table of a game, by numbers; distances serve as ranks."""
    game = games.game(name)
    graph = graphs.of_numbers(game, layers or game.layers)
    truth = graphs.solve(graph)
    parts, positions = [], []
    for layer in range(layers or game.layers):
        kept = [
            None if truth[node] is None else files.kept(values, truth[node])
            for node in range(len(graph))
            if graph.layers[node] == layer
        ]
        part = files.Layer([], [0] * len(kept))
        parts.append(part)
        positions.append(len(kept) - kept.count(None))
        part.worths = sorted(set(kept) - {None}, key=files.order)
        part.cells = [0 if worth is None else part.worths.index(worth) + 1 for worth in kept]
    return files.File("a test", name, "0" * 16, values, parts, positions, None, None)


def keyed_table(name, listed):
    """The true table of a game, by keys."""
    game = games.game(name)
    graph, keys = graphs.of_keys(game, game.start()[0], 100_000, listed=listed)
    truth = graphs.solve(graph)
    nodes = [node for node, end in enumerate(graph.ends) if listed == "all" or end is None]
    worths = sorted({truth[node] for node in nodes}, key=files.order)
    layer = files.Layer(worths, [worths.index(truth[node]) + 1 for node in nodes])
    return files.File("a test", name, "0" * 16, "score+distance", [layer], [len(nodes)],
                      [keys[node] for node in nodes], None, listed=listed)


def value_of_start(name):
    """What the start of a game is worth to the first player, and how many positions can arise."""
    game = games.game(name)
    start, _, _ = game.start()
    graph, keys = graphs.of_keys(game, start, 1_000_000)
    return graphs.solve(graph)[keys.index(game.key(game.representative(start)))], len(keys)


class Listed(unittest.TestCase):
    def test_positions_that_are_left_out(self):
        for name, counts in [("mnk(columns=3,rows=3,line=3,misere=false)", (765, 627, 588)),
                             (MORRIS, (744, 681, 664))]:
            for listed, count in zip(["all", "open", "in-play"], counts):
                file = files.read(files.write(keyed_table(name, listed)))
                self.assertEqual((file.listed, len(file.keys)), (listed, count))
                table = check.Table(file)
                table.check(file)
                for at in range(0, count, max(1, count // 50)):
                    wrong = file.copy()
                    cells, worths = wrong.layers[0].cells, wrong.layers[0].worths
                    cells[at] = cells[at] % len(worths) + 1
                    with self.assertRaises(check.False_):
                        table.check(wrong)
                fewer = file.copy()
                fewer.keys.pop(count // 2), fewer.layers[0].cells.pop(count // 2)
                fewer.positions[0] -= 1
                with self.assertRaises(check.False_):
                    check.Table(fewer).check(fewer)


class Games(unittest.TestCase):
    def test_known_values(self):
        lines = "mnk(columns={},rows={},line=3,misere=false)"
        self.assertEqual(value_of_start(lines.format(3, 3)), ((0, 9), 765))
        self.assertEqual(value_of_start(lines.format(4, 3))[0][0], 1)
        self.assertEqual(value_of_start(MORRIS)[0][0], 1)
        # Tromp's table of small boards.
        self.assertEqual(value_of_start("connect-four(columns=4,rows=4,line=4,score=result)")[0][0], 0)
        # Irving, Donkers and Uiterwijk 2000.
        self.assertEqual(value_of_start(KALAH.format(4, 1))[0][0], 2)
        self.assertEqual(value_of_start(KALAH.format(5, 1))[0][0], 0)

    def test_nim_is_won_unless_the_heaps_add_up_to_zero_without_carrying(self):
        for misere in (False, True):
            game = games.game(f"nim(heaps=3-4-5,misere={str(misere).lower()})")
            graph = graphs.of_numbers(game, game.layers)
            for node, worth in enumerate(graphs.solve(graph)):
                if worth is None:
                    continue
                (one, two, three), _ = game.state(graph.layers[node], graph.places[node])
                lost = one ^ two ^ three == 0
                if misere and max(one, two, three) <= 1:
                    lost = not lost
                self.assertEqual(worth[0], -1 if lost else 1)

    def test_sowing(self):
        game = games.game(KALAH.format(3, 3))
        # Into the store: another turn.
        self.assertEqual(game.play(((0, 2, 1), (1, 1, 1)), 2), (((0, 2, 0), (1, 1, 1)), True, 1))
        # Past the other's store, round to the emptied pit, and the pit opposite is taken.
        self.assertEqual(
            game.play(((7, 0, 1), (0, 0, 0)), 0), (((1, 1, 0), (0, 1, 2)), False, 3)
        )
        # The last stone ends the game, and what is left is its owner's.
        self.assertEqual(game.play(((0, 0, 1), (2, 0, 0)), 2), (((0, 0, 0), (0, 0, 0)), False, -1))
        awari = games.game(AWARI.format(6, 4, "forbidden"))
        # Past the pit that it comes from; twos and threes are captured backwards.
        self.assertEqual(
            awari.play(((0, 0, 0, 13, 0, 0), (0,) * 6), 3),
            (((1,) * 6, (1, 1, 1, 0, 2, 2)), False, 0),
        )
        self.assertEqual(
            awari.play(((1, 0, 0, 0, 1, 4), (2, 1, 2, 1, 4, 0)), 5),
            (((0, 0, 0, 0, 4, 0), (1, 0, 0, 0, 1, 0)), False, 10),
        )
        # All stones of the other side, alone or beside another move.
        void = games.game(AWARI.format(6, 4, "void"))
        for own, moves in [((1, 0, 0, 0, 0, 1), [0]), ((0, 0, 0, 0, 0, 1), [5])]:
            state = own, (1, 0, 0, 0, 0, 0)
            self.assertEqual(awari.moves(state), moves)
            self.assertEqual(void.moves(state), [0, 5][-sum(own):])
            self.assertEqual(void.play(state, 5)[2], 0)
        starved = (2, 1, 0, 0, 0, 0), (0,) * 6
        self.assertEqual((awari.moves(starved), void.over(starved)), ([0, 1], 3))

    def test_as_many_positions_of_awari_can_arise_as_were_published(self):
        awari = games.game(AWARI.format(6, 4, "forbidden"))
        counts = [awari.size(n) - (comb(n + 5, n - 6) if n > 5 else 0) for n in range(49) if n != 47]
        self.assertEqual(sum(counts) + 1, 889_063_398_406)

    def test_texts(self):
        for text, game in [
            ("OX./.O./.X. X", "mnk(columns=3,rows=3,line=3,misere=false)"),
            ("X../.O./... 2 2 X", MORRIS),
            ("1-0-3 second", NIM),
            ("1 2 3 0 3 1 second", KALAH.format(2, 3)),
            ("1 2 3 0 3 1 second", AWARI.format(2, 3, "void")),
        ]:
            games.game(game).parse(text)
            for wrong in (text[:-1], text + " ", text.replace("1", "x"), text.replace("O", "X")):
                if wrong != text:
                    with self.assertRaises(games.Wrong, msg=wrong):
                        games.game(game).parse(wrong)
        for wrong in ("nim", NIM.replace("3", "64"), "kalah(pits=9)", "mnk()", "x y", f"{MORRIS}()"):
            with self.assertRaises(games.Wrong, msg=wrong):
                games.game(wrong)
        with self.assertRaises(games.Unknown):
            games.game("chess")


class Files(unittest.TestCase):
    def test_what_is_written_is_read_back(self):
        dice = random.Random(1)
        worths = [(value, plies) for value in range(3) for plies in range(200)]
        layer = files.Layer(worths, [dice.randrange(601) for _ in range(20_000)])
        keys = sorted(dice.sample(range(2**40), 20_000 - 2)) + [2**127, 2**128 - 1]
        file = files.File("a test", "a game", "0" * 16, "score+distance", [layer],
                          [20_000 - layer.cells.count(0)], keys, None)
        self.assertEqual(files.read(files.write(file)), file)

    def test_any_other_byte_is_seen(self):
        data = files.write(table(NIM, "score+distance", 3))
        for at in range(len(data)):
            other = data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]
            with self.assertRaises((files.Damaged, files.Unreadable), msg=at):
                files.read(other)
            with self.assertRaises((files.Damaged, files.Unreadable), msg=at):
                files.read(data[:at])

    def test_edits(self):
        file = table(NIM, "score+distance")
        for edit in forge.every_edit(file, 1, 100):
            self.assertEqual(edits.parse(edits.text(edit), file), edit)
            edited = file.copy()
            edits.apply(edited, edit)
            for layer, number, worth in edit:
                last = [w for l, n, w in edit if (l, n) == (layer, number)][-1]
                self.assertEqual(edited.layers[layer].get(number), last)
        for wrong in ("", "1 2 3", "0 0 0 0 0", "9 0 0 0", "0 99 0 0", "0 0 - 1", "a 0 0 0"):
            with self.assertRaises(edits.Wrong, msg=wrong):
                edits.parse(wrong, file)


class Check(unittest.TestCase):
    def verdict(self, file):
        return check.check(files.write(file))[0]

    def test_true_tables(self):
        for name, kinds in [
            (NIM, files.KINDS),
            ("mnk(columns=3,rows=2,line=2,misere=true)", files.KINDS),
            (KALAH.format(2, 1), ("score", "score+rank")),
            (AWARI.format(2, 1, "forbidden"), ("score+rank",)),
            (AWARI.format(1, 3, "void"), ("score+rank",)),
            (MORRIS, ("score+distance", "score+rank")),
        ]:
            for values in files.KINDS:
                expected = "right" if values in kinds else "unshown"
                self.assertEqual(self.verdict(table(name, values)), expected, (name, values))

    def test_every_other_entry_is_refused_by_either_way(self):
        for values in files.KINDS:
            file = table(NIM, values)
            data = files.write(file)
            lines = [edits.text(edit) for edit in forge.single_edits(file, random.Random(1))]
            whole, near = (list(check.check_edits(data, lines, near)) for near in (False, True))
            self.assertEqual(whole, near)
            self.assertGreater(len(lines), 400)
            if values != "score+rank":
                self.assertNotIn("right", whole)
            for line, word in zip(lines, whole):
                [(layer, number, worth)] = edits.parse(line, file)
                if word == "right":
                    self.assertEqual(worth[0], file.layers[layer].get(number)[0])

    def test_lies_that_agree_with_each_other(self):
        # X wins every draw by endless play: no entry disagrees with those after it.
        file = table(MORRIS, "score")
        truth = table(MORRIS, "score+distance")
        game = games.game(MORRIS)
        edit = [
            (layer, number, (1 if game.state(layer, number)[2] else -1, 0))
            for layer, part in enumerate(truth.layers)
            for number, entry in enumerate(part.entries())
            if entry == (0, None)
        ]
        edits.apply(file, edit)
        table_of = check.Table(file)
        entries = [entry for layer in file.layers for entry in layer.entries()]
        self.assertEqual(table_of.flaws(entries, range(len(entries))), [])
        self.assertEqual(self.verdict(file), "false")

    def test_stated_positions(self):
        file = table(NIM, "wdl")
        file.positions[3] -= 1
        self.assertEqual(self.verdict(file), "false")

    def test_a_proof(self):
        data = (PROOFS / "tic-tac-toe.proof").read_bytes()
        self.assertEqual(check.check(data)[0], "right")
        for claim in range(2):
            file = files.read(data)
            file.proof["claims"][claim]["at_least"] += 1
            self.assertEqual(self.verdict(file), "false")
        for key in files.read(data).keys:
            file = files.read(data)
            forge.remove(file, key)
            self.assertEqual(self.verdict(file), "false")


if __name__ == "__main__":
    unittest.main()
