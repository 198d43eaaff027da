"""What the one-line bars of the table say."""

from __future__ import annotations

from boardgames_cli.core.match import AnyMatch
from boardgames_cli.session.secrecy import has_secrets, is_disclosed, told_seed
from boardgames_cli.session.session import Event, Session
from boardgames_cli.tui.game_loop import GameLoop
from boardgames_cli.tui.real_time_loop import RealTimeLoop
from boardgames_cli.tui.table_model import TableModel
from boardgames_cli.tui.widgets.bars import Piece, gauge

_SHOW_THINKING_AFTER = 0.2

Sides = tuple[list[Piece], list[Piece]]


def title_bar(session: Session, outlook: TableModel) -> Sides:
    """The game, the moment, the players."""
    match = session.match
    whose = _viewpoint(session) if session.is_audience else ""
    if outlook.is_past:
        moment = Piece(f" step {outlook.ply} of {match.ply} ", "highlight")
    else:
        # Two counts that differ by the deals would only puzzle people.
        moment = Piece("" if session.view.counts_moments else f" step {match.ply} ", "muted")
    unsaved = [] if session.saving.is_complete else [Piece(" NOT SAVED ", "highlight")]
    players: list[Piece] = []
    for seat, name in enumerate(session.names):
        if players:
            players.append(Piece(" v " if len(session.names) == 2 else "  ", "muted"))
        players.append(Piece(name, f"seat.{seat}"))
    seen_by = [Piece(f" {whose} ", "highlight")] if whose else []
    return [*unsaved, Piece(session.title, "title"), Piece(" "), moment, *seen_by], [
        *seed_pieces(match),
        *players,
    ]


def seed_pieces(match: AnyMatch) -> list[Piece]:
    """The seed, as soon as it may be told."""
    seed = told_seed(match)
    return [] if seed is None else [Piece(f"seed {seed}   ", "muted")]


def _viewpoint(session: Session) -> str:
    """Whose view an audience is shown."""
    viewpoint = session.viewpoint
    if viewpoint.see_all:
        return "all is seen"
    return (
        ""
        if viewpoint.seat is None or viewpoint.seat in session.humans
        else (f"seen by {session.names[viewpoint.seat]}")
    )


def prompt_bar(conductor: GameLoop, outlook: TableModel) -> Sides:
    """What is to be decided, and what is being waited for."""
    if outlook.is_past:
        return [Piece("History  ", "title"), Piece(outlook.prompt())], [
            Piece("[ ] ", "key"),
            Piece("steps  ", "muted"),
            Piece("} ", "key", "screen.travel_live"),
            Piece("back to the game", "muted", "screen.travel_live"),
        ]
    role = "title" if outlook.seat is not None or conductor.event is Event.OVER else ""
    return [Piece(outlook.prompt(), role)], [*_words(outlook), *_waiting(conductor)]


def _words(outlook: TableModel) -> list[Piece]:
    """What will be said with the next action."""
    words = outlook.keyboard.words
    return [Piece(f"says {words}  ", "hint")] if words else []


def _waiting(conductor: GameLoop) -> list[Piece]:
    seconds, seat = conductor.thinking_seconds, conductor.thinking_seat
    if seat is not None and seconds is not None and seconds >= _SHOW_THINKING_AFTER:
        name = conductor.session.names[seat]
        report = f", {conductor.progress}" if conductor.progress else ""
        if conductor.is_getting_ready:
            return [
                Piece(f"{name} ", f"seat.{seat}"),
                Piece(f"gets ready {seconds:.0f} s", "muted"),
            ]
        return [
            Piece(f"{name} ", f"seat.{seat}"),
            Piece(f"is thinking {seconds:.1f} s{report} (", "muted"),
            Piece("x", "key", "screen.hurry"),
            Piece(": move now)", "muted"),
        ]
    if conductor.event is Event.OVER:
        return []
    if isinstance(conductor, RealTimeLoop):
        return _beat(conductor)
    if conductor.event is Event.HUMAN:
        return []
    if conductor.is_paused:
        return [Piece(" paused ", "highlight"), Piece(" p ", "key"), Piece("goes on", "muted")]
    if conductor.is_held:
        return [Piece(" . ", "key", "screen.step"), Piece("next step", "muted", "screen.step")]
    return []


def _beat(conductor: RealTimeLoop) -> list[Piece]:
    """What is chosen for the step to come, and how fast steps come."""
    session = conductor.session
    chosen = [
        Piece(f"{session.joint.chosen[seat]}  ", f"seat.{seat}")
        for seat in session.humans
        if seat in session.joint.chosen
    ]
    if conductor.is_paused:
        return [
            *chosen,
            Piece(" paused ", "highlight"),
            Piece(" p ", "key"),
            Piece("goes on", "muted"),
        ]
    return [*chosen, Piece(f"every {conductor.tick:.2g} s", "muted")]


def estimate_bar(outlook: TableModel, width: int, is_plain: bool) -> Sides:
    """The winning chances as the game's evaluation sees them, labelled as an estimate."""
    found = outlook.estimate()
    if found is None:
        return [Piece("estimate: there is none for this moment of this game.", "muted")], []
    seat, share = found
    full, empty = gauge(share, max(10, width), is_plain)
    names = outlook.session.names
    other = names[1 - seat] if len(names) == 2 else ""
    return [
        Piece("estimate  ", "muted"),
        Piece(f"{names[seat]} {share:.0%} ", f"seat.{seat}"),
        Piece(full, "bar.full"),
        Piece(empty, "bar.empty"),
        Piece(f" {1 - share:.0%} {other}", f"seat.{1 - seat}"),
    ], []


def key_hints(
    conductor: GameLoop, outlook: TableModel, is_compact: bool
) -> list[tuple[str, str, str]]:
    """The keys that matter now: (key, word, action), the most important first."""
    common = [("?", "help", "screen.help"), ("q", "quit", "screen.leave")]
    side = [("tab", "facts", "screen.tab")] if is_compact else []
    history = ("[ ]", "history", "screen.travel(-1)")
    if outlook.is_past:
        return [
            ("[ ]", "step", "screen.travel(-1)"),
            ("{", "first", "screen.travel_first"),
            ("}", "back to the game", "screen.travel_live"),
            *side,
            *common,
        ]
    if conductor.event is Event.OVER:
        after = [("enter", "what next", "screen.result"), ("v", "look back", "screen.review")]
        undo = [] if is_disclosed(conductor.session.match) else [("u", "undo", "screen.undo")]
        return [*after, *undo, *common, *side]
    if outlook.seat is not None and outlook.keyboard.hints:
        return _own_key_hints(conductor, outlook, [*side, *common])
    if outlook.seat is not None:
        count = min(9, len(outlook.legal))
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
            ("e", "chances", "screen.estimate"),
        ][:8]
    watch = [("f", "follow", "screen.follow"), ("a", "see all", "screen.see_all")]
    session = conductor.session
    return [
        # Who still plays may not see what others see, nor is offered to.
        *(watch if has_secrets(session.game) and session.is_audience else []),
        ("p", "go on" if conductor.is_paused else "pause", "screen.pause"),
        ("+ -", "pace", "screen.pace(1)"),
        (".", "step", "screen.step"),
        ("x", "move now", "screen.hurry"),
        *common,
        *side,
        history,
    ]


def _own_key_hints(
    conductor: GameLoop, outlook: TableModel, common: list[tuple[str, str, str]]
) -> list[tuple[str, str, str]]:
    """The keys of the game itself, then what is left of the others."""
    own = [(keys, word, "screen.highlight(1)") for keys, word in outlook.keyboard.hints]
    view = conductor.session.view
    layer = [("b", view.layer, "screen.layer")] if view.layer else []
    time = [("p", "pause", "screen.pause")] if isinstance(conductor, RealTimeLoop) else []
    if outlook.keyboard.is_shared:
        common = [key for key in common if key[0] != "q"] + [("ctrl+c", "quit", "screen.leave")]
    return [*own, *common, *time, *layer, ("i", "hint", "screen.hint")]
