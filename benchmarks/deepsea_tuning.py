"""Tunes the plans by which Deep Sea's `hard` goes on in its thoughts, and `medium` plays.

    python benchmarks/deepsea_tuning.py --out boardgames_cli/games/deepsea/data/plans.json
    python benchmarks/deepsea_tuning.py --seats 2 --generations 1 --plain

The cross-entropy method: in every generation each of some plans, drawn around a mean, plays at the
same tables with the same luck, against classic divers, rules of thumb and other reckoners drawn by
lot; the best sixth give the next mean. What counts is the share of the wins and 0.01 for a point.
Needs numpy, and numba unless it is told to be plain. The defaults take about twenty minutes.

The bundled plans were found by an earlier form of this script, so that it finds others. They play
as well: in new fields those for two and three seats have 0.2 and 0.8 % more of the wins.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from arguments import Parser, run_main
from deepsea.lab import player

from boardgames_cli.games.deepsea.agents.plans import WIDTH, reckoner, rule

Numbers = npt.NDArray[np.float64]

PER_POINT: Final = 0.01
FIRST, LAST = 2, 22
"""The numbers of a reckoner that are tuned."""
START: Final = np.array(reckoner()[FIRST:LAST])
SPREAD: Final = np.array(
    [0.3, 0.3, 0.5, 0.3, 0.2, *[2, 2, 1, 1], *[0.1] * 4, *[1, 1, 0.05], *[1.0] * 4]
)
CLASSICS: Final = (
    rule(chips_down=1, chips_return=1),
    rule(chips_down=2, chips_return=2),
    rule(chips_down=2, depth=8, chips_up=2),
    rule(chips_down=1, depth=16, chips_up=1),
    rule(worth_down=12.0, chips_return=1, chips_up=9, worth_up=12.0),
    rule(slip=0.5),
)


def plan_of(numbers: Numbers) -> list[float]:
    """The reckoner with these numbers."""
    return [*reckoner()[:FIRST], *map(float, numbers), *reckoner()[LAST:]]


def some_rule(rng: np.random.Generator) -> list[float]:
    """A rule of thumb drawn by lot."""
    return rule(
        slip=rng.choice([0, 0.03, 0.1, 0.25]),
        chips_down=float(rng.integers(1, 5)),
        depth=float(rng.integers(5, 31)) if rng.random() < 0.35 else 99,
        worth_down=rng.choice([0, 0, 0, 4, 8, 12]),
        chips_return=float(rng.integers(1, 5)) if rng.random() < 0.8 else 99,
        risk_return=rng.choice([0, 0, 0.6, 0.9, 1.2]),
        low_oxygen=rng.choice([-1, -1, -1, 5, 10, 14, 18]),
        chips_up=rng.choice([0, 0, 1, 2, 3]),
        worth_up=rng.choice([0, 0, 4, 8]),
        risk_take=rng.choice([0, 0, 0.7, 1.0]),
        risk_drop=rng.choice([0, 0, 1.0]),
    )


def some_reckoner(rng: np.random.Generator) -> list[float]:
    """A reckoner drawn by lot."""
    return reckoner(
        slip=rng.choice([0, 0.03, 0.1]),
        fear=rng.uniform(0.2, 1.4),
        growth=rng.uniform(0, 1.5),
        patience=rng.uniform(0.8, 1.3),
        take_down=rng.uniform(-1, 6, 4).tolist(),
        take_down_oxygen=rng.uniform(-0.05, 0.15, 4).tolist(),
        turn_back=rng.uniform(-1, 3, 4).tolist(),
        ahead=int(rng.integers(1, 5)),
    )


def field_of(rng: np.random.Generator) -> tuple[list[list[float]], Numbers]:
    """Those whom the plans meet in a generation, with the chances to meet them."""
    rules = [some_rule(rng) for _ in range(60)]
    reckoners = [some_reckoner(rng) for _ in range(30)]
    hasty = reckoner(take_down=(0.0, 0.0, 0.0, 0.0), ahead=1)
    reckoners += [reckoner(), hasty] * 5
    groups = ((0.4, list(CLASSICS)), (0.25, rules), (0.35, reckoners))
    chances = [weight / len(group) for weight, group in groups for _ in group]
    return [plan for _, group in groups for plan in group], np.array(chances)


def tune(
    seats: int, generations: int, candidates: int, games: int, *, compile: bool
) -> list[float]:
    """The plan that is found for a number of seats."""
    rng, play = np.random.default_rng(seats), player(compile=compile)
    mean, spread = START.copy(), SPREAD.copy()
    elite = max(1, candidates // 6)
    for generation in range(generations):
        field, chances = field_of(rng)
        tables = rng.choice(len(field), p=chances, size=(games, seats))
        own = (np.arange(games), rng.integers(0, seats, games))
        drawn = mean + spread * rng.standard_normal((candidates, len(mean)))
        drawn[0] = mean
        drawn[:, :3] = np.maximum(drawn[:, :3], 0.0)
        rows = np.array([*field, *(plan_of(numbers) for numbers in drawn)]).reshape(-1, WIDTH)
        scores = np.zeros(candidates)
        for number in range(candidates):
            tables[own] = len(field) + number
            shares, points = play(rows, tables, 1_000_000 * seats + 10_000 * generation)
            scores[number] = shares[own].mean() + PER_POINT * points[own].mean()
        best = drawn[np.argsort(-scores)[:elite]]
        mean = 0.3 * mean + 0.7 * best.mean(axis=0)
        spread = np.maximum(0.3 * spread + 0.7 * best.std(axis=0), 0.02 * SPREAD)
        print(f"{seats} seats, generation {generation + 1}: mean {scores[0]:.3f}", flush=True)
    return [round(number, 3) for number in plan_of(mean)]


def main() -> None:
    """Read the arguments, tune, write."""
    parser = Parser(__doc__)
    parser.add_argument(
        "--seats", type=int, nargs="+", choices=range(2, 7), default=[2, 3, 4, 5, 6],
        help="numbers of seats (default: all)",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, help="the file to write (default: none)")
    parser.add_argument("--plain", action="store_true", help="do without numba: much slower")
    parser.add_count("--generations", 25, "generations for each number of seats")
    parser.add_count("--candidates", 64, "plans in a generation")
    parser.add_count("--games", 2000, "games of each plan in a generation")
    given = parser.parse_args()
    found = {}
    for seats in given.seats:
        size = (given.generations, given.candidates, given.games)
        found[str(seats)] = tune(seats, *size, compile=not given.plain)
        print(f"{seats} seats: {found[str(seats)]}", flush=True)
    if given.out:
        rows = ",\n    ".join(f'"{seats}": {json.dumps(plan)}' for seats, plan in found.items())
        command = "python benchmarks/deepsea_tuning.py"
        given.out.write_text(
            f'{{\n  "format": 1,\n  "command": "{command}",\n  "plans": {{\n    {rows}\n  }}\n}}\n',
            encoding="utf-8",
        )


if __name__ == "__main__":
    run_main(main)
