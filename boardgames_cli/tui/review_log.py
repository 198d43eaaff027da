"""The log of a game that is judged: a turn in one line, with the mark of its decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from boardgames_cli.analysis.review import Review
from boardgames_cli.analysis.turns import awaits_decision
from boardgames_cli.session.game_log import LogLine


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
