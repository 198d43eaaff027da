"""Random streams: the same everywhere, fair, independent, and silent about their seeds."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from boardgames_cli.core.randomness import CHANCE_STREAM, CounterRandom, RandomStreams

KEY = bytes(range(64))
HUGE = 3**1000

# Fixed for all platforms and versions: a change here changes every game with a seed.
GOLDEN_WORDS = [7454257348505901215, 7331552274413924826, 10949062197237135913]
GOLDEN_FLOAT = 0.075585339025942
GOLDEN_DEFAULT = 0.8413912107902659
GOLDEN_EARLY = (0.007921511554769611, 0.6227508074871035)
GOLDEN_DRAWS = (
    [1, 4, 1, 2, 3, 1, 4, 2],
    "g",
    [79, 36, 37, 21, 5],
    [*"ccccba"],
    [0, 6, 2, 4, 1, 7, 3, 5],
    26638901994748524188626499944,
    "9068d8",
    0.449537013926,
    97707334636036326805393453179,
)


def chi_square(counts: Counter[int], cells: int) -> float:
    """The statistic against equal chances; about ``cells``, and its deviation sqrt(2 cells)."""
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 for cell in range(cells)) / expected


def is_plausible(statistic: float, cells: int) -> bool:
    """Whether it lies within 4 deviations of its mean: both too far and too regular are refused."""
    return bool(abs(statistic - (cells - 1)) < 4 * (2 * (cells - 1)) ** 0.5)


def test_golden_values() -> None:
    rng = RandomStreams(42).at("chance", 7)
    assert [rng.getrandbits(64) for _ in range(3)] == GOLDEN_WORDS
    agents = RandomStreams(42, agent_seed=HUGE).at("seat0", 7)
    assert agents.random() == GOLDEN_FLOAT
    assert RandomStreams(42).at("seat0", 7).random() == GOLDEN_DEFAULT
    early = RandomStreams(42).at("chance", 0)
    assert (early.random(), early.random()) == GOLDEN_EARLY
    rng = CounterRandom(KEY, 3)
    drawn = (
        [rng.randrange(6) for _ in range(8)],
        rng.choice("abcdefg"),
        rng.sample(range(100), 5),
        rng.choices("abc", [1, 2, 3], k=6),
        rng.shuffle(cards := [*range(8)]) or cards,
        rng.getrandbits(100),
        rng.randbytes(3).hex(),
        round(rng.gauss(0, 1), 12),
        rng.randrange(10**30),
    )
    assert drawn == GOLDEN_DRAWS


def test_every_place_is_reached_at_once_and_in_any_order() -> None:
    rng = CounterRandom(KEY)
    forward = [(rng.move_to(place), [rng.random() for _ in range(20)])[1] for place in range(40)]
    for place in random.Random(1).sample(range(40), 40):
        rng.move_to(place)
        assert [rng.random() for _ in range(20)] == forward[place]
        assert CounterRandom(KEY, place).random() == forward[place][0]


def first_words() -> Iterator[int]:
    seeds = [(s, a) for s in (0, 1, -1, 2**32, 2**64, HUGE, HUGE + 1) for a in (None, 0, 1, HUGE)]
    for seed, agent_seed in seeds:
        streams = RandomStreams(seed, agent_seed)
        for stream, ply in itertools.product(("seat0", "seat1", "hint", "stand-in"), range(20)):
            if agent_seed is None or seed == 0:
                yield streams.at(stream, ply).getrandbits(64)
        if agent_seed is None:
            yield from (streams.at(CHANCE_STREAM, ply).getrandbits(64) for ply in range(20))


def test_no_two_streams_plies_or_seeds_share_a_number() -> None:
    words = list(first_words())
    assert len(set(words)) == len(words) > 800


def test_chance_and_agents_draw_from_two_seeds() -> None:
    streams = [RandomStreams(1), RandomStreams(1, 5), RandomStreams(2, 5)]
    chance = [one.at(CHANCE_STREAM, 0).random() for one in streams]
    agents = [one.at("seat0", 0).random() for one in streams]
    assert chance[0] == chance[1] != chance[2]
    assert agents[0] != agents[1] == agents[2]


def test_a_generator_holds_nothing_but_the_key_of_its_own_stream() -> None:
    streams = RandomStreams(7, 9)
    others = [streams.at(stream, 0).getstate()[0] for stream in ("chance", "seat1")]
    rng = streams.at("seat0", 3)
    rng.random()
    rest = [getattr(rng, name, None) for name in CounterRandom.__slots__]
    held = pickle.dumps((rng, vars(rng), rest))
    assert rng.getstate()[0] in held
    assert not any(key in held for key in others)


@pytest.mark.parametrize("cells", [2, 3, 5, 6, 7, 36])
def test_first_and_later_numbers_are_uniform(cells: int) -> None:
    rng = CounterRandom(KEY)
    first: Counter[int] = Counter()
    later: Counter[int] = Counter()
    for place in range(4000):
        rng.move_to(place)
        first[rng.randrange(cells)] += 1
        later.update(int(rng.random() * cells) for _ in range(11))
    assert is_plausible(chi_square(first, cells), cells)
    assert is_plausible(chi_square(later, cells), cells)


@pytest.mark.parametrize("apart", [(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 3, 8)])
def test_neighbouring_seeds_streams_and_plies_are_independent(apart: tuple[int, int, int]) -> None:
    streams = [RandomStreams(seed) for seed in range(41)]
    pairs: Counter[int] = Counter()
    for seed, seat, ply in itertools.product(range(40), range(3), range(40)):
        one = streams[seed].at(f"seat{seat}", ply)
        two = streams[seed + apart[0]].at(f"seat{seat + apart[1]}", ply + apart[2])
        pairs[8 * one.randrange(8) + two.randrange(8)] += 1
    assert is_plausible(chi_square(pairs, 64), 64)


def test_every_bit_is_fair() -> None:
    rng = CounterRandom(KEY)
    words = [rng.getrandbits(64) for _ in range(10_000)]
    for bit in range(64):
        assert abs(sum(word >> bit & 1 for word in words) - 5000) < 5 * 50


@pytest.mark.parametrize("drawn", [0, 1, 2, 5, 9, 30])
@pytest.mark.parametrize("has_moved", [False, True])
def test_states_copies_and_pickles_go_on_alike(drawn: int, has_moved: bool) -> None:
    rng = CounterRandom(KEY, 5)
    for _ in range(drawn):
        rng.random()
    rng.gauss(0, 1)  # the parent's keeps its second number for the next call
    if has_moved:
        rng.move_to(9)
    state = rng.getstate()
    other = CounterRandom(KEY[::-1])
    other.move_to(3)
    other.setstate(state)
    twins = [copy.copy(rng), copy.deepcopy(rng), pickle.loads(pickle.dumps(rng)), other]
    wanted = [rng.gauss(0, 1) for _ in range(30)]
    rng.setstate(state)
    assert [rng.gauss(0, 1) for _ in range(30)] == wanted
    for twin in twins:
        assert [twin.gauss(0, 1) for _ in range(30)] == wanted


def test_it_can_be_seeded_like_its_parent() -> None:
    rng, other = CounterRandom(KEY), CounterRandom(KEY[::-1], 5)
    for seed in (1, -1, HUGE, "text", b"bytes", 2.5):
        rng.seed(seed)
        other.seed(seed)
        drawn = rng.random()
        assert drawn == other.random()
        rng.seed("text " * 2)
        assert rng.random() != drawn
    rng.seed()
    other.seed()
    assert rng.random() != other.random()


def test_edges() -> None:
    rng = CounterRandom(KEY)
    assert isinstance(rng, random.Random)
    assert (rng.getrandbits(0), rng.randrange(1), rng.choice([7])) == (0, 0, 7)
    with pytest.raises(ValueError, match="non-negative"):
        rng.getrandbits(-1)
    with pytest.raises(IndexError):
        rng.choice([])
    with pytest.raises(ValueError, match="empty range"):
        rng.randrange(0)
    for bits in (1, 63, 64, 65, 128, 1000):
        drawn = [rng.getrandbits(bits) for _ in range(60)]
        assert max(drawn) < 2**bits
        assert max(drawn).bit_length() == bits
    big = [rng.randrange(2**40 + 1) for _ in range(300)]
    assert 2**39 < max(big) <= 2**40


def test_others_randomness_is_left_alone() -> None:
    random.seed(3)
    wanted = random.Random(3).random()
    rng = CounterRandom(KEY)
    rng.seed(5)
    rng.random()
    assert random.random() == wanted
