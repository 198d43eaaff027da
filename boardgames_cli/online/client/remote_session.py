"""A session at a table of a server, in the form that both front ends show and play.

The server's messages take the place of chance and of the other seats: whoever asks for their
action waits for news. Nothing is applied before the server has said that it happened.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from boardgames_cli.agents.remote.protocol import clean
from boardgames_cli.core.agent import Agent, Budget, Thinking
from boardgames_cli.core.errors import (
    ActionError,
    GameError,
    IllegalActionError,
    PositionError,
    instead_of,
    is_gone,
)
from boardgames_cli.core.game import (
    CHANCE,
    LEFT,
    AnyGame,
    Ending,
    Observation,
    Seat,
    Step,
    read_ending,
)
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.online.client.connection import POLL_SECONDS, TableConnection
from boardgames_cli.online.fair_dice import check_dice, check_promise, commitment_of, read_dice
from boardgames_cli.online.messages import (
    LONGEST_CHAT,
    VERSION,
    Act,
    Answer,
    ClientMessage,
    Contribute,
    Offer,
    Propose,
    Resign,
    Say,
    TableState,
    Welcome,
    read_fields,
    text_of,
)
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.session.driven_match import ActRequest, ActResult
from boardgames_cli.session.seats import HUMAN, LONGEST_NAME, SeatHolder
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Settings
from boardgames_cli.session.snapshot import Company
from boardgames_cli.storage.reading import parse, restore
from boardgames_cli.storage.store import Store

_HISTORY_SECONDS: Final = 1.0
"""How long a history that has begun to come is awaited."""
_AFTER_HISTORY: Final = ("table", "over", "line", "closed", "lost")
_CHANCE: Final = "chance"
_MOST_GUESSES: Final = 200
_UP: Final = "The connection is up again."
_ANOTHER: Final = "Another game begins, with seats exchanged."
_DOWN: Final = "The connection is down; it comes back by itself."


class AbsentAgent(Agent[Any, Any]):
    """Stands for everybody who is not here; it is never asked to act."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        """Never called: `NewsRequest` waits for the server instead."""
        raise NotImplementedError


@dataclass
class NewsRequest(ActRequest):
    """Waits until the server has said something."""

    connection: TableConnection = field(kw_only=True)

    @property
    def is_thinking(self) -> bool:
        return True

    def result(self) -> ActResult:
        while not self.hurried.is_set() and not self.connection.wait(POLL_SECONDS):
            pass
        return ActResult(self, None, None)


class RemoteSession(Session):
    """A session whose match is on a server, where it may not have begun.

    Args:
        connection: The connection; it has been greeted.
        welcome: The server's first message.
        nonce: The number that this side adds to the dice.
        is_back: Whether a seat that was taken before is used again.
    """

    def __init__(
        self,
        connection: TableConnection,
        welcome: Welcome,
        nonce: str,
        *,
        is_back: bool = False,
    ) -> None:
        self.connection = connection
        self.is_back = is_back
        self.has_begun = False
        self.store: Store | None = None
        """Where the finished game is kept; None keeps nothing."""
        self.table = TableState()
        self.welcome = welcome
        self.company: Company = Company(self.poll, self.talk)
        self._is_muted = False
        """Whether what others say is not shown."""
        self._nonce = nonce
        self._commitment = ""
        """What the server has said in advance about the dice of this game."""
        self._edition: int | None = None
        self.result_before = ""
        """The result of the game before this one."""
        self._is_empty = True
        """Whether no position of the history has come."""
        self._has_ended = False
        """Whether the server has said that the game is over, for whatever reason."""
        self._is_pending = False
        """Whether this side has acted, and the server has not answered."""
        match: AnyMatch = Match(welcome.game, seed=0)
        match.is_whole = False
        super().__init__(match, _holders(welcome.game, welcome.seat, ()))
        self._contribute()

    def show_with(self, settings: Settings) -> None:
        self.glyphs = settings.glyphs
        self.store = Store.at(settings.save_folder) if settings.save else None

    @property
    def seat(self) -> Seat | None:
        """The seat of this side; None for a spectator."""
        return next(iter(self.humans), None)

    def next_event(self) -> Event:
        """A person's turn, the end, or waiting for the server."""
        if self._has_ended:
            return Event.OVER
        if not self.has_begun:
            return Event.AGENT
        return Event.HUMAN if len(self.observe(self.seat).legal) > 1 else Event.AGENT

    def next_agent(self) -> Seat:
        own = self.seat or 0
        return next((seat for seat in self.match.waiting_for if seat not in (CHANCE, own)), own)

    def request(self) -> ActRequest:
        seat = self.next_agent()
        return NewsRequest(
            seat,
            self.holders[seat].agent or AbsentAgent(),
            self.observe(None),
            random.Random(0),
            Budget(None),
            connection=self.connection,
        )

    def accept(self, result: ActResult) -> None:
        self.poll()

    def submit(self, seat: Seat, action: Any) -> None:
        """Send an action; it counts when the server says so."""
        match = self.match
        if match.is_over:
            raise IllegalActionError("the game is over.")
        legal = self.observe(seat).legal if seat == self.seat else ()
        if not legal:
            raise IllegalActionError("it is not your turn.")
        if action not in legal:
            reason = match.game.explain_illegal(match.state, seat, action)
            raise IllegalActionError(f"illegal: {reason}.")
        self._send(Act(str(action), ply=match.ply, edition=self._edition))
        match.note_acted((seat,))
        self._is_pending = True

    def undo(self) -> None:
        self.propose(Offer.UNDO)

    def close(self) -> None:
        """Leave the table; the seat is kept."""
        super().close()
        self.connection.close()

    def talk(self, word: str, argument: str) -> None:
        """Say or offer something, answer an offer, or give up."""
        match word:
            case "say":
                cleaned = clean(argument, LONGEST_CHAT)
                if not cleaned:
                    todo = "Write it after the word: say hello"
                    raise IllegalActionError("nothing was said.", todo)
                self._send(Say(cleaned))
            case "mute":
                self._is_muted = not self._is_muted
                told = "hidden" if self._is_muted else "shown"
                self._note(f"What others say is {told} from now.")
            case "resign":
                self._send(Resign())
            case "offer":
                self.propose(_read_offer(argument))
            case "agree" | "decline":
                self.answer(agrees=word == "agree")

    def propose(self, what: Offer) -> None:
        self._send(Propose(what))

    def answer(self, *, agrees: bool) -> None:
        self._send(Answer(agrees, self.table.offer))

    def poll(self) -> bool:
        """Take all messages that have arrived; whether anything has changed.

        A history that comes anew is awaited whole: none of its positions is the present. When the
        game begins, what follows is left to the next call.

        Raises:
            ConnectionFailed: The game will not begin.
        """
        changed, is_whole = False, True
        ends = time.monotonic() + _HISTORY_SECONDS
        while True:
            message = self.connection.take()
            if message is not None:
                changed, kind = True, message["type"]
                waits = not self.has_begun
                if waits and kind in ("closed", "lost", "refused"):
                    self.connection.fail(message)
                is_whole = kind in _AFTER_HISTORY or (is_whole and kind != "hello")
                self._hear(message)
                if waits and self.has_begun:
                    return True
            elif is_whole or time.monotonic() > ends:
                return changed
            else:
                self.connection.wait(POLL_SECONDS)

    def _send(self, message: ClientMessage) -> None:
        if not self.connection.send(message):
            raise IllegalActionError("the connection is down.", "It comes back by itself; wait.")

    def _contribute(self) -> None:
        if self.connection.seat.token:
            self.connection.send(Contribute(self._nonce))

    def _hear(self, message: Mapping[str, Any]) -> None:
        try:
            match message["type"]:
                case "welcome" if not self.has_begun:  # the connection was lost meanwhile
                    self._contribute()
                case "welcome":
                    # After a reconnection: an action that was on its way is void or comes back.
                    self._settle()
                case "hello":
                    self._begin(message)
                case "observe":
                    self._receive(message)
                case "table":
                    self._take_table(message)
                case "said" if not self._is_muted:
                    self._note(f"{text_of(message, 'name')}: {text_of(message, 'text')}")
                case "remark":
                    self._note(text_of(message, "text"))
                case "declined":
                    self._note(f"{text_of(message, 'name')} declines: {text_of(message, 'what')}.")
                case "refused":
                    self._settle()
                    self._note(_told(message))
                case "over":
                    self._end(message)
                case "line":
                    self.company.is_up = message["is_up"]
                    self._note(_UP if message["is_up"] else f"{_DOWN}{self._patience}")
                case "closed" | "lost":
                    self._note(_told(message))
                    self.company.is_gone = True
                    if not self._has_ended:
                        self._stop(Ending(LEFT, remark=text_of(message, "message")))
        except GameError as error:
            self._note(f"The server sent what can't be understood: {error.message}")

    @property
    def _patience(self) -> str:
        if not self.welcome.away or not self.humans or self._has_ended:
            return ""
        return f" After {self.welcome.away} seconds the others may claim the game."

    def _note(self, text: str) -> None:
        self.log.remark(text)

    def _begin(self, hello: Mapping[str, Any]) -> None:
        commitment = str(hello.get("commitment", ""))
        if commitment != self._commitment:
            is_promised = commitment == self.welcome.commitment
            if self._commitment:  # what was revealed after a game is the promise of the next
                is_promised = commitment_of(commitment) == self._commitment
                self._forget_game()
            self._commitment = commitment
            if not is_promised:
                self._note("Chance in this game is not what the server had promised.")
        edition = hello.get("edition")
        self._edition = edition if isinstance(edition, int) else None
        self._is_empty, self._has_ended, self._is_pending = True, False, False
        self.match.is_whole = False
        self.match.receive(self.game.initial_state())
        self._seat(_holders(self.game, hello.get("seat"), hello.get("holders")))
        if not self.has_begun:
            self.has_begun = True
            self.log.recall(())  # who waited has been told

    def _forget_game(self) -> None:
        if self.saving.journal is not None:
            self.saving.journal.close()
            self.saving.journal = None
        self.result_before = self.snapshot().result if self.match.has_result else ""
        self.won_before = (self.games_won[-1], *self.games_won[:-1])
        self.company.games += 1
        # Before the first step of the new game, whatever the last one of the old game was.
        self.log.recall([(0, line.text) for line in self.log.remarks])
        self.log.remark(_ANOTHER, 0)

    def _receive(self, message: Mapping[str, Any]) -> None:
        match, game = self.match, self.game
        ply, position = message.get("ply"), message.get("position")
        if not isinstance(ply, int) or not isinstance(position, dict):
            raise PositionError("the server sent no position.")
        if ply != (0 if self._is_empty else match.ply + 1):
            raise PositionError(f"the server sent step {ply} after step {match.ply}.")
        state = game.read_seen(position, ply)
        match.receive(state, self._read_step(message.get("step")) if ply else None)
        self._is_empty = self._is_pending = False
        self._went_on()

    def _read_step(self, step: Any) -> Step[Any, Any]:
        if not isinstance(step, dict):
            return Step.of_chance(None)
        if _CHANCE in step:
            text = step[_CHANCE]
            return Step.of_chance(self._read_outcome(text) if isinstance(text, str) else None)
        return Step(
            {
                int(seat): self._read_action(text)
                for seat, text in step.items()
                if isinstance(text, str) and seat.isdecimal()
            }
        )

    def _read_outcome(self, text: str) -> Any:
        # What may come can depend on what is hidden, so positions are tried that the seat believes.
        seen, rng = self.observe(self.seat), random.Random(text)
        for _ in range(_MOST_GUESSES):
            with contextlib.suppress(ActionError):
                return self.game.parse_chance(self.game.determinize(seen, rng), text)
        raise PositionError(f'"{text[:40]}" can\'t come by chance in {self.game.info.name}.')

    def _read_action(self, text: str) -> Any:
        action = self.game.action_named(text)
        if action is None:
            raise PositionError(f'"{text[:40]}" is not an action of {self.game.info.name}.')
        return action

    def _settle(self) -> None:
        self._is_pending = False
        if not self._has_ended:
            self.match.note_acted(self.table.committed)

    def _stop(self, ending: Ending | None) -> None:
        self._has_ended, self._is_pending = True, False
        self.match.stop(ending)

    def _take_table(self, message: Mapping[str, Any]) -> None:
        known, self.table = self.table, read_fields(TableState, message)
        table, names, company = self.table, dict(enumerate(self.names)), self.company
        away, was_away = dict(table.away), dict(known.away)
        company.left, company.missing, company.heard_at = table.clocks or (), away, time.monotonic()
        company.running, company.watchers = table.running, table.watchers
        company.question = ""
        if table.offer is not None:
            by = "Somebody" if table.offered_by is None else names.get(table.offered_by)
            told = f"{by} {_OFFERS[table.offer]}."
            is_asked = bool(self.humans) and self.seat not in table.agreed
            company.question = told if is_asked else ""
            if (table.offer, table.offered_by) != (known.offer, known.offered_by):
                self._note(f"{told} Answer: agree or decline." if is_asked else told)
        if self.match.is_over or table.state != "playing":
            return
        for seat in away.keys() - was_away.keys():
            self._note(f"{names.get(seat)} is away; {away[seat]} seconds to return.")
        for seat in was_away.keys() - away.keys():
            self._note(f"{names.get(seat)} is here.")
        if not self._is_pending:
            self.match.note_acted(table.committed)

    def _end(self, message: Mapping[str, Any]) -> None:
        self._stop(read_ending(message, self.game.seats))
        text = message.get("record")
        if not isinstance(text, str):
            return
        data = text.encode()
        record = parse(data, _RECORD)
        whole = restore(record, _RECORD)
        self._reveal(whole)
        self._check(record.header.dice, whole)
        if self.store is not None and self.saving.journal is None:
            name = self.store.add(self.game.info.id, data)
            self.saving.journal = self.store.resume(name)[1]
            self.saving.record()

    def _reveal(self, whole: AnyMatch) -> None:
        match = self.match
        match.receive(whole.start)
        for ply, step in enumerate(whole.steps, start=1):
            match.receive(whole.state_at(ply), step)
        match.seed, match.is_whole = whole.seed, True
        match.stop(whole.ended)

    def _check(self, dice: Any, whole: AnyMatch) -> None:
        if dice is None:
            return
        fair = read_dice(dice)
        if self.humans:
            check_promise(fair, self._commitment, self._nonce)
        if check_dice(whole, fair):
            self._note("Chance was fair: all that came by it follows from the agreed seed.")


def read_welcome(message: Mapping[str, Any]) -> Welcome:
    """Read a ``welcome`` message."""
    game_id, rules = str(message.get("game")), message.get("rules_version")
    known = find_game(game_id).info.rules_version if game_id in game_ids() else rules
    if message.get("protocol") != VERSION or rules not in (None, known):
        raise GameError(
            "the server has another version of boardgames.",
            "Install the same one on both sides; --version tells it.",
        )
    welcome = read_fields(Welcome, message)
    _ = welcome.game  # a game that is not known here is refused now
    return welcome


_RECORD: Final = Path("the record of this game")


def _told(message: Mapping[str, Any]) -> str:
    return f"{text_of(message, 'message')} {text_of(message, 'todo')}".strip()


def _holders(game: AnyGame, own: Any, names: Any) -> list[SeatHolder]:
    listed = names if isinstance(names, list) else []
    holders: list[SeatHolder] = []
    for seat in range(game.seats):
        given = listed[seat] if seat < len(listed) and isinstance(listed[seat], str) else ""
        name = clean(given, 2 * LONGEST_NAME) or game.info.seat_name(seat)
        if seat == own:
            holders.append(SeatHolder(f"{HUMAN}:name={name}", name, None))
        else:
            holders.append(SeatHolder("", name, AbsentAgent()))
    return holders


_OFFERS: Final[Mapping[str, str]] = {
    Offer.UNDO: "asks to take the last decision back",
    Offer.REMATCH: "offers a rematch with seats exchanged",
    Offer.AGENT: "suggests that an agent plays for whoever is away",
    Offer.CLAIM: "claims the game, since somebody stays away",
}


def _read_offer(text: str) -> Offer:
    text = text.strip().lower()
    with contextlib.suppress(ValueError):
        return Offer(text)
    if instead := instead_of("offer", text):
        raise IllegalActionError(is_gone(text), instead)
    raise IllegalActionError(
        f'"{text}" can\'t be offered.' if text else "nothing was offered.",
        "Write: offer rematch, offer agent or offer claim.",
    )
