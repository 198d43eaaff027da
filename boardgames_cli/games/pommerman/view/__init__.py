"""The view of Pommerman."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from boardgames_cli.core.game import CHANCE, Seat, Step
from boardgames_cli.core.presentation.view import KeyedView, KeySet, Size
from boardgames_cli.core.text import Glyphs, Picture, columns, counted
from boardgames_cli.games.pommerman.actions import Layout, Move, Seen
from boardgames_cli.games.pommerman.board import (
    BOMB,
    DOWN,
    LEFT,
    RIGHT,
    STOP,
    UNKNOWN,
    UP,
    WORDS,
    mate_of,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.step import wish
from boardgames_cli.games.pommerman.state import SILENCE, PommermanState
from boardgames_cli.games.pommerman.view import drawing, moves, sidebar, story
from boardgames_cli.games.pommerman.view.moves import SOON, burn_times, fires
from boardgames_cli.games.pommerman.view.story import Context
from boardgames_cli.games.pommerman.view.tiles import LETTERS

_LINE: Final = 79
_MOST_NAMED: Final = 5
_GLANCE: Final = ((UP, "u"), (DOWN, "d"), (LEFT, "l"), (RIGHT, "r"), (BOMB, "b"), (STOP, "w"))
_BY_ARROWS: Final = {"up": "up", "down": "down", "left": "left", "right": "right"}
_BY_LETTERS: Final = {"w": "up", "s": "down", "a": "left", "d": "right"}
_ALL: Final = KeySet(
    _BY_ARROWS | _BY_LETTERS | {"space": "bomb", "full_stop": "stop"},
    (("arrows", "move"), ("space", "bomb"), (".", "stop")),
)
_PAIR: Final = (
    KeySet(
        _BY_LETTERS | {"q": "bomb", "e": "stop"}, (("wasd", "move"), ("q", "bomb"), ("e", "stop"))
    ),
    KeySet(
        _BY_ARROWS | {"enter": "bomb", "0": "stop"},
        (("arrows", "move"), ("enter", "bomb"), ("0", "stop")),
    ),
)


class PommermanView(KeyedView[Pommerman, PommermanState, Move, Layout]):
    """Draws the board and describes moves and dangers."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = drawing.PALETTE
    layer: ClassVar[str] = "danger"
    reports: ClassVar[Mapping[str, str]] = {
        "danger": "list the cells that burn soon",
        "bombs": "list the bombs, the next to go off first",
    }

    def picture(self, seen: Seen, size: Size, context: Context) -> Picture:
        rules, state = self.game, seen.state
        grid = rules.step_rules.grid
        own = moves.own_agent(seen)
        target = -1
        if own is not None and context.highlight is not None:
            target = wish(grid, state.walls, own.cell, context.highlight.code)
        scene = drawing.BoardScene(
            grid=grid,
            state=state,
            glyphs=context.glyphs,
            danger=burn_times(rules.step_rules, state) if context.shows_layer else None,
            clicks=moves.clicks(grid, seen),
            own=None if own is None else seen.seat,
            target=target,
            has_bands=rules.is_team and context.glyphs is not Glyphs.ASCII,
            has_colours=context.has_colours,
        )
        return drawing.draw(scene, size.width, size.height)

    def pause_after(
        self,
        before: PommermanState,
        step: Step[Move, Layout],
        after: PommermanState,
        context: Context,
    ) -> str:
        """Pause when a person at the screen has died, to show how, before the others continue."""
        has_died = any(
            bomber.alive and not after.agents[seat].alive
            for seat, bomber in enumerate(before.agents)
            if context.people is not None and seat in context.people
        )
        return "watch the others" if has_died else ""

    def narrate(
        self,
        before: PommermanState,
        step: Step[Move, Layout],
        after: PommermanState,
        context: Context,
    ) -> list[str]:
        return story.narrate(self.game, before, after, context)

    def legend(self, glyphs: Glyphs) -> Picture:
        return drawing.legend(glyphs)

    def sidebar(self, seen: Seen, width: int, context: Context) -> Picture:
        return Picture.of(sidebar.side_lines(self.game, seen, width, context))

    def aim(self, seat: Seat | None) -> str:
        if not self.game.is_team or seat is None:
            whom = "the other team" if self.game.is_team else "all others"
            return f"Outlive {whom}: burn them with bombs, and stay out of the flames"
        mate, *foes = ((seat + by) % 4 for by in (2, 1, 3))
        letters = [self.game.info.seat_name(one) for one in (mate, *foes)]
        return f"You and {letters[0]} outlive {letters[1]} and {letters[2]}: burn them with bombs"

    def prompt(self, seen: Seen, context: Context) -> str:
        if CHANCE in self.game.to_act(seen.state):
            return "The board is being laid out."
        if self.game.is_over(seen.state):
            return self.result(seen.state, context)
        state, seat, grid = seen.state, seen.seat, self.game.step_rules.grid
        when = story.moment(state).capitalize()
        alive = f"{sum(agent.alive for agent in state.agents)} alive."
        if seat is None:
            return f"{when}. {alive}"
        own = moves.own_agent(seen)
        if own is None:
            who = "You are" if context.is_own(seat) else f"{LETTERS[seat]} is"
            return f"{when}. {who} dead. {alive}"
        if not seen.legal and seat in context.committed:
            return f"{when}. You have chosen; the step comes when all have."
        people = [person for person in context.people or () if state.agents[person].alive]
        if len(people) > 1 and all(state.agents[person].ammo != UNKNOWN for person in people):
            each = (
                f"{context.name(person)} is {LETTERS[person]} at "
                f"{grid.name(state.agents[person].cell)}"
                for person in people
            )
            # The equipment is in the sidebar; this line also needs space for a pause.
            return f"{when}. {', '.join(each)}."
        lead = f"{'You are' if context.is_own(seat) else 'Seen by'} {LETTERS[seat]}"
        has = "" if own.ammo == UNKNOWN else f", {sidebar.pocket(own)}"
        text = f"{when}. {lead} at {grid.name(own.cell)}{has}."
        for sentence in self._news(state, seat, own.cell):
            if columns(text) + 1 + columns(sentence) <= _LINE:
                text += f" {sentence}"
        return text

    def _news(self, state: PommermanState, seat: Seat, cell: int) -> Iterator[str]:
        steps = burn_times(self.game.step_rules, state).get(cell)
        if steps is not None:
            yield f"Burns in {steps}."
        if self.game.has_radio:
            mate = mate_of(seat)
            said = state.words[mate]
            words = "nothing" if said == SILENCE else f"{said[0]} {said[1]}"
            yield f"{LETTERS[mate]} says {words}."

    def status(self, seen: Seen, context: Context) -> str:
        own = moves.own_agent(seen)
        if own is None:
            return "dead" if seen.state.agents else ""
        steps = burn_times(self.game.step_rules, seen.state).get(own.cell)
        return sidebar.pocket(own) + ("" if steps is None else f", burns in {steps}")

    def describe(self, seen: Seen, action: Move) -> str:
        own = moves.own_agent(seen)
        if own is None:
            return str(action)
        said = moves.label(self.game, seen, own, action.code)
        return f"{action}: {said}" if said else str(action)

    def shortlist(self, seen: Seen) -> Sequence[Move]:
        """The moves without words; words are typed or added by keys."""
        return [action for action in seen.legal if action.words == SILENCE]

    def at_a_glance(self, seen: Seen) -> str:
        own = moves.own_agent(seen)
        if own is None or not seen.legal:
            return ""
        parts = []
        for move, letter in _GLANCE:
            said, steps = moves.effect_of(self.game, seen, own, move)
            is_hot = steps is not None and steps <= SOON
            parts.append(f"{letter} {said}{f' but burns in {steps}' if is_hot else ''}")
        mask = 0
        for burning in fires(self.game.step_rules, seen.state, SOON):
            mask |= burning
        named = self.game.step_rules.grid.names(mask, _MOST_NAMED) if mask else "none"
        text = f"{'   '.join(parts)}.   Burns within {SOON} steps: {named}"
        if self.game.has_radio:
            text += "   add two words 1-8, such as l 3 7"
        return text

    def key_sets(self, people: int) -> Sequence[KeySet]:
        if people == 2:
            return _PAIR
        if people > 1 or not self.game.has_radio:
            return (_ALL,)
        words = {str(word): str(word) for word in range(1, WORDS + 1)}
        return (KeySet(_ALL.actions, (*_ALL.hints, (f"1-{WORDS}", "say")), words, 2),)

    def audience_viewpoint(self) -> Seat | None:
        """Seat 0 in the fog, where a spectator sees nothing."""
        return 0 if self.game.is_team else None

    def report(self, seen: Seen, word: str, context: Context) -> list[str]:
        if word == "danger":
            return sidebar.danger_lines(self.game, seen.state)
        return sidebar.bomb_lines(self.game, seen) if word == "bombs" else []

    def result(self, state: PommermanState, context: Context) -> str:
        """Who won, or that nobody did; the places of those who play alone."""
        winners = [seat for seat, value in enumerate(self.game.returns(state)) if value > 0]
        names = [story.called(context, seat) for seat in winners]
        said = f"{' and '.join(names)} won" if winners else "A tie"
        said += f" after {counted(state.step, 'step')}."
        if self.game.is_team or not any(one.kind == story.DEATH for one in context.moments):
            return said
        ranked = story.places(state, context)
        others = [
            f"{place} {story.called(context, seat)}"
            for place, seat in ranked
            if place > 1 or not winners
        ]
        return f"{said} Places: {', '.join(others)}."
