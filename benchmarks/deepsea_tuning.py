"""Tunes the plans by which Deep Sea's `hard` goes on in its thoughts, and `medium` plays.

    python benchmarks/deepsea_tuning.py --out boardgames_cli/games/deepsea/data/plans.json
    python benchmarks/deepsea_tuning.py --seats 2 --generations 1 --plain
    python benchmarks/deepsea_tuning.py --kinds --out boardgames_cli/games/deepsea/data/plans.json

The cross-entropy method: in every generation each of some plans, drawn around a mean, plays at the
same tables with the same luck, against classic divers, rules of thumb and other risk plans drawn by
lot; the best sixth give the next mean. What counts is the share of the wins and 0.01 for a point.
Then divers who all follow the plan play among themselves: the mean and the standard deviation of a
diver's points in each round tell reviews what the rounds to come are worth.
With `--kinds` no plan is tuned; that is measured anew, and what agents make at tables of their own
kind, with the care that brings divers who follow the plan as much.
Needs numpy, and numba unless it is told to be plain. The defaults take about ten minutes.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from arguments import Parser, run_main
from deepsea.lab import Player, player, shares_of

from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.match import play as play_game
from boardgames_cli.games.deepsea.agents.plans import WIDTH, reckless, risk_plan, rule
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.registry import make_agent

Numbers = npt.NDArray[np.float64]

PER_POINT: Final = 0.01
PARTS: Final = ("plans", "rounds", "careless", "agents")
"""Of the file."""
NEAR: Final = 0.05
"""In points; of cares that come so near the largest is taken."""
CARES: Final = (-0.25, -0.1, 0.0, 0.2, 0.41, 0.6, 0.8, 1.25)
"""How careful divers are of whom it is measured, too, what they make (`plans.reckless`)."""
AGENTS: Final = {"planner": 2000, "one-ply": 200, "greedy": 200, "random": 400}
"""The agents that are measured, and in how many games at each number of seats."""
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


def careless_points(play: Player, plan: list[float], seats: int, games: int) -> dict[str, Any]:
    """For each care the points of each round."""
    return {
        str(care): round_points(play, list(reckless(plan, care)), seats, games) for care in CARES
    }


def agent_points(name: str, seats: int, games: int) -> list[list[float]]:
    """For each round the mean and the standard deviation of an agent's points, among its kind."""
    game = DeepSea(players=seats)
    rounds: list[list[int]] = [[] for _ in range(game.rounds)]
    for seed in range(games):
        match: AnyMatch = Match(game, seed=seed)
        play_game(match, [make_agent(name, game) for _ in range(seats)])
        for points, made in zip(rounds, match.state.ledger.by_round, strict=True):
            points += made
    return [[round(statistics.fmean(one), 2), round(statistics.stdev(one), 2)] for one in rounds]


def care_of(points: float, careless: dict[str, Any], rounds: Any, number: int) -> float:
    """The care with which divers make as many points in a round as an agent, or nearly."""
    measured = {float(care): made for care, made in careless.items()} | {1.0: rounds}
    cares = sorted(measured)
    means = [measured[care][number][0] for care in cares]
    fine = np.round(np.arange(cares[-1], cares[0], -0.01), 2)
    gaps = np.abs(np.interp(fine, cares, means) - points)
    return float(fine[np.argmin(np.maximum(gaps, NEAR))])


def measure_kinds(play: Player, path: Path, games: int) -> None:
    """Measure careless divers and agents, and write the file with its plans anew."""
    read = json.loads(path.read_text(encoding="utf-8"))
    read["agents"] = {name: {} for name in AGENTS}
    for seats, plan in read["plans"].items():
        careless = read["careless"][seats] = careless_points(play, plan, int(seats), games)
        for name, count in AGENTS.items():
            made = [
                [care_of(mean, careless, read["rounds"][seats], number), mean, spread]
                for number, (mean, spread) in enumerate(agent_points(name, int(seats), count))
            ]
            print(f"{seats} seats, {name}: {made}", flush=True)
            read["agents"][name][seats] = made
    write(path, read)


def main() -> None:
    """Read the arguments, tune, write."""
    parser = Parser(__doc__)
    parser.add_argument(
        "--seats", type=int, nargs="+", choices=range(2, 7), default=[2, 3, 4, 5, 6],
        help="numbers of seats (default: all)",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, help="the file to write (default: none)")
    parser.add_argument("--plain", action="store_true", help="do without numba: much slower")
    parser.add_argument("--kinds", action="store_true", help="tune nothing; measure for --out")
    parser.add_count("--generations", 25, "generations for each number of seats")
    parser.add_count("--candidates", 64, "plans in a generation")
    parser.add_count("--games", 2000, "games of each plan in a generation")
    given = parser.parse_args()
    play = player(compile=not given.plain)
    if given.kinds:
        measure_kinds(play, given.out, given.games)
        return
    read: dict[str, Any] = {part: {} for part in PARTS}
    for number in given.seats:
        seats = str(number)
        plan = read["plans"][seats] = tune(
            play, number, given.generations, given.candidates, given.games
        )
        print(f"{seats} seats: {plan}", flush=True)
        read["careless"][seats] = careless_points(play, plan, number, given.games)
        read["rounds"][seats] = round_points(play, plan, number, MEASURED * given.games)
    if given.out:
        write(given.out, read)


def write(path: Path, read: dict[str, Any]) -> None:
    """Write the parts of the file, one row of each in a line."""
    parts = [
        f'  "{part}": {{\n    '
        + ",\n    ".join(f'"{key}": {json.dumps(one)}' for key, one in read[part].items())
        + "\n  }"
        for part in PARTS
    ]
    begin = '{\n  "format": 1,\n  "command": "python benchmarks/deepsea_tuning.py",\n'
    path.write_text(begin + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    run_main(main)
