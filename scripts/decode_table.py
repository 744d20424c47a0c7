#!/usr/bin/env python3
"""Reads table files of retrosow, in plain Python, from tables/FORMAT.md alone.

Shares no code with the program: where the two agree, the format means what its document says. For small
files; it decodes some hundred thousand values a second and holds one or two bytes a position.

Needs Python 3.9. Zstandard frames are decoded by the module `zstandard` if it is there, otherwise by the
command `zstd`. XXH3 is taken by the module `xxhash`, otherwise by the command `xxhsum`; without either
the checksums stay unchecked, and a line on standard error says so.

Exit codes: 0 fine, 2 usage, 3 input or output, 4 damaged data, 5 unsupported version or form.

As a module:

    table = read_table(path)        # checks everything; raises TableError
    table.header.rules              # see Header
    table.values[index]             # values, or distances (NO_DISTANCE: none)
    table.position(index)           # its board, as text
    TableFile(path).value("2,0/1,1")    # decodes one block only
"""
import argparse
import array
import bisect
import csv
import dataclasses
import functools
import io
import itertools
import json
import os
import re
import shutil
import struct
import subprocess
import sys

try:
    import zstandard
except ImportError:
    zstandard = None
try:
    import xxhash
except ImportError:
    xxhash = None

MAGIC = bytes((0x89, 0x52, 0x53, 0x4F, 0x57, 0x0D, 0x0A, 0x1A))
RANKS, KEYS = 1, 2
VERSIONS = {RANKS: 1, KEYS: 2}  # by index kind; of guarantees 3
GUARANTEES_VERSION = 3
URIM, RIO_KADALIS = 0, 1
CONTEXTS, PLANES, PREFIXES, PAIRS = 1, 3, 4, 5
VALUES, DISTANCES, GUARANTEES = 0, 1, 2
KINDS = ("values", "distances", "guarantees")
NO_DISTANCE = 65535
FIXED_HEADER_BYTES = 120
ENTRY_BYTES = 48
MOST_SEEDS = 127
MOST_BLOCK_VALUES = 65536
FAMILIES = ("urim", "rio-kadalis")
GAMES = (("urim", "oware", "awari"), ("rio-kadalis",))  # by family
PIT_LIMIT = r"(?:^| )pit-limit=(\d{1,3})(?: |$)"
ZERO = bytes(16)


class TableError(Exception):
    """What is wrong, with the exit code of its class."""

    exit_code = 4

    def __init__(self, message, path=None, offset=None):
        where = "" if path is None else f"{path}: "
        at = "" if offset is None else f" at byte {offset}"
        super().__init__(f"{where}{message}{at}")


class UsageError(TableError):
    exit_code = 2


class IoError(TableError):
    exit_code = 3


class DamagedError(TableError):
    exit_code = 4


class UnsupportedError(TableError):
    exit_code = 5


# ---------------------------------------------------------------------------------------------------------
# Checksums and frames: modules where they are there, commands otherwise.


def _xxhsum(algorithm, data):
    command = shutil.which("xxhsum")
    if command is None:
        return None
    run = subprocess.run([command, f"-H{algorithm}"], input=data, capture_output=True, check=False)
    # Either `DIGEST  stdin` or `XXH3 (stdin) = DIGEST`, depending on version and algorithm.
    digits = re.search(rb"(?:= |^(?:XXH3_)?)([0-9a-f]{16,32})\b", run.stdout)
    if run.returncode != 0 or digits is None:
        raise IoError(f"`{command} -H{algorithm}` failed: {run.stderr.decode(errors='replace').strip()}")
    return bytes.fromhex(digits.group(1).decode())


@functools.lru_cache(maxsize=None)
def can_hash():
    """Whether checksums can be taken here; says so once if not."""
    if xxhash is not None or shutil.which("xxhsum") is not None:
        return True
    print("decode_table: neither the module xxhash nor the command xxhsum is here: checksums are not checked",
          file=sys.stderr)
    return False


def xxh3_64(data):
    """The number that stands in the file, or None where it cannot be computed."""
    if not can_hash():
        return None
    if xxhash is not None:
        return xxhash.xxh3_64_intdigest(data)
    return int.from_bytes(_xxhsum(3, data), "big")


def xxh3_128(data):
    """The 16 bytes that stand in the file, or None where they cannot be computed."""
    if not can_hash():
        return None
    if xxhash is not None:
        return xxhash.xxh3_128_digest(data)
    return _xxhsum(2, data)


def can_unpack():
    """Whether Zstandard frames can be decoded here."""
    return zstandard is not None or shutil.which("zstd") is not None


def unframe(frame, length, exact=True):
    """The `length` bytes in one Zstandard frame; where not `exact`, at most so many.

    Raises DamagedError if it holds another number of bytes or ends elsewhere, IoError without a decoder.
    """
    if zstandard is not None:
        try:
            # Bounded first: a wrong frame may claim any size.
            data = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(frame)).read(length + 1)
            if len(data) <= length:
                whole = zstandard.ZstdDecompressor().decompressobj()
                whole.decompress(frame)
                if not whole.eof or whole.unused_data:
                    raise DamagedError("a Zstandard frame does not end where its block ends")
        except zstandard.ZstdError as error:
            raise DamagedError(f"a Zstandard frame is broken: {error}") from error
    else:
        command = shutil.which("zstd")
        if command is None:
            raise IoError("needs the Python module zstandard or the command zstd; neither is here")
        run = subprocess.run([command, "-dcq"], input=frame, capture_output=True, check=False)
        if run.returncode != 0:
            raise DamagedError(f"a Zstandard frame is broken: {run.stderr.decode(errors='replace').strip()}")
        data = run.stdout
    if len(data) > length or (exact and len(data) != length):
        raise DamagedError(f"a Zstandard frame holds {'more' if len(data) > length else len(data)} bytes "
                           f"instead of {length}")
    return data


# ---------------------------------------------------------------------------------------------------------
# Rows and ranks


class Rows:
    """The rows of k pits that hold up to `limit` seeds each, ordered by their seeds, then lexicographically."""

    def __init__(self, k, limit):
        self.k = k
        self.limit = limit
        self._ways = {}

    def ways(self, pits, seeds):
        """How many rows of so many pits hold so many seeds."""
        if seeds < 0 or pits < 0:
            return 0
        if pits == 0:
            return int(seeds == 0)
        key = (pits, seeds)
        if key not in self._ways:
            self._ways[key] = sum(self.ways(pits - 1, seeds - first)
                                  for first in range(min(seeds, self.limit) + 1))
        return self._ways[key]

    def count(self, seeds):
        return self.ways(self.k, seeds)

    def rank(self, row):
        rest, rank = sum(row), 0
        for i, pit in enumerate(row):
            rank += sum(self.ways(self.k - i - 1, rest - lower) for lower in range(pit))
            rest -= pit
        return rank

    def unrank(self, seeds, rank):
        row = []
        for i in range(self.k):
            pit = 0
            while rank >= self.ways(self.k - i - 1, seeds - pit):
                rank -= self.ways(self.k - i - 1, seeds - pit)
                pit += 1
            row.append(pit)
            seeds -= pit
        return tuple(row)

    def from_rank(self, seeds, rank):
        """Yields the rows with so many seeds, from this rank on."""
        if rank >= self.count(seeds):
            return
        row = list(self.unrank(seeds, rank))
        while True:
            yield tuple(row)
            behind = 0  # seeds in the pits behind pit i
            for i in range(self.k - 1, -1, -1):
                if behind > 0 and row[i] < self.limit:
                    break
                behind += row[i]
            else:
                return
            row[i] += 1
            behind -= 1
            for j in range(self.k - 1, i, -1):  # the least row: everything as far back as it goes
                row[j] = min(behind, self.limit)
                behind -= row[j]


class Level:
    """All boards of two rows of k pits with n seeds: ranks in both directions, in the order of the file.

    A board is a pair of rows: the opponent's B first, then the mover's A.
    """

    def __init__(self, k, limit, n):
        self.rows = Rows(k, limit)
        self.n = n
        counts = [self.rows.count(s) for s in range(n + 1)]
        # bases[b]: the boards whose opponent has fewer than b seeds.
        self.bases = [0, *itertools.accumulate(counts[b] * counts[n - b] for b in range(n + 1))]

    def __len__(self):
        return self.bases[-1]

    def index(self, opponent, mover):
        b = sum(opponent)
        return self.bases[b] + self.rows.rank(opponent) * self.rows.count(self.n - b) + self.rows.rank(mover)

    def stretches(self, first):
        """Yields (B, rank of B, A's seeds, rank of the first A) so that the As of all stretches, one after
        another, are the boards from index `first` on."""
        for b in range(bisect.bisect_right(self.bases, first) - 1, self.n + 1):
            run = self.rows.count(self.n - b)
            if run == 0 or self.bases[b] == self.bases[b + 1]:
                continue
            rank_b, rank_a = divmod(max(0, first - self.bases[b]), run)
            for opponent in self.rows.from_rank(b, rank_b):
                yield opponent, rank_b, self.n - b, rank_a
                rank_b, rank_a = rank_b + 1, 0

    def boards(self, first=0):
        """Yields (B, A) of all boards from index `first` on."""
        for opponent, _, seeds, rank in self.stretches(first):
            for mover in self.rows.from_rank(seeds, rank):
                yield opponent, mover


# ---------------------------------------------------------------------------------------------------------
# The parts of a file


@dataclasses.dataclass(frozen=True)
class Header:
    """The header of a table file; digests are hexadecimal."""

    header_bytes: int
    index: int  # RANKS or KEYS
    family: int  # URIM or RIO_KADALIS
    pits: int
    other_pits: int
    seeds: int
    positions: int
    block_values: int
    blocks: int
    digest: str
    rules_digest: str
    root: bytes
    packing: int
    kind: int  # VALUES, DISTANCES or GUARANTEES
    round_levels: int  # of KEYS: bit i is the level with 4i stones fewer than the root
    endless_moves: int  # of KEYS
    values_digest: str  # of DISTANCES
    keys_digest: str  # of KEYS with VALUES
    game: str
    rules: str
    program: str

    @property
    def has_keys(self):
        return self.index == KEYS and self.kind == VALUES

    @property
    def levels(self):
        """The levels of the round: stones on the board, ascending."""
        top = sum(self.root[:self.pits + self.other_pits])
        return [top - 4 * i for i in range(31, -1, -1) if self.round_levels >> i & 1]

    @property
    def pit_limit(self):
        """The most seeds in a pit; MOST_SEEDS where the rules set no limit."""
        return int(re.search(PIT_LIMIT, self.rules).group(1)) or MOST_SEEDS

    def record(self):
        """What is worth showing, as a dictionary."""
        record = {
            "kind": KINDS[self.kind],
            "game": self.game,
            "rules": self.rules,
            "pits": self.pits,
            "other_pits": self.other_pits,
            "seeds": self.seeds,
            "positions": self.positions,
            "digest": self.digest,
            "index": {RANKS: "ranks", KEYS: "keys"}[self.index],
            "packing": {CONTEXTS: "contexts", PLANES: "planes", PREFIXES: "prefixes", PAIRS: "pairs"}[self.packing],
            "block_values": self.block_values,
            "blocks": self.blocks,
            "rules_digest": self.rules_digest,
            "version": version_of(self.index, self.kind),
            "program": self.program,
        }
        if self.kind == DISTANCES:
            record["values_digest"] = self.values_digest
        if self.index == KEYS:
            record["root"] = position_of_key(self.root, self)
            record["levels"] = self.levels
            record["endless_moves"] = self.endless_moves
            if self.kind == VALUES:
                record["keys_digest"] = self.keys_digest
        return record


@dataclasses.dataclass(frozen=True)
class Entry:
    """A block's entry in the block index."""

    offset: int
    length: int
    checksum: int
    first_key: bytes


def version_of(index, kind):
    return GUARANTEES_VERSION if kind == GUARANTEES else VERSIONS[index]


def pair_of(number):
    """(mover's seeds, opponent's) of a guarantee."""
    return number & 255, number >> 8


@functools.lru_cache(maxsize=64)
def rules_digest_of(family, rules):
    return xxh3_128(f"{family} {rules}".encode())


def parse_header(data, file_bytes, path=None):
    """The header at the start of `data`.

    Raises UnsupportedError if it is whole but of another version, kind or game, or its rules give no pit limit;
    DamagedError if it contradicts the format, itself or the length of the file.
    """

    def damaged(message, offset):
        return DamagedError(message, path, offset)

    if len(data) < 16:
        raise damaged(f"the file ends in the header, after {len(data)} bytes", len(data))
    if data[:8] != MAGIC:
        raise damaged("no table file: the magic number is missing", 0)
    length, version = struct.unpack_from("<II", data, 8)
    if length % 8 != 0 or length < 24 or length > file_bytes:
        raise damaged(f"the header claims to be {length} bytes long, the file has {file_bytes}", 8)
    stored, = struct.unpack_from("<Q", data, length - 8)
    if xxh3_64(data[:length - 8]) not in (None, stored):
        raise damaged("the checksum of the header is wrong", length - 8)
    if version not in (*VERSIONS.values(), GUARANTEES_VERSION):
        raise UnsupportedError(f"format version {version}; this reads versions 1 to 3", path, 12)
    if length < FIXED_HEADER_BYTES + 3 * 2 + 8:
        raise damaged(f"a header of {length} bytes is too short", 8)

    (index, family, pits, other_pits, seeds, positions, block_values, blocks, digest, rules_digest, root, packing,
     kind, reserved, other_digest) = struct.unpack_from("<BBBBIQII16s16s16sBB14s16s", data, 16)
    if index in VERSIONS and version != version_of(index, kind):
        raise UnsupportedError(f"format version {version}; this reads version 1 of levels, 2 of rounds and 3 of guarantees",
                               path, 12)
    texts, at = [], FIXED_HEADER_BYTES
    for _ in range(3):
        if at + 2 > length - 8:
            raise damaged("a text runs out of the header", at)
        text_bytes, = struct.unpack_from("<H", data, at)
        if at + 2 + text_bytes > length - 8:
            raise damaged("a text runs out of the header", at)
        try:
            texts.append(data[at + 2:at + 2 + text_bytes].decode())
        except UnicodeDecodeError as error:
            raise damaged("a text is not UTF-8", at + 2) from error
        at += 2 + text_bytes
    if length - 8 - at >= 8 or any(data[at:length - 8]):
        raise damaged("what stands behind the texts is not the padding to a multiple of 8", at)

    round_levels = endless_moves = 0
    if index == KEYS:
        round_levels, endless_moves = struct.unpack_from("<IQ", reserved, 2)
        reserved = reserved[:2]
    header = Header(length, index, family, pits, other_pits, seeds, positions, block_values, blocks, digest.hex(),
                    rules_digest.hex(), root, packing, kind, round_levels, endless_moves,
                    other_digest.hex() if kind == DISTANCES else "",
                    other_digest.hex() if index == KEYS and kind == VALUES else "", *texts)
    if kind not in (VALUES, DISTANCES, GUARANTEES) or (kind == GUARANTEES and index != RANKS):
        raise UnsupportedError(f"unknown kind {kind}", path, 89)
    for known, name, value, offset in (
            ((RANKS, KEYS), "index kind", index, 16), ((URIM, RIO_KADALIS), "family of games", family, 17),
            ((CONTEXTS, PLANES, PREFIXES, PAIRS), "packing", packing, 88)):
        if value not in known:
            raise damaged(f"unknown {name} {value}", offset)
    if any(reserved):
        raise damaged("reserved bytes of the header are in use", 90)
    if header.game not in GAMES[family]:
        raise UnsupportedError(f"unknown game '{header.game}'", path, FIXED_HEADER_BYTES)
    if index != (RANKS if family == URIM else KEYS):
        raise damaged("index kind and family of games do not go together", 16)
    if packing != (PLANES if kind == DISTANCES else PAIRS if kind == GUARANTEES else CONTEXTS if index == RANKS
                   else PREFIXES):
        raise damaged("packing, kind and index kind do not go together", 88)
    if pits > 8 or other_pits > 8 or (index == RANKS and not 1 <= pits == other_pits):
        raise damaged(f"rows of {pits} and {other_pits} pits", 18)
    if seeds > MOST_SEEDS:
        raise damaged(f"{seeds} seeds, more than {MOST_SEEDS}", 20)
    if not 1 <= block_values <= MOST_BLOCK_VALUES:
        raise damaged(f"{block_values} values in a block", 32)
    if blocks != -(-positions // block_values):
        raise damaged(f"{blocks} blocks of {block_values} do not hold {positions} positions", 36)
    if index == RANKS and root != ZERO:
        raise damaged("a root position in a file of ranks", 72)
    if index == RANKS and kind != DISTANCES and other_digest != ZERO:
        raise damaged("values or guarantees that go with other values", 104)
    if index == KEYS:
        if positions == 0:
            raise damaged("a level of a round without positions", 24)
        top = sum(root)
        if top > MOST_SEEDS or not round_levels & 1 or seeds not in header.levels or min(header.levels) < 0:
            raise damaged("the levels of the round are not those of its root and this file", 92)
    named = rules_digest_of(FAMILIES[family], header.rules)
    if named not in (None, rules_digest):
        raise damaged("the rules digest does not belong to the rules", 56)
    if index == RANKS:
        if re.search(PIT_LIMIT, header.rules) is None:
            raise UnsupportedError(f"the rules '{header.rules}' do not give the pit limit", path)
        boards = len(Level(pits, header.pit_limit, seeds))
        if positions != boards:
            raise damaged(f"{positions} positions, but there are {boards} boards of {seeds} seeds", 24)
    return header


def parse_index(data, header, file_bytes, path=None):
    """The entries of the block index, which must cover the rest of the file without gaps."""
    start, end = header.header_bytes, header.header_bytes + header.blocks * ENTRY_BYTES
    if end + 8 > file_bytes or len(data) < end + 8:
        raise DamagedError("the file ends in the block index", path, file_bytes)
    stored, = struct.unpack_from("<Q", data, end)
    if xxh3_64(data[start:end]) not in (None, stored):
        raise DamagedError("the checksum of the block index is wrong", path, end)
    entries, expected = [], end + 8
    for at in range(start, end, ENTRY_BYTES):
        offset, length, checksum, reserved, key = struct.unpack_from("<QQQQ16s", data, at)
        if offset != expected:
            raise DamagedError(f"a block starts at {offset} instead of {expected}", path, at)
        if length > file_bytes - offset:
            raise DamagedError(f"a block of {length} bytes runs out of the file", path, at + 8)
        if reserved:
            raise DamagedError("reserved bytes of the block index are in use", path, at + 24)
        if not header.has_keys and key != ZERO:
            raise DamagedError("a first key in a file without keys", path, at + 32)
        entries.append(Entry(offset, length, checksum, key))
        expected = offset + length
    if expected != file_bytes:
        raise DamagedError(f"{file_bytes - expected} bytes behind the last block", path, expected)
    firsts = [key_number(entry.first_key) for entry in entries]
    if header.has_keys and any(a >= b for a, b in zip(firsts, firsts[1:])):
        raise DamagedError("the first keys of the blocks do not ascend", path, start)
    return entries


# ---------------------------------------------------------------------------------------------------------
# Blocks


def signed(byte):
    byte &= 255
    return byte - 256 if byte > 127 else byte


def capture_table(opponent):
    """For x = 0 … k: what the hint takes when the last of x crossing seeds falls into the opponent's pit x."""
    table = [0]
    for x in range(1, len(opponent) + 1):
        taken = 0
        if opponent[x - 1] + 1 in (2, 3):
            for pit in reversed(opponent[:x]):
                if pit + 1 not in (2, 3, 4):
                    break
                taken += pit + 1
        table.append(taken)
    return table


def mover_facts(rows):
    """A function of the mover's row: (its crossings x within 1 … k, how far back its neighbours lie)."""
    k = rows.k

    @functools.lru_cache(maxsize=1 << 18)
    def facts(row):
        crossings = tuple(sorted({x for i, pit in enumerate(row, 1) if 1 <= (x := pit - (k - i)) <= k}))
        back = []
        for i in range(1, k - 1):
            if row[i - 1] > 0 and row[i] < rows.limit:
                behind = sum(row[i:]) + 1
                back.append(rows.ways(k - i, behind) - rows.ways(k - i - 1, behind))
        return crossings, back

    return facts


def unpack_contexts(block, first, count, level, facts):
    """The `count` values of a block in context packing whose first position has index `first`."""
    n = level.n
    if not block:
        raise DamagedError("an empty block")
    streams = block[0]
    if streams > 2 * n + 1:
        raise DamagedError(f"{streams} streams for {2 * n + 1} contexts")
    if len(block) < 1 + 3 * streams:
        raise DamagedError("a block ends among its streams")
    data = unframe(block[1 + 3 * streams:], count)
    if streams == 0:
        return [signed(byte) for byte in data]

    by_context, at = [], 0  # contexts of one stream share its iterator
    for i in range(streams):
        contexts, length = struct.unpack_from("<BH", block, 1 + 3 * i)
        if contexts == 0:
            raise DamagedError("a stream serves no context")
        stream = iter(data[at:at + length + 1])
        by_context += [stream] * contexts
        at += length + 1
    if len(by_context) != 2 * n + 1 or at != count:
        raise DamagedError(f"{len(by_context)} contexts and {at} values in streams instead of "
                           f"{2 * n + 1} and {count}")

    rests, values = [], []
    p = 0
    try:
        for opponent, rank_b, seeds_a, rank_a in level.stretches(first):
            captures = capture_table(opponent)
            run = level.rows.count(seeds_a) if rank_b > 0 else 0
            for mover in level.rows.from_rank(seeds_a, rank_a):
                crossings, back = facts(mover)
                capture = 0
                for x in crossings:
                    if captures[x] > capture:
                        capture = captures[x]
                m = s = 0
                for distance in back:
                    if distance <= p:
                        m += 1
                        s += rests[p - distance]
                if 0 < run <= p:
                    m += 1
                    s += rests[p - run]
                context = capture + ((2 * s + m) // (2 * m) if m else 0)
                value = signed(next(by_context[max(-n, min(n, context)) + n]) - n)
                values.append(value)
                rests.append(value - capture)
                p += 1
                if p == count:
                    return values  # the lengths sum up to count, so every stream is used up
    except StopIteration as error:
        raise DamagedError("a stream is used up before its block") from error
    raise DamagedError("a block holds more values than its level has boards")


def unpack_prefixes(block, count, first_key, header):
    """(values, keys) of a block in prefixes packing."""
    data = unframe(block, 17 * count, exact=False)
    if len(data) < 2 * count - 1:
        raise DamagedError("a block that ends before its keys do")
    values = [signed(byte) for byte in data[:count]]
    tops = data[count:2 * count - 1]
    if any(not 1 <= top <= 15 for top in tops):
        raise DamagedError("a key that differs in no lane but the last, or in one that is not there")
    runs, at = [None] * 16, 2 * count - 1
    for lane in range(15, 0, -1):
        length = sum(top >= lane for top in tops)
        runs[lane] = iter(data[at:at + length])
        at += length
    if at != len(data):
        raise DamagedError(f"a block of {len(data)} bytes, its lanes take {at}")
    pits = 15 if header.pits != header.other_pits else 16  # lane 15 may be the mark of swapped sides
    keys, key = [first_key], bytearray(first_key)
    if sum(key[:pits]) != header.seeds:
        raise DamagedError("a first key of another level")
    for top in tops:
        increase = next(runs[top])
        if increase == 0 or key[top] + increase > (header.seeds if top < pits else 1):
            raise DamagedError("a key that is not above the one before it")
        key[top] += increase
        for lane in range(top - 1, 0, -1):
            key[lane] = next(runs[lane])
        rest = header.seeds - sum(key[1:pits])
        if rest < 0:
            raise DamagedError("a key with more stones than its level")
        key[0] = rest
        keys.append(bytes(key))
    return values, keys


def unpack_pairs(block, first, count, level, facts):
    """The guarantees of a block in pairs packing: mover's seeds + 256 * opponent's."""
    if len(block) < 4:
        raise DamagedError("a block that ends before its length")
    length = struct.unpack_from("<I", block)[0]
    if length > len(block) - 4:
        raise DamagedError("a part that leaves its block")
    least = unpack_contexts(block[4:4 + length], first, count, level, facts)
    most = unpack_contexts(block[4 + length:], first, count, level, facts)
    if any(not 0 <= low <= high <= level.n for low, high in zip(least, most)):
        raise DamagedError("a pair that takes more than what is on the board, or less than nothing")
    return [low + 256 * (level.n - high) for low, high in zip(least, most)]


def unpack_planes(block, count):
    """The distances of a block in planes packing."""
    data = unframe(block, 2 * count)
    return [low | high << 8 for low, high in zip(data[:count], data[count:])]


# ---------------------------------------------------------------------------------------------------------
# Positions as text


def key_number(key):
    return int.from_bytes(key, "little")


def rows_text(mover, opponent):
    return ",".join(map(str, mover)) + "/" + ",".join(map(str, opponent))


def position_of_key(key, header):
    """The board of a key as text, the player to move first, without closed holes."""
    pits = header.pits + header.other_pits
    lanes = list(key[:pits][::-1])
    mover_pits = header.other_pits if key[15] else header.pits
    return rows_text(lanes[:mover_pits], lanes[mover_pits:])


def parse_position(text):
    """(mover's row, opponent's row) of `a1,…/b1,…`; closed holes (x) are left out, so a row may be empty. Raises
    UsageError."""
    rows = text.split("/")
    if len(rows) != 2:
        raise UsageError(f"position '{text}': two rows with one slash between them are needed")
    parsed = []
    for row in rows:
        pits = [pit for pit in re.split(r"\s*,\s*|\s+", row.strip()) if pit != "x"] if row.strip() else []
        if not all(re.fullmatch(r"\d{1,3}", pit, re.ASCII) for pit in pits):
            raise UsageError(f"position '{text}': '{row}' is no row of numbers")
        parsed.append(tuple(map(int, pits)))
    return parsed[0], parsed[1]


# ---------------------------------------------------------------------------------------------------------
# Files


class TableFile:
    """An open table file: header and block index read and checked, blocks read when they are asked for."""

    def __init__(self, path):
        self.path = os.fspath(path)
        try:
            self._file = open(self.path, "rb")
            file_bytes = os.fstat(self._file.fileno()).st_size
            start = self._file.read(16)
            length = struct.unpack_from("<I", start, 8)[0] if len(start) == 16 else 0
            start += self._file.read(max(0, min(length, file_bytes) - 16))
            self.header = parse_header(start, file_bytes, self.path)
            start += self._file.read(min(self.header.blocks * ENTRY_BYTES + 8, file_bytes))
        except OSError as error:
            raise IoError(f"cannot be read: {error.strerror}", self.path) from error
        self.entries = parse_index(start, self.header, file_bytes, self.path)
        if self.header.index == RANKS:
            self.level = Level(self.header.pits, self.header.pit_limit, self.header.seeds)
            self._facts = mover_facts(self.level.rows)

    def close(self):
        self._file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def block(self, number):
        """(values, distances or guarantees; keys or None) of a block. Raises DamagedError."""
        entry, header = self.entries[number], self.header
        first = number * header.block_values
        count = min(header.block_values, header.positions - first)
        try:
            self._file.seek(entry.offset)
            data = self._file.read(entry.length)
        except OSError as error:
            raise IoError(f"cannot be read: {error.strerror}", self.path) from error
        if xxh3_64(data) not in (None, entry.checksum):
            raise DamagedError(f"the checksum of block {number} is wrong", self.path, entry.offset)
        try:
            if header.packing == CONTEXTS:
                return unpack_contexts(data, first, count, self.level, self._facts), None
            if header.packing == PAIRS:
                return unpack_pairs(data, first, count, self.level, self._facts), None
            if header.packing == PLANES:
                return unpack_planes(data, count), None
            return unpack_prefixes(data, count, entry.first_key, header)
        except DamagedError as error:
            raise DamagedError(f"block {number}: {error}", self.path, entry.offset) from error

    def index_of(self, position):
        """(index, block number, place in the block) of a board. Raises UsageError if the file does not hold it."""
        header = self.header
        mover, opponent = parse_position(position)
        foreign = UsageError(f"position '{position}': not a board of {self.path} "
                             f"({header.pits}x{header.other_pits} pits, {header.seeds} seeds)")
        if sum(mover) + sum(opponent) != header.seeds:
            raise foreign
        if header.index == RANKS:
            if (len(mover), len(opponent)) != (header.pits, header.pits) or \
                    max(mover + opponent) > header.pit_limit:
                raise foreign
            index = self.level.index(opponent, mover)
            return (index, *divmod(index, header.block_values))
        if header.kind == DISTANCES:
            raise UnsupportedError("distances of a file of keys are found through the file of values", self.path)
        if (len(mover), len(opponent)) == (header.pits, header.other_pits):
            turned = 0
        elif (len(opponent), len(mover)) == (header.pits, header.other_pits):
            turned = 1
        else:
            raise foreign
        if max(mover + opponent, default=0) > 255:
            raise foreign
        lanes = bytes((mover + opponent)[::-1])
        key = lanes + bytes(15 - len(lanes)) + bytes((turned,)) if len(lanes) < 16 else lanes
        number = bisect.bisect_right([key_number(entry.first_key) for entry in self.entries], key_number(key)) - 1
        if number >= 0:
            keys = self.block(number)[1]
            place = bisect.bisect_left([key_number(other) for other in keys], key_number(key))
            if place < len(keys) and keys[place] == key:
                return number * header.block_values + place, number, place
        raise UsageError(f"position '{position}': not reached in {self.path}")

    def value(self, position):
        """The value (distance) of one board. Decodes one block only."""
        _, number, place = self.index_of(position)
        return self.block(number)[0][place]

    def read(self):
        """The whole table, its digest checked."""
        header = self.header
        values = array.array("b" if header.kind == VALUES else "H")
        keys = [] if header.has_keys else None
        for number in range(header.blocks):
            block, block_keys = self.block(number)
            values.extend(block)
            if keys is not None:
                keys.extend(block_keys)
        table = Table(header, values, keys)
        digest = xxh3_128(table.raw())
        if digest is not None and digest.hex() != header.digest:
            raise DamagedError(f"the digest of the contents is {digest.hex()} instead of {header.digest}",
                               self.path, 40)
        if keys is not None:
            digest = xxh3_128(b"".join(keys))
            if digest is not None and digest.hex() != header.keys_digest:
                raise DamagedError(f"the digest of the keys is {digest.hex()} instead of {header.keys_digest}",
                                   self.path, 104)
        return table


@dataclasses.dataclass(frozen=True)
class Table:
    """A table in memory by index: values (array of signed bytes), distances or guarantees (arrays of 16-bit numbers)."""

    header: Header
    values: array.array
    keys: list = None  # of a file of keys with values

    def raw(self):
        """The contents as the digest is taken over them: one signed byte each, or two bytes, little-endian."""
        if self.values.itemsize == 1 or sys.byteorder == "little":
            return self.values.tobytes()
        swapped = self.values[:]
        swapped.byteswap()
        return swapped.tobytes()

    def positions(self):
        """Yields the boards as text, in index order."""
        header = self.header
        if header.index == RANKS:
            for opponent, mover in Level(header.pits, header.pit_limit, header.seeds).boards():
                yield rows_text(mover, opponent)
        elif self.keys is None:
            raise UnsupportedError("distances of a round do not hold its positions; they stand in the file of values")
        else:
            for key in self.keys:
                yield position_of_key(key, header)

    def position(self, index):
        """The board of an index, as text."""
        if self.keys is not None:
            return position_of_key(self.keys[index], self.header)
        opponent, mover = next(Level(self.header.pits, self.header.pit_limit, self.header.seeds).boards(index))
        return rows_text(mover, opponent)


def read_table(path):
    """Reads a whole table file and checks all there is to check. Raises TableError."""
    with TableFile(path) as file:
        return file.read()


# ---------------------------------------------------------------------------------------------------------
# Command line


def write_csv(table, out):
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("index", "position", *(("value",), ("distance",), ("mover", "opponent"))[table.header.kind]))
    for index, (position, value) in enumerate(zip(table.positions(), table.values)):
        writer.writerow((index, position, *(pair_of(value) if table.header.kind == GUARANTEES else (value,))))


def run(arguments):
    with TableFile(arguments.file) as file:
        if arguments.header:
            record = file.header.record()
            if arguments.json:
                print(json.dumps(record))
            else:
                for name, value in record.items():
                    print(f"{name.replace('_', ' '):<13} {value}")
        elif arguments.value is not None:
            index, number, place = file.index_of(arguments.value)
            value = file.block(number)[0][place]
            if file.header.kind == DISTANCES and value == NO_DISTANCE:
                value = None
            if file.header.kind == GUARANTEES:
                value = pair_of(value)
            if arguments.json:
                print(json.dumps({"position": arguments.value, "index": index,
                                  ("value", "distance", "guarantee")[file.header.kind]: value}))
            elif file.header.kind == GUARANTEES:
                print(*value)
            else:
                print("none" if value is None else value)
        else:
            table = file.read()
            if arguments.raw:
                with open(arguments.raw, "wb") as out:
                    out.write(table.raw())
            elif arguments.csv:
                write_csv(table, sys.stdout)
            elif arguments.json:
                print(json.dumps({"file": arguments.file, "positions": len(table.values),
                                  "digest": table.header.digest, "checksums": can_hash()}))
            else:
                print(f"{arguments.file}: {len(table.values)} {KINDS[table.header.kind]}, "
                      f"digest {table.header.digest}" + ("" if can_hash() else ", unchecked"))


def main(words=None):
    parser = argparse.ArgumentParser(
        description="Reads a retrosow table file, checks it and prints what is in it; tables/FORMAT.md is the "
        "format. Without an option: checks all of the file.",
        epilog="Exit codes: 0 fine, 2 usage, 3 input or output, 4 damaged data, 5 unsupported.")
    parser.add_argument("file", help="a table file (.rsow)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--header", action="store_true", help="print the header only")
    what.add_argument("--raw", metavar="OUT", help="write the values (signed bytes), distances (16-bit, "
                      "little-endian) or guarantees (two bytes, mover first), in index order")
    what.add_argument("--csv", action="store_true", help="print index, position, value of every position")
    what.add_argument("--value", metavar="POSITION", help="print the value (distance, guarantees) of one position")
    parser.add_argument("--json", action="store_true", help="JSON, with --header, --value or alone")
    arguments = parser.parse_args(words)
    if arguments.json and (arguments.csv or arguments.raw):
        parser.error("--json does not go with --csv or --raw")
    try:
        run(arguments)
        sys.stdout.flush()
    except TableError as error:
        print(f"decode_table: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 3
    except OSError as error:
        print(f"decode_table: {error.filename or 'output'}: {error.strerror}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
