"""The command line: `python -m foregone solve tic-tac-toe`."""

import sys

from ._foregone import command


def main() -> int:
    """Runs the command with the arguments of this process; its exit status."""
    return command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
