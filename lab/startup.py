"""How long the program takes from the shell to its end, and what it loads on the way.

    python lab/startup.py --runs 15

The commands take turns, so that a slow moment of the machine hits all of them alike.
"""

from __future__ import annotations

import platform
import statistics
import subprocess
import sys
import time

from arguments import Parser, run_main

# The budgets of the design for a machine with two cores, in milliseconds.
COMMANDS = (
    ("python -c pass", ["-c", "pass"], None),
    ("--version", ["-m", "boardgames_cli", "--version"], 150),
    ("--help", ["-m", "boardgames_cli", "--help"], 250),
    ("list", ["-m", "boardgames_cli", "list"], None),
)
WATCHED = ("numpy", "numba", "textual", "rich", "typer", "boardgames_cli.games.senet.rules")


def milliseconds(arguments: list[str]) -> float:
    """The time of one whole process."""
    start = time.perf_counter()
    command = [sys.executable, *arguments]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)  # noqa: S603  # our own
    return (time.perf_counter() - start) * 1000


def loaded(arguments: list[str]) -> list[str]:
    """Which of the heavy modules a command imports."""
    command = [sys.executable, "-X", "importtime", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # our own
    names = {line.rpartition("|")[2].strip() for line in run.stderr.splitlines()}
    return [name for name in WATCHED if name in names]


def main() -> None:
    """Print the table."""
    parser = Parser(__doc__)
    parser.add_count("--runs", 15, "processes a command")
    runs = parser.parse_args().runs
    print(f"Python {platform.python_version()}, {platform.machine()}, {runs} runs, milliseconds")
    print(f"{'command':18}{'median':>8}{'fastest':>9}{'slowest':>9}{'budget':>8}   loads")
    # Round by round, so that a slow moment of the machine hits all commands alike.
    times: dict[str, list[float]] = {name: [] for name, _, _ in COMMANDS}
    for _ in range(runs):
        for name, arguments, _ in COMMANDS:
            times[name].append(milliseconds(arguments))
    for name, arguments, budget in COMMANDS:
        taken = times[name]
        print(
            f"{name:18}{statistics.median(taken):8.0f}{min(taken):9.0f}{max(taken):9.0f}"
            f"{budget or '-':>8}   {' '.join(loaded(arguments)) or '-'}"
        )


if __name__ == "__main__":
    run_main(main)
