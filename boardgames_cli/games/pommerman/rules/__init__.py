"""Pommerman as a game: modes, joint steps, the collapse, the end.

RULES.md has the rules for people and the interpretations adopted; `step` plays a step.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final

from boardgames_cli.core.errors import OptionError, UnknownActionError
from boardgames_cli.core.game import (
    CHANCE,
    EliminatesSeats,
    Game,
    GameInfo,
    PassesTime,
    RevealsInformation,
    Seat,
    Step,
)
from boardgames_cli.core.options import option
from boardgames_cli.games.pommerman import GAME
from boardgames_cli.games.pommerman.actions import (
    MOVES,
    RADIO_MOVES,
    Layout,
    Move,
    Seen,
    radio_id,
    read_layout,
    read_move,
)
from boardgames_cli.games.pommerman.board import STOP, grid_of
from boardgames_cli.games.pommerman.rules import observation
from boardgames_cli.games.pommerman.rules.layout import (
    BoardSpec,
    board_spec_of,
    draw_layout,
    flaw,
    lay_out,
)
from boardgames_cli.games.pommerman.rules.positions import PositionCodec
from boardgames_cli.games.pommerman.rules.step import (
    COLLAPSE_AFTER,
    MOST_RERUNS,
    Returns,
    StepRules,
    collapse,
    final_returns,
    play_step,
    running_returns,
    schedule,
)
from boardgames_cli.games.pommerman.state import SILENCE, PommermanState

MODES: Final = {"ffa": "free for all", "team": "teams", "radio": "teams by radio", "duel": "duel"}
_NO_CAP: Final = 1_000_000
_CAP: Final = 10
_CHANCE_ACTS: Final = (CHANCE,)


@dataclass(frozen=True)
class Pommerman(
    Game[PommermanState, Move, Layout], RevealsInformation, PassesTime, EliminatesSeats
):
    """The rulebook of Pommerman."""

    info: ClassVar[GameInfo] = GAME.info

    mode: str = option(
        "ffa", "each for itself, teams, teams by radio, or two", choices=[*MODES], words=MODES
    )
    collapse: bool = option(False, "the board falls in, ring by ring")
    strength: int = option(3, "blast strength at the start", low=1, high=10, is_rare=True)
    items: int = option(
        50, "wooden walls of a hundred that hide a power-up", low=0, high=100, is_rare=True
    )
    view: int = option(
        4, "cells seen each way in the fog of the team modes", low=1, high=10, is_rare=True
    )
    steps: int = option(800, "steps until the game is a tie", low=1, high=10_000, is_rare=True)
    first_collapse: int = option(
        500, "the step after which the outermost ring falls", low=1, is_rare=True
    )
    caps: bool = option(
        False, "ammo and strength are capped at 10, in the fog at the view", is_rare=True
    )
    items_block: bool = option(False, "a power-up in the open stops a rolling bomb", is_rare=True)
    rerun_ties: bool = option(
        False, "a tie is played again, from the second on with the collapse", is_rare=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.has_collapse(MOST_RERUNS) and self.first_collapse >= self.steps:
            raise OptionError(
                f"first_collapse can't be {self.first_collapse} in a game of {self.steps} steps.",
                "It must come before the last step.",
            )

    @property
    def seats(self) -> int:
        return 2 if self.mode == "duel" else 4

    @property
    def is_team(self) -> bool:
        """Whether seats 0 and 2 play against 1 and 3, in the fog: agents see only what is near."""
        return self.mode in ("team", "radio")

    @property
    def teams(self) -> tuple[tuple[Seat, ...], ...]:
        return ((0, 2), (1, 3)) if self.is_team else super().teams

    @property
    def has_radio(self) -> bool:
        return self.mode == "radio"

    # Computed once, because they are needed at every step.

    @cached_property
    def board_spec(self) -> BoardSpec:
        return board_spec_of(self.seats)

    @cached_property
    def step_rules(self) -> StepRules:
        strength_cap = self.view if self.is_team else _CAP
        return StepRules(
            grid_of(self.board_spec.size),
            ammo_cap=_CAP if self.caps else _NO_CAP,
            strength_cap=strength_cap if self.caps else _NO_CAP,
            items_block=self.items_block,
        )

    @property
    def item_count(self) -> int:
        return round(self.board_spec.wood * self.items / 100)

    def collapses_in(self, state: PommermanState) -> tuple[int, ...]:
        if not self.has_collapse(state.reruns):
            return ()
        return schedule(self.first_collapse, self.steps)

    def has_collapse(self, reruns: int) -> bool:
        return self.collapse or (self.rerun_ties and reruns >= COLLAPSE_AFTER)

    @property
    def most_reruns(self) -> int:
        return MOST_RERUNS if self.rerun_ties else 0

    @property
    def utility(self) -> tuple[float, float]:
        """-1 for a loss or a tie, 1 for a win."""
        return (-1.0, 1.0)

    @property
    def longest(self) -> int:
        return (1 + self.steps) * (1 + self.most_reruns)

    @property
    def actions(self) -> tuple[Move, ...]:
        """The six moves; in radio mode with every pair of words, and without words."""
        return RADIO_MOVES if self.has_radio else MOVES

    def action_id(self, state: PommermanState, action: Move) -> int:
        """The move, 0 to 5; with radio move + 6 * (8 * (w1 - 1) + (w2 - 1)), silent from 384 on."""
        return radio_id(action) if self.has_radio else action.code

    def legal_actions(self, state: PommermanState, seat: Seat) -> Sequence[Move]:
        """Always all moves: an agent that can't move or has no bomb stays where it is."""
        return self.actions

    def default_action(self, state: PommermanState, seat: Seat) -> Move:
        return MOVES[STOP]

    def is_out(self, state: PommermanState, seat: Seat) -> bool:
        """Whether the seat's agent is dead; a rerun after a tie revives it."""
        return self.is_over(state) or (bool(state.agents) and not state.agents[seat].alive)

    def is_settled(self, state: PommermanState, seat: Seat) -> bool:
        """Whether the agent is dead for good: no teammate can win, and no rerun can revive it."""
        if self.is_team or self.rerun_ties:
            return self.is_over(state)
        # Agents killed by the collapse get their reward one step later, unless the game is over.
        return self.is_over(state) or (self.is_out(state, seat) and seat not in state.fallen)

    def explain_illegal(self, state: PommermanState, seat: Seat, action: Move) -> str:
        if not 0 <= seat < self.seats:
            return f"there is no seat {seat}"
        if self.to_act(state) == _CHANCE_ACTS:
            return "the board is being laid out"
        if state.agents and not state.agents[seat].alive:
            return "the dead don't act"
        if isinstance(action, Move) and not self.has_radio:
            return f'"{action}" says words, but there is no radio in this mode'
        return f"{action} is not a move of an agent"

    def initial_state(self) -> PommermanState:
        return PommermanState()

    def to_act(self, state: PommermanState) -> tuple[Seat, ...]:
        """Chance for the layout, at the start and before reruns; otherwise all living agents."""
        if not state.agents:
            return _CHANCE_ACTS
        final = final_returns(state, teams=self.is_team, steps=self.steps)
        if final is not None:
            return _CHANCE_ACTS if self._is_rerun(state, final) else ()
        return tuple([seat for seat, agent in enumerate(state.agents) if agent.alive])

    def _is_rerun(self, state: PommermanState, final: Returns) -> bool:
        return state.reruns < self.most_reruns and max(final) <= 0

    def apply(self, state: PommermanState, joint: Mapping[Seat, Move]) -> PommermanState:
        moves = [STOP] * self.seats
        words = [SILENCE] * self.seats if self.has_radio else []
        for seat, action in joint.items():
            moves[seat] = action.code
            if words:
                words[seat] = action.words
        after = play_step(self.step_rules, state, moves, words)
        collapses = self.collapses_in(state)
        if after.step in collapses:
            depth = collapses.index(after.step)
            after = collapse(self.board_spec.size, after, depth, self.step_rules.ammo_cap)
        return after

    def returns(self, state: PommermanState) -> tuple[float, ...]:
        """+1 for the winners, -1 for the others; in a running free-for-all -1 for the dead.

        Of rerun games only the last one counts.
        """
        if not state.agents:
            return (0.0,) * self.seats
        final = final_returns(state, teams=self.is_team, steps=self.steps)
        if final is None:
            return running_returns(state, teams=self.is_team)
        return (0.0,) * self.seats if self._is_rerun(state, final) else final

    def sample_chance(self, state: PommermanState, rng: random.Random) -> Layout:
        return draw_layout(self.board_spec, self.item_count, rng)

    def apply_chance(self, state: PommermanState, outcome: Layout) -> PommermanState:
        unsaid = (SILENCE,) * self.seats if self.has_radio else ()
        reruns = state.reruns + 1 if state.agents else 0
        laid_out = lay_out(self.board_spec, outcome, self.strength)
        return laid_out._replace(words=unsaid, reruns=reruns)

    @property
    def may_share_screen(self) -> bool:
        """Unless there is fog: elsewhere only the others' equipment is hidden."""
        return not self.is_team

    def redact_for_all(self, state: PommermanState, seats: Sequence[Seat]) -> PommermanState:
        """Visible to any of the seats, with the equipment of each."""
        radius = self.view if self.is_team else None
        return observation.redact(state, seats, self.board_spec.size, radius)

    def redact(self, state: PommermanState, seat: Seat | None) -> PommermanState:
        """Hide items under wood, the others' equipment and, in the fog, distant cells."""
        return self.redact_for_all(state, () if seat is None else (seat,))

    def redact_step(
        self, before: PommermanState, step: Step[Move, Layout], seat: Seat | None
    ) -> Step[Move, Layout]:
        """Keep only the seat's own move: others' moves are seen on the board or not at all.

        The layout contains the power-ups under wood, so it is hidden; the next state shows the
        visible part.
        """
        if step.is_chance:
            return Step.of_chance(None)
        return Step({actor: move for actor, move in step.joint.items() if actor == seat})

    def reveals(self, before: PommermanState, step: Step[Move, Layout], seat: Seat | None) -> bool:
        """Always: the board shows what others did, and what comes into view."""
        return True

    def determinize(self, seen: Seen, rng: random.Random) -> PommermanState:
        """Sample a consistent full state: fog, equipment and hidden power-ups."""
        rings = sum(step <= seen.state.step for step in self.collapses_in(seen.state))
        return observation.determinize(
            self.board_spec,
            seen.state,
            seen.seat,
            rng,
            strength=self.strength,
            items=self.items,
            rings=rings,
        )

    def parse(self, state: PommermanState, seat: Seat, text: str) -> Move:
        given = read_move(text, self.has_radio)
        if seat in self.to_act(state):
            return given
        return super().parse(state, seat, str(given))

    def parse_chance(self, state: PommermanState, text: str) -> Layout:
        if self.to_act(state) != _CHANCE_ACTS:
            raise UnknownActionError("the board has been laid out already.")
        layout = read_layout(text)
        wrong = flaw(self.board_spec, layout, self.item_count)
        if wrong:
            raise UnknownActionError(f"no such board comes by chance: {wrong}.")
        return layout

    def to_json(self, state: PommermanState) -> dict[str, Any]:
        return self._codec(is_redacted=False).write(state)

    def from_json(self, data: Mapping[str, Any]) -> PommermanState:
        return self._codec(is_redacted=False).read(data)

    def read_seen(self, data: Mapping[str, Any], ply: int) -> PommermanState:
        return self._codec(is_redacted=True).read(data)

    def _codec(self, *, is_redacted: bool) -> PositionCodec:
        return PositionCodec(
            self.board_spec, self.mode, self.steps, self.most_reruns, is_redacted=is_redacted
        )
