"""The replay screen: steps through a recorded game.

With a review it opens on the worst moment, and shows the course of the game, the mistakes, and
better choices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.timer import Timer

from boardgames_cli.core.text import Glyphs, Span, columns, justified, shortened
from boardgames_cli.evaluation.review_text import DEAREST, listed, worst_moment
from boardgames_cli.registry import spec_of
from boardgames_cli.session.match_driver import PACES, other_pace
from boardgames_cli.session.opening import AS_BEFORE, branch
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.settings import Pace, Settings
from boardgames_cli.storage.store import Store
from boardgames_cli.tui.keys import FAR, bindings_of, numbered
from boardgames_cli.tui.review_model import ReviewModel, listed_moves
from boardgames_cli.tui.screens.dialogs import Answer, NameDialog, ask
from boardgames_cli.tui.screens.frame import LEAST_WIDTH, BoardScreen, HelpTopic, KeyHint
from boardgames_cli.tui.table.table_screen import players_bar
from boardgames_cli.tui.theme import tells_grounds
from boardgames_cli.tui.widgets.panes import TablePanes
from boardgames_cli.tui.widgets.picture import Bar, KeyBar, PictureView, ReasonView, Sides, gauge

if TYPE_CHECKING:
    from boardgames_cli.evaluation.review_result import Decision, Review
    from boardgames_cli.evaluation.reviewer import ReviewNews

_MIDDLE_HEIGHT: Final = 24
"""The height from which reasons have two lines."""

_HIGH: Final = 40
"""The height from which the graph has more rows than necessary."""

_LEAST_SECONDS: Final = 0.05
"""The shortest pause in seconds, so that even the fastest pace can be stopped."""

_WIDEST_PAGE: Final = 100
"""Columns of the summary; longer lines are hard to read."""

_AROUND_MOVES: Final = 22
"""Columns beside a line of the list of moves."""

_MOST: Final = 9
"""The number of choices offered in a dialog: one per digit."""


class ReplayScreen(BoardScreen):
    """Shows a replay, step by step or automatically, optionally with a review.

    A review that was started before goes on after this screen.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "replay",
        ("space", "play", "play, or stop", "play"),
        ("v", "review", "review the game, or just see it again", "review"),
        ("s", "summary", "summary of the review", "summary"),
        (
            "n",
            "mistake(1, True)",
            "your next mistake; without a review: a step forward",
            "next-mistake",
        ),
        (
            "p",
            "mistake(-1, True)",
            "your mistake before; without a review: a step back",
            "last-mistake",
        ),
        ("N", "mistake(1, False)", "anybody's next mistake", "any-mistake"),
        ("P", "mistake(-1, False)", "anybody's mistake before", "any-last-mistake"),
        ("i", "more", "more of a long reason; in the summary the figures", "more"),
        *numbered("lesson", "in the summary: what cost most, {}", "lesson", _MOST),
        ("m", "moves", "list of all moves", "moves"),
        ("up", "choice(-1)", "choice above, on the board too", "choice-above"),
        ("down", "choice(1)", "choice below", "choice-below"),
        ("enter", "retry", "you decide again, or play on from here", "retry"),
        ("right_square_bracket,right", "travel(1)", "one step or turn forward", "forward"),
        ("left_square_bracket,left,b", "travel(-1)", "one step or turn back", "back"),
        ("pagedown", "travel(10)", "ten steps forward", "ten-forward"),
        ("pageup", "travel(-10)", "ten steps back", "ten-back"),
        ("left_curly_bracket,home", f"travel(-{FAR})", "to the beginning", "first"),
        ("right_curly_bracket,end", f"travel({FAR})", "to the end", "last"),
        ("plus,equals_sign", "pace(1)", "faster", "faster"),
        ("minus", "pace(-1)", "slower", "slower"),
        ("tab", "tab", "in a small window: board or facts", "tab"),
        ("question_mark,f1", "help", "keys, rules, legend", "help"),
        ("q,escape", "leave", "close", "leave"),
    )

    def __init__(
        self,
        replay: Replay,
        settings: Settings,
        ply: int = 0,
        started: ReviewModel | None = None,
    ) -> None:
        super().__init__()
        self.replay = replay
        self.settings = settings
        self.ply = ply
        self.pace = settings.pace if settings.pace.seconds is not None else Pace.NORMAL
        self.panes = TablePanes(replay.view)
        self._timer: Timer | None = None
        self._started = started
        self.review: ReviewModel | None = None
        """The review; None without one."""
        self.is_summary = False
        """Whether the summary is shown in place of the board."""
        self.has_figures = False
        """Whether the summary has its figures."""
        self._is_opening = replay.is_judged and not ply
        """Whether the worst moment is shown once it is known."""
        self.message = ""

    @property
    def last(self) -> int:
        return self.replay.match.ply

    @property
    def step(self) -> int:
        """The number shown: the steps done, or with a review the number of the step it evaluates.

        This is the number used in the list of mistakes.
        """
        return self.ply if self.review is None else min(self.ply + 1, self.last)

    @property
    def is_playing(self) -> bool:
        return self._timer is not None

    def body(self) -> ComposeResult:
        yield Bar(id="title")
        yield self.panes
        with VerticalScroll(id="review", can_focus=False):
            yield PictureView(id="review-page")
        yield PictureView(id="graph")
        yield Bar(id="progress")
        yield Bar(id="prompt")
        yield ReasonView(id="reason")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self.use_theme()
        if self.replay.is_judged:
            self.action_review()

    def on_unmount(self) -> None:
        self._stop()
        self._end_review()

    def on_resize(self) -> None:
        self.panes.animation.stop()  # it was drawn for another size

    def use_theme(self) -> None:
        self.replay.glyphs = self.settings.glyphs
        self.replay.has_colours = tells_grounds(self.app.theme, self.app)
        super().use_theme()

    def game_palette(self) -> Mapping[str, Mapping[str, str]]:
        return self.replay.view.palette

    def draw(self) -> None:
        snapshot = (self.review or self.replay).snapshot
        self.is_summary = self.is_summary and self.review is not None
        self.set_class(self.is_summary, "-summary")
        self.panes.show(snapshot(self.ply), self.palette)
        self._show_review()
        self.show_bar("title", *self.title_bar())
        self.show_bar("progress", self._progress())
        self.show_bar("prompt", *self._prompt())
        self.query_one(KeyBar).show_keys(self.key_hints(), self.palette)

    def _show_review(self) -> None:
        review = self.review
        graph = self.query_one("#graph", PictureView)
        graph.display = review is not None and review.review is not None
        reason = self.query_one(ReasonView)
        text = "" if review is None else review.words(self.ply)[1]
        reason.display = review is not None and not self.is_summary
        rows = 2 if self.size.height >= _MIDDLE_HEIGHT else 1
        reason.show_text(text, rows, self.palette)
        if self.is_summary and review is not None:
            # A smaller window shows a notice.
            width = min(max(self.size.width, LEAST_WIDTH) - 4, _WIDEST_PAGE)
            page = review.summary(width, has_figures=self.has_figures)
            self.show_picture("review-page", page)
        if review is None:
            self.panes.show_part("analysis", None)
            return
        graph.show(review.graph(self.ply, self._gauge, self._graph_rows), self.palette)
        self.panes.show_part("analysis", review.panel(self.ply, self.panes.side_width))

    @property
    def _graph_rows(self) -> int:
        if self.size.height < _HIGH:
            return 3
        return self.size.height // 3 if self.is_summary else _HIGH // 8

    @property
    def _gauge(self) -> tuple[int, int]:
        first = 1 + len(self._counted)
        return first, max(10, self.size.width - first - 1)

    @property
    def _counted(self) -> str:
        return f"step {self.step} of {self.last}  ".ljust(len(f"step {self.last} of {self.last}  "))

    def title_bar(self) -> Sides:
        replay, review = self.replay, self.review
        kind = " REPLAY " if review is None else " REVIEW "
        left = [Span(kind, "highlight"), Span(f" {replay.game.info.name}", "title")]
        if review is not None and review.progress:
            left.append(Span(f"  {review.progress} …", "muted"))
        width, glyphs = self.size.width, replay.glyphs
        return left, players_bar(replay.match, replay.names, left, width, glyphs)

    def _progress(self) -> list[Span]:
        cells = self._gauge[1]
        # Without colours the full and the empty part need different characters.
        is_plain = self.replay.glyphs is Glyphs.ASCII or not self.replay.has_colours
        marks = self.review.marks(cells) if self.review is not None else {}
        full, empty = gauge(self.ply / self.last if self.last else 1.0, cells, is_plain)
        spans = [Span(self._counted, "muted")]
        for column, sign in enumerate(full + empty):
            role = "bar.full" if column < len(full) else "bar.empty"
            spans.append(Span(marks[column], "bad") if column in marks else Span(sign, role))
        return spans

    def _prompt(self) -> Sides:
        if self.message:
            return [Span(self.message, "hint")], []
        replay, review = self.replay, self.review
        if self.ply == self.last or self.is_summary:
            return [Span(replay.ending(), "title")], []
        right = [Span(f"pace {self.pace.value}", "muted")] if self.is_playing else []
        if review is not None:
            spans, luck = review.words(self.ply)[0], review.luck(self.ply)
            right += [Span(luck, "muted")] if luck else []
            if spans:
                return spans, right
        return [Span(replay.snapshot(self.ply).prompt)], right

    def key_hints(self) -> Sequence[KeyHint]:
        common = self.common_keys
        mine = ("n p", "mistakes", "screen.mistake(1, True)")
        turn, moves = ("[ ]", "turn", "screen.travel(1)"), ("m", "moves", "screen.moves")
        if self.is_summary:
            every = ("N P", "everybody's", "screen.mistake(1, False)")
            figures = ("i", "words" if self.has_figures else "figures", "screen.more")
            scroll = ("↑↓", "scroll", "screen.choice(1)")
            return [figures, mine, every, moves, turn, *common[-2:], scroll]
        if self.review is not None:
            return [
                mine,
                ("enter", "retry", "screen.retry"),
                turn,
                moves,
                ("s", "summary", "screen.summary"),
                *common[:-2],
                ("↑↓", "choice", "screen.choice(1)"),
                *common[-2:],
            ]
        return [
            ("space", "stop" if self.is_playing else "play", "screen.play"),
            ("[ ]", "step", "screen.travel(1)"),
            ("{ }", "first, last", f"screen.travel(-{FAR})"),
            moves,
            ("v", "review", "screen.review"),
            ("+ -", "pace", "screen.pace(1)"),
            *common,
        ]

    def _arm(self) -> None:
        seconds = max(self.pace.seconds or 0.0, _LEAST_SECONDS)
        self._timer = self.set_timer(seconds, self._go_on)

    def _go_on(self) -> None:
        self._timer = None
        self._leave_moment(self._stop_at(self.ply + 1, 1))
        if self.ply < self.last:
            self._arm()
        snapshot = self.replay.snapshot
        self.panes.move(snapshot(max(0, self.ply - 1)), snapshot(self.ply), self.pace)
        if self.panes.animation.picture is None:
            self.redraw()
        else:
            self.panes.show_board()  # the rest follows when the board has settled

    def _stop(self) -> None:
        self.panes.animation.stop()
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def travel(self, ply: int) -> None:
        self._stop()
        self._leave_moment(self._stop_at(ply, 1 if ply >= self.ply else -1))
        self.redraw()

    def _stop_at(self, ply: int, by: int) -> int:
        ply = max(0, min(ply, self.last))
        return ply if self.review is None else self.review.stop_at(ply, by)

    def _leave_moment(self, ply: int) -> None:
        self.ply, self.message, self._is_opening = ply, "", False
        if self.is_summary:
            self.is_summary = False
            self.call_after_refresh(self.redraw)  # once the board and its panels have a size
        if self.review is not None:
            self.review.leave_moment()

    def action_play(self) -> None:
        if self.is_playing:
            self._stop()
        else:
            self._leave_moment(0 if self.ply == self.last else self.ply)
            self._arm()
        self.redraw()

    def action_travel(self, by: int) -> None:
        self.travel(self.ply + by)

    def action_moves(self) -> None:
        before = int(self.review is not None)
        found = listed_moves(self.replay, self.review)
        widest = max((len(cost) for _, _, cost in found), default=0)
        room = self.size.width - _AROUND_MOVES - widest
        room = min(room, max((columns(text) for _, text, _ in found), default=0))
        marks = [str(ply + 1) for ply, _, _ in found]
        answers = [
            (
                f"{justified(shortened(text, room), room)} {cost:<{widest}}",
                partial(self.travel, ply + 1 - before),
            )
            for ply, text, cost in found
        ]
        here = [at for at, (ply, _, _) in enumerate(found) if ply + 1 - before <= self.ply]
        start = max(0, len(here) - 1)
        if found:
            ask(self, "Moves", (), answers, start=start, marks=marks)

    def on_click(self, event: events.Click) -> None:
        """A click on the course of the game goes to a ply."""
        if event.widget is not None and event.widget.id in ("graph", "progress"):
            first, cells = self._gauge
            self.travel(round((event.x - first) / max(1, cells - 1) * self.last))

    def action_review(self) -> None:
        if self.review is not None:
            self._end_review()
            self.redraw()
            return
        review = self._started or ReviewModel(self.replay, Store.at(self.settings.save_folder))
        review.tell(lambda news: self.from_thread(self._take, news))
        review.start()
        if review.problem:
            self.say(review.problem)
        else:
            self.review = review
            self._open()
            self.redraw()

    def _open(self) -> None:
        review = None if self.review is None else self.review.review
        if self._is_opening and self.review and review is not None and review.is_complete:
            found = worst_moment(review, self.review.seats[0])
            if found is not None:
                self._leave_moment(found[0])
                self.message = found[1]
            self._is_opening = False

    def _take(self, news: ReviewNews) -> None:
        if self.review is not None:
            self.review.take(news)
            if news.problem:
                self.message = news.problem
                if self.review.review is None:
                    self._end_review()
            self._open()
            self.redraw()

    def _end_review(self) -> None:
        review, self.review = self.review, None
        if review is not None and review is self._started:
            review.tell_nobody()
        elif review is not None:
            review.stop()

    def action_summary(self) -> None:
        if self.review is None:
            if not self.message:
                self.say("v reviews the game; then there is a summary.")
            return
        self._stop()
        self.is_summary, self.has_figures = not self.is_summary, False
        self.message, self._is_opening = "", False
        self.redraw()
        self.call_after_refresh(self.redraw)

    def action_lesson(self, number: int) -> None:
        """Show a decision that the summary lists."""
        review = self.review.review if self.review is not None and self.is_summary else None
        found = listed(review, self.review.seats[0], DEAREST) if review and self.review else []
        if number <= len(found):
            self.travel(found[number - 1][0].ply)

    def action_mistake(self, by: int, is_own: bool) -> None:
        """Show another mistake of people or of anybody; without a review, another step."""
        if self.review is None:
            self.travel(self.ply + by)
            return
        here = self.ply
        if self.is_summary:
            here = -1 if by > 0 else self.last
        ply = self.review.mistake_from(here, by, is_own=is_own)
        if ply is not None:
            self.travel(ply)
        elif self.review.progress:
            self.say("No mistake is known there yet; the review goes on.")
        else:
            self.say("There is no mistake of yours." if is_own else "There is no mistake.")

    def action_more(self) -> None:
        if self.is_summary:
            self.has_figures = not self.has_figures
            self.redraw()
        else:
            self.query_one(ReasonView).turn()

    def action_choice(self, by: int) -> None:
        """Select another choice; in the summary, scroll."""
        if self.is_summary:
            self.query_one("#review").scroll_relative(y=by, animate=False)
        elif self.review is not None:
            self.review.move(self.ply, by)
            self.message = ""
            self.redraw()

    def clicked(self, action: str) -> None:
        if self.is_summary:
            self.travel(int(action))
        elif self.review is not None:
            self.review.choose(self.ply, action)
            self.message = ""
            self.redraw()

    def action_pace(self, by: int) -> None:
        timed = [pace for pace in PACES if pace.seconds is not None]
        self.pace = other_pace(self.pace, by, timed)
        self.redraw()

    def help_topic(self) -> HelpTopic:
        replay = self.replay
        return HelpTopic(replay.game, replay.glyphs, self.palette, replay.details)

    @on(TablePanes.Travelled)
    def _travelled(self, event: TablePanes.Travelled) -> None:
        # A sentence is about the step before its ply, and a review shows the decision for it.
        self.travel(event.ply - (event.is_sentence and self.review is not None))

    def action_retry(self) -> None:
        """Decide again, or play on from here; in the summary, the first mistake."""
        if self.is_summary:
            self.action_mistake(1, True)
            return
        self._stop()
        match = self.replay.match
        if match.game.is_over(match.state_at(self.ply)):
            self.say("The game is over here. Go back to an earlier step to play on from it.")
            return
        levels = list(spec_of(match.game).levels)
        answers: list[Answer] = [
            ("Play on from here, everybody as before", partial(self._play_on, AS_BEFORE)),
            *[(f"Play on from here against {one}", partial(self._play_on, one)) for one in levels],
            ("Play on from here against another agent", self._ask_agent),
        ]
        review = None if self.review is None else self.review.review
        decision = None if self.review is None else self.review.decision(self.ply)
        if review is not None and decision is not None and not decision.is_forced:
            again = partial(self._decide_again, review, decision)
            answers.insert(0, ("You decide again, and see whether it is better", again))
        title, facts = f"From step {self.step}", ["A new game: other luck, and a save of its own."]
        ask(self, title, facts, answers[:_MOST])

    def _ask_agent(self) -> None:
        title, hint = "Play on against which agent?", "enter plays, esc stays here"
        self.app.push_screen(NameDialog(title, "random", hint), self._play_on)

    def _play_on(self, rival: str | None) -> None:
        if rival:
            with self.telling_errors():
                self.app.play_on(branch(self.replay, self.ply, rival))

    def _decide_again(self, review: Review, decision: Decision) -> None:
        from boardgames_cli.session.played_reviews import decide_again
        from boardgames_cli.tui.screens.question_screen import QuestionScreen

        run = decide_again(self.replay, review, self.ply, decision)
        self.app.push_screen(QuestionScreen(run, self.settings))
