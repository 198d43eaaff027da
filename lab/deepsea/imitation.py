"""Plans that play like an agent: learnt from its decisions, by the cross-entropy method.

A plan that decides alike may still bring home less, since a few of its errors lead where the agent
never comes. So what it makes counts, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boardgames_cli.core.match import AnyMatch
from boardgames_cli.games.deepsea.actions import DIVE, KEEP, LEAVE
from boardgames_cli.games.deepsea.agents.plans import (
    Plan,
    Question,
    Sea,
    drops,
    question_of,
    returns,
    takes,
)
from boardgames_cli.games.deepsea.state import DeepSeaState
from deepsea.lab import (
    SPREAD,
    START,
    TUNED,
    functions,
    plan_of,
    rows_of,
    sea_type,
)

Numbers = npt.NDArray[np.float64]

GENERATIONS, CANDIDATES = 24, 48
LEARNT: Final = (*TUNED, "ahead")
"""The fields of a plan that weighs which are learnt."""
DOUBT: Final = 0.005
"""The least chance of anything."""
STEADY: Final = 0.03
"""Who dives on less often where its plan turns back does not hesitate: the plan is inexact."""
PER_SQUARE: Final = 0.03
"""What a squared point that it makes too many or too few counts, in logarithms of likelihood a
decision."""
AHEAD_SPREAD: Final = 1.5
FURTHEST: Final = 6
"""The most turns that a plan looks ahead."""


class Decision(NamedTuple):
    """What a diver did in a position."""

    state: DeepSeaState
    question: int
    is_yes: bool
    """Whether it turned back, took the chip, or put one down."""


QUESTIONS: Final[Sequence[Question]] = (returns, takes, drops)
"""In the order of `lab.RETURNS`, `lab.TAKES` and `lab.DROPS`."""


def decisions_of(match: AnyMatch) -> Iterator[tuple[int, Decision]]:
    """The seats that decided in a game, with what they did."""
    for ply, step in enumerate(match.steps):
        for seat, action in step.joint.items():
            state = match.state_at(ply)
            question = QUESTIONS.index(question_of(state))
            yield seat, Decision(state, question, action not in (DIVE, LEAVE, KEEP))


def seas_of(states: Sequence[DeepSeaState]) -> npt.NDArray[Any]:
    """Positions as records."""
    rows = [astuple(Sea.of(state)) for state in states]
    return np.array(rows, sea_type(len(states[0].places)))


def whole_turns(plan: Plan) -> Plan:
    """The same, looking ahead for whole turns."""
    return replace(plan, ahead=float(np.clip(round(plan.ahead), 1, FURTHEST)))


def learn(decisions: Sequence[Decision], amiss: Callable[[Plan], float], *, compile: bool) -> Plan:
    """The plan by which decisions are likeliest, with how often it hesitates to turn back.

    Args:
        decisions: Of one agent.
        amiss: How far what a plan makes is from what the agent makes, in squared points.
        compile: See `lab.functions`.
    """
    count_claims = functions(compile=compile)["count_claims"]
    seas, rng = seas_of([one.state for one in decisions]), np.random.default_rng(len(decisions))
    facts = np.array([(one.state.current, one.question, one.is_yes) for one in decisions], np.int64)

    def judged(plan: Plan) -> tuple[float, Plan]:
        """The logarithm of the likelihood a decision, and the plan with how often it hesitates."""
        claims = np.zeros(4)
        count_claims(rows_of([plan])[0], seas, facts, claims)
        wrong, right, stayed, returned = claims
        error = max(DOUBT, wrong / max(1.0, wrong + right))
        stays = max(DOUBT, stayed / max(1.0, stayed + returned))
        likely = wrong * math.log(error) + right * math.log(1 - error)
        likely += stayed * math.log(stays) + returned * math.log(max(DOUBT, 1 - stays))
        hesitation = float(stays) if stays > STEADY else 0.0
        return likely / len(decisions), replace(plan, hesitation=hesitation)

    mean, spread = np.append(START, Plan().ahead), np.append(SPREAD, AHEAD_SPREAD)
    least = 0.02 * spread
    best, chosen = -math.inf, plan_of(mean, LEARNT)
    for _ in range(GENERATIONS):
        drawn = mean + spread * rng.standard_normal((CANDIDATES, len(mean)))
        drawn[0] = mean
        drawn[:, :3] = np.maximum(drawn[:, :3], 0.0)
        judgements = [judged(whole_turns(plan_of(numbers, LEARNT))) for numbers in drawn]
        found = [plan for _, plan in judgements]
        scores = np.array([score for score, _ in judgements])
        likeliest = np.argsort(-scores)[: CANDIDATES // 3]
        scores[likeliest] -= [PER_SQUARE * amiss(found[number]) for number in likeliest]
        order = likeliest[np.argsort(-scores[likeliest])]
        if scores[order[0]] > best:
            best, chosen = scores[order[0]], found[order[0]]
        elite = drawn[order[: CANDIDATES // 6]]
        mean = 0.3 * mean + 0.7 * elite.mean(axis=0)
        spread = np.maximum(0.3 * spread + 0.7 * elite.std(axis=0), least)
    return chosen
