"""The agents' evaluation of the choices, as a panel and as notes in the list of choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from boardgames_cli.core.text import Glyphs, Picture, Span, cut, shortened, wrapped
from boardgames_cli.evaluation.hints import HintResult

_MOST = 6
"""The maximum number of actions in the panel."""
_COURSE_ROWS: Final = 3
_LOW: Final = 1 / (8 * _COURSE_ROWS)
"""The height of the lowest glyph of a curve."""


def note_on(
    result: HintResult | None, action: Any, worth: Callable[[float], str], *, with_others: bool
) -> str:
    """The note on one action, in one line.

    Args:
        result: The agents' values, if known.
        action: The action.
        worth: Formats a return.
        with_others: Whether to add the values of another agent in the session.
    """
    if result is None or result.hint is None:
        return ""
    hint, others = result.hint, result.others
    value = dict(hint.values).get(action)
    said = _said(value, hint.words.get(action, ""), worth)
    best = "best" if action == hint.best and not said.startswith("best") else ""
    parts = [" ".join(filter(None, (best, said)))]
    if with_others and others is not None and action in others.words:
        parts.append(f"{others.name}: {others.words[action]}")
    return "   ".join(filter(None, parts))


def analysis_picture(
    result: HintResult | None,
    legal: Sequence[Any],
    worth: Callable[[float], str],
    waiting: str,
    width: int,
) -> Picture:
    """The analysis as a panel.

    Args:
        result: The agents' values; None while there are none.
        legal: The actions in the order of their numbers.
        worth: Formats a return.
        waiting: The text shown while there are no values.
        width: Columns.
    """
    lines: list[list[Span]] = [[Span("Analysis", "title")]]
    if result is None or result.hint is None:
        return Picture.of([*lines, [Span(waiting, "muted")]])
    hint, others = result.hint, result.others
    said = {
        action: _said(value, hint.words.get(action, ""), worth) for action, value in hint.values
    }
    order = [action for action, _ in hint.values if action in legal]
    lines += _section(order, legal, said, width, hint.best)
    if others is not None and others.words:
        lines += [[], [Span(cut(f"{others.name}'s view", width), "title")]]
        known = [action for action in order if action in others.words]
        lines += _section(known, legal, others.words, width, None)
    return Picture.of(lines)


def _said(value: float | None, words: str, worth: Callable[[float], str]) -> str:
    # Words include the number and say what kind of number it is.
    return words or ("" if value is None else worth(value))


def _section(
    order: Sequence[Any],
    legal: Sequence[Any],
    said: Mapping[Any, str],
    width: int,
    best: Any,
) -> list[list[Span]]:
    lines = []
    named = max((len(str(action)) for action in order), default=0)
    for action in order[:_MOST]:
        role = "hint" if action == best else ""
        head = f"{legal.index(action) + 1:>2} "
        text = said.get(action, "")
        if len(head) + named + 2 + len(text) <= width:
            lines.append([Span(head, "key"), Span(f"{action!s:<{named}}  {text}", role)])
            continue
        lines.append([Span(head, "key"), Span(str(action), role)])
        lines += [[Span(f"   {part}", role or "muted")] for part in wrapped(text, width - 3)]
    rest = len(order) - _MOST
    return [*lines, [Span(f"   and {rest} more", "muted")]] if rest > 0 else lines


def course_picture(
    points: Sequence[float | None], head: Span, width: int, glyphs: Glyphs
) -> Picture | None:
    """A seat's winning probability so far as a curve; None if unknown.

    Args:
        points: The winning probability (0 to 1) at each ply, as far as known.
        head: The heading; the curve has the same role.
        width: Columns. A short game takes a column for each ply.
        glyphs: Which characters may be used.
    """
    if all(point is None for point in points):
        return None
    # Imported late: it is rarely used, and imports the reviews.
    from boardgames_cli.evaluation.plots import blocks, resample

    title = Span(shortened(head.text, width), head.role)
    # Even a lost position shows a line; otherwise the curve would seem to be missing.
    heights = [max(_LOW, share) for share in resample(points, min(width, len(points)))]
    rows = blocks(heights, _COURSE_ROWS, glyphs)
    return Picture.of([[title], *([Span(row, head.role)] for row in rows)])
