"""The tournament screen: entrants, the live table, and the games played."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from boardgames_cli.core.background import Background
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import option_values, option_words
from boardgames_cli.core.text import Picture, Span, columns, justified, wrapped
from boardgames_cli.registry import spec_of
from boardgames_cli.session.setup import Settings, load_replay
from boardgames_cli.tournament.players import name_entrants, possible_entrants
from boardgames_cli.tournament.reports.bundled import bundled_ratings
from boardgames_cli.tournament.reports.report import HTML_FILE, command_of
from boardgames_cli.tournament.reports.tables import Table
from boardgames_cli.tournament.results import GameResult
from boardgames_cli.tournament.schedule import usual_schedule
from boardgames_cli.tournament.tournament_config import TournamentConfig
from boardgames_cli.tui.background_tournament import (
    BackgroundTournament,
    Ended,
    Failed,
    LiveStandings,
    News,
    WorkerNote,
)
from boardgames_cli.tui.form import Field
from boardgames_cli.tui.keys import bindings_of
from boardgames_cli.tui.screens.frame import Frame, KeyHint
from boardgames_cli.tui.widgets.bars import Sides
from boardgames_cli.tui.widgets.picture import PictureView, scrolled

_GAMES: Final = 20
_MOST_GAMES: Final = 100_000
_SEED: Final = 1


class TournamentForm:
    """The choices for a tournament of one game.

    Args:
        game: The rulebook with its options.
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        spec = spec_of(game)
        self.agents: list[str] = list(spec.levels)
        """The possible entrants."""
        self.marked: set[str] = set(spec.levels)
        """The selected entrants."""
        self.games = Field(
            "games", "Games", str(_GAMES), "games of each pairing", low=1, high=_MOST_GAMES
        )
        ratings = bundled_ratings(spec)
        self._ratings = {} if ratings is None else {one.agent: one for one in ratings.ratings}

    def offer(self, agents: Sequence[str]) -> None:
        """Replace the possible entrants; marks of remaining ones are kept."""
        self.agents = list(agents)
        self.marked.intersection_update(agents)

    def toggle(self, agent: str) -> None:
        """Select or deselect an agent."""
        self.marked.symmetric_difference_update({agent})

    def words(self, agent: str) -> str:
        """Facts about an agent: what its level means, and its rating."""
        means = spec_of(self.game).levels.get(agent, "")
        rating = self._ratings.get(agent)
        rated = "" if rating is None else f"rated {rating.rating:+d}"
        return ", ".join(part for part in (means, rated) if part)

    def config(self) -> TournamentConfig:
        """The chosen tournament; every game is saved.

        Raises:
            GameError: There are fewer than two entrants.
        """
        entrants = name_entrants(agent for agent in self.agents if agent in self.marked)
        if len(entrants) < 2:
            raise GameError(
                "A tournament needs two entrants or more.", "Mark them with space, then press s."
            )
        info = self.game.info
        return TournamentConfig(
            info.id,
            entrants,
            (option_values(self.game),),
            usual_schedule([self.game], len(entrants)),
            int(self.games.value),
            _SEED,
            records=True,
            rules_version=info.rules_version,
        )

    def command(self) -> str:
        """The equivalent command line; empty while there are too few entrants."""
        try:
            return f"{command_of(self.config())} --records"
        except GameError:
            return ""


def resume_command(folder: object) -> str:
    """The command line that resumes a stopped tournament."""
    return shlex.join(["boardgames", "tournament", "--resume", str(folder)])


_PAGE: Final = 10


class TournamentScreen(Frame):
    """Runs a tournament between agents in the background.

    Args:
        game: The rulebook with its options.
        settings: How games are shown.
        folder: A new folder for the results; None chooses one of today in the current folder.
    """

    HAS_COMMAND = True
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "tournament",
        ("up,shift+tab", "move(-1)", "line above", "up"),
        ("down,tab", "move(1)", "line below", "down"),
        ("pageup", f"move(-{_PAGE})", "ten lines up", "page-up"),
        ("pagedown", f"move({_PAGE})", "ten lines down", "page-down"),
        ("left", "games(-1)", "fewer games", "fewer"),
        ("right", "games(1)", "more games", "more"),
        ("enter,space", "pick", "mark an entrant, or see a game", "pick"),
        ("s", "start", "start the tournament", "start"),
        ("x", "stop", "stop the tournament", "stop"),
        ("q,escape", "leave", "stop the tournament, or close", "leave"),
    )

    def __init__(self, game: AnyGame, settings: Settings, folder: Path | None = None) -> None:
        super().__init__()
        self.form = TournamentForm(game)
        self.settings = settings
        self.ended: Ended | None = None
        """The finished or stopped tournament; None before its end."""
        self._path = folder
        self._tournament: BackgroundTournament | None = None
        # Not a daemon: the interpreter waits until the processes have ended.
        self._thread = Background("tournament", self._deliver, is_daemon=False)
        self._config: TournamentConfig | None = None
        self._standing: LiveStandings | None = None
        self._row = 0
        self._top = 0

    def content(self) -> ComposeResult:
        """The table above, entrants or games below."""
        with Container(id="tournament"):
            yield PictureView(id="standings")
            yield PictureView(id="rows")

    def on_mount(self) -> None:
        """Find the possible entrants in the background, since some agents take time to load."""
        self.redraw()
        threading.Thread(target=self._look_for_agents, name="entrants", daemon=True).start()

    def on_unmount(self) -> None:
        """End all worker processes."""
        self._thread.stop()

    @property
    def is_playing(self) -> bool:
        """Whether games are being played."""
        return self._tournament is not None

    def _look_for_agents(self) -> None:
        self.from_thread(self._take_agents, possible_entrants(self.form.game))

    def _take_agents(self, agents: list[str]) -> None:
        if not self.is_playing and self.ended is None:
            self.form.offer(agents)
            self.redraw()

    # -- drawing -----------------------------------------------------------------------------

    def title_bar(self) -> Sides:
        """The game with its options."""
        title = ", ".join([self.form.game.info.name, *option_words(self.form.game)])
        return [Span(f"Tournament: {title}", "title")], ()

    def draw(self) -> None:
        """Draw everything."""
        self.show_picture("standings", self._table())
        self._fit_rows()
        super().draw()
        # The space for the rows depends on the height of the table.
        self.call_after_refresh(self._fit_rows)

    def _fit_rows(self) -> None:
        if self.is_mounted:
            self.show_picture("rows", self._rows())

    def message_bar(self) -> Sequence[Span]:
        """How it stands."""
        return [Span(self._help(), "muted")]

    def _help(self) -> str:
        if self.ended is not None:
            folder = self.ended.folder
            words = "Finished" if self.ended.is_finished else "Stopped; it can be resumed"
            return f"{words}. The whole report: {folder / HTML_FILE}"
        if self._standing is not None:
            return f"{self._standing.progress}, kept in {self._standing.folder}"
        if self.is_playing:
            return "Getting the workers ready …"
        return "Everybody marked takes part. Results go into a new folder in the current one."

    def command_bar(self) -> str:
        """The command line that starts or resumes it."""
        if self.ended is not None and not self.ended.is_finished:
            return resume_command(self.ended.folder)
        return self.form.command()

    def _table(self) -> Picture:
        width = max(20, self.size.width - 2)
        if self.ended is not None:
            remarks = [line for text in self.ended.remarks for line in wrapped(text, width)]
            return _table_picture(self.ended.table, width, remarks)
        if self._standing is not None:
            return _table_picture(self._standing.table, width)
        return Picture(())

    def _rows(self) -> Picture:
        if self.is_playing:
            return Picture(())
        height = max(1, self.query_one("#rows").size.height)
        if self.ended is None:
            head = self._games_line()
            heading = [Span("ENTRANTS", "muted")]
            lines = [head, heading, *self._window(len(self.form.agents), height - 2)]
        else:
            count = len(self.ended.games)
            heading = [Span(f"GAMES  {self._row + 1 if count else 0} of {count:,}", "muted")]
            lines = [heading, *self._window(count, height - 1)]
        return Picture.of(lines)

    def _games_line(self) -> list[Span]:
        return [
            Span("Games of each pairing  ", "muted"),
            Span("‹", "key", "games(-1)"),
            Span(f" {self.form.games.value} ", "chosen"),
            Span("›", "key", "games(1)"),
        ]

    def _window(self, count: int, height: int) -> list[list[Span]]:
        """The lines around the cursor."""
        self._row = max(0, min(self._row, count - 1))
        self._top = scrolled(self._top, self._row, count, height)
        shown = range(self._top, min(count, self._top + max(1, height)))
        return [self._line(at) for at in shown]

    def _line(self, at: int) -> list[Span]:
        role, click = "highlight" if at == self._row else "", f"pick_row({at})"
        cursor = Span("▸ " if at == self._row else "  ", "key", click)
        if self.ended is not None:
            return [cursor, Span(self._game_words(self.ended.games[at][1]), role, click)]
        agent = self.form.agents[at]
        mark = "[x]" if agent in self.form.marked else "[ ]"
        width = max(map(columns, self.form.agents))
        words = Span(f"  {self.form.words(agent)}", "muted", click)
        return [cursor, Span(f"{mark} {justified(agent, width)}", role, click), words]

    def _game_words(self, result: GameResult) -> str:
        """A game in one line, such as ``deal 3: hard v random, hard wins, 45 steps``."""
        names = [entrant.name for entrant in self._config.entrants] if self._config else []
        seated = " v ".join(names[at] for at in result.entrants)
        places = zip(result.entrants, result.places, strict=True)
        first = {names[at] for at, place in places if place == 0}
        is_drawn = len(first) == len(set(result.entrants))
        won = "drawn" if is_drawn else f"{' and '.join(sorted(first))} won"
        return f"deal {result.deal + 1}: {seated}, {won}, {result.plies} steps"

    def key_hints(self) -> Sequence[KeyHint]:
        """The keys that do something now, the important ones first."""
        if self.is_playing:
            return [("x", "stop", "screen.stop")]
        line = ("↑↓", "line", "screen.move(1)")
        close = ("q", "close", "screen.leave")
        if self.ended is not None:
            return [("enter", "see the game", "screen.pick"), line, close]
        return [
            ("s", "start", "screen.start"),
            ("space", "mark", "screen.pick"),
            line,
            ("←→", "games", "screen.games(1)"),
            close,
        ]

    # -- keys and mouse ----------------------------------------------------------------------

    def action_move(self, by: int) -> None:
        """Go to another line."""
        count = len(self.form.agents) if self.ended is None else len(self.ended.games)
        self._row = max(0, min(self._row + by, count - 1))
        self.say("")

    def action_games(self, by: int) -> None:
        """Play more games, or fewer."""
        if not self.is_playing and self.ended is None:
            self.form.games.turn(by)
            self.say("")

    def action_pick(self) -> None:
        """Mark the entrant under the cursor, or replay the game under it."""
        if self.ended is not None:
            self._open_game(self.ended)
        elif not self.is_playing:
            self.form.toggle(self.form.agents[self._row])
            self.say("")

    def _open_game(self, ended: Ended) -> None:
        if not ended.games:
            self.say("No game was kept.")
            return
        with self.telling_errors():
            path = ended.games[self._row][0]
            self.app.open_replay(load_replay(str(path), self.settings))

    def action_start(self) -> None:
        """Start the tournament, or say why it can't start."""
        if self.is_playing or self.ended is not None:
            return
        with self.telling_errors():
            self._config = self.form.config()
            self._tournament = BackgroundTournament(self._config, self._path)
            self._thread.put(self._tournament)
            self.say("")

    def action_stop(self) -> None:
        """Stop the tournament; the games so far are kept."""
        if self._tournament is not None:
            self._thread.hurry()
            self.say("Stopping; what was played is kept …")

    def action_leave(self) -> None:
        """Stop the tournament; close the screen if none is running."""
        if self.is_playing:
            self.action_stop()
        else:
            self.close()

    def action_pick_row(self, row: int) -> None:
        """Pick a line."""
        self._row = row
        self.action_pick()

    # -- the thread --------------------------------------------------------------------------

    def _deliver(self, news: News) -> None:
        self.from_thread(self._take, news)

    def _take(self, news: News) -> None:
        match news:
            case LiveStandings():
                self._standing = news
            case WorkerNote(text):
                self.message = f"Note: {text}"
            case Ended():
                self.ended, self._tournament = news, None
                self._row = self._top = 0
                self.message = ""
            case Failed(error, folder):
                self._tournament = self._standing = None
                self._fail(error, folder)
        self.redraw()

    def _fail(self, error: BaseException, folder: Path | None) -> None:
        if not isinstance(error, GameError):
            raise error
        kept = "" if folder is None else f"   To continue: {resume_command(folder)}"
        self.message = f"{error}{kept}"


def _table_picture(table: Table, width: int, remarks: Sequence[str] = ()) -> Picture:
    """A table without its title, which the screen shows already."""
    head, *rows = table.text(width).splitlines()[1:]
    return Picture.of([[Span(head, "muted")], *rows, *[[Span(text, "muted")] for text in remarks]])
