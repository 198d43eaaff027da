"""Do the marks of reviews hold, and how long do reviews take? The table of docs/review.md.

Plays games between agents, reviews them, and takes the choices with the largest losses. Each is
played on many times, once from the choice made and once from the one that the review calls best,
with a strong agent on all seats. Counts how often the direction is confirmed, and compares the loss
that was told with the one that was found. In Pommerman a loss is one of survival, so it is counted
who is alive after the horizon of the review; elsewhere the games are played to their end. At the
end stands a table of the games, the worst first.

With `--recall` it looks in Pommerman for errors without the help of the review, too: for each death
the last step from which the strong agents, on all seats, still let the seat live. It counts as an
error if they nearly always lose the seat after the move that was played, and nearly never after
another one, from positions that fit what the seat saw. It prints how many of them are marked.

    python lab/review_truth.py
    python lab/review_truth.py pommerman --games 30 --agents medium --set mode=duel
    python lab/review_truth.py pommerman --games 30 --seed 501 --recall
    python lab/review_truth.py deepsea --games 30 --agents easy,medium
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from arguments import Parser, run_main, setting
from review_calibration import read_game

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.analyst import AnyAnalyst, Scale
from boardgames_cli.core.game import CHANCE, AnyGame, Seat
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.evaluation.reviewer import ReviewedGame, review_of
from boardgames_cli.registry import BUILT_IN_GAMES, make_agent

BEFORE = 15
"""Steps before a death in which its error is looked for."""
TRIES = 10
"""How often strong agents play on to tell whether a move is an error."""
NEARLY = 1
"""Of these, exceptions that don't count."""
CERTAIN = 2.0
"""A difference of more standard errors than this is one."""


class Players(NamedTuple):
    """Who plays the games of a table, and who plays on."""

    agents: str
    strong: str


PLAYERS = {
    "tapnswap": Players("random", "perfect"),
    "kuhn": Players("easy,medium", "perfect"),
    "senet": Players("chaser,random", "expectimax:depth=2"),
    "deepsea": Players("easy,medium", "risk"),
    "pommerman": Players("medium", "hard"),
}
"""By game, unless others are named."""


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
    parser.add_argument("game", nargs="*", help="the games to measure (default: all)")
    parser.add_count("--games", 30, "games to review")
    parser.add_count("--marks", 50, "the largest losses that are tested")
    parser.add_count("--plays", 24, "games played on from each choice")
    parser.add_argument("--agents", help="taken in turn by the seats (default: by the game)")
    parser.add_argument("--strong", help="who plays on (default: by the game)")
    parser.add_argument("--recall", action="store_true", help="look for errors without the review")
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
    review = review_of(
        ReviewedGame(match, [f"P{seat}" for seat in range(match.game.seats)]), analyst
    )
    for step in review.steps:
        for decision in step.decisions:
            # That a result comes later or sooner shows in no return; the tests know it exactly.
            if decision.mark.value and not decision.choice.plies_lost:
                played = decision.played
                best = decision.best.action
                loss = decision.sure_loss
                yield Case(match, step.ply, decision.seat, played, best, loss, decision.mark.value)


def play_on(case: Case, action: str, agents: Sequence[Agent[Any, Any]], seed: int) -> float:
    """The return of the seat after an action, played on by strong agents with new luck."""
    game, seat = case.match.game, case.seat
    joint: Mapping[Seat, Any] = dict(case.match.steps[case.ply].joint)
    state = case.match.state_at(case.ply)
    parsed = {**joint, seat: game.parse(state, seat, action)}
    state = game.apply(state, parsed)
    horizon = horizon_of(game)
    state = ended(game, state, agents, seed, case.ply + 1, horizon)
    if horizon is not None:
        return 1.0 if state.agents[seat].alive else -1.0
    return game.returns(state)[seat]


def ended(
    game: AnyGame,
    state: Any,
    agents: Sequence[Agent[Any, Any]],
    seed: int,
    ply: int,
    horizon: int | None,
    first: tuple[Seat, Any] | None = None,
) -> Any:
    """The state at the end of a game, or after some steps, played on by strong agents.

    Args:
        game: The rulebook.
        state: Where they begin.
        agents: By seat.
        seed: Of their luck and of the dice.
        ply: The number of steps before.
        horizon: The most steps; None for all.
        first: A seat, and what it does in the first step.
    """
    for one, agent in enumerate(agents):
        agent.reset(game, one)
    luck = [random.Random(f"{seed}/{one}") for one in range(game.seats)]
    dice = random.Random(f"{seed}/dice")
    for step in range(10**6):
        seats = game.to_act(state)
        if not seats or (horizon is not None and step >= horizon):
            break
        if seats == (CHANCE,):
            state = game.apply_chance(state, game.sample_chance(state, dice))
            continue
        chosen = {
            one: agents[one].act(game.observe(state, one, ply + step), Thinking(luck[one]))
            for one in seats
        }
        if first is not None and not step:
            chosen[first[0]] = first[1]
        state = game.apply(state, chosen)
    return state


def errors_before_deaths(
    match: AnyMatch, agents: Sequence[Agent[Any, Any]]
) -> Iterator[tuple[int, Seat]]:
    """The plies and seats of moves in Pommerman that strong agents find to have cost a life."""
    for seat in range(match.game.seats):
        states = [match.state_at(ply) for ply in range(match.ply + 1)]
        living = [not state.agents or state.agents[seat].alive for state in states]
        if living[-1]:
            continue
        death = living.index(False)
        for ply in range(death - 1, max(1, death - BEFORE), -1):
            if _lives(match, ply, seat, agents, None) is True:
                if _is_error(match, ply, seat, agents):
                    yield ply, seat
                break


def _is_error(match: AnyMatch, ply: int, seat: Seat, agents: Sequence[Agent[Any, Any]]) -> bool:
    played = match.steps[ply].joint[seat]
    if _lives(match, ply, seat, agents, played) is not False:
        return False
    others = {action.code: action for action in match.observe(seat, ply).legal}
    del others[played.code]
    return any(_lives(match, ply, seat, agents, other) for other in others.values())


def _lives(
    match: AnyMatch, ply: int, seat: Seat, agents: Sequence[Agent[Any, Any]], action: Any
) -> bool | None:
    """Whether a seat nearly always lives, or nearly never; None in between."""
    game, seen, counts = match.game, match.observe(seat, ply), [0, 0]
    horizon = horizon_of(game)
    for seed in range(TRIES):
        begun = match.state_at(ply)
        if action is not None:
            begun = game.determinize(seen, random.Random(f"{ply}/{seed}"))
        first = None if action is None else (seat, action)
        state = ended(game, begun, agents, TRIES + seed, ply, horizon, first)
        counts[state.agents[seat].alive] += 1
        if min(counts) > NEARLY:
            return None
    return counts[True] > counts[False]


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


@dataclass
class Row:
    """The figures of one game's reviews."""

    game: str
    scale: Scale
    steps: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """Of processor time, for each review."""
    told: list[float] = field(default_factory=list)
    found: list[float] = field(default_factory=list)
    right: int = 0
    refuted: int = 0
    within: int = 0

    def count(self, told: float, found: Found) -> None:
        """Compare a loss with what playing on shows."""
        self.told.append(told)
        self.found.append(found.loss)
        margin = CERTAIN * found.error
        self.right += found.loss > 0
        self.refuted += found.loss < -margin
        self.within += told / 2 <= found.loss + margin and found.loss - margin <= 2 * told

    @property
    def confirmed(self) -> float:
        """The share of directions that is confirmed; 1 without marks."""
        return self.right / len(self.told) if self.told else 1.0

    def __str__(self) -> str:
        steps, count = statistics.fmean(self.steps), len(self.told)
        took = statistics.fmean(self.seconds), max(self.seconds)
        row = f"| {self.game} | {len(self.steps)} of {steps:.0f} steps "
        row += f"| {took[0]:.1f} s, at most {took[1]:.1f} s "
        if not count:
            return f"{row}| none | | | | | |"
        told, found = (statistics.fmean(losses) for losses in (self.told, self.found))
        row += f"| {count} | {self.right} | {self.refuted} | {self.within} "
        return f"{row}| {self.scale.format_loss(told)} | {self.scale.format(found)} |"


HEAD = (
    "| game | games reviewed | a review takes | marks tested | worse, as told | surely better "
    "| size within a factor of 2, or the error | told on average | found |"
)


def measured(game: AnyGame, given: argparse.Namespace) -> Row:
    """Review games, and play on from their largest losses."""
    analyst, players = analyst_for(game), PLAYERS.get(game.info.id, Players("medium", "hard"))
    agents = (given.agents or players.agents).split(",")
    row, cases, errors, known = Row(game.info.id, analyst.scale), list[Case](), 0, 0
    strong = [make_agent(given.strong or players.strong, game) for _ in range(game.seats)]
    analyst.value(game.initial_state())  # loads tables and compiles
    for seed in range(given.seed, given.seed + given.games):
        match = played_game(game, agents, seed)
        began = time.process_time()
        found = list(marked(match, analyst))
        row.seconds.append(time.process_time() - began)
        row.steps.append(match.ply)
        cases += found
        if given.recall:
            told = {(case.ply, case.seat) for case in found}
            wrong = list(errors_before_deaths(match, strong))
            errors += len(wrong)
            known += len(told.intersection(wrong))
            print(f"  seed {seed}: errors {wrong}, marks {sorted(told)}", flush=True)
    if given.recall:
        print(f"{errors} errors without the review, {known} of them marked")
    cases.sort(key=lambda case: -case.loss)
    print(f"{game!r}: {len(cases)} marks in {given.games} games; the {given.marks} largest:")
    scale = analyst.scale
    for case in cases[: given.marks]:
        loss = found_loss(case, strong, given.plays)
        row.count(case.loss, loss)
        print(
            f"  step {case.ply:3} seat {case.seat} {case.played}{case.mark} for {case.best}: told "
            f"{scale.format_loss(case.loss)}, found {scale.format(loss.loss)} "
            f"+- {scale.format_loss(loss.error)}",
            flush=True,
        )
    return row


def main() -> None:
    """Measure games, and print the table."""
    given = read_arguments()
    ids = given.game or BUILT_IN_GAMES
    rows = [measured(read_game(id, given.set), given) for id in ids]
    print(HEAD, "| --- " * (HEAD.count("|") - 1) + "|", sep="\n")
    for row in sorted(rows, key=lambda row: row.confirmed):
        print(row)


if __name__ == "__main__":
    run_main(main)
