"""Random streams: numbers that are found again by seed, name of the stream, and ply.

A stream's numbers are BLAKE2b hashes of a key and a counter (Salmon et al., "Parallel random
numbers: as easy as 1, 2, 3", 2011, with a cryptographic hash for the cipher). Any place of a
stream is reached at once, making a generator costs next to nothing until it is drawn from, and the
numbers of one stream tell nothing about its key, the seed, or another stream. A seed that is short
enough to be tried out is no secret, though: give a long ``agent_seed`` where agents are not
trusted.
"""

from __future__ import annotations

import os
import random
import struct
from hashlib import blake2b
from typing import Any, Final, Protocol, SupportsIndex, TypeVar

T_co = TypeVar("T_co", covariant=True)

CHANCE_STREAM: Final = "chance"
"""The stream of dice and cards, the only one that draws from a match's seed itself."""

_KEY_SIZE: Final = 32
_BLOCK: Final = struct.Struct("<8Q")
_POSITION: Final = struct.Struct("<QQ")
_TO_UNIT: Final = 2.0**-53
_NEARLY_FAIR: Final = 1 << 32
"""Below this a 64-bit number is scaled: no choice is favoured by more than 1 in 2**32."""

# A key goes before what is hashed, and both fit one block of BLAKE2b, which needs no HMAC. Its own
# keyed mode takes twice the time, because it gives the key a block of its own.


def _hash_seed(purpose: bytes, seed: int) -> bytes:
    # As hexadecimal text: seeds may be negative, and of any size.
    return blake2b(b"boardgames %b %x" % (purpose, seed)).digest()


class _Items(Protocol[T_co]):
    """What `random.Random.choice` chooses from."""

    def __len__(self) -> int: ...

    def __getitem__(self, k: int, /) -> T_co: ...


class CounterRandom(random.Random):
    """A `random.Random` whose numbers are a function of a key and a place in its stream.

    The same on all platforms and versions of Python. Copies, pickles and `getstate` hold the key
    of this stream, from which neither the seed nor another stream can be found.

    Args:
        key: 64 secret bytes. The first half is the key of all blocks. The second half is the first
            number of each of the first four places, for which short games then need no block.
        index: The place in the stream, such as the ply; each has endless numbers of its own.
    """

    # The parent's instances have dictionaries, in which attributes take longer to find.
    __slots__ = ("_blocks", "_hasher", "_index", "_key", "_lead", "_lead_number", "_word", "_words")

    _key: bytes
    _index: int
    _blocks: int
    """How many blocks were drawn from at the present place."""
    _word: int | None
    """The first number of the present place, from `move_to` until it is drawn."""
    _words: list[int]
    """What is left of the last block but the first."""
    _lead: tuple[int, ...]
    """The first numbers of eight neighbouring places."""
    _lead_number: int | None
    _hasher: blake2b | None
    """What has hashed the key, and continues with a block's position."""

    # The parent's keeps a second number for later, which `move_to` would have to forget.
    gauss = random.Random.normalvariate

    def __init__(self, key: bytes, index: int = 0) -> None:
        # The parent's __init__ would seed a Mersenne Twister, which is slow and never used here.
        self._key = key
        self._index = index
        self._blocks = 0
        self._word = self._lead_number = self._hasher = None

    def move_to(self, index: int) -> None:
        """Go to the beginning of another place in the stream."""
        self._index = index
        self._blocks = 1
        place = index + 4
        if place >> 3 != self._lead_number:
            self._turn_to_lead(place >> 3)
        # Fetched at once, since almost whoever moves draws: the methods that draw ask less.
        self._word = self._lead[place & 7]

    def _turn_to_lead(self, number: int) -> None:
        # Most decisions draw one number: eight neighbouring places share the block of these.
        self._lead_number = number
        self._lead = self._block(number, 0) if number else _BLOCK.unpack(self._key)

    def _next_word(self) -> int:
        """The next 64 bits."""
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
        """A number in [0, 1), a multiple of 2**-53."""
        word = self._word
        if word is None:
            word = self._next_word()
        else:
            self._word = None
        return (word >> 11) * _TO_UNIT

    def getrandbits(self, k: SupportsIndex, /) -> int:
        """An integer of k random bits.

        Raises:
            ValueError: k is negative.
        """
        count = k.__index__()
        if count < 0:
            raise ValueError("number of bits must be non-negative")
        if 0 < count <= 64:
            return self._next_word() >> (64 - count)
        bits = 0
        for _ in range(0, count, 64):
            bits = bits << 64 | self._next_word()
        return bits >> -count % 64

    def choice(self, seq: _Items[T_co]) -> T_co:
        """One of the items of a sequence.

        Raises:
            IndexError: It is empty.
        """
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
        """Begin another stream, whose key is made from a number, text or bytes.

        Args:
            a: The seed, of any type that `random.Random.seed` takes; None takes the key from the
                operating system.
            version: Ignored.
        """
        match a:
            case None:
                key = os.urandom(2 * _KEY_SIZE)
            case int():
                key = _hash_seed(b"number", a)
            case _:
                key = _hash_seed(b"other", int.from_bytes(repr(a).encode()))
        self.setstate((key, 0, 0, ()))

    def getstate(self) -> tuple[Any, ...]:
        """All that the next numbers depend on."""
        blocks = self._blocks if self._word is None else 0
        words = tuple(self._words) if blocks > 1 else ()
        return self._key, self._index, blocks, words

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Go back to where `getstate` was called."""
        self._key, self._index, self._blocks, words = state
        self._words = list(words)
        self._word = self._lead_number = self._hasher = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._key, self._index), self.getstate()


class RandomStreams:
    """All random numbers of a match, by the name of the stream and the ply.

    Args:
        seed: The number chance derives from.
        agent_seed: The number all other streams derive from; by default it is made from the seed,
            by a hash that can't be inverted.
    """

    def __init__(self, seed: int, agent_seed: int | None = None) -> None:
        hashed = _hash_seed(b"seed", seed)
        self._chance_root, self._agent_root = hashed[:_KEY_SIZE], hashed[_KEY_SIZE:]
        if agent_seed is not None:
            self._agent_root = _hash_seed(b"agents", agent_seed)[_KEY_SIZE:]
        self._keys: dict[str, bytes] = {}

    def at(self, stream: str, ply: int) -> CounterRandom:
        """A new generator at the beginning of what a stream has for a ply."""
        key = self._keys.get(stream)
        if key is None:
            root = self._chance_root if stream == CHANCE_STREAM else self._agent_root
            key = self._keys[stream] = blake2b(root + stream.encode()).digest()
        return CounterRandom(key, ply)
