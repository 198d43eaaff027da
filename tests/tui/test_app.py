"""The application when something breaks in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.tui import app as module
from boardgames_cli.tui.app import build_app
from tests.foreign import POISON
from tests.tui.tables import my_turn, settings, table


@pytest.fixture(autouse=True)
def log_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def broken() -> None:
    raise ZeroDivisionError(POISON)


@pytest.mark.parametrize("then_exit", [False, True])
async def test_a_crash_never_exits_with_0_and_writes_no_escape(
    then_exit: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    app = build_app(table(), settings())

    async def play_and_break() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            screen = await my_turn(pilot, app)
            screen.call_later(broken)
            await pilot.pause()
            if then_exit:
                app.exit(return_code=0)

    with pytest.raises(ZeroDivisionError):
        await play_and_break()
    monkeypatch.setattr(app, "run", lambda: None)  # it ran above
    assert module.run_app(app) == 1
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert "boardgames crashed (ZeroDivisionError: [?[2J" in " ".join(err.split())
    assert err.replace("\n", "").isprintable(), ascii(err)


async def test_driver_is_ours_unless_another_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert build_app(table(), settings()).driver_class.__name__ == "TerminalDriver"
    monkeypatch.setattr("textual.constants.DRIVER", "textual.drivers.web_driver:WebDriver")
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
    assert build_app(table(), settings()).driver_class.__name__ == "WebDriver"
