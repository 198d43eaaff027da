"""The content of the one-line bars of the game screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from boardgames_cli.core.game import EliminatesSeats, PassesTime, Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.presentation.view import AnyView, KeyedView
from boardgames_cli.core.text import Glyphs, Picture, Span, columns, justified, shortened
from boardgames_cli.evaluation.standing import Standing, apportion, has_standing
from boardgames_cli.session.match_driver import Driver, Obstruction
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.snapshot import TableSnapshot
from boardgames_cli.session.viewpoint import has_secrets, short_seed
from boardgames_cli.tui.keyboard import Keyboard, layer_of
from boardgames_cli.tui.keys import FAR
from boardgames_cli.tui.table.table_screen import TableScreen
from boardgames_cli.tui.widgets.bars import Bar, Sides, gauge
from boardgames_cli.tui.widgets.picture import PictureView

_SHOW_THINKING_AFTER = 0.2
_LEAST_NAME = 3
_LEAST_SEGMENT = 8
"""The columns of a seat in the estimate besides its name: a percentage and a bar."""

_SPARE_KEYS: Final = {"q": "ctrl+c", "i": "f2", "?": "f1"}
"""Alternatives to keys that a game may use itself."""


_PAUSED: Final = (Span(" paused ", "highlight"), Span(" p ", "key"), Span("goes on", "muted"))
_SHORTEST_NAME: Final = 3
TITLE_MARGIN: Final = 3
"""The columns of a title next to and between its parts."""


def title_bar(screen: TableScreen, shown: TableSnapshot) -> Sides:
    """The game, the moment, the players; long names are shortened so that all are there."""
    session, width, ply = screen.session, screen.size.width, shown.seen.ply
    match = session.match
    whose = _viewpoint(session) if session.is_audience else ""
    if screen.is_past and not screen.is_moving:
        moment = Span(f" step {ply} of {match.ply} ", "highlight")
    else:
        # Two counts that differ by the deals would be confusing.
        moment = Span("" if isinstance(session.game, PassesTime) else f" step {ply} ", "muted")
    unsaved = [] if session.saving.is_complete else [Span(" NOT SAVED ", "highlight")]
    seen_by = [Span(f" {whose} ", "highlight")] if whose else []
    won = session.won_before if screen.is_moving else session.games_won
    between = sum(columns(span.text) for span in player_spans(session.names, won)[1::2])
    least = between + sum(min(columns(name), _SHORTEST_NAME) for name in session.names)
    others = sum(columns(piece.text) for piece in (*unsaved, moment, *seen_by)) + 1
    title = shortened(session.title, max(1, width - others - least - TITLE_MARGIN), session.glyphs)
    left = [*unsaved, Span(title, "title"), Span(" "), moment, *seen_by]
    room = width - others - columns(title) - between - TITLE_MARGIN
    names = fitted_names(session.names, room, session.glyphs)
    return left, [*seed_spans(match), *player_spans(names, won)]


def fitted_names(names: Sequence[str], room: int, glyphs: Glyphs) -> list[str]:
    """Names of which the longest are shortened, so that together they fit into a room."""
    longest = max(map(columns, names))
    while longest > _SHORTEST_NAME and sum(min(columns(name), longest) for name in names) > room:
        longest -= 1
    return [shortened(name, longest, glyphs) for name in names]


def player_spans(names: Sequence[str], won: Sequence[int] = ()) -> list[Span]:
    """The names of all seats in their colours, with something between them: of two the score."""
    between = Span(" v " if len(names) == 2 else "  ", "muted")
    if len(names) == 2 and any(won):
        between = Span(f" {won[0]} : {won[1]} ", "title")
    players = [(between, Span(name, f"seat.{seat}")) for seat, name in enumerate(names)]
    return [span for pair in players for span in pair][1:]


def seed_spans(match: AnyMatch) -> list[Span]:
    """The seed, if it may be shown and somebody chose it; drawn ones are too long to remember."""
    seed = short_seed(match)
    return [] if seed is None else [Span(f"seed {seed}   ", "muted")]


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


def prompt_bar(screen: TableScreen, shown: TableSnapshot) -> Sides:
    """The prompt: the decision to make, or what the game waits for.

    Args:
        screen: The table.
        shown: What is shown of it. Of what has happened, the last sentences that fit are told.
    """
    loop, width = screen.loop, screen.size.width
    if screen.is_past:
        return [Span("History  ", "title"), Span(shown.prompt)], [
            Span("[ ] ", "key"),
            Span("steps  ", "muted"),
            Span("} ", "key", f"screen.travel({FAR})"),
            Span("back to the game", "muted", f"screen.travel({FAR})"),
        ]
    if screen.is_moving:
        return [Span(shown.prompt, "muted")], []
    if loop.awaited:
        said = list(screen.session.log.since(screen.session.match.ply - 1))
        head = f" {loop.awaited}   "
        while len(said) > 1 and columns(" ".join(("enter", head, *said))) > width:
            del said[0]
        # The key to press is muted as long as keys are ignored.
        is_resting = screen.is_resting
        return [
            Span("enter", "muted" if is_resting else "key", "screen.confirm"),
            Span(head, "muted" if is_resting else "title", "screen.confirm"),
            Span(" ".join(said)),
        ], []
    role = "title" if screen.seat is not None or loop.event is Event.OVER else ""
    words = screen.keyboard.words
    said_words = [Span(f"says {words}  ", "hint")] if words else []
    return [Span(shown.prompt, role)], [*said_words, *_waiting(loop)]


def why_not(screen: TableScreen, number: int | None = None) -> str:
    """Why no action is possible now, or not the one with that number, or not by that key."""
    if screen.is_past:
        return "This is the past, which can't be changed. } or esc goes back to the game."
    if screen.session.next_event() is Event.OVER:
        return "The game is over. enter shows what you can do now."
    if screen.seat is None:
        return "It is not your turn yet."
    if number is None:
        return "That key does nothing now. ? lists the keys."
    count = len(screen.listed)
    return f"There is no action {number}; choose 1{f' to {count}' if count > 1 else ''}."


def _waiting(loop: Driver) -> list[Span]:
    seconds, request = loop.thinking_seconds, loop.request
    if request is not None and seconds is not None and seconds >= _SHOW_THINKING_AFTER:
        seat = request.seat
        name = loop.session.names[seat]
        if loop.session.company is not None:
            return [Span("waiting for ", "muted"), Span(name, f"seat.{seat}")]
        report = f", {loop.progress}" if loop.progress else ""
        if not request.is_thinking:
            return [
                Span(f"{name} ", f"seat.{seat}"),
                Span(f"gets ready {seconds:.0f} s", "muted"),
            ]
        return [
            Span(f"{name} ", f"seat.{seat}"),
            Span(f"is thinking {seconds:.1f} s{report} (", "muted"),
            Span("x", "key", "screen.hurry"),
            Span(": move now)", "muted"),
        ]
    if loop.event is Event.OVER:
        return []
    if loop.tick is not None:
        return _beat(loop)
    if loop.event is Event.HUMAN:
        return []
    if loop.is_paused:
        return [*_PAUSED]
    if loop.is_held:
        return [Span(" . ", "key", "screen.step"), Span("next step", "muted", "screen.step")]
    return []


def _beat(loop: Driver) -> list[Span]:
    session = loop.session
    chosen: list[Span] = []
    if not has_people_lines(loop):
        chosen = [
            Span(f"next: {session.joint.chosen[seat]}  ", f"seat.{seat}")
            for seat in session.humans
            if seat in session.joint.chosen
        ]
    if loop.is_paused:
        return [*chosen, *_PAUSED]
    if Obstruction.FOCUS in loop.covers:
        # If space is short, the last piece is kept.
        return [
            *chosen,
            Span(f"{Obstruction.FOCUS.value}  ", "muted"),
            Span(" paused ", "highlight"),
        ]
    return chosen


def has_people_lines(loop: Driver) -> bool:
    """Whether each person has their own line, because they play at once by keys."""
    return loop.tick is not None and len(loop.session.humans) > 1


def draw_people(screen: TableScreen) -> None:
    """Show the line of each person in place of the choices, as long as they play."""
    if has_people_lines(screen.loop):
        people = screen.query_one("#people", PictureView)
        is_played = not screen.is_past and screen.loop.event is not Event.OVER
        people.display = is_played and not screen.has_class("-refusals")
        screen.choices.display = not people.display
        if people.display:
            people.show(_people_picture(screen.session, screen.size.width - 1), screen.palette)


def _people_picture(session: Session, width: int) -> Picture:
    """For each person their status and their choice for the next step."""
    lines = []
    for seat in session.humans:
        seen, chosen = session.observe(seat), session.joint.chosen.get(seat)
        head = f" {session.game.info.seat_name(seat)} {session.names[seat]}  "
        view, context = session.view, session.snapshot().context
        said = view.status(seen, context) if isinstance(view, KeyedView) else ""
        game, state = session.game, session.match.state
        is_out = isinstance(game, EliminatesSeats) and game.is_out(state, seat)
        following = "" if is_out or game.is_over(state) else f"next: {chosen or '-'} "
        room = max(0, width - columns(head) - len(following))
        lines.append(
            [
                Span(head, f"seat.{seat}"),
                Span(justified(shortened(said, room, session.glyphs), room)),
                Span(following, "muted" if chosen is None else f"seat.{seat}"),
            ]
        )
    return Picture.of(lines)


def beat_bar(loop: Driver, width: int, *, is_plain: bool, moves: bool) -> Sides:
    """A countdown bar to the next step, with the interval.

    Args:
        loop: The loop.
        width: Columns of the line.
        is_plain: Whether its parts need different characters.
        moves: Whether it may be animated; otherwise only the interval is shown.
    """
    pace = [Span(f"a step every {loop.tick:.2g} s", "muted")]
    if not moves:
        return [], pace
    full, empty = gauge(loop.share_left, max(0, width - len(pace[0].text) - 4), is_plain)
    return [Span(full, "bar.full"), Span(empty, "bar.empty")], pace


def draw_beat(screen: TableScreen) -> None:
    """Show the countdown to the next step in real time."""
    loop, session, bar = screen.loop, screen.session, screen.query_one("#beat", Bar)
    if loop.tick is not None and bar.display:
        is_plain = session.glyphs is Glyphs.ASCII or not session.has_colours
        moves = screen.app.animation_level != "none"
        sides = beat_bar(loop, screen.size.width, is_plain=is_plain, moves=moves)
        bar.show(*sides, screen.palette)


def draw_standing(screen: TableScreen, standing: Standing | None) -> None:
    """Show the standing in place of the closed entry line, so that the board keeps its size."""
    bar, entry = screen.query_one("#estimate", Bar), screen.entry
    bar.display = standing is not None and not entry.is_open
    has_beat = screen.session.tick is not None and not entry.is_open
    entry.display = not bar.display and not has_beat
    if screen.session.tick is not None:
        screen.query_one("#beat", Bar).display = has_beat and not bar.display
        draw_beat(screen)
    if standing is not None:
        bar.show(_standing_bar(screen.session, standing, screen.size.width - 8), (), screen.palette)


def _standing_bar(session: Session, standing: Standing, width: int) -> list[Span]:
    """Who is ahead: the exact verdict, or one segment for each seat, labelled as an estimate."""
    names = session.names
    if standing.verdict:
        whose = Span(f"{names[standing.seat]}: ", f"seat.{standing.seat}")
        return [Span("exact  ", "muted"), whose, Span(standing.verdict)]
    label = "estimate  "
    most = max(_LEAST_NAME, (width - len(label)) // len(names) - _LEAST_SEGMENT)
    percent = apportion([100 * share for share in standing.shares], 100)
    heads = [
        f"{shortened(name, most)} {share} % " for name, share in zip(names, percent, strict=True)
    ]
    room = width - len(label) - sum(map(columns, heads)) - len(heads)
    room = max(0, room)
    cells = apportion([share * room for share in standing.shares], room)
    sign = "#" if session.glyphs is Glyphs.ASCII else "━"
    pieces = [Span(label, "muted")]
    for seat, head in enumerate(heads):
        pieces += [Span(head, f"seat.{seat}"), Span(f"{sign * cells[seat]} ", f"seat.{seat}")]
    return pieces


def key_hints(screen: TableScreen, shown: TableSnapshot) -> list[tuple[str, str, str]]:
    """The keys that matter now: (key, word, action), the most important first."""
    loop, is_compact = screen.loop, screen.has_class("-compact")
    common = [("?", "help", "screen.help"), ("q", "quit", "screen.leave")]
    side = [("tab", "facts", "screen.tab")] if is_compact else []
    history = ("[ ]", "history", "screen.travel(-1)")
    if screen.is_past:
        return [
            ("[ ]", "step", "screen.travel(-1)"),
            ("{", "first", f"screen.travel(-{FAR})"),
            ("}", "back to the game", f"screen.travel({FAR})"),
            *side,
            *common,
        ]
    if loop.event is Event.OVER and not screen.is_moving:
        after = [("enter", "what next", "screen.result"), ("v", "review", "screen.review")]
        return [*after, *common, *side]
    ahead = [("x", "to the end", "screen.hurry"), ("r", "rematch", "screen.rematch")]
    if loop.awaited and not screen.is_moving:
        out = ahead if screen.are_people_out else []
        return [("enter", loop.awaited, "screen.confirm"), *out, *common, *side, history]
    if screen.seat is not None and screen.keyboard.hints:
        return _own_key_hints(screen, [*side, *common])
    if screen.seat is not None:
        count = min(9, len(shown.listed))
        act = ("1" if count == 1 else f"1-{count}", "act", "screen.highlight(1)")
        look = [] if is_compact else [("↑↓", "look", "screen.highlight(1)")]
        return [
            act,
            *look,
            ("i", "hint", "screen.hint"),
            ("u", "undo", "screen.undo"),
            *common,
            *side,
            history,
            ("e", "chances" if has_standing(loop.session.game) else "analysis", "screen.estimate"),
        ][:8]
    watch = [("f", "follow", "screen.follow"), ("a", "see all", "screen.see_all")]
    session = screen.session
    if session.company is not None:
        return [(":", "talk", "screen.type"), *common, *side, history]
    return [
        *(ahead if screen.are_people_out else []),
        # People who still play may not see other views, so the keys are not offered.
        *(watch if has_secrets(session.game) and session.is_audience else []),
        ("p", "go on" if loop.is_paused else "pause", "screen.pause"),
        ("+ -", "pace", "screen.pace(1)"),
        (".", "step", "screen.step"),
        *([] if screen.are_people_out else [("x", "move now", "screen.hurry")]),
        *common,
        *side,
        history,
    ]


def _own_key_hints(
    screen: TableScreen, common: list[tuple[str, str, str]]
) -> list[tuple[str, str, str]]:
    own = [(keys, word, "screen.highlight(1)") for keys, word in screen.keyboard.hints]
    name = layer_of(screen.session.view)
    layer = [("b", name, "screen.layer")] if name else []
    time = [("p", "pause", "screen.pause")] if screen.session.tick is not None else []
    others = [*common, *time, *layer, ("i", "hint", "screen.hint")]
    return [*own, *_left_over(screen.keyboard, others)]


def _left_over(
    keyboard: Keyboard, hints: list[tuple[str, str, str]]
) -> Iterator[tuple[str, str, str]]:
    """The general keys that the game does not use; for those it uses, their alternatives."""
    for key, word, action in hints:
        if not keyboard.has("question_mark" if key == "?" else key):
            yield key, word, action
        elif key in _SPARE_KEYS:
            yield _SPARE_KEYS[key], word, action
