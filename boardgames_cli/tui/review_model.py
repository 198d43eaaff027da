"""What a review says of each moment of a replay, while it is still being made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from boardgames_cli.analysis.report import dearest
from boardgames_cli.analysis.review import Decision, Review, ReviewStep
from boardgames_cli.analysis.turns import awaits_decision
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Observation
from boardgames_cli.core.text import Picture, Span
from boardgames_cli.session.game_log import LogLine
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.review_thread import ReviewNews, ReviewThread
from boardgames_cli.tui import review_pictures as pictures


def log_by_turn(
    review: Review, lines: Sequence[LogLine], notes: Sequence[tuple[int, str]]
) -> list[LogLine]:
    """The lines of a log with throw and decision in one, and the marks of mistakes.

    Args:
        review: The review, complete or not; what is not judged yet stays as it was.
        lines: The log in order.
        notes: Its lines that are no steps, each with its ply: nothing is joined to them.
    """
    remarks = set(notes)
    joined: list[LogLine] = []
    marked = 0
    for line in lines:
        if (line.ply, line.text) in remarks or not 0 < line.ply <= len(review.steps):
            joined.append(line)
            continue
        if marked < line.ply:  # the first sentence of a step says what was done
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
    """Two sentences as one, with a name that both begin with said once."""
    start = f"{name} "
    if thrown.startswith(start) and decided.startswith(start) and ":" not in thrown:
        return f"{thrown.removesuffix('.')}: {decided.removeprefix(start)}"
    return f"{thrown} {decided}"


class ReviewModel:
    """The review of a replay, and which of the choices of a moment is looked at.

    Args:
        replay: The game.
        deliver: Brings news to `take`; called in the thread that judges.
    """

    def __init__(self, replay: Replay, deliver: Callable[[ReviewNews], None]) -> None:
        self._replay = replay
        self._thread = ReviewThread(replay, deliver)
        self.review: Review | None = None
        """What is judged so far."""
        self.problem = ""
        """Why there is no more to come."""
        self.is_hidden = False
        """Whether the values are hidden, because the reader is to decide again."""
        self._index: int | None = None
        reader = replay.viewpoint.seat or 0
        people = replay.people
        self.seats = tuple(
            sorted(range(replay.game.seats), key=lambda seat: (seat not in people, seat != reader))
        )
        """All seats, the reader's first."""

    def start(self) -> None:
        """Begin to judge; a game that can't be judged leaves a problem."""
        try:
            self._thread.start()
        except GameError as error:
            self.problem = str(error)

    def stop(self) -> None:
        """Want no more; what was judged is kept beside the save."""
        self._thread.stop()

    def take(self, news: ReviewNews) -> None:
        """Receive what is judged."""
        self.review = news.review or self.review
        self.problem = news.problem

    # -- moments -----------------------------------------------------------------------------

    def step(self, ply: int) -> ReviewStep | None:
        """The step after a ply; None if it is not judged yet, or there is none."""
        review = self.review
        return review.steps[ply] if review is not None and 0 <= ply < len(review.steps) else None

    def decision(self, ply: int) -> Decision | None:
        """The decision taken at a ply; of several the one that cost most."""
        step = self.step(ply)
        if step is None or not step.decisions:
            return None
        return max(step.decisions, key=lambda one: (one.sure_loss, one.seat == self.seats[0]))

    def mistake_from(self, ply: int, by: int) -> int | None:
        """The ply of the next mistake (``by`` 1), or of the one before (-1); None if none is."""
        if self.review is None:
            return None
        plies = [step.ply for step, _ in dearest(self.review)]
        found = [at for at in plies if (at > ply if by > 0 else at < ply)]
        return (min(found) if by > 0 else max(found)) if found else None

    def stop_at(self, ply: int, by: int) -> int:
        """Where a reader who goes on, or back, to a ply stops: a throw is one with its decision.

        Args:
            ply: Where to go.
            by: Forward (1) or back (-1).
        """
        while ply > 0 and self.review is not None and awaits_decision(self.review, ply):
            ply += by
        return ply

    def leave_moment(self) -> None:
        """Another moment is looked at."""
        self._index, self.is_hidden = None, False

    # -- choices -----------------------------------------------------------------------------

    def chosen(self, decision: Decision) -> int:
        """The place of the choice that is looked at: the best one, unless another was chosen."""
        index = 0 if self._index is None else self._index
        return min(index, len(decision.choices) - 1)

    def move(self, ply: int, by: int) -> None:
        """Look at another choice."""
        decision = self.decision(ply)
        if decision is not None:
            self._index = (self.chosen(decision) + by) % len(decision.choices)

    def choose(self, ply: int, notation: str) -> str:
        """Look at the choice of a notation; returns what to say of it, compared to the game."""
        decision, review = self.decision(ply), self.review
        if decision is None or review is None:
            return ""
        places = [at for at, one in enumerate(decision.choices) if one.action == notation]
        if not places:
            return ""
        self._index, self.is_hidden = places[0], False
        choice, scale = decision.choices[places[0]], review.scale
        if choice.action == decision.played:
            return f"{choice.label} is what was played."
        gain = decision.loss - choice.loss
        if choice.loss <= 1e-9:
            verdict = "the best choice"
        elif not scale.is_worth_telling(choice.loss, choice.loss_error):
            verdict = "as good as the best choice"
        else:
            verdict = f"{scale.say_loss(choice.loss)} short of the best choice"
        if not scale.is_worth_telling(abs(gain), decision.loss_error):
            compared = "no different from what was played"
        else:
            word = "better" if gain > 0 else "worse"
            compared = f"{scale.say_loss(abs(gain))} {word} than what was played"
        return f"{choice.label}: {verdict}, {compared}."

    def seen(self, ply: int) -> tuple[Observation[Any, Any], Any]:
        """What the board shows at a ply: the position, and the action that is highlighted."""
        replay = self._replay
        seen, decision = replay.seen(ply), self.decision(ply)
        if decision is None:
            return seen, None
        game, state = replay.game, replay.match.state_at(ply)
        legal = tuple(game.legal_actions(state, decision.seat))
        wanted = decision.choices[self.chosen(decision)].action
        action = next((action for action in legal if str(action) == wanted), None)
        return seen._replace(legal=legal), None if self.is_hidden else action

    def log(self, ply: int) -> list[LogLine]:
        """All that was logged at a ply, a turn in one line; see `log_by_turn`."""
        lines = self._replay.log(ply)
        return lines if self.review is None else log_by_turn(self.review, lines, self._replay.notes)

    # -- pictures ----------------------------------------------------------------------------

    def graph(self, ply: int, place: tuple[int, int]) -> Picture:
        """The course of the game; see `review_pictures.graph`."""
        if self.review is None:
            return Picture.of([])
        return pictures.graph(self.review, self.seats, ply, place, self._replay.glyphs)

    def marks(self, columns: int) -> dict[int, str]:
        """The marks of mistakes by their column on a line along the game."""
        if self.review is None:
            return {}
        return pictures.mistake_columns(self.review, self._replay.match.ply, columns)

    def panel(self, ply: int, width: int) -> Picture | None:
        """What stands beside the board: the values of the choices, or at the end a summary."""
        review, step, decision = self.review, self.step(ply), self.decision(ply)
        if review is None or self.is_hidden:
            return None
        if ply == self._replay.match.ply:
            return pictures.summary_panel(review, width) if review.is_complete else None
        if step is None or decision is None or decision.is_forced:
            return None
        return pictures.choices_panel(review, step, decision, self.chosen(decision), width)

    def words(self, ply: int) -> tuple[list[Span], str]:
        """What was done at a ply and how good it was, and why."""
        review, step, decision = self.review, self.step(ply), self.decision(ply)
        if review is None or step is None or decision is None:
            return [], ""
        if self.is_hidden:
            name = review.names[decision.seat]
            return [Span(f"{name} ", f"seat.{decision.seat}"), Span("decides again.")], ""
        return pictures.verdict(review, step, decision)

    def luck(self, ply: int) -> str:
        """What chance has just changed, and what it changes next."""
        if self.review is None:
            return ""
        for at in (ply, ply - 1):
            words = pictures.luck_words(self.review, self.step(at), self.seats)
            if words:
                return words if at == ply else f"{words} before"
        return ""

    @property
    def progress(self) -> str:
        """How far the judging is; empty when it is done."""
        review = self.review
        if self.problem or (review is not None and review.is_complete):
            return ""
        done = len(review.steps) if review is not None else 0
        return f"judging {done} of {self._replay.match.ply}"
