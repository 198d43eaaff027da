"""Non-interference on the wire: what a seat may not know changes no byte that reaches its client.

See `tests.secrecy` for the twins. Everybody at the table also talks, offers, lies and asks again.
"""

from __future__ import annotations

import asyncio
import functools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from boardgames_cli import make
from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.clock import Clock, TimeControl
from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.online.messages import Open
from boardgames_cli.online.server import online_table, served_game
from boardgames_cli.online.server.served_game import ServedGame
from boardgames_cli.session.driven_match import ActRequest, ActResult
from boardgames_cli.session.seats import SeatHolder
from boardgames_cli.storage.store import new_header
from tests.online.wire import Room, Wire, draw_alike, room
from tests.plugins import forget
from tests.secrecy import Twin, fogged_twins, kuhn_twins, seat_odd_agents, the_same_for
from tests.toys import Cards, Peek, Race

TEAM = fogged_twins(0, 3)
FAILING = ("confessing", "confessing")
PAIRS: dict[str, tuple[tuple[Twin, Twin], int | None, int, tuple[str, ...]]] = {
    "kuhn": (kuhn_twins(0, 6), 0, 6, ()),
    "kuhn in public": (kuhn_twins(None, 3), None, 3, ()),
    "team": (TEAM, 0, 3, ()),
    "agents that fail": (TEAM, 0, 3, FAILING),
    "radio": (fogged_twins(0, 3, "radio"), 0, 3, ()),
}
"""The twins, who reads (None: a spectator), for how many plies they are alike, and the agents."""


def act_alike(monkeypatch: pytest.MonkeyPatch, twin: Twin) -> None:
    """Make everything that is drawn for the table the same for both twins, but the game itself."""
    rng = random.Random(1)
    draw_alike(monkeypatch, lambda: rng, lambda: twin.seed)
    game: Any = make(twin.game, **twin.named_options())
    start = None if twin.position is None else game.from_json(twin.position)
    monkeypatch.setattr(online_table, "Match", functools.partial(Match, start=start))


def read_by(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    twin: Twin,
    reader: int | None,
    plies: int,
    agents: tuple[str, ...],
) -> str:
    """All that a client got of a game."""

    async def play() -> str:
        with monkeypatch.context() as patch:
            act_alike(patch, twin)
            async with room(folder / str(twin.seed) / str(hash(str(twin)))) as opened:
                clients, viewer = await sit_down(opened, twin, agents)
                await play_plies(clients, viewer, plies)
                wire = viewer if reader is None else clients[reader]
                return "\n".join(wire.texts)

    return asyncio.run(play())


async def sit_down(opened: Room, twin: Twin, agents: tuple[str, ...]) -> tuple[list[Wire], Wire]:
    """People on all seats but the last ones, which agents have, and a spectator."""
    options: dict[str, Any] = {**twin.named_options()}
    people = make(twin.game, **options).seats - len(agents)
    opening = Open(twin.game, options, ("open",) * people + agents)
    table = opened.server.lobby.open(None, opening, "the owner")
    viewer = await opened.connect()
    await viewer.send("watch", code=table.settings.watch_code)
    await viewer.catch_up()
    clients: list[Wire] = []
    for name in ("Ann", "Ben", "Cleo", "Dan")[:people]:
        clients.append(await opened.connect())
        await clients[-1].send("join", code=table.settings.code, name=name)
        for wire in [*clients, viewer]:
            await wire.catch_up()
    return clients, viewer


async def play_plies(clients: list[Wire], viewer: Wire, plies: int) -> None:
    """Take first actions until a ply, and lie, talk and offer all the time."""
    everybody = [*clients, viewer]
    while last_seen(viewer)["ply"] < plies:
        for wire in everybody:
            await wire.send("say", text="Well.")
            await wire.ask("action", action="bet", ply=99)
            await wire.ask("action", id=10**6)
            await wire.ask("action", action="bet", edition=1)
            await wire.ask("return", table="a table", token="token0")
            await wire.ask("offer", what="claim")
            await catch_up(everybody)
        ply = last_seen(viewer)["ply"]
        for wire in clients:
            legal = last_seen(wire)["legal"]
            if legal:
                await wire.send("action", action=legal[0], ply=ply)
                await catch_up(everybody)
        if last_seen(viewer)["ply"] == ply:  # agents are waited for
            await viewer.until("observe")
            await catch_up(everybody)
        await clients[0].send("offer", what="undo")
        await catch_up(everybody)
        if len(clients) > 1:
            await clients[1].send("answer", agrees=False)
            await catch_up(everybody)


async def catch_up(wires: list[Wire]) -> None:
    for wire in wires:
        await wire.catch_up()


def last_seen(wire: Wire) -> dict[str, Any]:
    """The last observation that a client got."""
    seen: dict[str, Any] = next(
        message
        for text in reversed(wire.texts)
        if (message := json.loads(text))["type"] == "observe"
    )
    return seen


@pytest.mark.parametrize("pair", PAIRS)
def test_twins_send_the_same_bytes(
    pair: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twins, reader, plies, agents = PAIRS[pair]
    seat_odd_agents(monkeypatch)
    text = the_same_for(
        twins, lambda twin: read_by(monkeypatch, tmp_path, twin, reader, plies, agents)
    )
    forget()
    kinds = {json.loads(line)["type"] for line in text.splitlines()}
    assert kinds >= {"welcome", "hello", "observe", "table", "said", "refused"}
    assert ("remark" in kinds) == ("fail" in pair)
    assert "I know" not in text


async def test_who_lies_is_refused(tmp_path: Path) -> None:
    async with room(tmp_path) as opened:
        ann, ben = await opened.two_at("tapnswap")
        seen = last_seen(ben)
        token = json.loads(ben.texts[0])["token"]
        action = seen["legal"][0] if seen["legal"] else last_seen(ann)["legal"][0]
        assert "not your turn" in await ben.ask("action", action=action, ply=0)
        assert "ply 7" in await ann.ask("action", action=action, ply=7)
        assert "taken back" in await ann.ask("action", action=action, edition=1)
        assert "not legal" in await ann.ask("action", action="1-7", seat=1)
        assert "table already" in await ann.ask("return", table="x", token=token)
        table = json.loads(ann.texts[0])["table"]
        other, _ = await opened.two_at("tapnswap")
        eve = await opened.connect()
        theirs = json.loads(other.texts[0])["token"]
        assert "not yours" in await eve.ask("return", table=table, token=theirs)
        assert last_seen(ann)["ply"] == 0


async def test_spectators_and_strangers_get_no_code_for_seats(tmp_path: Path) -> None:
    async with room(tmp_path, may_open=False) as opened:
        opening = Open("kuhn", {}, ("open", "open"))
        table = opened.server.lobby.open(None, opening, "the owner")
        eve = await opened.connect()
        await eve.send("tables")
        listed = (await eve.until("tables"))["tables"]
        assert [(one["code"], one["watch"]) for one in listed] == [("", "")]
        assert "its owner only" in await eve.ask("open", game="kuhn")
        assert table.served is None
        await eve.send("watch", code=table.settings.watch_code)
        await eve.catch_up()
        assert table.settings.code not in "".join(eve.texts)


async def test_who_comes_later_gets_the_history_of_its_own_seat(tmp_path: Path) -> None:
    async with room(tmp_path) as opened:
        _, ben = await opened.two_at("kuhn")
        welcome = json.loads(ben.texts[0])
        mine = {"table": welcome["table"], "token": welcome["token"]}
        for kind, fields in (("watch", {"code": welcome["watch"]}), ("return", mine)):
            wire = await opened.connect()
            await wire.send(kind, **fields)
            heard = await wire.catch_up()
            cards = [one["position"]["cards"] for one in heard if one["type"] == "observe"]
            assert cards[-1][0] == "?"
            assert (cards[-1][1] == "?") == (kind == "watch")
            if kind == "watch":
                assert "only watching" in await wire.ask("action", id=0, ply=2)
                assert "only watching" in await wire.ask("resign")
                assert "only watching" in await wire.ask("offer", what="undo")


class Desk:
    """The event loop, the save and the thread of the agents of a game."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.answers: list[Callable[[], None]] = []

    def time(self) -> float:
        return 0.0

    def call_later(self, seconds: float, *_: Any) -> Desk:
        self.waits.append(seconds)
        return self

    def cancel(self) -> None:
        """Nothing runs."""

    def record(self, match: AnyMatch) -> None:
        """Nothing is kept."""

    def think(self, request: ActRequest, take: Callable[[ActResult], None]) -> None:
        self.answers.append(functools.partial(take, request.result()))


def serve(game: AnyGame, desk: Desk, agent: Any = None) -> ServedGame:
    holders = [SeatHolder("human" if agent is None else "random", "P", agent)] * game.seats
    clock = Clock(TimeControl(), [0.0] * game.seats)
    odd: Any = desk
    services = served_game.TableServices(odd, odd, desk.think)
    told: Any = Mock()
    served = ServedGame(Match(game, seed=1), odd, holders, clock, None, services, told)
    served.go_on()
    return served


@pytest.mark.parametrize(("game", "seconds"), [(Cards(), [1.25]), (Race(), [])])
def test_how_long_an_agent_thought_tells_no_card(game: AnyGame, seconds: list[float]) -> None:
    desk = Desk()
    served = serve(game, desk, RandomAgent())
    ply = served.match.ply
    desk.waits.clear()
    desk.answers.pop()()
    assert desk.waits[: len(seconds)] == seconds
    assert (served.match.ply == ply) == bool(seconds)


def test_what_an_undone_step_has_shown_to_the_others_stays_shown() -> None:
    served = serve(Peek(), Desk())
    served.match.submit(0, "high")
    with pytest.raises(IllegalActionError, match="can't be hidden again"):
        served.undo(0)
    assert served.match.ply == 2


def test_what_everybody_gets_at_the_end_names_no_command_of_this_machine() -> None:
    game, command = Cards(), "cmd:python secret.py"
    desk: Any = Desk()
    desk.header = new_header(game, seed=1, seats=(command, "random"))
    desk.data = lambda _: b"the header\nthe steps\n"
    served = serve(game, desk, RandomAgent())
    record = served.public_record()
    assert record.endswith("\nthe steps\n")
    assert "secret" not in record
    assert '"random"' in record
