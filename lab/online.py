"""How much one server of tables carries: answers, memory, bytes, kills, slow lines.

    python lab/online.py --tables 1000 --kills 20 --connections 5000

Two bots sit at every table and play whole games of Kuhn poker; the server is one process on a core
of its own, the bots are in others. The time of an answer is that from an action to its own
observation at the client. A game is checked: every step arrives once and in order, and both sides
get the same record. Each part has a server of its own: tables stand idle, bots play, idle
connections are held, Pommerman is played in real time behind a proxy with 150 ms delay both ways,
where 5 % of all packets are sent again, and the server is killed while bots play. A part that fails
says so, and the others are measured all the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import re
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Barrier
from typing import Any

import aiohttp
from arguments import Parser, run_main

from boardgames_cli.online.server.lobby import OnlineSettings
from boardgames_cli.online.server.table_server import OnlineServer, raise_file_limit

SERVE = "--serve-in"
DELAY_SECONDS = 0.15
LOSS = 0.05
RETRANSMISSION_SECONDS = 0.2
TICK_SECONDS = 0.5
HANDS = 5
PARTS = ("idle", "play", "connections", "line", "kills")
SITTING_SECONDS = 120.0
"""The time in which all bots must have sat down."""


async def serve(folder: Path, port: int) -> None:
    """Serve tables until the process is killed."""
    limits = ("tables", "tables_an_address", "connections", "connections_an_address")
    many: dict[str, Any] = dict.fromkeys(limits, 100_000)
    settings = OnlineSettings(folder, port=port, **many)
    print(await OnlineServer(settings).start(), flush=True)
    await asyncio.Event().wait()


class Process:
    """A server in a process of its own.

    Args:
        folder: Where it keeps its tables.
        core: The number of the core that is its own; -1 for any.
    """

    def __init__(self, folder: Path, core: int) -> None:
        self.folder = folder
        self.core = core
        self.port = 0
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it, or start it again at the same port."""
        words = [sys.executable, __file__, SERVE, str(self.core), str(self.folder), str(self.port)]
        self._process = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
        assert self._process.stdout is not None
        self.port = int(await self._process.stdout.readline())

    async def kill(self) -> None:
        """Kill it without warning."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        await self._process.wait()

    @property
    def memory(self) -> int:
        """Its resident memory in bytes."""
        assert self._process is not None
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(found[1]) * 1024 if found else 0

    @property
    def seconds(self) -> float:
        """The processor time it has used."""
        assert self._process is not None
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Bot:
    """A seat that acts at random, and comes back when the server was killed."""

    http: aiohttp.ClientSession
    port: int
    think: float
    """The mean time in seconds before it acts."""
    rng: random.Random
    first: dict[str, Any] = field(default_factory=dict)
    answers: list[float] = field(default_factory=list)
    """The times of answers in seconds."""
    steps: list[Any] = field(default_factory=list)
    lost: int = 0
    """Steps that were known and came back otherwise, or that came out of order."""
    returns: int = 0
    bytes: int = 0
    record: str = ""
    code: asyncio.Future[str] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    gate: asyncio.Event | None = None
    """Set when it may act; None lets it act at once."""
    _seat: dict[str, Any] = field(default_factory=dict)
    _known: list[Any] = field(default_factory=list)
    _sent: float = 0.0
    _socket: aiohttp.ClientWebSocketResponse | None = None

    def kill(self) -> None:
        """Cut the connection off as the system does when a client is killed."""
        if self._socket is not None:
            self._socket._response.close()

    async def play(self) -> None:
        """Play until the game is over."""
        while not self.record:
            with contextlib.suppress(aiohttp.ClientError, ConnectionError):
                await self._talk()
            if not self.record:
                self.returns += 1
                await asyncio.sleep(0.1)

    async def _talk(self) -> None:
        url = f"http://127.0.0.1:{self.port}/table"
        async with self.http.ws_connect(url, max_msg_size=0) as socket:
            await socket.send_json({"type": "return", **self._seat} if self._seat else self.first)
            self._sent, self._socket = 0.0, socket
            async for frame in socket:
                self.bytes += len(frame.data)
                message = json.loads(frame.data)
                await self._hear(socket, message)
                if message["type"] == "over":
                    self.record = message["record"]
                    return

    async def _hear(self, socket: aiohttp.ClientWebSocketResponse, message: Any) -> None:
        match message["type"]:
            case "welcome":
                self._seat = {"table": message["table"], "token": message["token"]}
                if not self.code.done():
                    self.code.set_result(message["code"])
            case "hello":
                self._known, self.steps = self.steps, []
            case "observe":
                self._observe(message)
                if message["legal"]:
                    if self.gate is not None:
                        await self.gate.wait()
                    await asyncio.sleep(self.rng.uniform(0.0, 2 * self.think))
                    action = self.rng.choice(message["legal"])
                    self._sent = time.perf_counter()
                    text = {"type": "action", "action": action, "ply": message["ply"]}
                    await socket.send_json(text)

    def _observe(self, message: Any) -> None:
        self.begun.set()
        if self._sent:
            self.answers.append(time.perf_counter() - self._sent)
            self._sent = 0.0
        ply = message["ply"]
        if ply != len(self.steps):
            self.lost += 1
        self.steps.append(message["step"])
        if ply < len(self._known) and self._known[ply] != message["step"]:
            self.lost += 1


async def tables(
    http: aiohttp.ClientSession, port: int, count: int, think: float, **opening: Any
) -> list[Bot]:
    """Bots at new tables; the first of each two opens it, the other joins."""
    bots = []
    for number in range(count):
        rng = random.Random(number)
        ann, ben = (Bot(http, port, think, random.Random(rng.random())) for _ in range(2))
        ann.first = {"type": "open", "game": "kuhn", "options": {"hands": HANDS},
                     "seats": ["human:Ann", "open"], **opening}  # fmt: skip
        bots += [ann, ben]
    return bots


async def play(bots: list[Bot], *more: Awaitable[object]) -> float:
    """Play all games; the seconds that it took."""
    start = time.perf_counter()
    tasks = []
    for ann, ben in zip(bots[::2], bots[1::2], strict=True):
        tasks.append(asyncio.create_task(ann.play()))
        ben.first = {"type": "join", "code": await ann.code, "name": "Ben"}
        tasks.append(asyncio.create_task(ben.play()))
    await asyncio.gather(*tasks, *more)
    return time.perf_counter() - start


@dataclass(frozen=True)
class Told:
    """What was lost, and how long answers took."""

    games: int = 0
    lost: int = 0
    answers: tuple[float, ...] = ()
    """In milliseconds."""

    @classmethod
    def of(cls, bots: list[Bot]) -> Told:
        """What bots saw, two at each table."""
        pairs = list(zip(bots[::2], bots[1::2], strict=True))
        lost = sum(bot.lost for bot in bots) + sum(a.record != b.record for a, b in pairs)
        return cls(len(pairs), lost, tuple(1000 * one for bot in bots for one in bot.answers))

    def __add__(self, other: Told) -> Told:
        return Told(self.games + other.games, self.lost + other.lost, self.answers + other.answers)

    def __str__(self) -> str:
        answers = sorted(self.answers)
        median, most = (answers[int(share * len(answers))] for share in (0.5, 0.99))
        return (
            f"{self.games} games, {len(answers)} actions, {self.lost} lost; answers: median "
            f"{median:.1f} ms, 99 % within {most:.1f} ms"
        )


@dataclass(frozen=True)
class Share:
    """What the bots of one process saw."""

    told: Told
    seconds: float
    bytes: int
    pauses: list[float]
    """By how many milliseconds the process itself woke up late."""


async def play_share(port: int, count: int, think: float, all_sit: Barrier) -> Share:
    """Bots at many tables at once, who begin when all of them sit, in other processes too."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
        bots = await tables(http, port, count, think)
        gate, pauses = asyncio.Event(), list[float]()
        for bot in bots:
            bot.gate = gate
        start = 0.0

        async def begin() -> None:
            nonlocal start
            for bot in bots:
                await bot.begun.wait()
            await asyncio.to_thread(all_sit.wait)
            start = time.perf_counter()
            gate.set()
            while not all(bot.record for bot in bots):
                due = time.perf_counter() + 0.01
                await asyncio.sleep(0.01)
                pauses.append((time.perf_counter() - due) * 1000)

        await play(bots, begin())
        seconds = time.perf_counter() - start
        return Share(Told.of(bots), seconds, sum(bot.bytes for bot in bots), pauses)


def play_elsewhere(port: int, count: int, think: float, all_sit: Barrier) -> Share:
    """Be one of the processes with bots."""
    return asyncio.run(play_share(port, count, think, all_sit))


async def measure_play(process: Process, words: Any) -> None:
    """Bots in several processes, at all tables at once."""
    context, count = multiprocessing.get_context("spawn"), words.processes
    shares = [words.tables // count + (number < words.tables % count) for number in range(count)]
    with context.Manager() as manager, ProcessPoolExecutor(count, context) as pool:
        all_sit = manager.Barrier(count + 1, timeout=SITTING_SECONDS)
        loop = asyncio.get_running_loop()
        playing = [
            loop.run_in_executor(pool, play_elsewhere, process.port, share, words.think, all_sit)
            for share in shares
        ]
        await asyncio.to_thread(all_sit.wait)
        busy = process.seconds
        seen = await asyncio.gather(*playing)
        busy = process.seconds - busy
    told, seconds = sum((one.told for one in seen), Told()), max(one.seconds for one in seen)
    actions = len(told.answers)
    pauses = sorted(pause for one in seen for pause in one.pauses)
    print(f"play: {told} (the bots' own processes: {pauses[int(0.99 * len(pauses))]:.1f} ms)")
    print(
        f"  {actions / seconds:.0f} actions/s, {busy / seconds:.0%} of a core, "
        f"{busy / actions * 1000:.2f} ms of it an action, "
        f"{sum(one.bytes for one in seen) / told.games / 2:.0f} bytes to each seat a game"
    )


async def measure_idle(process: Process, http: aiohttp.ClientSession, count: int) -> None:
    """What tables cost at which nothing happens, after their clients have gone."""
    before = process.memory
    bots = await tables(http, process.port, count, think=1e6)
    tasks = []
    for ann, ben in zip(bots[::2], bots[1::2], strict=True):
        tasks.append(asyncio.create_task(ann.play()))
        ben.first = {"type": "join", "code": await ann.code, "name": "Ben"}
        tasks.append(asyncio.create_task(ben.play()))
        await ben.begun.wait()
    with_clients = process.memory
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(1.0)
    for what, memory in (("with two clients", with_clients), ("deserted", process.memory)):
        print(f"idle, {what}: {(memory - before) / 1000 / count:.0f} kB a table")


async def measure_kills(process: Process, http: aiohttp.ClientSession, kills: int) -> None:
    """The server, or one of its clients, is killed again and again while bots play."""
    count = 10
    bots = await tables(http, process.port, count, 0.05)
    for ann in bots[::2]:
        ann.first["options"] = {"hands": 5 * kills}
    rng = random.Random(1)
    done = {"server": 0, "client": 0}

    async def kill() -> None:
        for _ in range(kills):
            await asyncio.sleep(rng.uniform(0.2, 1.0))
            playing = [bot for bot in bots if not bot.record]
            if not playing:
                return
            whom = rng.choice([*done])
            done[whom] += 1
            if whom == "client":
                rng.choice(playing).kill()
            else:
                await process.kill()
                await process.start()

    await play(bots, kill())
    kinds = " and ".join(f"{number} of a {whom}" for whom, number in done.items())
    print(f"kills, {kinds}: {Told.of(bots)}, {sum(b.returns for b in bots)} returns")


async def measure_connections(process: Process, http: aiohttp.ClientSession, count: int) -> None:
    """A game while many connections that say nothing are held."""
    url = f"http://127.0.0.1:{process.port}/table"
    before, held = process.memory, []
    for first in range(0, count, 100):
        some = range(first, min(count, first + 100))
        held += await asyncio.gather(*(http.ws_connect(url) for _ in some))
    memory = (process.memory - before) / 1000 / count
    bots = await tables(http, process.port, 1, 0.0)
    await play(bots)
    print(f"{count} idle connections of {memory:.0f} kB each: {Told.of(bots)}")
    await asyncio.gather(*(socket.close() for socket in held), return_exceptions=True)


@contextlib.asynccontextmanager
async def slow_line(port: int, rng: random.Random) -> AsyncIterator[int]:
    """A proxy that delays what it passes on, and as TCP does sends some of it again."""

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        due: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def write() -> None:
            while True:
                at, data = await due.get()
                await asyncio.sleep(at - time.perf_counter())
                writer.write(data)

        writing = asyncio.create_task(write())
        while data := await reader.read(1 << 16):
            again = RETRANSMISSION_SECONDS if rng.random() < LOSS else 0.0
            due.put_nowait((time.perf_counter() + DELAY_SECONDS + again, data))
        writing.cancel()
        writer.close()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pass_on(reader, back), pass_on(there, writer), return_exceptions=True)

    server = await asyncio.start_server(connect, "127.0.0.1")
    async with server:
        yield server.sockets[0].getsockname()[1]


async def measure_slow_line(process: Process, http: aiohttp.ClientSession, steps: int) -> None:
    """Real time behind the proxy: whether the tick is kept, and whether actions count in time."""
    async with slow_line(process.port, random.Random(5)) as port:
        opening = {"game": "pommerman", "options": {"mode": "duel"}, "tick": str(TICK_SECONDS)}
        bots = await tables(http, port, 1, 0.0, **opening)
        tasks = [asyncio.create_task(bots[0].play())]
        bots[1].first = {"type": "join", "code": await bots[0].code, "name": "Ben"}
        tasks.append(asyncio.create_task(bots[1].play()))
        start = time.perf_counter()
        while len(bots[0].steps) < steps and not bots[0].record:
            await asyncio.sleep(0.05)
        taken, seconds = len(bots[0].steps), time.perf_counter() - start
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    late = [answer for bot in bots for answer in bot.answers]
    print(
        f"real time, {DELAY_SECONDS * 1000:.0f} ms each way: {taken} steps, one in "
        f"{seconds / max(1, taken):.2f} s (tick {TICK_SECONDS} s); an action was seen after "
        f"{statistics.median(late) if late else 0.0:.2f} s"
    )


async def measure(part: str, words: Any, core: int) -> None:
    """Measure one part with a server of its own."""
    connector = aiohttp.TCPConnector(limit=0)
    with tempfile.TemporaryDirectory() as folder:
        process = Process(Path(folder), core)
        await process.start()
        try:
            async with aiohttp.ClientSession(connector=connector) as http:
                match part:
                    case "idle":
                        await measure_idle(process, http, words.tables)
                    case "play":
                        await measure_play(process, words)
                    case "connections":
                        await measure_connections(process, http, words.connections)
                    case "line":
                        await measure_slow_line(process, http, words.steps)
                    case "kills":
                        await measure_kills(process, http, words.kills)
        finally:
            with contextlib.suppress(ProcessLookupError):
                await process.kill()


def main() -> None:
    """Print the measurements."""
    parser = Parser(__doc__)
    parser.add_count("--tables", 1000, "tables with two bots each")
    parser.add_count("--processes", 3, "processes with bots")
    parser.add_seconds("--think", 2.0, "mean time before a bot acts")
    parser.add_count("--connections", 5000, "idle connections")
    parser.add_count("--steps", 40, "steps in real time behind the slow line")
    parser.add_count("--kills", 20, "kills of the server or a client")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="default all")
    words = parser.parse_args()
    raise_file_limit()
    first, *others = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else [-1]
    if others:
        os.sched_setaffinity(0, others)
    code = 0
    for part in words.parts:
        try:
            asyncio.run(measure(part, words, first if others else -1))
        except Exception as error:
            print(f"{part}: failed with {error!r}")
            code = 1
        sys.stdout.flush()
    raise SystemExit(code)


if __name__ == "__main__":
    if SERVE in sys.argv:
        if (core := int(sys.argv[-3])) >= 0:
            os.sched_setaffinity(0, {core})
        asyncio.run(serve(Path(sys.argv[-2]), int(sys.argv[-1])))
    run_main(main)
