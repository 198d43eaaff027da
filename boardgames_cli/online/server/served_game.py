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
from functools import partial
from typing import Any, Final

from boardgames_cli.agents.remote import protocol
from boardgames_cli.agents.remote.protocol import answered_action
from boardgames_cli.agents.remote.seating import close
from boardgames_cli.core.agent import COMMAND, Budget, split_agent
from boardgames_cli.core.clock import Clock
from boardgames_cli.core.errors import IllegalActionError, StorageError
from boardgames_cli.core.game import CHANCE, AnyGame, Ending, Seat
from boardgames_cli.core.match import AnyMatch, announce_end
from boardgames_cli.online.fair_dice import FairDice
from boardgames_cli.online.messages import AGENT_SECONDS, VERSION, Act
from boardgames_cli.session.agent_runner import ActRequest, ActResult, AgentRunner
from boardgames_cli.session.seats import HUMAN, SeatHolder, seat_people
from boardgames_cli.session.session import JointStep, undo
from boardgames_cli.session.viewpoint import has_secrets
from boardgames_cli.storage.journal import Journal
from boardgames_cli.storage.paths import note_error

_ANSWER_SECONDS: Final = 1.25
"""The time after which an agent's answer is played in games with secrets: how long it thought must
not tell its cards. It is longer than the thinking time, which agents exceed a little."""

_TICK_SHARE: Final = 0.8
"""The share of a tick that agents may think in real time."""

_RETRY_SECONDS: Final = 5.0
"""The pause before what could not be saved is tried again."""

_BUSY_SECONDS: Final = 0.05
"""The pause before an agent is asked that still thinks about what is not wanted any more."""

_FORCED_SECONDS: Final = 0.05
"""The pause before a person's only possible action is taken, so that people can follow."""

Think = Callable[[ActRequest, Callable[[ActResult], None]], None]
"""Runs a request elsewhere, and calls back with the result in the event loop's thread."""


@dataclass(frozen=True, slots=True)
class GameEvents:
    """What the owner of a game is told."""

    stepped: Callable[[], None]
    """A step was taken and saved."""
    choosing: Callable[[Seat, Any], None]
    """A person chooses in a joint step that is not complete; an error refuses the choice."""
    changed: Callable[[], None]
    """Somebody has chosen, but the step is not complete; or other clocks run."""
    ended: Callable[[Ending], None]
    """The game has ended; an error means that this could not be saved."""
    remarked: Callable[[str], None]
    """Something was noted in the save, such as an agent that failed."""


class ServedGame:
    """A game that is played on the server.

    Args:
        match: The match.
        journal: Its save, locked by this process.
        holders: The holder of every seat; people are on the network.
        clock: The clock.
        tick: Seconds between joint steps in real time; None waits for everybody.
        loop: The event loop.
        think: Runs agents elsewhere.
        events: What the owner is told.
    """

    def __init__(
        self,
        match: AnyMatch,
        journal: Journal,
        holders: list[SeatHolder],
        clock: Clock,
        tick: float | None,
        loop: asyncio.AbstractEventLoop,
        think: Think,
        events: GameEvents,
    ) -> None:
        self.match = match
        self.journal = journal
        self.holders = holders
        self.clock = clock
        self.ending: Ending | None = None
        """How the game ended; None while it is played."""
        self.edition = _new_edition()
        """Another number after every undo, in every game, and in every process: what clients know
        of the history is then void."""
        self._tick = tick
        self._loop = loop
        self._think = think
        self._events = events
        seconds = AGENT_SECONDS if tick is None else min(AGENT_SECONDS, _TICK_SHARE * tick)
        self._runner = AgentRunner(match, holders, Budget(seconds), self.remark)
        self._runner.is_real_time = tick is not None
        self._requests: dict[Seat, ActRequest] = {}
        self._latest: dict[Seat, ActRequest] = {}
        """The last request to every agent, even if its answer is not wanted any more."""
        self._joint = JointStep(match)
        """In real time, what the seats do at the next tick."""
        self._is_failing = False
        """Whether the last step could not be saved, which is told once."""
        self._timers: list[asyncio.TimerHandle] = []
        self._ticker: asyncio.TimerHandle | None = None

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people play now."""
        return tuple(seat for seat, holder in enumerate(self.holders) if holder.is_human)

    @property
    def names(self) -> list[str]:
        """What the holders of the seats are called now."""
        return [holder.name for holder in self.holders]

    def hello(self, seat: Seat | None, people: Sequence[Seat], dice: FairDice) -> str:
        """The message with which the game begins for a client."""
        start = json.loads(protocol.hello(self.match.game, seat or 0, 0.0, None))
        del start["limits"]
        start |= {
            "protocol": VERSION,
            "seat": seat,
            "holders": self.names,
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
        if self._tick is None and len(self.match.waiting_for) > 1:
            self._events.choosing(seat, action)
        self._submit(seat, action)

    def choose_again(self, seat: Seat, text: str) -> None:
        """Take a choice that was saved before the server was killed."""
        action = self.match.game.action_named(text)
        if len(self.match.waiting_for) > 1 and action in self.match.observe(seat).legal:
            self.match.submit(seat, action)

    def undo(self, seat: Seat) -> None:
        """Go back to the last decision of a seat."""
        match = self.match
        before, chosen = match.ply, match.committed
        undo(match, [seat], self.people)
        try:
            self.journal.rewrite(match)
        except StorageError:
            while match.ply < before:
                match.redo()
            self._submit_all(chosen)
            raise
        self.edition = _new_edition()
        self._forget_requests()
        self._runner.forget()
        self._events.stepped()
        self.go_on()

    def sit_in(self, seat: Seat, holder: SeatHolder) -> None:
        """Let another holder play a seat from now on."""
        left = self.holders[seat].agent
        self.holders[seat] = holder
        self._requests.pop(seat, None)
        self._latest.pop(seat, None)
        if left is not None:
            close([left])
        self._runner.forget()
        self.go_on()

    def remark(self, text: str) -> None:
        """Note something in the save."""
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
        """Stop clocks and ticks; `go_on` continues."""
        self.clock.hold(self._loop.time())
        self._cancel()
        if self._ticker is not None:
            self._ticker.cancel()
            self._ticker = None

    def close(self) -> None:
        """Release the save and the agents."""
        self.pause()
        agents = [holder.agent for holder in self.holders]
        announce_end(self.match, agents)
        close(agents)
        self.journal.close()

    def go_on(self) -> None:
        """Let chance and agents act until a person must, and set the timers."""
        self._try(self._go_on)

    def _go_on(self) -> None:
        self._cancel()
        if self.ending is not None:
            return
        match = self.match
        while match.waiting_for == (CHANCE,):
            match.resolve_chance()
            self._save()
            self.clock.run(self._acting, self._loop.time())
            self._events.stepped()
        waiting, ending = match.waiting_for, match.ending
        if ending is not None:
            self.end(ending)
            return
        ran = self.clock.running
        self.clock.run(self._acting, self._loop.time())
        if self.clock.running != ran:  # not yet told with a step
            self._events.changed()
        for seat in waiting:
            if not self.holders[seat].is_human:
                self._ask(seat)
            elif len(waiting) == 1 and len(match.observe(seat).legal) == 1:
                self._later(_FORCED_SECONDS, partial(self._force, seat))
        self._watch_clock()
        if self._tick is not None and self._ticker is None:
            self._ticker = self._loop.call_later(self._tick, self._try, self._take_tick)

    def _try(self, work: Callable[[], None]) -> None:
        """Do what no client waits for; what can't be saved is tried again later."""
        try:
            work()
        except StorageError as error:
            self._forget_requests()
            ran = self.clock.running
            self.pause()
            if ran:
                self._events.changed()
            if not self._is_failing:
                self._is_failing = True
                note_error(error)
                self._events.remarked("The server can't save the game; it waits until it can.")
            self._later(_RETRY_SECONDS, self.go_on)

    def _submit(self, seat: Seat, action: Any) -> None:
        if self._tick is not None:
            self._joint.choose(seat, action)
            return
        match, before, chosen = self.match, self.match.ply, self.match.committed
        match.submit(seat, action)
        if match.ply > before:
            self._save(chosen)
        self.clock.run(self._acting, self._loop.time())
        if match.ply == before:
            self._events.changed()
            return
        self._events.stepped()
        self.go_on()

    def _submit_all(self, chosen: Mapping[Seat, Any]) -> None:
        for seat, action in chosen.items():
            self.match.submit(seat, action)

    @property
    def _acting(self) -> Collection[Seat]:
        return [seat for seat in self.match.waiting_for if seat in self.people]

    def _save(self, chosen: Mapping[Seat, Any] | None = None) -> None:
        """Save the last step, or take it back.

        Args:
            chosen: What others had chosen before the step was complete.
        """
        try:
            self.journal.record(self.match)
            self._is_failing = False
        except Exception:
            self.match.undo()
            self._submit_all(chosen or {})
            raise

    def _force(self, seat: Seat) -> None:
        legal = self.match.observe(seat).legal
        if len(legal) == 1:
            self._submit(seat, legal[0])

    def _watch_clock(self) -> None:
        left, _ = self.clock.next_flag(self._loop.time())
        if left < math.inf:
            self._later(left, self._flag)

    def _flag(self) -> None:
        left, seat = self.clock.next_flag(self._loop.time())
        if left <= 0:
            self.end(Ending.by_players("clock", self.match.game.seats, seat))
        else:  # whoever was first has acted in a joint step
            self._watch_clock()

    def _take_tick(self) -> None:
        """Take the joint step in real time: who has not chosen takes the default action."""
        self._ticker = None
        self.match.take_checked(self._joint.complete())
        self._forget_requests()
        self._save()
        self._events.stepped()
        self._go_on()

    def _ask(self, seat: Seat) -> None:
        if seat in self._requests:
            return
        latest = self._latest.get(seat)
        if latest is not None and not latest.is_done:  # an agent has one thought at a time
            self._later(_BUSY_SECONDS, partial(self._ask, seat))
            return
        request = self._requests[seat] = self._runner.request(seat)
        if request.is_absent:
            self._later(0.0, partial(self._play, request.given_up()))
            return
        self._latest[seat] = request
        asked = self._loop.time()
        late = self._loop.call_later(AGENT_SECONDS + request.grace, self._check_late, request)
        self._think(request, lambda result: self._answered(result, asked, late))

    def _check_late(self, request: ActRequest) -> None:
        if self._requests.get(request.seat) is not request:
            return
        if request.is_late:
            self._try(partial(self._play, request.given_up()))
        else:  # it is still getting ready
            self._loop.call_later(AGENT_SECONDS, self._check_late, request)

    def _answered(self, result: ActResult, asked: float, late: asyncio.TimerHandle) -> None:
        late.cancel()
        wait = 0.0
        if has_secrets(self.match.game) and self._tick is None:
            wait = asked + _ANSWER_SECONDS - self._loop.time()
        self._loop.call_later(max(0.0, wait), self._try, partial(self._play, result))

    def _play(self, result: ActResult) -> None:
        seat = result.request.seat
        is_wanted = self._requests.get(seat) is result.request and self.ending is None
        if not is_wanted:
            return
        del self._requests[seat]
        if result.is_late:
            del self._latest[seat]  # it is absent, or killed
        if seat in self.match.waiting_for:
            self._submit(seat, self._runner.action_of(result))

    def _forget_requests(self) -> None:
        for request in self._requests.values():
            request.hurry()
        self._requests.clear()

    def _later(self, seconds: float, call: Callable[[], None]) -> None:
        self._timers.append(self._loop.call_later(max(0.0, seconds), self._try, call))

    def _cancel(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()


def _new_edition() -> int:
    return secrets.randbits(48)


def holders_of(game: AnyGame, specs: Sequence[str], seed: int = 0) -> list[SeatHolder]:
    """The holders of all seats of a match on the server."""
    return list(seat_people(game, specs, seed, AGENT_SECONDS))
