"""One step of Pommerman as the reference engine plays it: slow, literal, and on its own.

A second reading of how the reference engine was seen to play, kept free of our code on purpose: it
works on positions as JSON objects, draws on one shared board as the engine does, and numbers its
parts as the order of a step goes. The readable rules are held to it, with the engine's readings
(capped pockets, and power-ups that stop bombs) and with those of the written rules.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

GROUND, RIGID, WOOD, BOMB, FLAME = 0, 1, 2, 3, 4
POWER_UPS = (6, 7, 8)
STEPS = {1: (-1, 0), 2: (1, 0), 3: (0, -1), 4: (0, 1)}
LAY = 5
BOMB_LIFE, FLAME_LIFE = 10, 2

AGENT_KEYS = {name: name for name in ("alive", "ammo", "can_kick")} | {"blast_strength": "strength"}
BOMB_KEYS = {"life": "life", "blast_strength": "strength", "bomber": "owner", "dir": "direction"}
"""The fields of agents and bombs by their keys in a position."""

Cell = tuple[int, int]
Row = dict[str, Any]


@dataclass(eq=False)
class Agent:
    """An agent, and the cell that it wishes to be on."""

    seat: int
    cell: Cell
    alive: bool
    ammo: int
    strength: int
    can_kick: bool
    wish: Cell = (-1, -1)


@dataclass(eq=False)
class Bomb:
    """A bomb, the cell that it wishes to be on, and who kicked it in this step."""

    cell: Cell
    life: int
    strength: int
    owner: int
    direction: int
    wish: Cell = (-1, -1)
    kicker: Agent | None = None


@dataclass
class Flame:
    """A flame; several may burn on one cell."""

    cell: Cell
    life: int


@dataclass
class Engine:
    """A position in the middle of a step.

    Args:
        before: The position, as a JSON object.
        ammo_cap: The most bombs that an agent can have.
        strength_cap: The greatest blast strength that a power-up gives.
        items_block: Whether power-ups stop bombs.
    """

    before: Row
    ammo_cap: int
    strength_cap: int
    items_block: bool
    board: list[list[int]] = field(init=False)
    agents_at: dict[Cell, int] = field(init=False, default_factory=dict)
    bombs_at: dict[Cell, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.board = copy.deepcopy(self.before["board"])
        self.agents = [
            Agent(one["id"], tuple(one["pos"]), **fields(AGENT_KEYS, one))
            for one in self.before["agents"]
        ]
        self.bombs = [
            Bomb(tuple(one["pos"]), **fields(BOMB_KEYS, one)) for one in self.before["bombs"]
        ]
        self.flames = [Flame(tuple(flame["pos"]), flame["life"]) for flame in self.before["flames"]]
        self.hidden = {tuple(pos): kind for pos, kind in self.before["items"]}
        self.count = self.before["step"]

    # -- the drawn board -------------------------------------------------------------------

    def on_board(self, cell: Cell) -> bool:
        return 0 <= cell[0] < len(self.board) and 0 <= cell[1] < len(self.board)

    def drawn(self, cell: Cell) -> int:
        return self.board[cell[0]][cell[1]]

    def draw(self, cell: Cell, value: int) -> None:
        self.board[cell[0]][cell[1]] = value

    def living(self) -> list[Agent]:
        return [agent for agent in self.agents if agent.alive]

    def stops_a_bomb(self, cell: Cell) -> bool:
        stops = (RIGID, WOOD, *POWER_UPS) if self.items_block else (RIGID, WOOD)
        return not self.on_board(cell) or self.drawn(cell) in stops

    # -- the parts of a step ---------------------------------------------------------------

    def age_flames(self) -> None:
        staying = []
        for flame in self.flames:
            if flame.life == 0:
                self.draw(flame.cell, self.hidden.pop(flame.cell, GROUND))
            else:
                flame.life -= 1
                staying.append(flame)
        self.flames = staying
        for flame in self.flames:
            self.draw(flame.cell, FLAME)

    def agents_wish(self, actions: list[int]) -> None:
        for agent in self.living():
            self.draw(agent.cell, GROUND)
            agent.wish = agent.cell
            action = actions[agent.seat]
            if action in STEPS:
                target = beside(agent.cell, action)
                if self.on_board(target) and self.drawn(target) not in (RIGID, WOOD):
                    agent.wish = target
            elif action == LAY:
                is_free = all(bomb.cell != agent.cell for bomb in self.bombs)
                if is_free and agent.ammo > 0:
                    agent.ammo -= 1
                    self.bombs.append(Bomb(agent.cell, BOMB_LIFE, agent.strength, agent.seat, 0))

    def bombs_wish(self) -> None:
        for bomb in self.bombs:
            self.draw(bomb.cell, self.hidden.pop(bomb.cell, GROUND))
        for bomb in self.bombs:
            bomb.wish = bomb.cell
            if bomb.direction:
                target = beside(bomb.cell, bomb.direction)
                if not self.stops_a_bomb(target):
                    bomb.wish = target

    def undo_swaps(self) -> None:
        agents = {agent.seat: (agent.cell, agent.wish) for agent in self.living()}
        bombs = [(bomb.cell, bomb.wish) for bomb in self.bombs]
        for agent in self.living():
            there, back = agents[agent.seat]
            if there != back and (back, there) in agents.values():
                agent.wish = agent.cell
        for bomb, (there, back) in zip(self.bombs, bombs, strict=True):
            if there != back and ((back, there) in bombs or (back, there) in agents.values()):
                bomb.wish = bomb.cell

    def count_claims(self) -> None:
        self.agents_at = {}
        self.bombs_at = {}
        for agent in self.living():
            self.claim(agent)
        for bomb in self.bombs:
            self.claim(bomb)

    def claim(self, one: Agent | Bomb) -> None:
        counts = self.agents_at if isinstance(one, Agent) else self.bombs_at
        counts[one.wish] = counts.get(one.wish, 0) + 1

    def send_back(self, one: Agent | Bomb) -> None:
        one.wish = one.cell
        self.claim(one)

    def thin_crowds(self) -> None:
        changed = True
        while changed:
            changed = False
            movers: list[Agent | Bomb] = [*self.living(), *self.bombs]
            for one in movers:
                crowd = max(self.agents_at.get(one.wish, 0), self.bombs_at.get(one.wish, 0))
                if one.wish != one.cell and crowd > 1:
                    self.send_back(one)
                    changed = True

    def make_contact(self, actions: list[int]) -> None:
        agents_back: list[Agent] = []
        bombs_back: list[Bomb] = []
        kicked: list[tuple[Bomb, Agent, Cell]] = []
        for bomb in self.bombs:
            agent = next((one for one in self.living() if one.wish == bomb.wish), None)
            if agent is None:
                continue
            if agent.wish == agent.cell:
                if bomb.wish != bomb.cell:
                    bombs_back.append(bomb)
                continue
            target = beside(agent.wish, actions[agent.seat])
            taken = self.agents_at.get(target, 0) + self.bombs_at.get(target, 0)
            if agent.can_kick and not self.stops_a_bomb(target) and not taken:
                kicked.append((bomb, agent, target))
            else:
                agents_back.append(agent)
                bombs_back.append(bomb)
        for bomb, agent, target in kicked:
            self.bombs_at[bomb.wish] = 0
            bomb.direction, bomb.kicker, bomb.wish = actions[agent.seat], agent, target
        sent: list[Agent | Bomb] = [*agents_back, *bombs_back]
        for one in sent:
            self.send_back(one)
        for bomb, _, _ in kicked:
            self.claim(bomb)

    def stop_late_movers(self) -> None:
        changed = True
        while changed:
            changed = False
            for agent in self.living():
                if agent.wish == agent.cell:
                    continue
                if self.agents_at.get(agent.wish, 0) > 1 or self.bombs_at.get(agent.wish, 0) != 0:
                    self.send_back(agent)
                    for bomb in self.bombs:
                        if bomb.kicker is agent:
                            bomb.kicker = None
                            self.send_back(bomb)
                    changed = True
            for bomb in self.bombs:
                if bomb.wish == bomb.cell and bomb.kicker is None:
                    continue
                if self.bombs_at.get(bomb.wish, 0) > 1 or self.agents_at.get(bomb.wish, 0) != 0:
                    kicker, bomb.kicker = bomb.kicker, None
                    self.send_back(bomb)
                    if kicker is not None:
                        self.send_back(kicker)
                    changed = True

    def carry_out(self) -> None:
        for bomb in self.bombs:
            if bomb.wish == bomb.cell and bomb.kicker is None:
                bomb.direction = 0
            bomb.cell = bomb.wish
        for agent in self.living():
            if agent.wish == agent.cell:
                continue
            agent.cell = agent.wish
            found = self.drawn(agent.cell)
            if found == 6:
                agent.ammo = min(agent.ammo + 1, self.ammo_cap)
            elif found == 7:
                # Who starts above the cap stays there: nothing says otherwise.
                agent.strength = min(agent.strength + 1, max(agent.strength, self.strength_cap))
            elif found == 8:
                agent.can_kick = True
            if found in POWER_UPS:
                self.draw(agent.cell, GROUND)

    def burn_fuses(self) -> list[Bomb]:
        for bomb in self.bombs:
            bomb.life -= 1
        return [bomb for bomb in self.bombs if bomb.life == 0 or self.drawn(bomb.cell) == FLAME]

    def explode(self, wave: list[Bomb]) -> set[Cell]:
        hit: set[Cell] = set()
        while wave:
            self.bombs = [bomb for bomb in self.bombs if bomb not in wave]
            for bomb in wave:
                self.return_ammo(bomb)
                hit |= self.blast(bomb)
            wave = [bomb for bomb in self.bombs if bomb.cell in hit]
        return hit

    def return_ammo(self, bomb: Bomb) -> None:
        owner = self.agents[bomb.owner]
        owner.ammo = min(owner.ammo + 1, self.ammo_cap)

    def blast(self, bomb: Bomb) -> set[Cell]:
        hit = {bomb.cell}
        for direction in STEPS:
            cell = bomb.cell
            for _ in range(bomb.strength - 1):
                cell = beside(cell, direction)
                if not self.on_board(cell) or self.drawn(cell) == RIGID:
                    break
                hit.add(cell)
                if self.drawn(cell) == WOOD:
                    break
        return hit

    def draw_all(self, hit: set[Cell]) -> None:
        for bomb in self.bombs:
            if self.drawn(bomb.cell) in POWER_UPS:
                self.hidden[bomb.cell] = self.drawn(bomb.cell)
            self.draw(bomb.cell, BOMB)
        self.flames += [Flame(cell, FLAME_LIFE) for cell in hit]
        for flame in self.flames:
            self.draw(flame.cell, FLAME)
        for agent in self.living():
            if self.drawn(agent.cell) == FLAME:
                agent.alive = False
            else:
                self.draw(agent.cell, 10 + agent.seat)

    def collapse(self, ring: int) -> None:
        last = len(self.board) - 1
        fallen = {
            (row, column)
            for row in range(last + 1)
            for column in range(last + 1)
            if min(row, column, last - row, last - column) == ring
        }
        for cell in fallen:
            self.draw(cell, RIGID)
            self.hidden.pop(cell, None)
        for agent in self.living():
            agent.alive = agent.cell not in fallen
        for bomb in self.bombs:
            if bomb.cell in fallen:
                self.return_ammo(bomb)
        self.bombs = [bomb for bomb in self.bombs if bomb.cell not in fallen]
        self.flames = [flame for flame in self.flames if flame.cell not in fallen]

    def position(self) -> Row:
        return {
            "board": self.board,
            "agents": [
                {"id": one.seat, "pos": list(one.cell), **values(AGENT_KEYS, one)}
                for one in self.agents
            ],
            "bombs": [
                {"pos": list(one.cell), **values(BOMB_KEYS, one)}
                for one in sorted(self.bombs, key=lambda bomb: bomb.cell)
            ],
            "flames": [
                {"pos": list(flame.cell), "life": flame.life}
                for flame in sorted(self.flames, key=lambda flame: (flame.cell, flame.life))
            ],
            "items": [[list(cell), kind] for cell, kind in sorted(self.hidden.items())],
            "step": self.count,
        }


def fields(keys: dict[str, str], one: Row) -> Row:
    return {name: one[key] for key, name in keys.items()}


def values(keys: dict[str, str], one: Agent | Bomb) -> Row:
    return {key: getattr(one, name) for key, name in keys.items()}


def beside(cell: Cell, direction: int) -> Cell:
    down, right = STEPS[direction]
    return cell[0] + down, cell[1] + right


def reference_step(
    before: Row, actions: list[int], collapses: tuple[int, ...] = (), **readings: Any
) -> tuple[Row, list[bool]]:
    """Play one step.

    Args:
        before: The position.
        actions: What each seat does; of no meaning for the dead.
        collapses: The steps after which a ring falls.
        **readings: Those of `Engine`.

    Returns:
        The position after the step, and who was alive before the collapse: that is what the end of
        the game and the rewards of this step go by.
    """
    engine = Engine(before, **readings)
    engine.age_flames()
    engine.agents_wish(actions)
    engine.bombs_wish()
    engine.undo_swaps()
    engine.count_claims()
    engine.thin_crowds()
    engine.make_contact(actions)
    engine.stop_late_movers()
    engine.carry_out()
    engine.draw_all(engine.explode(engine.burn_fuses()))
    engine.count += 1
    alive = [agent.alive for agent in engine.agents]
    if engine.count in collapses:
        engine.collapse(collapses.index(engine.count))
    return engine.position(), alive
