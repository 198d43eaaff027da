"""The state of a review on the replay screen, possibly still in progress."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Seat
from boardgames_cli.core.text import (
    Picture,
    Span,
    justified,
    percent,
    sentence,
    shortened,
    wrapped,
)
from boardgames_cli.evaluation.plots import course, curve, resample
from boardgames_cli.evaluation.review_result import (
    Decision,
    Review,
    ReviewedChoice,
    ReviewStep,
    StepKind,
    awaits_decision,
)
from boardgames_cli.evaluation.review_text import review_page, throw_words
from boardgames_cli.evaluation.reviewer import ReviewJob, ReviewNews, check_reviewable
from boardgames_cli.session.played_reviews import reviewed
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.snapshot import LogLine, TableSnapshot
from boardgames_cli.storage.store import Store
from boardgames_cli.tui.widgets.choices import ChoiceRow, choice_lines, first_fitting

_LEAST_LUCK: Final = 0.005
"""Luck below this share of the scale is not mentioned."""
_MOST_CHOICES: Final = 8
_AROUND_LABEL: Final = len("> ") + len(" ??") + len(" played")
"""The columns of a choice besides its label and its value."""


def column_of(ply: int, last: int, columns: int) -> int:
    """The column of a ply on a line from the first to the last."""
    return round(ply / last * (columns - 1)) if last and columns > 1 else 0


def _labels(review: Review, seats: Sequence[Seat], ply: int, width: int, height: int) -> list[Span]:
    if len(seats) == 2:
        own, other = ((review.names[seat], f"seat.{seat}") for seat in seats)
        between = [("", "")] * ((height - 3) // 2)
        rows = [own, *between, (_worth(review, seats[0], ply), "title"), *between, other]
    else:
        rows = []
        for seat in seats:
            text = _worth(review, seat, ply)
            name = shortened(review.names[seat], max(3, width - len(text) - 2))
            rows += [(f"{name} {text}", f"seat.{seat}"), *[("", "")] * (height - 1)]
    return [Span(f" {justified(shortened(text, width - 1), width)}", role) for text, role in rows]


def _worth(review: Review, seat: Seat, ply: int) -> str:
    for at in range(min(ply, review.total_steps), -1, -1):
        value = review.value_at(at)
        if value is not None:
            own = value.returns[seat]
            if value.distance:
                return value.verdict(seat)
            return percent(value.chances[seat], 1) if value.chances else _bare(review, own)
    return ""


def _bare(review: Review, value: float) -> str:
    return review.scale.format_return(value).removesuffix(f" {review.scale.name}")


def choices_panel(
    review: Review, step: ReviewStep, decision: Decision, chosen: int, width: int
) -> Picture:
    """The values of all choices of a decision, best first; ``chosen`` is shown on the board."""
    scale = review.scale
    unit = f"{'%' if scale.is_chance else scale.name} {scale.part}".strip()
    is_exact = step.value.is_exact if step.value is not None else review.method.is_exact
    kind = "exact" if is_exact else "estimate"
    shown = _shown(decision, chosen)
    rows = _choice_rows(review, decision, [decision.choices[at] for at in shown], width)
    if scale.is_chance and any(map(str.isalpha, rows[0].value)):
        unit = "plies"
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
    values = [_bare(review, choice.returns[decision.seat] - decision.settled) for choice in choices]
    around = _AROUND_LABEL + max(len(choice.label) for choice in choices) + 1
    if any(choice.plies_lost and choice.words for choice in decision.choices):
        # The result is the same, so that its chances alone would tell nothing.
        told = [choice.words for choice in choices]
        if around + max(map(len, told)) <= width:
            values = told
        elif len({words.split()[0] for words in told}) == 1:  # the line below says of what
            values = [words.partition(" ")[2] for words in told]
    if around + max(map(len, values)) > width:  # figures are cut before moves
        values = [value.removesuffix(" %") for value in values]
    widest = max(map(len, values))
    has_room = around + widest + len(" 100 %") <= width
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


def log_by_turn(
    review: Review, lines: Sequence[LogLine], notes: Sequence[tuple[int, str]]
) -> list[LogLine]:
    """Merge throws and decisions in a log, and add the marks of mistakes.

    Notes are lines that are no steps, each with its ply; they are never merged.
    """
    remarks = set(notes)
    joined: list[LogLine] = []
    marked = 0
    for line in lines:
        if (line.ply, line.text) in remarks or not 0 < line.ply <= len(review.steps):
            joined.append(line)
            continue
        if marked < line.ply:  # the mark goes to the first sentence of a step
            marked = line.ply
            line = _with_mark(review, line)
            before = joined[-1] if joined else None
            if (
                before is not None
                and before.ply == line.ply - 1
                and (before.ply, before.text) not in remarks
                and awaits_decision(review, before.ply - 1)
            ):
                seat = review.steps[before.ply - 1].seat
                name = "" if seat is None else review.names[seat]
                joined[-1] = replace(line, text=_join(before.text, line.text, name))
                continue
        joined.append(line)
    return joined


def _with_mark(review: Review, line: LogLine) -> LogLine:
    decisions = review.steps[line.ply - 1].decisions
    if len(decisions) != 1 or not decisions[0].is_mistake:
        return line
    return replace(line, text=f"{line.text.removesuffix('.')} {decisions[0].mark.value}")


def _join(thrown: str, decided: str, name: str) -> str:
    start = f"{name} "
    if thrown.startswith(start) and decided.startswith(start) and ":" not in thrown:
        return f"{thrown.removesuffix('.')}: {decided.removeprefix(start)}"
    return f"{thrown} {decided}"


def listed_moves(replay: Replay, review: ReviewModel | None) -> list[tuple[int, str, str]]:
    """All turns of a game: the ply of the decision, what was done, and its mark with the cost."""
    remarks = set(replay.notes)
    lines = (review or replay).log(replay.match.ply)
    steps = [line for line in lines if line.ply and (line.ply, line.text) not in remarks]
    found = []
    for ply, of_turn in itertools.groupby(steps, lambda line: line.ply - 1):
        decision = None if review is None else review.decision(ply)
        text, cost = " ".join(line.text for line in of_turn), ""
        if review is not None and review.review is not None and decision and decision.is_mistake:
            mark, choice = decision.mark.value, decision.choice
            text, cost = text.replace(f" {mark}", ".", 1), review.review.scale.format_cost(choice)
            cost = f"{mark:<2} {f'-{cost}' if cost else choice.words}"
        found.append((ply, text, cost))
    return found


class ReviewModel:
    """The review of a replay, and the selected choice of a decision."""

    def __init__(self, replay: Replay, store: Store) -> None:
        self.replay = replay
        """The game."""
        self._tell: Callable[[ReviewNews], None] = self.take
        self._is_started = False
        self.review: Review | None = None
        """The review so far."""
        self.problem = ""
        """Why the review can't continue."""
        self._index: int | None = None
        self.seats = tuple(
            sorted(
                range(replay.game.seats),
                key=lambda seat: (seat != replay.reader, seat not in replay.people),
            )
        )
        """All seats, the viewer's first."""

        game = reviewed(store, replay)
        self._job = ReviewJob(game)

    def tell(self, tell: Callable[[ReviewNews], None]) -> None:
        """Let news be told to a screen, which passes it to `take` in its thread; go on faster."""
        self._tell = tell
        self._job.give_way.is_urgent.set()

    def tell_nobody(self) -> None:
        self._tell = self.take

    def start(self) -> None:
        """Start the review, unless it has started; if that fails, `problem` says why."""
        if self._is_started:
            return
        self._is_started = True
        game = self._job.game
        try:
            name = "shown" if game.file is None else game.file.stem.removesuffix(".review")
            check_reviewable(game.match, name)
        except GameError as error:
            self.problem = str(error)
            return
        # The cached list is made here, because two threads must not make it at once.
        _ = game.match.steps
        self._job.start(lambda news: self._tell(news))

    def stop(self) -> None:
        self._job.cancelled.set()

    def take(self, news: ReviewNews) -> None:
        self.review = news.review or self.review
        self.problem = news.problem

    def step(self, ply: int) -> ReviewStep | None:
        """The step after a ply; None if it is not reviewed yet, or does not exist."""
        review = self.review
        return review.steps[ply] if review is not None and 0 <= ply < len(review.steps) else None

    def decision(self, ply: int) -> Decision | None:
        """The decision at a ply; of several the one with the largest loss."""
        step = self.step(ply)
        if step is None or not step.decisions:
            return None
        return max(step.decisions, key=lambda one: (one.sure_loss, one.seat == self.seats[0]))

    def mistake_from(self, ply: int, by: int, *, is_own: bool) -> int | None:
        """The ply of the next (1) or previous (-1) mistake, in a circle; None if there is none."""
        if self.review is None:
            return None
        people = self.replay.people if is_own else ()
        marked = self.review.mistakes()
        plies = [step.ply for step, one in marked if not people or one.seat in people]
        beyond = [at for at in plies if (at - ply) * by > 0] or plies
        return (min if by > 0 else max)(beyond, default=None)

    def stop_at(self, ply: int, by: int) -> int:
        """Where to stop when moving to a ply: a throw is skipped to its decision."""
        while ply > 0 and self.review is not None and awaits_decision(self.review, ply):
            ply += by
        return ply

    def leave_moment(self) -> None:
        self._index = None

    def chosen(self, decision: Decision) -> int:
        """The index of the selected choice: the best one, unless another was selected."""
        index = 0 if self._index is None else self._index
        return min(index, len(decision.choices) - 1)

    def move(self, ply: int, by: int) -> None:
        decision = self.decision(ply)
        if decision is not None:
            self._index = (self.chosen(decision) + by) % len(decision.choices)

    def choose(self, ply: int, notation: str) -> None:
        """Select a choice by its notation."""
        decision = self.decision(ply)
        for at, one in enumerate(() if decision is None else decision.choices):
            if one.action == notation:
                self._index = at

    def snapshot(self, ply: int) -> TableSnapshot:
        """What is shown at a ply: the decision's choices, and the chosen one under the cursor."""
        replay = self.replay
        shown, decision = replace(replay.snapshot(ply), log=self.log(ply)), self.decision(ply)
        if decision is None:
            return shown
        game, state = replay.game, replay.match.state_at(ply)
        legal = tuple(game.legal_actions(state, decision.seat))
        wanted = decision.choices[self.chosen(decision)].action
        action = next((action for action in legal if str(action) == wanted), None)
        seen = shown.seen._replace(legal=legal)
        return replace(shown, seen=seen).pointing_at(action)

    def log(self, ply: int) -> list[LogLine]:
        """The log up to a ply with one line per turn; see `log_by_turn`."""
        lines = self.replay.log(ply)
        return lines if self.review is None else log_by_turn(self.review, lines, self.replay.notes)

    def summary(self, width: int, *, has_figures: bool) -> Picture:
        if self.review is None:
            return Picture.of([Span("Reviewing the first step …", "muted")])
        return review_page(self.review, self.seats[0], width, has_figures=has_figures)

    def graph(self, ply: int, place: tuple[int, int], rows: int) -> Picture:
        """The course of the game: a curve for two seats, the viewer's, otherwise a band per seat.

        Its place is the first column and the width; the names are to its left. There are at least 3
        rows for two seats, and one for each seat otherwise.
        """
        review, seats = self.review, self.seats
        if review is None:
            return Picture.of([])
        first, columns = place
        last = review.total_steps
        marked = column_of(ply, last, columns)
        lines: list[list[Span]] = []
        is_pair = len(seats) == 2
        height = (rows - 1) // 2 * 2 + 1 if is_pair else max(1, rows // len(seats))
        for seat in seats[:1] if is_pair else seats:
            points = course(review, seat)
            filled = resample(points, len(points))
            plies = [round(column / max(1, columns - 1) * last) for column in range(columns)]
            heights = [filled[at] for at in plies if at < len(filled)]
            roles = [f"seat.{one}" for one in (seats if is_pair else (seat,))]
            parts = heights[:marked], heights[marked + 1 :]
            before, after = (curve(part, height, roles, self.replay.glyphs) for part in parts)
            gap, here = Span(" " * (marked - len(heights))), Span(" ", f"{roles[0]} highlight")
            lines += [[*row, gap, here, *rest] for row, rest in zip(before, after, strict=True)]
        labels = _labels(review, seats, ply, first - 1, height)
        return Picture.of([[label, *line] for label, line in zip(labels, lines, strict=True)])

    def marks(self, columns: int) -> dict[int, str]:
        """The cells of a line along the game that have marks, one apart, the worst ones first."""
        found = self.review.mistakes() if self.review is not None else []
        cells: dict[int, str] = {}
        for step, decision in sorted(found, key=lambda pair: -pair[1].loss):
            mark = decision.mark.value
            first = column_of(step.ply, self.replay.match.ply, columns)
            first = min(first, columns - len(mark))
            if not cells.keys() & set(range(first - 1, first + len(mark) + 1)):
                cells |= dict(enumerate(mark, start=first))
        return cells

    def panel(self, ply: int, width: int) -> Picture | None:
        """The side panel: the values of the choices."""
        review, step, decision = self.review, self.step(ply), self.decision(ply)
        if review is None or step is None or decision is None or decision.is_forced:
            return None
        return choices_panel(review, step, decision, self.chosen(decision), width)

    def words(self, ply: int) -> tuple[list[Span], str]:
        """The verdict on the decision at a ply, with its throw, and why another was better."""
        review, step, decision = self.review, self.step(ply), self.decision(ply)
        if review is None or step is None or decision is None:
            return [], ""
        name, role = review.names[decision.seat], f"seat.{decision.seat}"
        scale, played, thrown = review.scale, decision.choice, throw_words(review, step)
        spans = [Span(f"{name} ", role)]
        if thrown:
            spans.append(Span(f"{thrown}: ", "muted"))
        spans.append(Span(played.label if thrown else f"played {played.label}"))
        if decision.is_forced:
            return [*spans, Span(", the only choice", "muted")], ""
        if decision.is_mistake:
            spans.append(Span(f" {decision.mark.value}", "bad"))
        if scale.is_notable(decision.loss, decision.loss_error):
            cost = scale.format_cost(played)
            spans += [
                Span(f"{f' costs {cost}' if cost else ''}; better: "),
                Span(decision.best.label, "hint"),
            ]
            return spans, sentence(decision.reason.text)
        word = ", the best choice" if decision.loss <= 1e-9 else ", as good as the best choice"
        return [*spans, Span(word, "good")], ""

    def luck(self, ply: int) -> str:
        """The luck of the last and the next chance step, from the viewer's side; may be empty.

        The luck of a throw is shown with the decision after it.
        """
        review, seat = self.review, self.seats[0]
        for at in (ply, ply - 1):
            step = self.step(at)
            if review is None or step is None or step.kind is not StepKind.CHANCE:
                continue
            is_notable = abs(review.scale.share(step.luck[seat])) >= _LEAST_LUCK
            if is_notable and not awaits_decision(review, at):
                words = f"luck {review.scale.format(step.luck[seat])} for {review.names[seat]}"
                return words if at == ply else f"{words} before"
        return ""

    @property
    def progress(self) -> str:
        """The progress of the review; empty when it is complete."""
        review = self.review
        if self.problem or (review is not None and review.is_complete):
            return ""
        done = len(review.steps) if review is not None else 0
        return f"reviewing {done} of {self.replay.match.ply}"
