"""Holds three checkers against each other: foregone-check, check.py, and the verified program.

    verified.py [--sample N] FOREGONE VERIFIED

All accept each proof and table of some games. Of each, false files with right checksums are made (forge.py). A file
whose entries are changed is refused by foregone-check if the verified program refuses it, and check.py says what
foregone-check says, if it knows the game. The verified program may accept more proofs: an entry that no play needs, or
that says more than it has to, does not make a claim false. It accepts the tables that foregone-check accepts, and tables
by numbers that are false where play from the start never comes. A claim that is raised is refused by all, and so is a
table with a key of a position to which play does not come. foregone-check stands beside FOREGONE.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import check
import edits
import files
import forge
import games


PROOFS = ["connect-four(columns=4,rows=4)", "text:tic-tac-toe", "text:hexapawn", "text:three-mens-morris",
          "text:kalah(pits=3,stones=2)"]
TABLES = ["text:hexapawn", "text:mu-torere", "text:three-mens-morris"]
# Tables by numbers, some of which play from the start never comes to.
NUMBERED = ["fox-and-hounds(size=6)", "connect-four(columns=4,rows=4)"]
# Quantum tic-tac-toe takes the verified program half a minute.
KEPT = [file for file in sorted((Path(__file__).parent / "../proofs").glob("*.proof")) if "quantum" not in file.name]


def made(foregone, folder):
    """The name and the bytes of each file."""
    for command, names in [(["prove"], PROOFS), (["table", "build", "--all"], TABLES + NUMBERED)]:
        for name in names:
            file = folder / "made"
            subprocess.run([foregone, *command, name, "--force", "-o", file], check=True, capture_output=True)
            yield f"{command[:2][-1]} {name}", file.read_bytes()
    for file in KEPT:
        yield file, file.read_bytes()


def accepts(*command):
    """Whether a checker accepts a file; it says no in good order."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 1, 2, 3) or "panicked" in done.stderr:
        sys.exit(f"{command}: status {done.returncode}: {done.stderr}")
    return done.returncode == 0


def knows(file):
    """Whether check.py knows the game."""
    try:
        check.game_of(file)
    except games.Unknown:
        return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("foregone")
    parser.add_argument("verified")
    asked = parser.parse_args()
    os.environ["FOREGONE"] = asked.foregone
    foregone_check = Path(asked.foregone).with_name("foregone-check")
    counts, folder = Counter(), tempfile.TemporaryDirectory()
    forged = Path(folder.name) / "forged"

    def verdicts(file):
        """Of foregone-check, check.py (None if it does not know the game or its numbers), and the verified program."""
        forged.write_bytes(files.write(file))
        other = check.check(forged.read_bytes())[0] if knows(file) else "unshown"
        other = None if other == "unshown" else other == "right"
        return accepts(foregone_check, "--plain", forged), other, accepts(asked.verified, forged)

    def told(name, what, said, right):
        if not right:
            sys.exit(f"{name}, {what}: foregone-check, check.py and the verified program say {said}")
        counts[("foregone-check", said[0], "verified", said[2])] += 1

    for name, data in made(asked.foregone, Path(folder.name)):
        file = files.read(data)
        said = verdicts(file)
        told(name, "as it is", said, said[0] and said[2] and said[1] is not False)
        for number, claim in enumerate(file.proof["claims"] if file.proof else []):
            raised = file.copy()
            raised.proof = {**file.proof, "claims": [dict(one) for one in file.proof["claims"]]}
            raised.proof["claims"][number]["at_least"] += 1
            said = verdicts(raised)
            told(name, f"claim {number} raised", said, not any(said))
        dice, where = random.Random(7), forge.places(file)
        # Of large files, one.
        for _ in range(1 if name in KEPT else asked.sample):
            layer, place = dice.choice(where)
            worths = [worth for worth in forge.other_worths(file, layer) if worth != file.layers[layer].get(place)]
            edit = [(layer, place, dice.choice(worths))]
            changed = file.copy()
            edits.apply(changed, edit)
            said = verdicts(changed)
            same = said[1] is None or said[0] == said[1]
            # A proof, or a table by numbers, may have more than it needs; a table by keys may not.
            right = said[2] or not said[0] if file.proof or file.keys is None else said[2] == said[0]
            told(name, edits.text(edit), said, same and right)
        if file.keys is not None and file.proof is None:
            key = next(key for key in range(1 << 62) if key not in set(file.keys))
            more = file.copy()
            forge.insert(more, key, [file.layers[0].worths[0]])
            said = verdicts(more)
            told(name, f"key {key} added", said, not any(said))
    for (_, one, _, other), count in sorted(counts.items()):
        words = {True: "accepts", False: "refuses"}
        print(f"{count} files: foregone-check {words[one]}, the verified program {words[other]}")
    if counts[("foregone-check", False, "verified", False)] < 2 * asked.sample * (len(PROOFS) + len(TABLES)) / 4:
        sys.exit("too few false files are refused by both")


if __name__ == "__main__":
    main()
