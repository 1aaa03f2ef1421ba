"""The golden files of the command line hold for `python -m foregone`, too."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
FILES = sorted((ROOT / "crates/cli/tests/cmd").glob("*.trycmd"))


def cases(text):
    """The commands of a file, with the status and the output that are expected."""
    for block in re.findall(r"^```(?:console)?\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for case in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = case.partition("\n")
            status = re.match(r"\? (\S+)\n", expected)
            yield command, status[1] if status else "success", expected[status.end() :] if status else expected


def pattern(expected):
    """`[..]` stands for a part of a line, `...` for any number of lines."""
    lines = []
    for line in expected.rstrip("\n").split("\n"):
        part = ".*?".join(map(re.escape, re.split(r"\[\.\.\]|\[EXE\]", line)))
        lines.append(r"(?:[^\n]*\n)*?" if line == "..." else part + r"\n")
    return re.compile("".join(lines))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_command_line_prints_what_it_should(file, tmp_path):
    before = file.with_suffix(".in")
    here = tmp_path / "here"
    shutil.copytree(before, here) if before.exists() else here.mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path)), "COLUMNS": "80"}
    count = 0
    for command, status, expected in cases(file.read_text()):
        name, *arguments = shlex.split(command)
        assert name == "foregone"
        run = subprocess.run(
            [sys.executable, "-m", "foregone", *arguments],
            cwd=here,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        # The files have slashes for backslashes.
        found = run.stdout.replace("\\", "/").rstrip("\n") + "\n"
        ended = {"success": run.returncode == 0, "failed": run.returncode != 0}
        assert ended.get(status, str(run.returncode) == status), (command, found)
        assert pattern(expected).fullmatch(found), (command, found)
        count += 1
    assert count > 0
