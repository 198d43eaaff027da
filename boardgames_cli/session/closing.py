"""The summary shown when a match is over."""

from __future__ import annotations

from collections.abc import Sequence

from boardgames_cli.core.analyst import NoAnalystError
from boardgames_cli.core.game import Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.evaluation.analysts import analyst_for
from boardgames_cli.evaluation.report import closing_lines
from boardgames_cli.evaluation.reviewer import Reviewer, run


def closing_review(match: AnyMatch, names: Sequence[str], seat: Seat | None) -> list[str]:
    """A summary of a finished match in a few lines; empty if reviewing it takes long.

    Args:
        match: The match.
        names: The names of the seat holders.
        seat: The seat whose mistakes are listed; None lists none.
    """
    if not match.game.is_over(match.state):
        return []
    try:
        analyst = analyst_for(match.game)
    except NoAnalystError:
        return []
    if not analyst.is_quick:
        return []
    return closing_lines(run(Reviewer(match, analyst, names)), seat)
