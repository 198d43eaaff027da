"""Prints a recorded game, all of it or step by step."""

from __future__ import annotations

from boardgames_cli.plain.console import Console, EndOfInput
from boardgames_cli.session.replay import Replay

_HELP = "enter goes on, - goes back, a number goes to that step, all prints the rest, q quits"


def print_replay(replay: Replay, console: Console, boards: bool, start: int = 0) -> None:
    """Print everything from a ply on, optionally with boards, and the last board."""
    # Remarks before the first step belong to the start.
    for ply in range(start or -1, replay.match.ply):
        for sentence in replay.sentences(ply):
            console.say(f"{ply + 1:>4} {sentence}")
        if boards and ply >= 0:
            console.say(str(replay.snapshot(ply + 1).board(console.room)))
    if not boards:
        console.say(str(replay.snapshot(replay.match.ply).board(console.room)))
    console.say(replay.ending())


def step_through(replay: Replay, console: Console) -> None:
    """Step through the game interactively."""
    last = replay.match.ply
    ply = 0
    console.say(f"{last} steps: {_HELP}.")
    while True:
        for sentence in [*([] if ply else ["The start."]), *replay.sentences(ply - 1)]:
            console.say(f"{ply:>4} {sentence}")
        console.say(str(replay.snapshot(ply).board(console.room)))
        if ply == last:
            console.say(replay.ending())
        try:
            word = console.ask(f"step {ply} of {last}> ").lower()
        except EndOfInput:
            return
        if word in ("q", "quit", "exit") or (not word and ply == last):
            return
        if word == "all":
            print_replay(replay, console, boards=False, start=ply)
            return
        ply = _next_ply(word, ply, last, console)


def _next_ply(word: str, ply: int, last: int, console: Console) -> int:
    if word in ("", "n", "next", "+"):
        return min(ply + 1, last)
    if word in ("-", "b", "back", "p"):
        return max(ply - 1, 0)
    if word.isascii() and word.isdigit() and len(word) < 7 and int(word) <= last:
        return int(word)
    console.say(f'"{word}" is not a step from 0 to {last}; {_HELP}.')
    return ply
