"""What version 0.2 had and this one has not: a sentence for everybody who still asks for it.

docs/changes-0.3.md tells the same at length.
"""

from __future__ import annotations

from typing import Final

_GUESTS: Final = "Run the agent in its own Python: docs/agents.md#guests"
_PAGE: Final = "Publish report.html, which every tournament writes into its folder."
_LEARNER: Final = "In a checkout, lab/senet_learner.py trains Senet's value networks."
_KEYS: Final = "Remove the line from [keymap]; the other keys hold."
_AUTHORS: Final = "Leave it out of the GameSpec: docs/changes-0.3.md#for-authors-of-games"

_GONE: Final = {
    "command bench": "In a checkout, lab/match_speed.py measures how fast games are.",
    "command convert": "q-table:file=MODEL.csv still plays a table of TapnSwap-RL.",
    "agent playground": _GUESTS,
    "agent policy": _GUESTS,
    "option --tournament": _PAGE,
    "option --pgn": "results.jsonl in the tournament's folder has every result.",
    "option --rounds": "Choose another --format, such as round-robin.",
    "format swiss": "Choose another --format, such as round-robin.",
    **{
        f"option --{name}": _LEARNER
        for name in (
            *("passes", "hidden", "first-step", "last-step", "first-trace", "last-trace"),
            *("random-starts", "wrong-moves"),
        )
    },
    "option --hints-by": "The strongest level gives the hints.",
    "id menu.achievements": _KEYS,
    "id menu.tournament": _KEYS,
    **{
        f"id tournament.{key}": _KEYS
        for key in (
            *("up", "down", "page-up", "page-down", "fewer", "more"),
            *("pick", "start", "stop", "leave"),
        )
    },
    "field achievements": _AUTHORS,
    "field formats": _AUTHORS,
    "field table_formats": _AUTHORS,
    "field names_elsewhere": _AUTHORS,
    "field agents_elsewhere": _AUTHORS,
}


def instead_of(kind: str, name: str) -> str:
    """What to do instead of something that is gone, as a sentence; empty if it never was.

    Args:
        kind: ``command``, ``option``, ``agent``, ``format``, ``id`` (of a key) or ``field`` (of a
            game's manifest).
        name: Its name, as it was written.
    """
    return _GONE.get(f"{kind} {name}", "")


def is_gone(name: str) -> str:
    """That something is gone, as a sentence."""
    return f'"{name}" is gone since 0.3.'
