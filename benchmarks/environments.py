"""How fast the environments are, beside the bare rules and the environments of others.

    python benchmarks/environments.py
    python benchmarks/environments.py --games senet --rounds 9 --fields
    python benchmarks/environments.py --reference "senet=python games_a_second.py"

All agents play at random among what the masks allow, and every decision has its observation, its
mask and its info. Bare rules: the tightest loop over to_act, legal_actions and apply, with nothing
to observe. AEC: PettingZoo's loop of last() and step(). Parallel: the same game through step() of
all agents. Gymnasium: one seat against random agents. Figures are games a second, and for AEC also
the decisions a second; each is the best of all rounds, the contestants in turn, in processor time
(`match_speed.py` says why). Speeds of other runs can't be compared, ratios can. Environments of
others are not packaged: a command of your own plays random games in one for about a second and
prints how many it played in one; to compare like with like it should look at every observation, as
this does.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

from arguments import Parser, run_main
from match_speed import Contestant, bare_rules, command, measure

from boardgames_cli import aec_env, gymnasium_env, make, parallel_env
from boardgames_cli.core.game import Traits
from boardgames_cli.tournament.speed import repeat


def any_legal(mask: Any, rng: random.Random) -> int:
    """The id of a legal action."""
    legal: list[int] = mask.nonzero()[0].tolist()
    return legal[int(rng.random() * len(legal))]


def aec(game: str, flatten: bool, steps: list[int]) -> Contestant:
    """PettingZoo's loop over agents; the decisions of each game are added to a list."""
    env, rng = aec_env(game, flatten=flatten), random.Random(1)

    def play_one(number: int) -> None:
        env.reset(seed=number)
        count = 0
        for _ in env.agent_iter():
            seen, _, is_terminated, is_truncated, _ = env.last()
            if is_terminated or is_truncated:
                env.step(None)
            else:
                env.step(any_legal(seen["action_mask"], rng) if seen else None)
                count += 1
        steps.append(count)

    return lambda seconds: repeat(play_one, seconds).games_a_second


def parallel(game: str, flatten: bool) -> Contestant:
    """PettingZoo's loop over joint steps."""
    env, rng = parallel_env(game, flatten=flatten), random.Random(1)

    def play_one(number: int) -> None:
        seen, _ = env.reset(seed=number)
        while env.agents:
            seen, *_ = env.step({
                agent: any_legal(seen[agent]["action_mask"], rng) for agent in env.agents
            })  # fmt: skip

    return lambda seconds: repeat(play_one, seconds).games_a_second


def one_seat(game: str, flatten: bool) -> Contestant:
    """Gymnasium's loop, against agents that play at random too."""
    env, rng = gymnasium_env(game, opponents="random", flatten=flatten), random.Random(1)

    def play_one(number: int) -> None:
        _, info = env.reset(seed=number)
        is_over = False
        while not is_over:
            action = any_legal(info["action_mask"], rng)
            _, _, is_terminated, is_truncated, info = env.step(action)
            is_over = is_terminated or is_truncated

    return lambda seconds: repeat(play_one, seconds).games_a_second


def report(id: str, reference: Contestant | None, given: argparse.Namespace) -> None:
    """Measure one game and print its line."""
    flatten, game = not given.fields, make(id)
    steps: list[int] = []
    contestants = {
        "bare": bare_rules(game),
        "aec": aec(id, flatten, steps),
        "seat": one_seat(id, flatten),
    }
    if Traits.SIMULTANEOUS in game.traits:
        contestants["parallel"] = parallel(id, flatten)
    if reference:
        contestants["reference"] = reference
    for contestant in contestants.values():
        contestant(0.0)  # what is made at the first game is not measured
    found = measure(contestants, given.rounds, given.seconds)
    decisions = found["aec"] * sum(steps) / len(steps)
    columns = [f"{id:<10}", f"{found['bare']:>10,.0f}", f"{found['aec']:>10,.0f}"]
    columns += [f"{decisions:>11,.0f}", f"{found['bare'] / found['aec']:>10.1f}"]
    columns.append(f"{found['parallel']:>10,.0f}" if "parallel" in found else f"{'in turns':>10}")
    columns.append(f"{found['seat']:>10,.0f}")
    if reference:
        columns.append(f"{found['reference']:>13,.0f} {found['aec'] / found['reference']:>9.1f}")
    else:
        columns.append(f"{'not installed':>13}")
    print(" ".join(columns))


def main() -> None:
    """Print the table."""
    parser = Parser(__doc__)
    parser.add_games()
    parser.add_count("--rounds", 5, "rounds, of which the best counts")
    parser.add_seconds("--seconds", 1.0, "the time of one contestant in a round")
    parser.add_argument(
        "--fields", action="store_true", help="observe the encoder's fields, not one vector"
    )
    parser.add_references("another environment")
    given = parser.parse_args()
    references = {id: command(words) for id, words in given.reference}
    heads = ("bare rules", "AEC", "decisions/s", "bare / AEC", "parallel", "Gymnasium")
    line = " ".join(
        f"{head:>{width}}" for head, width in zip(heads, (10, 10, 11, 10, 10, 10), strict=True)
    )
    print(f"{'games/s':<10} {line} {'reference':>13} {'AEC / it':>9}")
    for id in given.games:
        report(id, references.get(id), given)


if __name__ == "__main__":
    run_main(main)
