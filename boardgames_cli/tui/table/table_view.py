"""The drawing half of the game screen: board, side panels, choices, and the lines below."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical

from boardgames_cli.core.text import Glyphs, Span
from boardgames_cli.evaluation.oracle import Oracle
from boardgames_cli.session.match_driver import Driver, Effects, Obstruction
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Pace, Settings
from boardgames_cli.tui.effects import countdown, moments_of, step_effect
from boardgames_cli.tui.screens.frame import BoardScreen
from boardgames_cli.tui.table.analysis import (
    Panel,
    TableHints,
    analysis_picture,
    course_picture,
)
from boardgames_cli.tui.table.status import (
    aim_bar,
    beat_bar,
    has_people_lines,
    key_hints,
    people_picture,
    prompt_bar,
    standing_bar,
    title_bar,
)
from boardgames_cli.tui.table.table_model import TableModel
from boardgames_cli.tui.theme import tells_grounds
from boardgames_cli.tui.timers import REST_SECONDS, KeyDebounce
from boardgames_cli.tui.widgets.bars import Bar, KeyBar
from boardgames_cli.tui.widgets.choices import ChoiceList
from boardgames_cli.tui.widgets.entry import EntryLine
from boardgames_cli.tui.widgets.panes import TablePanes
from boardgames_cli.tui.widgets.picture import PictureView

_COURSE_SECONDS: Final = 0.02
"""The time slice for evaluating positions, and the gap between slices for handling keys."""


class TableView(BoardScreen):
    """Draws a session: the part of the game screen that shows, without what keys do.

    The model decides what is shown, the loop advances the session.

    Args:
        session: The session.
        settings: How it is shown and paced.
    """

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.panes = TablePanes(session.view)
        self.model = TableModel(session, self.panes.animation)
        post = self.from_thread
        effects = Effects(
            lambda request: request.start(lambda result: post(self.loop.take, result)),
            lambda seconds, call: self.set_timer(seconds, call).stop,
            lambda error: self.say(str(error)),
            self.redraw,
            self.say,
        )
        self.loop = Driver(
            session, effects, settings.pace, session.tick, auto_forced=settings.auto_forced
        )
        self.has_tutor = settings.tutor and settings.tick is None and bool(session.humans)
        hear = partial(post, self._hear_oracle, None)
        self.oracle = Oracle(session.match, session.holder_specs, hear, marks=self.has_tutor)
        self.hints = TableHints(self.model, self.oracle, self.say, lambda: self.size.width)
        self.entry = EntryLine()
        self.choices = ChoiceList(id="choices")
        self.set_class(bool(self.model.keyboard.hints), "-keyed")
        self._version: int | None = None
        """The version of the match that clears the message; None if it stays."""
        self._drawn_ply = session.match.ply
        self._drawn_from = self.model.viewpoint
        """The viewpoint of what was last drawn at rest."""
        self.rest: KeyDebounce | None = None
        """Ignores held keys during a pause for people; None if there is no pause."""

    def body(self) -> ComposeResult:
        yield Bar(id="title")
        yield self.panes
        with Vertical(id="below"):
            if self.session.company is not None:
                yield Bar(id="news")
            yield Bar(id="prompt")
            yield self.choices
            if has_people_lines(self.loop):
                yield PictureView(id="people")
            yield Bar(id="estimate")
            if self.session.tick is not None:
                yield Bar(id="beat")
            yield self.entry
            yield Bar(id="message")
            yield KeyBar(id="keys")

    def game_palette(self) -> Mapping[str, Mapping[str, str]]:
        return self.session.view.palette

    def use_theme(self) -> None:
        self.session.has_colours = tells_grounds(self.app.theme, self.app)
        super().use_theme()

    def _hear_oracle(self, _: None) -> None:
        self.hints.take_news()
        self.redraw()

    def draw_table(self) -> None:
        """Redraw everything."""
        if not self.query("#title"):
            return  # widgets of a closing screen disappear one by one
        model, session, palette = self.model, self.session, self.palette
        if self._version not in (None, session.match.version):
            self.message, self._version = "", None
        self._move_board()
        if not model.is_moving:
            self._drawn_from = model.viewpoint
        is_kept = self.loop.awaited and not model.is_past and not model.is_moving
        self.panes.kept = model.snapshot.frames if is_kept else None
        self.panes.show(model.snapshot, palette)
        self.draw_analysis()
        self._draw_course()
        in_list = self.hints.panel is Panel.ANALYSIS and not self._is_wide
        choices = self.hints.annotated(model.choices(), in_list=in_list)
        self.choices.show(choices, model.refusals(), model.index, palette)
        self._draw_people()
        self.show_bar("title", *title_bar(session, model, self.size.width))
        self.show_bar("mark", [Span("›", "key")])
        self._draw_standing()
        keys = key_hints(self.loop, model, self.has_class("-compact"))
        self.query_one(KeyBar).show_keys(keys, palette)
        self.draw_lines()

    @property
    def _is_wide(self) -> bool:
        return self.has_class("-wide")

    @property
    def is_moving(self) -> bool:
        """Whether an effect is shown in place of the board."""
        return self.panes.animation.picture is not None

    def _move_board(self) -> None:
        model, ply = self.model, self.session.match.ply
        if ply != self._drawn_ply or model.is_past or model.index is not None:
            self.panes.animation.stop()
        is_next = ply == self._drawn_ply + 1 and not model.is_past
        self._drawn_ply = ply
        pace = self.loop.pace
        if self.session.tick is not None:
            # The game goes on meanwhile, so it must not be covered while somebody plays.
            is_still = self.loop.awaited or self.loop.event is Event.OVER
            pace = self.settings.pace if is_still else Pace.INSTANT
        if is_next and pace is not Pace.INSTANT:
            self._show_step(pace)

    def _show_step(self, pace: Pace) -> None:
        session = self.session
        # People who take turns at a screen see a move from the side of who has made it.
        viewpoint = self.model.viewpoint if session.keeps_secrets else self._drawn_from
        after = session.snapshot(viewpoint)
        before = session.snapshot(viewpoint, session.match.ply - 1)
        seconds = self.panes.play(lambda size: step_effect(before, after, size, pace), before)
        self.loop.linger(seconds)
        if seconds and self.settings.bell and moments_of(after):
            self.app.bell()

    def count_down(self) -> None:
        """Count down to the beginning of real time, unless nothing is to move or to wait."""
        if self.settings.pace is not Pace.INSTANT:
            seconds = self.panes.play(lambda size: countdown(self.model.snapshot, size))
            self.loop.cover(Obstruction.COUNTDOWN, seconds > 0)

    def end_effect(self) -> None:
        """End the effect that is shown, if one is, and the waiting for it."""
        if self.is_moving:
            self.panes.animation.stop()
            self.loop.linger(0)
            self.loop.cover(Obstruction.COUNTDOWN, False)
            self.redraw()

    def draw_analysis(self) -> None:
        """Show the analysis, if it is on and there is space."""
        model = self.model
        if self.hints.panel is not Panel.ANALYSIS or not self._is_wide:
            self.panes.show_part("analysis", None)
            return
        waiting = "thinking …" if self.hints.is_busy else "on your turn"
        width = self.panes.side_width
        shown = analysis_picture(self.hints.analysis, model.legal, waiting, width)
        self.panes.show_part("analysis", shown)

    def _draw_course(self) -> None:
        model, panes = self.model, self.panes
        if (
            self.hints.panel is Panel.OFF
            or not self._is_wide
            or Panel.ESTIMATE not in self.hints.panels
        ):
            panes.show_part("course", None)
            return
        chances = self.hints.course()
        if not chances.work(_COURSE_SECONDS):
            self.set_timer(_COURSE_SECONDS, self._draw_course)
        session, seat = model.session, model.viewpoint.seat or 0
        head = Span(f"{session.names[seat]}: the game so far", f"seat.{seat}")
        points = chances.points(model.ply)
        below = f"seat.{1 - seat}" if session.game.seats == 2 else ""
        panes.show_part(
            "course", course_picture(points, head, panes.side_width, session.glyphs, below)
        )

    def _draw_standing(self) -> None:
        """Show the standing in place of the closed entry line, so that the board keeps its size."""
        model, bar = self.model, self.query_one("#estimate", Bar)
        standing = None if self.hints.panel is Panel.OFF else self.hints.standing()
        bar.display = standing is not None and not self.entry.is_open
        has_beat = self.session.tick is not None and not self.entry.is_open
        self.entry.display = not bar.display and not has_beat
        if self.session.tick is not None:
            self.query_one("#beat", Bar).display = has_beat and not bar.display
            self.draw_beat()
        if standing is not None:
            pieces = standing_bar(model, standing, self.size.width - 8)
            bar.show(pieces, (), self.palette)

    def _draw_people(self) -> None:
        if not has_people_lines(self.loop):
            return
        people, model = self.query_one("#people", PictureView), self.model
        is_played = not model.is_past and self.loop.event is not Event.OVER
        people.display = is_played and not self.has_class("-refusals")
        self.choices.display = not people.display
        if people.display:
            people.show(people_picture(model, self.size.width - 1), self.palette)

    def draw_beat(self) -> None:
        """Show the countdown to the next step in real time."""
        loop, bar = self.loop, self.query_one("#beat", Bar)
        if loop.tick is not None and bar.display:
            session = self.session
            is_plain = session.glyphs is Glyphs.ASCII or not session.has_colours
            moves = self.app.animation_level != "none"
            sides = beat_bar(loop, self.size.width, is_plain=is_plain, moves=moves)
            bar.show(*sides, self.palette)

    def make_room(self, rows: int) -> None:
        """Make the board end above a dialog at the bottom of the screen.

        Args:
            rows: The dialog's height; 0 if it is closed.
        """
        for below in self.query("#below"):  # gone, if another table has taken its place
            below.styles.height = rows or "auto"
        self.call_after_refresh(self.draw_table)

    def follow_pause(self) -> None:
        """Let keys rest once from the moment at which a pause for people appears."""
        if not self.loop.awaited:
            self.rest = None
        elif self.rest is None:
            self.rest = KeyDebounce(REST_SECONDS)
            self.set_timer(REST_SECONDS, self.draw_lines)

    def draw_lines(self) -> None:
        """Show the prompt and the message."""
        is_resting = self.rest is not None and not self.rest.is_over
        width = self.size.width
        self.show_bar("prompt", *prompt_bar(self.loop, self.model, width, is_resting=is_resting))
        session = self.session
        if session.company is not None:
            from boardgames_cli.tui.table.table_news import news_bar  # only at a server's tables

            self.show_bar("news", *news_bar(session.company, session))
        warning = session.saving.warning
        line = Span(warning, "bad") if warning and not self.message else Span(self.message)
        said = [line] if line.text else aim_bar(session.view, self.model.snapshot.seen.seat)
        self.show_bar("message", said)

    def say(self, text: str, *, is_passing: bool = False) -> None:
        """Show a message until the next action.

        Args:
            text: The message.
            is_passing: Whether any change in the game clears it.
        """
        self.message = text
        self._version = self.session.match.version if is_passing else None
        if self.is_mounted:
            self.draw_lines()
