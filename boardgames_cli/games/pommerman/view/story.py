"""Narrates a step of Pommerman from the viewer's states before and after it."""

from __future__ import annotations

from typing import Final, TypeAlias

from boardgames_cli.core.game import CHANCE, Seat
from boardgames_cli.core.presentation.view import Moment, RenderContext
from boardgames_cli.games.pommerman.actions import Layout, Move
from boardgames_cli.games.pommerman.board import BOMB_LIFE, POWERS, UNKNOWN, Grid
from boardgames_cli.games.pommerman.rules import MODES, Pommerman
from boardgames_cli.games.pommerman.rules.step import cached_blast
from boardgames_cli.games.pommerman.state import SILENCE, Bomb, PommermanState
from boardgames_cli.games.pommerman.view.tiles import LETTERS

Context: TypeAlias = RenderContext[Move, Layout]

_TAKEN = dict(zip(POWERS, ("an extra bomb", "an extra range", "the kick"), strict=True))
_MOST_NAMED = 4
DEATH: Final = "death"
"""The kind of moment at which somebody dies; its number is the step."""


def narrate(
    game: Pommerman,
    before: PommermanState,
    after: PommermanState,
    context: Context,
) -> list[str]:
    """Sentences about a step; both states are redacted for the viewer."""
    if CHANCE in game.to_act(before):
        return [f"The board is laid out: {len(after.agents)} agents, {MODES[game.mode]}."]
    return [
        *_bombs(game, before, after, context),
        *_powers(before, after, context),
        *_deaths(game, before, after, context),
        *_words(after, context),
        *_collapse(game, before, after),
        *_rerun(game, after),
    ]


def moment(state: PommermanState) -> str:
    """The step, and the game after reruns."""
    step = f"step {state.step}"
    return f"game {state.reruns + 1}, {step}" if state.reruns else step


def called(context: Context, seat: int) -> str:
    """The name of a seat: its letter, and its holder's name if different."""
    name = context.name(seat)
    return LETTERS[seat] if name in (LETTERS[seat], f"Seat {seat + 1}") else name


def _bombs(
    game: Pommerman,
    before: PommermanState,
    after: PommermanState,
    context: Context,
) -> list[str]:
    grid, sentences = game.step_rules.grid, []
    lying = {bomb.cell for bomb in before.bombs}
    for bomb in after.bombs:
        # Only a new bomb has its full life minus one and is under its owner.
        if bomb.life == BOMB_LIFE - 1 and bomb.cell not in lying and not bomb.direction:
            who = called(context, bomb.owner) if bomb.owner != UNKNOWN else "Somebody"
            sentences.append(f"{who} laid a bomb at {grid.name(bomb.cell)}.")
    kicked = [_before_kick(grid, before, bomb) for bomb in after.bombs if bomb.direction]
    sentences += [f"A bomb rolls from {grid.name(old.cell)}." for old in kicked if old]
    gone = before.wood & ~after.wood & ~after.fog & ~after.rigid
    if gone:
        # Shortened names already end with dots.
        sentences.append(f"Wood burns at {grid.names(gone, _MOST_NAMED).removesuffix('.')}.")
    elif after.flames[2]:
        sentences.append("Boom.")
    return sentences


def _before_kick(grid: Grid, before: PommermanState, bomb: Bomb) -> Bomb | None:
    alike = [old for old in before.bombs if (old.owner, old.life) == (bomb.owner, bomb.life + 1)]
    # In the fog several may match, since owners are unknown.
    if any(
        old.direction == bomb.direction and grid.steps[old.direction][old.cell] == bomb.cell
        for old in alike
    ):
        return None
    for old in alike:
        # An approaching bomb may be kicked on, sideways or back.
        if old.direction != bomb.direction and grid.distance(bomb.cell, old.cell) <= 2:
            return old
    return None


def _powers(before: PommermanState, after: PommermanState, context: Context) -> list[str]:
    sentences = []
    for seat, agent in enumerate(after.agents):
        was = before.agents[seat]
        if UNKNOWN in (agent.cell, was.cell) or agent.cell == was.cell:
            continue
        for kind, mask in zip(POWERS, before.powers, strict=True):
            if mask >> agent.cell & 1:
                sentences.append(f"{called(context, seat)} took {_TAKEN[kind]}.")
    return sentences


def _deaths(
    game: Pommerman,
    before: PommermanState,
    after: PommermanState,
    context: Context,
) -> list[Moment]:
    told, own = [], context.people or ()
    for seat, agent in enumerate(after.agents):
        if agent.alive or not before.agents[seat].alive:
            continue
        killers = _killers(game, before, after, agent.cell)
        whose = [_whose(context, killer, is_own=killer == seat) for killer in killers]
        said = f"{called(context, seat)} died"
        if whose:
            said += f" in the blast of {' and '.join(whose)} bomb{'s' * (len(whose) > 1)}"
        elif agent.cell != UNKNOWN and after.burning >> agent.cell & 1:
            said += " in the flames"
        by = killers[0] if len(killers) == 1 else None
        banner = "boom" if seat in own else f"{LETTERS[seat]} is out" if by in own else ""
        told.append(
            Moment(
                f"{said}.",
                kind=DEATH,
                banner=banner,
                seat=seat,
                by=by,
                number=after.step,
                shakes=True,
            )
        )
    return told


def _whose(context: Context, seat: Seat, *, is_own: bool) -> str:
    name = called(context, seat)
    if is_own:
        return "your own" if name == "You" else "their own"
    return "your" if name == "You" else f"{name}'s"


def _killers(
    game: Pommerman, before: PommermanState, after: PommermanState, cell: int
) -> list[Seat]:
    if cell == UNKNOWN or not after.flames[2] >> cell & 1:
        return []  # out of sight, or in older flames
    kept = {(bomb.owner, bomb.life + 1, bomb.strength) for bomb in after.bombs}
    owners = set()
    for bomb in before.bombs:
        gone = (bomb.owner, bomb.life, bomb.strength) not in kept
        walls = (before.rigid, before.wood, bomb.cell, bomb.strength)
        if gone and cached_blast(game.step_rules.grid.size, *walls) >> cell & 1:
            owners.add(bomb.owner)
    return [] if UNKNOWN in owners else sorted(owners)


def fate(context: Context, seat: Seat) -> str:
    """When somebody who is dead died, and by whose bomb, such as ``out 57 by C``."""
    deaths = [one for one in context.moments if one.kind == DEATH and one.seat == seat]
    if not deaths:
        return ""
    by = deaths[-1].by
    whose = "" if by is None else " by self" if by == seat else f" by {LETTERS[by]}"
    return f"out {deaths[-1].number}{whose}"


def places(state: PommermanState, context: Context) -> list[tuple[int, Seat]]:
    """Each seat with its place, the best first; who died in the same step shares one."""
    died = {moment.seat: moment.number for moment in context.moments if moment.kind == DEATH}
    lasted = [
        state.step + 1 if agent.alive else died.get(seat, 0)
        for seat, agent in enumerate(state.agents)
    ]
    ranked = [(1 + sum(other > own for other in lasted), seat) for seat, own in enumerate(lasted)]
    return sorted(ranked)


def _words(after: PommermanState, context: Context) -> list[str]:
    return [
        f"{called(context, seat)} by radio: {said[0]} {said[1]}."
        for seat, said in enumerate(after.words)
        if said != SILENCE
    ]


def _collapse(game: Pommerman, before: PommermanState, after: PommermanState) -> list[str]:
    collapses = game.collapses_in(after)
    if after.step not in collapses or after.step == before.step:
        return []
    ring = collapses.index(after.step)
    return [f"The board falls in: ring {ring + 1} from the edge is rigid now."]


def _rerun(game: Pommerman, after: PommermanState) -> list[str]:
    if CHANCE not in game.to_act(after):
        return []
    how = ", with the collapse" if game.has_collapse(after.reruns + 1) else ""
    return [f"A tie after {after.step} steps; the game is played again{how}."]
