"""The result of a game and what to do next, shown below the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical

from boardgames_cli.core.text import Glyphs, Picture, Span, columns, wrapped
from boardgames_cli.session.session import Session
from boardgames_cli.session.viewpoint import disclosed_seed
from boardgames_cli.tui.screens.dialogs import ChoiceDialog
from boardgames_cli.tui.screens.frame import LEAST_WIDTH
from boardgames_cli.tui.table_model import TableModel
from boardgames_cli.tui.theme import Palette
from boardgames_cli.tui.timers import KeyDebounce
from boardgames_cli.tui.widgets.choices import ChoiceList
from boardgames_cli.tui.widgets.picture import PictureView

_MOST_REVIEWED: Final = 5
"""The maximum number of lines of the review's summary."""

_KEYS: Final = {"rematch": "r", "swap": "s", "review": "v", "menu": "m", "quit": "q"}
"""Neither digits nor enter, because people may still be pressing these to play."""

_APART: Final = "   "


class ResultScene(ChoiceDialog):
    """The result dialog; dismissed with ``rematch``, ``swap``, ``review``, ``menu`` or ``quit``.

    Args:
        model: The table.
        palette: The colours.
        rest: Ignores keys that were meant for the game.
        record: The person's record against these opponents, as sentences.
        make_room: Called with its height in rows, and with 0 when it closes.
    """

    def __init__(
        self,
        model: TableModel,
        palette: Palette,
        rest: KeyDebounce | None,
        record: Sequence[str],
        make_room: Callable[[int], None],
    ) -> None:
        swap = [("swap", "Swap seats")] if model.session.game.seats > 1 else []
        answers = [
            ("rematch", "Rematch"),
            *swap,
            ("review", "Look back"),
            ("menu", "Menu"),
            ("quit", "Quit"),
        ]
        super().__init__("", (), answers, palette, None, keys=_KEYS, rest=rest)
        self.set_class(bool(model.keyboard.hints), "-keyed")
        self._session = model.session
        self._said = _verdict(model)
        self._texts = (*_facts(model.session, record), *_review(model.session))
        self._make_room = make_room

    def compose(self) -> ComposeResult:
        """The box."""
        with Vertical(id="result") as box:
            box.border_title = " G A M E   O V E R "
            yield PictureView(id="verdict")
            yield ChoiceList(id="answers", gap=1)

    def _fill(self) -> None:
        self._labels = [label for _, label in self._answers]
        self.query_one("#result").set_class(self._session.glyphs is Glyphs.ASCII, "-ascii")
        self.call_after_refresh(self._fit)

    def on_resize(self, event: events.Resize) -> None:
        """Fill the box anew."""
        self._fit()

    def on_unmount(self) -> None:
        """Release the space."""
        self._make_room(0)

    def _fit(self) -> None:
        if not self.query("#result"):
            return  # not mounted yet, or already removed
        width = max(self.app.size.width, LEAST_WIDTH)  # a smaller window shows a notice
        picture, answers = self._picture(width - 2), self.query_one(ChoiceList)
        answers.styles.height = answers.rows_in(width)
        self.query_one("#verdict", PictureView).show(picture, self._palette)
        box = self.query_one("#result")
        self.call_after_refresh(lambda: self._make_room(box.region.height))

    def _picture(self, width: int) -> Picture:
        """The winner, the points, and further facts."""
        text, role = self._said
        lines: list[list[Span]] = [[Span(part, role)] for part in wrapped(text, width)]
        lines += _points(self._session, width)
        for text, role in self._texts:
            lines += [[Span(part, role)] for part in wrapped(text, width)]
        return Picture.of(lines)


def _verdict(model: TableModel) -> tuple[str, str]:
    """The winner and their colour."""
    session = model.session
    shown = model.snapshot
    text = shown.prompt if shown.is_cut_short else shown.result
    returns = session.match.returns
    best = [seat for seat, value in enumerate(returns) if value == max(returns)]
    return text, f"seat.{best[0]} headline" if len(best) == 1 else "title"


def _points(session: Session, width: int) -> list[list[Span]]:
    """The points of all seats, best first; empty for games that are only won or lost."""
    returns = session.match.returns
    if all(value in (-1, 0, 1) for value in returns):
        return []
    ranking = sorted(range(len(returns)), key=lambda seat: -returns[seat])
    pieces = [
        Span(f"{session.names[seat]} {returns[seat] + 0.0:+g}", f"seat.{seat}") for seat in ranking
    ]
    return list(_flowing(pieces, width))


def _flowing(pieces: Sequence[Span], width: int) -> Iterator[list[Span]]:
    """Flow pieces into lines."""
    line: list[Span] = []
    used = 0
    for piece in pieces:
        needed = columns(piece.text) + (len(_APART) if line else 0)
        if line and used + needed > width:
            yield line
            line, used, needed = [], 0, columns(piece.text)
        line += [*([Span(_APART)] if line else []), piece]
        used += needed
    if line:
        yield line


def _facts(session: Session, record: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Texts with roles: the record, hints taken, and where the game is saved."""
    hints = session.hints_taken
    helped = [f"Assisted: {hints} hint{'' if hints == 1 else 's'}."] if hints else []
    if record or helped:
        yield " ".join([*record, *helped]), ""
    seed = disclosed_seed(session.match)
    # Games with their own count would show a different number.
    kept = [] if session.view.counts_moments else [f"{session.match.ply} steps"]
    kept += [] if seed is None else [f"seed {seed}"]
    if session.saving.warning:
        yield session.saving.warning, "bad"
    elif session.journal is not None:
        kept.append(f"saved as {session.journal.name}")
    if kept:
        yield ", ".join(kept), "muted"


def _review(session: Session) -> Iterator[tuple[str, str]]:
    """The summary of the review."""
    return ((text, "") for text in session.review()[:_MOST_REVIEWED])
