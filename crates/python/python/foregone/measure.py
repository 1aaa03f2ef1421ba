"""Agents measured against perfect play. What goes wrong is data: illegal replies, exceptions, positions that nobody can
solve in time. Every reply is a row, and every share has its interval of 95 % (Wilson 1927)."""

from __future__ import annotations

import math
import operator
import re
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple, SupportsIndex

from . import _foregone
from .errors import InvalidInput, TimeLimit
from .learning import player, sample
from .progress import listener

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from ._foregone import Answer, Game, Position, Table

    Agent = Callable[..., Any]
    Parse = Callable[[Any, Position], "str | None"]
    Progress = Callable[[str, int, "int | None"], object]

__all__ = ["Comparison", "Evaluation", "Reply", "Share", "compare", "evaluate", "find_move", "interval"]

#: What `Reply.error` says of a reply that is no legal move.
NO_MOVE = "no legal move"

#: How hard it is to find a move that keeps the value: every move does, else at least half of them, fewer, or one alone.
LEVELS = ("free", "easy", "hard", "only")


class Share(NamedTuple):
    """A part of a whole, from 0 to 1, with its interval of 95 %."""

    part: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.part:.0%} ({self.low:.0%} to {self.high:.0%})"


def interval(count: int, total: int) -> Share:
    """The share `count` of `total`, with its interval of 95 % by Wilson's formula (1927).

    >>> print(interval(8, 10))
    80% (49% to 94%)
    """
    if total == 0:
        return Share(0.0, 0.0, 1.0)
    z, part = 1.959964, count / total
    middle = part + z * z / (2 * total)
    reach = z * ((part * (1 - part) + z * z / (4 * total)) / total) ** 0.5
    scale = 1 + z * z / total
    return Share(part, max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale))


class Reply(NamedTuple):
    """What an agent replied at a position, and what it was worth.

    `ply` is the number of moves before the position, None if it was given without them; `difficulty` one of `LEVELS`.
    `reply` is what the agent gave, the last time it was asked; `legal` the move it means, or None; `asked` how often it was asked. `value` of the position for
    its mover, and the moves that are `best`, distance included. `lost` is the value that the move threw away, and
    `plies_lost` how many plies sooner it loses, or later it wins or draws, than the best (None where no distances are known,
    or the value was lost). `chance` is the part of the legal moves that keep the value: what a random move would do.
    `error` says what went wrong, or is None. `seconds` are those of the agent.
    """

    position: Position
    ply: int | None
    difficulty: str
    reply: Any
    legal: str | None
    asked: int
    value: int
    best: tuple[str, ...]
    lost: int | None
    plies_lost: int | None
    chance: float
    error: str | None
    seconds: float

    @property
    def kept(self) -> bool:
        """Whether the move keeps the value of the position; an illegal one does not."""
        return self.legal is not None and self.lost == 0


@dataclass(frozen=True, repr=False)
class Evaluation:
    """How an agent plays, against perfect play: a row for each position whose value is known, and how many others there are."""

    #: The game, with its parameters.
    game: str
    #: One reply for each position that is known.
    rows: tuple[Reply, ...]
    #: Positions that were not solved in time; the agent was not asked about them.
    unknown: int = 0
    #: Whether Ctrl-C ended it; then there are fewer rows.
    stopped: bool = False

    @property
    def positions(self) -> int:
        """How many positions the agent was asked about."""
        return len(self.rows)

    @property
    def kept(self) -> float:
        """The part of the positions, 0 to 1, in which its move kept the value."""
        return _share(self.rows, lambda row: row.kept).part

    @property
    def best(self) -> float:
        """The part of the positions in which its move was among the best, distance included."""
        return _share(self.rows, _is_best).part

    @property
    def lost(self) -> float:
        """The value that it lost a position, in the mean of those where that is known; not a number if there are none."""
        lost = [row.lost for row in self.rows if row.lost is not None]
        return sum(lost) / len(lost) if lost else math.nan

    @property
    def illegal(self) -> int:
        """How many replies were no legal move, exceptions included."""
        return sum(row.legal is None for row in self.rows)

    @property
    def failed(self) -> int:
        """In how many positions there was an exception instead of a reply."""
        return sum(row.error not in (None, NO_MOVE) for row in self.rows)

    @property
    def chance(self) -> float:
        """The part of the positions in which a random move would have kept the value: exact, not played."""
        return sum(row.chance for row in self.rows) / max(1, len(self.rows))

    @property
    def worst(self) -> Reply | None:
        """The reply that lost most; None if none lost anything."""
        worst = max(self.rows, key=lambda row: row.lost or 0, default=None)
        return worst if worst is not None and worst.lost else None

    def by(self, what: str | Callable[[Reply], Any]) -> dict[Any, Share]:
        """The share of positions in which the value was kept, by a field of the rows, such as "ply" or "difficulty", or by
        a function of a row; numbers in their order, others as they come."""
        key = what if callable(what) else lambda row: getattr(row, what)
        groups: dict[Any, list[Reply]] = {}
        for row in self.rows:
            groups.setdefault(key(row), []).append(row)
        names = list(groups)
        if what == "difficulty":
            names.sort(key=LEVELS.index)
        elif all(isinstance(name, (int, float)) for name in names):
            names.sort()
        return {name: _share(groups[name], lambda row: row.kept) for name in names}

    def _table(self) -> list[list[str]]:
        lines = [("all", self.rows)]
        for level in LEVELS:
            lines.append((level, tuple(row for row in self.rows if row.difficulty == level)))
        longest = max((row.ply for row in self.rows if row.ply is not None), default=0)
        step = max(1, (longest + 6) // 6)
        for first in range(0, longest + 1, step):
            name = f"plies {first} to {first + step - 1}" if step > 1 else f"ply {first}"
            lines.append((name, tuple(row for row in self.rows if row.ply in range(first, first + step))))
        table = [["", "positions", "value kept", "best move", "lost", "illegal", "of these failed"]]
        for name, rows in lines:
            if not rows:
                continue
            some = Evaluation(self.game, rows)
            kept, best = _share(rows, lambda row: row.kept), _share(rows, _is_best)
            lost = "-" if math.isnan(some.lost) else f"{some.lost:.2f}"
            counts = [f"{some.illegal:,}", f"{some.failed:,}"]
            table.append([name, f"{len(rows):,}", str(kept), str(best), lost, *counts])
        return table if self.failed else [row[:-1] for row in table]

    def _title(self) -> str:
        stopped = ", stopped" if self.stopped else ""
        unknown = f", {self.unknown:,} more not solved in time" if self.unknown else ""
        return f"{self.game}: {self.positions:,} positions{unknown}{stopped}"

    def summary(self) -> str:
        """A table in plain text: all positions, then by difficulty and by ply."""
        return f"{self._title()}\n{_columns(self._table())}\nA random move keeps the value in {self.chance:.0%}."

    def markdown(self) -> str:
        """The table in Markdown, to publish."""
        return f"{self._title()}\n\n{_markdown(self._table())}\n\nA random move keeps the value in {self.chance:.0%}."

    def to_pandas(self) -> Any:
        """The rows as a pandas data frame, with positions as text, and whether the reply kept the value."""
        import pandas

        rows = [{**row._asdict(), "position": str(row.position), "kept": row.kept} for row in self.rows]
        return pandas.DataFrame(rows, columns=[*Reply._fields, "kept"])

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        kept = _share(self.rows, lambda row: row.kept)
        return f"<Evaluation of {self.positions} positions of {self.game}: value kept {kept}, {self.illegal} illegal>"


def _share(rows: Sequence[Reply], is_so: Callable[[Reply], bool]) -> Share:
    return interval(sum(map(is_so, rows)), len(rows))


def _is_best(row: Reply) -> bool:
    return row.legal in row.best


def _columns(table: list[list[str]]) -> str:
    """Columns of text, the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table)]
    lines = []
    for first, *others in table:
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:]))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _markdown(table: list[list[str]]) -> str:
    """The table in Markdown; no sign of a name ends a cell or a line."""
    head, *rows = [[cell.replace("|", r"\|").replace("\n", " ") for cell in row] for row in table]
    line = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, line, *rows))


def find_move(text: str | None, position: Position) -> str | None:
    """The legal move that a free text names: the one right after "move:" or "answer:", the last if there are several; without
    these words, the only one that is named.

    For `parse=`, so that a language model may think aloud. None if there is no legal move there, or there are several. It
    does not understand the text: "never play 5" names 5, so ask for "Move: ...".

    >>> import foregone
    >>> start = foregone.game("tic-tac-toe").start
    >>> find_move("The centre is best. Move: **5**", start), find_move("5 or 7, I think", start)
    ('5', None)
    >>> find_move("Move: 3. On second thought, my move is 5. That move is best.", start)
    '5'
    """
    # The content of a completion may be missing.
    text = text or ""
    # People and models write dashes of other kinds, and spaces around them.
    text = re.sub(r"(?<=\w)\s*[-\u2010-\u2015]\s*(?=\w)", "-", text)
    marked = re.split(r"(?i)\b(?:move|answer)(?: is)?\s*:|\b(?:move|answer) is\b", text)
    if len(marked) == 1:
        return _named(text, position, first=False)
    return next(filter(None, (_named(part, position, first=True) for part in reversed(marked[1:]))), None)


def _named(text: str, position: Position, first: bool) -> str | None:
    """The legal move with which a text begins, signs aside, or the only one in it."""
    longest_first = sorted(position.moves, key=len, reverse=True)
    pattern = "|".join(rf"(?<!\w){re.escape(move)}(?![-./]?\w)" for move in longest_first)
    pattern = rf"^\W*({pattern})" if first else pattern
    cases = [re.findall(pattern, text, flags) for flags in (0, re.IGNORECASE)]
    by_case = {move.lower(): move for move in longest_first}
    for found in cases:
        named: list[str] = list(dict.fromkeys(by_case.get(move.lower(), move) for move in found))
        if len(named) == 1:
            return named[0]
    return None


class _Truth(NamedTuple):
    """A position with the answer to it."""

    position: Position
    answer: Answer


def _truths(
    game: Game,
    wanted: int | Iterable[Position | str],
    seed: int,
    table: Table | None,
    seconds: float | None,
    threads: int,
    told: Progress,
) -> tuple[list[_Truth], int]:
    """Positions with their answers, and how many others are not solved in the time."""
    if threads < 1:
        raise ValueError(f"found workers={threads}, expected at least 1")
    if isinstance(wanted, SupportsIndex):
        count = operator.index(wanted)
        if count < 1:
            raise ValueError(f"found positions={count}, expected at least 1")
        positions = list(sample(game, count, seed=seed))
        if not positions:
            raise ValueError("found no position with a choice of moves")
    elif isinstance(wanted, str):
        raise TypeError("found one position as text, expected a list of positions, or their number")
    else:
        given = [game.position(each) if isinstance(each, str) else each for each in wanted]
        for position in given:
            if str(position.game) != str(game):
                raise InvalidInput(f"found a position of {position.game}, expected one of {game}")
        positions = [position for position in given if position.outcome is None]
        if not positions:
            raise ValueError("expected at least one position that is not over")
    if table is not None:
        answers = [table.solve(position) for position in positions]
    else:
        answers = game.solve_many(
            positions, seconds=seconds, threads=threads, progress=lambda _, done, total: told("solving", done, total)
        )
    known = []
    for position, answer in zip(positions, answers):
        if answer.value is not None and answer.proven and len(answer.moves) == len(position.moves):
            known.append(_Truth(position, answer))
    if not known:
        raise TimeLimit(f"none of {len(positions)} positions was solved within the time for each")
    return known, len(positions) - len(known)


class _Given(NamedTuple):
    """What an agent gave for a position: the reply, the legal move that it means, or what is wrong with it."""

    reply: Any = None
    move: str | None = None
    error: str | None = None


@dataclass(frozen=True)
class _Asking:
    """How an agent is asked, and what its replies mean."""

    agent: Agent
    parse: Parse | None
    retries: int
    on_illegal: str
    batch: int | None
    #: The worst value that there is; None if the game has no such bound.
    worst: int | None

    def __post_init__(self) -> None:
        for name, given in {"agent": self.agent, "parse": self.parse or find_move}.items():
            if not callable(given):
                raise TypeError(f"found {name}={given!r}, expected a function")
        if self.on_illegal not in ("count", "loss", "raise"):
            raise ValueError(f'found on_illegal={self.on_illegal!r}, expected "count", "loss" or "raise"')
        if self.retries < 0 or (self.batch is not None and self.batch < 1):
            raise ValueError(f"found retries={self.retries}, batch={self.batch}, expected retries from 0, a batch from 1")

    def ask(self, truths: Sequence[_Truth]) -> list[Reply]:
        """The replies at some positions, in their order. The agent is asked again where it gave no legal move."""
        begun = time.perf_counter()
        given, asked = [_Given()] * len(truths), [0] * len(truths)
        todo = list(range(len(truths)))
        for more in range(self.retries, -1, -1):
            replies = self._replies([truths[at].position for at in todo], more) if todo else []
            for at, reply in zip(todo, replies):
                given[at] = reply
                asked[at] += 1
            todo = [at for at in todo if given[at].move is None]
        if todo and self.on_illegal == "raise":
            position, reply = truths[todo[0]].position, given[todo[0]].reply
            legal = ", ".join(position.moves)
            raise InvalidInput(f"the agent chose {reply!r} at {position}, expected a legal move: {legal}")
        seconds = (time.perf_counter() - begun) / len(truths)
        return [self._judge(*each, seconds) for each in zip(truths, given, asked)]

    def _replies(self, positions: list[Position], more: int) -> list[_Given]:
        """One reply for each position; an exception is raised only where the agent is not asked again."""
        try:
            replies = [self.agent(positions[0])] if self.batch is None else list(self.agent(positions))
            if len(replies) != len(positions):
                raise InvalidInput(f"the agent gave {len(replies)} replies, expected {len(positions)}")
        except Exception as error:
            if self.on_illegal == "raise" and not more:
                raise
            return [_Given(error=f"{type(error).__name__}: {error}")] * len(positions)
        return [self._read(*each, more) for each in zip(replies, positions)]

    def _read(self, reply: Any, position: Position, more: int) -> _Given:
        try:
            move = self.parse(reply, position) if self.parse else reply
        except Exception as error:
            if self.on_illegal == "raise" and not more:
                raise
            return _Given(reply, error=f"{type(error).__name__}: {error}")
        if isinstance(move, str) and move.strip() in position.moves:
            return _Given(reply, move.strip())
        return _Given(reply, error=NO_MOVE)

    def _judge(self, truth: _Truth, given: _Given, asked: int, seconds: float) -> Reply:
        position, answer = truth
        value = answer.value or 0
        keeping = sum(move.value == value for move in answer.moves)
        level = "free" if keeping == len(answer.moves) else "only" if keeping == 1 else "hard"
        if level == "hard" and 2 * keeping >= len(answer.moves):
            level = "easy"
        lost = plies_lost = None
        if given.move is not None:
            lost = value - answer[given.move].value
            plies = [answer[move].distance for move in (given.move, *answer.best[:1])]
            if lost == 0 and len(plies) == 2 and None not in plies:
                plies_lost = abs((plies[0] or 0) - (plies[1] or 0))
        elif self.on_illegal == "loss":
            lost = value - (min(move.value for move in answer.moves) if self.worst is None else self.worst)
        return Reply(
            position=position,
            ply=len(position.played) if position.played or position == position.game.start else None,
            difficulty=level,
            reply=given.reply,
            legal=given.move,
            asked=asked,
            value=value,
            best=answer.best,
            lost=lost,
            plies_lost=plies_lost,
            chance=keeping / len(answer.moves),
            error=given.error,
            seconds=seconds,
        )


def _worst(game: Game) -> int | None:
    """The worst value that a game has. Kalah, where positions may have any number of stones, names the greatest number."""
    return -game.max_value if game.max_value < 2**30 - 1 else None


def _ask_all(asking: _Asking, truths: list[_Truth], workers: int, told: Progress) -> tuple[list[Reply], bool]:
    """All replies, in the order of the positions, and whether Ctrl-C ended it."""
    size = asking.batch or 1
    parts = [truths[at : at + size] for at in range(0, len(truths), size)]
    rows: list[Reply] = []
    # One worker is the caller's own thread.
    pool = ThreadPoolExecutor(workers) if workers > 1 else None
    try:
        for replies in pool.map(asking.ask, parts) if pool else map(asking.ask, parts):
            rows += replies
            told("asking", len(rows), len(truths))
    except KeyboardInterrupt:
        return rows, True
    finally:
        if pool:
            pool.shutdown(cancel_futures=True)
    return rows, False


def evaluate(
    agent: Agent | str,
    game: Game | str,
    positions: int | Iterable[Position | str] = 10_000,
    *,
    seed: int = 0,
    table: Table | None = None,
    seconds: float | None = None,
    on_illegal: str = "count",
    parse: Parse | None = None,
    retries: int = 0,
    workers: int = 1,
    batch: int | None = None,
    progress: Progress | bool | None = None,
) -> Evaluation:
    """Measures an agent against perfect play: a function that chooses a move of a position, or the name of a player of
    Foregone, such as "easy".

    It is asked about positions of random games from `seed`, or about those given, such as the column `position` of a
    dataset; those that are over are left out. Their values come from `table`, or are solved, each within `seconds`; the
    agent is not asked where that is not enough. An agent for OpenSpiel or PettingZoo becomes such a function by `openspiel.agent` and `gym.agent`.

    `parse` makes a move of what the agent replies, such as `find_move` for free text. Where that is no legal move, or the
    agent raises an exception, it is asked again, at most `retries` times; then the reply is counted as illegal
    (`on_illegal="count"`), loses the game as well (`"loss"`: the worst value that there is, or, in Kalah, that of the worst
    move), or raises (`"raise"`). `workers` threads ask at the same
    time. With `batch`, the agent gets a list of so many positions and returns a list of replies. Ctrl-C keeps what is there.

    Intervals take the positions as independent. A sample of a large game has several from each of its games, so that there
    they should be up to half as wide again; `foregone dataset` takes one position from each game.

    >>> import foregone
    >>> result = foregone.evaluate(lambda position: position.moves[0], foregone.game("tic-tac-toe"), 500)
    >>> result.kept < 1 and result.worst is not None
    True
    """
    told = listener(progress)
    game = _foregone.game(game) if isinstance(game, str) else game
    agent = player(game, agent, seed=seed) if isinstance(agent, str) else agent
    asking = _Asking(agent, parse, retries, on_illegal, batch, _worst(game))
    truths, unknown = _truths(game, positions, seed, table, seconds, workers, told)
    rows, stopped = _ask_all(asking, truths, workers, told)
    return Evaluation(str(game), tuple(rows), unknown, stopped)


@dataclass(frozen=True, repr=False)
class Comparison:
    """Several agents, measured at the same positions of several games."""

    #: By the name of the agent and the game.
    evaluations: dict[tuple[str, str], Evaluation]

    def _table(self) -> list[list[str]]:
        agents = list(dict.fromkeys(agent for agent, _ in self.evaluations))
        games = list(dict.fromkeys(game for _, game in self.evaluations))
        table = [["", "positions", *agents, "random move"]]
        for game in games:
            found = [self.evaluations.get((agent, game)) for agent in agents]
            shares = [f"{each.kept:.0%}" if each else "" for each in found]
            first = next(each for each in found if each)
            table.append([game, f"{first.positions:,}", *shares, f"{first.chance:.0%}"])
        # A comparison that was stopped has not asked all agents about its last game.
        asked = [game for game in games if all(self._whole(agent, game) for agent in agents)]
        rows = [[row for game in asked for row in self.evaluations[agent, game].rows] for agent in agents]
        shares = [str(_share(each, lambda row: row.kept)) for each in rows]
        chance = sum(row.chance for row in rows[0]) / max(1, len(rows[0]))
        illegal = [f"{sum(row.legal is None for row in each):,}" for each in rows]
        name = "all" if asked == games else f"{len(asked)} of {len(games)} games"
        table.append([name, f"{len(rows[0]):,}", *shares, f"{chance:.0%}"])
        table.append(["illegal replies", "", *illegal, ""])
        return table

    def _whole(self, agent: str, game: str) -> bool:
        found = self.evaluations.get((agent, game))
        return found is not None and not found.stopped

    def summary(self) -> str:
        """In how many of the positions each agent kept the value, as a table in plain text."""
        return _columns(self._table())

    def markdown(self) -> str:
        """The table in Markdown, to publish."""
        return _markdown(self._table())

    def to_pandas(self) -> Any:
        """All rows as a pandas data frame, with the agent and the game first."""
        import pandas

        frames = [each.to_pandas().assign(agent=agent, game=game) for (agent, game), each in self.evaluations.items()]
        return pandas.concat(frames, ignore_index=True)[["agent", "game", *Reply._fields, "kept"]]

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.evaluations)} evaluations>"


def compare(
    agents: Mapping[str, Agent | str],
    games: Iterable[Game | str] | Game | str,
    positions: int = 1_000,
    *,
    seed: int = 0,
    seconds: float | None = None,
    progress: Progress | bool | None = None,
    **asking: Any,
) -> Comparison:
    """Measures several agents at the same positions of several games.

    An agent is a function as for `evaluate`, or the name of a player of Foregone, such as "easy". The other arguments
    (`on_illegal`, `parse`, `retries`, `workers`, `batch`) are those of `evaluate`; they do not hold for Foregone's players.
    A dictionary gives each agent its own, as `parse={"model": find_move}` does; agents that it does not name have the usual.

    The intervals are those of positions of these games; of games that were not asked about they say nothing.

    >>> agents = {"first": lambda position: position.moves[0], "easy": "easy"}
    >>> print(compare(agents, ["tic-tac-toe"], 200).summary().splitlines()[0].split())
    ['positions', 'first', 'easy', 'random', 'move']
    """
    told = listener(progress)
    given_workers = asking.pop("workers", 1)
    workers = given_workers if isinstance(given_workers, dict) else dict.fromkeys(agents, given_workers)
    games = [games] if isinstance(games, (str, _foregone.Game)) else list(games)
    if not agents or not games:
        raise ValueError("expected at least one agent and one game")
    usual: dict[str, Any] = {"on_illegal": "count", "parse": None, "retries": 0, "batch": None}
    for option, given in [*asking.items(), ("workers", workers)]:
        for name in given.keys() - agents.keys() if isinstance(given, dict) else ():
            raise ValueError(f"found {option}={{{name!r}: ...}}, expected names of agents: {', '.join(agents)}")
    for name in asking.keys() - usual.keys():
        raise TypeError(f"found the argument {name!r}, expected one of {', '.join([*usual, 'workers'])}")

    def asked(game: Game, name: str, agent: Agent | str) -> _Asking:
        if isinstance(agent, str):
            return _Asking(player(game, agent, seed=seed), worst=None, **usual | {"on_illegal": "raise"})
        options = {key: given.get(name, usual[key]) if isinstance(given, dict) else given for key, given in asking.items()}
        return _Asking(agent, worst=_worst(game), **usual | options)

    evaluations: dict[tuple[str, str], Evaluation] = {}
    chosen = [_foregone.game(each) if isinstance(each, str) else each for each in games]
    for game in {str(game): game for game in chosen}.values():
        asking_all = {name: asked(game, name, agent) for name, agent in agents.items()}
        most = max(workers.values(), default=1)
        truths, unknown = _truths(game, positions, seed, None, seconds, most, told)
        for name, each in asking_all.items():
            rows, stopped = _ask_all(each, truths, workers.get(name, 1), told)
            evaluations[name, str(game)] = Evaluation(str(game), tuple(rows), unknown, stopped)
            if stopped:
                return Comparison(evaluations)
    return Comparison(evaluations)
