"""Pommerman as a game: modes, joint steps, the collapse, the end.

RULES.md has the rules for people and the readings adopted; `stepping` plays a step.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from boardgames_cli.core.errors import OptionError, UnknownActionError
from boardgames_cli.core.game import CHANCE, Game, GameInfo, Observation, Seat
from boardgames_cli.core.options import option
from boardgames_cli.games.pommerman import GAME, fog, positions, reading
from boardgames_cli.games.pommerman.actions import (
    ORDERS,
    RADIO_ORDERS,
    Layout,
    Order,
    PommermanAction,
    radio_id,
    read_layout,
    read_order,
)
from boardgames_cli.games.pommerman.board import FIRST_AGENT, POWERS, RIGID, STOP, WOOD, grid_of
from boardgames_cli.games.pommerman.collapse import collapse, schedule
from boardgames_cli.games.pommerman.judge import standing, verdict
from boardgames_cli.games.pommerman.layout import Plan, draw_layout, flaw, item_count, plan_of
from boardgames_cli.games.pommerman.state import SILENCE, Bomber, PommermanState
from boardgames_cli.games.pommerman.stepping import Terms, play_step

MODES: Final = ("ffa", "team", "radio", "duel")
_NO_CAP: Final = 1_000_000
_CAP: Final = 10
_CHANCE_ACTS: Final = (CHANCE,)


@dataclass(frozen=True)
class Pommerman(Game[PommermanState, PommermanAction]):
    """The rulebook of Pommerman."""

    info: ClassVar[GameInfo] = GAME.info

    mode: str = option("ffa", "each for itself, teams, teams by radio, or two", choices=MODES)
    collapse: bool = option(False, "the board falls in, ring by ring")
    strength: int = option(3, "blast strength at the start", low=1, high=10)
    items: int = option(50, "wooden walls of a hundred that hide a power-up", low=0, high=100)
    view: int = option(4, "cells seen each way in the fog of the team modes", low=1, high=10)
    steps: int = option(800, "steps until the game is a tie", low=1, high=10_000)
    first_collapse: int = option(500, "the step after which the outermost ring falls", low=1)
    caps: bool = option(False, "ammo and strength are capped at 10, in the fog at the view")
    items_block: bool = option(False, "a power-up in the open stops a rolling bomb")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.collapse and self.first_collapse >= self.steps:
            raise OptionError(
                f"first_collapse can't be {self.first_collapse} in a game of {self.steps} steps.",
                "It must come before the last step.",
            )
        # Looked up once: the rules loop asks for them at every step.
        object.__setattr__(self, "_plan", plan_of(self.seats))
        object.__setattr__(self, "_terms", self._make_terms())

    def _make_terms(self) -> Terms:
        strength_cap = self.view if self.is_foggy else _CAP
        return Terms(
            grid_of(self.plan.size),
            ammo_cap=_CAP if self.caps else _NO_CAP,
            strength_cap=strength_cap if self.caps else _NO_CAP,
            items_block=self.items_block,
        )

    @property
    def seats(self) -> int:
        """Two in a duel, else four."""
        return 2 if self.mode == "duel" else 4

    @property
    def is_team(self) -> bool:
        """Whether seats 0 and 2 play against 1 and 3."""
        return self.mode in ("team", "radio")

    @property
    def is_foggy(self) -> bool:
        """Whether agents see only what is near."""
        return self.is_team

    @property
    def has_radio(self) -> bool:
        """Whether agents say two words in each step."""
        return self.mode == "radio"

    @property
    def plan(self) -> Plan:
        """The kind of board."""
        plan: Plan = self._plan  # type: ignore[attr-defined]  # set in __post_init__
        return plan

    @property
    def terms(self) -> Terms:
        """The options as the step needs them."""
        terms: Terms = self._terms  # type: ignore[attr-defined]  # set in __post_init__
        return terms

    @property
    def item_count(self) -> int:
        """How many wooden walls hide a power-up."""
        return item_count(self.plan, self.items)

    @property
    def collapses(self) -> tuple[int, ...]:
        """The steps after which a ring falls; none without the collapse."""
        return schedule(self.first_collapse, self.steps) if self.collapse else ()

    # -- actions ---------------------------------------------------------------------------

    @property
    def actions(self) -> tuple[PommermanAction, ...]:
        """The six moves; by radio with every pair of words, and in silence."""
        return RADIO_ORDERS if self.has_radio else ORDERS

    def action_id(self, state: PommermanState, action: PommermanAction) -> int:
        """The move, 0 to 5; by radio move + 6 * (8 * (w1 - 1) + (w2 - 1)), silence from 384 on."""
        assert isinstance(action, Order)
        return radio_id(action) if self.has_radio else action.move

    def legal_actions(self, state: PommermanState, seat: Seat) -> Sequence[PommermanAction]:
        """All of them, always: who can't go or has no bomb stays where it is."""
        return self.actions

    def explain_illegal(self, state: PommermanState, seat: Seat, action: PommermanAction) -> str:
        """Why something is no order for this seat."""
        if not 0 <= seat < self.seats:
            return f"there is no seat {seat}"
        if state.agents and not state.agents[seat].alive:
            return "the dead don't act"
        if isinstance(action, Order) and not self.has_radio:
            return f'"{action}" says words, but there is no radio in this mode'
        return f"{action} is not a move of an agent"

    # -- the course of the game ------------------------------------------------------------

    def initial_state(self) -> PommermanState:
        """The empty table; chance lays the board out."""
        return PommermanState()

    def to_act(self, state: PommermanState) -> tuple[Seat, ...]:
        """Chance lays out, then all who live act at once."""
        if not state.agents:
            return _CHANCE_ACTS
        if verdict(state, teams=self.is_team, steps=self.steps) is not None:
            return ()
        return tuple([seat for seat, agent in enumerate(state.agents) if agent.alive])

    def apply(self, state: PommermanState, joint: Mapping[Seat, PommermanAction]) -> PommermanState:
        """The state after the layout, or after one joint step."""
        if not state.agents:
            layout = joint[CHANCE]
            assert isinstance(layout, Layout)
            return self._lay_out(layout)
        moves = [STOP] * self.seats
        words = [SILENCE] * self.seats if self.has_radio else []
        for seat, action in joint.items():
            assert isinstance(action, Order)
            moves[seat] = action.move
            if words:
                words[seat] = action.words
        after = play_step(self.terms, state, moves, words)
        if self.collapse and after.step in self.collapses:
            depth = self.collapses.index(after.step)
            after = collapse(self.plan.size, after, depth, self.terms.ammo_cap)
        return after

    def _lay_out(self, layout: Layout) -> PommermanState:
        rigid = wood = 0
        for cell, value in enumerate(layout.board):
            rigid |= (value == RIGID) << cell
            wood |= (value == WOOD) << cell
        hidden = [
            sum(1 << cell for cell, found in layout.items if found == kind) for kind in POWERS
        ]
        agents = tuple(
            Bomber(layout.board.index(FIRST_AGENT + seat), True, 1, self.strength, False)
            for seat in range(self.seats)
        )
        return PommermanState(
            rigid,
            wood,
            hidden=(hidden[0], hidden[1], hidden[2]),
            agents=agents,
            words=(SILENCE,) * self.seats if self.has_radio else (),
        )

    def returns(self, state: PommermanState) -> tuple[float, ...]:
        """+1 for the winners, -1 for the others; in a running free-for-all -1 for the dead."""
        if not state.agents:
            return (0.0,) * self.seats
        final = verdict(state, teams=self.is_team, steps=self.steps)
        return standing(state, teams=self.is_team) if final is None else final

    # -- chance ----------------------------------------------------------------------------

    def sample_chance(self, state: PommermanState, rng: random.Random) -> PommermanAction:
        """A fresh board."""
        return draw_layout(self.plan, self.item_count, rng)

    # -- what is known ---------------------------------------------------------------------

    def redact(self, state: PommermanState, seat: Seat | None) -> PommermanState:
        """Without what is under wood, the others' pockets and, in the fog, what is far away."""
        return fog.redact(self, state, seat)

    def determinize(
        self, seen: Observation[PommermanState, PommermanAction], rng: random.Random
    ) -> PommermanState:
        """A full state that looks the same: guesses for fog, pockets and hidden power-ups."""
        return fog.determinize(self, seen.state, seen.seat, rng)

    # -- notation --------------------------------------------------------------------------

    def parse(self, state: PommermanState, seat: Seat, text: str) -> PommermanAction:
        """A layout for chance; for players a move or its first letter, and radio words.

        Raises:
            ActionError: It is no such text, or not that seat's turn.
        """
        if seat != CHANCE:
            given = read_order(text, self.has_radio)
            if seat in self.to_act(state):
                return given
            return super().parse(state, seat, str(given))
        if state.agents:
            raise UnknownActionError("the board has been laid out already.")
        layout = read_layout(text)
        wrong = flaw(self.plan, layout, self.item_count)
        if wrong:
            raise UnknownActionError(f"no such board comes by chance: {wrong}.")
        return layout

    def to_json(self, state: PommermanState) -> dict[str, Any]:
        """The position with the keys that docs/file-formats.md lists."""
        return positions.write(state, self.plan.size)

    def from_json(self, data: Mapping[str, Any]) -> PommermanState:
        """The state of a position.

        Raises:
            PositionError: The position is impossible; the message names the cell or field.
        """
        return reading.read(data, self)
