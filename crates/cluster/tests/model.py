"""Holds the model of `foregone table plan` against real builds by 2, 4 and 8 processes on one machine, and asks it
about 64 and 1,024: bytes sent a number, and how much more than its part the busiest process solves in all waves.

    python3 crates/cluster/tests/model.py [foregone]
"""
import json
import os
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "foregone"
TABLES = [("connect-four(columns=5,rows=4)", 21), ("fox-and-hounds(size=8)", 100),
          ("kalah(pits=6,stones=4)", 16), ("nine-mens-morris", 12)]


def run(*args):
    command = [PROGRAM, "table", *map(str, args), "--json"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def row(game, layers, machines, folder):
    plan = run("plan", game, "--layers", layers, "--machines", machines, "--time", "20s")
    model = plan["sent"] / plan["numbers"]
    uneven = 1 + plan["uneven"] / plan["work"]
    sent = most = "-"
    if machines <= 8:
        file = os.path.join(folder, "it.table")
        built = run("build", game, "--layers", layers, "-o", file, "--force", "--processes", machines)
        sent = f'{sum(each["sent"] for each in built["processes"]) / built["numbers"]:.2f}'
        each = [each["numbers"] for each in built["processes"]]
        most = f"{max(each) * machines / sum(each):.3f}"
    return f"| {game} | {machines} | {sent} | {model:.2f} | {most} | {uneven:.3f} |"


print("| table | machines | bytes a number | model | busiest | model, wave by wave |")
print("| --- | --- | --- | --- | --- | --- |")
with tempfile.TemporaryDirectory() as folder:
    for game, layers in TABLES:
        for machines in (2, 4, 8, 64, 1024):
            print(row(game, layers, machines, folder), flush=True)
