"""The text next to the board: equipment, radio words, what burns next; and the reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boardgames_cli.core.text import Glyphs, Span, columns, counted, justified
from boardgames_cli.games.pommerman.actions import Seen
from boardgames_cli.games.pommerman.board import MOVE_NAMES, UNKNOWN, Mask, bits, mate_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import SILENCE, Bomber, PommermanState, Words
from boardgames_cli.games.pommerman.view import story
from boardgames_cli.games.pommerman.view.moves import HORIZON, SOON, fires
from boardgames_cli.games.pommerman.view.story import Context, moment
from boardgames_cli.games.pommerman.view.tiles import LETTERS, band


def side_lines(rules: Pommerman, seen: Seen, width: int, context: Context) -> list[list[Span]]:
    """The lines of the sidebar, most important first, because a low pane cuts off the rest."""
    state = seen.state
    lines: list[list[Span]] = []
    for seat in range(rules.seats):
        lines += _seat_lines(rules, seen, context, seat, width)
    known = sum(agent.ammo != UNKNOWN for agent in state.agents)
    is_watched = seen.seat is not None and not context.is_own(seen.seat)
    if rules.is_team and (is_watched or known in (0, len(state.agents))):
        # Members of a team see their teammate; others see the teams.
        lines.append([Span("teams  A C v B D", "muted")])
    if context.committed:
        lines.append([Span(_chosen(state, context))])
    if state.agents:
        lines += [[Span(text)] for text in _radio(rules, seen)]
        lines += [[Span(text, "bad")] for text in _warnings(rules, state, width)]
    lines += [[Span(text)] for text in _time_lines(rules, state, width)]
    return lines


def _seat_lines(
    rules: Pommerman, seen: Seen, context: Context, seat: int, width: int
) -> list[list[Span]]:
    state = seen.state
    condition = _condition(rules, seen, seat, context) if state.agents else ""
    is_dead = bool(state.agents) and not state.agents[seat].alive
    role, quiet = ("dead", "dead") if is_dead else (f"seat.{seat}", "")
    has_mark = rules.is_team and context.glyphs is not Glyphs.ASCII
    mark = [Span(band(seat)[0], f"team.{seat % 2}"), Span(" ")] if has_mark else []
    width -= len(mark)
    room = width - len("A ") - (len(condition) + 1 if condition else 0)
    is_carrier = bool(state.agents) and not is_dead and state.agents[seat].ammo != UNKNOWN
    if is_carrier and columns(context.name(seat)) > room:
        head = Span(f"{LETTERS[seat]} {context.short_name(seat, width - 2)}", role)
        return [[*mark, head], [*mark, Span(f"  {condition:>{width - 2}}")]]
    line = [*mark, Span(f"{LETTERS[seat]} {justified(context.short_name(seat, room), room)}", role)]
    return [[*line, Span(f" {condition}", quiet)] if condition else line]


def _condition(rules: Pommerman, seen: Seen, seat: int, context: Context) -> str:
    agent = seen.state.agents[seat]
    if not agent.alive:
        where = "" if agent.cell == UNKNOWN else f" {rules.step_rules.grid.name(agent.cell)}"
        return story.fate(context, seat) or f"dead{where}"
    if agent.ammo != UNKNOWN:
        return pocket(agent)
    known = [other for other, one in enumerate(seen.state.agents) if one.ammo != UNKNOWN]
    is_mate = rules.is_team and any((other - seat) % 2 == 0 for other in known)
    return "mate" if is_mate else "alive"


def pocket(agent: Bomber) -> str:
    """An agent's equipment, such as ``1 bomb, range 3, kick``."""
    return f"{counted(agent.ammo, 'bomb')}, range {agent.strength}{', kick' if agent.kicks else ''}"


def _chosen(state: PommermanState, context: Context) -> str:
    marks = (
        f"{LETTERS[seat]} {'*' if seat in context.committed else '-'}"
        for seat, agent in enumerate(state.agents)
        if agent.alive
    )
    return f"chosen  {'  '.join(marks)}"


def _radio(rules: Pommerman, seen: Seen) -> Iterator[str]:
    if not rules.has_radio:
        return
    agents, words = seen.state.agents, seen.state.words
    known = {seat for seat, agent in enumerate(agents) if agent.ammo != UNKNOWN}
    if len(known) == 1:
        (own,) = known
        mate = mate_of(own)
        yield f"radio in {_heard(words, mate)}  out {_heard(words, own)}"
        return
    for side in (0, 1):
        if known & {side, side + 2}:
            yield f"radio {_heard(words, side)}  {_heard(words, side + 2)}"


def _heard(words: Sequence[Words], seat: int) -> str:
    said = words[seat]
    return f"{LETTERS[seat]} {'-' if said == SILENCE else f'{said[0]} {said[1]}'}"


def _time_lines(rules: Pommerman, state: PommermanState, width: int) -> list[str]:
    coming = [step for step in rules.collapses_in(state) if step > state.step]
    parts = f"{moment(state)} of {rules.steps}".split(", ")
    parts += [f"falls in at {coming[0]}"] if coming else []
    lines = [parts[0]]
    for part in parts[1:]:
        joined = f"{lines[-1]}, {part}"
        lines[-1:] = [joined] if len(joined) <= width else [lines[-1], part]
    return lines


def _warnings(rules: Pommerman, state: PommermanState, width: int) -> Iterator[str]:
    grid, known = rules.step_rules.grid, 0
    for steps, mask in enumerate(fires(rules.step_rules, state, SOON), start=1):
        fresh = mask & ~known
        known |= mask
        if fresh:
            lead = f"burns in {steps}"
            names = [grid.name(cell) for cell in bits(fresh)]
            yield lead + _fitting(names, width - len(lead))


def _fitting(names: Sequence[str], room: int) -> str:
    for count in range(len(names), 0, -1):
        rest = f" +{len(names) - count}" if count < len(names) else ""
        text = "".join(f" {name}" for name in names[:count]) + rest
        if len(text) <= room:
            return text
    return f" {len(names)} cells"


def danger_lines(rules: Pommerman, state: PommermanState) -> list[str]:
    """All cells in flames after each of the next steps."""
    grid = rules.step_rules.grid
    masks: Sequence[Mask] = fires(rules.step_rules, state) if state.agents else ()
    lines = [
        f"burns in {steps}: {grid.names(mask, grid.cells)}"
        for steps, mask in enumerate(masks, start=1)
        if mask
    ]
    return lines or [f"Nothing burns in the next {HORIZON} steps."]


def bomb_lines(rules: Pommerman, seen: Seen) -> list[str]:
    """All bombs in sight, the next to go off first."""
    grid = rules.step_rules.grid
    lines = []
    for bomb in sorted(seen.state.bombs, key=lambda bomb: (bomb.life, bomb.cell)):
        text = f"{grid.name(bomb.cell)}: goes off in {bomb.life}, range {bomb.strength}"
        if bomb.owner != UNKNOWN:
            text += ", yours" if bomb.owner == seen.seat else f", laid by {LETTERS[bomb.owner]}"
        if bomb.direction:
            text += f", rolls {MOVE_NAMES[bomb.direction]}"
        lines.append(text)
    return lines or ["No bombs in sight."]
