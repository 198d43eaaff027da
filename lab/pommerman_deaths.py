"""What Pommerman's agents die of: whose bomb it was, and the step that left no way out.

    python lab/pommerman_deaths.py --agent hard --rival simple --games 200
    python lab/pommerman_deaths.py --records pommerman-2026-01-31 --agent hard

The agent sits on one side, the rival on all other seats; or the games of a tournament that was
played with ``--records`` are read. Whose bomb it was is told by the flames on the cell. The cause
is the last step before which there was a way out, had nobody else done anything or been in the way.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arguments import Parser, run_main, setting

from boardgames_cli import registry
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.games.pommerman.actions import Move
from boardgames_cli.games.pommerman.agents.forecast import Timeline, foresee, survivors
from boardgames_cli.games.pommerman.agents.situation import WALKS, look_at
from boardgames_cli.games.pommerman.board import BOMB, BOMB_LIFE, STOP, Mask, bits
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.step import blast, lay, settle
from boardgames_cli.games.pommerman.state import Bomb, PommermanState
from boardgames_cli.storage.reading import load_record, restore

LOOK_BACK: Final = BOMB_LIFE + 4
"""Steps before a death in which its cause is looked for."""


@dataclass(frozen=True, slots=True)
class Death:
    """How one agent died."""

    step: int
    by: str
    """Own bomb, another's, both, or the collapse."""
    cause: str
    """What happened in the step that left no way out."""


@dataclass
class Tally:
    """What came of all games, from the agent's side."""

    games: int = 0
    won: int = 0
    tied: int = 0
    deaths: list[Death] = field(default_factory=list)
    agents: int = 0
    """Agents of the kind, all games together."""
    steps: int = 0
    """Steps that they lived."""
    doomed: int = 0
    """Steps after which they stood where fire was to come."""


def joint_moves(match: AnyMatch, ply: int) -> list[int]:
    """The move of every seat in the step after a ply; the dead stop."""
    joint: Mapping[int, Move] = match.steps[ply].joint
    return [joint[seat].code if seat in joint else STOP for seat in range(match.game.seats)]


def rules_of(match: AnyMatch) -> Pommerman:
    """The rulebook of a game of Pommerman."""
    game = match.game
    assert isinstance(game, Pommerman)
    return game


class Blame:
    """Follows a game and knows whose flames burn where.

    Args:
        game: The rulebook.
    """

    def __init__(self, game: Pommerman) -> None:
        self._game = game
        self.owners: dict[int, set[int]] = {}
        """For each cell in flames who laid the bombs that hit it last."""

    def follow(self, before: PommermanState, moves: Sequence[int]) -> None:
        """Take in the step that was played from a state."""
        self.owners = {
            cell: owners
            for cell, owners in self.owners.items()
            if (before.flames[1] | before.flames[2]) >> cell & 1
        }
        hit: dict[int, set[int]] = {}
        for bomb in self._exploding(before, moves):
            grid = self._game.step_rules.grid
            for cell in bits(blast(grid, before.rigid, before.wood, bomb.cell, bomb.strength)):
                hit.setdefault(cell, set()).add(bomb.owner)
        self.owners |= hit

    def _exploding(self, before: PommermanState, moves: Sequence[int]) -> list[Bomb]:
        step_rules = self._game.step_rules
        agents = list(before.agents)
        laid = lay(agents, before.bombs, moves, BOMB_LIFE)
        walls = before.rigid | before.wood
        stops = walls | before.open_powers if step_rules.items_block else walls
        rest = settle(step_rules.grid, walls, stops, agents, laid, moves)[1]
        burning = before.flames[1] | before.flames[2]
        gone: list[Bomb] = []
        hit: Mask = burning
        while going := [bomb for bomb in rest if bomb.life <= 1 or hit >> bomb.cell & 1]:
            gone += going
            rest = [bomb for bomb in rest if bomb not in going]
            for bomb in going:
                hit |= blast(step_rules.grid, before.rigid, before.wood, bomb.cell, bomb.strength)
        return gone


def deaths_in(match: AnyMatch, seat: int) -> Iterator[Death]:
    """How an agent died in a game, if it did; again after a tie that was played again."""
    blame = Blame(rules_of(match))
    for ply, step in enumerate(match.steps):
        before, after = match.state_at(ply), match.state_at(ply + 1)
        if step.is_chance:
            continue
        moves = joint_moves(match, ply)
        blame.follow(before, moves)
        if not before.agents[seat].alive or after.agents[seat].alive:
            continue
        if seat in after.fallen:
            yield Death(after.step, "the collapse", "the ring fell")
            continue
        owners = blame.owners.get(after.agents[seat].cell, set())
        by = "another's bomb" if seat not in owners else "own bomb"
        if seat in owners and len(owners) > 1:
            by = "own bomb and another's"
        yield Death(after.step, by, cause_of(match, ply, seat))


def cause_of(match: AnyMatch, last: int, seat: int) -> str:
    """What happened in the step that left no way out.

    Args:
        match: The game.
        last: The ply of the step in which the agent died.
        seat: The agent.
    """
    for ply in range(last, max(0, last - LOOK_BACK), -1):
        state = match.state_at(ply)
        if not state.agents or CHANCE in match.steps[ply].joint:
            break
        ways = ways_out(rules_of(match), state, seat)
        if ways:
            return _explain(match, ply, seat, ways)
    return "no way out for long"


def ways_out(game: Pommerman, state: PommermanState, seat: int) -> set[int]:
    """The moves after which there is a way out if nobody else does anything or is in the way."""
    situation = look_at(game, state, seat)
    own = situation.own.cell
    free = {move: game.step_rules.grid.steps[move][own] for move in WALKS}
    blocked = situation.timeline.blocked[0]
    found = set()
    for move, cell in free.items():
        is_open = cell >= 0 and (move == STOP or not blocked >> cell & 1)
        if is_open and _survives(situation.size, situation.timeline, cell):
            found.add(move)
    if situation.can_lay:
        bomb = situation.bomb(own, situation.own.strength)
        if _survives(situation.size, foresee(situation.scene, [bomb]), own):
            found.add(BOMB)
    return found


def _survives(size: int, timeline: Timeline, cell: int) -> bool:
    return not timeline.burning[0] >> cell & 1 and bool(survivors(size, timeline, 1 << cell, 1))


def _explain(match: AnyMatch, ply: int, seat: int, ways: set[int]) -> str:
    before, after = match.state_at(ply), match.state_at(ply + 1)
    grid = rules_of(match).step_rules.grid
    moves = joint_moves(match, ply)
    move, cell = moves[seat], before.agents[seat].cell
    if move not in ways:
        return "own bomb without a way out" if move == BOMB else "own walk without a way out"
    target = grid.steps[move][cell]
    if move in WALKS and after.agents[seat].cell != target:
        bodies = {agent.cell for other, agent in enumerate(before.agents) if other != seat}
        return "walk failed: a body was there" if target in bodies else "walk failed: contested"
    if any(_lays(before, moves, other) for other in range(len(moves)) if other != seat):
        return "another's new bomb"
    if any(bomb.direction for bomb in after.bombs):
        return "a rolling bomb"
    return "something else"


def _lays(state: PommermanState, moves: Sequence[int], seat: int) -> bool:
    agent = state.agents[seat]
    return agent.alive and agent.ammo > 0 and moves[seat] == BOMB


def count_doomed(match: AnyMatch, seat: int, tally: Tally) -> None:
    """Count the steps that an agent lived, and those after which fire was to come to its cell."""
    for ply in range(1, match.ply + 1):
        state = match.state_at(ply)
        if not state.agents or not state.agents[seat].alive:
            continue
        tally.steps += 1
        cell = state.agents[seat].cell
        burning = look_at(rules_of(match), state, seat).timeline.burning
        tally.doomed += any(fire >> cell & 1 for fire in burning)


def examine(match: AnyMatch, own: Sequence[int], tally: Tally, thorough: bool = True) -> None:
    """Add what came of a game for the seats of one side."""
    tally.games += 1
    tally.won += match.returns[own[0]] > 0
    tally.tied += max(match.returns) <= 0
    for seat in own:
        tally.agents += 1
        tally.deaths += deaths_in(match, seat)
        if thorough:
            count_doomed(match, seat, tally)


def played(given: Any) -> Iterator[tuple[AnyMatch, tuple[int, ...]]]:
    """Play games between the two agents, and name the seats of the first."""
    game = registry.make("pommerman", **dict(given.set))
    for number in range(given.games):
        own = game.teams[number % len(game.teams)]
        agents = [
            registry.make_agent(given.agent if seat in own else given.rival, game)
            for seat in range(game.seats)
        ]
        match: AnyMatch = Match(game, seed=given.seed * 1_000_003 + number // len(game.teams))
        play(match, agents)
        yield match, own


def recorded(folder: Path, agent: str) -> Iterator[tuple[AnyMatch, tuple[int, ...]]]:
    """The games of a tournament's folder in which the agent played, and its seats.

    Raises:
        GameError: There are none.
    """
    found = False
    for path in sorted(folder.glob("records/*/*.jsonl")):
        record = load_record(path)
        own = tuple(seat for seat, name in enumerate(record.header.seats) if name == agent)
        if own and record.header.game == "pommerman":
            found = True
            yield restore(record, path), own
    if not found:
        raise GameError(
            f'no game of Pommerman with "{agent}" is recorded in {folder}.',
            "Play a tournament with --records, and name one of its entrants.",
        )


def print_tally(tally: Tally) -> None:
    """Print the shares."""
    print(f"{tally.games} games: {tally.won} won, {tally.tied} tied")
    print(f"{len(tally.deaths)} deaths of {tally.agents} agents")
    if tally.steps:
        share = tally.doomed / tally.steps
        print(f"{share:.1%} of {tally.steps} steps ended where fire was to come")
    for name in ("by", "cause"):
        print(f"{name}:")
        counted = Counter(getattr(death, name) for death in tally.deaths)
        for what, count in counted.most_common():
            print(f"  {count:5}  {count / len(tally.deaths):6.1%}  {what}")
    if tally.deaths:
        print(f"median step of death: {statistics.median(death.step for death in tally.deaths):g}")


def main() -> None:
    """Print what the agent died of."""
    parser = Parser(__doc__)
    parser.add_argument("--agent", default="hard", help="whose deaths are counted (default hard)")
    parser.add_argument("--rival", default="simple", help="on all other seats (default simple)")
    parser.add_argument(
        "--set",
        type=setting,
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="an option of the game, such as mode=team; as often as needed",
    )
    parser.add_argument(
        "--records", type=Path, metavar="FOLDER", help="read these games and play none"
    )
    parser.add_seed()
    parser.add_count("--games", 40, "games to be played")
    given = parser.parse_args()
    games = recorded(given.records, given.agent) if given.records else played(given)
    tally = Tally()
    for match, own in games:
        examine(match, own, tally)
    print_tally(tally)


if __name__ == "__main__":
    run_main(main)
