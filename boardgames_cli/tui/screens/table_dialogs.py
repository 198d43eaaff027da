"""The dialogs of the game screen: hand-over, help, result, leaving and saving."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical

from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.game import PassesTime, Seat
from boardgames_cli.core.plugins import is_confined
from boardgames_cli.core.presentation.view import Size
from boardgames_cli.core.text import (
    Glyphs,
    Picture,
    Span,
    columns,
    counted,
    justified,
    shortened,
    wrapped,
)
from boardgames_cli.session.parting import next_opponent, record_of
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Pace
from boardgames_cli.session.snapshot import Company, TableSnapshot
from boardgames_cli.session.viewpoint import short_seed
from boardgames_cli.storage.store import Store
from boardgames_cli.tui.effects import capitals_of, ending_of, large_text
from boardgames_cli.tui.screens.dialogs import ChoiceDialog, HandOver, NameDialog, ask
from boardgames_cli.tui.screens.frame import LEAST_WIDTH
from boardgames_cli.tui.table.table_screen import TableScreen
from boardgames_cli.tui.timers import KeyDebounce
from boardgames_cli.tui.widgets.choices import ChoiceList
from boardgames_cli.tui.widgets.picture import PictureView

if TYPE_CHECKING:
    from boardgames_cli.tui.review_model import ReviewModel


class TableDialogs:
    """Opens the dialogs of the game screen and acts on their answers.

    Args:
        screen: The game screen.
    """

    def __init__(self, screen: TableScreen) -> None:
        self._screen = screen
        self._session = screen.session
        self._is_result_seen = False
        """Whether the result has been shown and closed."""
        self.is_reviewing = False
        """Whether the review lies over the table; the result is shown again after it."""
        self._review: tuple[int, ReviewModel] | None = None
        """The version of the match and its review, which begins at the end of the game."""

    def hand_over(self, seat: Seat) -> None:
        """Hide everything until the person of a seat has taken over."""

        def reveal() -> None:
            self._screen.revealed = seat

        cover = HandOver(self._session.names[seat], reveal)
        self._screen.app.push_screen(cover, lambda _: self._screen.redraw())

    def show_result(self) -> None:
        """Say who won, and ask what to do next."""
        settings = self._screen.settings
        # At the fastest pace nobody watches the board. Real time has its own ticks.
        is_awaited = settings.pace is Pace.INSTANT and self._session.tick is None
        is_asked_for, self._is_result_seen = self._is_result_seen, False
        rest = None if is_awaited or is_asked_for else KeyDebounce()

        def follow(answer: str | None) -> None:
            self._is_result_seen = True
            if answer in ("rematch", "swap"):
                self.rematch(swap=answer == "swap")
            elif answer == "next" and ahead is not None:
                self.rematch(rival=ahead.seat)
            elif answer == "review":
                self.review()
            elif answer == "swing":
                self.review(scene.swing)
            elif answer is not None:
                app = self._screen.app
                self.leave_for(app.open_menu if answer == "menu" else app.exit)

        self._start_review()
        record = record_of(self._session, settings.results_file)
        ahead = next_opponent(self._session, settings.results_file)
        name = None if ahead is None else ahead.name
        review = None if self._review is None else self._review[1]
        scene = ResultScene(self._screen, rest, record, review, name)
        self._screen.app.push_screen(scene, follow)

    def close_result(self) -> None:
        """Close the result: the game goes on, or another one has begun."""
        if isinstance(self._screen.app.screen, ResultScene):
            self._screen.app.screen.dismiss(None)

    def _start_review(self) -> None:
        """Begin to review the finished game in the background, once."""
        session, version = self._session, self._session.match.version
        if not session.humans or (self._review is not None and self._review[0] == version):
            return
        self.stop_review()
        from boardgames_cli.tui.review_model import ReviewModel  # most tables are left before

        replay = Replay.of_session(session)
        replay.is_judged = True
        review = ReviewModel(replay, Store.at(self._screen.settings.save_folder))
        review.start()
        if not review.problem:
            self._review = version, review

    def stop_review(self) -> None:
        """Stop it; what is done is stored beside the save."""
        if self._review is not None:
            self._review[1].stop()
            self._review = None

    def review(self, ply: int = 0) -> None:
        """Show the review of the finished game: its summary, or a ply with everything revealed."""
        started = None if self._review is None else self._review[1]
        replay = Replay.of_session(self._session) if started is None else started.replay
        replay.is_judged = True
        self.is_reviewing = True
        self._screen.app.open_replay(replay, started, ply)

    def rematch(self, *, swap: bool = False, rival: str = "") -> None:
        """Begin another game once this is saved; see `BoardgamesApp.rematch`."""
        self.leave_for(lambda: self._rematch(swap, rival))

    def _rematch(self, swap: bool, rival: str) -> None:
        with self._screen.telling_errors():
            if self._session.company is not None:
                self._session.company.talk("offer", "rematch")
                return
            self._screen.app.rematch(self._session, swap=swap, rival=rival)

    def leave(self) -> None:
        """Ask how to leave; a finished or unsaved game needs no save."""
        session = self._session
        if session.match.is_over or not session.saving.retry():
            self.leave_for(self._screen.app.exit)
            return
        save, leave, menu = session.journal, self._screen.app.exit, self._screen.app.open_menu
        if session.company is not None:
            self._leave_server(leave, session.company)
            return
        if save is None:
            facts = ["It is played without saving, so it can't be resumed."]
            texts, delete = ("Quit", "Go to the menu"), []
        else:
            facts = [f"Everything is saved as {save.name}."]
            texts = ("Save and quit", "Save and go to the menu")
            delete = [("Quit and delete the save", self._delete)]
        self._ask(
            facts,
            [
                (texts[0], lambda: self.leave_for(leave)),
                (texts[1], lambda: self.leave_for(menu)),
                *delete,
            ],
        )

    def _leave_server(self, leave: Callable[[], object], company: Company) -> None:
        def resign() -> None:
            with self._screen.telling_errors():
                company.talk("resign", "")

        facts = ["Your seat is kept: the same command brings you back.", "Your clock runs on."]
        give_up = [("Give up the game", resign)] if self._session.humans else []
        self._ask(facts if give_up else [], [("Leave", leave), *give_up])

    def leave_for(self, where: Callable[[], object], said: str = "") -> None:
        """Leave once the game is saved, or the user gives up saving.

        Args:
            where: Called to leave.
            said: The result of the last attempt to save.
        """
        saving = self._session.saving
        if saving.retry():
            where()
            return
        elsewhere = [("Save it in another place", lambda: self._save_elsewhere(where))]
        self._ask(
            [saving.warning, *([said] if said else [])],
            [
                *([] if is_confined() else elsewhere),
                ("Try again", lambda: self.leave_for(where)),
                (f"Leave without {saving.missing}", where),
            ],
        )

    def _ask(
        self, facts: Sequence[str], answers: Sequence[tuple[str, Callable[[], object]]]
    ) -> None:
        stay = ("Stay", None)
        ask(self._screen, "Leave the game?", facts, [*answers, stay], self._screen.palette)

    def save_copy(self, name: str) -> None:
        """Save a copy under a name; ask for the name if it is empty."""
        journal = self._session.journal
        if journal is None:
            self._screen.say("This game is played without saving, so there is nothing to copy.")
            return

        def follow(chosen: str | None) -> None:
            if chosen:
                with self._screen.telling_errors():
                    copy = self._session.saving.keep_copy(chosen).stem
                    self._screen.say(f"Saved a copy as {copy}. The game goes on in {journal.name}.")

        if name:
            follow(name)
        else:
            self._screen.app.push_screen(
                NameDialog("Save a copy under which name?", f"{journal.name}-copy"), follow
            )

    def _delete(self) -> None:
        with self._screen.telling_errors():
            self._session.saving.discard()
            self._screen.app.exit()

    def _save_elsewhere(self, where: Callable[[], object]) -> None:
        journal = self._session.journal
        assert journal is not None, "only a game with a save can have an incomplete one"

        def follow(chosen: str | None) -> None:
            said = ""
            if chosen:
                try:
                    self._session.saving.move(chosen)
                except StorageError as error:
                    said = error.message
            self.leave_for(where, said)

        place = str(Path.home() / journal.path.name)
        self._screen.app.push_screen(
            NameDialog("Save the game in which folder or file?", place), follow
        )


_MOST_MISTAKES: Final = 2
"""The maximum number of mistakes in the review's summary."""
_MIDDLE: Final = 24
"""The rows of a window from which on the moment that changed most is told."""
_TALL: Final = 36
"""The rows of a window from which on the block letters may be large."""

_KEYS: Final = {
    "rematch": "r", "next": "o", "swap": "s", "review": "v", "swing": "n", "menu": "m", "quit": "q",
}  # fmt: skip
"""Neither digits nor enter, because people may still be pressing these to play."""

_SWING: Final = "That moment"
_LOOKING: Final = "The review is looking for the biggest swing …"
_LOOK_SECONDS: Final = 0.5
"""How often the result asks whether the review is complete."""
_APART: Final = "   "
_LEAST_FACTS: Final = 44
"""The columns for facts that are left beside the winner in block letters."""


class ResultScene(ChoiceDialog):
    """The result dialog; dismissed with a word of `_KEYS`.

    Args:
        table: The game screen, which makes room for it.
        rest: Ignores keys that were meant for the game.
        record: What the game has changed, and the record against these opponents, as sentences.
        review: The review, which may be under way; None without one.
        ahead: The name of the next opponent of the ladder, if this one is beaten.
    """

    swing = 0
    """The ply that changed the game most, once the review knows it."""

    def __init__(
        self,
        table: TableScreen,
        rest: KeyDebounce | None,
        record: Sequence[str],
        review: ReviewModel | None = None,
        ahead: str | None = None,
    ) -> None:
        session, shown = table.session, table.shown
        again = [("rematch", "Rematch")]
        if session.company is not None:
            again = again if session.humans else []  # who only watched can't offer one
        elif session.game.seats > 1:
            again += [("swap", "Swap seats")]
        answers = [
            *again[:1],
            *([("next", f"Play {ahead}")] if ahead else []),
            *again[1:],
            ("review", "Review"),
            ("menu", "Menu"),
            ("quit", "Quit"),
        ]
        super().__init__("", (), answers, table.palette, None, keys=_KEYS, rest=rest)
        self.set_class(bool(table.keyboard.hints), "-keyed")
        self._session = session
        best = session.match.winners
        self._role = f"seat.{best[0]} headline" if len(best) == 1 else "title"
        self._headline = capitals_of(ending_of(shown).banner)
        self._texts = list(_texts(session, shown, record, self._role))
        self._make_room = table.make_room
        self._review = review

    def on_mount(self) -> None:
        super().on_mount()
        if self._review is not None:
            if self.app.size.height >= _MIDDLE:
                self._texts.append(([Span(_LOOKING, "muted")], True))
            self._waiting = self.set_interval(_LOOK_SECONDS, self._look)
            self._look()

    def _look(self) -> None:
        review = self._review
        done = None if review is None else review.review
        if review is None or not (review.problem or (done is not None and done.is_complete)):
            return
        from boardgames_cli.evaluation.review_text import biggest_swing  # loaded with the review

        self._waiting.stop()
        found = None if done is None or review.problem else biggest_swing(done, review.seats[0])
        said = review.problem or "No turn changed the game much."
        if found is not None:
            self.swing, said = found
            at = [word for word, _ in self._answers].index("review") + 1
            self._answers = (*self._answers[:at], ("swing", _SWING), *self._answers[at:])
        if self._texts[-1][0][0].text == _LOOKING:  # one row, which the box has had from the start
            self._texts[-1] = [Span(shortened(said, self.app.size.width - 2))], True
        self._fill()
        self._show()

    def compose(self) -> ComposeResult:
        with Vertical(id="result") as box:
            box.border_title = " G A M E   O V E R "
            yield PictureView(id="verdict")
            yield ChoiceList(id="answers", gap=1)

    def _fill(self) -> None:
        # What the review finds must not change the size of the box, nor the places of the answers.
        least = 0 if self._review is None else columns(_SWING)
        self._labels = [justified(label, least) for _, label in self._answers]
        self.query_one("#result").set_class(self._session.glyphs is Glyphs.ASCII, "-ascii")
        self.call_after_refresh(self._fit)

    def on_resize(self, event: events.Resize) -> None:
        self._fit()

    def on_unmount(self) -> None:
        self._make_room(0)

    def _fit(self) -> None:
        if not self.query("#result"):
            return  # not mounted yet, or already removed
        width = max(self.app.size.width, LEAST_WIDTH)  # a smaller window shows a notice
        picture, answers = self._picture(width - 2), self.query_one(ChoiceList)
        is_expected = self._review is not None and not self.swing
        rows = answers.rows_in(width, int(is_expected))
        answers.styles.height = rows
        # The whole board stays in sight: what is left of the screen without title and edge.
        least = self._session.snapshot().board(Size(width, 1)).height
        room = max(1, self.app.size.height - 2 - least - rows)
        if picture.height > room:
            rest = [Span("… v: the review tells the rest", "muted")]
            picture = Picture.of([*picture.lines[: room - 1], rest])
        self.query_one("#verdict", PictureView).show(picture, self._palette)
        box = self.query_one("#result")
        self.call_after_refresh(lambda: self._make_room(box.region.height))

    def _picture(self, width: int) -> Picture:
        title, beside = list[str](), width
        for is_wide in (True, False) if self.app.size.height >= _TALL else (False,):
            letters = large_text(self._headline, self._session.glyphs, is_wide=is_wide)
            room = width - columns(letters[0]) - len(_APART)
            if self._headline and not title and room >= _LEAST_FACTS:
                title, beside = letters, room
        top: list[list[Span]] = []
        below: list[list[Span]] = []
        for pieces, is_detail in self._texts:
            # What does not fit beside the title goes below it, sentence by sentence.
            count = 0 if is_detail else len(pieces)
            while count and len(top) + len(_flowing(pieces[:count], beside)) > len(title):
                count -= 1
            top += _flowing(pieces[:count], beside)
            below += _flowing(pieces[count:], width)
        top += [[] for _ in range(len(title) - len(top))]
        titled = [
            [Span(f"{letters:<{width - beside}}", self._role), *line]
            for letters, line in zip(title, top, strict=True)
        ]
        return Picture.of([*titled, *below])


def _texts(
    session: Session, shown: TableSnapshot, record: Sequence[str], role: str
) -> Iterator[tuple[list[Span], bool]]:
    """What is said, in order, and whether it is too long to stand beside a title.

    Args:
        session: The table.
        shown: What is shown of it.
        record: What the game has changed, and the record.
        role: The colour of the winner.
    """
    returns, ending = session.match.returns, shown.ending
    verdict = [Span(shown.result, role)]
    stands = ending is None or not ending.is_by_players
    if stands and any(value not in (-1, 0, 1) for value in returns):
        ranking = sorted(range(len(returns)), key=lambda seat: -returns[seat])
        verdict += [
            Span(f"{session.names[seat]} {returns[seat] + 0.0:+g}", f"seat.{seat}")
            for seat in ranking
        ]
    yield verdict, False
    if session.saving.warning:
        yield [Span(session.saving.warning, "bad")], False
    seed = short_seed(session.match)
    # Games with their own count would show a different number.
    kept = [] if isinstance(session.game, PassesTime) else [f"{session.match.ply} steps"]
    kept += [] if seed is None else [f"seed {seed}"]
    if session.journal is not None and not session.saving.warning:
        kept.append(f"saved as {session.journal.name}")
    hints = session.hints_taken
    helped = [f"Assisted: {counted(hints, 'hint')}."] if hints else []
    said = [Span(text) for text in (*record, *helped)]
    yield [*said, Span(", ".join(kept), "muted")], False
    told = [Span(line.strip(), "" if line[0] == " " else "muted") for line in session.review()]
    costs = next((at for at, one in enumerate(told) if one.text.endswith(":")), len(told))
    yield told[:costs], True
    yield told[costs:][: 1 + _MOST_MISTAKES], True


def _flowing(pieces: Sequence[Span], width: int) -> list[list[Span]]:
    """Pieces in lines, those after a heading below each other; longer ones are wrapped."""
    lines: list[list[Span]] = []
    used = indent = 0
    for piece in pieces:
        for text in wrapped(piece.text, width - indent):
            if not lines or used + len(_APART) + columns(text) > width:
                lines.append([Span(" " * indent), Span(text, piece.role)])
                used = indent + columns(text)
            else:
                lines[-1] += [Span(_APART), Span(text, piece.role)]
                used += len(_APART) + columns(text)
        if piece.text.endswith(":"):
            indent = used + len(_APART) if 4 * used < width else 2
    return lines
