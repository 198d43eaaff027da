"""Tables of the server for browsers: two visitors and somebody with `join` at one table."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from boardgames_cli.online.client.arrival import Arrival, list_tables
from boardgames_cli.online.codes import read_address
from boardgames_cli.online.messages import Join, ListedTable
from tests.web.test_server import Connection, Guest, serving

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.second_try("waits for a server and its clients"),
]


async def friend_screen(guest: Guest) -> Connection:
    """A visitor who plays with a friend."""
    token, _ = guest.sit_down()
    connection = await guest.connect(token)
    await connection.wait_for(rb"Kuhn")
    await connection.send("stdin", "f")
    await connection.wait_for(rb"Tables here")
    return connection


async def listed(guest: Guest, holds: str) -> ListedTable:
    """Wait until the server lists a table with some words."""
    for _ in range(600):  # a minute at least
        for table in await asyncio.to_thread(list_tables, read_address(guest.address)):
            if holds in table.label:
                return table
        await asyncio.sleep(0.1)
    raise AssertionError(f"no table has {holds}")


async def test_two_visitors_and_a_terminal_meet_at_one_table(tmp_path: Path) -> None:
    async with serving(tmp_path, "kuhn", "deepsea") as guest:
        ann = await friend_screen(guest)
        await ann.send("stdin", "Ann\r")
        table = await listed(guest, "Ann v open")
        await ann.wait_for(table.code.encode())

        # A visitor picks it from the list, which comes after the fields.
        ben = await friend_screen(guest)
        await ben.wait_for(rb"join: kuhn, Ann v open")
        await ben.send("stdin", "Ben" + 5 * "\x1b[B" + "\x1b[H\r")
        await ann.wait_for(rb"Ben")

        # Somebody in a terminal joins the next one by its code.
        cid = await friend_screen(guest)
        await cid.send("stdin", "Cid\r")
        other = await listed(guest, "Cid v open")
        address = read_address(f"{guest.address}/{other.code}")
        dan = await asyncio.to_thread(Arrival, address, Join(other.code, "Dan"))
        await cid.wait_for(rb"Dan")
        dan.close()
