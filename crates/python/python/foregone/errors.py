"""The exceptions of this package. All of them are a ForegoneError."""


class ForegoneError(Exception):
    """An error of this package."""


class InvalidInput(ForegoneError, ValueError):
    """A text or an argument is wrong. The message says what was expected."""


class MemoryLimit(ForegoneError, MemoryError):
    """More memory is needed than allowed."""


class TimeLimit(ForegoneError, TimeoutError):
    """The time was up."""


class PositionLimit(ForegoneError):
    """More positions can arise than allowed, or a line of play is too long."""


class Loops(ForegoneError):
    """Play can repeat a position, and the method cannot handle that."""


class DamagedFile(ForegoneError, OSError):
    """A file is damaged, or does not belong to the game."""


class UnsoundKey(ForegoneError):
    """Two positions have the same key and different futures. `histories` leads to both."""

    def __init__(self, message: str, histories: object = None) -> None:
        super().__init__(message)
        self.histories = histories
