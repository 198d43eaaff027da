"""Runs a check on many inputs that hypothesis makes, with the size and seed of a campaign."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.campaigns.campaign import Campaign
from tests.campaigns.inside import check_manners, inside
from tests.conftest import Outcome


def search(
    campaign: Campaign,
    small: int,
    large: int,
    inputs: st.SearchStrategy[Any],
    check: Callable[[Any], None],
) -> None:
    """Check as many inputs as the size says; the one that fails is made as small as possible."""

    @seed(campaign.seed)
    @settings(
        max_examples=campaign.amount(small, large),
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(inputs)
    def run(value: Any) -> None:
        campaign.counts["inputs"] += 1
        check(value)

    try:
        run()
    except BaseException as error:
        size = "" if campaign.size == "small" else f" --campaign-size {campaign.size}"
        error.add_note(f"Find it again: {campaign.command}{size}")
        raise


def check_all(folder: Path, *commands: tuple[str, ...], lines: tuple[str, ...] = ()) -> None:
    """Run command lines on the same bad input; each must answer decently."""
    for words in commands:
        outcome = inside(folder, *words, lines=lines)
        check_manners(outcome)
        check_clean(outcome)


def check_clean(outcome: Outcome) -> None:
    """What comes out of a pipe has no control characters, so that no terminal obeys it."""
    for text in (outcome.out, outcome.err):
        bad = {character for character in text if not character.isprintable()} - {"\n"}
        assert not bad, (bad, text[-1000:])
