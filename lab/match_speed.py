"""How much of a game's speed `play()` keeps, beside the bare rules and the reference engines.

    python lab/match_speed.py
    python lab/match_speed.py --games kuhn --rounds 9
    python lab/match_speed.py --reference "deepsea=python games_a_second.py"

All agents play at random. Bare rules: the tightest loop over to_act, legal_actions and apply, with
one generator. play(): the same games through `Match` and `play()`, with checked answers and streams
that are found again by seed and ply. The contestants take turns; each figure is the best of all
rounds, in processor time: what else runs on the machine makes rounds slower, never faster. Speeds
of other runs can't be compared, ratios can. Kuhn poker's reference
is OpenSpiel's game of the same rules, in Python like ours. Other engines are not packaged: a
command of your own plays random games for about a second and prints how many it played in one.
"""

from __future__ import annotations

import argparse
import importlib
import random
import shlex
import subprocess
from collections.abc import Callable

from arguments import Parser, run_main
from speed import match_speed, repeat, rules_speed

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.registry import make

Contestant = Callable[[float], float]
"""Plays random games for about so many seconds and says how many it played a second."""

GOALS = {"senet": 1.7, "deepsea": 1.7, "pommerman": 1.7, "tapnswap": 3.0, "kuhn": 3.0}
"""How many times as long as the bare rules a match may take."""


def bare_rules(game: AnyGame) -> Contestant:
    """The tightest loop that plays the rules."""
    return lambda seconds: rules_speed(game, seconds).games_a_second


def whole_matches(game: AnyGame) -> Contestant:
    """The same through `play()`."""
    return lambda seconds: match_speed(game, seconds).games_a_second


def open_spiel_kuhn() -> Contestant | None:
    """Kuhn poker in OpenSpiel's Python; None if it is not installed."""
    try:
        pyspiel = importlib.import_module("pyspiel")
        importlib.import_module("open_spiel.python.games.kuhn_poker")
    except ImportError:
        return None
    game, rng = pyspiel.load_game("python_kuhn_poker"), random.Random(1)

    def play_one(_: int) -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                choices = [outcome for outcome, _ in state.chance_outcomes()]
            else:
                choices = state.legal_actions()
            state.apply_action(rng.choice(choices))
        state.returns()

    return lambda seconds: repeat(play_one, seconds).games_a_second


def command(words: str) -> Contestant:
    """A program that prints its games a second."""

    def run(_: float) -> float:
        done = subprocess.run(  # noqa: S603  # the user's own command
            shlex.split(words), capture_output=True, text=True, check=False
        )
        try:
            return float(done.stdout.split()[-1])
        except (ValueError, IndexError):
            raise GameError(f'"{words}" printed no number.', done.stderr[-300:]) from None

    return run


def measure(contestants: dict[str, Contestant], rounds: int, seconds: float) -> dict[str, float]:
    """The best speed of each, all of them in turn."""
    speeds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, contestant in contestants.items():
            speeds[name].append(contestant(seconds))
    return {name: max(found) for name, found in speeds.items()}


def report(id: str, reference: Contestant | None, arguments: argparse.Namespace) -> None:
    """Measure one game and print its line."""
    game = make(id)
    contestants = {"bare": bare_rules(game), "match": whole_matches(game)}
    if reference:
        contestants["reference"] = reference
    for contestant in contestants.values():
        contestant(0.0)  # what is made at the first game is not measured
    found = measure(contestants, arguments.rounds, arguments.seconds)
    ratio = found["bare"] / found["match"]
    told = f"{ratio:5.2f} (goal {GOALS[id]})" if id in GOALS else f"{ratio:5.2f}"
    line = f"{id:<10} {found['bare']:>12,.0f} {found['match']:>12,.0f} {told:>16}"
    if reference:
        rate = found["match"] / found["reference"]
        print(f"{line} {found['reference']:>13,.0f} {rate:>11.2f}")
    else:
        print(f"{line} {'not installed':>13}")


def main() -> None:
    """Print the table."""
    parser = Parser(__doc__)
    parser.add_games()
    parser.add_count("--rounds", 9, "rounds, of which the best counts")
    parser.add_seconds("--seconds", 0.5, "the time of one contestant in a round")
    parser.add_references("another engine")
    arguments = parser.parse_args()
    references: dict[str, Contestant | None] = {
        id: command(words) for id, words in arguments.reference
    }
    if "kuhn" in arguments.games:
        references.setdefault("kuhn", open_spiel_kuhn())
    print(f"{'games/s':<10} {'bare rules':>12} {'play()':>12} {'bare / play()':>16}", end="")
    print(f" {'reference':>13} {'play() / it':>11}")
    for id in arguments.games:
        report(id, references.get(id), arguments)


if __name__ == "__main__":
    run_main(main)
