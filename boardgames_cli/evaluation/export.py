"""Exports a review as a self-contained HTML page."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.presentation.styles import GROUND, LIGHT, SEAT_COLOURS, RoleStyles
from boardgames_cli.core.presentation.view import AnyView, RenderContext, Size
from boardgames_cli.core.text import Glyphs, Picture, sentence
from boardgames_cli.evaluation.plots import course, resample
from boardgames_cli.evaluation.review_result import Decision, Review, ReviewStep
from boardgames_cli.evaluation.review_text import decision_words, figures, listed, story
from boardgames_cli.registry import spec_of
from boardgames_cli.tournament.reports.pictures import html_page, svg_image, svg_text

_FONT: Final = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
_CURVE: Final = (720, 150)
"""The size of a curve."""
_MARGIN: Final = 24


def picture_html(picture: Picture, styles: RoleStyles, label: str) -> str:
    """A picture as an HTML element, in the colours of a theme."""
    from rich.style import Style
    from rich.terminal_theme import DEFAULT_TERMINAL_THEME

    front, back = GROUND[styles.theme]
    ground = Style.parse(f"{front} on {back}")

    @functools.cache
    def css(role: str) -> str:
        style = sum(map(Style.parse, styles.layers(role)), ground)
        return style.get_html_style(DEFAULT_TERMINAL_THEME)

    lines = [
        "".join(f'<span style="{css(span.role)}">{escape(span.text)}</span>' for span in spans)
        for spans in picture.lines
    ]
    look = f"color:{front};background:{back};font:14px/16px {_FONT};white-space:pre"
    joined = "\n".join(lines)
    return f'<pre role="img" aria-label="{escape(label)}" style="{look}">{joined}</pre>'


def curve_svg(
    lines: Sequence[tuple[str, str, Sequence[float]]],
    marks: Sequence[tuple[float, int, str]],
    label: str,
) -> str:
    """Curves over a whole game, with heights from 0 to 1, as an HTML element.

    Marks are mistakes: the position (0 to 1), the index of the line, and the label.
    """
    width, height = _CURVE
    inner = height - _MARGIN

    def point(at: float, value: float) -> str:
        return f"{at * width:.1f},{4 + (1 - value) * (inner - 8):.1f}"

    parts = [
        f'<rect width="{width}" height="{inner}" fill="#fffdf7" stroke="#d8cdb0"/>',
        f'<line x1="0" y1="{inner / 2}" x2="{width}" y2="{inner / 2}" stroke="#d8cdb0"/>',
    ]
    for _, colour, heights in lines:
        count = max(1, len(heights) - 1)
        points = " ".join(point(at / count, value) for at, value in enumerate(heights))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
    for at, line, name in marks:
        colour, heights = lines[line][1:]
        value = heights[min(len(heights) - 1, round(at * (len(heights) - 1)))]
        x, _, y = point(at, value).partition(",")
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}"><title>{escape(name)}</title>'
            "</circle>"
        )
    for number, (name, colour, _) in enumerate(lines):
        left, bold = number * width / max(1, len(lines)), ' font-weight="bold"'
        parts.append(svg_text(left, height - 7, name, "start", size=12, colour=colour, more=bold))
    return svg_image(width, height, label, parts)


_BOARD: Final = Size(78, 22)
_POINTS: Final = 360
_MOST_BOARDS: Final = 40
"""The maximum number of mistakes shown with a board."""


def review_page(match: AnyMatch, review: Review, ending: str, seat: Seat) -> str:
    """A review as one page of HTML for a seat: words, the curve as SVG, boards, and the figures."""
    title = f"{match.game.info.name}: {' v '.join(review.names)}"
    body = [f"<h1>{escape(title)}</h1>", *_paragraphs(ending, *story(review, seat)), _curve(review)]
    found = listed(review, seat)
    body += ["<h2>What cost most</h2>"] if found else []
    for number, (step, decision) in enumerate(found):
        board = _board(match, review, step.ply) if number < _MOST_BOARDS else ""
        body.append(_section(review, step, decision, board))
    told = escape(str(Picture.of(figures(review, seat, _BOARD.width))))
    body.append(f"<h2>Figures</h2>\n<pre>{told}</pre>")
    return html_page(title, "\n".join(body) + "\n")


def _paragraphs(*texts: str) -> list[str]:
    return [f"<p>{escape(text)}</p>" for text in texts if text]


def _section(review: Review, step: ReviewStep, decision: Decision, board: str) -> str:
    rows = "".join(
        f"<tr><td>{escape(label)}</td><td>{escape(value)}</td><td>{escape(words)}</td></tr>"
        for label, value, words in _choices(review, decision)
    )
    parts = [
        f"<section><h3>{escape(decision_words(review, step, decision))}</h3>",
        *_paragraphs(sentence(decision.reason.text)),
        *filter(None, (board,)),
        f"<table><tr><th>choice</th><th>costs</th><th></th></tr>{rows}</table>",
        "</section>",
    ]
    return "\n".join(parts)


def _board(match: AnyMatch, review: Review, ply: int) -> str:
    view: AnyView = spec_of(match.game).make_view(match.game)
    last = match.steps[ply - 1] if ply else None
    context: RenderContext[Any, Any] = RenderContext(Glyphs.UNICODE, review.names, last=last)
    seen: Observation[Any, Any] = Observation(None, ply, match.state_at(ply), ())
    styles = RoleStyles(LIGHT, view.palette.get(LIGHT, {}))
    board = view.picture(seen, _BOARD, context)
    return picture_html(board, styles, f"The board before step {ply + 1}")


def _curve(review: Review) -> str:
    seats = range(len(review.names)) if len(review.names) > 2 else range(1)
    colours = SEAT_COLOURS[LIGHT]
    lines = [
        (review.names[seat], colours[seat % len(colours)], resample(course(review, seat), _POINTS))
        for seat in seats
    ]
    marks = []
    for step, decision in review.mistakes():
        line = decision.seat if len(lines) > 1 else 0
        name = f"{decision.moment}: {decision.choice.label} {decision.mark.value}"
        marks.append((step.ply / max(1, review.total_steps), line, name))
    what = "chance to win" if review.scale.is_chance else "expected result"
    return curve_svg(lines, marks, f"The {what} of {', '.join(line[0] for line in lines)}")


def _choices(review: Review, decision: Decision) -> list[tuple[str, str, str]]:
    return [
        (
            f"{choice.label}{' (played)' if choice.action == decision.played else ''}",
            review.scale.format_cost(choice) if choice.loss > 0 else "best",
            choice.words,
        )
        for choice in decision.choices
    ]


def check_export(path: Path) -> None:
    """Refuse a name for an exported review that is none of a page."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise GameError(
            f"a review can't be written as {path.name}.", "Name a file that ends in .html."
        )
