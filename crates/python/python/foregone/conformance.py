"""What is wrong with a game of one's own, in words."""

from __future__ import annotations

import operator
from collections import deque

from .errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any

# More lines would say the same.
_MOST_PROBLEMS = 20

# The largest outcome that can be solved.
_LARGEST = 2**30 - 1


def conform(game: Any, *, key: Callable[[Any], Hashable] | None = None, positions: int = 2_000) -> list[str]:
    """What is wrong with a game, in words; an empty list if nothing was found.

    Looks at up to so many positions, breadth first: are states hashable and left alone, do the same questions have the
    same answers, are turns, outcomes and moves what they should be? With a `key`, also: do states with the same key
    have the same turn and outcome, and moves to the same keys?

    >>> class Sticks:
    ...     def start(self): return (5, 0)
    ...     def turn(self, state): return state[1]
    ...     def outcome(self, state): return None if state[0] > 0 else 0
    ...     def moves(self, state): return [1, 2, 3]
    ...     def play(self, state, move): return (state[0] - move, 1 - state[1])
    >>> conform(Sticks())
    []
    """
    if positions < 1:
        raise InvalidInput(f"found {positions} positions, expected at least 1")
    expands = hasattr(game, "expand")
    needed = ("start", "expand") if expands else ("start", "turn", "outcome", "moves", "play")
    missing = [name for name in needed if not hasattr(game, name)]
    if missing:
        return [f"it has no {', '.join(missing)}"]
    return _Checker(game, _expanded if expands else _by_rules, key).problems_of(positions)


class _Wrong(Exception):
    """What is wrong at a state."""


class _Checker:
    def __init__(self, game: Any, look: Callable[[Any, Any], _Facts], key: Callable[[Any], Hashable] | None) -> None:
        self.game = game
        self.look = look
        self.key = key
        self.problems: list[str] = []
        # A state for each key, with its facts.
        self.merged: dict[Hashable, tuple[Any, _Facts]] = {}

    def problems_of(self, positions: int) -> list[str]:
        start = self.game.start
        try:
            queue = deque([_asked("start", start) if callable(start) else start])
        except _Wrong as wrong:
            return [str(wrong)]
        found: set[Hashable] = set()
        while queue and len(found) < positions and len(self.problems) < _MOST_PROBLEMS:
            state = queue.popleft()
            try:
                if _identity(state)[0] in found:
                    continue
                found.add(_identity(state)[0])
                queue.extend(self.next_states(state))
            except _Wrong as wrong:
                line = f"at the state {_shown(state)}: {wrong}"
                if line not in self.problems:
                    self.problems.append(line)
        return self.problems

    def next_states(self, state: Any) -> list[Any]:
        before = _identity(state)
        facts = self.look(self.game, state)
        turn, outcome, children = facts
        if _index(turn) not in (0, 1):
            raise _Wrong(f"the turn is {turn!r}, expected 0 or 1")
        whole = 0 if outcome is None else _whole(outcome)
        if whole is None:
            raise _Wrong(f"the outcome is {outcome!r}, expected a whole number or None")
        if abs(whole) > _LARGEST:
            raise _Wrong(f"the outcome is {outcome!r}, expected a number from -{_LARGEST} to {_LARGEST}")
        if _identity(state) != before:
            raise _Wrong("its functions change the state itself")
        if not _same(facts, self.look(self.game, state)):
            raise _Wrong("its functions give other answers when they are asked again")
        if self.key is not None:
            self.check_key(state, facts)
        if outcome is None and not children:
            raise _Wrong("the game is not over, but there is no move")
        return children if outcome is None else []

    def check_key(self, state: Any, facts: _Facts) -> None:
        assert self.key is not None
        key = self.key_of(state)
        if key != key:
            raise _Wrong(f"its key is {key!r}, which does not equal itself")
        other, known = self.merged.setdefault(key, (state, facts))
        keys = [{self.key_of(child) for child in children} for (_, _, children) in (facts, known)]
        if not (_same(facts[:2], known[:2]) and keys[0] == keys[1]):
            raise _Wrong(f"it has the key of {_shown(other)}, but another turn, another outcome, or moves to other keys")

    def key_of(self, state: Any) -> Hashable:
        assert self.key is not None
        key: Hashable = _asked("key", self.key, state)
        try:
            hash(key)
        except TypeError as error:
            raise _Wrong(f"its key is {key!r:.200}: {error}; keys must be hashable") from None
        return key


if TYPE_CHECKING:
    # The turn, the outcome, and the next states.
    _Facts = tuple[Any, Any, list[Any]]


def _by_rules(game: Any, state: Any) -> _Facts:
    turn, outcome = _asked("turn", game.turn, state), _asked("outcome", game.outcome, state)
    if outcome is not None:
        return turn, outcome, []
    moves = _list("moves", game.moves, state)
    if not _same(moves, _list("moves", game.moves, state)):
        raise _Wrong("moves gives other moves when it is asked again")
    if _has_twins(moves):
        raise _Wrong("a move is there twice")
    before = _identity(state)
    children = []
    for move in moves:
        children.append(_asked("play", game.play, state, move))
        if _identity(state) != before:
            raise _Wrong(f"play changes the state itself for the move {move!r}")
    return turn, None, children


def _expanded(game: Any, state: Any) -> _Facts:
    expanded = _asked("expand", game.expand, state)
    if not isinstance(expanded, tuple) or len(expanded) != 3:
        raise _Wrong(f"expand gives {expanded!r:.200}, expected a tuple: the turn, the outcome or None, and the next states")
    turn, outcome, children = expanded
    return turn, outcome, [] if outcome is not None else _list("expand", lambda _: children, state)


def _asked(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except Exception as error:
        raise _Wrong(f"{name} raises {type(error).__name__}: {error}") from error


def _list(name: str, function: Callable[..., Any], state: Any) -> list[Any]:
    given = _asked(name, function, state)
    try:
        return list(given)
    except TypeError:
        raise _Wrong(f"{name} gives {given!r:.200}, expected a list") from None


def _identity(state: Any) -> tuple[Hashable, str]:
    """The state, if it can be hashed, and what it looks like."""
    try:
        hash(state)
    except TypeError as error:
        raise _Wrong(f"{error}; states must be hashable: a tuple or a string, for example") from None
    return state, _shown(state)


def _shown(state: Any) -> str:
    try:
        return f"{state!r:.200}"
    except Exception as error:
        return f"<{type(state).__name__}, whose repr raises {type(error).__name__}>"


def _same(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except (TypeError, ValueError):
        # Arrays are not equal as a whole.
        return repr(one) == repr(other)


def _has_twins(moves: list[Any]) -> bool:
    try:
        return len(set(moves)) < len(moves)
    except TypeError:
        return any(_same(move, other) for at, move in enumerate(moves) for other in moves[:at])


def _index(value: Any) -> int | None:
    try:
        return operator.index(value)
    except TypeError:
        return None


def _whole(value: Any) -> int | None:
    whole = _index(value)
    return int(value) if whole is None and isinstance(value, float) and value.is_integer() else whole
