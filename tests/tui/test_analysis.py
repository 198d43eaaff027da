from __future__ import annotations

import pytest

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.text import Glyphs, Span
from boardgames_cli.evaluation.oracle import ConsideredDecision
from boardgames_cli.tui.table.analysis import course_picture
from tests.tui.tables import at_table, my_turn, says, shown, table, until


async def test_the_panel_values_each_choice_and_is_no_hint() -> None:
    async with at_table(table("race"), size=(120, 40)) as (pilot, app, screen):
        await pilot.press("e", "e")
        await until(pilot, lambda: "win " in "\n".join(shown(app)))
        assert "Analysis" in "\n".join(shown(app))
        assert any("analysis was turned on" in line.text for line in screen.session.log.lines())
        assert screen.hints.hint is None, "an analysis is no hint"
        await pilot.press("1")
        await my_turn(pilot, app)
        await until(pilot, lambda: screen.hints.analysis is not None)
        await pilot.press("e", "e", "e")
        await until(pilot, lambda: screen.hints.analysis is not None)
        await pilot.press("e")
        assert "Analysis" not in "\n".join(shown(app))
        notes = [
            line for line in screen.session.log.lines() if "analysis was turned on" in line.text
        ]
        assert len(notes) == 1


async def test_in_a_small_window_it_stands_beside_the_actions() -> None:
    async with at_table(table("race")) as (pilot, app, screen):
        await pilot.press("e", "e")
        await until(pilot, lambda: "best win " in "\n".join(shown(app)))
        assert screen.hints.analysis is not None
        best = str(screen.hints.analysis.best)
        assert any(best in line and "best win " in line for line in shown(app))


async def test_a_hint_says_it_in_words_and_comes_at_once_if_all_is_known() -> None:
    async with at_table(table("race")) as (pilot, app, screen):
        await pilot.press("e", "e")
        await until(pilot, lambda: screen.hints.analysis is not None)
        await pilot.press("i")
        assert screen.hints.hint is not None
        best = screen.hints.hint.best
        assert says(app, "#message").startswith("Both choices are about equally good.")
        assert screen.shown.context.highlight == best
        assert "(win " not in says(app, "#message")
        await pilot.press("f2")
        assert "(win " in says(app, "#message")
        assert screen.session.hints_taken == 1


async def test_what_came_too_late_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ConsideredDecision, "begin", lambda *_, **__: None)
    async with at_table(table("race")) as (pilot, app, screen):
        await pilot.press("i")
        assert screen.hints.is_busy
        late = screen.oracle.known(screen.seat)
        assert late is not None
        await pilot.press("1")
        await my_turn(pilot, app)
        late.error = GameError("it was late.")
        late.is_told.set()
        screen.hints.take_news()
        assert "late" not in says(app, "#message")
        assert screen.hints.hint is None


async def test_in_a_wide_window_the_course_of_the_game_stands_beside_the_log() -> None:
    async with at_table(table("race"), size=(120, 40)) as (pilot, app, screen):
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
    async with at_table(table("race"), size=size) as (pilot, app, _):
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
