"""Runs everything at once for long, and shows whether memory or descriptors grow.

    cargo build --profile dist
    python3 crates/cli/benches/soak.py --minutes 30 --fuzz --output target/soak

Four loops run side by side until the time is over: visitors of a page's server, among them one who asks hard
questions; a table that is built, killed and resumed until it is complete, and then checked; proofs that are made and
checked, by the program and by its independent checker; with --fuzz the fuzzers, one after the other. The server's
memory and descriptors are measured every few seconds. At the end there is a chart (soak.svg), all measurements
(soak.csv) and a summary; the exit code is 1 if anything failed.

It needs nothing but Python and Linux, and asks only the server that it has started, on this machine.
"""

import argparse
import collections
import csv
import http.client
import json
import os
import pathlib
import random
import re
import signal
import statistics
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]

# What visitors ask for: pages of several kinds, pictures of boards, the API.
EASY = [
    "/",
    "/play.html?game=tic-tac-toe&moves=5,1,9&hints=on",
    "/play.html?game=kalah(pits=4,stones=3)&moves=2&hints=on",
    "/play.html?game=connect-four(columns=5,rows=4)&hints=on",
    "/play.html?game=fox-and-hounds",
    "/play.html?game=quantum-tic-tac-toe",
    "/learn.html?lesson=alpha-beta",
    "/tree.html?game=tic-tac-toe&moves=5,1,9,2",
    "/api/v1/solve?game=tic-tac-toe&moves=5",
    "/api/v1/show?game=kalah&moves=3",
]
HARD = [
    "/api/v1/solve?game=connect-four(columns=8,rows=7)",
    "/api/v1/solve?game=kalah(pits=8,stones=12)",
    "/tree.html?game=connect-four(columns=8,rows=7)&depth=6",
]

PROOFS = ["fox-and-hounds", "kalah(pits=4,stones=3)", "connect-four(columns=5,rows=4)", "quantum-tic-tac-toe"]
TABLE = "kalah(pits=4,stones=3)"


class Soak:
    """What the loops share: the time that is left, failures, counts."""

    def __init__(self, options):
        self.options = options
        self.end = time.monotonic() + options.minutes * 60
        self.failures = []
        self.counts = collections.Counter()
        self.seconds = []
        self.lock = threading.Lock()

    def going(self):
        return time.monotonic() < self.end

    def count(self, what, more=1):
        with self.lock:
            self.counts[what] += more

    def fail(self, what):
        with self.lock:
            self.failures.append(what)
        print(f"FAILED: {what}", file=sys.stderr, flush=True)

    def run(self, *command, **more):
        """Runs a command to its end; `None` and a failure if it does not end well."""
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **more)
        if done.returncode != 0:
            self.fail(f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr[-400:]}")
            return None
        return done.stdout


class Server:
    """`foregone serve` on a free port."""

    def __init__(self, program):
        command = [program, "serve", "--port", "0", "--rate", "0", "--trusted-proxy", "127.0.0.1"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)", line).group(1))
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def ask(self, connection, path, visitor):
        path = path.replace("(", "%28").replace(")", "%29").replace(",", "%2C")
        connection.request("GET", path, headers={"X-Forwarded-For": visitor})
        answer = connection.getresponse()
        return answer.status, answer.read()

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def memory(self):
        """Resident memory in bytes, and open descriptors."""
        folder = pathlib.Path(f"/proc/{self.process.pid}")
        status = (folder / "status").read_text()
        kilobytes = int(re.search(r"VmRSS:\s+(\d+)", status).group(1))
        return kilobytes * 1024, len(list((folder / "fd").iterdir()))

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)


def visit(soak, server, number):
    """One visitor on one connection, two requests a second in the mean."""
    visitor = f"10.0.{number // 250}.{number % 250 + 1}"
    dice = random.Random(number)
    connection = server.connect()
    while soak.going():
        path = dice.choice(EASY)
        begun = time.monotonic()
        try:
            status, _ = server.ask(connection, path, visitor)
        except (OSError, http.client.HTTPException) as error:
            soak.fail(f"{path}: {error!r}")
            connection.close()
            connection = server.connect()
            continue
        with soak.lock:
            soak.seconds.append(time.monotonic() - begun)
            soak.counts["answers"] += 1
        # 303: the computer has answered, and the page with its move comes next.
        if status not in (200, 303):
            soak.fail(f"{path}: status {status}")
        time.sleep(dice.expovariate(2))


def ask_hard(soak, server):
    """A visitor whose questions take all the time that they are given."""
    connection = server.connect()
    for turn in range(10**9):
        if not soak.going():
            return
        status, _ = server.ask(connection, HARD[turn % len(HARD)], "10.9.9.9")
        # A question may be refused while the one before is worked on.
        if status not in (200, 429, 503):
            soak.fail(f"{HARD[turn % len(HARD)]}: status {status}")
        soak.count("hard questions")
        time.sleep(4)


def build_and_kill(soak, folder):
    """Builds a table, kills it at a random time, goes on, until it is complete; checks it; begins anew."""
    dice = random.Random(1)
    table = folder / "killed.table"
    first = None
    while soak.going():
        kills = 0
        while True:
            process = subprocess.Popen(
                [soak.options.program, "table", "build", TABLE, "-o", table],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            try:
                _, errors = process.communicate(timeout=dice.uniform(0.1, 4))
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                kills += 1
                if table.exists():
                    break
                continue
            if process.returncode != 0:
                soak.fail(f"table build: exit {process.returncode}: {errors[-400:]}")
                return
            break
        soak.count("kills", kills)
        soak.count("tables")
        soak.run(soak.options.program, "table", "verify", table)
        content = table.read_bytes()
        if first is not None and content != first:
            soak.fail("a table that was killed and resumed differs from the first")
        first = content
        table.unlink()


def prove_and_check(soak, folder):
    """Makes proofs, and has each checked twice."""
    for turn in range(10**9):
        if not soak.going():
            return
        proof = folder / "made.proof"
        made = soak.run(soak.options.program, "prove", PROOFS[turn % len(PROOFS)], "-o", proof, "--force")
        if made is not None:
            soak.run(soak.options.checker, proof)
            soak.count("proofs")


def fuzz(soak, folder):
    """Each fuzzer for two minutes, one after the other, from the corpus that is kept; new inputs go elsewhere."""
    names = sorted(path.stem for path in (ROOT / "fuzz/fuzz_targets").glob("*.rs"))
    more = {**os.environ, "RUSTC_BOOTSTRAP": "1", "CARGO_PROFILE_RELEASE_OPT_LEVEL": "1"}
    for turn in range(10**9):
        left = int(min(120, soak.end - time.monotonic()))
        if left < 10:
            return
        name = names[turn % len(names)]
        found = folder / "found" / name
        found.mkdir(parents=True, exist_ok=True)
        command = ["cargo", "fuzz", "run", "--sanitizer", "none", "--codegen-units", "16", name]
        limits = [f"-max_total_time={left}", "-rss_limit_mb=1024", "-max_len=4096"]
        soak.run(*command, found, ROOT / "fuzz/corpus" / name, "--", *limits, cwd=ROOT, env=more)
        soak.count("fuzzers")


def measure(soak, server, rows):
    begun = time.monotonic()
    while soak.going():
        memory, files = server.memory()
        rows.append((time.monotonic() - begun, memory, files))
        time.sleep(soak.options.every)


def chart(rows, minutes):
    """Memory and descriptors over time, as SVG."""
    height, left, width = 170, 50, 560
    top = max(10, -(-max(memory for _, memory, _ in rows) // 10**6 // 50) * 50)
    most = max(100, max(files for *_, files in rows))
    length = rows[-1][0]

    def line(values, scale, name):
        points = " ".join(
            f"{left + width * at / length:.1f},{190 - height * value / scale:.1f}"
            for (at, _, _), value in zip(rows, values)
        )
        return f'<polyline class="{name}" points="{points}"/>'

    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 220" role="img">',
        f"<title>Memory and descriptors of the server over {minutes:g} minutes</title>",
        "<style>text{font:12px system-ui,sans-serif;fill:#5c5245}polyline{fill:none;stroke-width:2}"
        ".memory{stroke:#0b6fa4}.files{stroke:#c4571a}line{stroke:#ddd5c7}</style>",
    ]
    for part in range(6):
        y = 190 - height * part / 5
        out.append(f'<line x1="{left}" x2="{left + width}" y1="{y:.0f}" y2="{y:.0f}"/>')
        out.append(f'<text x="8" y="{y + 4:.0f}">{top * part / 5:.0f}</text>')
        out.append(f'<text x="{left + width + 8}" y="{y + 4:.0f}">{most * part / 5:.0f}</text>')
    out.append(line([memory / 10**6 for _, memory, _ in rows], top, "memory"))
    out.append(line([files for *_, files in rows], most, "files"))
    out.append(f'<text x="{left}" y="210">memory in MB (blue, left), descriptors (orange, right), {minutes:g} minutes</text>')
    return "\n".join(out) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30, help="how long it takes (default 30)")
    parser.add_argument("--visitors", type=int, default=40, help="visitors at the same time (default 40)")
    parser.add_argument("--every", type=float, default=5, help="seconds between measurements (default 5)")
    parser.add_argument("--fuzz", action="store_true", help="run the fuzzers too (needs cargo-fuzz)")
    parser.add_argument("--program", default=ROOT / "target/dist/foregone", help="the program")
    parser.add_argument("--checker", default=ROOT / "target/dist/foregone-check", help="the independent checker")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "target/soak", help="the folder of results")
    options = parser.parse_args()
    folder = options.output.resolve()
    folder.mkdir(parents=True, exist_ok=True)

    server = Server(options.program)
    soak = Soak(options)
    rows = []
    loops = [(visit, (soak, server, number)) for number in range(options.visitors)]
    loops += [(ask_hard, (soak, server)), (build_and_kill, (soak, folder)), (prove_and_check, (soak, folder))]
    loops += [(measure, (soak, server, rows))] + ([(fuzz, (soak, folder))] if options.fuzz else [])

    def guarded(loop, arguments):
        try:
            loop(*arguments)
        except Exception as error:
            soak.fail(f"{loop.__name__}: {error!r}")

    threads = [threading.Thread(target=guarded, args=loop) for loop in loops]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    connection = server.connect()
    status, _ = server.ask(connection, "/healthz", "10.0.0.1")
    connection.close()
    if status != 200:
        soak.fail(f"/healthz: status {status}")
    if (code := server.stop()) != 0:
        soak.fail(f"the server ends with exit {code}")

    with open(folder / "soak.csv", "w", newline="") as file:
        csv.writer(file).writerows([("seconds", "memory", "descriptors"), *rows])
    (folder / "soak.svg").write_text(chart(rows, options.minutes))
    tenth = max(1, len(rows) // 10)
    cuts = statistics.quantiles(soak.seconds, n=100)
    print(
        json.dumps(
            {
                **soak.counts,
                "median ms": round(cuts[49] * 1000, 1),
                "p99 ms": round(cuts[98] * 1000, 1),
                "memory MB, by tenths of the time": [
                    round(statistics.median(memory for _, memory, _ in rows[i : i + tenth]) / 10**6)
                    for i in range(0, len(rows), tenth)
                ],
                "most MB": round(max(memory for _, memory, _ in rows) / 10**6),
                "descriptors": [min(files for *_, files in rows), max(files for *_, files in rows)],
                "failures": len(soak.failures),
            },
            indent=1,
        )
    )
    sys.exit(1 if soak.failures else 0)


if __name__ == "__main__":
    main()
