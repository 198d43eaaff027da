"""A game on the server: the match with its save, agents, clocks and ticks.

It knows seats, and nothing of connections. All calls come from the event loop's thread; agents
think elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import math
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from boardgames_cli.agents.remote import protocol
from boardgames_cli.agents.remote.protocol import answered_action
from boardgames_cli.agents.remote.seating import close
from boardgames_cli.core.agent import COMMAND, Budget, split_agent
from boardgames_cli.core.clock import Clock
from boardgames_cli.core.errors import GameError, IllegalActionError, StorageError
from boardgames_cli.core.game import AnyGame, Ending, Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.online.fair_dice import FairDice
from boardgames_cli.online.messages import AGENT_SECONDS, VERSION, Act
from boardgames_cli.session.driven_match import ActRequest, ActResult, DrivenMatch
from boardgames_cli.session.match_driver import Driver, Effects
from boardgames_cli.session.seats import HUMAN, SeatHolder, seat_people
from boardgames_cli.session.session import undo
from boardgames_cli.session.viewpoint import has_secrets
from boardgames_cli.storage.journal import Journal
from boardgames_cli.storage.paths import note_error
from boardgames_cli.storage.store import Store

_ANSWER_SECONDS: Final = 1.25
"""The time after which an agent's answer is played in games with secrets: how long it thought must
not tell its cards. It is longer than the thinking time, which agents exceed a little."""

_TICK_SHARE: Final = 0.8
"""The share of a tick that agents may think in real time."""

_RETRY_SECONDS: Final = 5.0
"""The pause before what could not be saved is tried again."""

_LATE_SECONDS: Final = 0.25
"""The pause before it is looked again whether an agent is late."""

Think = Callable[[ActRequest, Callable[[ActResult], None]], None]
"""Runs a request elsewhere, and calls back with the result in the event loop's thread."""


@dataclass(frozen=True, slots=True)
class TableServices:
    """What all tables of a server share."""

    loop: asyncio.AbstractEventLoop
    store: Store
    think: Think
    has_pages: bool = False
    """Whether the server shows browsers a table at its address."""


@dataclass(frozen=True, slots=True)
class GameEvents:
    """What the owner of a game is told; an error refuses a choice, or puts the end off."""

    stepped: Callable[[], None]
    """A step was taken and saved."""
    choosing: Callable[[Seat, Any], None]
    """A person chooses in a joint step that is not complete."""
    changed: Callable[[], None]
    """Somebody has chosen, but the step is not complete; or other clocks run."""
    ended: Callable[[Ending], None]
    remarked: Callable[[str], None]


class ServedGame(DrivenMatch):
    """A game that is played on the server.

    Args:
        match: The match.
        journal: Its save, locked by this process.
        holders: The holder of every seat; people are on the network.
        clock: The clock.
        tick: Seconds between joint steps in real time; None waits for everybody.
        services: The event loop, and what lets agents think.
        events: What the owner is told.
    """

    def __init__(
        self,
        match: AnyMatch,
        journal: Journal,
        holders: list[SeatHolder],
        clock: Clock,
        tick: float | None,
        services: TableServices,
        events: GameEvents,
    ) -> None:
        seconds = AGENT_SECONDS if tick is None else min(AGENT_SECONDS, _TICK_SHARE * tick)
        super().__init__(match, holders, Budget(seconds), self.remark)
        self.journal = journal
        self.clock = clock
        self.ending: Ending | None = None
        """How the game ended; None while it is played."""
        self.edition = _new_edition()
        """Another number after every undo, in every game, and in every process: what clients know
        of the history is then void."""
        self._loop = loop = services.loop
        self._think = services.think
        self._events = events
        self._is_failing = False
        """Whether the last step could not be saved, which is told once."""
        self._timers: list[asyncio.TimerHandle] = []
        hides_time = has_secrets(match.game) and tick is None
        self.driver = Driver(
            self,
            Effects(
                self._ask,
                lambda seconds, call: loop.call_later(seconds, call).cancel,
                self._refused,
                self._follow,
                now=loop.time,
            ),
            tick=tick,
            is_served=True,
            answer_seconds=_ANSWER_SECONDS if hides_time else 0.0,
        )
        self.driver.is_paused = True  # until somebody is here

    def hello(self, seat: Seat | None, people: Sequence[Seat], dice: FairDice) -> str:
        """The message with which the game begins for a client."""
        start = json.loads(protocol.hello(self.match.game, seat or 0, 0.0, None))
        del start["limits"]
        start |= {
            "protocol": VERSION,
            "seat": seat,
            "holders": list(self.names),
            "people": list(people),
            "edition": self.edition,
            "commitment": dice.commitment,
            "nonces": list(dice.nonces),
        }
        return json.dumps(start)

    def observations(self, seat: Seat | None) -> Iterator[str]:
        """The observations of a seat up to now, made one by one.

        They end early if the history changes, since all of it is sent again then.
        """
        edition, last = self.edition, self.match.ply
        return (
            self.observed(seat, ply)
            for ply in itertools.takewhile(lambda _: self.edition == edition, range(last + 1))
        )

    def observed(self, seat: Seat | None, ply: int) -> str:
        """The message with a seat's observation at a ply."""
        match = self.match
        seen = match.observe_step(seat, ply)
        return protocol.observe(match.game, seen, self._actors(ply)).decode().rstrip()

    def _actors(self, ply: int) -> list[int | str]:
        if not ply:
            return []
        step = self.match.steps[ply - 1]
        return ["chance"] if step.is_chance else sorted(step.joint)

    def public_record(self) -> str:
        """The save for everybody after the end, without the commands of this machine."""
        header, ending = self.journal.header, self.ending
        if ending is not None and ending.is_by_players:
            header = replace(header, max_plies=self.match.ply, ended=ending.saved)
        seats = tuple(
            f"{HUMAN}:name={holder.name}" if split_agent(spec)[0] == COMMAND else spec
            for spec, holder in zip(header.seats, self.holders, strict=True)
        )
        _, _, rest = self.journal.data(self.match).decode().partition("\n")
        return f"{replace(header, seats=seats).line()}\n{rest}"

    def act(self, seat: Seat, message: Act) -> None:
        """Take a person's action; when this returns, it is saved or waits for others to choose."""
        if self.ending is not None:
            raise IllegalActionError("the game is over.")
        seen = self.match.observe(seat)
        if not seen.legal:
            raise IllegalActionError("it is not your turn.")
        action, flaw = answered_action(
            self.match.game, seen, {"action": message.action, "id": message.id, "ply": message.ply}
        )
        if flaw:
            raise IllegalActionError(f"that was refused: you {flaw}.")
        if self.driver.tick is not None:
            self.choose(seat, action)
            return
        if len(self.match.waiting_for) > 1:
            self._events.choosing(seat, action)
        self.submit(seat, action)
        self.go_on()

    def choose_again(self, seat: Seat, text: str) -> None:
        """Take a choice that was saved before the server was killed."""
        action = self.match.game.action_named(text)
        if len(self.match.waiting_for) > 1 and action in self.match.observe(seat).legal:
            self.match.submit(seat, action)

    def undo(self, seat: Seat) -> None:
        """Go back to the last decision of a seat."""
        match = self.match
        before, chosen = match.ply, match.committed
        undo(match, [seat], self.humans)
        try:
            self.journal.rewrite(match)
        except StorageError:
            while match.ply < before:
                match.redo()
            self._choose_all(chosen)
            raise
        self.edition = _new_edition()
        self.driver.drop()
        self.forget()
        self._events.stepped()
        self.go_on()

    def sit_in(self, seat: Seat, holder: SeatHolder) -> None:
        self.driver.drop(seat)
        close([self.holders[seat].agent])
        super().sit_in(seat, holder)
        self.go_on()

    def remark(self, text: str) -> None:
        with contextlib.suppress(StorageError):  # it is written with the next step
            self.journal.note(self.match, text)
        self._events.remarked(text)

    def end(self, ending: Ending) -> None:
        """End the game.

        Raises:
            StorageError: It can't be saved, and the game goes on.
        """
        if self.ending is not None:
            return
        self.pause()
        self.ending = ending
        try:
            self._events.ended(ending)
        except StorageError:
            self.ending = None
            self._later(_RETRY_SECONDS, self.go_on)
            raise

    def pause(self) -> None:
        self.clock.hold(self._loop.time())
        self._cancel()
        self.driver.pause(True)

    def close(self) -> None:
        self.pause()
        self.driver.close()
        super().close()
        self.journal.close()

    def go_on(self) -> None:
        """Let chance and agents act until a person must, and set the timers."""
        if self.ending is None:
            if self.driver.is_paused:
                self.driver.drop()  # the match may have changed since
                self.driver.pause(False)
            self.driver.go_on()

    def _follow(self) -> None:
        if self.driver.is_paused:
            return
        self._cancel()
        if (ending := self.match.ending) is not None:
            self._end_at_last(ending)
            return
        ran = self.clock.running
        self.clock.run(self._acting, self._loop.time())
        if self.clock.running != ran:  # not yet told with a step
            self._events.changed()
        left, _ = self.clock.next_flag(self._loop.time())
        if left < math.inf:
            self._later(left, self._flag)

    def _refused(self, error: GameError) -> None:
        if not isinstance(error, StorageError):
            raise error
        ran = self.clock.running
        self.pause()
        if ran:
            self._events.changed()
        if not self._is_failing:
            self._is_failing = True
            note_error(error)
            self._events.remarked("The server can't save the game; it waits until it can.")
        self._later(_RETRY_SECONDS, self.go_on)

    @property
    def _acting(self) -> Collection[Seat]:
        return [seat for seat in self.match.waiting_for if seat in self.humans]

    def _went_on(self, chosen: Mapping[Seat, Any] | None = None) -> None:
        match, is_step = self.match, not self.match.committed
        if is_step:
            try:
                self.journal.record(match)
                self._is_failing = False
            except Exception:
                match.undo()
                self._choose_all(chosen or {})
                raise
        self.clock.run(self._acting, self._loop.time())
        if is_step:
            self._events.stepped()
        else:
            self._events.changed()

    def submit(self, seat: Seat, action: Any) -> None:
        chosen = self.match.committed
        self.match.submit(seat, action)
        self._went_on(chosen)

    def _choose_all(self, chosen: Mapping[Seat, Any]) -> None:
        for seat, action in chosen.items():
            self.match.submit(seat, action)

    def _flag(self) -> None:
        left, seat = self.clock.next_flag(self._loop.time())
        if left > 0:  # whoever was first has acted in a joint step
            self._follow()
            return
        self._end_at_last(Ending.by_players("clock", self.match.game.seats, seat))

    def _end_at_last(self, ending: Ending) -> None:
        try:
            self.end(ending)
        except StorageError as error:
            self._refused(error)

    def _ask(self, request: ActRequest) -> None:
        self._think(request, self.driver.take)
        self._loop.call_later(_LATE_SECONDS, self._check_late, request)

    def _check_late(self, request: ActRequest) -> None:
        if self.driver.requests.get(request.seat) is request:
            self.driver.check_late()
            self._loop.call_later(_LATE_SECONDS, self._check_late, request)

    def _later(self, seconds: float, call: Callable[[], None]) -> None:
        self._timers.append(self._loop.call_later(max(0.0, seconds), call))

    def _cancel(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()


def _new_edition() -> int:
    return secrets.randbits(48)


def holders_of(game: AnyGame, specs: Sequence[str], seed: int = 0) -> list[SeatHolder]:
    """The holders of all seats of a match on the server."""
    return list(seat_people(game, specs, seed, AGENT_SECONDS))
