"""How many instructions the screen takes: to the first board, and from a key to its repaint.

Counts them with valgrind, which must be installed: a busy machine changes times by far more than
any change of the program, but hardly the number of instructions. The board of Senet is drawn in a
pseudo-terminal of 80x24; the way to the first board is counted with the end of the program.

    python lab/instructions.py
    python lab/instructions.py --reference ../older-checkout
"""

from __future__ import annotations

import compileall
import re
import shutil
import tempfile
from pathlib import Path

from arguments import Parser, run_main
from screen import KEYS, Screen

from boardgames_cli.core.errors import GameError

LIMIT = 300.0
"""Seconds until the board must be there; valgrind takes fifty times as long as the processor."""
QUIET = 5.0
"""Seconds without output after which a repaint is over."""


def instructions(checkout: Path, keys: int) -> int:
    """The instructions of one program that draws a board, takes keys and ends."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = folder / "valgrind.log"
        prefix = ["valgrind", "--tool=callgrind", f"--log-file={log}"]
        prefix.append(f"--callgrind-out-file={folder / 'calls'}")
        words = ("play", "senet", "--seed", "5", "--pace", "instant", "--save-dir", name)
        screen = Screen(folder, *words, prefix=prefix, checkout=checkout)
        screen.wait(lambda shown: "? help" in shown.display[-1], LIMIT)
        screen.settle(QUIET)
        for number in range(keys):
            screen.press(KEYS[number % len(KEYS)])
            screen.settle(QUIET)
        screen.end()
        counted = re.search(r"refs:\s+([\d,]+)", log.read_text())
    if counted is None:
        raise GameError("valgrind has counted nothing.", f"Run it by hand: {' '.join(prefix)}")
    return int(counted[1].replace(",", ""))


def main() -> None:
    """Count and print."""
    parser = Parser(__doc__)
    parser.add_count("--keys", 10, "keys pressed")
    parser.add_argument("--reference", type=Path, metavar="DIR", help="another checkout to compare")
    chosen = parser.parse_args()
    if shutil.which("valgrind") is None:
        raise GameError("valgrind is not installed.", "Install it, on Debian: apt install valgrind")
    checkouts = [path.resolve() for path in (chosen.reference, Path(__file__).parents[1]) if path]
    print(f"{'millions of instructions':40}{'first board':>12}{'a key':>8}")
    results = []
    for checkout in checkouts:
        # What Python has compiled before must not count for one and against the other.
        compileall.compile_dir(checkout / "boardgames_cli", quiet=1)
        first = instructions(checkout, 0)
        key = (instructions(checkout, chosen.keys) - first) / chosen.keys
        results.append((first, key))
        print(f"{checkout.name:40}{first / 1e6:12,.1f}{key / 1e6:8.2f}")
    if len(results) > 1:
        (old, old_key), (new, new_key) = results
        print(f"{'ratio':40}{new / old:12.3f}{new_key / old_key:8.3f}")


if __name__ == "__main__":
    run_main(main)
