"""Progress of long work, for `progress=True`: a bar of tqdm if that is installed, otherwise lines on standard error."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def listener(progress: Callable[[str, int, int | None], object] | bool | None) -> Callable[[str, int, int | None], object]:
    """The function that `progress` stands for: a bar for True, none for False and None."""
    if callable(progress):
        return progress
    return bar() if progress else lambda *_: None


def bar() -> Callable[[str, int, int | None], None]:
    """A function to give as `progress`."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _lines()
    bars: dict[str, Any] = {}

    def show(phase: str, done: int, total: int | None) -> None:
        if phase not in bars:
            for other in bars.values():
                other.close()
            bars[phase] = tqdm(desc=phase, total=total, unit=" positions", unit_scale=True)
        bars[phase].total = total
        bars[phase].update(done - bars[phase].n)

    return show


def _lines() -> Callable[[str, int, int | None], None]:
    import sys
    import time

    last = [0.0]

    def show(phase: str, done: int, total: int | None) -> None:
        if time.monotonic() - last[0] >= 1:
            last[0] = time.monotonic()
            of = f" of {total:,}" if total else ""
            print(f"{phase}: {done:,}{of} positions", file=sys.stderr, flush=True)

    return show
