"""Pictures of a review: the course of the game, and the values of choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.core.text import Glyphs, Picture, Span, justified, percent, shortened, wrapped
from boardgames_cli.evaluation.plots import blocks, course, resample
from boardgames_cli.evaluation.report import (
    closing_lines,
    describe_luck,
    describe_method,
    throw_words,
)
from boardgames_cli.evaluation.review import (
    Decision,
    Review,
    ReviewedChoice,
    ReviewStep,
    StepKind,
    awaits_decision,
)
from boardgames_cli.tui.choice_lines import ChoiceRow, choice_lines, first_fitting

_ROWS: Final = 3
"""The height of the curve for two seats."""
_LEAST_LUCK: Final = 0.005
"""Luck below this share of the scale is not mentioned."""
_MOST_CHOICES: Final = 8
_AROUND_LABEL: Final = len("> ") + len(" ??") + len(" played")
"""The columns of a choice besides its label and its value."""


def column_of(ply: int, last: int, columns: int) -> int:
    """The column of a ply on a line from the first to the last."""
    return round(ply / last * (columns - 1)) if last and columns > 1 else 0


def graph(
    review: Review, seats: Sequence[Seat], ply: int, place: tuple[int, int], glyphs: Glyphs
) -> Picture:
    """The course of the game: a curve for two seats, otherwise one band per seat.

    Args:
        review: The review, complete or partial.
        seats: All seats, the viewer's first; for two seats, its curve is drawn.
        ply: The marked ply.
        place: The first column and the width of the curve; the names are to its left.
        glyphs: Which characters may be used.
    """
    first, columns = place
    last = review.total_steps
    marked = column_of(ply, last, columns)
    lines: list[list[Span]] = []
    for seat in seats if len(seats) != 2 else seats[:1]:
        points = course(review, seat)
        filled = resample(points, len(points))
        plies = [round(column / max(1, columns - 1) * last) for column in range(columns)]
        heights = [filled[at] for at in plies if at < len(filled)]
        rows = _ROWS if len(seats) == 2 else 1
        for row in blocks(heights, rows, glyphs):
            row = f"{row:<{columns}}"
            role = f"seat.{seat}"
            lines.append(
                [
                    Span(row[:marked], role),
                    Span(row[marked], f"{role} highlight"),
                    Span(row[marked + 1 :], role),
                ]
            )
    labels = _labels(review, seats, ply, first - 1)
    return Picture.of([[label, *line] for label, line in zip(labels, lines, strict=True)])


def _labels(review: Review, seats: Sequence[Seat], ply: int, width: int) -> list[Span]:
    if len(seats) == 2:
        text = _worth(review, seats[0], ply)
        rows = [(review.names[seats[0]], f"seat.{seats[0]}"), (text, "title")]
        rows.append((review.names[seats[1]], f"seat.{seats[1]}"))
    else:
        rows = []
        for seat in seats:
            text = _worth(review, seat, ply)
            name = shortened(review.names[seat], max(3, width - len(text) - 2))
            rows.append((f"{name} {text}", f"seat.{seat}"))
    return [Span(f" {justified(shortened(text, width - 1), width)}", role) for text, role in rows]


def _worth(review: Review, seat: Seat, ply: int) -> str:
    """The last known value of the position."""
    for at in range(min(ply, review.total_steps), -1, -1):
        value = review.value_at(at)
        if value is not None:
            return _bare(review, value.returns[seat])
    return ""


def _bare(review: Review, value: float) -> str:
    """An expected return without the name of the scale."""
    return review.scale.format_return(value).removesuffix(f" {review.scale.name}")


def mistake_columns(review: Review, last: int, columns: int) -> dict[int, str]:
    """The mark of the worst mistake in each column of a line along the game."""
    worst: dict[int, Decision] = {}
    for step, decision in review.mistakes():
        column = column_of(step.ply, last, columns)
        if column not in worst or decision.loss > worst[column].loss:
            worst[column] = decision
    return {column: decision.mark.value[0] for column, decision in worst.items()}


# -- beside the board ----------------------------------------------------------------------------


def choices_panel(
    review: Review, step: ReviewStep, decision: Decision, chosen: int, width: int
) -> Picture:
    """The values of all choices of a decision, best first.

    Args:
        review: The review.
        step: The step of the decision.
        decision: The decision.
        chosen: The index of the choice shown on the board.
        width: Columns.
    """
    scale = review.scale
    unit = "% to win" if scale.is_chance else scale.name
    is_exact = step.value.is_exact if step.value is not None else review.method.is_exact
    kind = "exact" if is_exact else "estimate"
    shown = _shown(decision, chosen)
    rows = _choice_rows(review, decision, [decision.choices[at] for at in shown], width)
    kinds = (f"{kind}, {unit}", f"{kind}, {unit.split()[0]}", kind)
    room = width - _AROUND_LABEL - len(rows[0].value)
    lines = choice_lines(kinds, rows, shown.index(chosen), width, room)
    left = len(decision.choices) - len(shown)
    if left:
        lines.append([Span(f"   and {left} more", "muted")])
    if decision.choice.loss_error:
        error = scale.format_loss(decision.choice.loss_error)
        lines.append(
            [Span(first_fitting((f"standard error {error}", f"error {error}"), width), "muted")]
        )
    words = decision.choices[chosen].words
    lines += [[Span(part, "muted")] for part in wrapped(words, width)[:2]]
    return Picture.of(lines)


def _shown(decision: Decision, chosen: int) -> list[int]:
    """The best choices, with the one played and the one chosen."""
    count = len(decision.choices)
    played = next(at for at in range(count) if decision.choices[at].action == decision.played)
    if count <= _MOST_CHOICES:
        return list(range(count))
    others = [at for at in range(count) if at not in (played, chosen)]
    kept = others[: _MOST_CHOICES - len({played, chosen})]
    return sorted({*kept, played, chosen})


def _choice_rows(
    review: Review, decision: Decision, choices: Sequence[ReviewedChoice], width: int
) -> list[ChoiceRow]:
    """Choices with their values, and with their frequencies if there is space."""
    values = [_bare(review, choice.returns[decision.seat]) for choice in choices]
    widest = max(map(len, values))
    longest = max(len(choice.label) for choice in choices)
    has_room = _AROUND_LABEL + longest + 1 + widest + len(" 100 %") <= width
    rows = []
    for choice, value in zip(choices, values, strict=True):
        is_played = choice.action == decision.played
        is_best = choice.loss <= 1e-9
        role = "bad" if is_played and decision.is_mistake else "hint" if is_best else ""
        mark = decision.mark.value if is_played else ""
        frequency = choice.frequency if has_room else None
        often = "" if frequency is None else f" {percent(frequency):>5}"
        tail = " played" if is_played else " best" if is_best else ""
        shown = f" {value:>{widest}}{often}"
        rows.append(ChoiceRow(choice.action, choice.label, mark, shown, tail, role))
    return rows


def summary_panel(review: Review, width: int) -> Picture:
    """The summary shown after the end of the game."""
    texts = [*closing_lines(review), describe_luck(review)]
    lines = [[Span("Review", "title")]]
    for text in texts:
        lines += [[Span(part)] for part in wrapped(text, width)]
    method = wrapped(describe_method(review), width, max_lines=4)
    return Picture.of([*lines, *([Span(part, "muted")] for part in method)])


# -- in words ------------------------------------------------------------------------------------


def verdict(review: Review, step: ReviewStep, decision: Decision) -> tuple[list[Span], str]:
    """A decision with its throw in one line, and why another choice was better."""
    scale, played = review.scale, decision.choice
    name, thrown = review.names[decision.seat], throw_words(review, step)
    spans = [Span(f"{name} ", f"seat.{decision.seat}")]
    if thrown:
        spans.append(Span(f"{thrown}: ", "muted"))
    spans.append(Span(played.label if thrown else f"played {played.label}"))
    if decision.is_forced:
        return [*spans, Span(", the only choice", "muted")], ""
    if decision.is_mistake:
        spans.append(Span(f" {decision.mark.value} ", "bad"))
    if scale.is_notable(decision.loss, decision.loss_error):
        loss = scale.format_loss(decision.loss)
        spans += [
            Span(f"{'' if decision.is_mistake else ' '}loses {loss}; better: "),
            Span(decision.best.label, "hint"),
        ]
        return spans, decision.reason.text
    word = ", the best choice" if decision.loss <= 1e-9 else ", as good as the best choice"
    return [*spans, Span(word, "good")], ""


def luck_words(review: Review, step: ReviewStep | None, seats: Sequence[Seat]) -> str:
    """The luck of a step, from the viewer's side; empty if negligible.

    The luck of a throw is shown with the decision after it.
    """
    if step is None or step.kind is not StepKind.CHANCE or awaits_decision(review, step.ply):
        return ""
    seat = seats[0]
    amount = step.luck[seat]
    if abs(review.scale.share(amount)) < _LEAST_LUCK:
        return ""
    return f"luck {review.scale.format(amount)} for {review.names[seat]}"
