"""Two games that differ only in what one seat may not know, and what that seat does in both."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

FAR = 7
"""Rows and columns from here on are in the fog for who is three steps from the other corner."""

GROUND, RIGID, WOOD, FLAMES = 0, 1, 2, 4
SIZE = 11


@dataclass(frozen=True)
class Twins:
    """A pair of games.

    Args:
        positions: Where the two begin.
        words: The command line without the position, one for each.
        lines: What is typed in both.
        what: What the difference is.
        name: What the save is called.
    """

    positions: tuple[Any, Any]
    words: tuple[tuple[str, ...], tuple[str, ...]]
    lines: tuple[str, ...]
    what: str
    name: str


def _asked(rng: random.Random, words: tuple[str, ...], most: int = 4) -> list[str]:
    return [rng.choice(words) for _ in range(rng.randrange(most))]


# Words, no letters: some letters mean a move.
KUHN_COMMANDS = ("board", "last", "score", "hint", "pos", "?", "legend", "moves", "undo", "redo",
                 "7 7")  # fmt: skip


def other_card(rng: random.Random) -> Twins:
    """Kuhn poker: the other seat has another card, and never shows it."""
    seat, own = rng.randrange(2), rng.randrange(3)
    acts_first = rng.randrange(2)
    begun = [] if acts_first == seat else rng.choice([[], ["bet"]])
    pair = []
    for card in (card for card in range(3) if card != own):
        cards = [own, card] if seat == 0 else [card, own]
        pair.append({"cards": cards, "actions": begun, "first": acts_first, "hand": 0,
                     "chips": [0, 0]})  # fmt: skip
    lines = _asked(rng, KUHN_COMMANDS)
    if acts_first == seat:
        lines += ["check", *_asked(rng, KUHN_COMMANDS)]
    # The next hand is the same in both games.
    lines += ["fold", *_asked(rng, KUHN_COMMANDS)]
    words = ("kuhn", "--hands", "3", "--first", str(acts_first + 1), *_seats(seat), "--seed", "7")
    return Twins((pair[0], pair[1]), (words, words), tuple(lines), "the other card", "kuhn-1")


def _seats(seat: int) -> tuple[str, ...]:
    people = ["maniac", "maniac"]
    people[seat] = "human:Ann"
    return ("-s", people[0], "-s", people[1])


def other_seed(rng: random.Random) -> Twins:
    """Kuhn poker: the cards to come are others, but none of them is dealt yet."""
    seat = rng.randrange(2)
    cards = rng.sample(range(3), 2)
    position = {"cards": cards, "actions": [], "first": seat, "hand": 0, "chips": [0, 0]}
    lines = [*_asked(rng, KUHN_COMMANDS, 6), "check", *_asked(rng, KUHN_COMMANDS)]
    one, two = (
        ("kuhn", "--hands", "5", "--first", str(seat + 1), *_seats(seat), "--seed", str(seed))
        for seed in rng.sample(range(10**5, 10**6), 2)
    )
    return Twins((position, position), (one, two), tuple(lines), "the seed", "kuhn-1")


POMMERMAN_COMMANDS = ("board", "last", "score", "pos", "danger", "moves", "legend")


def other_fog(rng: random.Random) -> Twins:
    """Pommerman: the fog and the wooden walls hide other things."""
    near = [(row, column) for row in range(5) for column in range(5) if (row, column) != (1, 1)]
    wood = rng.sample([cell for cell in near if min(cell) > 1], 4)
    pair = tuple(_fogged(rng, wood) for _ in range(2))
    moves = ("stop", "right", "down", "left", "up")
    lines: list[str] = []
    for _ in range(rng.randrange(1, 4)):
        lines += [*_asked(rng, POMMERMAN_COMMANDS), rng.choice(moves)]
    mode = rng.choice(["team", "radio"])
    words = ("pommerman", "--mode", mode, "-s", "human:Ann", "--vs", "random", "--seed", "7")
    return Twins((pair[0], pair[1]), (words, words), tuple(lines), "the fog", "pommerman-1")


def _fogged(rng: random.Random, wood: list[tuple[int, int]]) -> dict[str, Any]:
    corners = ((1, 1), (1, 9), (9, 9), (9, 1))
    board = [[GROUND] * SIZE for _ in range(SIZE)]
    for row, column in wood:
        board[row][column] = WOOD
    for row in range(SIZE):
        for column in range(SIZE):
            if row >= FAR and column >= FAR:
                board[row][column] = rng.choice([GROUND, RIGID, WOOD])
    for row, column in corners[1:]:  # in cages, so that nobody comes into view
        for beside in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            board[beside[0]][beside[1]] = RIGID
    for number, (row, column) in enumerate(corners):
        board[row][column] = 10 + number
    agents = [
        {"id": number, "alive": True, "pos": list(cell), "ammo": 1, "blast_strength": 3,
         "can_kick": False}
        for number, cell in enumerate(corners)
    ]  # fmt: skip
    for agent in agents[1:]:
        agent |= {"ammo": rng.randrange(4), "blast_strength": rng.randrange(2, 6),
                  "can_kick": rng.random() < 0.5}  # fmt: skip
    hiding = [
        [row, column] for row in range(SIZE) for column in range(SIZE) if board[row][column] == WOOD
    ]
    items = [[cell, rng.choice([6, 7, 8])] for cell in hiding if rng.random() < 0.5]
    return {"board": board, "agents": agents, "bombs": [], "flames": [], "items": items, "step": 0}


KINDS = {"other card": other_card, "other seed": other_seed, "other fog": other_fog}
