from __future__ import annotations

import pytest

from boardgames_cli.core.text import Glyphs, Span
from boardgames_cli.evaluation.hints import HintResult, HintSource
from boardgames_cli.session.session import Session
from boardgames_cli.tui.app import build_app
from boardgames_cli.tui.table.analysis import course_picture
from tests.tui.tables import Wordy, my_turn, says, settings, shown, table, until


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    """A table at which the opponent and the hint agent have something to say."""
    session = table("race", ("human", "wordy"))
    monkeypatch.setattr(HintSource, "make_agent", lambda _: Wordy("sure"))
    return session


async def test_the_panel_has_both_opinions(session: Session) -> None:
    app = build_app(session, settings())
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await my_turn(pilot, app)
        await pilot.press("e", "e")
        await until(pilot, lambda: "wordy's view" in "\n".join(shown(app)))
        text = "\n".join(shown(app))
        assert "Analysis" in text
        assert "sure of" in text
        assert "guess of" in text
        assert any("analysis was turned on" in line.text for line in session.log.lines())
        assert screen.hints.hint is None, "an analysis is no hint"
        await pilot.press("1")
        await my_turn(pilot, app)
        await until(pilot, lambda: screen.hints.analysis is not None)
        await pilot.press("e")
        assert "Analysis" not in "\n".join(shown(app))
        notes = [line for line in session.log.lines() if "analysis was turned on" in line.text]
        assert len(notes) == 1


async def test_in_a_small_window_it_stands_beside_the_actions(session: Session) -> None:
    app = build_app(session, settings())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        await pilot.press("e", "e")
        await until(pilot, lambda: "wordy: guess of" in "\n".join(shown(app)))
        best = str(screen.model.legal[0])
        assert any(best in line and "best sure of" in line for line in shown(app))


async def test_a_hint_says_it_in_words(session: Session) -> None:
    app = build_app(session, settings())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        await pilot.press("i")
        await until(pilot, lambda: screen.hints.hint is not None)
        best = screen.model.legal[0]
        assert says(app, "#message").startswith(f"Hint: {best} (sure of {best})")


async def test_what_came_too_late_or_for_another_seat_is_dropped(session: Session) -> None:
    app = build_app(session, settings())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        await pilot.press("e", "e")
        await until(pilot, lambda: screen.hints.analysis is not None)
        result = screen.hints.analysis
        assert result is not None
        for late in (
            HintResult(result.version, 1, result.hint),
            HintResult(result.version - 1, 0, result.hint),
        ):
            screen.hints.take(late)
            assert screen.hints.analysis is None
        screen.hints.take(result)
        assert screen.hints.analysis is result


async def test_an_analysis_broken_off_is_asked_for_again(session: Session) -> None:
    app = build_app(session, settings())
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await my_turn(pilot, app)
        await pilot.press("e", "e", "e", "e", "e")
        await until(pilot, lambda: screen.hints.analysis is not None)
        assert "sure of" in "\n".join(shown(app))


async def test_in_a_wide_window_the_course_of_the_game_stands_beside_the_log() -> None:
    app = build_app(table("race", ("human", "random")), settings())
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await my_turn(pilot, app)
        board = screen.query_one("#board").size
        assert "the game so far" not in "\n".join(shown(app))
        await pilot.press("e")
        await until(pilot, lambda: "You: the game so far" in "\n".join(shown(app)))
        assert screen.query_one("#board").size == board, "the board keeps its room"
        await pilot.press("1")
        await my_turn(pilot, app)
        await until(pilot, lambda: screen.hints.course().work(0.0))
        lines = shown(app)
        head = next(i for i, line in enumerate(lines) if "the game so far" in line)
        assert any(sign in line for line in lines[head + 1 : head + 4] for sign in "▁▂▃▄▅▆▇█#@*")


@pytest.mark.parametrize(("size", "panel"), [((119, 40), "e"), ((120, 40), "")])
async def test_without_room_or_wish_there_is_no_course(size: tuple[int, int], panel: str) -> None:
    app = build_app(table("race", ("human", "random")), settings())
    async with app.run_test(size=size) as pilot:
        await my_turn(pilot, app)
        await pilot.press(*panel)
        await pilot.pause()
        assert "the game so far" not in "\n".join(shown(app))


@pytest.mark.parametrize(
    ("points", "width", "rows"),
    [
        ((0.0, 1.0), 10, [" █", " █", "▁█"]),
        ((None, 0.5, None, 1.0), 4, ["   █", "▄▄▄█", "████"]),
        ((0.0, 0.0, 1.0, 1.0), 2, [" █", " █", "▁█"]),
    ],
)
def test_the_picture_of_a_course(
    points: tuple[float | None, ...], width: int, rows: list[str]
) -> None:
    picture = course_picture(points, Span("You"), width, Glyphs.UNICODE)
    assert picture is not None
    assert str(picture).splitlines()[1:] == [row.rstrip() for row in rows]
    assert course_picture((None, None), Span("You"), width, Glyphs.UNICODE) is None
