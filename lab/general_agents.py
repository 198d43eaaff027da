"""The general searches against those of OpenSpiel, with equal simulations, in one run.

    python lab/general_agents.py --games 100 --simulations 100
    python lab/general_agents.py --game kuhn --games 400 --simulations 200

In TapnSwap `mcts` meets OpenSpiel's MCTSBot, both in Python, with random rollouts by our rules,
which OpenSpiel calls through our adapter; in Kuhn poker `ismcts` meets ISMCTSBot on OpenSpiel's own
game, both in C++. Each pair of games has the same deal, from both seats. Times are those of
deciding alone.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from arguments import Parser, run_main

from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import CHANCE, AnyGame
from boardgames_cli.registry import make, make_agent
from boardgames_cli.tournament.ratings.statistics import mean_interval

EXPLORATION = 1.4
"""Of OpenSpiel's bots: the square root of 2, for returns from -1 to 1. In Kuhn poker, returns reach
2, so it is doubled."""
AGENTS = {"tapnswap": "mcts:simulations={},depth=1000", "kuhn": "ismcts:simulations={}"}


class Side:
    """One side, with the processor time of its decisions."""

    def __init__(self, decide: Callable[[Any, Any, int], Any]) -> None:
        self.decide = decide
        self.seconds = 0.0
        self.decisions = 0

    def act(self, state: Any, spiel: Any, seat: int) -> Any:
        """The id of its action."""
        started = time.process_time()
        action = self.decide(state, spiel, seat)
        self.seconds += time.process_time() - started
        self.decisions += 1
        return action


def ours(game: AnyGame, spec: str, seed: int) -> Side:
    """Our agent; a new one for each seat would decide the same."""
    agent, rng = make_agent(spec, game), random.Random(seed)

    def decide(state: Any, spiel: Any, seat: int) -> int:
        del spiel
        agent.reset(game, seat)
        return game.action_id(state, agent.act(game.observe(state, seat), Thinking(rng)))

    return Side(decide)


def theirs(game: AnyGame, spiel_game: Any, simulations: int, seed: int) -> Side:
    """OpenSpiel's bot."""
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    constant = EXPLORATION * max(map(abs, game.utility))
    bot: Any
    if game.info.id == "kuhn":
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.ISMCTSBot(seed, evaluator, constant, simulations)
    else:
        rng = np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(1, rng)
        bot = mcts.MCTSBot(
            spiel_game, constant, simulations, evaluator, solve=True, random_state=rng
        )

    def decide(state: Any, spiel: Any, seat: int) -> int:
        del state, seat
        return int(bot.step(spiel))

    return Side(decide)


def play(game: AnyGame, spiel_game: Any, sides: list[Side], deal: int) -> tuple[float, ...]:
    """The returns of a game that is played by both rulebooks step by step."""
    rng = random.Random(f"deal/{deal}")
    state, spiel = game.initial_state(), spiel_game.new_initial_state()
    while seats := game.to_act(state):
        if seats == (CHANCE,):
            outcomes = [outcome for outcome, _ in game.chance_outcomes(state)]
            drawn = rng.choice(outcomes)
            state = game.apply_chance(state, drawn)
            # OpenSpiel numbers Kuhn poker's cards as we do; the dealt one is left out of its list.
            spiel.apply_action("JQK".index(str(drawn)[-1]))
            continue
        (seat,) = seats
        id = sides[seat].act(state, spiel, seat)
        state = game.apply(state, {seat: game.action_of(state, id)})
        spiel.apply_action(id)
    assert list(game.returns(state)) == list(spiel.returns()), "the rulebooks disagree"
    return game.returns(state)


def main() -> None:
    """Play the games and print the table."""
    parser = Parser(__doc__)
    parser.add_argument(
        "--game", choices=sorted(AGENTS), default="tapnswap", help="which (default tapnswap)"
    )
    parser.add_count("--games", 100, "games, an even number")
    parser.add_count("--simulations", 100, "simulations of a decision")
    given = parser.parse_args()
    try:
        import pyspiel

        from boardgames_cli.environments import openspiel
    except ImportError:
        print("OpenSpiel is not installed.")
        return
    game = make(given.game)
    is_kuhn = given.game == "kuhn"
    spiel_game = pyspiel.load_game("kuhn_poker") if is_kuhn else openspiel.load(given.game)
    spec = AGENTS[given.game].format(given.simulations)
    us, them = ours(game, spec, 1), theirs(game, spiel_game, given.simulations, 1)
    pairs = []
    for deal in range((given.games + 1) // 2):
        first = play(game, spiel_game, [us, them], deal)[0]
        second = play(game, spiel_game, [them, us], deal)[1]
        pairs.append(first + second)
    found = mean_interval(sum(pairs), sum(pair**2 for pair in pairs), len(pairs), 2 * len(pairs))
    mean = sum(pairs) / len(pairs) / 2
    print(f"{given.game}: {spec} against OpenSpiel with {given.simulations} simulations")
    print(f"games: {2 * len(pairs)}")
    between = f" (95 %: {found.low:+.3f} to {found.high:+.3f})" if found else ""
    print(f"mean return of ours: {mean:+.3f}{between}")
    if not is_kuhn:
        print(f"share of the points: {(mean + 1) / 2:.1%}")
    for name, side in (("ours", us), ("OpenSpiel", them)):
        rate = side.decisions * given.simulations / max(side.seconds, 1e-9)
        print(f"{name}: {rate:,.0f} simulations a second of processor time")
    ratio = us.decisions / max(us.seconds, 1e-9) / (them.decisions / max(them.seconds, 1e-9))
    print(f"ours is {ratio:.2f} times as fast")


if __name__ == "__main__":
    run_main(main)
