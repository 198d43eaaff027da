"""Seat holders: people and agents made from their specifications."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from boardgames_cli.agents.remote.seating import seat_agent
from boardgames_cli.core.agent import COMMAND, NAME_OPTION, Agent, split_agent
from boardgames_cli.core.agent import HUMAN as HUMAN
from boardgames_cli.core.errors import SeatError, UnknownNameError
from boardgames_cli.core.game import AnyGame, PassesTime, Seat, Traits
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.registry import level_of, resolve_level, spec_of

DEFAULT_AGENT: Final = "ai"
LONGEST_NAME: Final = 20


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """The person or agent who plays a seat."""

    spec: str
    """The specification in saves, such as ``human:name=Ann``."""
    name: str
    """The display name: a person's name, a level, or an agent without its options."""
    agent: Agent[Any, Any] | None
    shared_name: str = ""
    """The name shared by several seats, without the seat's name; empty if the name is unique."""

    @property
    def is_human(self) -> bool:
        return self.agent is None

    @property
    def exact_agent(self) -> str:
        """The agent with its options, if the name does not tell; else empty."""
        # A command may be too long for the screen.
        is_said = self.is_human or split_agent(self.spec)[0] == COMMAND
        return "" if is_said or self.spec == self.name.partition(" ")[0] else self.spec


def fill_seats(game: AnyGame, specs: Sequence[str], rest: str = DEFAULT_AGENT) -> list[str]:
    """The specifications of all seats; missing ones are filled with a default."""
    if len(specs) > game.seats:
        title, count = game.info.name, game.seats
        example = " ".join(f"-s {HUMAN if seat == 0 else DEFAULT_AGENT}" for seat in range(count))
        raise SeatError(
            f"{title} has {count} seats; you gave {len(specs)}.",
            f"Example: boardgames play {game.info.id} {example}",
        )
    return [*specs, *[rest] * (game.seats - len(specs))]


def people(specs: Sequence[str]) -> list[Seat]:
    """The seats of people."""
    return [seat for seat, spec in enumerate(specs) if split_agent(spec)[0] == HUMAN]


@lru_cache(maxsize=64)  # a screen asks for it many times
def keeps_secrets(game: AnyGame) -> bool:
    """Whether people who share a screen must look away while another acts."""
    return Traits.HIDDEN in game.traits and not (
        isinstance(game, PassesTime) and game.may_share_screen
    )


def check_shared_screen(game: AnyGame, specs: Sequence[str], is_agreed: bool) -> None:
    """Refuse to show the secrets of several people in scrolling plain text."""
    count = len(people(specs))
    if count < 2 or is_agreed or not keeps_secrets(game):
        return
    raise SeatError(
        f"{game.info.name} has secrets, and plain text can't hide them from {count} people: "
        "it stays on the screen.",
        "Play in a terminal without --plain, or say that you don't mind: --shared-screen",
    )


def with_names(seats: Sequence[str], names: Sequence[str]) -> list[str]:
    """Add remembered names to the seats of people without a name."""
    left = iter(names)
    named = []
    for spec in seats:
        name = next(left, "") if split_agent(spec)[0] == HUMAN else ""
        named.append(f"{HUMAN}:{name}" if name and spec == HUMAN else spec)
    return named


def seat_people(
    game: AnyGame, specs: Sequence[str], seed: int = 0, seconds: float | None = None
) -> tuple[SeatHolder, ...]:
    """Make the holders of all seats, with different names.

    Equal names are told apart by what was given, by options, or else by the seats. Agents in other
    processes are not started yet; see `agents.remote.seating.prepare`.
    """
    holders = [_holder(game, spec, seed, seat, seconds) for seat, spec in enumerate(specs)]
    names = [holder.name for holder in holders]
    short = [" ".join((one.name, *split_agent(one.spec)[1].values())) for one in holders]
    own = [f"{name} {game.info.seat_name(seat)}" for seat, name in enumerate(names)]
    for name in {name for name in names if names.count(name) > 1}:
        twins = [seat for seat in range(len(names)) if names[seat] == name]
        for told in (specs, short, own):
            called = {told[seat] for seat in twins}
            are_names = not any(one.startswith((HUMAN, DEFAULT_AGENT)) for one in called)
            if are_names and len(called) == len(twins) and max(map(len, called)) <= LONGEST_NAME:
                break
        for seat in twins:
            holders[seat] = replace(holders[seat], name=told[seat], shared_name=name)
    return tuple(holders)


def _holder(game: AnyGame, spec: str, seed: int, seat: Seat, seconds: float | None) -> SeatHolder:
    kind, _, given = spec.strip().partition(":")
    if kind == HUMAN and "=" not in given:
        checked_name(given)
    name, options = split_agent(spec)
    if name != HUMAN:
        return _agent_holder(game, spec, seed, seat, seconds)
    chosen = checked_name(options.pop("name", options.pop("", "")))
    if options:
        raise UnknownNameError("human option", next(iter(options)), ["name"])
    return SeatHolder(f"{HUMAN}:name={chosen}" if chosen else HUMAN, chosen or "You", None)


def checked_name(text: str) -> str:
    """The name of a person, if it can be written and shown."""
    if "," in text:
        raise SeatError("a name can't hold a comma.", "Leave it out.")
    # Combines letters with their accents, so that each takes one character.
    chosen = unicodedata.normalize("NFC", text.strip())
    if len(chosen) > LONGEST_NAME or not (chosen.isprintable() or not chosen):
        raise SeatError(
            f"the name {chosen!r} can't be shown.",
            f"Use at most {LONGEST_NAME} letters, digits and the like.",
        )
    return chosen


def holder_name(text: str, spec: GameSpec) -> str:
    """The name of a seat's holder, without making an agent: of a person, a level or an agent."""
    name, options = split_agent(text)
    if name == HUMAN:
        return options.get("name", options.get("", "")) or "You"
    if options.get(NAME_OPTION):
        return options[NAME_OPTION]
    return level_of(text, spec) or name


def _agent_holder(
    game: AnyGame, spec: str, seed: int, seat: Seat, seconds: float | None
) -> SeatHolder:
    resolved = resolve_level(spec, spec_of(game))
    agent = seat_agent(resolved, game, seed, seat, seconds)
    name = split_agent(resolved)[0]
    if name == COMMAND:
        # A command may be too long for the screen.
        return SeatHolder(resolved, str(getattr(agent, "name", COMMAND)), agent)
    checked_name(split_agent(resolved)[1].get(NAME_OPTION, ""))
    return SeatHolder(resolved, holder_name(resolved, spec_of(game)), agent)
