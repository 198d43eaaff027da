"""A game on the server: the match with its save, agents, clocks and ticks.

It knows seats, and nothing of connections. All calls come from the event loop's thread; agents
think elsewhere.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from boardgames_cli.agents.remote.protocol import answered_action
from boardgames_cli.agents.remote.seating import close
from boardgames_cli.core.agent import Budget
from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.game import CHANCE, Seat, Traits
from boardgames_cli.core.match import AnyMatch, announce_end
from boardgames_cli.online.clock import Clock
from boardgames_cli.online.messages import Act
from boardgames_cli.session.agent_runner import ActRequest, ActResult, AgentRunner
from boardgames_cli.session.seats import SeatHolder, seat_people
from boardgames_cli.session.session import undo
from boardgames_cli.storage.journal import Journal

AGENT_SECONDS: Final = 1.0
"""The thinking time of an agent, and in games with secrets the time after which its answer is
played: how long it thought must not tell its cards."""

_FORCED_SECONDS: Final = 0.05
"""The pause before a person's only possible action is taken, so that people can follow."""

Think = Callable[[ActRequest, Callable[[ActResult], None]], None]
"""Runs a request elsewhere, and calls back with the result in the event loop's thread."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended."""

    reason: str
    """``over``, ``cut short``, ``resigned``, ``clock``, ``claimed`` or ``draw``."""
    loser: Seat | None = None
    """The seat that lost by giving up, by its clock, or by staying away."""


@dataclass(frozen=True, slots=True)
class GameEvents:
    """What the owner of a game is told."""

    stepped: Callable[[], None]
    """A step was taken and saved."""
    changed: Callable[[], None]
    """Somebody has chosen, but the step is not complete."""
    ended: Callable[[Ending], None]
    """The game has ended."""
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
        self.edition = 0
        """Increased by every undo: what clients know of the history is then void."""
        self._tick = tick
        self._loop = loop
        self._think = think
        self._events = events
        self._runner = AgentRunner(match, holders, Budget(AGENT_SECONDS), self.remark)
        self._requests: dict[Seat, ActRequest] = {}
        self._timers: list[asyncio.TimerHandle] = []
        self._ticker: asyncio.TimerHandle | None = None

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people play now."""
        return tuple(seat for seat, holder in enumerate(self.holders) if holder.is_human)

    @property
    def has_secrets(self) -> bool:
        """Whether seats know different things."""
        return Traits.HIDDEN in self.match.game.traits

    # -- what seats do ---------------------------------------------------------------------

    def act(self, seat: Seat, message: Act, lag: float = 0.0) -> None:
        """Take a person's action; when this returns, it is saved or waits for others to choose.

        Args:
            seat: The seat.
            message: The action.
            lag: How long the seat's line takes both ways.

        Raises:
            IllegalActionError: It is refused, and nothing has changed.
            StorageError: It can't be saved, and nothing has changed.
        """
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
        self._submit(seat, action, lag)

    def undo(self, seat: Seat) -> None:
        """Go back to the last decision of a seat.

        Raises:
            IllegalActionError: There is none, or it would hide what was shown.
        """
        undo(self.match, [seat])
        self.edition += 1
        self._requests.clear()
        self._runner.forget()
        self.journal.rewrite(self.match)
        self._events.stepped()
        self.go_on()

    def sit_in(self, seat: Seat, holder: SeatHolder) -> None:
        """Let another holder play a seat from now on."""
        self.holders[seat] = holder
        self._requests.pop(seat, None)
        self._runner.forget()
        self.go_on()

    def remark(self, text: str) -> None:
        """Note something in the save."""
        self.journal.note(self.match, text)
        self._events.remarked(text)

    def end(self, ending: Ending) -> None:
        """End the game."""
        if self.ending is None:
            self.ending = ending
            self.pause()
            self._events.ended(ending)

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

    # -- going on --------------------------------------------------------------------------

    def go_on(self) -> None:
        """Let chance and agents act until a person must, and set the timers."""
        self._cancel()
        match = self.match
        while match.waiting_for == (CHANCE,):
            match.resolve_chance()
            self._save()
            self._events.stepped()
        waiting = match.waiting_for
        if not waiting:
            self.end(Ending("cut short" if match.truncated else "over"))
            return
        self.clock.run([seat for seat in waiting if seat in self.people], self._loop.time())
        for seat in waiting:
            if not self.holders[seat].is_human:
                self._ask(seat)
            elif len(waiting) == 1 and len(match.observe(seat).legal) == 1:
                self._later(_FORCED_SECONDS, partial(self._force, seat))
        left, seat = self.clock.next_flag(self._loop.time())
        if left < math.inf:
            self._later(left, lambda: self._flag(seat))
        if self._tick is not None and self._ticker is None:
            self._ticker = self._loop.call_later(self._tick, self._take_tick)

    def _submit(self, seat: Seat, action: Any, lag: float = 0.0) -> None:
        match, before = self.match, self.match.ply
        match.submit(seat, action)
        if match.ply == before:
            self.clock.run(self._acting, self._loop.time(), lag)
            self._events.changed()
            return
        self._save()
        self.clock.run(self._acting, self._loop.time(), lag)
        self._events.stepped()
        self.go_on()

    @property
    def _acting(self) -> Collection[Seat]:
        return [seat for seat in self.match.waiting_for if seat in self.people]

    def _save(self) -> None:
        """Save the last step, or take it back.

        Raises:
            StorageError: It can't be saved.
        """
        try:
            self.journal.record(self.match)
        except Exception:
            self.match.undo()
            raise

    def _force(self, seat: Seat) -> None:
        legal = self.match.observe(seat).legal
        if len(legal) == 1:
            self._submit(seat, legal[0])

    def _flag(self, seat: Seat) -> None:
        if not self.match.is_over and seat in self.match.waiting_for:
            self.end(Ending("clock", seat))

    def _take_tick(self) -> None:
        """Take the joint step in real time: who has not chosen takes the default action."""
        self._ticker = None
        match = self.match
        for seat in match.waiting_for:
            action = match.game.default_action(match.state, seat)
            assert action is not None, "only games with a default action have ticks"
            match.submit(seat, action)
        self._requests.clear()
        self._save()
        self._events.stepped()
        self.go_on()

    # -- agents ----------------------------------------------------------------------------

    def _ask(self, seat: Seat) -> None:
        if seat in self._requests:
            return
        if self._runner.is_away(seat):
            self._submit(seat, self._runner.action_of_absent(seat))
            return
        request = self._requests[seat] = self._runner.request(seat)
        asked = self._loop.time()
        limit = AGENT_SECONDS + request.grace

        def give_up() -> None:
            if self._requests.pop(seat, None) is request:
                self._submit(seat, self._runner.give_up(request))

        late = self._loop.call_later(limit, self._if_late, request, give_up)
        self._think(request, lambda result: self._answered(result, asked, late))

    def _if_late(self, request: ActRequest, give_up: Callable[[], None]) -> None:
        if self._requests.get(request.seat) is not request:
            return
        if request.is_late:
            give_up()
        else:  # it is still getting ready
            self._loop.call_later(AGENT_SECONDS, self._if_late, request, give_up)

    def _answered(self, result: ActResult, asked: float, late: asyncio.TimerHandle) -> None:
        late.cancel()
        wait = asked + AGENT_SECONDS - self._loop.time() if self.has_secrets else 0.0
        if self._tick is not None:
            wait = 0.0
        self._loop.call_later(max(0.0, wait), self._play, result)

    def _play(self, result: ActResult) -> None:
        seat = result.request.seat
        is_wanted = self._requests.get(seat) is result.request and self.ending is None
        if not is_wanted:
            return
        del self._requests[seat]
        if seat in self.match.waiting_for:
            self._submit(seat, self._runner.action_of(result))

    # -- time ------------------------------------------------------------------------------

    def _later(self, seconds: float, call: Callable[[], None]) -> None:
        self._timers.append(self._loop.call_later(max(0.0, seconds), call))

    def _cancel(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()


def holders_of(match: AnyMatch, specs: Collection[str]) -> list[SeatHolder]:
    """The holders of all seats of a match on the server."""
    return list(seat_people(match.game, tuple(specs), match.seed, AGENT_SECONDS))
