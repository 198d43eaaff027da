"""How well agents play Senet where exact values are known.

The sample ``endings`` has 200 positions with one to three dancers a side, and for each of the five
throws the chance of winning after every legal move. The sample ``games`` has 2,400 decisions with
four or five on a side, with one throw each, from games of five that the levels and simple agents
played; the values are those of `senet_full_game.py`. Every choice counts the same::

    python lab/senet_exact.py random greedy expectimax:depth=2
    python lab/senet_exact.py --sample games greedy hard
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arguments import Parser, count, run_main

from boardgames_cli import registry
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import AnyGame

AGENTS = ("random", "greedy", "expectimax:depth=2")
_DATA = Path(__file__).parents[1] / "tests" / "data"
SAMPLES = {
    "endings": _DATA / "senet_exact_sample.jsonl.gz",
    "games": _DATA / "senet_full_sample.jsonl.gz",
}


@dataclass(frozen=True)
class Choice:
    """A decision with what is known about it."""

    rules: str
    game: AnyGame
    state: Any
    best: tuple[int, ...]
    """The ids of the best moves."""
    values: Mapping[int, float]
    """The chance of winning after each move, by the move's id."""


@dataclass(frozen=True)
class Verdict:
    """How an agent did over some choices."""

    choices: int
    optimal: float
    """How often it took a best move."""
    loss: float
    """By how much its moves lowered the chance of winning, on average."""


def read_choices(sample: str = "endings") -> Iterator[Choice]:
    """The decisions of a sample in which there is more than one move."""
    games = {rules: registry.make("senet", rules=rules) for rules in ("kendall", "skyruk")}
    with gzip.open(SAMPLES[sample], "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            game = games[row["rules"]]
            position = {key: row[key] for key in ("cones", "spools", "player")}
            for steps, known in row["by_steps"].items():
                values = {int(id): value for id, value in known["values"].items()}
                if len(values) > 1:
                    state = game.from_json(position | {"steps": int(steps), "pieces": 5})
                    yield Choice(row["rules"], game, state, tuple(known["best"]), values)


def judge(agent_text: str, choices: list[Choice], seed: int = 1) -> Verdict:
    """Ask an agent for a move in every choice."""
    optimal = 0
    loss = 0.0
    for number, choice in enumerate(choices):
        game, state = choice.game, choice.state
        agent = registry.make_agent(agent_text, game)
        agent.reset(game, state.player)
        thinking = Thinking(random.Random(f"{seed}/{number}"))
        move = game.action_id(state, agent.act(game.observe(state, state.player), thinking))
        optimal += move in choice.best
        loss += max(choice.values.values()) - choice.values[move]
    return Verdict(len(choices), optimal / len(choices), loss / len(choices))


def main() -> None:
    """Judge the agents named on the command line."""
    parser = Parser(__doc__)
    parser.add_argument(
        "agents", nargs="*", default=AGENTS, help=f"agents to judge (default {' '.join(AGENTS)})"
    )
    parser.add_seed()
    parser.add_argument("--sample", choices=SAMPLES, default="endings", help="which positions")
    parser.add_argument("--choices", type=count, help="decisions for each rules (default all)")
    given = parser.parse_args()
    choices = list(read_choices(given.sample))
    for agent in given.agents:
        for rules in ("kendall", "skyruk"):
            chosen = [choice for choice in choices if choice.rules == rules][: given.choices]
            verdict = judge(agent, chosen, given.seed)
            print(
                f"{agent:24} {rules:8} {verdict.optimal:6.1%} optimal, "
                f"{100 * verdict.loss:.2f} points lost a move, {verdict.choices} choices"
            )


if __name__ == "__main__":
    run_main(main)
