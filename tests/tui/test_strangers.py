"""An agent of another package at the screen: whatever it does, keys work and the game goes on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from boardgames_cli import registry
from boardgames_cli.session import driven_match
from boardgames_cli.session.session import Event
from tests.processes import is_alive, wait_until
from tests.session.test_strangers import pid_of
from tests.strangers import installed
from tests.tui.tables import at_table, says, table, until


@pytest.fixture(autouse=True)
def strangers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(driven_match, "GRACE_SECONDS", 0.1)
    monkeypatch.delitem(registry.BUILT_IN_GAMES, "race")  # here the game is a plug-in's as well
    with installed("guest", "odd"):
        yield


async def test_keys_work_while_it_holds_its_interpreter_and_leaving_ends_it() -> None:
    session = table("race", ("human", "odd:way=hog"), think_seconds=600.0)
    async with at_table(session) as (pilot, app, screen):
        ply = session.match.ply
        await pilot.press("1")
        await until(pilot, lambda: screen.loop.event is Event.AGENT)
        await until(pilot, lambda: "is thinking" in says(app, "#prompt"))
        await pilot.press("u")
        await until(pilot, lambda: session.match.ply == ply)
        pid = pid_of(session.holders[1].agent)
    wait_until(lambda: not is_alive(pid))
