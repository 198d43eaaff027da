"""The view of Pommerman."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from boardgames_cli.core.game import CHANCE, Seat, Step
from boardgames_cli.core.presentation.view import KeySet, Size, View
from boardgames_cli.core.text import Glyphs, Picture
from boardgames_cli.games.pommerman.actions import Layout, Move, Seen
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.step import wish
from boardgames_cli.games.pommerman.state import SILENCE, PommermanState
from boardgames_cli.games.pommerman.view import drawing, moves, sidebar, story
from boardgames_cli.games.pommerman.view.moves import burn_times
from boardgames_cli.games.pommerman.view.story import Context


class PommermanView(View[Pommerman, PommermanState, Move, Layout]):
    """Draws the board and describes moves and dangers."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = drawing.PALETTE
    counts_moments: ClassVar[bool] = True
    layer: ClassVar[str] = "danger"
    reports: ClassVar[Mapping[str, str]] = {
        "danger": "list the cells that burn soon",
        "bombs": "list the bombs, the next to go off first",
    }

    def picture(self, seen: Seen, size: Size, context: Context) -> Picture:
        """The board in the largest form that fits."""
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
        """Bombs laid and kicked, walls burnt, power-ups taken, words, deaths, the collapse.

        Everything is derived from the redacted states.
        """
        return story.narrate(self.game, before, after, context)

    def legend(self, glyphs: Glyphs) -> Picture:
        """The symbols of the board."""
        return drawing.legend(glyphs)

    def sidebar(self, seen: Seen, width: int, context: Context) -> Picture:
        """Agents and their equipment, who has chosen, the radio, what burns next, the step."""
        return Picture.of(sidebar.side_lines(self.game, seen, width, context))

    def aim(self, seat: Seat | None) -> str:
        """Outliving the others, or the other team."""
        if not self.game.is_team or seat is None:
            whom = "the other team" if self.game.is_team else "all others"
            return f"Outlive {whom}: burn them with bombs, and stay out of the flames"
        mate, *foes = ((seat + by) % 4 for by in (2, 1, 3))
        letters = [self.game.info.seat_name(one) for one in (mate, *foes)]
        return f"You and {letters[0]} outlive {letters[1]} and {letters[2]}: burn them with bombs"

    def prompt(self, seen: Seen, context: Context) -> str:
        """The seat's cell and equipment."""
        if CHANCE in self.game.to_act(seen.state):
            return "The board is being laid out."
        if self.game.is_over(seen.state):
            return self.result(seen.state, context)
        return sidebar.prompt(self.game, seen, context)

    def status(self, seen: Seen, context: Context) -> str:
        """The seat's equipment, and when its cell burns."""
        return sidebar.status(self.game, seen)

    def describe(self, seen: Seen, action: Move) -> str:
        """The move, its effect, and when the target burns."""
        own = moves.own_agent(seen)
        if own is None:
            return str(action)
        said = moves.label(self.game, seen, own, action.code)
        return f"{action}: {said}" if said else str(action)

    def shortlist(self, seen: Seen) -> Sequence[Move]:
        """The moves without words; words are typed or added by keys."""
        return [action for action in seen.legal if action.words == SILENCE]

    def at_a_glance(self, seen: Seen) -> str:
        """The effects of the six moves, and what burns soon."""
        return moves.glance(self.game, seen)

    def key_sets(self, people: int) -> Sequence[KeySet]:
        """Arrows and letters; for two people one set each."""
        return moves.key_sets(self.game.has_radio, people)

    def audience_viewpoint(self) -> Seat | None:
        """Seat 0 in the fog, where a spectator sees nothing."""
        return 0 if self.game.is_team else None

    def report(self, seen: Seen, word: str, context: Context) -> list[str]:
        """The cells that burn in the next steps, or the bombs."""
        if word == "danger":
            return sidebar.danger_lines(self.game, seen.state)
        return sidebar.bomb_lines(self.game, seen) if word == "bombs" else []

    def result(self, state: PommermanState, context: Context) -> str:
        """Who won, or that nobody did; the places of those who play alone."""
        winners = [seat for seat, value in enumerate(self.game.returns(state)) if value > 0]
        names = [story.called(context, seat) for seat in winners]
        said = f"{' and '.join(names)} won" if winners else "A tie"
        said += f" after {state.step} steps."
        if self.game.is_team or not any(one.kind == story.DEATH for one in context.moments):
            return said
        ranked = story.places(state, context)
        others = [
            f"{place} {story.called(context, seat)}"
            for place, seat in ranked
            if place > 1 or not winners
        ]
        return f"{said} Places: {', '.join(others)}."
