"""Tunes the plans by which Deep Sea's `hard` goes on in its thoughts, and `medium` plays.

    python lab/deepsea_tuning.py --out boardgames_cli/games/deepsea/data/plans.json
    python lab/deepsea_tuning.py --seats 2 --generations 1 --plain
    python lab/deepsea_tuning.py --kinds --out boardgames_cli/games/deepsea/data/plans.json
    python lab/deepsea_tuning.py --like --out boardgames_cli/games/deepsea/data/plans.json

The cross-entropy method: in every generation each of some plans, drawn around a mean, plays at the
same tables with the same luck, against classic divers, rules of thumb and other risk plans drawn by
lot; the best sixth give the next mean. What counts is the share of the wins and 0.01 for a point.
Then agents, and divers who follow the plan with more or less care, play at tables drawn by lot: the
mean and the variance of what each kind makes beside each other in each round tell reviews what the
rounds to come are worth, and a plan that decides like the kind and makes as much how it goes on.
With `--kinds` no plan is tuned, and only that is measured anew; with `--like` what kinds make stays
as it is in the file, and only the plans of agents are learnt, with the variances.
Needs numpy, and numba unless it is told to be plain. The plans take about ten minutes, the kinds
half an hour, and what is learnt ten minutes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from arguments import Parser, run_main
from deepsea.imitation import Decision, decisions_of, learn
from deepsea.lab import (
    ROUNDS,
    SPREAD,
    START,
    Player,
    Rows,
    Tables,
    plan_of,
    player,
    rows_of,
    shares_of,
)

from boardgames_cli.core.agent import Agent
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.match import play as play_game
from boardgames_cli.games.deepsea.agents.plans import Plan
from boardgames_cli.games.deepsea.agents.policies import Follower
from boardgames_cli.games.deepsea.agents.tuned import CARES
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.registry import make_agent

Numbers = npt.NDArray[np.float64]

PER_POINT: Final = 0.01
PARTS: Final = ("plans", "careless", "agents", "company")
"""Of the file."""
AGENTS: Final = {"random": 400, "greedy": 200}
"""The agents that are measured, beside divers who follow the tuned plan with `CARES`; and in how
many games at tables of their own kind."""
KINDS: Final = (*AGENTS, *map(str, CARES))
"""The names in the file."""
TRIED: Final = 150
"""Games of each plan among its own kind, and as many with others."""
DECISIONS: Final = 5000
"""Of each agent, from which its plan is learnt."""
BY_LOT: Final = Plan(slip=0.5, hesitation=0.5, chips_return=0.0, chips_up=99.0)
"""The plan of `random`: half the divers who would turn back dive on, and half take the chip."""
CURVE: Final = (-0.25, 0.0, 0.1, 0.2, 0.3, 0.41, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25)
"""The cares that are tried."""
LEARNT_ALIKE: Final = {"random": 150, "greedy": 200}
"""The same where plans are learnt."""
GAMES: Final = {2: 16_000, 3: 6_500, 4: 8_000, 5: 6_400, 6: 3_500}
"""Games at tables of kinds drawn by lot, by number of seats."""
LEARNT: Final = {2: 3_000, 3: 2_000, 4: 2_000, 5: 1_500, 6: 1_500}
"""The same where plans are learnt."""
ALIKE: Final = 4000
"""Games of plans at tables of one kind."""
FITTED: Final = 4000
"""Games of plans for each care that is tried."""
AS_GOOD: Final = 0.2
"""Points that two cares may differ by and count as equally good."""
MEASURED: Final = 20
"""Games of plans for each game of agents."""
CLASSICS: Final = (
    Plan(chips_down=1, chips_return=1),
    Plan(chips_down=2, chips_return=2),
    Plan(chips_down=2, depth=8, chips_up=2),
    Plan(chips_down=1, depth=16, chips_up=1),
    Plan(worth_down=12.0, chips_return=1, chips_up=9, worth_up=12.0),
    Plan(slip=0.5),
)


@dataclass
class Entrant(Follower):
    """Follows a given plan."""

    given: Plan

    def plan(self, seats: int) -> Plan:
        """The same at every table."""
        return self.given


def written(plan: Plan) -> dict[str, Any]:
    """A plan for the file: what is not as by default."""
    usual = asdict(Plan())
    return {
        name: np.round(one, 3).tolist() if isinstance(one, tuple | float) else one
        for name, one in asdict(plan).items()
        if one != usual[name]
    }


def some_rule(rng: np.random.Generator) -> Plan:
    """A rule of thumb drawn by lot."""
    return Plan(
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


def some_risk_plan(rng: np.random.Generator) -> Plan:
    """A risk plan drawn by lot."""
    slip, fear = rng.choice([0, 0.03, 0.1]), rng.uniform(0.2, 1.4)
    return Plan(
        weighs=True,
        slip=slip,
        sinking=fear,
        rising=fear,
        growth=rng.uniform(0, 1.5),
        patience=rng.uniform(0.8, 1.3),
        take_down=tuple(rng.uniform(-1, 6, 4)),
        take_down_oxygen=tuple(rng.uniform(-0.05, 0.15, 4)),
        turn_back=tuple(rng.uniform(-1, 3, 4)),
        ahead=int(rng.integers(1, 5)),
    )


def field_of(rng: np.random.Generator) -> tuple[list[Plan], Numbers]:
    """Those whom the plans meet in a generation, with the chances to meet them."""
    rules = [some_rule(rng) for _ in range(60)]
    risk_plans = [some_risk_plan(rng) for _ in range(30)]
    hasty = Plan(weighs=True, take_down=(0.0, 0.0, 0.0, 0.0), ahead=1)
    risk_plans += [Plan(weighs=True), hasty] * 5
    groups = ((0.4, list(CLASSICS)), (0.25, rules), (0.35, risk_plans))
    chances = [weight / len(group) for weight, group in groups for _ in group]
    return [plan for _, group in groups for plan in group], np.array(chances)


def tune(play: Player, seats: int, generations: int, candidates: int, games: int) -> Plan:
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
        rows = rows_of([*field, *map(plan_of, drawn)])
        scores = np.zeros(candidates)
        for number in range(candidates):
            tables[own] = len(field) + number
            points = play(rows, tables, 1_000_000 * seats + 10_000 * generation).sum(axis=1)
            scores[number] = shares_of(points)[own].mean() + PER_POINT * points[own].mean()
        best = drawn[np.argsort(-scores)[:elite]]
        mean = 0.3 * mean + 0.7 * best.mean(axis=0)
        spread = np.maximum(0.3 * spread + 0.7 * best.std(axis=0), 0.02 * SPREAD)
        print(f"{seats} seats, generation {generation + 1}: mean {scores[0]:.3f}", flush=True)
    return plan_of(mean)


def diver(kind: int, plan: Plan, game: DeepSea) -> Agent[Any, Any]:
    """An agent of `KINDS`, or a diver who follows a plan with its care."""
    name = KINDS[kind]
    if name in AGENTS:
        return make_agent(name, game)
    return Entrant(plan.reckless(float(name)))


def play_games(
    tables: Tables, seed: int, plan: Plan, seen: Mapping[int, list[Decision]]
) -> Numbers:
    """Play a game at each of some tables.

    Args:
        tables: By table and seat the number of its kind.
        seed: Of the first game.
        plan: What careful divers follow.
        seen: By kind its decisions, some `DECISIONS` or more; those of these kinds are added.

    Returns:
        The points, by table, round and seat.
    """
    games, seats = tables.shape
    points = np.zeros((games, ROUNDS, seats))
    game = DeepSea(players=seats)
    for number, table in enumerate(tables):
        match: AnyMatch = Match(game, seed=seed + number)
        play_game(match, [diver(kind, plan, game) for kind in table])
        points[number] = match.state.ledger.by_round
        if any(len(seen[kind]) < DECISIONS for kind in seen):
            for seat, decision in decisions_of(match):
                if table[seat] in seen:
                    seen[table[seat]].append(decision)
    return points


def by_company(tables: Tables, points: Numbers) -> tuple[Numbers, Numbers]:
    """What each kind makes beside each, by least squares: a diver makes the mean over the others.

    Args:
        tables: By table and seat the number of a kind.
        points: By table, round and seat.

    Returns:
        By kind, the other's kind and round the mean and the variance.
    """
    every = np.arange(len(KINDS))
    beside = (tables[:, :, None] == every).sum(axis=1)
    means = np.zeros((len(KINDS), len(KINDS), ROUNDS))
    variances = np.zeros_like(means)
    for kind in every:
        games, seats = np.nonzero(tables == kind)
        shares = (beside[games] - (every == kind)) / (tables.shape[1] - 1)
        made = points[games, :, seats]
        means[kind] = np.linalg.lstsq(shares, made, rcond=None)[0]
        # Around the mean at the same table: what differs between tables is no luck.
        squares = (made - shares @ means[kind]) ** 2
        variances[kind] = np.linalg.lstsq(shares, squares, rcond=None)[0]
    return means, np.maximum(variances, 1.0)


def care_curve(play: Player, plan: Plan, seats: int, games: int) -> Numbers:
    """What divers make, by the care with which all follow a plan (`CURVE`) and by round."""
    tables = np.zeros((games, seats), np.int64)
    plans = [rows_of([plan.reckless(care)]) for care in CURVE]
    return np.array([play(one, tables, seats).mean(axis=(0, 2)) for one in plans])


def fitted_care(curve: Numbers, points: float) -> float:
    """The care that brings about some points in a game; of some as good the most careful.

    Args:
        curve: What each care of `CURVE` makes.
        points: What the agent makes.
    """
    gaps = np.abs(curve - points)
    return max(care for care, gap in zip(CURVE, gaps, strict=True) if gap <= gaps.min() + AS_GOOD)


@dataclass
class Amiss:
    """How far what a plan makes is from what an agent makes, in squared points of all rounds."""

    play: Player
    rows: Rows
    """By kind its plan."""
    kind: int
    """Of the agent."""
    beside: Numbers
    """By the other's kind and round what it makes."""
    alike: Numbers
    """By round what it makes among its own kind."""
    seats: int

    def __call__(self, plan: Plan) -> float:
        """At tables of its kind alone, and with those whose plans are known."""
        rows = self.rows.copy()
        rows[self.kind] = rows_of([plan])[0]
        known = [0, *range(len(AGENTS), len(KINDS))]
        tables = np.full((2 * TRIED, self.seats), self.kind)
        drawn = np.random.default_rng(self.kind).choice(known, (TRIED, self.seats - 1))
        tables[TRIED:, 1:] = drawn
        made = self.play(rows, tables, self.kind)
        gaps = made[:TRIED].mean(axis=(0, 2)) - self.alike
        others = made[TRIED:, :, 0].mean(axis=0) - self.beside[drawn].mean(axis=(0, 1))
        return float((gaps**2 + others**2).sum())


def games_of_kinds(
    seats: int, plan: Plan, games: int, alike: Mapping[str, int]
) -> tuple[Tables, Numbers, dict[str, Numbers], dict[int, list[Decision]]]:
    """Games at tables of kinds drawn by lot, and at tables of one kind.

    Args:
        seats: At a table.
        plan: What careful divers follow.
        games: At tables drawn by lot.
        alike: By agent the games among its own kind.

    Returns:
        By table and seat the kind; the points by table, round and seat; by agent those among its
        own kind; and by kind the decisions of agents that follow no known plan.
    """
    seen: dict[int, list[Decision]] = {kind: [] for kind in range(1, len(AGENTS))}
    tables = np.random.default_rng(seats).integers(0, len(KINDS), (games, seats))
    points = play_games(tables, 1_000_000 * seats, plan, seen)
    among = {
        name: play_games(np.full((alike[name], seats), kind), 0, plan, {})
        for kind, name in enumerate(AGENTS)
    }
    return tables, points, among, seen


def measure_kinds(path: Path, seats: int) -> None:
    """Measure what kinds of divers make beside others, and write the file with that anew."""
    read = read_file(path)
    plan = Plan.read(read["plans"][str(seats)])
    tables, points, among, _ = games_of_kinds(seats, plan, GAMES[seats], AGENTS)
    means = by_company(tables, points)[0]
    read["company"][str(seats)] = {
        name: {other: triples(means[kind, beside]) for beside, other in enumerate(KINDS)}
        | {"alike": triples(among[name].mean(axis=(0, 2)) if name in among else np.zeros(ROUNDS))}
        for kind, name in enumerate(KINDS)
    }
    write(path, read)
    print(f"{seats} seats: kinds measured", flush=True)


def triples(means: Numbers) -> list[list[float]]:
    """The entry of the file for the means of three rounds, until the rest is known."""
    return [[round(float(mean), 2), 0.0, 0.0] for mean in means]


def learn_kinds(path: Path, seats: int, *, compile: bool) -> None:
    """Learn the plans of agents, measure what follows from them, and write the file anew."""
    read, play = read_file(path), player(compile=compile)
    plan, company = Plan.read(read["plans"][str(seats)]), read["company"][str(seats)]
    tables, points, among, seen = games_of_kinds(seats, plan, LEARNT[seats], LEARNT_ALIKE)
    followed = [BY_LOT] * len(AGENTS) + [plan.reckless(care) for care in CARES]
    beside = by_company(tables, points)[0]
    for kind, decisions in seen.items():
        alike = among[KINDS[kind]].mean(axis=(0, 2))
        amiss = Amiss(play, rows_of(followed), kind, beside[kind], alike, seats)
        followed[kind] = learn(decisions, amiss, compile=compile)
    rows = rows_of(followed)
    print(f"{seats} seats: plans learnt", flush=True)
    curve = care_curve(play, plan, seats, FITTED)
    read["careless"][str(seats)] = {
        str(care): round(float(made.sum()), 1) for care, made in zip(CURVE, curve, strict=True)
    }
    tables_of_plans = np.tile(tables, (MEASURED, 1))
    made = play(rows, tables_of_plans, 1_000_000 * (seats + 10))
    means, variances = by_company(tables_of_plans, made)
    for kind, name in enumerate(KINDS):
        alike_made = play(rows[[kind]], np.zeros((ALIKE, seats), np.int64), seats)
        alike_came = among.get(name, alike_made)
        entries = company[name]
        if name in AGENTS:
            known = np.array([entries[other] for other in KINDS])[:, :, 0]
            edges = known.mean(axis=0) / means[kind].mean(axis=0) - 1
            came = points.swapaxes(1, 2)[tables == kind]
            of_plan = made.swapaxes(1, 2)[tables_of_plans == kind]
            variances[kind] *= came.var(axis=0) / of_plan.var(axis=0)
            alike_mean = np.array(entries["alike"])[:, 0]
        else:
            # Who follows the plan is the same in both, and plans play by the thousand.
            known = np.array([entries[other] for other in KINDS])[:, :, 0]
            known[len(AGENTS) :] = means[kind, len(AGENTS) :]
            edges, alike_mean = np.zeros(ROUNDS), alike_made.mean(axis=(0, 2))
        rest = np.broadcast_to(edges, known.shape)
        parts = np.stack([known, variances[kind], rest], axis=-1).round(2)
        alike_edges = alike_mean / alike_made.mean(axis=(0, 2)) - 1
        alike_parts = [alike_mean, alike_came.var(axis=(0, 2)), alike_edges]
        company[name] = dict(zip(KINDS, parts.tolist(), strict=True))
        company[name]["alike"] = np.stack(alike_parts, axis=-1).round(2).tolist()
    read["agents"][str(seats)] = {
        name: {
            "care": fitted_care(
                curve.sum(axis=1), sum(mean for mean, *_ in company[name]["alike"])
            ),
            "plan": written(followed[kind]),
        }
        for kind, name in enumerate(AGENTS)
    }
    write(path, read)


def read_file(path: Path) -> dict[str, Any]:
    """The parts of the file."""
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {part: {} for part in PARTS} | read


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
    parser.add_argument("--like", action="store_true", help="only learn the plans of agents")
    parser.add_count("--generations", 25, "generations for each number of seats")
    parser.add_count("--candidates", 64, "plans in a generation")
    parser.add_count("--games", 2000, "games of each plan in a generation")
    given = parser.parse_args()
    compile = not given.plain
    if not (given.kinds or given.like):
        read: dict[str, Any] = {part: {} for part in PARTS}
        play = player(compile=compile)
        for seats in given.seats:
            plan = written(tune(play, seats, given.generations, given.candidates, given.games))
            read["plans"][str(seats)] = plan
            print(f"{seats} seats: {plan}", flush=True)
        if given.out:
            write(given.out, read)
    if given.out:
        for seats in given.seats:
            if not given.like:
                measure_kinds(given.out, seats)
            learn_kinds(given.out, seats, compile=compile)


def write(path: Path, read: dict[str, Any]) -> None:
    """Write the parts of the file, one row of each in a line."""
    parts = [
        f'  "{part}": {{\n    '
        + ",\n    ".join(f'"{key}": {json.dumps(one)}' for key, one in read[part].items())
        + "\n  }"
        for part in PARTS
    ]
    begin = '{\n  "format": 2,\n  "command": "python lab/deepsea_tuning.py",\n'
    path.write_text(begin + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    run_main(main)
