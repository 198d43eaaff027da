"""Tunes the plans by which Deep Sea's `hard` goes on in its thoughts, and `medium` plays.

    python lab/deepsea_tuning.py --out boardgames_cli/games/deepsea/data/plans.json
    python lab/deepsea_tuning.py --seats 2 --generations 1 --plain
    python lab/deepsea_tuning.py --like --out boardgames_cli/games/deepsea/data/plans.json

The cross-entropy method: in every generation each of some plans, drawn around a mean, plays at the
same tables with the same luck, against classic divers, rules of thumb and other risk plans drawn by
lot; the best sixth give the next mean. What counts is the share of the wins and 0.01 for a point.
Then agents, and divers who follow the plan with more or less care, play at tables drawn by lot, for
plans that decide like the agents and make as much: reviews play on by them. With `--like` no plan
is tuned, and only these are learnt.
Needs numpy, and numba unless it is told to be plain. The plans take about ten minutes, and what is
learnt ten more.
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
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.registry import make_agent

Numbers = npt.NDArray[np.float64]

PER_POINT: Final = 0.01
PARTS: Final = ("plans", "agents")
"""Of the file."""
AGENTS: Final = {"random": 150, "greedy": 200}
"""The agents that are learnt, and in how many games at tables of their own kind."""
CARES: Final = (0.0, 0.41, 1.0)
"""Of the divers beside them, who follow the tuned plan."""
KINDS: Final = (*AGENTS, *map(str, CARES))
TRIED: Final = 150
"""Games of each plan among its own kind, and as many with others."""
DECISIONS: Final = 5000
"""Of each agent, from which its plan is learnt."""
BY_LOT: Final = Plan(slip=0.5, hesitation=0.5, chips_return=0.0, chips_up=99.0)
"""The plan of `random`: half the divers who would turn back dive on, and half take the chip."""
LEARNT: Final = {2: 3_000, 3: 2_000, 4: 2_000, 5: 1_500, 6: 1_500}
"""Games at tables of kinds drawn by lot, by number of seats."""
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


def by_company(tables: Tables, points: Numbers) -> Numbers:
    """What each kind makes beside each, by least squares: a diver makes the mean over the others.

    Args:
        tables: By table and seat the number of a kind.
        points: By table, round and seat.

    Returns:
        By kind, the other's kind and round the mean.
    """
    every = np.arange(len(KINDS))
    beside = (tables[:, :, None] == every).sum(axis=1)
    means = np.zeros((len(KINDS), len(KINDS), ROUNDS))
    for kind in every:
        games, seats = np.nonzero(tables == kind)
        shares = (beside[games] - (every == kind)) / (tables.shape[1] - 1)
        means[kind] = np.linalg.lstsq(shares, points[games, :, seats], rcond=None)[0]
    return means


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


def learn_agents(path: Path, seats: int, *, compile: bool) -> None:
    """Learn the plans of agents, and write the file with these anew."""
    read, play = read_file(path), player(compile=compile)
    plan = Plan.read(read["plans"][str(seats)])
    seen: dict[int, list[Decision]] = {kind: [] for kind in range(1, len(AGENTS))}
    tables = np.random.default_rng(seats).integers(0, len(KINDS), (LEARNT[seats], seats))
    points = play_games(tables, 1_000_000 * seats, plan, seen)
    followed = [BY_LOT] * len(AGENTS) + [plan.reckless(care) for care in CARES]
    beside = by_company(tables, points)
    for kind, decisions in seen.items():
        alone = np.full((AGENTS[KINDS[kind]], seats), kind)
        alike = play_games(alone, 0, plan, {}).mean(axis=(0, 2))
        amiss = Amiss(play, rows_of(followed), kind, beside[kind], alike, seats)
        followed[kind] = learn(decisions, amiss, compile=compile)
    learnt = {name: written(followed[kind]) for kind, name in enumerate(AGENTS)}
    write(path, read | {"agents": read["agents"] | {str(seats): learnt}})
    print(f"{seats} seats: agents learnt", flush=True)


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
    parser.add_argument("--like", action="store_true", help="only learn the plans of agents")
    parser.add_count("--generations", 25, "generations for each number of seats")
    parser.add_count("--candidates", 64, "plans in a generation")
    parser.add_count("--games", 2000, "games of each plan in a generation")
    given = parser.parse_args()
    compile = not given.plain
    if not given.like:
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
            learn_agents(given.out, seats, compile=compile)


def write(path: Path, read: dict[str, Any]) -> None:
    """Write the parts of the file, one row of each in a line."""
    parts = [
        f'  "{part}": {{\n    '
        + ",\n    ".join(f'"{key}": {json.dumps(one)}' for key, one in read[part].items())
        + "\n  }"
        for part in PARTS
    ]
    begin = '{\n  "format": 3,\n  "command": "python lab/deepsea_tuning.py",\n'
    path.write_text(begin + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    run_main(main)
