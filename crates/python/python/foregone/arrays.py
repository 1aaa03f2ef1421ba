"""Tables as arrays of numpy, for training and statistics."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ._foregone import Table


class Batch(NamedTuple):
    """Some positions of one layer of a table.

    `numbers` of the positions in the layer; `values` for the side to move; `distances` in plies, -1 if play is endless
    or the table has none; `positions` and `turns` (0 or 1) if an encoding was asked for, otherwise None.
    """

    layer: int
    numbers: Any
    values: Any
    distances: Any
    positions: Any
    turns: Any

    def arrow(self) -> Any:
        """The batch as a pyarrow.RecordBatch, which Polars, DuckDB and pandas read without copying."""
        import numpy as np
        import pyarrow as pa

        columns = {
            "layer": pa.array(np.full(len(self.values), self.layer, np.int32)),
            "number": pa.array(self.numbers),
            "value": pa.array(self.values),
            "distance": pa.array(self.distances, mask=self.distances < 0),
        }
        if self.positions is not None:
            if isinstance(self.positions, list):
                columns["position"] = pa.array(self.positions, pa.string())
            else:
                flat = pa.array(self.positions.reshape(-1))
                columns["position"] = pa.FixedSizeListArray.from_arrays(flat, self.positions.shape[1])
            columns["turn"] = pa.array(self.turns)
        return pa.RecordBatch.from_pydict(columns)


def stream(table: Table, requested_schema: object = None) -> object:
    """A table as a stream of Arrow, the possible positions as text: `polars.DataFrame(table)`."""
    import pyarrow as pa

    columns = [("layer", pa.int32()), ("number", pa.int64()), ("value", pa.int32()), ("distance", pa.int32())]
    schema = pa.schema([*columns, ("position", pa.string()), ("turn", pa.int8())])
    parts = (batch.arrow() for batch in batches(table, encode="text", possible=True))
    return pa.RecordBatchReader.from_batches(schema, parts).__arrow_c_stream__(requested_schema)


def batches(table: Table, size: int = 65_536, encode: str | None = None, possible: bool = False) -> Iterator[Batch]:
    """All positions of a table, from the lowest layer, in batches of up to `size` positions of one layer.

    `encode` says how positions are given: None for their numbers alone, "text" for the game's notation, "cells" for an
    array of what stands on the board, as `Position.cells` says.

    A table has an entry for every number, and some numbers stand for boards that no play reaches, such as two rows of
    three in tic-tac-toe. `possible` leaves out those that the game's notation does not accept; that takes longer.
    """
    if size < 1:
        raise ValueError(f"found a size of {size}, expected at least 1")
    return _batches(table, size, encode, possible)


def _batches(table: Table, size: int, encode: str | None, possible: bool) -> Iterator[Batch]:
    import numpy as np

    def joined(parts: list[Any]) -> Any:
        if parts[0] is None:
            return None
        if isinstance(parts[0], list):
            return [each for part in parts for each in part]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    for layer, blocks in enumerate(table.blocks()):
        waiting: list[tuple[Any, ...]] = []
        held = 0
        for block in range(blocks):
            part = table.block(layer, block, encode, possible)
            if len(part[0]) > 0:
                waiting.append(part)
                held += len(part[0])
            if held >= size:
                whole = [joined(list(column)) for column in zip(*waiting)]
                full = held - held % size
                for at in range(0, full, size):
                    yield Batch(layer, *(each if each is None else each[at : at + size] for each in whole))
                held -= full
                waiting = [tuple(each if each is None else each[full:] for each in whole)] if held else []
        if held:
            yield Batch(layer, *(joined(list(column)) for column in zip(*waiting)))
