"""An agent's analysis of an observation: safe moves, and effects of bombs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.games.pommerman.agents.forecast import (
    HORIZON,
    Scenery,
    Timeline,
    arrivals,
    foresee,
    survivors,
)
from boardgames_cli.games.pommerman.board import (
    BOMB_LIFE,
    STOP,
    UNKNOWN,
    Mask,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState

WALKS = range(5)
"""To stop, and to walk in the four directions."""
_FAR: Final = 2 * HORIZON
"""A collapse later than this is ignored."""


@dataclass(frozen=True, slots=True)
class Situation:
    """An analysed observation of a living seat."""

    game: Pommerman
    seat: Seat
    state: PommermanState
    scene: Scenery
    timeline: Timeline
    """The forecast without further actions."""
    others: Mask
    """The cells of the other visible living agents."""
    opponents: tuple[int, ...]
    """The cells of the visible enemies."""

    @property
    def own(self) -> Bomber:
        return self.state.agents[self.seat]

    @property
    def size(self) -> int:
        return self.scene.size

    @property
    def can_lay(self) -> bool:
        own = self.own
        return own.ammo > 0 and all(bomb.cell != own.cell for bomb in self.state.bombs)

    def target(self, move: int) -> int:
        """The target cell of a walk; -1 if it is blocked."""
        cell = self.game.step_rules.grid.steps[move][self.own.cell]
        if move == STOP:
            return cell
        taken = self.timeline.blocked[0] | self.others
        return -1 if cell < 0 or taken >> cell & 1 else cell

    def kick(self, move: int) -> Situation | None:
        """The situation after kicking a bomb with a walk; None if it can't.

        The walk then leads to the cell of the bomb, which rolls on.
        """
        grid, bombs = self.game.step_rules.grid, self.scene.bombs
        cell = grid.steps[move][self.own.cell]
        beyond = grid.steps[move][cell] if cell >= 0 else -1
        if not self.own.kicks or beyond < 0 or all(bomb.cell != cell for bomb in bombs):
            return None
        if (self.timeline.blocked[0] | self.others | self.scene.powers) >> beyond & 1:
            return None
        kicked = [bomb._replace(direction=move) if bomb.cell == cell else bomb for bomb in bombs]
        scene = self.scene._replace(bombs=tuple(kicked))
        timeline = foresee(scene)
        first = timeline.blocked[0] & ~(1 << cell)
        timeline = timeline._replace(blocked=(first, *timeline.blocked[1:]))
        return replace(self, scene=scene, timeline=timeline)

    def refuge(self, move: int, timeline: Timeline) -> Mask:
        """The possible final cells after a first walk; empty if that is deadly."""
        cell = self.target(move)
        if cell < 0 or timeline.burning[0] >> cell & 1:
            return 0
        return survivors(self.size, timeline, 1 << cell, 1)

    def bomb(self, cell: int, strength: int, delay: int = 0) -> Bomb:
        """A bomb of the agent, laid after some steps."""
        return Bomb(cell, BOMB_LIFE + delay, strength, self.seat, STOP)


def look_at(
    game: Pommerman, state: PommermanState, seat: Seat, foresight: int = HORIZON
) -> Situation:
    """Analyse a living seat's observation, with a forecast of some steps."""
    known = tuple(
        agent._replace(alive=agent.alive and agent.cell != UNKNOWN) for agent in state.agents
    )
    powers = state.open_powers if game.items_block else 0
    # Paths don't lead into the fog, which may hide walls.
    scene = Scenery(
        game.board_spec.size,
        state.rigid | state.fog,
        state.wood,
        powers,
        state.flames,
        state.bombs,
        tuple(
            agent._replace(alive=agent.alive and other != seat) for other, agent in enumerate(known)
        ),
        _falls(game, state),
    )
    alive = [other for other, agent in enumerate(known) if agent.alive and other != seat]
    opponents = [other for other in alive if not (game.is_team and (other - seat) % 2 == 0)]
    return Situation(
        game,
        seat,
        state,
        scene,
        foresee(scene, (), foresight),
        sum(1 << known[other].cell for other in alive),
        tuple(known[other].cell for other in opponents),
    )


def _falls(game: Pommerman, state: PommermanState) -> tuple[tuple[int, Mask], ...]:
    grid = game.step_rules.grid
    return tuple(
        (step - state.step, grid.ring(depth))
        for depth, step in enumerate(game.collapses_in(state))
        if 0 < step - state.step <= _FAR
    )


def longest_life(situation: Situation) -> int:
    """The walk with the longest survival, if no walk is safe."""
    best, best_life = STOP, -1
    for move in WALKS:
        cell = situation.target(move)
        if cell < 0:
            continue
        start = 1 << cell & ~situation.timeline.burning[0]
        layers = arrivals(situation.size, situation.timeline, start, 1)
        life = sum(map(bool, layers[:-1]))
        if life > best_life:
            best, best_life = move, life
    return best
