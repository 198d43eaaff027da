"""Record a new playthrough: python -m tests.playthroughs.record NAME SEED GAME [KEY=VALUE ...].

It writes NAME.jsonl beside this file: a whole game at random. Read it before committing it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.options import option_values
from boardgames_cli.core.record import Header, lines_after
from boardgames_cli.registry import make
from boardgames_cli.testing.scene import one_step


def main(name: str, seed: str, id: str, *options: str) -> None:
    game = make(id, **dict(option.split("=", 1) for option in options))
    match: AnyMatch = Match(game, seed=int(seed))
    while match.waiting_for:
        one_step(match)
    info = game.info
    seats = ("random",) * game.seats
    header = Header(info.id, info.rules_version, option_values(game), match.seed, seats)
    lines = [header.line(), *lines_after(match, 0)]
    Path(__file__).with_name(f"{name}.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
