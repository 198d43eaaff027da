"""Plays a session in plain text."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NoReturn

from boardgames_cli.core.errors import AgentError, GameError, StorageError, UnknownActionError
from boardgames_cli.core.game import Observation, Traits
from boardgames_cli.core.presentation.view import KeyedView
from boardgames_cli.core.text import wrapped
from boardgames_cli.evaluation.oracle import Hint
from boardgames_cli.plain.console import Console, EndOfInput
from boardgames_cli.plain.page import GamePage
from boardgames_cli.session.commands import (
    Chosen,
    FrontEnd,
    Request,
    commands_of,
    help_lines,
    interpret,
)
from boardgames_cli.session.driven_match import POLL_SECONDS
from boardgames_cli.session.match_driver import NOTICE_SECONDS, BlockingLoop
from boardgames_cli.session.parting import closing_message, record_of
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Settings
from boardgames_cli.session.snapshot import Company, clock_text
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped
from boardgames_cli.terminal.streams import fill, reflow

MOST_LISTED: Final = 24
"""Longer lists of choices are shown on request only."""

_PACKED_WIDTH: Final = 76
_ANSWER_SECONDS: Final = 1.0
"""How long the server's answer to a command is awaited before the next question."""
_ANSWER_POLL_SECONDS: Final = 0.02
_TALK: Final = tuple(
    one
    for one in commands_of(FrontEnd.PLAIN, is_social=True)
    if one.is_social or one.word in ("board", "undo", "help", "quit")
)
"""What can be typed at a table on a server while nothing is asked."""


class Left(Exception):
    """The player leaves."""


class PlainTurn:
    """A person's turn, from the question to the action."""

    def __init__(
        self, page: GamePage, interrupts: SignalWatch, elsewhere: TableTalk | None = None
    ) -> None:
        self._elsewhere = elsewhere
        self._page = page
        self._session = page.session
        self._console = page.console
        self._interrupts = interrupts
        self._is_over = self._is_hinted = False
        self.seat = next(
            seat for seat in self._session.match.waiting_for if seat in self._session.humans
        )
        view = self._session.view
        self._reports = view.reports if isinstance(view, KeyedView) else {}
        self._commands = commands_of(FrontEnd.PLAIN, self._reports, is_social=elsewhere is not None)
        self._tutor = page.tutor
        if self._tutor is not None:
            page.oracle.consider(self.seat)
        self._asked_before = page.asked_at
        page.asked_at = self._session.match.ply

    def take(self) -> None:
        self._page.show_board()
        self._show_question()
        while not self._is_over:
            line = self._ask()
            if line is None:
                return
            if self._has_gone_on():
                self._console.say("The game has gone on meanwhile.")
                return
            try:
                self._obey(line)
            except GameError as error:
                self._console.say(str(error))
            self._is_over = self._is_over or self._has_gone_on()

    def _ask(self) -> str | None:
        prompt, hidden = self._prompt, self._is_choice_secret
        if self._elsewhere is None:
            return self._console.ask(prompt, hidden)
        return self._console.ask_until(prompt, lambda: self._has_gone_on(prompt), hidden)

    def _has_gone_on(self, prompt: str = "") -> bool:
        if self._elsewhere is None:
            return False
        self._elsewhere.hear(self._page, prompt)
        match = self._session.match
        is_asked = self.seat in match.waiting_for and match.ply == self._page.asked_at
        return not is_asked or not self._seen.legal

    @property
    def _prompt(self) -> str:
        warning = "" if self._session.saving.is_complete else " (not saved)"
        clock = "" if self._elsewhere is None else self._elsewhere.clock()
        return f"{self._session.names[self.seat]}{clock}{warning}> "

    @property
    def _seen(self) -> Observation[Any, Any]:
        return self._session.observe(self.seat)

    @property
    def _is_choice_secret(self) -> bool:
        # In a joint step the others' choices must not stay on the screen.
        simultaneous = bool(self._session.game.traits & Traits.SIMULTANEOUS)
        return simultaneous and len(self._session.humans) > 1

    def _parse(self, text: str) -> Any:
        return self._session.game.parse(self._seen.state, self.seat, text)

    def _obey(self, line: str) -> None:
        if not line:
            self._show_question()
            return
        meaning = interpret(line, self._commands, self._seen.legal, self._parse, self._listed)
        if isinstance(meaning, Chosen):
            if self._is_taken_back(meaning.action):
                return
            self._session.submit(self.seat, meaning.action)
            self._is_over = True
        elif self._elsewhere is not None and meaning.command.is_social:
            self._elsewhere.talk(meaning.command.word, meaning.argument, self._page)
        elif meaning.command.word in self._reports:
            self._report(meaning.command.word)
        else:
            getattr(self, f"_do_{meaning.command.word}")(meaning.argument)

    def _is_taken_back(self, action: Any) -> bool:
        tutor = self._tutor
        if tutor is None:
            return False
        with self._interrupts.waiting():
            tutor.wait(self.seat)
        warning = tutor.warning(self.seat, action)
        if warning is None:
            return False
        self._console.say(fill(f"{warning.values} {warning.sentence}".rstrip(), _PACKED_WIDTH))
        self._page.print_news(skip=tutor.note_warning(self.seat))
        answer = self._console.ask("Play it? y does, enter thinks again: ")
        if answer.lower() in ("y", "yes"):
            return False
        self._console.say(f"Look again. {warning.clue}")
        return True

    def _show_question(self) -> None:
        session = self._session
        self._console.say(session.snapshot().prompt)
        if self._is_choice_secret:
            self._console.say("What you type is not shown.")
        seen, count = self._seen, len(self._listed)
        view = session.view
        glance = view.at_a_glance(seen) if isinstance(view, KeyedView) else ""
        if glance:
            self._console.say(fill(glance, _PACKED_WIDTH))
        elif count > MOST_LISTED:
            self._console.say(f"{count} choices, such as {self._listed[0]}; m lists them all.")
        elif self._page.settings.terse:
            self._console.say(self._packed())
        else:
            self._show_choices()

    @property
    def _listed(self) -> Sequence[Any]:
        return self._session.view.shortlist(self._seen)

    def _show_choices(self) -> None:
        session, seen = self._session, self._seen
        for number, action in enumerate(self._listed, start=1):
            self._console.say(f"{number:>3} {session.view.describe(seen, action)}")
        for action, reason in session.snapshot().refusals:
            self._console.say(f"  - {action} is illegal: {reason}.")

    def _packed(self) -> str:
        labels = [self._session.view.describe(self._seen, action) for action in self._listed]
        items = [f"{number} {label}" for number, label in enumerate(labels, start=1)]
        width = max(len(item) for item in items) + 3
        columns = max(1, _PACKED_WIDTH // width)
        rows = [items[start : start + columns] for start in range(0, len(items), columns)]
        return "\n".join("".join(f"{item:<{width}}" for item in row).rstrip() for row in rows)

    def _do_board(self, _: str) -> None:
        self._page.show_board(is_wanted=True)

    def _do_moves(self, _: str) -> None:
        if len(self._listed) > MOST_LISTED:
            self._console.say(self._packed())
        else:
            self._show_choices()

    def _do_last(self, _: str) -> None:
        lines = [
            line.text for line in self._session.log.lines() if line.ply > self._asked_before
        ] or self._session.log.since(self._session.match.ply - 1)
        self._console.say("\n".join(lines) or "Nothing has happened yet.")

    def _do_score(self, _: str) -> None:
        session = self._session
        self._console.say(str(session.snapshot().sidebar(_PACKED_WIDTH)))

    def _do_hint(self, _: str) -> None:
        session, considered = self._session, self._page.oracle.consider(self.seat)
        self._console.notice("Thinking about a hint.")
        with self._interrupts.waiting():
            while not considered.is_told.wait(POLL_SECONDS):
                pass  # a signal may come in between
        self._page.print_news()
        if considered.decision is None:
            raise considered.error or AgentError("there is no hint.")
        name = partial(session.action_name, self.seat)
        hint = Hint.of(considered.decision, considered.why, name)
        if self._is_hinted and hint.figures:
            self._console.say(hint.figures)
            return
        self._is_hinted = True
        self._console.say(hint.advice)
        self._page.print_news(skip=session.take_hint(self.seat, hint.best))

    def _do_undo(self, _: str) -> None:
        self._session.undo()
        if self._elsewhere is None:
            self._moved_in_time("Taken back")
        else:
            self._elsewhere.await_answer(self._page)

    def _do_redo(self, _: str) -> None:
        self._session.redo()
        self._moved_in_time("Done again")

    def _moved_in_time(self, what: str) -> None:
        ply = self._session.match.ply
        self._console.say(f"{what}: you are {f'after step {ply}' if ply else 'at the start'}.")
        self._is_over = True

    def _report(self, word: str) -> None:
        session, view = self._session, self._session.view
        assert isinstance(view, KeyedView), "only such a view has reports"
        lines = view.report(self._seen, word, session.snapshot().context)
        self._console.say("\n".join(lines))

    def _do_rules(self, _: str) -> None:
        text = self._session.spec.rules_text().rstrip()
        if self._console.shows_terminal:
            text = reflow(text, self._console.size.width)
        self._console.put(text)

    def _do_legend(self, _: str) -> None:
        session = self._session
        self._console.say(str(session.view.legend(session.glyphs)))

    def _do_pos(self, _: str) -> None:
        self._console.put(json.dumps(self._session.game.to_json(self._seen.state)))

    def _do_save(self, name: str) -> None:
        saving, journal = self._session.saving, self._session.journal
        if name or journal is None:
            self._console.say(f"A copy is kept as {saving.keep_copy(name).stem}.")
        elif saving.retry():
            self._console.say(f"Saved as {journal.name} after every step.")
        else:
            self._console.say(saving.warning)

    def _do_help(self, _: str) -> None:
        lines = help_lines(self._commands, self._seen.legal, self._parse)
        self._console.say("\n".join([*lines, *self._session.details]))

    def _do_quit(self, _: str) -> None:
        raise Left


class TableTalk:
    """What others say and offer at a table on a server, and the commands about them."""

    def __init__(self, session: Session, company: Company, console: Console) -> None:
        self._session = session
        self._company = company
        self._console = console

    def hear(self, page: GamePage, prompt: str = "") -> None:
        """Print news, if there are some; a prompt that stands on the screen is written again."""
        if self._company.poll():
            page.print_news(prompt=prompt)

    def talk(self, word: str, argument: str, page: GamePage) -> None:
        """Obey a command, and print what the server answers at once."""
        if word == "resign":
            answer = self._console.ask("Give up the game? y does, enter plays on: ")
            if answer.lower() not in ("y", "yes"):
                return
        self._company.talk(word, argument)
        self.await_answer(page)

    def await_answer(self, page: GamePage) -> None:
        """Print what the server answers at once to what was sent."""
        ends, games = time.monotonic() + _ANSWER_SECONDS, self._company.games
        while not self._company.poll() and time.monotonic() < ends:
            self._console.wait(_ANSWER_POLL_SECONDS)
        if self._company.games == games:  # else its page tells them
            page.print_news()

    def clock(self) -> str:
        """The time that this side has left, for the prompt; empty without a clock."""
        left = self._company.clocks()
        return "".join(f" {clock_text(left[seat])}" for seat in self._session.humans if left)

    def wait(self, page: GamePage) -> None:
        """Wait for the others until something has happened, and obey what is typed meanwhile."""
        session, company, started = self._session, self._company, time.monotonic()
        now = session.match.ply, company.games
        is_told = False
        while session.next_event() is Event.AGENT and (session.match.ply, company.games) == now:
            line = self._console.overhear()
            if line:
                self._try(line, page)
            self.hear(page)
            if not is_told and time.monotonic() - started > NOTICE_SECONDS:
                name = session.names[session.next_agent()]
                self._console.notice(f"Waiting for {name}; say TEXT talks, ? lists more.")
                is_told = True

    def stay(self, page: GamePage) -> bool:
        """After the end: talk until another game begins, which is true, or this side leaves."""
        session, company = self._session, self._company
        if not session.humans or company.is_gone:
            return False
        self._console.say("offer rematch plays again, say TEXT talks, enter shows news, q leaves.")
        games, prompt = company.games, f"{session.names[session.humans[0]]}> "

        def is_void(standing: str = "") -> bool:
            if company.poll() and company.games == games:  # else its log begins anew
                page.print_news(prompt=standing)
            return company.games != games or company.is_gone

        while not is_void():
            line = self._console.ask_until(prompt, lambda: is_void(prompt))
            if line:
                self._try(line, page)
        return not company.is_gone

    def _try(self, line: str, page: GamePage) -> None:
        try:
            self._obey(line, page)
        except UnknownActionError as error:
            if self._console.reads_terminal:
                self._console.say(str(error))
            else:  # written in advance, for the next question
                self._console.keep(line)
        except GameError as error:
            self._console.say(str(error))

    def _obey(self, line: str, page: GamePage) -> None:
        meaning = interpret(line, _TALK, (), _no_move)
        assert isinstance(meaning, Request), "there are no moves"
        match meaning.command.word:
            case "board":
                page.show_board(is_wanted=True)
            case "help":
                self._console.say("\n".join(help_lines(_TALK, (), _no_move)))
            case "undo":
                self._session.undo()
                self.await_answer(page)
            case "quit":
                raise Left
            case word:
                self.talk(word, meaning.argument, page)


def _no_move(text: str) -> NoReturn:
    raise UnknownActionError(f'"{text}" was not played: nothing is asked now.')


def run_game(session: Session, settings: Settings) -> int:
    """Play a session to its end, or until the player leaves.

    Args:
        session: The session; it is closed at the end.
        settings: Pace and verbosity.

    Returns:
        The exit code: 0; 4 if the game could not be saved completely; or 128 plus the number of the
        signal that ended the game.
    """
    with SignalWatch() as interrupts:
        console = Console.standard(interrupts)
        table = PlainTable(session, settings, console, interrupts)
        code = 0
        try:
            with contextlib.suppress(Left):
                table.play()
            save_elsewhere(session, console)
        except EndOfInput:
            console.say("End of input.")
        except Stopped as stop:
            code = stop.exit_code
            console.say()
        finally:
            table.loop.close()
        if session.match.is_over:
            for line in record_of(session, settings.results_file):
                console.say("\n".join(wrapped(line, _PACKED_WIDTH)))
        console.put(closing_message(session, settings))  # its commands are copied
    return session.saving.exit_code(code)


def save_elsewhere(session: Session, console: Console) -> None:
    """Ask for another place to save while something is not saved, until the user gives up."""
    saving = session.saving
    while not saving.retry():
        console.say(saving.warning)
        console.say("Save the game in which other folder or file?")
        place = console.ask("Enter tries again, q leaves without saving: ")
        if place.lower() in ("q", "quit"):
            return
        if place:
            try:
                saving.move(place)
            except StorageError as error:
                console.say(str(error))


class PlainTable:
    """The main loop of a session in plain text."""

    def __init__(
        self, session: Session, settings: Settings, console: Console, interrupts: SignalWatch
    ) -> None:
        self.session = session
        self.settings = settings
        self.console = console
        self.page = GamePage(session, settings, console)
        self._interrupts = interrupts
        self.loop = BlockingLoop(session, interrupts.waiting, console.notice)
        self._last_change = 0.0
        self._elsewhere: TableTalk | None = None
        if session.company is not None:
            self._elsewhere = TableTalk(session, session.company, console)
            console.await_lines()

    def play(self) -> None:
        """Play and print the whole game; at a table on a server also those that follow."""
        self.page.greet()
        self._play_game()
        while self._elsewhere is not None and self._elsewhere.stay(self.page):
            self.page = GamePage(self.session, self.settings, self.console)
            self.page.greet(is_rematch=True)
            self._play_game()

    def _play_game(self) -> None:
        match = self.session.match
        while (event := self.session.next_event()) is not Event.OVER:
            ply = match.ply
            if event is Event.HUMAN:
                PlainTurn(self.page, self._interrupts, self._elsewhere).take()
            elif self._elsewhere is not None:
                self._elsewhere.wait(self.page)
            else:
                self._advance(event)
            is_asked = event is Event.CHANCE and self.session.next_event() is Event.HUMAN
            # A throw is told once: by the question.
            self.page.print_news(skip=self.session.snapshot().prompt if is_asked else "")
            if event is Event.AGENT and match.ply > ply and self._is_shown_on():
                self.page.show_board()
        self.page.finish()

    def _advance(self, event: Event) -> None:
        # Only the last choice of a joint step has a visible effect.
        is_seen = event is not Event.AGENT or len(self.session.match.waiting_for) == 1
        if event is Event.AGENT:
            if is_seen and self.console.is_live and self.settings.pace.seconds is None:
                answer = self.console.ask("Press enter to go on, or q to leave. ")
                if answer.lower() in ("q", "quit"):
                    raise Left
        elif event is Event.CHANCE or not self.settings.auto_forced:
            self._keep_pace()
        if event is Event.FORCED:
            seat, action = self.session.forced_action()
            self.console.say(f"{self.session.names[seat]}: only {action} is possible.")
        self.loop.advance()
        if event is Event.AGENT and is_seen:
            self._keep_pace()

    def _is_shown_on(self) -> bool:
        session = self.session
        return session.is_audience and not (session.humans and session.match.is_over)

    def _keep_pace(self) -> None:
        seconds = self.settings.pace.seconds or 0.0
        if self.console.is_live and seconds:
            self.console.wait(self._last_change + seconds - time.monotonic())
        else:
            self.console.wait(0.0)
        self._last_change = time.monotonic()
