"""A person's profile: accuracy, marks and frequent mistakes over all reviewed games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll

from boardgames_cli.core.text import Picture, Span
from boardgames_cli.evaluation.profile import profile_page
from boardgames_cli.session.played_reviews import ProfileJob, ProfileNews
from boardgames_cli.session.settings import Settings
from boardgames_cli.storage.played_games import played_games
from boardgames_cli.tui.keys import bindings_of
from boardgames_cli.tui.screens.frame import LEAST_ROOM, Frame, KeyHint
from boardgames_cli.tui.widgets.picture import PictureView, Sides


class ProfileScreen(Frame):
    """The profile, which grows while games are reviewed in the background."""

    CSS_PATH = "home.tcss"
    AUTO_FOCUS = "#page-scroll"
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "page",
        ("up", "move(-1)", "line above", "up"),
        ("down", "move(1)", "line below", "down"),
        ("escape,q", "leave", "go back", "leave"),
    )

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._results = played_games(settings.results_file)
        self._news: ProfileNews | None = None
        self._reviewing = ProfileJob(settings.save_folder)

    def content(self) -> ComposeResult:
        with VerticalScroll(id="page-scroll"):
            yield PictureView(id="page")

    def on_mount(self) -> None:
        self._reviewing.start(lambda news: self.from_thread(self._take, news))

    def on_unmount(self) -> None:
        self._reviewing.cancelled.set()

    def title_bar(self) -> Sides:
        return [Span("Your profile", "title")], ()

    def key_hints(self) -> Sequence[KeyHint]:
        return [("↑↓", "read", "screen.move(1)"), ("q", "back", "screen.leave")]

    def action_move(self, by: int) -> None:
        self.query_one("#page-scroll").scroll_relative(y=by, animate=False)

    def _take(self, news: ProfileNews) -> None:
        self._news = news
        is_done = news.done == news.total
        self.say("" if is_done else f"{news.done} of {news.total} games reviewed")

    def draw(self) -> None:
        room = self.query_one("#page-scroll").scrollable_content_region.width
        self.show_picture("page", self._page(max(LEAST_ROOM, room)))
        super().draw()

    def _page(self, width: int) -> Picture:
        news = self._news
        if news is None:
            return Picture.of([[Span("Your games are being reviewed.", "muted")]])
        if not news.played:
            said = "Nothing to show yet: finish a game, and it is reviewed here."
            return Picture.of(
                [[Span(said if news.done == news.total else "Reviewing ...", "muted")]]
            )
        return profile_page(news.played, self._results, width, self._settings.glyphs)
