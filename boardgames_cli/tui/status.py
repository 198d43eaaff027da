"""What the one-line bars of the table say."""

from __future__ import annotations

from boardgames_cli.session.session import Event, Session
from boardgames_cli.tui.conductor import Conductor
from boardgames_cli.tui.outlook import Outlook
from boardgames_cli.tui.widgets.bars import Piece, gauge

_SHOW_THINKING_AFTER = 0.2

Sides = tuple[list[Piece], list[Piece]]


def title_bar(session: Session, outlook: Outlook) -> Sides:
    """The game, the moment, the players."""
    match = session.match
    if outlook.is_past:
        moment = Piece(f" step {outlook.ply} of {match.ply} ", "highlight")
    else:
        moment = Piece(f" step {match.ply} ", "muted")
    players: list[Piece] = []
    for seat, name in enumerate(session.names):
        if players:
            players.append(Piece(" v " if len(session.names) == 2 else "  ", "muted"))
        players.append(Piece(name, f"seat.{seat}"))
    return [Piece(session.title, "title"), Piece(" "), moment], [
        Piece(f"seed {match.seed}   ", "muted"),
        *players,
    ]


def prompt_bar(conductor: Conductor, outlook: Outlook) -> Sides:
    """What is to be decided, and what is being waited for."""
    if outlook.is_past:
        return [Piece("History  ", "title"), Piece(outlook.prompt())], [
            Piece("[ ] ", "key"),
            Piece("steps  ", "muted"),
            Piece("} ", "key", "screen.travel_live"),
            Piece("back to the game", "muted", "screen.travel_live"),
        ]
    role = "title" if outlook.seat is not None or conductor.event is Event.OVER else ""
    return [Piece(outlook.prompt(), role)], [*_waiting(conductor)]


def _waiting(conductor: Conductor) -> list[Piece]:
    seconds, seat = conductor.thinking_seconds, conductor.thinking_seat
    if seat is not None and seconds is not None and seconds >= _SHOW_THINKING_AFTER:
        name = conductor.session.names[seat]
        report = f", {conductor.progress}" if conductor.progress else ""
        return [
            Piece(f"{name} ", f"seat.{seat}"),
            Piece(f"is thinking {seconds:.1f} s{report} (", "muted"),
            Piece("x", "key", "screen.hurry"),
            Piece(": move now)", "muted"),
        ]
    if conductor.event in (Event.HUMAN, Event.OVER):
        return []
    if conductor.is_paused:
        return [Piece(" paused ", "highlight"), Piece(" p ", "key"), Piece("goes on", "muted")]
    if conductor.is_held:
        return [Piece(" . ", "key", "screen.step"), Piece("next step", "muted", "screen.step")]
    return []


def estimate_bar(outlook: Outlook, width: int, is_plain: bool) -> Sides:
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
    conductor: Conductor, outlook: Outlook, is_compact: bool
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
        return [*after, ("u", "undo", "screen.undo"), *common, *side]
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
    return [
        ("p", "go on" if conductor.is_paused else "pause", "screen.pause"),
        ("+ -", "pace", "screen.pace(1)"),
        (".", "step", "screen.step"),
        ("x", "move now", "screen.hurry"),
        *common,
        *side,
        history,
    ]
