"""A cache of reviews in files next to the saves.

A cached review is valid only for the same steps of the same game and the same version of the
analyst and the program; otherwise it is computed again. A partial review is continued.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from boardgames_cli import __version__
from boardgames_cli.analysis.review import Review
from boardgames_cli.analysis.review_json import from_json, to_json
from boardgames_cli.analysis.reviewer import Reviewer
from boardgames_cli.core.analyst import AnyAnalyst
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.options import option_values
from boardgames_cli.core.record import step_texts
from boardgames_cli.storage.files import PRIVATE_MODE, open_regular, read_at_most, replace_locked
from boardgames_cli.storage.names import review_beside

FORMAT: Final = 2
"""The format of the files; files of other formats are ignored."""

_LARGEST: Final = 64_000_000
_STORE_EVERY: Final = 5.0
"""The interval in seconds at which an unfinished review is saved."""


def review_key(match: AnyMatch, analyst: AnyAnalyst, names: Sequence[str]) -> str:
    """The cache key: equal only for reviews that would be equal."""
    kind = type(analyst)
    facts: dict[str, Any] = {
        "program": __version__,
        "analyst": f"{kind.__module__}.{kind.__qualname__} {kind.version}",
        "method": str(analyst.method),
        "game": match.game.info.id,
        "rules_version": match.game.info.rules_version,
        "options": option_values(match.game),
        "start": match.game.to_json(match.start),
        "names": list(names),
        "steps": [step_texts(step) for step in match.steps],
    }
    text = json.dumps(facts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def load_review(
    path: Path, match: AnyMatch, analyst: AnyAnalyst, names: Sequence[str]
) -> Review | None:
    """Load the cached review of a save; it may be partial.

    Args:
        path: The save.
        match: The game in it.
        analyst: The analyst that would review it now.
        names: The names of the seat holders.

    Returns:
        None if there is none, or if it is damaged or outdated.
    """
    try:
        descriptor = open_regular(review_beside(path))
        try:
            data = json.loads(read_at_most(descriptor, _LARGEST))
        finally:
            os.close(descriptor)
        if not isinstance(data, dict) or data.get("boardgames_review") != FORMAT:
            return None
        if data.get("key") != review_key(match, analyst, names):
            return None
        return from_json(data.get("review"))
    except (OSError, ValueError, RecursionError, MemoryError):
        return None


def store_review(
    path: Path, match: AnyMatch, analyst: AnyAnalyst, names: Sequence[str], review: Review
) -> bool:
    """Store a review, complete or partial, next to its save.

    Returns:
        Whether it was written. A read-only folder is not an error.
    """
    data = {
        "boardgames_review": FORMAT,
        "key": review_key(match, analyst, names),
        "review": to_json(review),
    }
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    with contextlib.suppress(OSError, ValueError):
        os.close(replace_locked(review_beside(path), text.encode(), PRIVATE_MODE))
        return True
    return False


def review_of(
    path: Path | None,
    match: AnyMatch,
    analyst: AnyAnalyst,
    names: Sequence[str],
    seats: Sequence[str] = (),
    progress: Callable[[Reviewer], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Review:
    """Load the review of a game, or make and store it.

    If it is interrupted (by `cancelled`, or by an exception from ``progress``), the partial review
    is stored.

    Args:
        path: The save; None stores nothing.
        match: The game, which is over.
        analyst: The analyst.
        names: The names of the seat holders.
        seats: Their specifications.
        progress: Called after every reviewed step.
        cancelled: Asked before every step; True ends the work.
    """
    known = None if path is None else load_review(path, match, analyst, names)
    if known is not None and known.is_complete:
        return known
    reviewer = Reviewer(match, analyst, names, seats, known)
    written = time.monotonic()
    try:
        while not cancelled() and reviewer.advance():
            progress(reviewer)
            if path is not None and time.monotonic() - written > _STORE_EVERY:
                store_review(path, match, analyst, names, reviewer.review())
                written = time.monotonic()
    finally:
        review = reviewer.review()
        if path is not None:
            store_review(path, match, analyst, names, review)
    return review
