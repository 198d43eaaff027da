"""The sessions of a server, with limits on their number and idle time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boardgames_cli.core.errors import GameError
from boardgames_cli.web.served_session import (
    ELSEWHERE,
    IDLE,
    MADE_ROOM,
    STOPPED,
    ServedSession,
    Size,
)
from boardgames_cli.web.visitors import Visitor


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """The limits of a server."""

    most: int
    """The maximum number of concurrent sessions."""
    idle_seconds: float
    """The time after which an idle session ends."""
    most_an_address: int | None = None
    """The maximum number of concurrent sessions of one address; None for no such limit."""


class FullError(GameError):
    """The maximum number of sessions is reached, and all are in use."""


class Sessions:
    """The sessions by visitor; each visitor has at most one."""

    def __init__(self, limits: SessionLimits, words: Sequence[str]) -> None:
        self.limits = limits
        self.variables: Callable[[Visitor], Mapping[str, str]] = lambda _: {}
        """Further environment variables of a visitor's session."""
        self._words = tuple(words)
        self._sessions: dict[str, ServedSession] = {}
        self._watchers: set[asyncio.Task[None]] = set()
        self._opening = asyncio.Lock()
        self._is_closed = False

    @property
    def visitors(self) -> frozenset[str]:
        """The ids of all visitors who have a session."""
        return frozenset(self._sessions)

    def __len__(self) -> int:
        return len(self._sessions)

    def check_room(self, visitor: Visitor) -> None:
        """Check that a visitor could have a session now."""
        if visitor.id not in self._sessions:
            self._in_the_way(visitor)

    async def open(self, visitor: Visitor, size: Size) -> ServedSession:
        """The visitor's session, started if there is none.

        If there are too many, the session whose visitor has been away longest is ended.
        """
        async with self._opening:
            session = self._sessions.get(visitor.id)
            if session is not None and session.is_ending:
                await session.gone.wait()
            elif session is not None and not session.gone.is_set():
                if visitor.table in ("", session.visitor.table):
                    return session
                await session.end(ELSEWHERE)  # a link leads elsewhere
            await self._make_room(visitor)
            way = "--watch" if visitor.is_watching else "--table"
            linked = (way, visitor.table) if visitor.table else ()
            session = ServedSession(visitor, (*self._words, *linked), self.variables(visitor))
            await session.start(size)
            self._sessions[visitor.id] = session
            self._watch(self._end_when_idle(session))
            self._watch(self._forget(session))
            return session

    async def _make_room(self, visitor: Visitor) -> None:
        if self._is_closed:
            raise GameError(STOPPED)
        waiting = self._in_the_way(visitor)
        if waiting is not None:
            await waiting.end(MADE_ROOM)
            self._sessions.pop(waiting.visitor.id, None)

    def _in_the_way(self, visitor: Visitor) -> ServedSession | None:
        """The session that must end before a visitor's can start; None if there is room."""
        everybody = [*self._sessions.values()]
        near = [one for one in everybody if one.visitor.address == visitor.address != ""]
        most, most_near = self.limits.most, self.limits.most_an_address
        if most_near is not None and len(near) >= most_near:
            crowd, refusal = near, f"There are {most_near} games from your address already."
        elif len(everybody) >= most:
            crowd, refusal = everybody, f"All tables are taken ({most})."
        else:
            return None
        unwatched = [session for session in crowd if not session.is_watched]
        if not unwatched:
            raise FullError(refusal, "Try again in a while.")
        return min(unwatched, key=lambda session: session.last_input)

    async def _forget(self, session: ServedSession) -> None:
        await session.gone.wait()
        if self._sessions.get(session.visitor.id) is session:
            del self._sessions[session.visitor.id]

    async def _end_when_idle(self, session: ServedSession) -> None:
        loop = asyncio.get_running_loop()
        while not session.gone.is_set():
            left = session.last_input + self.limits.idle_seconds - loop.time()
            if left <= 0:
                await session.end(IDLE)
                return
            await asyncio.sleep(left)

    def _watch(self, watching: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(watching)
        self._watchers.add(task)
        task.add_done_callback(self._watchers.discard)

    async def close(self) -> None:
        """End all sessions; no new one is opened."""
        self._is_closed = True
        async with self._opening:  # sessions being opened must be closed, too
            pass
        await asyncio.gather(*(session.end(STOPPED) for session in [*self._sessions.values()]))
        for task in [*self._watchers]:
            task.cancel()

    def kill(self) -> None:
        """End all sessions without waiting for them."""
        for session in self._sessions.values():
            session.kill()
