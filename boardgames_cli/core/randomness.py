"""Random streams: numbers addressed by seed, stream name and ply.

A stream's numbers are BLAKE2b hashes of a key and a counter (Salmon et al., "Parallel random
numbers: as easy as 1, 2, 3", 2011, with a cryptographic hash instead of a cipher). Any position in
a stream is reached in constant time, creating a generator is cheap until it is used, and the
numbers of one stream reveal nothing about its key, the seed, or another stream. A short seed can be
found by trying them all, though: use a long ``agent_seed`` if agents are not trusted.
"""

from __future__ import annotations

import operator
import os
import random
import struct
from hashlib import blake2b
from typing import Any, Final, SupportsIndex

from boardgames_cli.core.errors import OptionError

CHANCE_STREAM: Final = "chance"
"""The stream of chance outcomes, the only one derived from a match's seed itself."""

_KEY_SIZE: Final = 32
_BLOCK: Final = struct.Struct("<8Q")
_POSITION: Final = struct.Struct("<QQ")
_TO_UNIT: Final = 2.0**-53
_NEARLY_FAIR: Final = 1 << 32
"""Smaller ranges scale a 64-bit number: no choice is favoured by more than 1 in 2**32."""


def check_seed(seed: object) -> int:
    """The seed that a person or a program gave.

    Raises:
        OptionError: It is not a whole number, 0 or more.
    """
    try:
        number = -1 if isinstance(seed, bool) else operator.index(seed)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if number < 0:
        raise OptionError(f"seed can't be {seed!r}.", "Allowed: a whole number, 0 or more.")
    return number


# The key is prepended to the message. BLAKE2b needs no HMAC, and both fit into one block; its own
# keyed mode takes twice the time, because the key fills an extra block.


def _hash_seed(purpose: bytes, seed: int) -> bytes:
    # Hashed as hexadecimal text, because seeds may be negative and of any size.
    return blake2b(b"boardgames %b %x" % (purpose, seed)).digest()


class CounterRandom(random.Random):
    """A `random.Random` whose numbers are a function of a key and a position in its stream.

    The numbers are the same on all platforms and Python versions. Copies, pickles and `getstate`
    contain the key of this stream, which reveals neither the seed nor another stream.

    Args:
        key: 64 secret bytes. The first half is the key for all blocks. The second half holds the
            first number of each of the first four positions, so that short games need no block.
        index: The position in the stream, such as the ply; each has an unlimited supply of numbers.
    """

    # Slots make attribute access faster than the parent's instance dictionary.
    __slots__ = ("_blocks", "_hasher", "_index", "_key", "_lead", "_lead_number", "_word", "_words")

    _key: bytes
    _index: int
    _blocks: int
    """The number of blocks used at the current position."""
    _word: int | None
    """The first number of the current position, from `move_to` until it is drawn."""
    _words: list[int]
    """The unused numbers of the current block."""
    _lead: tuple[int, ...]
    """The first numbers of eight neighbouring positions."""
    _lead_number: int | None
    _hasher: blake2b | None
    """A hasher that has consumed the key; it is copied to hash a block's index."""

    # The parent's gauss() caches a second number, which `move_to` would have to discard.
    gauss = random.Random.normalvariate

    def __init__(self, key: bytes, index: int = 0) -> None:
        # The parent's __init__ would seed a Mersenne Twister, which is slow and never used here.
        self._key = key
        self._index = index
        self._blocks = 0
        self._word = self._hasher = None
        self._lead, self._lead_number = _BLOCK.unpack(key), 0  # where most games of cards end

    @property
    def key(self) -> bytes:
        """Its 64 secret bytes."""
        return self._key

    def move_to(self, index: int) -> None:
        """Go to the start of another position in the stream."""
        self._index = index
        self._blocks = 1
        place = index + 4
        number = place >> 3
        if number != self._lead_number:
            # Most decisions draw one number, so eight neighbouring positions share a block.
            self._lead_number = number
            self._lead = self._block(number, 0) if number else _BLOCK.unpack(self._key)
        # Fetched eagerly, since a number is nearly always drawn next; this saves checks when
        # drawing.
        self._word = self._lead[place & 7]

    def _next_word(self) -> int:
        if not self._blocks:
            self.move_to(self._index)
        word = self._word
        if word is not None:
            self._word = None
            return word
        if self._blocks == 1 or not self._words:
            self._words = [*self._block(self._index, self._blocks)]
            self._blocks += 1
        return self._words.pop()

    def _block(self, index: int, number: int) -> tuple[int, ...]:
        if self._hasher is None:
            self._hasher = blake2b(self._key[:_KEY_SIZE])
        hasher = self._hasher.copy()
        hasher.update(_POSITION.pack(index, number))
        return _BLOCK.unpack(hasher.digest())

    def random(self) -> float:
        word = self._word
        if word is None:
            word = self._next_word()
        else:
            self._word = None
        return (word >> 11) * _TO_UNIT

    def getrandbits(self, k: SupportsIndex, /) -> int:
        count = k.__index__()
        if count < 0:
            raise ValueError("number of bits must be non-negative")
        if 0 < count <= 64:
            return self._next_word() >> (64 - count)
        bits = 0
        for _ in range(0, count, 64):
            bits = bits << 64 | self._next_word()
        return bits >> -count % 64

    def choice(self, seq: Any) -> Any:
        size = len(seq)
        if not size:
            raise IndexError("Cannot choose from an empty sequence")
        if size > _NEARLY_FAIR:
            return seq[self._randbelow(size)]
        word = self._word
        if word is None:
            word = self._next_word()
        else:
            self._word = None
        return seq[word * size >> 64]

    def _randbelow(self, n: int) -> int:
        # random.Random draws its shuffles, samples and ranges from this.
        if n <= _NEARLY_FAIR:
            return self._next_word() * n >> 64
        count = n.bit_length()
        while (drawn := self.getrandbits(count)) >= n:
            pass
        return drawn

    def seed(self, a: object = None, version: int = 2) -> None:
        match a:
            case None:
                key = os.urandom(2 * _KEY_SIZE)
            case int():
                key = _hash_seed(b"number", a)
            case _:
                key = _hash_seed(b"other", int.from_bytes(repr(a).encode()))
        self.setstate((key, 0, 0, ()))

    def getstate(self) -> tuple[Any, ...]:
        blocks = self._blocks if self._word is None else 0
        words = tuple(self._words) if blocks > 1 else ()
        return self._key, self._index, blocks, words

    def setstate(self, state: tuple[Any, ...]) -> None:
        self._key, self._index, self._blocks, words = state
        self._words = list(words)
        self._word = self._lead_number = self._hasher = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._key, self._index), self.getstate()


class RandomStreams:
    """The random numbers of a match, by stream name and ply.

    The agents' seed is that of all streams but chance; by default a one-way hash of the seed.
    """

    def __init__(self, seed: int, agent_seed: int | None = None) -> None:
        hashed = _hash_seed(b"seed", seed)
        self._chance_root, self._agent_root = hashed[:_KEY_SIZE], hashed[_KEY_SIZE:]
        if agent_seed is not None:
            self._agent_root = _hash_seed(b"agents", agent_seed)[_KEY_SIZE:]
        self._keys: dict[str, bytes] = {}

    def at(self, stream: str, ply: int) -> CounterRandom:
        """A new generator at the start of a stream's numbers for a ply."""
        key = self._keys.get(stream)
        if key is None:
            root = self._chance_root if stream == CHANCE_STREAM else self._agent_root
            key = self._keys[stream] = blake2b(root + stream.encode()).digest()
        return CounterRandom(key, ply)
