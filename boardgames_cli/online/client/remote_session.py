"""A match and a session at a table of a server, in the form that both front ends show and play.

The server's messages take the place of chance and of the other seats: whoever asks for their
action waits for news. Nothing is applied before the server has said that it happened.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Mapping, Sequence
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
from boardgames_cli.core.game import LEFT, AnyGame, Ending, Observation, Seat, Step, read_ending
from boardgames_cli.core.match import AnyMatch, Match, StepObservation
from boardgames_cli.core.text import Glyphs
from boardgames_cli.online.client.connection import TableConnection
from boardgames_cli.online.fair_dice import check_dice, check_promise, nonce_of, read_dice
from boardgames_cli.online.messages import (
    LONGEST_CHAT,
    VERSION,
    Act,
    Answer,
    ClientMessage,
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
from boardgames_cli.session.agent_runner import ActRequest, ActResult
from boardgames_cli.session.seats import HUMAN, LONGEST_NAME, SeatHolder
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.viewpoint import Viewpoint
from boardgames_cli.storage.reading import parse, restore
from boardgames_cli.storage.store import Store

_POLL_SECONDS: Final = 0.2
_HISTORY_SECONDS: Final = 1.0
"""How long a history that has begun to come is awaited."""
_AFTER_HISTORY: Final = ("table", "over", "line", "closed", "lost")
_CHANCE: Final = "chance"
_MOST_GUESSES: Final = 200
_UP: Final = "The connection is up again."
_ANOTHER: Final = "Another game begins, with seats exchanged."
_DOWN: Final = "The connection is down; it comes back by itself."


class RemoteMatch(Match[Any, Any, Any]):
    """The history of a match as a seat knows it."""

    def __init__(self, game: AnyGame, seat: Seat | None) -> None:
        super().__init__(game, seed=0)
        self.seat = seat
        self.has_ended = False
        """Whether the server has said that the game is over, for whatever reason."""
        self.is_seed_known = False
        self.is_pending = False
        """Whether the seat has acted, and the server has not answered."""
        self._legal: tuple[Any, ...] = ()
        self._is_empty = True

    def restart(self) -> None:
        """Forget the history; all of it comes again."""
        self._states, self._taken, self._steps, self._history = [self.start], [], [], ()
        self._is_empty = True
        self.has_ended, self.ended = False, None
        self.is_seed_known = False
        self.settle()

    def receive(self, message: Mapping[str, Any]) -> None:
        """Take an ``observe`` message.

        Raises:
            GameError: It does not follow what was received before, or is not a position.
        """
        ply, position, legal = (message.get(key) for key in ("ply", "position", "legal"))
        if not isinstance(ply, int) or not isinstance(position, dict):
            raise PositionError("the server sent no position.")
        if ply != (0 if self._is_empty else self.ply + 1):
            raise PositionError(f"the server sent step {ply} after step {self.ply}.")
        state = self.game.read_seen(position, ply)
        if ply:
            self._take(_taken(self._read_step(message.get("step"))), state)
        else:
            self.start, self._states = state, [state]
            self._to_act = self._waiting_for = self.game.to_act(state)
        self._is_empty = False
        self._legal = tuple(self._read_action(text) for text in _texts(legal))
        self.settle()

    def commit(self, seats: Sequence[Seat]) -> None:
        """Seats have chosen in a joint step that is not complete."""
        self._waiting_for = tuple(seat for seat in self._to_act if seat not in seats)
        self._other_changes += 1

    def end(self, ending: Ending | None) -> None:
        """The game is over, as its players or the loss of the server ended it, or by its rules."""
        self.has_ended, self.ended = True, ending
        self._legal = ()
        self._waiting_for = ()
        self.settle()

    def reveal(self, whole: AnyMatch) -> None:
        """Take over the whole history, which is public after the end."""
        self.is_seed_known = True
        self.seed, self.start = whole.seed, whole.start
        self.ended = whole.ended
        self._states = [whole.state_at(ply) for ply in range(whole.ply + 1)]
        self._taken, self._steps, self._history = [*map(_taken, whole.steps)], [], ()
        self.settle()

    def settle(self) -> None:
        """What the seat did last has happened, or the server has refused it."""
        self.is_pending = False
        self._other_changes += 1

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
        """The outcome of chance that a text stands for.

        Which outcomes are possible may depend on what is hidden, so it is looked for in positions
        that the seat believes possible.
        """
        seen: Observation[Any, Any] = Observation(self.seat, self.ply, self._states[-1], ())
        rng = random.Random(text)
        for _ in range(_MOST_GUESSES):
            with contextlib.suppress(ActionError):
                return self.game.parse_chance(self.game.determinize(seen, rng), text)
        raise PositionError(f'"{text[:40]}" can\'t come by chance in {self.game.info.name}.')

    def _read_action(self, text: str) -> Any:
        action = self.game.action_named(text)
        if action is None:
            raise PositionError(f'"{text[:40]}" is not an action of {self.game.info.name}.')
        return action

    @property
    def truncated(self) -> bool:
        """Whether the game ended before the rules ended it."""
        return self.has_ended and not self.game.is_over(self.state)

    @property
    def is_over(self) -> bool:
        return self.has_ended or not self._to_act

    def observe(self, seat: Seat | None, ply: int | None = None) -> Observation[Any, Any]:
        """What the seat sees now, or saw; nobody else's view is known before the end."""
        now = self.ply
        if ply is not None and ply != now:
            if self.is_seed_known:
                return super().observe(seat, ply)
            return Observation(seat, ply, self._states[ply], ())
        legal = self._legal if seat == self.seat and not self.is_pending else ()
        return Observation(seat, now, self._states[-1], legal)

    def observe_step(self, seat: Seat | None, ply: int | None = None) -> StepObservation[Any, Any]:
        """Like `observe`, with the step that led there."""
        at = self.ply if ply is None else ply
        return StepObservation.of(self.observe(seat, at), self.steps[at - 1] if at else None)

    def submit(self, seat: Seat, action: Any) -> None:
        """Note that the seat has acted; only the server takes steps."""
        if self.has_ended:
            raise IllegalActionError("the game is over.")
        if self.is_pending or seat != self.seat or not self._legal:
            raise IllegalActionError("it is not your turn.")
        if action not in self._legal:
            raise IllegalActionError(
                f"illegal: {self.game.explain_illegal(self.state, seat, action)}."
            )
        self.is_pending = True
        self._other_changes += 1

    def redo(self) -> None:
        raise IllegalActionError("at a table over the network nothing can be done again.")

    def resolve_chance(self) -> Any:
        raise IllegalActionError("chance acts on the server.")


def _taken(step: Step[Any, Any]) -> Any:
    return step.outcome if step.is_chance else dict(step.joint)


def _texts(data: Any) -> list[str]:
    if not isinstance(data, list) or not all(isinstance(text, str) for text in data):
        raise GameError("the server sent actions that are not text.")
    return data


class ReceivedViewpoint(Viewpoint):
    """The viewpoint of the seat whose observations were received: nothing is left to redact."""

    def state(self, game: AnyGame, state: Any) -> Any:
        return state

    def step(self, game: AnyGame, before: Any, step: Step[Any, Any]) -> Step[Any, Any]:
        return step


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
        """Always: nothing is loaded."""
        return True

    def result(self) -> ActResult:
        while not self.hurried.is_set() and not self.connection.wait(_POLL_SECONDS):
            pass
        return ActResult(self, None, None)


class RemoteSession(Session):
    """A session whose match is on a server.

    Args:
        connection: The connection; it has been greeted.
        welcome: The server's first message.
        hello: The message that began the game.
        store: Where the finished game is kept; None keeps nothing.
        secret: The secret of which this side's numbers for the dice are made.
        glyphs: Which characters views may use.
    """

    is_remote = True

    def __init__(
        self,
        connection: TableConnection,
        welcome: Welcome,
        hello: Mapping[str, Any],
        store: Store | None,
        secret: str,
        glyphs: Glyphs = Glyphs.ASCII,
    ) -> None:
        self.connection = connection
        self.table = TableState()
        self.welcome = welcome
        self.is_muted = False
        """Whether what others say is not shown."""
        self._store = store
        self._secret = secret
        self._commitment = ""
        self._promised = [welcome.commitment]
        """What the server has said in advance about the dice of this game and the next."""
        self._edition: int | None = None
        self._heard_at = time.monotonic()
        """When the server described the table last; clocks run on from there."""
        self.games = 1
        self.result_before = ""
        """How many games have begun here."""
        self.is_gone = False
        """Whether the table was closed, or can't be reached any more."""
        self._remote = RemoteMatch(welcome.game, _seat(hello.get("seat"), welcome.game))
        holders = _holders(hello, self._remote)
        super().__init__(self._remote, holders, None, Budget(2.0), glyphs)
        self._begin(hello)

    @property
    def viewpoint(self) -> Viewpoint:
        seat = self._remote.seat
        return ReceivedViewpoint(() if seat is None else (seat,))

    @property
    def _listener(self) -> Viewpoint:
        return self.viewpoint

    def next_event(self) -> Event:
        """A person's turn, the end, or waiting for the server."""
        if self._remote.has_ended:
            return Event.OVER
        seat = self._remote.seat
        legal = () if seat is None else self._remote.observe(seat).legal
        return Event.HUMAN if len(legal) > 1 else Event.AGENT

    def next_agent(self) -> Seat:
        others = [seat for seat in self._remote.waiting_for if seat >= 0]
        elsewhere = [seat for seat in others if seat != self._remote.seat]
        return next(iter([*elsewhere, *others]), 0)

    def request(self) -> ActRequest:
        seat = self.next_agent()
        agent = self.holders[seat].agent or AbsentAgent()
        return NewsRequest(
            seat,
            agent,
            self._remote.observe(None),
            random.Random(0),
            Budget(None),
            connection=self.connection,
        )

    def accept(self, result: ActResult) -> None:
        self.poll()

    def submit(self, seat: Seat, action: Any) -> None:
        """Send an action; it counts when the server says so."""
        self._remote.submit(seat, action)
        try:
            self._send(Act(str(action), ply=self._remote.ply, edition=self._edition))
        except IllegalActionError:
            self._remote.settle()
            raise

    def undo(self) -> None:
        self.propose(Offer.UNDO)

    def close(self) -> None:
        """Leave the table; the seat is kept."""
        super().close()
        self.connection.close()

    def say(self, text: str) -> None:
        """Say something to everybody."""
        cleaned = clean(text, LONGEST_CHAT)
        if not cleaned:
            raise IllegalActionError("nothing was said.", "Write it after the word: say hello")
        self._send(Say(cleaned))

    def talk(self, word: str, argument: str) -> None:
        """Say or offer something, answer an offer, or give up."""
        match word:
            case "say":
                self.say(argument)
            case "mute":
                self.is_muted = not self.is_muted
                self._note(f"What others say is {'hidden' if self.is_muted else 'shown'} from now.")
            case "resign":
                self._send(Resign())
            case "offer":
                self.propose(_read_offer(argument))
            case "agree" | "decline":
                self.answer(agrees=word == "agree")

    @property
    def has_company(self) -> bool:
        """Whether somebody else is at the table who could offer a rematch."""
        return bool({*self.table.here} - {*self.table.bots, *self.humans})

    @property
    def question(self) -> str:
        """The offer that waits for an answer of this side, as a sentence; empty for none."""
        table, seat = self.table, self._remote.seat
        if table.offer is None or seat is None or seat in table.agreed:
            return ""
        by = "Somebody" if table.offered_by is None else self.names[table.offered_by]
        return f"{by} {_OFFERS[table.offer]}."

    def clocks(self) -> dict[Seat, int]:
        """The seconds that every seat has left now; empty without a clock."""
        passed = self._seconds_since_heard
        return {
            seat: max(0, left - passed * (seat in self.table.running))
            for seat, left in enumerate(self.table.clocks or ())
        }

    def away(self) -> dict[Seat, int]:
        """Who is away, and the seconds until they may be replaced now."""
        passed = self._seconds_since_heard
        return {seat: max(0, left - passed) for seat, left in self.table.away}

    @property
    def _seconds_since_heard(self) -> int:
        return int(time.monotonic() - self._heard_at)

    def propose(self, what: Offer) -> None:
        """Offer something to the others."""
        self._send(Propose(what, self._next_nonce))

    def answer(self, *, agrees: bool) -> None:
        """Answer the open offer."""
        offer = self.table.offer
        if offer is None:
            raise IllegalActionError("nothing is offered.")
        self._send(Answer(agrees, self._next_nonce, offer))

    def poll(self) -> bool:
        """Take all messages that have arrived; whether anything has changed.

        A history that comes anew is awaited whole: none of its positions is the present.
        """
        changed, is_whole = False, True
        ends = time.monotonic() + _HISTORY_SECONDS
        while True:
            message = self.connection.take()
            if message is not None:
                changed, kind = True, message["type"]
                is_whole = kind in _AFTER_HISTORY or (is_whole and kind != "hello")
                self._hear(message)
            elif is_whole or time.monotonic() > ends:
                return changed
            else:
                self.connection.wait(_POLL_SECONDS)

    @property
    def _next_nonce(self) -> str:
        return nonce_of(self._secret, self._promised[-1])

    def _send(self, message: ClientMessage) -> None:
        if not self.connection.send(message):
            raise IllegalActionError("the connection is down.", "It comes back by itself; wait.")

    def _hear(self, message: Mapping[str, Any]) -> None:
        try:
            match message["type"]:
                case "welcome":
                    # After a reconnection: an action that was on its way is void or comes back.
                    self._remote.settle()
                case "hello":
                    self._begin(message)
                case "observe":
                    self._remote.receive(message)
                    self._went_on()
                case "table":
                    self._take_table(message)
                case "said" if not self.is_muted:
                    self._note(f"{text_of(message, 'name')}: {text_of(message, 'text')}")
                case "remark":
                    self._note(text_of(message, "text"))
                case "offered":
                    self._note_offer(message)
                case "declined":
                    self._note(f"{text_of(message, 'name')} declines: {text_of(message, 'what')}.")
                case "refused":
                    self._remote.settle()
                    self._note(_told(message))
                case "over":
                    self._end(message)
                case "line":
                    self._note(_UP if message["is_up"] else f"{_DOWN}{self._patience}")
                case "closed" | "lost":
                    self._note(_told(message))
                    self.is_gone = True
                    if not self._remote.has_ended:
                        self._remote.end(Ending(LEFT, remark=text_of(message, "message")))
        except GameError as error:
            self._note(f"The server sent what can't be understood: {error.message}")

    @property
    def _patience(self) -> str:
        if not self.welcome.away or not self.humans or self._remote.has_ended:
            return ""
        return f" After {self.welcome.away} seconds the others may claim the game."

    def _note(self, text: str) -> None:
        self.log.remark(text)

    def _note_offer(self, message: Mapping[str, Any]) -> None:
        name, what = text_of(message, "name"), text_of(message, "what")
        seat = self._remote.seat
        asks = "" if seat is None or name == self.names[seat] else " Answer: agree or decline."
        self._note(f"{name} {_OFFERS.get(what, 'offers something')}.{asks}")

    def _begin(self, hello: Mapping[str, Any]) -> None:
        seat = _seat(hello.get("seat"), self.game)
        commitment = str(hello.get("commitment", ""))
        if self._commitment and commitment != self._commitment:
            self._forget_game()
        self._commitment = commitment
        if commitment not in self._promised:
            self._note("The dice of this game are not those that the server had promised.")
        edition = hello.get("edition")
        self._edition = edition if isinstance(edition, int) else None
        self._remote.seat = seat
        self._remote.restart()
        self.holders = tuple(_holders(hello, self._remote))
        self.names = tuple(holder.name for holder in self.holders)
        self.humans = () if seat is None else (seat,)

    def _forget_game(self) -> None:
        if self.saving.journal is not None:
            self.saving.journal.close()
            self.saving.journal = None
        self.result_before = self.snapshot().result if self.match.has_result else ""
        self.won_before = (self.games_won[-1], *self.games_won[:-1])
        self.games += 1
        said = [line.text for line in self.log.remarks]
        # Before the first step of the new game, whatever the last one of the old game was.
        self.log.recall([(0, text) for text in (*said, _ANOTHER)])

    def _take_table(self, message: Mapping[str, Any]) -> None:
        known, self.table = self.table, read_fields(TableState, message)
        self._heard_at = time.monotonic()
        table, names = self.table, dict(enumerate(self.names))
        if self._remote.is_over or table.state != "playing":
            return
        away, was_away = dict(table.away), dict(known.away)
        for seat in away.keys() - was_away.keys():
            self._note(f"{names.get(seat)} is away; {away[seat]} seconds to return.")
        for seat in was_away.keys() - away.keys():
            self._note(f"{names.get(seat)} is here.")
        if not self._remote.is_pending:
            self._remote.commit(table.committed)

    def _end(self, message: Mapping[str, Any]) -> None:
        self._remote.end(read_ending(message, self.game.seats))
        self._promised.append(text_of(message, "commitment"))
        text = message.get("record")
        if not isinstance(text, str):
            return
        data = text.encode()
        record = parse(data, _RECORD)
        whole = restore(record, _RECORD)
        self._remote.reveal(whole)
        self._check(record.header.dice, whole)
        if self._store is not None and self.saving.journal is None:
            name = self._store.add(self.game.info.id, data)
            self.saving.journal = self._store.resume(name)[1]
            self.saving.record()

    def _check(self, dice: Any, whole: Any) -> None:
        if dice is None:
            return
        fair = read_dice(dice)
        if self._remote.seat is not None:
            check_promise(fair, self._commitment, nonce_of(self._secret, self._commitment))
        count = check_dice(whole, fair)
        if count:
            self._note(f"The dice were fair: all {count} outcomes follow from the agreed seed.")


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


def _seat(data: Any, game: AnyGame) -> Seat | None:
    return data if isinstance(data, int) and 0 <= data < game.seats else None


def _holders(hello: Mapping[str, Any], match: RemoteMatch) -> list[SeatHolder]:
    names = hello.get("holders")
    listed = names if isinstance(names, list) else []
    holders: list[SeatHolder] = []
    for seat in range(match.game.seats):
        given = listed[seat] if seat < len(listed) and isinstance(listed[seat], str) else ""
        name = clean(given, 2 * LONGEST_NAME) or match.game.info.seat_name(seat)
        if seat == match.seat:
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


def clock_text(seconds: int) -> str:
    """The time on a clock, such as ``4:05``."""
    return f"{seconds // 60}:{seconds % 60:02d}"
