"""How strong Pommerman's agents are: many games, with 95 % intervals.

    python benchmarks/pommerman_league.py AGENT RIVAL [games] [mode] [first seed] [option=value ...]

AGENT and RIVAL are named as in `boardgames play`: random, easy, simple, hard, rollouts (which needs
the extra ``fast``), or with options, such as rollouts:playouts=100. Options are those of the game,
such as collapse=on.

In free for all one AGENT plays three RIVALs and changes its seat with every game; in the team modes
two AGENTs play two; in a duel one plays one. A tie is a win for nobody.
"""

from __future__ import annotations

import math
import sys
import time
from typing import Any

from boardgames_cli.core.agent import Budget
from boardgames_cli.core.match import Match
from boardgames_cli.core.options import build
from boardgames_cli.core.play import play
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.registry import make_agent


def interval(wins: int, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    z = 1.96
    share, spread = wins / games, z * z / games
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / games + spread / (4 * games))
    return middle - half, middle + half


def main() -> None:
    """Play and print."""
    given = [word for word in sys.argv[1:] if "=" not in word.partition(":")[0]]
    options = dict(word.split("=") for word in sys.argv[1:] if word not in given)
    agent, rival = given[:2]
    games = int(given[2]) if len(given) > 2 else 100
    options["mode"] = given[3] if len(given) > 3 else "ffa"
    game: Pommerman = build(Pommerman, options, "pommerman")
    first = int(given[4]) if len(given) > 4 else 0
    wins = losses = ties = steps = 0
    started = time.perf_counter()
    for number in range(first, first + games):
        own = {number % game.seats}
        if game.is_team:
            own = {number % 2, number % 2 + 2}
        names = [agent if seat in own else rival for seat in range(game.seats)]
        match: Match[Any, Any] = Match(game, seed=number)
        returns = play(match, [make_agent(name, game) for name in names], Budget(seconds=0.1))
        steps += match.ply - 1
        if max(returns) <= 0:
            ties += 1
        elif returns[min(own)] > 0:
            wins += 1
        else:
            losses += 1
    low, high = interval(wins, games)
    print(
        f"{agent} against {rival}, {game.mode}, {games} games: won {wins / games:.1%} "
        f"({low:.1%} to {high:.1%}), lost {losses}, tied {ties}, {steps / games:.0f} steps a game, "
        f"{(time.perf_counter() - started) / steps * 1000:.1f} ms a step"
    )


if __name__ == "__main__":
    main()
