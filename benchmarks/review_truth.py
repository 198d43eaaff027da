"""Do the marks of reviews hold? The biggest ones, against strong agents who play on.

Plays games between agents, reviews them, and takes the choices with the largest losses. Each is
played on many times, once from the choice made and once from the one that the review calls best,
with the strongest level on all seats. Prints how often the direction is confirmed, and how the loss
that was told compares with the one that was found. In Pommerman a loss is one of survival, so it is
counted who is alive after the horizon of the review; elsewhere the games are played to their end.

    python benchmarks/review_truth.py pommerman --games 30 --agents medium --set mode=duel
    python benchmarks/review_truth.py deepsea --games 30 --agents easy,medium
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from arguments import Parser, run_main, setting
from review_calibration import read_game

from boardgames_cli.algorithms.choose_analyst import analyst_for
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.analyst import AnyAnalyst
from boardgames_cli.core.game import CHANCE, AnyGame, Seat
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.evaluation.reviewer import Reviewer, run
from boardgames_cli.registry import make_agent

CERTAIN = 2.0
"""A difference of more standard errors than this is one."""


class Case(NamedTuple):
    """A choice that a review marks."""

    match: AnyMatch
    ply: int
    seat: Seat
    played: str
    best: str
    loss: float
    mark: str


class Found(NamedTuple):
    """What playing on shows."""

    loss: float
    error: float


def read_arguments() -> argparse.Namespace:
    """What is measured."""
    parser = Parser(__doc__)
    parser.add_argument("game", help="the game to measure")
    parser.add_count("--games", 30, "games to review")
    parser.add_count("--marks", 50, "the largest losses that are tested")
    parser.add_count("--plays", 24, "games played on from each choice")
    parser.add_argument("--agents", default="medium", help="taken in turn by the seats")
    parser.add_argument("--strong", default="hard", help="who plays on")
    parser.add_argument("--set", type=setting, action="append", default=[], help="OPTION=VALUE")
    parser.add_seed()
    return parser.parse_args()


def played_game(game: AnyGame, agents: Sequence[str], seed: int) -> AnyMatch:
    """A game between agents taken in turn."""
    match: AnyMatch = Match(game, seed=seed)
    seats = [make_agent(agents[(seat + seed) % len(agents)], game) for seat in range(game.seats)]
    play(match, seats)
    return match


def marked(match: AnyMatch, analyst: AnyAnalyst) -> Iterator[Case]:
    """Every choice of a game that its review marks."""
    review = run(Reviewer(match, analyst, [f"P{seat}" for seat in range(match.game.seats)]))
    for step in review.steps:
        for decision in step.decisions:
            # That a result comes later or sooner shows in no return; the tests know it exactly.
            if decision.mark.value and not decision.choice.plies_lost:
                played = decision.played
                best = decision.better
                loss = decision.sure_loss
                yield Case(match, step.ply, decision.seat, played, best, loss, decision.mark.value)


def play_on(case: Case, action: str, agents: Sequence[Agent[Any, Any]], seed: int) -> float:
    """The return of the seat after an action, played on by strong agents with new luck."""
    game, seat = case.match.game, case.seat
    joint: Mapping[Seat, Any] = dict(case.match.steps[case.ply].joint)
    state = case.match.state_at(case.ply)
    parsed = {**joint, seat: game.parse(state, seat, action)}
    state = game.apply(state, parsed)
    for one, agent in enumerate(agents):
        agent.reset(game, one)
    luck = [random.Random(f"{seed}/{one}") for one in range(game.seats)]
    dice, horizon = random.Random(f"{seed}/dice"), horizon_of(game)
    for step in range(10**6):
        seats = game.to_act(state)
        if not seats or (horizon is not None and step >= horizon):
            break
        if seats == (CHANCE,):
            state = game.apply_chance(state, game.sample_chance(state, dice))
            continue
        chosen = {
            one: agents[one].act(game.observe(state, one, case.ply + step + 1), Thinking(luck[one]))
            for one in seats
        }
        state = game.apply(state, chosen)
    if horizon is not None:
        return 1.0 if state.agents[seat].alive else -1.0
    return game.returns(state)[seat]


def horizon_of(game: AnyGame) -> int | None:
    """The steps after which survivors are counted; None where games are played to the end."""
    if game.info.id != "pommerman":
        return None
    from boardgames_cli.games.pommerman.analyst import HORIZON

    return HORIZON - 1


def found_loss(case: Case, agents: Sequence[Agent[Any, Any]], plays: int) -> Found:
    """The loss by playing on, with the same luck after both choices."""
    gaps = [
        play_on(case, case.best, agents, seed) - play_on(case, case.played, agents, seed)
        for seed in range(plays)
    ]
    spread = statistics.stdev(gaps) if len(gaps) > 1 else 0.0
    return Found(statistics.fmean(gaps), spread / math.sqrt(plays))


def main() -> None:
    """Review games, and play on from their largest losses."""
    arguments = read_arguments()
    game = read_game(arguments.game, arguments.set)
    analyst, agents = analyst_for(game), arguments.agents.split(",")
    assert analyst is not None, "the game has no analyst"
    cases: list[Case] = []
    for seed in range(arguments.seed, arguments.seed + arguments.games):
        cases += marked(played_game(game, agents, seed), analyst)
    cases.sort(key=lambda case: -case.loss)
    print(f"{len(cases)} marks in {arguments.games} games; the {arguments.marks} largest:")
    strong = [make_agent(arguments.strong, game) for _ in range(game.seats)]
    right = within = refuted = 0
    told, got = [], []
    tested = cases[: arguments.marks]
    scale = analyst.scale
    for case in tested:
        found = found_loss(case, strong, arguments.plays)
        told.append(case.loss)
        got.append(found.loss)
        right += found.loss > 0
        refuted += found.loss < -CERTAIN * found.error
        within += case.loss / 2 <= found.loss + CERTAIN * found.error and (
            found.loss - CERTAIN * found.error <= 2 * case.loss
        )
        print(
            f"  step {case.ply:3} seat {case.seat} {case.played}{case.mark} for {case.best}: told "
            f"{scale.format_loss(case.loss)}, found {scale.format(found.loss)} "
            f"+- {scale.format_loss(found.error)}"
        )
    count = len(tested)
    if count:
        print(
            f"direction confirmed {right} of {count}, refuted {refuted}, "
            f"size within a factor of 2 (or error) {within} of {count}; told on average "
            f"{scale.format_loss(statistics.fmean(told))}, found "
            f"{scale.format(statistics.fmean(got))}"
        )


if __name__ == "__main__":
    run_main(main)
