"""What the home screen shows of a person's games: saves, results, and what there is today."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from boardgames_cli.core.background import BackgroundJob
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.plugins import is_confined
from boardgames_cli.evaluation.milestones import days_in_a_row
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

if TYPE_CHECKING:
    from boardgames_cli.tui.screens.dialogs import Answer


class SavedGames:
    """The saves in a folder, and what else a screen shows of a person's games."""

    def __init__(self, screen: Frame, settings: Settings) -> None:
        self._menu = screen
        self._settings = settings
        self._store = Store.at(settings.save_folder)
        self.unfinished: list[SaveSummary] = []
        """The games that can be continued, most recently used first."""
        self.listed: list[SaveSummary] = []
        """All games that can be seen again."""
        self.unreadable = 0
        """The number of unreadable saves."""
        self.today = menu.Today(due=None if settings.drill_file is None else 0)
        """What there is to do today."""
        self.played: list[PlayedGame] = []
        """The results of people on this machine."""
        self.is_known = False
        """Whether the folder and the results were read."""
        self.results: dict[str, str] = {}
        """For each game how the last one ended, and how many people have won here."""
        self._filling: BackgroundJob[int] | None = None

    def find(self) -> None:
        """Read the folder and the results; called after the first paint."""
        self.played = played_games(self._settings.results_file)
        games = self._settings.games
        found = self._store.summaries()
        found = [save for save in found if _is_offered(save, games)] if games else found
        self.listed = [save for save in found if not save.problem]
        self.unreadable = len(found) - len(self.listed)
        self.unfinished = [save for save in self.listed if save.can_go_on]
        self.is_known = True
        self.results = _results_of(self.played)
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

    def show(self) -> None:
        """List all saves, and do with one of them what a key says."""
        from boardgames_cli.tui.screens.dialogs import SavesDialog

        if not self.is_known:
            self.find()
        if not self.listed:
            self._menu.say("There is no saved game yet: what you play is kept here.")
            return
        dialog = SavesDialog(menu.save_labels(self.listed, now()), self._menu.palette)
        self._menu.app.push_screen(dialog, partial(self._do, self.listed))

    def _do(self, saves: Sequence[SaveSummary], chosen: tuple[str, int] | None) -> None:
        if chosen is None:
            return
        verb, save = chosen[0], saves[chosen[1]]
        if verb == "rename":
            self._ask_name(save.name)
        elif verb == "delete":
            self._confirm_deletion(save)
        elif save.can_go_on and verb in ("open", "resume"):
            self.open(save.name)
        elif verb == "resume":
            self._menu.say("That game is over: r shows it again, v reviews it.")
        else:
            self._replay(save.name, is_judged=verb == "review")

    def open(self, name: str, *, is_trusted: bool = False) -> None:
        """Continue a game, after a question if it would run a program; without a name the last."""
        name = name or next((save.name for save in self.unfinished), "")
        if not name:
            self._menu.say("There is no unfinished game.")
            return
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

    def _replay(self, name: str, *, is_judged: bool) -> None:
        with self._menu.telling_errors():
            replay = replay_of(self._store.find(name), self._settings.glyphs)
            replay.is_judged = is_judged
            self._menu.app.open_replay(replay)

    def _ask_name(self, name: str) -> None:
        from boardgames_cli.tui.screens.dialogs import NameDialog

        def rename(new: str | None) -> None:
            with self._menu.telling_errors():
                if new and new != name:
                    self._store.rename(name, new)
                self._list_again()

        self._menu.app.push_screen(NameDialog(f"Rename {name}", name), rename)

    def _confirm_deletion(self, save: SaveSummary) -> None:
        delete = partial(self._delete, save.name)
        answers: list[Answer] = [("Keep it", self._list_again), ("Delete it for good", delete)]
        self._ask("Delete this game?", answers, *menu.save_labels([save], now()))

    def _delete(self, name: str) -> None:
        with self._menu.telling_errors():
            self._store.delete(name)
            self._list_again()

    def _list_again(self) -> None:
        self.find()
        if self.listed:
            self.show()

    def _ask(self, title: str, answers: Sequence[Answer], *facts: str) -> None:
        from boardgames_cli.tui.screens.dialogs import ask

        ask(self._menu, title, facts, answers)


def _results_of(played: Sequence[PlayedGame]) -> dict[str, str]:
    tallies: dict[str, ResultTally] = {}
    told = {}
    for one in played:
        for seat in one.people:
            tally = tallies.setdefault(one.game, ResultTally())
            tally.count(one.outcome(seat))
            rivals = {name for at, name in enumerate(one.names) if at != seat}
            rival = f" v {rivals.pop()}" if len(rivals) == 1 else ""
            told[one.game] = f"{one.outcome(seat)}{rival}, won {tally.won} of {tally.games}"
    return told


def _is_offered(save: SaveSummary, games: Sequence[str]) -> bool:
    return save.header is not None and save.header.game in games


def now() -> datetime.datetime:
    """The present time, in the zone of this machine."""
    return datetime.datetime.now().astimezone()
