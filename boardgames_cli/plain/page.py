"""Prints sessions and replays in plain text: greeting, log, boards, ending."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardgames_cli.core.text import counted
from boardgames_cli.evaluation.oracle import Oracle
from boardgames_cli.plain.console import Console, EndOfInput
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings
from boardgames_cli.session.viewpoint import disclosed_seed, short_seed

if TYPE_CHECKING:
    from boardgames_cli.evaluation.tutor import Tutor

_HELP = "enter goes on, - goes back, a number goes to that step, all prints the rest, q quits"
_RETOLD: Final = 3
"""The number of log lines repeated when a game is resumed."""


class GamePage:
    """A session, printed line by line."""

    def __init__(self, session: Session, settings: Settings, console: Console) -> None:
        self.session = session
        self.settings = settings
        self.console = console
        self._is_seed_shown = False
        self.asked_at = session.match.ply
        """The ply at which a person was asked last."""
        self.oracle = Oracle(session.match, session.holder_specs, marks=settings.tutor)
        self.tutor: Tutor | None = None
        if settings.tutor:
            from boardgames_cli.evaluation.tutor import Tutor  # few games use it

            self.tutor = Tutor(self.oracle, session.note_warning)
        # Screen readers read the page aloud, so overlays are shown only on request.
        session.shows_layer = False

    def print_news(self, skip: str = "", prompt: str = "") -> None:
        """Print the log since the last call.

        Args:
            skip: What is printed elsewhere: sentences that it begins with are left out.
            prompt: The prompt that stands on the screen, which is written again below the news.
        """
        news = self.session.log.news()
        if news and prompt:
            self.console.say()
        for line in news:
            if not skip.startswith(line.text.removesuffix(".")):
                self.console.say(line.text)
        if news and prompt:
            self.console.prompt(prompt)

    def show_board(self, is_wanted: bool = False) -> None:
        """Draw the board; in terse mode only on request."""
        if self.settings.terse and not is_wanted:
            return
        self.console.say(str(self.session.snapshot().board(self.console.room)))

    @property
    def _seed(self) -> int | None:
        match = self.session.match
        return disclosed_seed(match) if self.settings.is_verbose else short_seed(match)

    def greet(self, is_rematch: bool = False) -> None:
        """Print the players and who begins, and the last events of a resumed game.

        Args:
            is_rematch: Whether another game was printed before; all that has happened since is
                told.
        """
        session, match = self.session, self.session.match
        seed = self._seed
        self.console.say(f"{session.title}." if seed is None else f"{session.title}. Seed {seed}.")
        self._is_seed_shown = seed is not None
        for seat, holder in enumerate(session.holders):
            called = (
                f" ({session.game.info.seat_name(seat)})" if session.game.info.seat_names else ""
            )
            is_told = holder.exact_agent and self.settings.is_verbose
            exact = f" ({holder.exact_agent})" if is_told else ""
            begins = ", to begin" if not match.ply and match.waiting_for == (seat,) else ""
            self.console.say(f"Seat {seat + 1}{called}: {holder.name}{exact}{begins}.")
        news = session.log.news()
        if session.match.ply and not is_rematch:
            self.console.say(f"This game goes on after step {session.match.ply}.")
        for line in news if is_rematch else session.log.lines()[-_RETOLD:]:
            self.console.say(line.text)
        aim = session.view.aim(session.viewpoint.seat)
        if aim:
            self.console.say(f"Aim: {aim}.")
        journal = session.journal
        if journal is not None and not is_rematch:
            self.console.say(f"Saved after every step as {journal.name}, in {journal.path.parent}.")
        if session.humans:
            look = "board to see the board, " if self.settings.terse else ""
            self.console.say(f"Type {look}? for help.")
        else:
            self.show_board()

    def finish(self) -> None:
        """Print the final board, the result and the summary."""
        session = self.session
        if session.humans:
            self.show_board()
        self.console.say(session.snapshot().result)
        for line in session.review():
            self.console.say(line)
        seed = self._seed
        if seed is not None and not self._is_seed_shown:
            self.console.say(f"Seed {seed}.")


def print_replay(replay: Replay, console: Console, boards: bool, start: int = 0) -> None:
    """Print everything from a ply on, optionally with boards, and the last board."""
    # Remarks before the first step belong to the start.
    for ply in range(start or -1, replay.match.ply):
        for sentence in replay.sentences(ply):
            console.say(f"{ply + 1:>4} {sentence}")
        if boards and ply >= 0:
            console.say(str(replay.snapshot(ply + 1).board(console.room)))
    if not boards:
        console.say(str(replay.snapshot(replay.match.ply).board(console.room)))
    console.say(replay.ending())


def step_through(replay: Replay, console: Console) -> None:
    """Step through the game interactively."""
    last = replay.match.ply
    ply = 0
    console.say(f"{counted(last, 'step')}: {_HELP}.")
    while True:
        for sentence in [*([] if ply else ["The start."]), *replay.sentences(ply - 1)]:
            console.say(f"{ply:>4} {sentence}")
        console.say(str(replay.snapshot(ply).board(console.room)))
        if ply == last:
            console.say(replay.ending())
        try:
            word = console.ask(f"step {ply} of {last}> ").lower()
        except EndOfInput:
            return
        if word in ("q", "quit", "exit") or (not word and ply == last):
            return
        if word == "all":
            print_replay(replay, console, boards=False, start=ply)
            return
        ply = _next_ply(word, ply, last, console)


def _next_ply(word: str, ply: int, last: int, console: Console) -> int:
    if word in ("", "n", "next", "+"):
        return min(ply + 1, last)
    if word in ("-", "b", "back", "p"):
        return max(ply - 1, 0)
    if word.isascii() and word.isdigit() and len(word) < 7 and int(word) <= last:
        return int(word)
    console.say(f'"{word}" is not a step from 0 to {last}; {_HELP}.')
    return ply
