"""What the table shows: a snapshot, and the lines of words around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input

from boardgames_cli.core.game import EliminatesSeats, PassesTime, Seat, Traits
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.presentation.view import AnyView, KeyedView
from boardgames_cli.core.text import Glyphs, Picture, Span, columns, justified, shortened
from boardgames_cli.evaluation.oracle import Oracle
from boardgames_cli.evaluation.standing import Standing, apportion, has_standing
from boardgames_cli.session.match_driver import Driver, Effects, Obstruction
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Settings
from boardgames_cli.session.snapshot import TableSnapshot
from boardgames_cli.session.viewpoint import PUBLIC, Viewpoint, has_secrets, short_seed
from boardgames_cli.tui.keys import (
    AUDIENCE_BINDINGS,
    COMPANY_BINDINGS,
    FAR,
    LAYER_BINDINGS,
    REST_SECONDS,
    Keyboard,
    KeyDebounce,
    layer_of,
)
from boardgames_cli.tui.screens.frame import BoardScreen, KeyHint
from boardgames_cli.tui.widgets.choices import ChoiceList
from boardgames_cli.tui.widgets.panes import TablePanes
from boardgames_cli.tui.widgets.picture import Bar, PictureView, Sides, gauge

_SHOW_THINKING_AFTER: Final = 0.2
_SHORTEST_NAME: Final = 3
_LEAST_SEGMENT: Final = 8
"""The columns of a seat in the estimate besides its name: a percentage and a bar."""

_SPARE_KEYS: Final = {"q": "ctrl+c", "i": "f2", "?": "f1"}
"""Alternatives to keys that a game may use itself."""

_PAUSED: Final = (Span(" paused ", "highlight"), Span(" p ", "key"), Span("goes on", "muted"))
_TITLE_MARGIN: Final = 3
"""The columns of a title next to and between its parts."""

_SOCIAL: Final = [
    ("t", "talk", "screen.type('', True)"),
    ("o", "offers", "screen.offers"),
    ("R", "resign", "screen.talk('resign', '')"),
]

_CLOSED: Final = "press : to type a move or a command"
_OPEN: Final = "a move, its number, or a command such as undo or help; esc leaves"
_TALK: Final = "enter says it to everybody; esc leaves"


class EntryLine(Horizontal):
    """A line for moves and commands, or for talk, which takes keys only while it is open."""

    def compose(self) -> ComposeResult:
        yield Bar(id="mark")
        yield Input(placeholder=_CLOSED, compact=True, id="entry", select_on_focus=False)

    def on_mount(self) -> None:
        self._input.can_focus = self._input.cursor_blink = False

    @property
    def _input(self) -> Input:
        return self.query_one(Input)

    @property
    def is_open(self) -> bool:
        return self._input.has_focus

    @property
    def is_talk(self) -> bool:
        return self.has_class("-talk")

    def open(self, text: str = "", *, is_talk: bool = False) -> None:
        """Open the line, perhaps with the beginning of what may be typed."""
        entry = self._input
        self.set_class(is_talk, "-talk")
        entry.can_focus, entry.placeholder = True, _TALK if is_talk else _OPEN
        entry.focus()
        if text:
            entry.value, entry.cursor_position = text, len(text)

    def close(self) -> None:
        entry = self._input
        self.remove_class("-talk")
        entry.value, entry.placeholder = "", _CLOSED
        self.screen.set_focus(None)
        entry.can_focus = False


class TableScreen(BoardScreen):
    """A session, its driver, and what is shown: a snapshot from one viewpoint at one ply.

    While a step moves, that is the one before the step, so that nothing on the screen speaks of
    what follows.
    """

    oracle: Oracle
    """Judges the decisions."""

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self._title = session.title
        self._panels = "chances" if has_standing(session.game) else "analysis"
        self.panes = TablePanes(session.view)
        self.entry = EntryLine(id="line")
        self.choices = ChoiceList(id="choices")
        self.past: int | None = None
        """The earlier ply shown; None for the current one."""
        self.revealed: Seat | None = None
        """Of people who hide something from each other, the one whose view is shown."""
        self.rest: KeyDebounce | None = None
        """Ignores held keys during a pause for people; None if there is no pause."""
        keys = LAYER_BINDINGS if layer_of(session.view) else []
        keys = [*keys, *(AUDIENCE_BINDINGS if Traits.HIDDEN in session.game.traits else [])]
        keys = [*keys, *(COMPANY_BINDINGS if session.company is not None else [])]
        self.take_keys(Keyboard.of_session(session), keys)
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

    @property
    def must_hand_over(self) -> Seat | None:
        """The person who must take over the screen before anything secret is shown."""
        if not self.session.keeps_secrets or self.session.next_event() is not Event.HUMAN:
            return None
        seat = self.session.viewer()
        return seat if seat != self.revealed else None

    @property
    def viewpoint(self) -> Viewpoint:
        """The viewpoint; wider than the viewer's own once no person plays any more."""
        session = self.session
        if not session.keeps_secrets or session.is_audience:
            return session.viewpoint
        seat = self.revealed if self.must_hand_over is None else None
        return PUBLIC if seat is None else Viewpoint((seat,))

    @property
    def is_past(self) -> bool:
        return self.past is not None

    @property
    def is_moving(self) -> bool:
        return self.panes.animation.before is not None

    @property
    def shown(self) -> TableSnapshot:
        """What is shown; nothing is legal in the past and before a step that moves."""
        shown = self.panes.animation.before or self.session.snapshot(self.viewpoint, self.past)
        if self.index is None or self.index >= len(shown.listed):
            return shown
        return shown.pointing_at(shown.listed[self.index])

    @property
    def seat(self) -> Seat | None:
        shown = self.shown.seen
        return shown.seat if shown.legal else None

    @property
    def listed(self) -> Sequence[Any]:
        return self.shown.listed

    @property
    def are_people_out(self) -> bool:
        """Whether the game goes on without the people who played."""
        session = self.session
        return bool(session.humans) and session.is_audience and not session.match.is_over

    @property
    def has_people_lines(self) -> bool:
        """Whether each person has their own line, because they play at once by keys."""
        return self.session.tick is not None and len(self.session.humans) > 1

    def show_ply(self, ply: int) -> None:
        """Show another ply; the last one is the present."""
        self.past = None if ply >= self.session.match.ply else max(0, ply)
        self.index = None

    def forget_moment(self) -> None:
        """Show the present, after undo or in another game."""
        self.message = ""
        self.show_ply(self.session.match.ply)
        self.revealed = None

    def make_room(self, rows: int) -> None:
        """Make the board end above a dialog of so many rows at the bottom of the screen."""
        for below in self.query("#below"):  # gone, if another table has taken its place
            below.styles.height = rows or "auto"
        self.call_after_refresh(self.redraw)

    def follow_pause(self) -> None:
        """Let keys rest once from the moment at which a pause for people appears."""
        if not self.loop.awaited:
            self.rest = None
        elif self.rest is None:
            self.rest = KeyDebounce(REST_SECONDS)
            self.set_timer(REST_SECONDS, self.redraw)

    @property
    def is_resting(self) -> bool:
        """Whether keys meant for the decision before a pause are ignored."""
        return self.rest is not None and not self.rest.is_over

    def title_bar(self) -> Sides:
        """The game, the moment, the players; long names are shortened so that all are there."""
        session, width, ply = self.session, self.size.width, self.shown.seen.ply
        if self.is_past and not self.is_moving:
            moment = Span(f" step {ply} of {session.match.ply} ", "highlight")
        else:
            # Two counts that differ by the deals would be confusing.
            moment = Span("" if isinstance(session.game, PassesTime) else f" step {ply} ", "muted")
        unsaved = [] if session.saving.is_complete else [Span(" NOT SAVED ", "highlight")]
        whose = _viewpoint(session) if session.is_audience else ""
        seen_by = [Span(f" {whose} ", "highlight")] if whose else []
        won = session.won_before if self.is_moving else session.games_won
        least = sum(columns(span.text) for span in player_spans(session.names, won)[1::2])
        least += sum(min(columns(name), _SHORTEST_NAME) for name in session.names)
        others = sum(columns(piece.text) for piece in (*unsaved, moment, *seen_by)) + 1
        room = max(1, width - others - least - _TITLE_MARGIN)
        title = shortened(self._title, room, session.glyphs)
        left = [*unsaved, Span(title, "title"), Span(" "), moment, *seen_by]
        return left, players_bar(session.match, session.names, left, width, session.glyphs, won)

    def message_bar(self) -> Sequence[Span]:
        warning = self.session.saving.warning
        aim = aim_bar(self.session.view, self.shown.seen.seat)
        return [Span(warning, "bad")] if warning else aim

    def prompt_bar(self) -> Sides:
        """The decision to make, or what the game waits for."""
        loop, shown = self.loop, self.shown
        if self.is_past:
            return [Span("History  ", "title"), Span(shown.prompt)], [
                Span("[ ] ", "key"),
                Span("steps  ", "muted"),
                Span("} ", "key", f"screen.travel({FAR})"),
                Span("back to the game", "muted", f"screen.travel({FAR})"),
            ]
        if self.is_moving:
            return [Span(shown.prompt, "muted")], []
        if loop.awaited:
            # Of what has happened, the last sentences that fit are told.
            said = list(self.session.log.since(self.session.match.ply - 1))
            head = f" {loop.awaited}   "
            while len(said) > 1 and columns(" ".join(("enter", head, *said))) > self.size.width:
                del said[0]
            # The key to press is muted as long as keys are ignored.
            return [
                Span("enter", "muted" if self.is_resting else "key", "screen.confirm"),
                Span(head, "muted" if self.is_resting else "title", "screen.confirm"),
                Span(" ".join(said)),
            ], []
        role = "title" if shown.seen.legal or loop.event is Event.OVER else ""
        words = self.keyboard.words
        said_words = [Span(f"says {words}  ", "hint")] if words else []
        return [Span(shown.prompt, role)], [*said_words, *self._waiting()]

    def why_not(self, number: int | None = None) -> str:
        """Why no action is possible now, or not the one with that number, or not by that key."""
        if self.is_past:
            return "This is the past, which can't be changed. } or esc goes back to the game."
        if self.session.next_event() is Event.OVER:
            return "The game is over. enter shows what you can do now."
        if self.seat is None:
            return "It is not your turn yet."
        if number is None:
            return "That key does nothing now. ? lists the keys."
        count = len(self.listed)
        return f"There is no action {number}; choose 1{f' to {count}' if count > 1 else ''}."

    def _waiting(self) -> list[Span]:
        loop, session = self.loop, self.session
        seconds, request = loop.thinking_seconds, loop.request
        if request is not None and seconds is not None and seconds >= _SHOW_THINKING_AFTER:
            name, role = session.names[request.seat], f"seat.{request.seat}"
            if session.company is not None:
                return [Span("waiting for ", "muted"), Span(name, role)]
            if not request.is_thinking:
                return [Span(f"{name} ", role), Span(f"gets ready {seconds:.0f} s", "muted")]
            report = f", {loop.progress}" if loop.progress else ""
            return [
                Span(f"{name} ", role),
                Span(f"is thinking {seconds:.1f} s{report} (", "muted"),
                Span("x", "key", "screen.hurry"),
                Span(": move now)", "muted"),
            ]
        if loop.event is Event.OVER:
            return []
        if loop.tick is not None:
            return self._beat()
        if loop.event is Event.HUMAN:
            return []
        if loop.is_paused:
            return [*_PAUSED]
        if loop.is_held:
            return [Span(" . ", "key", "screen.step"), Span("next step", "muted", "screen.step")]
        return []

    def _beat(self) -> list[Span]:
        session = self.session
        chosen = [
            Span(f"next: {session.chosen[seat]}  ", f"seat.{seat}")
            for seat in session.humans
            if seat in session.chosen and not self.has_people_lines
        ]
        if self.loop.is_paused:
            return [*chosen, *_PAUSED]
        if Obstruction.FOCUS in self.loop.covers:
            # If space is short, the last piece is kept.
            words = Span(f"{Obstruction.FOCUS.value}  ", "muted")
            return [*chosen, words, Span(" paused ", "highlight")]
        return chosen

    def draw_people(self) -> None:
        """Show the line of each person in place of the choices, as long as they play."""
        if self.has_people_lines:
            people = self.query_one("#people", PictureView)
            is_played = not self.is_past and self.loop.event is not Event.OVER
            people.display = is_played and not self.has_class("-refusals")
            self.choices.display = not people.display
            if people.display:
                people.show(_people_picture(self.session, self.size.width - 1), self.palette)

    def draw_gauge(self, standing: Standing | None) -> None:
        """Show the standing, or in real time the time left, in place of the closed entry line.

        So the board keeps its size.
        """
        bar, session = self.query_one("#gauge", Bar), self.session
        has_beat = session.tick is not None and standing is None
        bar.display = (has_beat or standing is not None) and not self.entry.is_open
        self.entry.display = not bar.display
        if standing is not None:
            bar.show(_standing_bar(session, standing, self.size.width - 8), (), self.palette)
        elif has_beat and bar.display:
            is_plain = session.glyphs is Glyphs.ASCII or not session.has_colours
            moves = self.app.animation_level != "none"
            sides = beat_bar(self.loop, self.size.width, is_plain=is_plain, moves=moves)
            bar.show(*sides, self.palette)

    def key_hints(self) -> list[KeyHint]:
        """The keys that matter now, the most important first."""
        loop, session, is_compact = self.loop, self.session, self.has_class("-compact")
        common = [("?", "help", "screen.help"), ("q", "quit", "screen.leave")]
        social = _SOCIAL[: 3 if session.humans else 1] if session.company is not None else []
        side = [("tab", "facts", "screen.tab")] if is_compact else []
        history = ("[ ]", "history", "screen.travel(-1)")
        if self.is_past:
            return [
                ("[ ]", "step", "screen.travel(-1)"),
                ("{", "first", f"screen.travel(-{FAR})"),
                ("}", "back to the game", f"screen.travel({FAR})"),
                *side,
                *common,
            ]
        if loop.event is Event.OVER and not self.is_moving:
            after = [("enter", "what next", "screen.result"), ("v", "review", "screen.review")]
            return [*after, *common, *side]
        ahead = [("x", "to the end", "screen.hurry"), ("r", "rematch", "screen.rematch")]
        ahead = ahead if self.are_people_out else []
        if loop.awaited and not self.is_moving:
            return [("enter", loop.awaited, "screen.confirm"), *ahead, *common, *side, history]
        if (shown := self.shown).seen.legal:
            if self.keyboard.hints:
                return self._own_key_hints([*social, *side, *common])
            count = min(9, len(shown.listed))
            act = ("1" if count == 1 else f"1-{count}", "act", "screen.highlight(1)")
            look = [] if is_compact else [("↑↓", "look", "screen.highlight(1)")]
            undo = [] if social else [("u", "undo", "screen.undo")]
            return [
                act,
                *look,
                ("i", "hint", "screen.hint"),
                *(social or undo),
                *common,
                *side,
                history,
                ("e", self._panels, "screen.estimate"),
            ][:8]
        if session.company is not None:
            return [*social, *common, *side, history]
        watch = [("f", "follow", "screen.follow"), ("a", "see all", "screen.see_all")]
        return [
            *ahead,
            # People who still play may not see other views, so the keys are not offered.
            *(watch if has_secrets(session.game) and session.is_audience else []),
            ("p", "go on" if loop.is_paused else "pause", "screen.pause"),
            ("+ -", "pace", "screen.pace(1)"),
            (".", "step", "screen.step"),
            *([] if ahead else [("x", "move now", "screen.hurry")]),
            *common,
            *side,
            history,
        ]

    def _own_key_hints(self, common: list[KeyHint]) -> list[KeyHint]:
        own = [(keys, word, "screen.highlight(1)") for keys, word in self.keyboard.hints]
        name = layer_of(self.session.view)
        layer = [("b", name, "screen.layer")] if name else []
        time = [("p", "pause", "screen.pause")] if self.session.tick is not None else []
        for key, word, action in [*common, *time, *layer, ("i", "hint", "screen.hint")]:
            # Of the general keys those that the game does not use; else their alternatives.
            if not self.keyboard.has("question_mark" if key == "?" else key):
                own.append((key, word, action))
            elif key in _SPARE_KEYS:
                own.append((_SPARE_KEYS[key], word, action))
        return own


def player_spans(names: Sequence[str], won: Sequence[int] = ()) -> list[Span]:
    """The names of all seats in their colours, with something between them: of two the score."""
    between = Span(" v " if len(names) == 2 else "  ", "muted")
    if len(names) == 2 and any(won):
        between = Span(f" {won[0]} : {won[1]} ", "title")
    players = [(between, Span(name, f"seat.{seat}")) for seat, name in enumerate(names)]
    return [span for pair in players for span in pair][1:]


def players_bar(
    match: AnyMatch,
    names: Sequence[str],
    left: Sequence[Span],
    width: int,
    glyphs: Glyphs,
    won: Sequence[int] = (),
) -> list[Span]:
    """The right of a title: the seed if somebody chose it, and the players with the score.

    The longest names are shortened, so that all fit beside what stands on the left.
    """
    taken = [*left, *player_spans(names, won)[1::2]]
    room = width - sum(columns(span.text) for span in taken) - _TITLE_MARGIN
    longest = max(map(columns, names))
    while longest > _SHORTEST_NAME and sum(min(columns(name), longest) for name in names) > room:
        longest -= 1
    seed = short_seed(match)  # drawn ones are too long to remember
    seeds = [] if seed is None else [Span(f"seed {seed}   ", "muted")]
    return [*seeds, *player_spans([shortened(name, longest, glyphs) for name in names], won)]


def _viewpoint(session: Session) -> str:
    viewpoint = session.viewpoint
    if viewpoint.see_all:
        return "all is seen"
    if viewpoint.seat is None or viewpoint.seat in session.humans:
        return ""
    return f"seen by {session.names[viewpoint.seat]}"


def aim_bar(view: AnyView, seat: Seat | None) -> list[Span]:
    """How to win, for the line of messages while there is none."""
    aim = view.aim(seat)
    return [Span("Aim: ", "muted"), Span(aim, "muted")] if aim else []


def _people_picture(session: Session, width: int) -> Picture:
    return Picture.of([[*_person(session, seat, width)] for seat in session.humans])


def _person(session: Session, seat: Seat, width: int) -> Iterator[Span]:
    seen, chosen = session.observe(seat), session.chosen.get(seat)
    view, game, state = session.view, session.game, session.match.state
    head = f" {game.info.seat_name(seat)} {session.names[seat]}  "
    said = view.status(seen, session.snapshot().context) if isinstance(view, KeyedView) else ""
    is_out = isinstance(game, EliminatesSeats) and game.is_out(state, seat)
    following = "" if is_out or game.is_over(state) else f"next: {chosen or '-'} "
    room = max(0, width - columns(head) - len(following))
    yield Span(head, f"seat.{seat}")
    yield Span(justified(shortened(said, room, session.glyphs), room))
    yield Span(following, "muted" if chosen is None else f"seat.{seat}")


def beat_bar(loop: Driver, width: int, *, is_plain: bool, moves: bool) -> Sides:
    """A countdown bar to the next step, unless motion is off, and the interval."""
    pace = [Span(f"a step every {loop.tick:.2g} s", "muted")]
    if not moves:
        return [], pace
    full, empty = gauge(loop.share_left, max(0, width - len(pace[0].text) - 4), is_plain)
    return [Span(full, "bar.full"), Span(empty, "bar.empty")], pace


def _standing_bar(session: Session, standing: Standing, width: int) -> list[Span]:
    names = session.names
    if standing.verdict:
        whose = Span(f"{names[standing.seat]}: ", f"seat.{standing.seat}")
        return [Span("exact  ", "muted"), whose, Span(standing.verdict)]
    label = "estimate  "
    most = max(_SHORTEST_NAME, (width - len(label)) // len(names) - _LEAST_SEGMENT)
    percent = apportion([100 * share for share in standing.shares], 100)
    heads = [
        f"{shortened(name, most)} {share} % " for name, share in zip(names, percent, strict=True)
    ]
    room = max(0, width - len(label) - sum(map(columns, heads)) - len(heads))
    cells = apportion([share * room for share in standing.shares], room)
    sign = "#" if session.glyphs is Glyphs.ASCII else "━"
    pieces = [Span(label, "muted")]
    for seat, head in enumerate(heads):
        pieces += [Span(head, f"seat.{seat}"), Span(f"{sign * cells[seat]} ", f"seat.{seat}")]
    return pieces
