"""Tunes the plans by which Deep Sea's `hard` goes on in its thoughts, and `medium` plays.

    python benchmarks/deepsea_tuning.py --out boardgames_cli/games/deepsea/data/plans.json
    python benchmarks/deepsea_tuning.py --seats 2 --generations 1 --plain

The cross-entropy method: in every generation each of some plans, drawn around a mean, plays at the
same tables with the same luck, against classic divers, rules of thumb and other risk plans drawn by
lot; the best sixth give the next mean. What counts is the share of the wins and 0.01 for a point.
Then divers who all follow the plan play among themselves: the mean and the standard deviation of a
diver's points in each round tell reviews what the rounds to come are worth.
Needs numpy, and numba unless it is told to be plain. The defaults take about ten minutes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from arguments import Parser, run_main
from deepsea.lab import Player, player, shares_of

from boardgames_cli.games.deepsea.agents.plans import WIDTH, reckless, risk_plan, rule

Numbers = npt.NDArray[np.float64]

PER_POINT: Final = 0.01
CARES: Final = (0.0, 0.2, 0.41, 0.6, 0.8)
"""How careful divers are of whom it is measured, too, what they make (`plans.reckless`)."""
MEASURED: Final = 10
"""Games in which divers with a new plan play among themselves, for each game of a generation."""
FIRST, LAST = 2, 22
"""The numbers of a risk plan that are tuned."""
START: Final = np.array(risk_plan()[FIRST:LAST])
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
    """The risk plan with these numbers."""
    return [*risk_plan()[:FIRST], *map(float, numbers), *risk_plan()[LAST:]]


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


def some_risk_plan(rng: np.random.Generator) -> list[float]:
    """A risk plan drawn by lot."""
    return risk_plan(
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
    risk_plans = [some_risk_plan(rng) for _ in range(30)]
    hasty = risk_plan(take_down=(0.0, 0.0, 0.0, 0.0), ahead=1)
    risk_plans += [risk_plan(), hasty] * 5
    groups = ((0.4, list(CLASSICS)), (0.25, rules), (0.35, risk_plans))
    chances = [weight / len(group) for weight, group in groups for _ in group]
    return [plan for _, group in groups for plan in group], np.array(chances)


def tune(play: Player, seats: int, generations: int, candidates: int, games: int) -> list[float]:
    """The plan that is found for a number of seats."""
    rng = np.random.default_rng(seats)
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
            points = play(rows, tables, 1_000_000 * seats + 10_000 * generation).sum(axis=1)
            scores[number] = shares_of(points)[own].mean() + PER_POINT * points[own].mean()
        best = drawn[np.argsort(-scores)[:elite]]
        mean = 0.3 * mean + 0.7 * best.mean(axis=0)
        spread = np.maximum(0.3 * spread + 0.7 * best.std(axis=0), 0.02 * SPREAD)
        print(f"{seats} seats, generation {generation + 1}: mean {scores[0]:.3f}", flush=True)
    return [round(number, 3) for number in plan_of(mean)]


def round_points(play: Player, plan: list[float], seats: int, games: int) -> list[list[float]]:
    """For each round the mean and the standard deviation of a diver's points, all with a plan."""
    tables = np.zeros((games, seats), np.int64)
    points = play(np.array([plan]), tables, 1_000_000 * (seats + 10))
    by_round = points.swapaxes(0, 1).reshape(points.shape[1], -1)
    return [[round(float(one.mean()), 2), round(float(one.std()), 2)] for one in by_round]


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
    play = player(compile=not given.plain)
    found: dict[str, tuple[Any, ...]] = {}
    for seats in given.seats:
        plan = tune(play, seats, given.generations, given.candidates, given.games)
        print(f"{seats} seats: {plan}", flush=True)
        careless = {
            str(care): round_points(play, list(reckless(plan, care)), seats, given.games)
            for care in CARES
        }
        rounds = round_points(play, plan, seats, MEASURED * given.games)
        found[str(seats)] = (plan, rounds, careless)
    if given.out:
        write(given.out, found)


def write(path: Path, found: dict[str, tuple[Any, ...]]) -> None:
    """Write plans and the points of rounds, by number of seats, one in a line."""
    parts = [
        ",\n    ".join(f'"{seats}": {json.dumps(all[part])}' for seats, all in found.items())
        for part in (0, 1, 2)
    ]
    path.write_text(
        '{\n  "format": 1,\n  "command": "python benchmarks/deepsea_tuning.py",\n'
        f'  "plans": {{\n    {parts[0]}\n  }},\n  "rounds": {{\n    {parts[1]}\n  }},\n'
        f'  "careless": {{\n    {parts[2]}\n  }}\n}}\n',
        encoding="utf-8",
    )


if __name__ == "__main__":
    run_main(main)
