"""Plans that play like an agent: learnt from its decisions, by the cross-entropy method.

A plan that decides alike may still bring home less, since a few of its errors lead where the agent
never comes. So what it makes counts, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boardgames_cli.core.match import AnyMatch
from boardgames_cli.games.deepsea.actions import DIVE, KEEP, LEAVE
from boardgames_cli.games.deepsea.agents import plans
from boardgames_cli.games.deepsea.agents.monte_carlo import sea_and_tables
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase
from deepsea.lab import DROPS, RETURNS, TAKES, functions

Numbers = npt.NDArray[np.float64]

GENERATIONS, CANDIDATES = 24, 48
FIRST, LAST = 2, 23
"""The numbers of a risk plan that are learnt."""
START: Final = np.array(plans.risk_plan()[FIRST:LAST])
SPREAD: Final = np.array(
    [0.3, 0.3, 0.5, 0.3, 0.2, *[2, 2, 1, 1], *[0.1] * 4, *[1, 1, 0.05], *[1.0] * 4, 1.5]
)
DOUBT: Final = 0.005
"""The least chance of anything."""
STEADY: Final = 0.03
"""Who dives on less often where its plan turns back does not hesitate: the plan is inexact."""
PER_SQUARE: Final = 0.03
"""What a squared point that it makes too many or too few counts, in logarithms of likelihood a
decision."""
FURTHEST: Final = 6
"""The most turns that a plan looks ahead."""


class Decision(NamedTuple):
    """What a diver did in a position."""

    state: DeepSeaState
    question: int
    is_yes: bool
    """Whether it turned back, took the chip, or put one down."""


Positions = tuple[npt.NDArray[np.int64] | Numbers, ...]
"""The parts of `plans.Sea`, ways home and worth of chips, each by position; then by position the
seat, what it was asked and what it did; and for all the odds, `plans.HOME` and `plans.NEED`."""


def decisions_of(match: AnyMatch) -> Iterator[tuple[int, Decision]]:
    """The seats that decided in a game, with what they did."""
    for ply, step in enumerate(match.steps):
        for seat, action in step.joint.items():
            state = match.state_at(ply)
            question = TAKES if state.chip_under(seat) else DROPS
            if state.phase is Phase.DIRECTION:
                question = RETURNS
            yield seat, Decision(state, question, action not in (DIVE, LEAVE, KEEP))


def positions_of(decisions: Sequence[Decision]) -> Positions:
    """Decisions as arrays."""
    read = [sea_and_tables(one.state) for one in decisions]
    seas = [np.array(part) for part in zip(*(sea for sea, _ in read), strict=True)]
    seas[3] = seas[3].astype(np.float64)  # the worth of loads
    ways, worths = (np.array([tables[part] for _, tables in read]) for part in (0, 1))
    facts = [(one.state.current, one.question, one.is_yes) for one in decisions]
    odds = np.array(plans.HOME), np.array(plans.NEED)
    return (*seas, ways, worths, np.array(facts, np.int64), *odds)


def plan_of(numbers: Numbers) -> Numbers:
    """The risk plan with these numbers."""
    plan = np.array(plans.risk_plan())
    plan[FIRST:LAST] = numbers
    plan[plans.TURNS_AHEAD] = np.clip(round(plan[plans.TURNS_AHEAD]), 1, FURTHEST)
    return plan


def learn(
    decisions: Sequence[Decision], amiss: Callable[[Numbers], float], *, compile: bool
) -> Numbers:
    """The plan by which decisions are likeliest, with how often it hesitates to turn back.

    Args:
        decisions: Of one agent.
        amiss: How far what a plan makes is from what the agent makes, in squared points.
        compile: See `lab.functions`.
    """
    count_claims = functions(compile=compile)["count_claims"]
    positions, rng = positions_of(decisions), np.random.default_rng(len(decisions))

    def judged(plan: Numbers) -> float:
        """The logarithm of the likelihood a decision; how often it hesitates is filled in."""
        claims = np.zeros(4)
        count_claims(plan, positions, claims)
        wrong, right, stayed, returned = claims
        error = max(DOUBT, wrong / max(1.0, wrong + right))
        stays = max(DOUBT, stayed / max(1.0, stayed + returned))
        likely = wrong * math.log(error) + right * math.log(1 - error)
        likely += stayed * math.log(stays) + returned * math.log(max(DOUBT, 1 - stays))
        plan[plans.HESITATION] = stays if stays > STEADY else 0.0
        return likely / len(decisions)

    mean, spread = START.copy(), SPREAD.copy()
    best, chosen = -math.inf, plan_of(mean)
    for _ in range(GENERATIONS):
        drawn = mean + spread * rng.standard_normal((CANDIDATES, len(mean)))
        drawn[0] = mean
        drawn[:, :3] = np.maximum(drawn[:, :3], 0.0)
        found = [*map(plan_of, drawn)]
        scores = np.array([*map(judged, found)])
        likeliest = np.argsort(-scores)[: CANDIDATES // 3]
        scores[likeliest] -= [PER_SQUARE * amiss(found[number]) for number in likeliest]
        order = likeliest[np.argsort(-scores[likeliest])]
        if scores[order[0]] > best:
            best, chosen = scores[order[0]], found[order[0]]
        elite = drawn[order[: CANDIDATES // 6]]
        mean = 0.3 * mean + 0.7 * elite.mean(axis=0)
        spread = np.maximum(0.3 * spread + 0.7 * elite.std(axis=0), 0.02 * SPREAD)
    return chosen
