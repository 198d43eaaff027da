"""Mutated frames: whatever clients send, a server of tables goes on, and its memory is bounded.

Each round sends a thousand damaged messages to a new server while two others play.
"""

from __future__ import annotations

import resource
import tempfile
from pathlib import Path

import pytest

from boardgames_cli.online.server import people, table_server
from tests.campaigns.campaign import Campaign, Round
from tests.online.test_abuse import mutated_frames, throw, with_others

FRAMES = 1000
MOST_GROWTH_KB = 200_000


def test_mutated_frames(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    failures: list[BaseException] = []
    monkeypatch.setattr(table_server, "note_error", failures.append)
    monkeypatch.setattr(people, "_BURST", 1e9)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def try_once(here: Round) -> None:
        frames = mutated_frames(here.rng, FRAMES)
        with tempfile.TemporaryDirectory() as folder:
            with_others(Path(folder), lambda opened: throw(opened, frames, here.rng))
        assert failures == []
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + MOST_GROWTH_KB

    campaign.each(1, 100, try_once)
    campaign.counts["frames"] += campaign.counts["rounds"] * FRAMES
