"""What the home screen shows of a person's games: saves, results, and what there is today."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from boardgames_cli.core.background import BackgroundJob
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.plugins import is_confined
from boardgames_cli.evaluation.milestones import climb_of, days_in_a_row, player_of, rating_of
from boardgames_cli.registry import game_ids
from boardgames_cli.session.opening import UntrustedCommandError
from boardgames_cli.session.replay import replay_of
from boardgames_cli.session.settings import Settings
from boardgames_cli.storage.played_games import PlayedGame, ResultTally, played_games
from boardgames_cli.storage.practice import DrillDeck, PuzzleProgress, read_deck, read_progress
from boardgames_cli.storage.reading import SaveSummary
from boardgames_cli.storage.store import Store
from boardgames_cli.terminal.streams import printable
from boardgames_cli.tui import menu
from boardgames_cli.tui.screens.frame import Frame


class SavedGames:
    """The saves in a folder, and what else a screen shows of a person's games."""

    def __init__(self, screen: Frame, settings: Settings) -> None:
        self._menu = screen
        self._settings = settings
        self._store = Store.at(settings.save_folder)
        self.unfinished: list[SaveSummary] = []
        """The games that can be continued, most recently used first."""
        self.finished: list[SaveSummary] = []
        """The finished games."""
        self.unreadable = 0
        """The number of unreadable saves."""
        self.today = menu.Today(due=None if settings.drill_file is None else 0)
        """What there is to do today."""
        self.played: list[PlayedGame] = []
        """The results of people on this machine."""
        self.is_known = False
        """Whether the folder and the results were read."""
        self._standings: dict[str, menu.PersonalRecord] = {}
        self._filling: BackgroundJob[int] | None = None

    def find(self) -> None:
        """Read the folder and the results; called after the first paint."""
        self.played = played_games(self._settings.results_file)
        games = self._settings.games
        found = self._store.summaries()
        found = [save for save in found if _is_offered(save, games)] if games else found
        sound = [save for save in found if not save.problem]
        self.unreadable = len(found) - len(sound)
        self.unfinished = [save for save in sound if save.can_go_on]
        self.finished = [save for save in sound if save.is_finished]
        self.is_known = True
        self._standings.clear()
        self._menu.redraw()
        self._menu.call_after_refresh(self._find_today)

    def _find_today(self) -> None:
        from boardgames_cli.evaluation.puzzles import bundled_puzzles, puzzle_of_the_day

        progress, deck = PuzzleProgress(), DrillDeck()
        today, settings = now().date(), self._settings
        with contextlib.suppress(GameError):
            if settings.puzzles_file is not None:
                progress = read_progress(settings.puzzles_file)
            if settings.drill_file is not None:
                deck = read_deck(settings.drill_file)
        days = [*(one.ended for one in self.played), *progress.days, *deck.days]
        self.today = replace(self.today, streak=days_in_a_row(days, today))
        with contextlib.suppress(GameError):
            found = {id: bundled_puzzles(id) for id in settings.games or game_ids()}
            solved = {
                id: puzzle_of_the_day(puzzles, today).id in progress.solved
                for id, puzzles in found.items()
                if puzzles
            }
            self.today = replace(self.today, puzzles=solved)
        self._menu.redraw()
        is_filling = self._filling is not None and self._filling.is_running
        if settings.drill_file is not None and not is_filling:
            from boardgames_cli.session.played_reviews import FillDeckJob

            self._filling = FillDeckJob(settings.save_folder, settings.drill_file)
            self._filling.start(lambda due: self._menu.from_thread(self._take_due, due))

    def _take_due(self, due: int) -> None:
        self.today = replace(self.today, due=due)
        self._menu.redraw()

    def stop(self) -> None:
        if self._filling is not None:
            self._filling.cancelled.set()

    @property
    def is_new(self) -> bool:
        return self.is_known and not (self.played or self.unfinished or self.finished)

    def standing(self, game: str) -> menu.PersonalRecord:
        """The games that people have won here, and how strong the one who played last is."""
        if not self.is_known:
            return menu.PersonalRecord()
        if game not in self._standings:
            self._standings[game] = self._standing(game)
        return self._standings[game]

    def _standing(self, game: str) -> menu.PersonalRecord:
        tally, player = ResultTally(), player_of(self.played, game)
        for one in self.played:
            for seat in one.people if one.game == game else ():
                tally.count(one.outcome(seat))
        rating = rating_of(self.played, game, player) if player else None
        return menu.PersonalRecord(tally, rating, climb_of(self.played, game, player))

    def resume(self) -> None:
        """Continue the last game, or ask which."""
        self._ask_which("Continue which game?", self.unfinished, self.open)

    def replay(self) -> None:
        """Replay the last game, or ask which."""
        if not self.finished:
            self._menu.say("There is no finished game to see again yet.")
        self._ask_which("See which game again?", self.finished, self._replay)

    def delete(self) -> None:
        """Ask which game to delete, with a confirmation."""
        self._ask_which("Delete which game?", self.unfinished, self._confirm_deletion, 1)

    def open(self, name: str, *, is_trusted: bool = False) -> None:
        """Continue a game, after a question if it would run a program."""
        with self._menu.telling_errors():
            try:
                self._menu.app.resume(name, is_trusted=is_trusted)
            except UntrustedCommandError as error:
                if is_confined():
                    self._menu.say("This game was saved with an agent that is not for the browser.")
                    return
                run_it = partial(self.open, name, is_trusted=True)
                title = "An agent in this save is a program on this machine. Run it?"
                answers = [("Don't run it", None), ("Run it", run_it)]
                self._ask(title, answers, *map(printable, error.commands))

    def _replay(self, name: str) -> None:
        with self._menu.telling_errors():
            replay = replay_of(self._store.find(name), self._settings.glyphs)
            replay.is_judged = True
            self._menu.app.open_replay(replay)

    def _confirm_deletion(self, name: str) -> None:
        save = next(save for save in self.unfinished if save.name == name)
        answers = [("Keep it", None), ("Delete it for good", partial(self._delete, name))]
        self._ask("Delete this game?", answers, *menu.save_labels([save], now()))

    def _delete(self, name: str) -> None:
        with self._menu.telling_errors():
            self._store.delete(name)
        self.find()

    def _ask_which(
        self,
        title: str,
        saves: Sequence[SaveSummary],
        follow: Callable[[str], None],
        least: int = 2,
    ) -> None:
        """Do something with one of some saves; of fewer than the least, without a question."""
        if len(saves) < least:
            for save in saves:
                follow(save.name)
            return
        labels = menu.save_labels(saves, now())
        follows = [partial(follow, save.name) for save in saves]
        self._ask(title, list(zip(labels, follows, strict=True)))

    def _ask(
        self, title: str, answers: Sequence[tuple[str, Callable[[], None] | None]], *facts: str
    ) -> None:
        from boardgames_cli.tui.screens.dialogs import ask

        ask(self._menu, title, facts, answers)


def _is_offered(save: SaveSummary, games: Sequence[str]) -> bool:
    return save.header is not None and save.header.game in games


def now() -> datetime.datetime:
    """The present time, in the zone of this machine."""
    return datetime.datetime.now().astimezone()
