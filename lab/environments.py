"""How fast the environments are, beside the bare rules and the environments of others.

    python lab/environments.py
    python lab/environments.py --games senet --rounds 9 --fields
    python lab/environments.py --references FOLDER

All agents play at random among what the masks allow, and every decision has its observation, its
mask and its info. Bare rules: the tightest loop over to_act, legal_actions and apply, with nothing
to observe. AEC: PettingZoo's loop of last() and step(). Parallel: the same game through step() of
all agents. Gymnasium: one seat against random agents. Figures are games a second, and
for AEC also the decisions a second; each is the best of all rounds, the contestants in turn, in
processor time (`match_speed.py` says why). Speeds of other runs can't be compared, ratios can. The
environments of others are played in turn with ours if a folder has them, in a Python of their own:

    git clone https://github.com/mecotrade/gym-senet FOLDER/senet
    git clone https://github.com/Saaaber/gym-DeepSeaAdventure-v0 FOLDER/deepsea
    git clone https://github.com/MultiAgentLearning/playground FOLDER/pommerman
    python -m venv FOLDER/venv
    FOLDER/venv/bin/pip install gym==0.26.2 "numpy<2" pyglet scipy "ruamel.yaml<0.18" \
        jsonmerge docker requests flask click websocket-client python-rapidjson Pillow

They are compared with AEC, Pommerman's with parallel, which is its own way. PettingZoo's Connect
Four is measured for scale where `pettingzoo[classic]` is installed.
"""

from __future__ import annotations

import argparse
import importlib
import random
import shlex
from pathlib import Path
from typing import Any

from arguments import Parser, run_main
from match_speed import Contestant, bare_rules, command, measure
from speed import repeat

from boardgames_cli import aec_env, gymnasium_env, make, parallel_env
from boardgames_cli.core.game import Traits


def any_legal(mask: Any, rng: random.Random) -> int:
    """The id of a legal action."""
    legal: list[int] = mask.nonzero()[0].tolist()
    return legal[int(rng.random() * len(legal))]


def aec(env: Any, steps: list[int]) -> Contestant:
    """PettingZoo's loop over agents; the decisions of each game are added to a list."""
    rng = random.Random(1)

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


def parallel(env: Any) -> Contestant:
    """PettingZoo's loop over joint steps."""
    rng = random.Random(1)

    def play_one(number: int) -> None:
        seen, _ = env.reset(seed=number)
        while env.agents:
            seen, *_ = env.step({
                agent: any_legal(seen[agent]["action_mask"], rng) for agent in env.agents
            })  # fmt: skip

    return lambda seconds: repeat(play_one, seconds).games_a_second


def one_seat(game: str, **options: Any) -> Contestant:
    """Gymnasium's loop, against agents that play at random too."""
    env, rng = gymnasium_env(game, opponents="random", **options), random.Random(1)

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
        "aec": aec(aec_env(id, flatten=flatten), steps),
        "seat": one_seat(id, flatten=flatten),
    }
    if Traits.SIMULTANEOUS in game.traits:
        env = parallel_env(id, flatten=flatten)
        contestants["parallel"] = parallel(env)
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
        ours = found.get("parallel", found["aec"])
        columns.append(f"{found['reference']:>13,.0f} {ours / found['reference']:>9.1f}")
    else:
        columns.append(f"{'not given':>13}")
    print(" ".join(columns))


def reference_in(folder: Path, game: str, seconds: float) -> Contestant | None:
    """The environment of others in a folder as the docstring above lays it out, if it is there."""
    if not (folder / game).is_dir():
        return None
    script = Path(__file__).with_name("other_environments.py")
    return command(
        shlex.join(map(str, (folder / "venv" / "bin" / "python", script, folder / game, seconds)))
    )


def report_connect_four(given: argparse.Namespace) -> None:
    """Measure PettingZoo's own game, if it is installed, and print its line."""
    try:
        env = importlib.import_module("pettingzoo.classic.connect_four_v3").env()
    except ImportError:
        return
    steps: list[int] = []
    games = measure({"it": aec(env, steps)}, given.rounds, given.seconds)["it"]
    decisions = games * sum(steps) / len(steps)
    print(f"PettingZoo's Connect Four: {games:,.0f} games/s, {decisions:,.0f} decisions/s")


def main() -> None:
    """Print the table."""
    parser = Parser(__doc__)
    parser.add_games()
    parser.add_count("--rounds", 5, "rounds, of which the best counts")
    parser.add_seconds("--seconds", 1.0, "the time of one contestant in a round")
    parser.add_argument(
        "--fields", action="store_true", help="observe the encoder's fields, not one vector"
    )
    parser.add_argument("--references", type=Path, metavar="FOLDER", help="see above")
    given = parser.parse_args()
    heads = ("bare rules", "AEC", "decisions/s", "bare / AEC", "parallel", "Gymnasium")
    line = " ".join(
        f"{head:>{width}}" for head, width in zip(heads, (10, 10, 11, 10, 10, 10), strict=True)
    )
    print(f"{'games/s':<10} {line} {'reference':>13} {'ours / it':>9}")
    for id in given.games:
        folder = given.references
        report(id, reference_in(folder, id, given.seconds) if folder else None, given)
    report_connect_four(given)


if __name__ == "__main__":
    run_main(main)
