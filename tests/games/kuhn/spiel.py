"""OpenSpiel's Kuhn poker, as an independent witness; tests that want it are skipped without it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import pytest

REASON = "open_spiel has no wheel for this system, or the dev extra is not installed"


def load() -> Any:
    """The module pyspiel; skips the test if it is missing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its dependencies' business, not ours
        return pytest.importorskip("pyspiel", reason=REASON)


def name(ours: str) -> str:
    """OpenSpiel's name of an information set: ``J check bet`` is ``0pb``."""
    card, *line = ours.split()
    return str("JQK".index(card)) + "".join("p" if word == "check" else "b" for word in line)


def policy(pyspiel: Any, table: Mapping[str, Mapping[str, float]]) -> Any:
    """A table of ours as a policy of theirs."""
    return pyspiel.TabularPolicy(
        {name(ours): [(0, row["check"]), (1, row["bet"])] for ours, row in table.items()}
    )
