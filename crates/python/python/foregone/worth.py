"""What a position is worth."""

from typing import NamedTuple


class Worth(NamedTuple):
    """The value for the side to move; the plies to the end; whether perfect play never ends.

    The distance is None if play never ends, or if it is not known, as in tables without distances.
    """

    value: int
    distance: int | None = None
    endless: bool = False
