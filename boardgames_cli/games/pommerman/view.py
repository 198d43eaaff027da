"""How Pommerman is shown and told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from boardgames_cli.core.game import Game, Observation, Seat
from boardgames_cli.core.text import Glyphs, Picture, Span
from boardgames_cli.core.view import Look, Size, View
from boardgames_cli.games.pommerman import drawing, story
from boardgames_cli.games.pommerman.actions import ORDERS, Order, PommermanAction
from boardgames_cli.games.pommerman.board import BOMB, STOP, UNKNOWN
from boardgames_cli.games.pommerman.danger import burn_times, fires
from boardgames_cli.games.pommerman.palette import PALETTE
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import SILENCE, Bomber, PommermanState

_SOON = 3
_MOST_NAMED = 5
_Seen = Observation[PommermanState, PommermanAction]
_Game = Game[PommermanState, PommermanAction]
_Look = Look[PommermanAction]


class PommermanView(View[PommermanState, PommermanAction]):
    """The board, what is in the way, and when it burns.

    Args:
        overlay: Whether free cells show in how many steps they burn.
    """

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = PALETTE

    def __init__(self, overlay: bool = True) -> None:
        self.overlay = overlay

    def picture(self, game: _Game, seen: _Seen, size: Size, look: _Look) -> Picture:
        """The board in the largest form that fits."""
        rules, state = _rules(game), seen.state
        target = -1
        own = _own(seen)
        if own is not None and isinstance(look.highlight, Order):
            target = _target(rules, state, own.cell, look.highlight.move)
        scene = drawing.Scene(
            grid=rules.terms.grid,
            state=state,
            glyphs=look.glyphs,
            danger=burn_times(rules.terms, state) if self.overlay and state.bombs else {},
            clicks=_clicks(rules, seen),
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
        """The signs of the board."""
        lines = []
        for text, role in drawing.key_lines(glyphs):
            mark, _, words = text.partition("|")
            lines.append((Span(mark, role), Span(f" {words}")))
        return Picture(tuple(lines))

    def sidebar(self, game: _Game, seen: _Seen, look: _Look) -> Picture:
        """Who lives and has what, the step, the radio, and what burns next."""
        rules, state = _rules(game), seen.state
        lines: list[list[Span]] = []
        for seat in range(rules.seats):
            letter = drawing.LETTERS[seat]
            lines.append([Span(f"{letter} {look.name(seat)}", f"seat.{seat}")])
            if state.agents:
                lines[-1].append(Span(f"  {_condition(rules, seen, seat)}"))
        lines.append([Span(f"step {state.step} of {rules.steps}{_next_ring(rules, state)}")])
        if rules.has_radio and state.agents and seen.seat is not None:
            mate = (seen.seat + 2) % 4
            lines.append([Span(f"{drawing.LETTERS[mate]} says {_said(state.words[mate])}")])
            lines.append([Span(f"you said {_said(state.words[seen.seat])}")])
        for steps, mask in enumerate(fires(rules.terms, state, _SOON) if state.agents else ()):
            if mask:
                named = drawing.names_of(rules.terms.grid, mask, _MOST_NAMED)
                lines.append([Span(f"burns in {steps + 1}: {named}")])
        return Picture.of(lines)

    def prompt(self, game: _Game, seen: _Seen, look: _Look) -> str:
        """Where the seat is and what it has."""
        rules, state = _rules(game), seen.state
        if not state.agents:
            return "The board is being laid out."
        if game.is_over(state):
            return self.result(game, state, look)
        own = _own(seen)
        if own is None:
            return f"Step {state.step}. {sum(agent.alive for agent in state.agents)} alive."
        assert seen.seat is not None
        place = drawing.name_of(rules.terms.grid, own.cell)
        bombs = "1 bomb" if own.ammo == 1 else f"{own.ammo} bombs"
        text = f"Step {state.step}. You are {drawing.LETTERS[seen.seat]} at {place}, "
        text += f"{bombs}, range {own.strength}{', kick' if own.kicks else ''}."
        if rules.has_radio:
            mate = (seen.seat + 2) % 4
            text += f" {drawing.LETTERS[mate]} says {_said(state.words[mate])}."
        return text

    def describe(self, game: _Game, seen: _Seen, action: PommermanAction) -> str:
        """The move, whether it leads anywhere, and when it burns there."""
        rules, state = _rules(game), seen.state
        own = _own(seen)
        if own is None or not isinstance(action, Order):
            return str(action)
        return f"{action}: {_outlook(rules, state, own, action.move)}"

    def result(self, game: _Game, state: PommermanState, look: _Look) -> str:
        """Who won, or that nobody did."""
        winners = [seat for seat, value in enumerate(game.returns(state)) if value > 0]
        if not winners:
            return f"A tie after {state.step} steps."
        names = [f"{story.called(look, seat)}" for seat in winners]
        return f"{' and '.join(names)} won after {state.step} steps."


def _rules(game: _Game) -> Pommerman:
    assert isinstance(game, Pommerman)
    return game


def _own(seen: _Seen) -> Bomber | None:
    """The agent of who looks, if it lives."""
    if seen.seat is None or not seen.state.agents:
        return None
    own = seen.state.agents[seen.seat]
    return own if own.alive else None


def _target(rules: Pommerman, state: PommermanState, cell: int, move: int) -> int:
    """The cell that a move wants, or the own one if a wall is in the way."""
    target = rules.terms.grid.steps[move][cell]
    return cell if target < 0 or (state.rigid | state.wood) >> target & 1 else target


def _clicks(rules: Pommerman, seen: _Seen) -> dict[int, str]:
    """Neighbouring cells mean moves; the own cell a bomb, or a stop if there is none to lay."""
    own = _own(seen)
    if own is None or not seen.legal:
        return {}
    clicks = {}
    for move in range(1, 5):
        target = _target(rules, seen.state, own.cell, move)
        if target != own.cell:
            clicks[target] = str(ORDERS[move])
    can_lay = own.ammo > 0 and all(bomb.cell != own.cell for bomb in seen.state.bombs)
    clicks[own.cell] = str(ORDERS[BOMB if can_lay else STOP])
    return clicks


def _outlook(rules: Pommerman, state: PommermanState, own: Bomber, move: int) -> str:
    on_bomb = any(bomb.cell == own.cell for bomb in state.bombs)
    target = _target(rules, state, own.cell, move)
    said = "wait" if move == STOP else "free"
    if move == BOMB:
        said = f"{own.ammo} left"
        if on_bomb or not own.ammo:
            said = "no bomb twice in a cell" if on_bomb else "no bomb left"
    elif move != STOP and target == own.cell:
        said = "blocked by a wall"
    elif target != own.cell:
        bit = 1 << target
        if any(bomb.cell == target for bomb in state.bombs):
            said = "kicks the bomb" if own.kicks else "blocked by a bomb"
        elif any(agent.alive and agent.cell == target for agent in state.agents):
            said = "somebody is there"
        elif state.open_powers & bit:
            said = "a power-up"
    steps = burn_times(rules.terms, state).get(target)
    if steps is None:
        return said
    return f"{said}, burns {'at once' if steps == 1 else f'in {steps}'}"


def _condition(rules: Pommerman, seen: _Seen, seat: int) -> str:
    agent = seen.state.agents[seat]
    if not agent.alive:
        return "dead"
    text = "alive"
    if agent.ammo != UNKNOWN:
        text += f" am{agent.ammo} rng{agent.strength} {'kick' if agent.kicks else '-'}"
    elif rules.is_team and seen.seat is not None and (seat - seen.seat) % 2 == 0:
        text += ", your team"
    return text


def _next_ring(rules: Pommerman, state: PommermanState) -> str:
    coming = [step for step in rules.collapses if step > state.step]
    return f", falls in at {coming[0]}" if coming else ""


def _said(words: tuple[int, int]) -> str:
    return "nothing" if words == SILENCE else f"{words[0]} {words[1]}"
