"""Do the levels ever look silly? How often they blunder, and let an obvious win go.

Plays games of each level against itself, judges its decisions as a review does, and counts those
that matter: the mean loss, how many are blunders (a loss of 20 % of the game's scale or more), and
how often a choice that wins the game at once was let go (where a game is won or lost at one seat's
turn).

    python lab/level_mistakes.py --games 20
    python lab/level_mistakes.py senet --agents easy random --set rules=skyruk
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from arguments import Parser, count, run_main, setting

from boardgames_cli.algorithms.action_values import wins_at_once
from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.analyst import AnyAnalyst, Judgement, Mark
from boardgames_cli.core.game import CHANCE, AnyGame, Seat, Traits
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.registry import BUILT_IN_GAMES, find_game, make, make_agent, resolve_level

EACH = {"deepsea": 6, "pommerman": 20}
"""Where judging takes long, one decision in so many is judged."""
WORLDS = 8
"""Guesses at what is hidden."""


@dataclass
class Tally:
    """What was counted of one agent."""

    losses: list[float] = field(default_factory=list)
    """Of every decision that matters, as a share of the scale."""
    blunders: int = 0
    wins: int = 0
    """Decisions in which a choice won at once."""
    passed: int = 0
    """How many of these wins were let go."""

    def line(self, name: str, text: str) -> str:
        """The counts in words."""
        if not self.losses:
            return f"  {name:8} {text:24} no decision mattered"
        share = self.blunders / len(self.losses)
        line = (
            f"  {name:8} {text:24} {len(self.losses):6,} decisions, "
            f"mean loss {statistics.fmean(self.losses):5.1%}, blunders {share:5.1%}"
        )
        return f"{line}, wins at once let go {self.passed} of {self.wins}" if self.wins else line


def obvious_wins(game: AnyGame, seen: Any, rng: random.Random) -> set[Any]:
    """The choices that win the game at once, whatever may be hidden from the seat."""
    worlds = [game.determinize(seen, rng) for _ in range(WORLDS)]
    if Traits.HIDDEN not in game.traits:
        worlds = [seen.state]
    return {
        action
        for action in seen.legal
        if all(wins_at_once(game, world, seen.seat, action) for world in worlds)
    }


def decisions(match: AnyMatch, each: int) -> Iterator[tuple[int, Seat]]:
    """Every so many a decision of a match."""
    number = 0
    for ply, step in enumerate(match.steps):
        if match.game.to_act(match.state_at(ply)) == (CHANCE,):
            continue
        for seat in step.joint:
            if number % each == 0:
                yield ply, seat
            number += 1


def judge(match: AnyMatch, ply: int, seat: Seat, analyst: AnyAnalyst) -> Judgement[Any]:
    """What the analyst says of the choices that a seat had."""
    is_hidden = Traits.HIDDEN in match.game.traits
    earlier = [match.observe_step(seat, at) for at in range(ply)] if is_hidden else ()
    return analyst.judge(match.observe(seat, ply), earlier)


def count_match(tally: Tally, match: AnyMatch, analyst: AnyAnalyst, each: int) -> None:
    """Judge the decisions of a match."""
    game = match.game
    for ply, seat in decisions(match, each):
        judgement = judge(match, ply, seat, analyst)
        if judgement.choices[-1].loss < 1e-9:  # all are alike
            continue
        action = match.steps[ply].joint[seat]
        taken = judgement.of(action)
        tally.losses.append(analyst.scale.share(taken.loss))
        tally.blunders += analyst.scale.mark(taken.loss, taken.loss_error) is Mark.BLUNDER
        if not analyst.scale.is_chance or game.to_act(match.state_at(ply)) != (seat,):
            continue  # who counts chips has won nothing yet; a joint step is in nobody's hands
        winning = obvious_wins(game, match.observe(seat, ply), random.Random(ply))
        if winning:
            tally.wins += 1
            tally.passed += action not in winning


def measure(game: AnyGame, agents: Sequence[str], games: int, each: int, seed: int) -> None:
    """Play and judge games of each agent against itself, and print what was counted."""
    analyst, spec = analyst_for(game).thorough(), find_game(game.info.id)
    print(f"{game!r}: one decision in {each} judged; {analyst.method}")
    for name in agents:
        tally = Tally()
        for number in range(games):
            match: AnyMatch = Match(game, seed=seed + number)
            play(match, [make_agent(name, game) for _ in range(game.seats)])
            count_match(tally, match, analyst, each)
        print(tally.line(name, resolve_level(name, spec)), flush=True)


def main() -> None:
    """Read the arguments, and measure one game after the other."""
    parser = Parser(__doc__)
    parser.add_argument("game", nargs="*", help="what to measure (default: all games)")
    parser.add_argument("--agents", nargs="+", help="levels or agents (default: all levels)")
    parser.add_argument(
        "--set", type=setting, action="append", default=[], help="OPTION=VALUE of the game"
    )
    parser.add_count("--games", 20, "games of each level")
    parser.add_argument(
        "--each", type=count, help="judge one decision in so many (default 1, 6 or 20 by the game)"
    )
    parser.add_seed()
    given = parser.parse_args()
    for id in given.game or BUILT_IN_GAMES:
        agents = given.agents or find_game(id).levels
        each = given.each or EACH.get(id, 1)
        measure(make(id, **dict(given.set)), tuple(agents), given.games, each, given.seed)


if __name__ == "__main__":
    run_main(main)
