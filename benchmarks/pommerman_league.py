"""How strong Pommerman's agents are: many games, with 95 % intervals.

    python benchmarks/pommerman_league.py hard simple --games 200 --seed 3000
    python benchmarks/pommerman_league.py rollouts:playouts=100 hard --set mode=team

Agents are named as in `boardgames play`: random, easy, simple, hard, rollouts (which needs the
extra ``fast``). In free for all one agent plays three rivals and changes its seat with every game;
in the team modes two play two; in a duel one plays one. A tie is a win for nobody.
"""

from __future__ import annotations

import time

from arguments import Parser, chosen_settings, run_main

from boardgames_cli.core.agent import Budget
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.options import build
from boardgames_cli.core.play import play
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.registry import make_agent
from boardgames_cli.tournament.statistics import wilson_interval


def main() -> None:
    """Play and print."""
    parser = Parser(__doc__)
    parser.add_argument("agent", help="whose strength is measured, such as hard")
    parser.add_argument("rival", help="the agent in all other seats")
    parser.add_count("--games", 100, "games to play")
    parser.add_seed(0)
    parser.add_settings()
    given = parser.parse_args()
    agent, rival, games, first = given.agent, given.rival, given.games, given.seed
    game: Pommerman = build(Pommerman, chosen_settings(given.set), "pommerman")
    wins = losses = ties = steps = 0
    started = time.perf_counter()
    for number in range(first, first + games):
        own = {number % game.seats}
        if game.is_team:
            own = {number % 2, number % 2 + 2}
        names = [agent if seat in own else rival for seat in range(game.seats)]
        match: AnyMatch = Match(game, seed=number)
        returns = play(match, [make_agent(name, game) for name in names], Budget(seconds=0.1))
        steps += match.ply - 1
        if max(returns) <= 0:
            ties += 1
        elif returns[min(own)] > 0:
            wins += 1
        else:
            losses += 1
    low, high = wilson_interval(wins, games)
    print(
        f"{agent} against {rival}, {game.mode}, {games} games: won {wins / games:.1%} "
        f"({low:.1%} to {high:.1%}), lost {losses}, tied {ties}, {steps / games:.0f} steps a game, "
        f"{(time.perf_counter() - started) / steps * 1000:.1f} ms a step"
    )


if __name__ == "__main__":
    run_main(main)
