#!/usr/bin/env python3
"""A class at its screens: pupils play against the computer with hints, each on an address of its own.

python3 crates/cli/benches/lesson.py PROGRAM [GAME ...] [--pupils 30] [--minutes 2] [--pause 10]

Each pupil makes a random move, waits for the computer's move and the values of all moves, looks at them for a while
(--pause seconds in the mean), and goes on. Prints a row of a table for each game: how long they waited.
"""

import argparse
import contextlib
import html
import http.client
import random
import re
import subprocess
import threading
import time

GAMES = ["tic-tac-toe", "connect-four", "kalah", "nine-mens-morris"]


class Pupil(threading.Thread):
    def __init__(self, port, number, game, until, pause):
        super().__init__()
        self.game, self.until, self.pause = game, until, pause
        self.dice = random.Random(number)
        self.address = f"10.0.{number // 250}.{number % 250 + 1}"
        self.server = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.waits, self.failed = [], 0

    def asked(self, path):
        """The answer; on a new connection if the server has closed the idle one, as browsers do."""
        for retries in (1, 0):
            try:
                self.server.request("GET", path, headers={"X-Forwarded-For": self.address})
                return self.server.getresponse()
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                self.server.close()
                if not retries:
                    raise

    def get(self, path):
        """The page of an address, after redirects."""
        for _ in range(20):
            answer = self.asked(path)
            body = answer.read().decode()
            if answer.status >= 400:
                raise RuntimeError(f"{path}: status {answer.status}")
            if answer.status not in (301, 302, 303, 307, 308):
                return body
            path = "/" + answer.getheader("Location").split("/")[-1]
        raise RuntimeError("too many redirects")

    def settled(self, page):
        """The page when nothing is missing any more."""
        while waiting := re.search(r'id="waiting" hx-get="([^"]*)"', page):
            page = self.get("/" + html.unescape(waiting[1]))
        return page

    def run(self):
        start = f"/play.html?game={self.game}&hints=on"
        page = self.settled(self.get(start))
        while time.time() < self.until:
            time.sleep(self.dice.expovariate(1 / self.pause))
            listed = re.search(r'<ul class="moves">.*?</ul>', page, re.S)
            moves = re.findall(r'href="([^"]*)"', listed[0]) if listed else []
            begun = time.time()
            try:
                page = self.settled(self.get("/" + html.unescape(self.dice.choice(moves)) if moves else start))
            except (OSError, http.client.HTTPException, RuntimeError):
                self.failed += 1
                self.server.close()
                continue
            self.waits.append(time.time() - begun)


@contextlib.contextmanager
def served(program, options=()):
    """The port of a server that runs meanwhile."""
    command = [program, "serve", "--port", "0", "--rate", "0", "--trusted-proxy", "127.0.0.1", *options]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield next(int(found[1]) for line in server.stdout if (found := re.search(r":(\d+)", line)))
    finally:
        server.terminate()


def lesson(program, game, asked):
    with served(program) as port:
        until = time.time() + 60 * asked.minutes
        pupils = [Pupil(port, number, game, until, asked.pause) for number in range(asked.pupils)]
        for pupil in pupils:
            pupil.start()
        for pupil in pupils:
            pupil.join()
    waits = sorted(wait for pupil in pupils for wait in pupil.waits)
    failed = sum(pupil.failed for pupil in pupils)
    part = lambda share: waits[min(len(waits) - 1, int(share * len(waits)))]
    print(f"| {game} | {len(waits)} | {part(0.5):.2f} s | {part(0.95):.2f} s | {part(1):.2f} s | {failed} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--pupils", type=int, default=30)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--pause", type=float, default=10)
    asked = parser.parse_args()
    print("| game | answers | median | 95 % | longest | failed |")
    print("| --- | --- | --- | --- | --- | --- |")
    for game in asked.games:
        lesson(asked.program, game, asked)
