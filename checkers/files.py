"""Files of Foregone, as docs/format.md tells: read strictly, and written with right checksums,
whatever they say."""

import json
from dataclasses import dataclass, replace
from re import fullmatch
from struct import pack, unpack

from xxhash import xxh3_64_intdigest
from zstandard import ZstdCompressor, ZstdDecompressor, ZstdError, frame_content_size

VERSION = 2
HEAD = 64
BLOCK = 16384
KEYS = 2048
KEYS_LAYER = 4294967295
MOST_VALUE = 2**29
MOST_PLIES = 2**30
MOST_NUMBERS = 2**53
# In LEB128 a key has so many bytes at most.
LONGEST_KEY = 19

KINDS = ("wdl", "score", "score+distance", "score+rank")


class Unreadable(Exception):
    """No file of Foregone, or one of another version."""


class Damaged(Exception):
    """A file that was changed or cut short, or says what no file may say."""


@dataclass
class Layer:
    """A layer: its cells, and the worths that they stand for, from 1, as pairs of value and plies."""

    worths: list
    cells: list

    def get(self, number):
        """The worth of a number; `None` if no position has it."""
        cell = self.cells[number]
        return self.worths[cell - 1] if cell else None

    def entries(self):
        """The worths of all numbers."""
        by_cell = [None, *self.worths]
        return [by_cell[cell] for cell in self.cells]


@dataclass
class File:
    """What is in a file. `positions` is what its manifest states of each layer; `keys`, `proof` and
    `horizon` are `None` where it has none. `listed` says which positions have keys: all, those in which play is
    not over (open), or of these only those that arise while nobody passes over a win at once (in-play)."""

    program: str
    game: str
    fingerprint: str
    values: str
    layers: list
    positions: list
    keys: list | None
    proof: dict | None
    horizon: int | None = None
    # Of a game that was written as text.
    rules: str | None = None
    listed: str = "all"

    def copy(self):
        """A copy whose layers, keys and proof can be changed."""
        layers = [Layer(list(layer.worths), list(layer.cells)) for layer in self.layers]
        keys = None if self.keys is None else list(self.keys)
        proof = json.loads(json.dumps(self.proof))
        return replace(self, layers=layers, positions=list(self.positions), keys=keys, proof=proof)


def order(worth):
    """Worths of a layer rise by this: by value, then by plies, null last."""
    value, plies = worth
    return value, plies is None, plies or 0


def kept(values, worth):
    """What a file with these values keeps of a worth."""
    value, plies = worth
    match values:
        case "wdl":
            return (value > 0) - (value < 0), 0
        case "score":
            return value, 0
        case "score+rank" if value == 0:
            return value, 0
    return worth


def holds(values, worth):
    """Whether a file with these values may have this worth."""
    value, plies = worth
    if abs(value) > MOST_VALUE or plies is not None and not 0 <= plies <= MOST_PLIES:
        return False
    if plies is None:
        return values == "score+distance"
    # What endless play is worth is not known here, and so not which ranks have to be 0.
    return values == "score+rank" or kept(values, worth) == worth


# Reading


def read(data):
    """Reads a file. Raises `Unreadable` or `Damaged`."""
    if data[:8] != b"FOREGONE":
        raise Unreadable("this is no file of Foregone")
    if len(data) < HEAD:
        raise Damaged("it is cut short")
    version, zero, offset, length, checksum, head_checksum = unpack("<IIQQQQ", data[8:48])
    if version != VERSION:
        raise Unreadable(f"the file has format {version}, expected {VERSION}")
    if head_checksum != xxh3_64_intdigest(data[:40]) or zero or any(data[48:64]):
        raise Damaged("the checksum of its head does not match")
    if offset + length != len(data) or offset < HEAD:
        raise Damaged("it has a wrong length")
    text = data[offset:]
    if xxh3_64_intdigest(text) != checksum:
        raise Damaged("the checksum of its manifest does not match")
    manifest = parse(text)
    return contents(data[:offset], manifest)


def parse(text):
    """The manifest as JSON, in which no name stands twice."""
    def fields(pairs):
        found = dict(pairs)
        if len(found) != len(pairs):
            raise Damaged("its manifest has a name twice")
        return found

    try:
        return json.loads(text.decode(), object_pairs_hook=fields)
    except (ValueError, RecursionError) as error:
        raise Damaged(f"its manifest is no JSON: {error}") from error


def need(condition, why):
    if not condition:
        raise Damaged(why)


def is_int(value, low, high):
    return type(value) is int and low <= value <= high


def is_checksum(value):
    return isinstance(value, str) and fullmatch("[0-9a-f]{16}", value) is not None


def named(value, names, optional=()):
    """Checks that this is an object with these names and no others."""
    need(isinstance(value, dict), "its manifest has something else than an object")
    need(set(names) <= set(value) <= {*names, *optional}, "its manifest has other names")


def contents(body, manifest):
    """What the parts before the manifest hold."""
    named(manifest, ["program", "game", "fingerprint", "values", "layers"], ["rules", "keys", "proof", "horizon"])
    texts = [manifest["program"], manifest["game"]]
    need(all(isinstance(text, str) for text in texts), "its manifest names no game")
    rules = manifest.get("rules")
    need("rules" not in manifest or isinstance(rules, str), "its rules are no text")
    need(is_checksum(manifest["fingerprint"]), "its fingerprint is no checksum")
    values = manifest["values"]
    need(values in KINDS, "it keeps other values than there are")
    parts = manifest["layers"]
    need(isinstance(parts, list) and parts, "it has no layers")
    keys_part, proof, listed = manifest.get("keys"), manifest.get("proof"), "all"
    horizon = manifest.get("horizon")

    for part in parts:
        check_layer(part, values)
    need(sum(part["size"] for part in parts) <= MOST_NUMBERS, "it has too many numbers")
    if keys_part is not None:
        named(keys_part, ["offset", "bytes", "entries"], ["listed"])
        listed = keys_part.get("listed", "all")
        need("listed" not in keys_part or listed in ("open", "in-play"), "it lists what no table lists")
        need(listed == "all" or proof is None and values == "score+distance", "it leaves out positions")
        check_part(keys_part)
        need(len(parts) == (1 if proof is None else 2), "it lists other positions than it has")
        need(len({part["size"] for part in parts}) == 1, "it lists other positions than it has")
    if proof is not None:
        need(keys_part is not None, "a proof lists positions by keys")
        need(values == "score+distance", "a proof has values score+distance")
        check_proof(proof)

    if "horizon" in manifest:
        need(is_int(horizon, 0, 2**32 - 1), "a book ends after a number of moves")
        need(keys_part is not None and proof is None, "a book lists positions by keys")
        need(values == "score", "a book has values score")

    at, layers, keys = HEAD, [], None
    for number, part in enumerate(parts):
        width = part["width"]
        lengths = cut(part["size"] * width, BLOCK)
        end = part_end(body, part, at, 16 * len(lengths))
        blocks = [
            unpacked(packed, length)
            for (packed, _), length in zip(blocks_of(body, part, lengths, 16, number), lengths)
        ]
        need(list(map(len, blocks)) == lengths, "a block has a wrong length")
        plain = b"".join(blocks)
        cells = list(plain) if width == 1 else list(unpack(f"<{part['size']}H", plain))
        need(max(cells, default=0) <= len(part["worths"]), "it has a cell without a meaning")
        unused = len(part["worths"]) - len(set(cells) - {0})
        need(unused == 0, "it lists a worth that no position has")
        layers.append(Layer([tuple(worth) for worth in part["worths"]], cells))
        at = end
    if keys_part is not None:
        counts = cut(parts[0]["size"], KEYS)
        end = part_end(body, keys_part, at, 32 * len(counts))
        keys = []
        blocks = blocks_of(body, keys_part, counts, 32, KEYS_LAYER)
        for (packed, first), count in zip(blocks, counts):
            some = rising(unpacked(packed, LONGEST_KEY * count), count)
            need(some[0] == int.from_bytes(first, "little"), "its keys have a wrong entry")
            need(not keys or keys[-1] < some[0], "its keys are out of order")
            keys.extend(some)
        at = end
    need(at == len(body), "its parts do not fit together")
    positions = [part["positions"] for part in parts]
    return File(*texts, manifest["fingerprint"], values, layers, positions, keys, proof,
                horizon, rules, listed)


def check_part(part):
    sizes = is_int(part["offset"], 0, 2**64 - 1) and is_int(part["bytes"], 0, 2**64 - 1)
    need(sizes and is_checksum(part["entries"]), "its manifest has a part without a place")


def check_layer(part, values):
    named(part, ["size", "positions", "width", "offset", "bytes", "entries", "worths"])
    check_part(part)
    need(is_int(part["size"], 0, MOST_NUMBERS), "a layer has a wrong size")
    need(is_int(part["positions"], 0, part["size"]), "a layer has more positions than numbers")
    need(is_int(part["width"], 1, 2), "a layer has cells of neither 1 nor 2 bytes")
    worths = part["worths"]
    need(isinstance(worths, list), "a layer has no list of worths")
    for worth in worths:
        pair = isinstance(worth, list) and len(worth) == 2
        need(pair and type(worth[0]) is int, "a layer has a worth that is no pair")
        need(worth[1] is None or type(worth[1]) is int, "a layer has a worth that is no pair")
        need(holds(values, tuple(worth)), "a layer has a worth that it cannot have")
    ordered = all(order(low) < order(high) for low, high in zip(worths, worths[1:]))
    need(ordered, "a layer has worths out of order")


def check_proof(proof):
    named(proof, ["moves", "claims"], ["position"])
    position, moves, claims = proof.get("position"), proof["moves"], proof["claims"]
    need(position is None or isinstance(position, str), "a proof is about a position")
    texts = isinstance(moves, list) and all(isinstance(move, str) for move in moves)
    need(texts, "a proof has moves that are no texts")
    need(isinstance(claims, list) and 1 <= len(claims) <= 2, "a proof has one or two claims")
    for claim in claims:
        named(claim, ["first", "at_least"])
        amount = is_int(claim["at_least"], -MOST_VALUE, MOST_VALUE)
        need(isinstance(claim["first"], bool) and amount, "a claim is of a side and an amount")


def cut(size, most):
    """The lengths of the parts into which so much is cut."""
    return [min(most, size - begin) for begin in range(0, size, most)]


def part_end(body, part, begin, entries):
    """Where a part ends that has to begin here."""
    end = begin + part["bytes"] + entries
    need(part["offset"] == begin and end <= len(body), "its parts do not fit together")
    return end


def blocks_of(body, part, blocks, size, layer):
    """The compressed blocks of a part, each with the rest of its entry."""
    begin = part["offset"] + part["bytes"]
    entries = body[begin : begin + size * len(blocks)]
    right = int(part["entries"], 16) == xxh3_64_intdigest(entries)
    need(right, "the checksum of its entries does not match")
    at = 0
    for block in range(len(blocks)):
        end, checksum = unpack("<QQ", entries[block * size :][:16])
        need(at <= end <= part["bytes"], "a block has a wrong entry")
        packed = body[part["offset"] + at : part["offset"] + end]
        seed = (block * 65536 ^ layer) % 2**64
        right = xxh3_64_intdigest(packed, seed) == checksum
        need(right, f"block {block} of layer {layer} does not match its checksum")
        yield packed, entries[block * size + 16 : (block + 1) * size]
        at = end
    need(at == part["bytes"], "there are bytes that belong to no block")


def unpacked(packed, most):
    """The bytes of one zstd frame, which are not more than `most`."""
    try:
        # Where a frame states its length, so much memory is taken.
        need(frame_content_size(packed) <= most, "a block is too long")
        plain = ZstdDecompressor().decompress(packed, max_output_size=most, allow_extra_data=False)
    except ZstdError as error:
        raise Damaged("a block cannot be unpacked") from error
    need(len(plain) <= most, "a block is too long")
    return plain


def rising(plain, count):
    """The keys of a block."""
    keys, at = [], 0
    while at < len(plain):
        more, shift = 0, 0
        while True:
            need(at < len(plain), "a key is cut short")
            byte = plain[at]
            more |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                break
        need(byte or shift == 7, "a key is written in more bytes than it needs")
        need(not keys or more, "its keys are out of order")
        keys.append(keys[-1] + more if keys else more)
        need(keys[-1] < 2**128, "a key has more than 128 bits")
    need(len(keys) == count, "it has another number of keys")
    return keys


# Writing


def write(file):
    """The bytes of a file that says this."""
    body, layers, keys = bytearray(), [], None

    def place(blocks, layer):
        """Puts blocks, which are pairs of their bytes and what follows in their entry."""
        begin, entries = len(body), bytearray()
        for block, (plain, more) in enumerate(blocks):
            packed = ZstdCompressor(level=1).compress(bytes(plain))
            body.extend(packed)
            seed = block * 65536 ^ layer
            checksum = xxh3_64_intdigest(packed, seed)
            entries += pack("<QQ", len(body) - begin, checksum) + more
        size = len(body) - begin
        body.extend(entries)
        checksum = f"{xxh3_64_intdigest(bytes(entries)):016x}"
        return {"offset": HEAD + begin, "bytes": size, "entries": checksum}

    for number, layer in enumerate(file.layers):
        width = 1 if len(layer.worths) < 256 else 2
        plain = pack(f"<{len(layer.cells)}{'BH'[width - 1]}", *layer.cells)
        blocks = [(plain[at : at + BLOCK], b"") for at in range(0, len(plain), BLOCK)]
        layers.append({"size": len(layer.cells), "positions": file.positions[number],
                       "width": width, **place(blocks, number), "worths": layer.worths})
    if file.keys is not None:
        blocks = []
        for begin in range(0, len(file.keys), KEYS):
            some = file.keys[begin : begin + KEYS]
            steps = [some[0], *(high - low for low, high in zip(some, some[1:]))]
            blocks.append((b"".join(map(leb128, steps)), some[0].to_bytes(16, "little")))
        keys = place(blocks, KEYS_LAYER) | ({} if file.listed == "all" else {"listed": file.listed})
    manifest = {"program": file.program, "game": file.game, "fingerprint": file.fingerprint,
                "values": file.values, "layers": layers}
    manifest |= {"keys": keys} if keys is not None else {}
    manifest |= {"rules": file.rules} if file.rules is not None else {}
    manifest |= {"horizon": file.horizon} if file.horizon is not None else {}
    manifest |= {"proof": file.proof} if file.proof is not None else {}
    text = json.dumps(manifest, separators=(",", ":")).encode()
    head = b"FOREGONE" + pack("<IIQQQ", VERSION, 0, HEAD + len(body), len(text),
                              xxh3_64_intdigest(text))
    head += pack("<Q", xxh3_64_intdigest(head)) + bytes(16)
    return head + bytes(body) + text


def leb128(number):
    """A number in seven bits a byte, the low ones first, the highest bit set where more follow."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])
