"""How fast the screen is: from start to the first board, and from a key to its repaint.

Drives the installed program in a pseudo-terminal of 80x24, as a person would, and reads the screen
with a terminal emulator. Needs the extra ``dev``.

    python lab/screen.py --runs 7 --game senet
    python lab/screen.py --replay SAVE      from the end of a saved game, back and forth
"""

from __future__ import annotations

import os
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pexpect
import pyte
from arguments import Parser, run_main

from boardgames_cli.registry import game_ids

ROWS, COLUMNS = 24, 80
KEYS = ("\x1b[B", "\x1b[A")
"""Down and up: they move the highlight, and the board marks where the move goes."""

REPLAY_KEYS = ("[", "[", "]", "[")
"""Back and forth through a replay."""


class Screen:
    """The program in a terminal.

    Args:
        folder: Where its files go.
        *words: The command line.
        prefix: A command that runs it, such as a profiler.
        checkout: Whose program it is; None is the one that is installed.
    """

    def __init__(
        self,
        folder: Path,
        *words: str,
        prefix: Sequence[str] = (),
        checkout: Path | None = None,
    ) -> None:
        config = folder / "config.toml"
        # Somebody who has been here before: nothing is explained or offered over the board.
        config.write_text(f"is_introduced = true\nlessons = {game_ids()}\n")
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        environment |= {"BOARDGAMES_CONFIG": str(config), "XDG_DATA_HOME": str(folder / "data")}
        environment.pop("NO_COLOR", None)
        if checkout is not None:
            environment["PYTHONPATH"] = str(checkout)
        command = [*prefix, sys.executable, "-P", "-m", "boardgames_cli", *words]
        self._started = time.perf_counter()
        self._child = pexpect.spawn(
            command[0],
            command[1:],
            dimensions=(ROWS, COLUMNS),
            env=environment,
        )
        self._child.delaybeforesend = None  # 50 ms of politeness that would be measured
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)

    def wait(self, done: Callable[[pyte.Screen], bool], limit: float = 20.0) -> float:
        """Seconds since the start until the screen looks as wanted."""
        while time.perf_counter() - self._started < limit:
            try:
                self._stream.feed(self._child.read_nonblocking(65536, timeout=limit))
            except pexpect.EOF:
                break
            if done(self._screen):
                return time.perf_counter() - self._started
        raise SystemExit("the screen never looked as expected:\n" + "\n".join(self._screen.display))

    def press(self, key: str) -> float:
        """Seconds from a key until something on the screen has changed."""
        before = self._look()
        self._started = time.perf_counter()
        self._child.send(key)
        return self.wait(lambda _: self._look() != before)

    def settle(self, seconds: float = 0.3) -> None:
        """Read what is still coming, until nothing has come for so long."""
        while True:
            try:
                self._stream.feed(self._child.read_nonblocking(65536, timeout=seconds))
            except pexpect.TIMEOUT:
                return

    def close(self) -> None:
        """End the program."""
        self._child.close(force=True)

    def end(self) -> None:
        """Let the program end in its own way."""
        self._child.kill(signal.SIGTERM)
        self._child.read()
        self._child.close()

    def _look(self) -> list[list[tuple[str, str, str]]]:
        buffer = self._screen.buffer
        return [
            [(cell.data, cell.fg, cell.bg) for cell in (buffer[y][x] for x in range(COLUMNS))]
            for y in range(ROWS)
        ]


def main() -> None:
    """Measure and print."""
    parser = Parser(__doc__)
    parser.add_count("--runs", 7, "programs started")
    parser.add_argument("--game", default="senet", help="the game to play (default senet)")
    parser.add_argument("--replay", metavar="SAVE", help="a save to step through instead")
    chosen = parser.parse_args()
    used = REPLAY_KEYS if chosen.replay else KEYS
    firsts, keys = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(chosen.runs):
            if chosen.replay:
                screen = Screen(Path(folder), "replay", chosen.replay)
            else:
                words = ("--seed", "5", "--pace", "instant", "--save-dir", folder)
                screen = Screen(Path(folder), "play", chosen.game, *words)
            # The last line comes last: when it is there, the board is.
            firsts.append(screen.wait(lambda s: "? help" in s.display[-1]))
            screen.settle()
            if chosen.replay:
                screen.press("}")
                screen.settle()
            for key in used * 5:
                keys.append(screen.press(key))
                screen.settle()
            screen.close()
    for name, values in (("first painted board", firsts), ("key to repaint", keys)):
        low, middle, high = min(values), statistics.median(values), max(values)
        print(
            f"{name:<20} median {middle * 1000:6.0f} ms   "
            f"min {low * 1000:6.0f}   max {high * 1000:6.0f}   n={len(values)}"
        )


if __name__ == "__main__":
    run_main(main)
