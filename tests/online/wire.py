"""Clients that speak the protocol by hand and keep every byte, in the event loop of the server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import aiohttp
import jsonschema
import pytest

from boardgames_cli.online import fair_dice
from boardgames_cli.online.server.lobby import OnlineSettings
from boardgames_cli.online.server.table_server import OnlineServer

PATIENCE_SECONDS = 60.0


def _validator(name: str) -> jsonschema.Draft202012Validator:
    folder = resources.files("boardgames_cli.agents.remote") / "schemas"
    schema = json.loads((folder / f"{name}-client.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


TO_CLIENT, FROM_CLIENT = _validator("to"), _validator("from")
"""All messages of these tests fit the schemas of the protocol."""


@dataclass
class Wire:
    """A client without any rules."""

    socket: aiohttp.ClientWebSocketResponse
    texts: list[str] = field(default_factory=list)

    async def send(self, kind: str, **fields: Any) -> None:
        FROM_CLIENT.validate({"type": kind, **fields})
        await self.socket.send_str(json.dumps({"type": kind, **fields}))

    async def hear(self) -> dict[str, Any]:
        text = await self.socket.receive_str()
        message: dict[str, Any] = json.loads(text)
        TO_CLIENT.validate(message)
        self.texts.append(text)
        return message

    async def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Read until a message of a type, with some fields if they are named."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                message = await self.hear()
                if message["type"] == kind and fields.items() <= message.items():
                    return message

    async def catch_up(self) -> list[dict[str, Any]]:
        """Read all that the server has sent until now."""
        known = len(self.texts)
        await self.send("tables")
        await self.until("tables")
        return [json.loads(text) for text in self.texts[known:-1]]

    async def ask(self, kind: str, **fields: Any) -> str:
        """Send what is refused, and return why."""
        await self.send(kind, **fields)
        refused: str = (await self.until("refused"))["message"]
        return refused


def seat_of(wire: Wire) -> dict[str, Any]:
    """How a client comes back to its seat."""
    welcome = json.loads(next(text for text in wire.texts if '"welcome"' in text))
    return {"table": welcome["table"], "token": welcome["token"]}


@dataclass
class Room:
    """A server, and the means to reach it."""

    server: OnlineServer
    port: int
    http: aiohttp.ClientSession

    async def connect(self, **options: Any) -> Wire:
        address = f"http://127.0.0.1:{self.port}/table"
        return Wire(await self.http.ws_connect(address, max_msg_size=0, **options))

    async def two_at(self, game: str, **fields: Any) -> tuple[Wire, Wire]:
        """Two clients at a new table, and all that they were told."""
        ann, ben = await self.connect(), await self.connect()
        fields = {"seats": ["human:Ann", "open"], **fields}
        await ann.send("open", game=game, **fields)
        code = (await ann.until("welcome"))["code"]
        await ben.send("join", code=code, name="Ben")
        await ben.until("hello")
        await ben.catch_up()
        await ann.catch_up()
        return ann, ben


@contextlib.asynccontextmanager
async def room(folder: Path, **settings: Any) -> AsyncIterator[Room]:
    """A server whose files are in a folder."""
    server = OnlineServer(OnlineSettings(folder, **settings))
    port = await server.start()
    try:
        unlimited = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=unlimited) as http:
            yield Room(server, port, http)
    finally:
        await server.stop()


def draw_alike(
    patch: pytest.MonkeyPatch, rng: Callable[[], random.Random], seed: Callable[[], int]
) -> None:
    """Let all that is drawn for tables come from a generator, and cards and dice from a seed.

    The functions of `secrets` that are not named here draw from these.
    """
    patch.setattr(secrets, "token_bytes", lambda count: rng().randbytes(count))
    patch.setattr(secrets, "randbits", lambda bits: rng().getrandbits(bits))
    patch.setattr(secrets, "choice", lambda letters: rng().choice(letters))
    patch.setattr(fair_dice.FairDice, "seed", property(lambda _: seed()))


async def holds(condition: Callable[[], bool]) -> None:
    for _ in range(int(PATIENCE_SECONDS / 0.02)):
        if condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it does not come true")
