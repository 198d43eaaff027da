"""A person's profile: accuracy, marks and frequent mistakes over all reviewed games."""

from __future__ import annotations

from boardgames_cli.core.text import Span, aligned, wrapped
from boardgames_cli.evaluation.milestones import rating_of
from boardgames_cli.evaluation.profile import (
    PROFILE_HEADINGS,
    accuracy_plot,
    game_profiles,
    kinds_in_words,
    profile_row,
    reviews_by_person,
    span_in_words,
)
from boardgames_cli.session.played_reviews import ProfileJob, ProfileNews
from boardgames_cli.session.settings import Settings
from boardgames_cli.storage.played_games import played_games
from boardgames_cli.tui.screens.page_screen import PageLines, PageScreen

_LEAST_WIDE = 78
"""The columns from which the whole table is shown; else luck and the mean loss are left out."""


class ProfileScreen(PageScreen):
    """The profile, which grows while games are reviewed in the background.

    Args:
        settings: Where the saves and results are.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__("Your profile", self._lines)
        self._settings = settings
        self._results = played_games(settings.results_file)
        self._news: ProfileNews | None = None
        self._reviewing = ProfileJob(settings.save_folder)

    def on_mount(self) -> None:
        self._reviewing.start(lambda news: self.from_thread(self._take, news))

    def on_unmount(self) -> None:
        self._reviewing.cancelled.set()

    def _take(self, news: ProfileNews) -> None:
        self._news = news
        is_done = news.done == news.total
        self.say("" if is_done else f"{news.done} of {news.total} games reviewed")

    def _lines(self, width: int) -> PageLines:
        news = self._news
        if news is None:
            return [[Span("Your games are being reviewed.", "muted")]]
        if not news.played:
            said = "Nothing to show yet: finish a game, and it is reviewed here."
            return [[Span(said if news.done == news.total else "Reviewing ...", "muted")]]
        lines: list[list[Span]] = []
        for name, played in reviews_by_person(news.played).items():
            profiles = game_profiles(played)
            lines += [[], [Span(f"{name}: {span_in_words(played)}", "title")]]
            rows = [PROFILE_HEADINGS, *(profile_row(profile) for profile in profiles)]
            kept = [0, 1, 2, 3, 4, 5, 6, 7] if width >= _LEAST_WIDE else [0, 1, 2, 4, 5, 6]
            head, *table = aligned([row[at] for at in kept] for row in rows)
            lines += [[Span(head, "muted")], *([Span(line)] for line in table)]
            for profile in profiles:
                rating = rating_of(self._results, profile.game, name)
                said = "" if rating is None else f"Rating {rating.beside(profile.spec)}."
                kinds = kinds_in_words(profile)
                said += f" To learn: {kinds}." if kinds else ""
                if said:
                    lines += [[], [Span(profile.spec.info.name, "title")]]
                    lines += [[Span(line)] for line in wrapped(said.strip(), width)]
            plot = accuracy_plot(played, width, self._settings.glyphs)
            if plot:
                lines += [[], [Span("Accuracy, from the first game to the last", "title")]]
                lines += [[Span(line, "key")] for line in plot]
        return lines[1:]
