#!/usr/bin/env python3
"""Foregone beside other programs for the same questions, one after the other on this machine: user CPU time of the whole
process, on one core, with empty tables and no opening book. Others come from PyPI and crates.io by their versions.

    cargo build --profile dist -p foregone-cli && results/others.py [--runs N] [--foregone PROGRAM]

Prints the figures of docs/performance.md and of the readme, with what each program says.
"""

import argparse
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import venv

TOP = pathlib.Path(__file__).resolve().parents[1]
BITBULLY = "bitbully==0.0.79"
ASKED = "from bitbully import BitBully, Board; print(BitBully(opening_book=None).{})"
# `Solver::new` has an opening book.
CRATE = 'connect-four-ai = "=1.0.0"'
MAIN = """use connect_four_ai::{Position, Solver};
fn main() { println!("{}", Solver::empty().solve(&Position::new())); }
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--foregone", default=TOP / "target/dist/foregone")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        venv.create(folder / "python", with_pip=True)
        python = folder / "python/bin/python"
        run(python, "-m", "pip", "install", "--quiet", BITBULLY)
        (folder / "rust/src").mkdir(parents=True)
        (folder / "rust/src/main.rs").write_text(MAIN)
        manifest = f'[package]\nname = "rust"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n{CRATE}\n'
        (folder / "rust/Cargo.toml").write_text(manifest)
        run("cargo", "build", "--quiet", "--release", "--manifest-path", folder / "rust/Cargo.toml")

        def foregone(game):
            asked = ["--method", "search", "--value-only", "--threads", "1"]
            return [given.foregone, "solve", game, *asked]

        jobs = [
            ("Connect Four 7x6, exact score", {
                "Foregone": foregone("connect-four(score=stones)"),
                BITBULLY: [python, "-c", ASKED.format("mtdf(Board())")],
                CRATE: [folder / "rust/target/release/rust"],
            }),
            ("Connect Four 7x6, win or draw", {
                "Foregone": foregone("connect-four"),
                BITBULLY: [python, "-c", ASKED.format("negamax(Board(), 0, 1)")],
            }),
        ]
        print("| job | program | user CPU | says |\n| --- | --- | --- | --- |")
        for job, programs in jobs:
            for name, command in programs.items():
                times, said = [], None
                for _ in range(given.runs):
                    said, seconds = run(*command)
                    times.append(seconds)
                says = " ".join(said.strip().splitlines()[-1].split())
                print(f"| {job} | `{name}` | {statistics.median(times):.1f} s | {says} |", flush=True)


def run(*command):
    """What a program prints, and its user CPU time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stderr}")
    return done.stdout, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


main()
