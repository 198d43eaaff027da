"""Who won, and what can be done next."""

from __future__ import annotations

from typing import Final

from boardgames_cli.core.text import Picture, Span
from boardgames_cli.session.secrecy import told_seed
from boardgames_cli.session.session import Session
from boardgames_cli.session.setup import Pace
from boardgames_cli.tui.screens.dialogs import ChoiceDialog
from boardgames_cli.tui.table_model import TableModel
from boardgames_cli.tui.theme import Palette

_MOST_REVIEWED: Final = 5
"""Lines of a game's own review that fit into the dialog of the smallest window."""

_GUARD_SECONDS: Final = 0.6
"""A digit pressed for a move must not choose a rematch because the game was over first."""


def result_dialog(model: TableModel, palette: Palette, pace: Pace) -> ChoiceDialog:
    """The dialog at the end: ``rematch``, ``swap``, ``review``, ``menu`` or ``quit``.

    Args:
        model: The table.
        palette: The colours.
        pace: How fast the game was shown.
    """
    answers = [("rematch", "Rematch")]
    if model.session.game.seats > 1:
        answers.append(("swap", "Rematch with seats changed"))
    answers += [
        ("review", "Look back through the game"),
        ("menu", "New game, or the menu"),
        ("quit", "Quit"),
    ]
    # Who plays at once has no time to look either: there the dialog answers at once, too.
    guard = 0.0 if pace is Pace.INSTANT else _GUARD_SECONDS
    dialog = ChoiceDialog(_headline(model), _facts(model.session), answers, palette, guard=guard)
    dialog.add_class("-result")
    return dialog


def _headline(model: TableModel) -> Picture:
    session = model.session
    if session.match.truncated:
        text = model.prompt()
    else:
        text = session.view.result(model.seen().state, model.context())
    returns = session.match.returns
    best = [seat for seat, value in enumerate(returns) if value == max(returns)]
    role = f"seat.{best[0]}" if len(best) == 1 else "title"
    return Picture.of([Span("G A M E   O V E R", "muted"), "", Span(text, f"{role} headline")])


def _facts(session: Session) -> list[str]:
    returns = session.match.returns
    width = max(len(name) for name in session.names)
    facts = [
        f"{name:<{width}}  {value:+g}" for name, value in zip(session.names, returns, strict=True)
    ]
    seed = told_seed(session.match)
    facts.append(f"{session.match.ply} steps" + ("" if seed is None else f", seed {seed}"))
    if session.saving.warning:
        facts.append(session.saving.warning)
    elif session.journal is not None:
        facts[-1] += f", saved as {session.journal.name}"
    return facts + session.review()[:_MOST_REVIEWED]
