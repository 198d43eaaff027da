"""Tunes the plans by which Deep Sea's `hard` goes on in its thoughts, and `medium` plays.

    python benchmarks/deepsea_tuning.py --out boardgames_cli/games/deepsea/data/plans.json
    python benchmarks/deepsea_tuning.py --seats 2 --generations 1 --plain
    python benchmarks/deepsea_tuning.py --kinds --out boardgames_cli/games/deepsea/data/plans.json

The cross-entropy method: in every generation each of some plans, drawn around a mean, plays at the
same tables with the same luck, against classic divers, rules of thumb and other risk plans drawn by
lot; the best sixth give the next mean. What counts is the share of the wins and 0.01 for a point.
Then agents, and divers who follow the plan with more or less care, play at tables drawn by lot: the
mean and the standard deviation of what each kind makes beside each other in each round tell reviews
what the rounds to come are worth, and the care with which divers make as much how a kind goes on.
With `--kinds` no plan is tuned, and only that is measured anew.
Needs numpy, and numba unless it is told to be plain. The plans take about ten minutes, the kinds
as long.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from arguments import Parser, run_main
from deepsea.lab import ROUNDS, Player, Tables, player, shares_of

from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.match import play as play_game
from boardgames_cli.games.deepsea.agents.plans import WIDTH, reckless, risk_plan, rule
from boardgames_cli.games.deepsea.agents.tuned import CARES, DiverKind, tuned_plan
from boardgames_cli.games.deepsea.analyst import plan_like
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.registry import make_agent

Numbers = npt.NDArray[np.float64]

PER_POINT: Final = 0.01
PARTS: Final = ("plans", "careless", "cares", "company")
"""Of the file."""
AGENTS: Final = {"random": 400, "greedy": 200, "one-ply": 200, "planner": 2000}
"""The agents that are measured, beside divers who follow the tuned plan with `CARES`; and in how
many games at tables of their own kind."""
KINDS: Final = {name: name for name in AGENTS} | {str(care): f"risk:care={care}" for care in CARES}
"""The names in the file, and the agents."""
CURVE: Final = (-0.25, 0.0, 0.1, 0.2, 0.3, 0.41, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25)
"""The cares that are tried."""
GAMES: Final = {2: 16_000, 3: 6_500, 4: 8_000, 5: 6_400, 6: 3_500}
"""Games at tables of kinds drawn by lot, by number of seats."""
ALIKE: Final = 4000
"""Games of plans at tables of one kind."""
FITTED: Final = 4000
"""Games of plans for each care that is tried."""
AS_GOOD: Final = 0.2
"""Points that two cares may differ by and count as equally good."""
MEASURED: Final = 3
"""Games of plans for each game of agents."""
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


def play_games(tables: Tables, seed: int) -> Numbers:
    """Play a game at each of some tables.

    Args:
        tables: By table and seat the number of its kind.
        seed: Of the first game.

    Returns:
        The points, by table, round and seat.
    """
    games, seats = tables.shape
    points = np.zeros((games, ROUNDS, seats))
    game = DeepSea(players=seats)
    agents = list(KINDS.values())
    for number, table in enumerate(tables):
        match: AnyMatch = Match(game, seed=seed + number)
        play_game(match, [make_agent(agents[kind], game) for kind in table])
        points[number] = match.state.ledger.by_round
    return points


def by_company(tables: Tables, points: Numbers) -> Numbers:
    """What each kind makes beside each, by least squares: a diver makes the mean over the others.

    Args:
        tables: By table and seat the number of a kind.
        points: By table, round and seat.

    Returns:
        By kind, the other's kind and round.
    """
    every = np.arange(len(KINDS))
    beside = (tables[:, :, None] == every).sum(axis=1)
    found = np.zeros((len(KINDS), len(KINDS), ROUNDS))
    for kind in every:
        games, seats = np.nonzero(tables == kind)
        shares = (beside[games] - (every == kind)) / (tables.shape[1] - 1)
        found[kind] = np.linalg.lstsq(shares, points[games, :, seats], rcond=None)[0]
    return found


def care_curve(play: Player, plan: Sequence[float], seats: int, games: int) -> Numbers:
    """What divers make, by the care with which all follow a plan (`CURVE`) and by round."""
    tables = np.zeros((games, seats), np.int64)
    plans = [np.array([reckless(plan, care)]) for care in CURVE]
    return np.array([play(one, tables, seats).mean(axis=(0, 2)) for one in plans])


def plans_of(cares: Mapping[str, Sequence[float]], seats: int, number: int) -> Numbers:
    """By kind the plan that it follows in a round."""
    kinds = [
        DiverKind(tuple(cares.get(name, ())) or (float(name),) * ROUNDS, ((name, 1.0),))
        for name in KINDS
    ]
    return np.array([plan_like(kind, seats, number) for kind in kinds])


def alike_games(seats: int) -> dict[str, Numbers]:
    """The points of agents at tables of one kind: by agent, then by table, round and seat."""
    return {
        name: play_games(np.full((AGENTS[name], seats), kind), 0)
        for kind, name in enumerate(AGENTS)
    }


def fitted_care(curve: Numbers, points: float) -> float:
    """The care that brings about some points in a round; of some as good the most careful.

    Bolder divers make as much with a larger spread, so that a lead would look less safe.

    Args:
        curve: What each care of `CURVE` makes.
        points: What the agent makes.
    """
    gaps = np.abs(curve - points)
    return max(care for care, gap in zip(CURVE, gaps, strict=True) if gap <= gaps.min() + AS_GOOD)


def alike_points(
    play: Player,
    cares: Mapping[str, Sequence[float]],
    seats: int,
    games: Mapping[str, Numbers],
) -> dict[str, list[list[float]]]:
    """By kind the mean, the standard deviation and the edge of each round where all are alike."""
    found: dict[str, list[list[float]]] = {}
    plans = [plans_of(cares, seats, number) for number in range(ROUNDS)]
    tables = np.zeros((ALIKE, seats), np.int64)
    for kind, name in enumerate(KINDS):
        made = [play(plan[[kind]], tables, seats)[:, number] for number, plan in enumerate(plans)]
        came = made
        if name in AGENTS:
            came = [games[name][:, number] for number in range(ROUNDS)]
        found[name] = [
            [
                round(float(one.mean()), 2), round(float(one.std()), 2),
                round(float(one.mean() / of_plan.mean() - 1), 2),
            ]
            for one, of_plan in zip(came, made, strict=True)
        ]  # fmt: skip
    return found


def measure_kinds(play: Player, path: Path, seats: int, games: int) -> None:
    """Measure what kinds of divers make beside others, and write the file with its plans anew."""
    read = json.loads(path.read_text(encoding="utf-8"))
    tables = np.random.default_rng(seats).integers(0, len(KINDS), (games, seats))
    points = play_games(tables, 1_000_000 * seats)
    means = by_company(tables, points)
    spreads = np.sqrt(np.maximum(by_company(tables, points**2) - means**2, 1.0))
    games_alike = alike_games(seats)
    curve = care_curve(play, tuned_plan(seats), seats, FITTED)
    cares = {
        name: [
            fitted_care(curve[:, number], float(came[:, number].mean())) for number in range(ROUNDS)
        ]
        for name, came in games_alike.items()
    }
    tables = np.random.default_rng(seats).integers(0, len(KINDS), (MEASURED * games, seats))
    made = np.zeros_like(means)
    for number in range(ROUNDS):
        played = play(plans_of(cares, seats, number), tables, 1_000_000 * (seats + 10))
        made[:, :, number] = by_company(tables, played)[:, :, number]
    # Who follows the plan in both makes the same, which is better known of more games.
    followers = np.ix_(range(len(AGENTS), len(KINDS)), range(len(AGENTS), len(KINDS)))
    means[followers] = made[followers]
    parts = np.stack([means, spreads, means / made - 1], axis=-1).round(2)
    alike = alike_points(play, cares, seats, games_alike)
    read["cares"][str(seats)] = cares
    read["careless"][str(seats)] = {
        str(care): round(float(made_by.sum()), 1)
        for care, made_by in zip(CURVE, curve, strict=True)
    }
    read["company"][str(seats)] = {
        name: {other: parts[kind, beside].tolist() for beside, other in enumerate(KINDS)}
        | {"alike": alike[name]}
        for kind, name in enumerate(KINDS)
    }
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
        for number in given.seats:
            measure_kinds(play, given.out, number, GAMES[number])
        return
    read: dict[str, Any] = {part: {} for part in PARTS}
    for number in given.seats:
        seats = str(number)
        plan = read["plans"][seats] = tune(
            play, number, given.generations, given.candidates, given.games
        )
        print(f"{seats} seats: {plan}", flush=True)
    if given.out:
        write(given.out, read)
        for number in given.seats:
            measure_kinds(play, given.out, number, GAMES[number])


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
