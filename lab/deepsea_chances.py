"""What the playouts of Deep Sea's reviews don't show of a round, measured anew.

Plays games of agents and compares in one position in so many what each diver at sea was to bring
home in this round with what it brought. Prints by agent how far the promises were off on average,
and the variance that the playouts don't show for each point that a diver hopes for, by least
squares: `games.deepsea.analyst._UNSEEN`. review_calibration.py tests the chances on other games.

    python lab/deepsea_chances.py --games 600
    python lab/deepsea_chances.py --agents greedy,medium,easy --players 3
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict

from arguments import Parser, run_main
from review_calibration import matches

from boardgames_cli.games.deepsea.analyst import DeepSeaAnalyst
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import IN_TURN


def main() -> None:
    """Measure, and print the share of each agent and of all."""
    parser = Parser(__doc__)
    parser.add_count("--games", 600, "games to play")
    parser.add_argument("--agents", default="risk,greedy", help="taken in turn")
    parser.add_count("--players", 4, "seats")
    parser.add_count("--each", 60, "judge one position in so many")
    parser.add_seed(1_100_001)
    given = parser.parse_args()
    game, agents = DeepSea(players=given.players), given.agents.split(",")
    found: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for number, match in enumerate(matches(game, agents, given.games, given.seed)):
        seated = tuple(agents[(number + seat) % len(agents)] for seat in range(game.seats))
        analyst = DeepSeaAnalyst(game, seated)
        for ply in range(number % given.each, match.ply, given.each):
            state = match.state_at(ply)
            if state.phase not in IN_TURN:
                continue
            promised = analyst.value(state).returns
            for seat, made in enumerate(analyst.made(state)):
                if not state.is_home(seat):
                    later = analyst.later(state, seat)
                    hoped = promised[seat] - state.points[seat] - later.mean
                    came = match.state.ledger.by_round[state.round][seat]
                    row = (hoped, came - hoped, statistics.variance(made))
                    found[seated[seat]].append(row)
    found["all"] = [row for rows in found.values() for row in rows]
    for name, rows in found.items():
        off = [error for _, error, _ in rows]
        share = math.fsum(hoped * (error**2 - seen) for hoped, error, seen in rows)
        share /= math.fsum(hoped**2 for hoped, *_ in rows)
        print(
            f"{name}: {len(rows)} hopes off by {statistics.fmean(off):+.2f} points on average, "
            f"{share:.2f} of variance unseen for each point"
        )


if __name__ == "__main__":
    run_main(main)
