"""How Pommerman is shown and told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from boardgames_cli.core.game import CHANCE, Game, Observation, Seat
from boardgames_cli.core.text import Glyphs, Picture
from boardgames_cli.core.view import KeySet, RenderContext, Size, View
from boardgames_cli.games.pommerman.actions import Move, PommermanAction
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import SILENCE, PommermanState
from boardgames_cli.games.pommerman.view import drawing, moves, sidebar, story
from boardgames_cli.games.pommerman.view.danger import burn_times
from boardgames_cli.games.pommerman.view.palette import PALETTE

_Seen = Observation[PommermanState, PommermanAction]
_Game = Game[PommermanState, PommermanAction]
_Look = RenderContext[PommermanAction]


class PommermanView(View[PommermanState, PommermanAction]):
    """The board, what is in the way, and when it burns."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = PALETTE
    counts_moments: ClassVar[bool] = True
    layer: ClassVar[str] = "danger"
    shows_layer: bool = True
    reports: ClassVar[Mapping[str, str]] = {
        "danger": "list the cells that burn soon",
        "bombs": "list the bombs, the next to go off first",
    }

    def picture(self, game: _Game, seen: _Seen, size: Size, look: _Look) -> Picture:
        """The board in the largest form that fits."""
        rules, state = _rules(game), seen.state
        grid = rules.step_rules.grid
        own = moves.own_agent(seen)
        target = -1
        if own is not None and isinstance(look.highlight, Move):
            target = moves.target_of(grid, state, own.cell, look.highlight.code)
        scene = drawing.Scene(
            grid=grid,
            state=state,
            glyphs=look.glyphs,
            danger=burn_times(rules.step_rules, state) if self.shows_layer else None,
            clicks=moves.clicks(grid, seen),
            own=None if own is None else seen.seat,
            target=target,
        )
        return drawing.draw(scene, size.width, size.height)

    def narrate(
        self,
        game: _Game,
        before: PommermanState,
        joint: Mapping[Seat, PommermanAction],
        after: PommermanState,
        look: _Look,
    ) -> list[str]:
        """Bombs laid and kicked, walls burnt, power-ups taken, words, deaths, the collapse.

        The joint action is not looked at: it holds what the reader may not know.
        """
        return story.tell(_rules(game), before, after, look)

    def legend(self, game: _Game, glyphs: Glyphs) -> Picture:
        """The signs of the board, and the short words beside it."""
        return drawing.legend(glyphs)

    def sidebar(self, game: _Game, seen: _Seen, look: _Look) -> Picture:
        """Who lives and has what, who has chosen, the radio, what burns next, the step."""
        return Picture.of(sidebar.side_lines(_rules(game), seen, look))

    def prompt(self, game: _Game, seen: _Seen, look: _Look) -> str:
        """Where the seat is and what it has."""
        if CHANCE in game.to_act(seen.state):
            return "The board is being laid out."
        if game.is_over(seen.state):
            return self.result(game, seen.state, look)
        return sidebar.prompt(_rules(game), seen, look)

    def describe(self, game: _Game, seen: _Seen, action: PommermanAction) -> str:
        """The move, whether it leads anywhere, and when it burns there."""
        own = moves.own_agent(seen)
        if own is None or not isinstance(action, Move):
            return str(action)
        return f"{action}: {moves.label(_rules(game), seen, own, action.code)}"

    def shortlist(self, game: _Game, seen: _Seen) -> Sequence[PommermanAction]:
        """The moves without words; those with words are typed or said with keys."""
        return [
            action
            for action in seen.legal
            if not isinstance(action, Move) or action.words == SILENCE
        ]

    def at_a_glance(self, game: _Game, seen: _Seen) -> str:
        """What comes of each of the six moves, and what burns soon."""
        return moves.glance(_rules(game), seen)

    def key_sets(self, game: _Game, people: int) -> Sequence[KeySet]:
        """Arrows and letters; for two people one set each."""
        return moves.key_sets(_rules(game).has_radio, people)

    def audience_viewpoint(self, game: _Game) -> Seat | None:
        """Seat 0's in the fog, where nobody's eyes would see nothing."""
        return 0 if _rules(game).is_foggy else None

    def report(self, game: _Game, seen: _Seen, word: str, look: _Look) -> list[str]:
        """The cells that burn in the next steps, or the bombs."""
        if word == "danger":
            return sidebar.danger_lines(_rules(game), seen.state)
        return sidebar.bomb_lines(_rules(game), seen) if word == "bombs" else []

    def result(self, game: _Game, state: PommermanState, look: _Look) -> str:
        """Who won, or that nobody did."""
        winners = [seat for seat, value in enumerate(game.returns(state)) if value > 0]
        if not winners:
            return f"A tie after {state.step} steps."
        names = [story.called(look, seat) for seat in winners]
        return f"{' and '.join(names)} won after {state.step} steps."


def _rules(game: _Game) -> Pommerman:
    assert isinstance(game, Pommerman)
    return game
