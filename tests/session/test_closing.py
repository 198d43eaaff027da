"""What is said when a game is left: only what can be done with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.session.opening import open_session
from boardgames_cli.session.parting import closing_message
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.tui.app import _close
from tests.analysis import refuse_analysis


def played(folder: Path, game: str, *, max_plies: int | None = None) -> Session:
    setup = Setup(game, seats=("random", "random"), seed=2, max_plies=max_plies)
    session = open_session(setup, Settings(save_folder=folder))
    while not session.match.is_over:
        if session.match.waiting_for[0] < 0:
            session.resolve_chance()
            continue
        for seat in session.match.waiting_for:
            session.submit(seat, session.observe(seat).legal[0])
    session.close()
    return session


def test_a_game_that_is_over_can_be_seen_again_and_judged(tmp_path: Path) -> None:
    said = closing_message(played(tmp_path, "tapnswap"), Settings(save_folder=tmp_path))
    assert said.splitlines() == [
        f"Saved as tapnswap-1. See it again: boardgames replay tapnswap-1 --save-dir {tmp_path}",
        f"Have it judged: boardgames review tapnswap-1 --save-dir {tmp_path}",
    ]


def test_a_game_that_was_cut_short_has_no_review(tmp_path: Path) -> None:
    said = closing_message(
        played(tmp_path, "tapnswap", max_plies=3), Settings(save_folder=tmp_path)
    )
    assert "boardgames replay tapnswap-1" in said
    assert "review" not in said


@pytest.mark.usefixtures("toys")
def test_nor_has_a_game_that_nothing_judges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_analysis(monkeypatch)
    said = closing_message(played(tmp_path, "cards"), Settings(save_folder=tmp_path))
    assert "boardgames replay cards-1" in said
    assert "review" not in said


def test_the_screen_leaves_the_same_words_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(save_folder=tmp_path)
    session = played(tmp_path, "tapnswap")
    assert _close(session, settings, 0) == 0
    assert capsys.readouterr().out == f"{closing_message(session, settings)}\n"
