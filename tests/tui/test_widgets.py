"""The widgets by mouse and in little room: lists, bars, stories, pictures, forms."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.events import MouseScrollDown, MouseScrollUp
from textual.widget import Widget

from boardgames_cli.core.presentation.styles import DARK
from boardgames_cli.core.text import Picture, Span
from boardgames_cli.session.snapshot import LogLine
from boardgames_cli.tui.form import Field
from boardgames_cli.tui.theme import Palette
from boardgames_cli.tui.widgets.choices import ChoiceList, ListedChoice
from boardgames_cli.tui.widgets.form import FormView
from boardgames_cli.tui.widgets.panes import LogPane
from boardgames_cli.tui.widgets.picture import Bar, KeyBar, PictureView, gauge

PALETTE = Palette(DARK)


class TableView(App[None]):
    """One widget of a given size, and what it said."""

    def __init__(self, widget: Widget, width: int, height: int) -> None:
        super().__init__()
        self.widget = widget
        widget.styles.width, widget.styles.height = width, height
        self.said: list[Any] = []
        self.ran: list[int] = []

    def compose(self) -> ComposeResult:
        yield self.widget

    def on_choice_list_chosen(self, event: ChoiceList.Chosen) -> None:
        self.said.append(("chosen", event.index))

    def on_choice_list_refused(self, event: ChoiceList.Refused) -> None:
        self.said.append(("refused", event.refusal[0]))

    def on_picture_view_clicked(self, event: PictureView.Clicked) -> None:
        self.said.append(("clicked", event.notation))

    def on_picture_view_wheel(self, event: PictureView.Wheel) -> None:
        self.said.append(("wheel", event.direction))

    def on_log_pane_picked(self, event: LogPane.Picked) -> None:
        self.said.append(("picked", event.ply))

    def on_form_view_picked(self, event: FormView.Picked) -> None:
        self.said.append(("field", event.index, event.choice))

    def lines(self) -> list[str]:
        size = self.widget.size
        return [self.widget.render_line(y).text for y in range(size.height)]


def wheel(widget: Widget, down: bool) -> None:
    kind = MouseScrollDown if down else MouseScrollUp
    event = kind(widget, 0, 0, 0, 1 if down else -1, 0, False, False, False)
    handler = widget.on_mouse_scroll_down if down else widget.on_mouse_scroll_up  # type: ignore[attr-defined]
    handler(event)


async def test_a_long_list_shows_where_it_goes_on_and_follows_the_wheel() -> None:
    choices = ChoiceList()
    app = TableView(choices, 20, 3)
    async with app.run_test(size=(40, 10)) as pilot:
        choices.show([ListedChoice(f"move number {n}") for n in range(6)], (), None, PALETTE)
        assert [line[:18] for line in app.lines()] == [
            " 1  move number 0 ", " 2  move number 1 ", " 3  move number 2 ",
        ]  # fmt: skip
        assert app.lines()[2].endswith("↓")
        wheel(choices, down=True)
        assert app.lines()[0].startswith(" 2  move number 1")
        assert app.lines()[0].endswith("↑")
        await pilot.click(choices, offset=(5, 0))
        assert ("chosen", 1) in app.said, "what is clicked is what is seen"
        for _ in range(9):
            wheel(choices, down=True)
        assert app.lines()[0].startswith(" 6  move number 5")
        assert not any(line.endswith("↓") for line in app.lines())
        for _ in range(9):
            wheel(choices, down=False)
        assert app.lines()[0].startswith(" 1  move number 0")


async def test_a_list_that_fits_is_shown_whole() -> None:
    choices = ChoiceList()
    app = TableView(choices, 20, 1)
    async with app.run_test(size=(40, 10)) as pilot:
        choices.show([ListedChoice(f"move number {n}") for n in range(4)], (), 2, PALETTE)
        assert app.lines()[0].startswith(" 3")
        # A dialog gets its height after it was filled.
        choices.styles.height = 4
        await pilot.pause()
        assert [line[1] for line in app.lines()] == ["1", "2", "3", "4"]
        wheel(choices, down=True)
        assert [line[1] for line in app.lines()] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("highlight", range(6))
async def test_the_highlighted_choice_is_always_in_sight(highlight: int) -> None:
    choices = ChoiceList()
    app = TableView(choices, 20, 2)
    async with app.run_test(size=(40, 10)):
        choices.show([ListedChoice(f"move number {n}") for n in range(6)], (), highlight, PALETTE)
        assert any(f"move number {highlight}" in line for line in app.lines())


async def test_refusals_stand_below_and_say_which_was_clicked() -> None:
    choices = ChoiceList()
    app = TableView(choices, 30, 3)
    refusals = [("pass", "there are moves"), ("stop", "a reason that is too long")]
    async with app.run_test(size=(40, 10)) as pilot:
        choices.show([ListedChoice("go", "worth 3")], refusals, None, PALETTE)
        lines = app.lines()
        assert lines[0].rstrip() == " 1  go  worth 3"
        assert lines[1].rstrip() == " -  pass  illegal: there are …"
        assert lines[2].rstrip().endswith("…")
        assert max(map(len, lines)) == 30
        await pilot.click(choices, offset=(6, 2))
        assert app.said[-1] == ("refused", "stop")
        choices.styles.height = 2
        await pilot.pause()
        assert app.lines()[1].strip() == "2 illegal: L shows why"
        await pilot.click(choices, offset=(6, 1))
        assert app.said.count(("refused", "pass")) == 0


async def test_a_bar_leaves_out_at_the_right_what_does_not_fit() -> None:
    bar = Bar()
    app = TableView(bar, 20, 1)
    async with app.run_test(size=(40, 10)):
        bar.show([Span("left side")], [Span("first "), Span("second")], PALETTE)
        assert app.lines() == [" left side   second "]
        bar.show([Span("a left side that is too long")], [Span("second")], PALETTE)
        (line,) = app.lines()
        assert line.endswith("… ")
        assert len(line) == 20
        assert "second" not in line


async def test_keys_are_shown_whole_or_not_at_all() -> None:
    keys = [(str(n), "word", "app.bell") for n in range(12)]
    bar = KeyBar()
    app = TableView(bar, 40, 1)
    async with app.run_test(size=(120, 10)) as pilot:
        bar.show_keys(keys, PALETTE)
        assert app.lines()[0].rstrip() == " 0 word  1 word  2 word  3 word  4 word"
        assert "…" not in app.lines()[0], "the last one fits to the letter"
        bar.styles.width = 120
        await pilot.pause()
        bar.show_keys(keys, PALETTE)
        assert app.lines()[0].split().count("word") == KeyBar.MOST


@given(st.floats(-2, 3), st.integers(0, 200), st.booleans())
def test_a_gauge_is_always_as_long_as_asked(share: float, cells: int, is_plain: bool) -> None:
    full, empty = gauge(share, cells, is_plain)
    assert len(full) + len(empty) == cells
    assert (full + empty).isascii() or not is_plain
    if share <= 0:
        assert full == ""
    if share >= 1:
        assert empty == ""


async def test_a_story_wraps_and_a_click_finds_its_moment() -> None:
    pane = LogPane()
    app = TableView(pane, 14, 6)
    async with app.run_test(size=(40, 10)) as pilot:
        lines = [LogLine(1, "Ann threw four sticks", 0), LogLine(2, "Ben waits", 1)]
        pane.show(lines, PALETTE)
        await pilot.pause()
        shown = [line.rstrip() for line in app.lines()]
        assert " ".join(" ".join(shown).split()) == "Ann threw four sticks Ben waits"
        last = next(y for y, line in enumerate(shown) if "Ben" in line)
        assert last >= 2
        for y in (0, last, 5):
            await pilot.click(pane, offset=(2, y))
        assert app.said == [("picked", 1), ("picked", 2)], "below the story is nothing"
        pane.show([LogLine(3, "Another game", None)], PALETTE)
        await pilot.pause()
        assert "Ann" not in "".join(app.lines())


async def test_a_story_can_be_told_back_and_forth() -> None:
    pane = LogPane()
    app = TableView(pane, 14, 8)
    async with app.run_test(size=(40, 10)) as pilot:
        lines = [LogLine(ply, f"sentence number {ply}", None) for ply in range(4)]
        for count in (4, 2, 3, 0, 4, 1):
            pane.show(lines[:count], PALETTE)
            await pilot.pause()
            told = " ".join(" ".join(app.lines()).split())
            assert told == " ".join(f"sentence number {ply}" for ply in range(count))
        pane.show([lines[1], lines[0]], PALETTE)
        await pilot.pause()
        assert " ".join(" ".join(app.lines()).split()) == "sentence number 1 sentence number 0"


async def test_a_picture_in_the_middle_tells_what_is_under_the_mouse() -> None:
    view = PictureView(centred=True)
    app = TableView(view, 20, 5)
    async with app.run_test(size=(40, 10)) as pilot:
        line = [Span("ab", "", "take"), Span("cd", "", "leave"), Span("ef")]
        view.show(Picture.of([line]), PALETTE)
        assert app.lines()[2] == " " * 7 + "abcdef" + " " * 7
        for x in (6, 7, 8, 9, 11, 13):
            await pilot.click(view, offset=(x, 2))
        await pilot.click(view, offset=(8, 1))
        clicked = [word for kind, word in app.said if kind == "clicked"]
        assert clicked == ["take", "take", "leave"]
        assert view.span_at(7, 0) is None
        wheel(view, down=True)
        wheel(view, down=False)
        await pilot.pause()
        assert [turn for kind, turn in app.said if kind == "wheel"] == [1, -1]


async def test_a_form_scrolls_to_its_cursor_and_knows_what_was_clicked() -> None:
    fields = [Field(f"f{n}", f"Field {n}", "a", "help", ("a", "bb", "ccc")) for n in range(5)]
    form = FormView()
    app = TableView(form, 40, 3)
    async with app.run_test(size=(40, 10)) as pilot:
        form.show(fields, 0, PALETTE)
        assert app.lines()[0].startswith("▸ Field 0")
        second = app.lines()[1]
        await pilot.click(form, offset=(second.index("bb"), 1))
        await pilot.click(form, offset=(2, 2))
        await pilot.click(form, offset=(39, 2))
        assert app.said == [("field", 1, "bb"), ("field", 2, ""), ("field", 2, "")]
        form.show(fields, 4, PALETTE)
        assert app.lines()[2].startswith("▸ Field 4")
        await pilot.click(form, offset=(2, 0))
        assert app.said[-1] == ("field", 2, "")


async def test_choices_that_do_not_fit_become_one_with_its_number() -> None:
    values = tuple(f"choice-{n}" for n in range(9))
    field = Field("f", "A label that is long", values[3], "help", values)
    field.problem = "it is wrong"
    form = FormView()
    app = TableView(form, 48, 2)
    async with app.run_test(size=(60, 10)):
        form.show([field], 0, PALETTE)
        line = app.lines()[0]
        assert "‹ choice-3 ›  4 of 9" in line
        assert "A label th…" in line
        assert "it is" in line
        assert app.lines()[1].strip() == ""
