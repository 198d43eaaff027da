"""How large games are: exact counts up to a limit, and samples of what is beyond it."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any, Final

from boardgames_cli.core.game import CHANCE, AnyGame

BYTES_PER_HISTORY: Final = 700
"""The memory of a node in a tree of histories, with what a solver holds for it; measured: 350 to
600 in Kuhn poker and Leduc poker."""
_PROBES: Final = 50
_FEW: Final = 5
_BEYOND_ALL: Final = 30
"""So large a power of 10 that fewer paths say enough."""
_SAMPLED: Final = 40_000
_LONGEST: Final = 10_000


def estimated_histories(game: AnyGame) -> float:
    """An estimate of the number of histories, as its logarithm to the base of 10.

    A random path stands for as many histories of its length as the product of the numbers of
    branches along it, which is right on average (D. Knuth, "Estimating the efficiency of backtrack
    programs", 1975). Paths are cut after 10,000 steps.
    """
    rng = random.Random(1)
    paths = 0
    logarithms: list[float] = []
    while paths < _FEW or (paths < _PROBES and max(logarithms) < _BEYOND_ALL):
        paths += 1
        state, branches = game.initial_state(), 0.0
        for _ in range(_LONGEST):
            logarithms.append(branches)
            seats = game.to_act(state)
            if not seats:
                break
            if seats == (CHANCE,):
                outcomes = game.chance_outcomes(state)
                branches += math.log10(len(outcomes))
                state = game.apply_chance(state, rng.choice(outcomes)[0])
                continue
            legal = {seat: game.legal_actions(state, seat) for seat in seats}
            branches += sum(math.log10(len(actions)) for actions in legal.values())
            state = game.apply(state, {seat: rng.choice(legal[seat]) for seat in seats})
    # The sum of powers of 10, without an overflow.
    top = max(logarithms)
    return top + math.log10(sum(10 ** (one - top) for one in logarithms) / paths)


def least_positions(game: AnyGame, key: Callable[[Any], Hashable]) -> int:
    """A lower bound on the number of positions that can be reached, from those of random games.

    The more positions were met only once, the more were not met at all (A. Chao, "Nonparametric
    estimation of the number of classes in a population", 1984).

    Args:
        game: A game without chance, one seat acting at a time.
        key: The name of a state's position.
    """
    rng = random.Random(1)
    met: Counter[Hashable] = Counter()
    for _ in range(_SAMPLED):
        state = game.initial_state()
        while seats := game.to_act(state):
            met[key(state)] += 1
            state = game.apply(state, {seats[0]: rng.choice(game.legal_actions(state, seats[0]))})
        if met.total() >= _SAMPLED:
            break
    times = Counter(met.values())
    return len(met) + times[1] * (times[1] - 1) // (2 * (times[2] + 1))


def in_words(logarithm: float) -> str:
    """A large number by its logarithm to the base of 10: ``about 30,000`` or ``about 10^21``."""
    return f"about 10^{logarithm:.0f}" if logarithm > 9 else f"about {round(10**logarithm):,}"


def memory_in_words(count: float) -> str:
    """The memory for so many bytes: ``0.1 MB``."""
    units = ["kB", "MB", "GB", "TB"]
    power = min(max(1, int(math.log10(max(count, 1)) / 3)), len(units))
    return f"{count / 1000**power:,.3g} {units[power - 1]}"
