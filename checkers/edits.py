"""Edits of files as text, one a line: `LAYER NUMBER VALUE PLIES`, several joined by `;`.

They set what a layer says of a number. Plies are `-` for endless play; `LAYER NUMBER - -` says that
no position has that number. crates/check/examples/edits.rs reads the same lines.
"""


class Wrong(Exception):
    """A line that is no edit of the file."""


def parse(line, file):
    """The edit as triples of layer, number and worth."""
    return [part(words.split(), file) for words in line.split(";")]


def part(words, file):
    try:
        layer, number = int(words[0]), int(words[1])
        value, plies = (None if word == "-" else int(word) for word in words[2:])
    except (ValueError, IndexError) as error:
        raise Wrong(f"`{' '.join(words)}` is no edit: expected LAYER NUMBER VALUE PLIES") from error
    if not 0 <= layer < len(file.layers) or not 0 <= number < len(file.layers[layer].cells):
        raise Wrong(f"the file has no number {number} in layer {layer}")
    if value is None and plies is not None:
        raise Wrong(f"`{' '.join(words)}` has plies without a value")
    return layer, number, None if value is None else (value, plies)


def text(edit):
    """The line of an edit."""
    def words(layer, number, worth):
        value, plies = ("-", "-") if worth is None else worth
        return f"{layer} {number} {value} {'-' if plies is None else plies}"

    return ";".join(words(*part) for part in edit)


def apply(file, edit):
    """Changes a file so, its stated positions and worths included, so that only the entries are false."""
    from files import order

    for layer, number, worth in edit:
        part = file.layers[layer]
        if worth is not None and worth not in part.worths:
            old = part.worths
            part.worths = sorted([*old, worth], key=order)
            cells = [0, *(part.worths.index(other) + 1 for other in old)]
            part.cells = [cells[cell] for cell in part.cells]
        before = part.cells[number]
        part.cells[number] = 0 if worth is None else part.worths.index(worth) + 1
        file.positions[layer] += (part.cells[number] != 0) - (before != 0)
        used = set(part.cells)
        if len(used - {0}) < len(part.worths):
            kept = [cell for cell in range(1, len(part.worths) + 1) if cell in used]
            new = {0: 0} | {cell: place for place, cell in enumerate(kept, 1)}
            part.worths = [part.worths[cell - 1] for cell in kept]
            part.cells = [new[cell] for cell in part.cells]
