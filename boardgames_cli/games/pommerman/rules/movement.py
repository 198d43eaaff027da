"""Movement of agents and bombs: wishes, swaps, crowding, kicks, late collisions.

The order is that of the original engine, as described in RULES.md. The result does not depend on
the order of seats or bombs: counts only grow, so that every iteration has a unique fixed point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boardgames_cli.games.pommerman.board import BOMB, STOP, Grid, Mask
from boardgames_cli.games.pommerman.state import Bomb, Bomber


@dataclass(frozen=True, slots=True)
class Walls:
    """The obstacles on the board, as masks."""

    solid: Mask
    """Rigid and wooden walls, which are impassable."""
    bomb_stops: Mask
    """Cells onto which a bomb can't roll: walls, and power-ups with the option ``items_block``."""


def wish(grid: Grid, solid: Mask, cell: int, move: int) -> int:
    """The cell that an agent wants to be on after its move."""
    target = grid.steps[move][cell]
    return cell if target < 0 or solid >> target & 1 else target


def settle(
    grid: Grid,
    walls: Walls,
    agents: Sequence[Bomber],
    bombs: Sequence[Bomb],
    moves: Sequence[int],
) -> tuple[list[int], list[Bomb]]:
    """Where agents and bombs end up.

    Args:
        grid: The board's geometry.
        walls: The obstacles.
        agents: All agents, by seat.
        bombs: All bombs, including those just laid.
        moves: The move of every seat; ignored for dead agents.

    Returns:
        The cell of every agent, and the moved bombs with their directions.
    """
    wishes = [
        wish(grid, walls.solid, agent.cell, move) if agent.alive else -1
        for agent, move in zip(agents, moves, strict=True)
    ]
    if _is_plain(agents, bombs, wishes):
        cells = [
            target if agent.alive else agent.cell
            for agent, target in zip(agents, wishes, strict=True)
        ]
        return cells, list(bombs)
    return _Conflicts(grid, walls, agents, bombs, moves, wishes).resolve()


def _is_plain(agents: Sequence[Bomber], bombs: Sequence[Bomb], wishes: Sequence[int]) -> bool:
    """Whether all wishes can be granted: nothing rolls, nobody meets."""
    lying = 0
    for bomb in bombs:
        if bomb.direction:
            return False
        lying |= 1 << bomb.cell
    taken = 0
    moving = []
    for agent, target in zip(agents, wishes, strict=True):
        if not agent.alive:
            continue
        bit = 1 << target
        if taken & bit:
            return False
        taken |= bit
        if target != agent.cell:
            if lying & bit:
                return False
            moving.append((agent.cell, target))
    if len(moving) < 2:
        return True
    return not any((target, cell) in moving for cell, target in moving)


class _Conflicts:
    """A step in which agents or bombs meet."""

    def __init__(
        self,
        grid: Grid,
        walls: Walls,
        agents: Sequence[Bomber],
        bombs: Sequence[Bomb],
        moves: Sequence[int],
        wishes: list[int],
    ) -> None:
        self._grid = grid
        self._walls = walls
        self._agents = agents
        self._bombs = bombs
        self._moves = moves
        self._alive = [seat for seat, agent in enumerate(agents) if agent.alive]
        self._wishes = wishes
        self._rolls = [self._roll(bomb) for bomb in bombs]
        # The numbers of agents and bombs that claim a cell. As in the original, claims are never
        # withdrawn.
        self._agent_claims = [0] * grid.cells
        self._bomb_claims = [0] * grid.cells
        self._kicker: dict[int, int] = {}
        """The seat that kicks a bomb, by the index of the bomb."""

    def resolve(self) -> tuple[list[int], list[Bomb]]:
        self._undo_swaps()
        for seat in self._alive:
            self._agent_claims[self._wishes[seat]] += 1
        for target in self._rolls:
            self._bomb_claims[target] += 1
        while self._thin_crowds():
            pass
        self._make_contact()
        while self._stop_late_movers():
            pass
        cells = [
            self._wishes[seat] if agent.alive else agent.cell
            for seat, agent in enumerate(self._agents)
        ]
        return cells, [self._moved(number) for number in range(len(self._bombs))]

    def _roll(self, bomb: Bomb) -> int:
        target = self._grid.steps[bomb.direction][bomb.cell]
        return bomb.cell if target < 0 or self._walls.bomb_stops >> target & 1 else target

    def _undo_swaps(self) -> None:
        agent_path = {
            (self._agents[seat].cell, self._wishes[seat])
            for seat in self._alive
            if self._wishes[seat] != self._agents[seat].cell
        }
        bomb_path = {
            (bomb.cell, target)
            for bomb, target in zip(self._bombs, self._rolls, strict=True)
            if target != bomb.cell
        }
        for seat in self._alive:
            if (self._wishes[seat], self._agents[seat].cell) in agent_path:
                self._wishes[seat] = self._agents[seat].cell
        # The agents' first wishes count: even an agent that was just sent back stops a bomb.
        for number, bomb in enumerate(self._bombs):
            back = (self._rolls[number], bomb.cell)
            if back in bomb_path or back in agent_path:
                self._rolls[number] = bomb.cell

    def _send_agent_back(self, seat: int) -> None:
        self._wishes[seat] = self._agents[seat].cell
        self._agent_claims[self._agents[seat].cell] += 1

    def _send_bomb_back(self, number: int) -> None:
        self._rolls[number] = self._bombs[number].cell
        self._bomb_claims[self._bombs[number].cell] += 1

    def _is_leaving(self, seat: int) -> bool:
        return self._wishes[seat] != self._agents[seat].cell

    def _is_crowded(self, cell: int) -> bool:
        return self._agent_claims[cell] > 1 or self._bomb_claims[cell] > 1

    def _thin_crowds(self) -> bool:
        """Send back agents and bombs that want a crowded cell; whether there were any."""
        changed = False
        for seat in self._alive:
            if self._is_leaving(seat) and self._is_crowded(self._wishes[seat]):
                self._send_agent_back(seat)
                changed = True
        for number, bomb in enumerate(self._bombs):
            if self._rolls[number] != bomb.cell and self._is_crowded(self._rolls[number]):
                self._send_bomb_back(number)
                changed = True
        return changed

    def _make_contact(self) -> None:
        """Let agents kick or hit bombs; all results are decided before any takes effect."""
        who = {self._wishes[seat]: seat for seat in self._alive}
        agents_back, bombs_back, kicks = [], [], []
        for number, bomb in enumerate(self._bombs):
            seat = who.get(self._rolls[number])
            if seat is None:
                continue
            if not self._is_leaving(seat):
                if self._rolls[number] != bomb.cell:
                    bombs_back.append(number)
                continue
            target = self._kick_target(seat, self._rolls[number])
            if target < 0:
                agents_back.append(seat)
                bombs_back.append(number)
            else:
                kicks.append((number, seat, target))
        # Cells are cleared before anybody is sent back: a bomb that comes back to a cell from which
        # another is kicked has its claim there.
        for number, seat, target in kicks:
            self._bomb_claims[self._rolls[number]] = 0
            self._rolls[number] = target
            self._kicker[number] = seat
        for seat in agents_back:
            self._send_agent_back(seat)
        for number in bombs_back:
            self._send_bomb_back(number)
        for _, _, target in kicks:
            self._bomb_claims[target] += 1

    def _kick_target(self, seat: int, cell: int) -> int:
        """The cell to which a bomb wanted at ``cell`` is kicked, or -1 if it can't be."""
        if not self._agents[seat].kicks:
            return -1
        target = self._grid.steps[self._moves[seat]][cell]
        if target < 0 or self._walls.bomb_stops >> target & 1:
            return -1
        return -1 if self._agent_claims[target] or self._bomb_claims[target] else target

    def _stop_late_movers(self) -> bool:
        changed = False
        for seat in self._alive:
            target = self._wishes[seat]
            if self._is_leaving(seat) and (
                self._agent_claims[target] > 1 or self._bomb_claims[target]
            ):
                self._send_agent_back(seat)
                for number in [bomb for bomb, by in self._kicker.items() if by == seat]:
                    del self._kicker[number]
                    self._send_bomb_back(number)
                changed = True
        for number, bomb in enumerate(self._bombs):
            target = self._rolls[number]
            is_moving = target != bomb.cell or number in self._kicker
            if is_moving and (self._bomb_claims[target] > 1 or self._agent_claims[target]):
                self._send_bomb_back(number)
                kicker = self._kicker.pop(number, None)
                if kicker is not None:
                    self._send_agent_back(kicker)
                changed = True
        return changed

    def _moved(self, number: int) -> Bomb:
        cell, life, strength, owner, direction = self._bombs[number]
        target = self._rolls[number]
        if number in self._kicker:
            direction = self._moves[self._kicker[number]]
        elif target == cell:
            # A bomb that is sent back stops, whatever was in the way.
            direction = STOP
        return Bomb(target, life, strength, owner, direction)


def lay(agents: list[Bomber], bombs: Sequence[Bomb], moves: Sequence[int], life: int) -> list[Bomb]:
    """The bombs including those laid in this step; reduces the agents' ammo.

    Args:
        agents: All agents; modified in place.
        bombs: The bombs on the board.
        moves: The move of every seat.
        life: The life of a new bomb.
    """
    after = list(bombs)
    for seat, move in enumerate(moves):
        if move != BOMB:
            continue
        cell, alive, ammo, strength, kicks = agents[seat]
        if alive and ammo > 0 and all(bomb.cell != cell for bomb in bombs):
            agents[seat] = Bomber(cell, alive, ammo - 1, strength, kicks)
            after.append(Bomb(cell, life, strength, seat, STOP))
    return after
