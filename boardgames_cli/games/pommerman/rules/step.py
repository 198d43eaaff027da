"""One step of Pommerman: movement, explosions, the collapse, and the end of a game.

Movement (wishes, swaps, crowding, kicks, late collisions) has the order of the original engine, as
described in RULES.md. Its result does not depend on the order of seats or bombs: counts only grow,
so that every iteration has a unique fixed point.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from boardgames_cli.games.pommerman.board import (
    BOMB,
    BOMB_LIFE,
    EXTRA_BOMB,
    EXTRA_RANGE,
    POWERS,
    STOP,
    Grid,
    Mask,
    ThreeMasks,
    grid_of,
    within,
)
from boardgames_cli.games.pommerman.state import SILENCE, Bomb, Bomber, PommermanState, Words


def wish(grid: Grid, solid: Mask, cell: int, move: int) -> int:
    """The cell that an agent wants to be on after its move."""
    target = grid.steps[move][cell]
    return cell if target < 0 or solid >> target & 1 else target


def settle(
    grid: Grid,
    solid: Mask,
    stops: Mask,
    agents: Sequence[Bomber],
    bombs: Sequence[Bomb],
    moves: Sequence[int],
) -> tuple[list[int], list[Bomb]]:
    """Where agents and bombs end up.

    Args:
        grid: The board's geometry.
        solid: Rigid and wooden walls, which are impassable.
        stops: The cells onto which a bomb can't roll: walls, and power-ups with the option
            ``items_block``.
        agents: All agents, by seat.
        bombs: All bombs, including those just laid.
        moves: The move of every seat; ignored for dead agents.

    Returns:
        The cell of every agent, and the moved bombs with their directions.
    """
    wishes = [
        wish(grid, solid, agent.cell, move) if agent.alive else -1
        for agent, move in zip(agents, moves, strict=True)
    ]
    if _is_plain(agents, bombs, wishes):
        cells = [
            target if agent.alive else agent.cell
            for agent, target in zip(agents, wishes, strict=True)
        ]
        return cells, list(bombs)
    return _Conflicts(grid, stops, agents, bombs, moves, wishes).resolve()


def _is_plain(agents: Sequence[Bomber], bombs: Sequence[Bomb], wishes: Sequence[int]) -> bool:
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


@dataclass
class _Conflicts:
    grid: Grid
    stops: Mask
    agents: Sequence[Bomber]
    bombs: Sequence[Bomb]
    moves: Sequence[int]
    wishes: list[int]

    def __post_init__(self) -> None:
        self._alive = [seat for seat, agent in enumerate(self.agents) if agent.alive]
        self._rolls = [self._roll(bomb) for bomb in self.bombs]
        # The numbers of agents and bombs that claim a cell. As in the original, claims are never
        # withdrawn.
        self._agent_claims = [0] * self.grid.cells
        self._bomb_claims = [0] * self.grid.cells
        self._kicker: dict[int, int] = {}
        """The seat that kicks a bomb, by the index of the bomb."""

    def resolve(self) -> tuple[list[int], list[Bomb]]:
        self._undo_swaps()
        for seat in self._alive:
            self._agent_claims[self.wishes[seat]] += 1
        for target in self._rolls:
            self._bomb_claims[target] += 1
        while self._thin_crowds():
            pass
        self._make_contact()
        while self._stop_late_movers():
            pass
        cells = [
            self.wishes[seat] if agent.alive else agent.cell
            for seat, agent in enumerate(self.agents)
        ]
        return cells, [self._moved(number) for number in range(len(self.bombs))]

    def _roll(self, bomb: Bomb) -> int:
        target = self.grid.steps[bomb.direction][bomb.cell]
        return bomb.cell if target < 0 or self.stops >> target & 1 else target

    def _undo_swaps(self) -> None:
        agent_path = {
            (self.agents[seat].cell, self.wishes[seat])
            for seat in self._alive
            if self.wishes[seat] != self.agents[seat].cell
        }
        bomb_path = {
            (bomb.cell, target)
            for bomb, target in zip(self.bombs, self._rolls, strict=True)
            if target != bomb.cell
        }
        for seat in self._alive:
            if (self.wishes[seat], self.agents[seat].cell) in agent_path:
                self.wishes[seat] = self.agents[seat].cell
        # The agents' first wishes count: even an agent that was just sent back stops a bomb.
        for number, bomb in enumerate(self.bombs):
            back = (self._rolls[number], bomb.cell)
            if back in bomb_path or back in agent_path:
                self._rolls[number] = bomb.cell

    def _send_agent_back(self, seat: int) -> None:
        self.wishes[seat] = self.agents[seat].cell
        self._agent_claims[self.agents[seat].cell] += 1

    def _send_bomb_back(self, number: int) -> None:
        self._rolls[number] = self.bombs[number].cell
        self._bomb_claims[self.bombs[number].cell] += 1

    def _is_leaving(self, seat: int) -> bool:
        return self.wishes[seat] != self.agents[seat].cell

    def _is_crowded(self, cell: int) -> bool:
        return self._agent_claims[cell] > 1 or self._bomb_claims[cell] > 1

    def _thin_crowds(self) -> bool:
        changed = False
        for seat in self._alive:
            if self._is_leaving(seat) and self._is_crowded(self.wishes[seat]):
                self._send_agent_back(seat)
                changed = True
        for number, bomb in enumerate(self.bombs):
            if self._rolls[number] != bomb.cell and self._is_crowded(self._rolls[number]):
                self._send_bomb_back(number)
                changed = True
        return changed

    def _make_contact(self) -> None:
        who = {self.wishes[seat]: seat for seat in self._alive}
        agents_back, bombs_back, kicks = [], [], []
        for number, bomb in enumerate(self.bombs):
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
        if not self.agents[seat].kicks:
            return -1
        target = self.grid.steps[self.moves[seat]][cell]
        if target < 0 or self.stops >> target & 1:
            return -1
        return -1 if self._agent_claims[target] or self._bomb_claims[target] else target

    def _stop_late_movers(self) -> bool:
        changed = False
        for seat in self._alive:
            target = self.wishes[seat]
            if self._is_leaving(seat) and (
                self._agent_claims[target] > 1 or self._bomb_claims[target]
            ):
                self._send_agent_back(seat)
                for number in [bomb for bomb, by in self._kicker.items() if by == seat]:
                    del self._kicker[number]
                    self._send_bomb_back(number)
                changed = True
        for number, bomb in enumerate(self.bombs):
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
        cell, life, strength, owner, direction = self.bombs[number]
        target = self._rolls[number]
        if number in self._kicker:
            direction = self.moves[self._kicker[number]]
        elif target == cell:
            # A bomb that is sent back stops, whatever was in the way.
            direction = STOP
        return Bomb(target, life, strength, owner, direction)


def lay(agents: list[Bomber], bombs: Sequence[Bomb], moves: Sequence[int], life: int) -> list[Bomb]:
    """The bombs including those laid in this step; reduces the agents' ammo, in place."""
    after = list(bombs)
    for seat, move in enumerate(moves):
        if move != BOMB:
            continue
        cell, alive, ammo, strength, kicks = agents[seat]
        if alive and ammo > 0 and all(bomb.cell != cell for bomb in bombs):
            agents[seat] = Bomber(cell, alive, ammo - 1, strength, kicks)
            after.append(Bomb(cell, life, strength, seat, STOP))
    return after


def blast(grid: Grid, rigid: Mask, wood: Mask, cell: int, strength: int) -> Mask:
    """The cells that a bomb hits: its own and, in each direction, the next strength - 1.

    A ray ends before the edge or a rigid wall and with the first wood. Agents, bombs, flames and
    power-ups do not stop it.
    """
    mask = 1 << cell
    reach = strength - 1
    for ray in grid.rays[cell]:
        for other in ray[:reach]:
            bit = 1 << other
            if rigid & bit:
                break
            mask |= bit
            if wood & bit:
                break
    return mask


@functools.lru_cache(maxsize=20_000)
def cached_blast(size: int, rigid: Mask, wood: Mask, cell: int, strength: int) -> Mask:
    """`blast`, cached: forecasts explode the same bombs again and again."""
    return blast(grid_of(size), rigid, wood, cell, strength)


def explode(
    grid: Grid, rigid: Mask, wood: Mask, bombs: Iterable[Bomb], going: list[Bomb]
) -> tuple[Mask, list[Bomb], list[int]]:
    """The cells hit by bombs that go off, the remaining bombs, and the owner of every exploded one.

    They explode in waves. Wood remains until all are computed: it shields what is behind it from
    all bombs of the step.
    """
    rest = list(bombs)
    hit = 0
    owners: list[int] = []
    while going:
        for bomb in going:
            hit |= cached_blast(grid.size, rigid, wood, bomb.cell, bomb.strength)
            owners.append(bomb.owner)
        going = [bomb for bomb in rest if hit >> bomb.cell & 1]
        rest = [bomb for bomb in rest if not hit >> bomb.cell & 1]
    return hit, rest, owners


@dataclass(frozen=True, slots=True)
class StepRules:
    """The options needed by a step."""

    grid: Grid
    ammo_cap: int
    strength_cap: int
    items_block: bool


def play_step(
    step_rules: StepRules, state: PommermanState, moves: Sequence[int], words: Sequence[Words] = ()
) -> PommermanState:
    """The state after a step, before a collapse; agents that are dead or die now are silent."""
    flames, powers, hidden = _age(state)
    agents = list(state.agents)
    bombs: Sequence[Bomb] = lay(agents, state.bombs, moves, BOMB_LIFE)
    walls = state.rigid | state.wood
    stops = walls | powers[0] | powers[1] | powers[2] if step_rules.items_block else walls
    cells, bombs = settle(step_rules.grid, walls, stops, agents, bombs, moves)
    powers = _walk(step_rules, agents, cells, powers)
    burning = flames[0] | flames[1]
    bombs = [
        Bomb(cell, life - 1, strength, owner, direction)
        for cell, life, strength, owner, direction in bombs
    ]
    going = [bomb for bomb in bombs if bomb.life <= 0 or burning >> bomb.cell & 1]
    wood = state.wood
    if going:
        rest = [bomb for bomb in bombs if bomb.life > 0 and not burning >> bomb.cell & 1]
        hit, bombs, owners = explode(step_rules.grid, state.rigid, wood, rest, going)
        _return_ammo(step_rules.ammo_cap, agents, owners)
        wood &= ~hit
        powers = within(powers, ~hit)
        flames = (flames[0], flames[1], hit)
        burning |= hit
    for seat, (cell, alive, ammo, strength, kicks) in enumerate(agents):
        if alive and burning >> cell & 1:
            agents[seat] = Bomber(cell, False, ammo, strength, kicks)
    bombs.sort()
    return PommermanState(
        state.rigid,
        wood,
        powers,
        hidden,
        flames,
        tuple(bombs),
        tuple(agents),
        state.step + 1,
        tuple(said if agent.alive else SILENCE for said, agent in zip(words, agents, strict=False)),
        reruns=state.reruns,
    )


def _age(state: PommermanState) -> tuple[ThreeMasks, ThreeMasks, ThreeMasks]:
    # A power-up revealed under a younger flame burns.
    ending, low, middle = state.flames
    if not ending:
        return (low, middle, 0), state.powers, state.hidden
    shown = ending & ~(low | middle)
    first, second, third = state.hidden
    powers = state.powers
    opened = (
        powers[0] | first & shown,
        powers[1] | second & shown,
        powers[2] | third & shown,
    )
    return (low, middle, 0), opened, within(state.hidden, ~ending)


def _walk(
    step_rules: StepRules, agents: list[Bomber], cells: Sequence[int], powers: ThreeMasks
) -> ThreeMasks:
    lying = powers[0] | powers[1] | powers[2]
    for seat, target in enumerate(cells):
        cell, alive, ammo, strength, kicks = agents[seat]
        if target == cell:
            continue
        bit = 1 << target
        if lying & bit:
            kind = next(kind for kind, mask in zip(POWERS, powers, strict=True) if mask & bit)
            if kind == EXTRA_BOMB:
                ammo = _raised(ammo, step_rules.ammo_cap)
            elif kind == EXTRA_RANGE:
                strength = _raised(strength, step_rules.strength_cap)
            else:
                kicks = True
            powers = within(powers, ~bit)
        agents[seat] = Bomber(target, alive, ammo, strength, kicks)
    return powers


def _return_ammo(cap: int, agents: list[Bomber], owners: Sequence[int]) -> None:
    for seat in owners:
        cell, alive, ammo, strength, kicks = agents[seat]
        agents[seat] = Bomber(cell, alive, _raised(ammo, cap), strength, kicks)


def _raised(value: int, cap: int) -> int:
    return value + 1 if value < cap else value


_STRIDES = 4


@functools.cache
def schedule(first: int, steps: int) -> tuple[int, ...]:
    """The steps after which a ring collapses, the outermost first.

    From ``first`` up to ``steps``, exclusive, at intervals of a quarter of the difference; four
    rings if the difference is a multiple of 4, otherwise more.
    """
    stride = max(1, (steps - first) // _STRIDES)
    return tuple(range(first, steps, stride))


@functools.cache
def fallen_rings(size: int, rings: int) -> Mask:
    """The cells of the outermost rings."""
    grid = grid_of(size)
    mask = 0
    for depth in range(rings):
        mask |= grid.ring(depth)
    return mask


def collapse(size: int, state: PommermanState, depth: int, ammo_cap: int) -> PommermanState:
    """The state after the ring at a depth has become rigid.

    Agents there die, but count as alive for the outcome of this step; bombs vanish without
    exploding and return to their owners; flames and power-ups vanish.
    """
    ring = grid_of(size).ring(depth)
    keep = ~ring
    agents = list(state.agents)
    _return_ammo(ammo_cap, agents, [bomb.owner for bomb in state.bombs if ring >> bomb.cell & 1])
    fallen = tuple(
        seat for seat, agent in enumerate(agents) if agent.alive and ring >> agent.cell & 1
    )
    for seat in fallen:
        agents[seat] = agents[seat]._replace(alive=False)
    return state._replace(
        rigid=state.rigid | ring,
        wood=state.wood & keep,
        powers=within(state.powers, keep),
        hidden=within(state.hidden, keep),
        flames=within(state.flames, keep),
        bombs=tuple(bomb for bomb in state.bombs if not ring >> bomb.cell & 1),
        agents=tuple(agents),
        fallen=fallen,
    )


Returns = tuple[float, ...]

COLLAPSE_AFTER: Final = 2
"""The number of ties after which the board collapses."""
MOST_RERUNS: Final = 99
"""The maximum number of reruns, so that a match has an end: the hundredth tie is final."""


def final_returns(state: PommermanState, *, teams: bool, steps: int) -> Returns | None:
    """The final returns; None while the game is running.

    Agents just killed by the collapse still count as alive. But if nobody is left to act in a game
    that would continue, it is over at once, with the outcome of the next step.
    """
    final_of = _team_returns if teams else _solo_returns
    final = final_of(_counted_alive(state), state.step >= steps)
    if final is None and state.fallen:
        alive = tuple(agent.alive for agent in state.agents)
        if not any(alive):
            return final_of(alive, False)
    return final


def running_returns(state: PommermanState, *, teams: bool) -> Returns:
    """The returns of a running game: in free for all the dead have already lost."""
    alive = _counted_alive(state)
    if teams or len(alive) == 2:
        return (0.0,) * len(alive)
    return tuple([0.0 if is_alive else -1.0 for is_alive in alive])


def _counted_alive(state: PommermanState) -> tuple[bool, ...]:
    alive = [agent.alive for agent in state.agents]
    for seat in state.fallen:
        alive[seat] = True
    return tuple(alive)


def _team_returns(alive: tuple[bool, ...], is_last: bool) -> Returns | None:
    sides = (alive[0] or alive[2], alive[1] or alive[3])
    if all(sides) and not is_last:
        return None
    if sides[0] == sides[1]:
        return (-1.0,) * 4
    return tuple(1.0 if sides[seat % 2] else -1.0 for seat in range(4))


def _solo_returns(alive: tuple[bool, ...], is_last: bool) -> Returns | None:
    living = sum(alive)
    if living == 1:
        return tuple(1.0 if is_alive else -1.0 for is_alive in alive)
    if is_last:
        return (-1.0,) * len(alive)
    if living:
        return None
    # In a tie all lose, except that a duel in which both die at once is worth 0.
    return (-1.0,) * 4 if len(alive) == 4 else (0.0, 0.0)
