"""What a key costs, in calls of our own functions and in the files that a reader would open."""

from __future__ import annotations

from tests.calls import counted
from tests.tui.tables import at_table, my_turn, table


async def test_a_key_that_plays_two_plies_takes_few_calls() -> None:
    session = table("senet", ("human", "human"), seed=3)
    async with at_table(session, size=(120, 40)) as (pilot, app, _):
        before, played = session.match.ply, 0
        while played != 2:
            with counted() as calls:
                await pilot.press("enter")
                await my_turn(pilot, app)
            played, before = session.match.ply - before, session.match.ply
    assert 100 < calls.total() < 3430
    assert 10 < len(calls.files) <= 30
