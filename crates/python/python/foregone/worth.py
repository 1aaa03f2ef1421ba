"""What a position is worth."""

from collections import namedtuple


class Worth(namedtuple("Worth", ("value", "distance", "endless"), defaults=(None, False))):
    """The value for the side to move; the plies to the end; whether perfect play never ends.

    The distance is None if play never ends, or if it is not known, as in tables without distances.
    """

    __slots__ = ()
