"""What comes over the table: hand-over, result, leaving, the tutor, and news from a server."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

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
from boardgames_cli.evaluation.tutor import MistakeWarning, Tutor
from boardgames_cli.session.parting import next_opponent, record_of
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Pace
from boardgames_cli.session.snapshot import Company, TableSnapshot, clock_text
from boardgames_cli.session.viewpoint import short_seed
from boardgames_cli.storage.store import Store
from boardgames_cli.tui.effects import capitals_of, ending_of, large_text
from boardgames_cli.tui.keys import REST_SECONDS, Keyboard, KeyDebounce
from boardgames_cli.tui.screens.dialogs import Answer, ChoiceDialog, HandOver, NameDialog, ask
from boardgames_cli.tui.screens.frame import LEAST_WIDTH
from boardgames_cli.tui.table.table_screen import TableScreen
from boardgames_cli.tui.widgets.choices import ChoiceList
from boardgames_cli.tui.widgets.picture import PictureView, Sides

if TYPE_CHECKING:
    from boardgames_cli.tui.review_model import ReviewModel


class TableDialogs:
    """Opens the dialogs of the game screen and acts on their answers."""

    def __init__(self, screen: TableScreen) -> None:
        self._screen = screen
        self._session = screen.session
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

    def show_result(self, *, is_new: bool) -> None:
        """Say who won, and ask what to do next; the first time keys rest."""
        settings = self._screen.settings
        # At the fastest pace nobody watches the board. Real time has its own ticks.
        is_awaited = settings.pace is Pace.INSTANT and self._session.tick is None
        self._start_review()
        scene = ResultScene(
            self._screen,
            KeyDebounce() if is_new and not is_awaited else None,
            self._answers(),
            record_of(self._session, settings.results_file),
            None if self._review is None else self._review[1],
            self.review,
        )
        self._screen.app.push_screen(scene, scene.follow)

    def _answers(self) -> dict[str, Answer]:
        session, app = self._session, self._screen.app
        ahead = next_opponent(session, self._screen.settings.results_file)
        is_open = session.company is None
        # Neither digits nor enter, because people may still be pressing these to play.
        answers: dict[str, Answer] = {}
        if is_open or session.humans:  # who only watched can't offer it
            answers["r"] = ("Rematch", self.rematch)
        if ahead is not None:
            answers["o"] = (f"Play {ahead.name}", partial(self.rematch, rival=ahead.seat))
        if is_open and session.game.seats > 1:
            answers["s"] = ("Swap seats", partial(self.rematch, swap=True))
        return answers | {
            "v": ("Review", self.review),
            "m": ("Menu", partial(self.leave_for, app.open_menu)),
            "q": ("Quit", partial(self.leave_for, app.exit)),
        }

    def close_result(self) -> None:
        """Close the result: the game goes on, or another one has begun."""
        if isinstance(self._screen.app.screen, ResultScene):
            self._screen.app.screen.dismiss(None)

    def _start_review(self) -> None:
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
                self.talk("offer", "rematch")
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
        if save is None or session.is_untouched:
            why = "It is played without saving, so it can't be resumed."
            facts = [why if save is None else "You have not played yet, so nothing is kept."]
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
        facts = ["Your seat is kept: the same command brings you back."]
        facts += ["Your clock runs on."] if company.left else []
        give_up = [("Give up the game", partial(self.talk, "resign"))]
        if not self._session.humans:
            facts, give_up = [], []
        self._ask(facts, [("Leave", leave), *give_up])

    def talk(self, word: str, argument: str = "") -> None:
        """Tell the others at a table on a server; see `Company.talk`."""
        company = self._session.company
        assert company is not None, "else there are no such commands"
        with self._screen.telling_errors():
            company.talk(word, argument)
        self._screen.redraw()

    def resign(self) -> None:
        """Give up the game, once that is confirmed."""
        answers = [("Play on", None), ("Give up", partial(self.talk, "resign"))]
        ask(self._screen, "Give up the game?", (), answers)

    def offer(self) -> None:
        """Choose what to ask of the others."""
        company, offers = self._session.company, {"undo": "Take back my last decision"}
        assert company is not None, "only then there is a key for it"
        if 0 in company.away().values():
            offers["agent"] = "Let an agent play for who is away"
            offers["claim"] = "End the game, lost for who is away"
        if self._session.match.is_over:
            offers = {"rematch": "Play again with seats exchanged"}
        answers = [(label, partial(self.talk, "offer", what)) for what, label in offers.items()]
        ask(self._screen, "Ask the others for what?", (), [*answers, ("Nothing", None)])

    def leave_for(self, where: Callable[[], object], said: str = "") -> None:
        """Leave once the game is saved, or the user gives up; the last attempt said something."""
        session, saving = self._session, self._session.saving
        if saving.retry():
            if session.is_untouched and session.journal is not None and session.company is None:
                with contextlib.suppress(StorageError):
                    saving.discard()
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
        ask(self._screen, "Leave the game?", facts, [*answers, stay])

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


_FACTS_WIDTH: Final = 48
"""Columns of the facts in a dialog."""


class TutorDialog:
    """Lets moves pass, at once or after a question, with a delay of at most a second."""

    def __init__(self, screen: TableScreen, give_hint: Callable[[], None]) -> None:
        self._give_hint = give_hint
        self._screen = screen
        self._match = screen.session.match
        self._tutor = Tutor(screen.oracle, screen.session.note_warning)
        self._asked = 0

    def consider(self) -> None:
        """Start to evaluate the decision of the person to act."""
        if self._screen.seat is not None:
            self._screen.oracle.consider(self._screen.seat)

    def ask(self, seat: Seat, action: Any, play: Callable[[], None]) -> None:
        """Play an action, unless it is a mistake and the person takes it back."""
        self._asked = asked = self._asked + 1

        def decide() -> None:
            if self._asked != asked:
                return
            warning = self._tutor.warning(seat, action)
            if warning is None:
                play()
            else:
                self._question(seat, warning, play)

        then = self._unless_changed(decide)
        if self._tutor.is_ready(seat):
            then()
        else:
            self._tutor.call(seat, lambda: self._screen.from_thread(then, None))

    def _unless_changed(self, do: Callable[..., None]) -> Callable[..., None]:
        version = self._match.version
        return lambda *_: do() if self._match.version == version else None

    def _question(self, seat: Seat, warning: MistakeWarning, play: Callable[[], None]) -> None:
        screen = self._screen
        facts = [*wrapped(warning.values, _FACTS_WIDTH), *wrapped(warning.sentence, _FACTS_WIDTH)]
        # Explained once; who goes on like that gets a clue before the next choice.
        coach = partial(screen.say, f"Look again. {warning.clue}")
        answers = [
            ("Play it anyway", self._unless_changed(play)),
            ("Take it back", self._unless_changed(coach)),
            ("Show a hint", self._unless_changed(self._give_hint)),
        ]
        self._tutor.note_warning(seat)
        screen.redraw()
        rest = None if screen.settings.pace is Pace.INSTANT else KeyDebounce(REST_SECONDS)
        ask(screen, "This looks like a mistake.", facts, answers, start=1, rest=rest)


class TableNews:
    """Brings the server's messages to the game screen, and asks for answers to offers."""

    def __init__(
        self, screen: TableScreen, company: Company, talk: Callable[[str, str], object]
    ) -> None:
        self._screen = screen
        self._talk = talk
        self._session = session = screen.session
        self._company = company
        self._told = len(session.log.remarks)
        self._people = session.humans
        self._asked = ""
        self._dialog: ChoiceDialog | None = None

    def tick(self) -> None:
        """Take messages that no request waits for; to be called regularly."""
        loop = self._screen.loop
        if loop.event is not Event.AGENT and self._company.poll():
            loop.go_on()

    def tell(self) -> None:
        session = self._session
        if session.humans != self._people:  # seats are exchanged in a rematch
            self._people = session.humans
            self._screen.keyboard = Keyboard.of_session(session)
            self._screen.forget_moment()
        remarks, asked = session.log.remarks, self._company.question
        # A question stands in its dialog alone.
        if len(remarks) > self._told and not (asked and remarks[-1].text.startswith(asked)):
            self._screen.say(remarks[-1].text)
        self._told = len(remarks)
        if self._company.question != self._asked:
            self._asked = self._company.question
            if self._dialog is not None:
                self._dialog.dismiss(None)
                self._dialog = None
            if self._asked:
                # People may be pressing digits and enter to play.
                self.ask(start=None, rest=KeyDebounce())

    def ask(self, **more: Any) -> None:
        """Ask for the answer to what the others want."""
        answers = [(word.title(), partial(self._talk, word, "")) for word in ("agree", "decline")]
        self._dialog = ask(self._screen, self._asked, (), answers, **more)

    def bar(self) -> Sides:
        """Clocks, who is away, spectators, and an offer whose dialog was closed."""
        others = list(_others(self._company))
        if self._company.question and (self._dialog is None or not self._dialog.is_active):
            others = [
                Span(f"{self._company.question} "),
                Span("o answers", "key", "screen.offers"),
            ]
        return list(_clocks(self._company, self._session)), others


def _clocks(company: Company, session: Session) -> Iterator[Span]:
    mark = ">" if session.glyphs is Glyphs.ASCII else "▸"
    for seat, left in company.clocks().items():
        runs = seat in company.running
        yield Span(f"{mark if runs else ' '}{session.names[seat]} ", f"seat.{seat}")
        yield Span(clock_text(left), "highlight" if runs else "muted")
        yield Span("  ")
    for seat, left in company.away().items():
        yield Span(session.names[seat], f"seat.{seat}")
        if left:
            yield Span(f" is away; {clock_text(left)} to return  ", "bad")
        else:
            yield Span(" stays away; ", "bad")
            yield Span("o offers a way to go on  ", "key", "screen.offers")


def _others(company: Company) -> Iterator[Span]:
    watchers = company.watchers
    if watchers:
        yield Span("1 spectator  " if watchers == 1 else f"{watchers} spectators  ", "muted")
    if not company.is_up and not company.is_gone:
        yield Span(" reconnecting ", "highlight")


_MIDDLE: Final = 24
"""The rows of a window from which on the moment that changed most is told."""
_TALL: Final = 36
"""The rows of a window from which on the block letters may be large."""

_SWING: Final = "That moment"
_LOOKING: Final = "The review is looking for the biggest swing …"
_LOOK_SECONDS: Final = 0.5
"""How often the result asks whether the review is complete."""
_APART: Final = "   "
_LEAST_FACTS: Final = 44
"""The columns for facts that are left beside the winner in block letters."""


class ResultScene(ChoiceDialog):
    """The result dialog."""

    swing = 0
    """The ply that changed the game most, once the review knows it."""

    def __init__(
        self,
        table: TableScreen,
        rest: KeyDebounce | None,
        answers: Mapping[str, Answer],
        record: Sequence[str],
        review: ReviewModel | None,
        show: Callable[[int], None],
    ) -> None:
        session, shown = table.session, table.shown
        super().__init__("", (), [*answers.values()], table.palette, None, [*answers], rest)
        self.set_class(bool(table.keyboard.hints), "-keyed")
        self._session = session
        best = session.match.winners
        self._role = f"seat.{best[0]} headline" if len(best) == 1 else "title"
        self._headline = capitals_of(ending_of(shown).banner)
        self._texts = list(_texts(session, shown, record, self._role))
        self._make_room = table.make_room
        self._review = review
        self._show_review = show

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
            answers, keys = [*self._answers], [*self._keys]
            at = keys.index("v") + 1
            keys.insert(at, "n")
            answers.insert(at, (_SWING, partial(self._show_review, self.swing)))
            self.offer(answers, keys)
        if [span.text for span in self._texts[-1][0]] == [_LOOKING]:  # the box has had its row
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
        self._labels = [justified(label, least) for label, _ in self._answers]
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
    kept = [] if isinstance(session.game, PassesTime) else [counted(session.match.ply, "step")]
    kept += [] if seed is None else [f"seed {seed}"]
    if session.journal is not None and not session.saving.warning:
        kept.append(f"saved as {session.journal.name}")
    hints = session.hints_taken
    helped = [f"Assisted: {counted(hints, 'hint')}."] if hints else []
    said = [Span(text) for text in (*record, *helped)]
    yield [*said, Span(", ".join(kept), "muted")], False
    yield [Span(line, "muted") for line in session.review()], True


def _flowing(pieces: Sequence[Span], width: int) -> list[list[Span]]:
    lines: list[list[Span]] = []
    used = 0
    for piece in pieces:
        for text in wrapped(piece.text, width):
            if not lines or used + len(_APART) + columns(text) > width:
                lines.append([Span(text, piece.role)])
                used = columns(text)
            else:
                lines[-1] += [Span(_APART), Span(text, piece.role)]
                used += len(_APART) + columns(text)
    return lines
