"""Positions of Deep Sea Adventure as JSON: every field is checked, the first wrong one is named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.position import check_fields, is_whole
from boardgames_cli.games.deepsea.chips import (
    BLANK,
    CHIPS_A_LEVEL,
    DOTS,
    EACH_VALUE,
    GONE,
    LEVELS,
    MOST_POINTS,
    PLACES,
    VALUES,
    chip_of,
    is_chip,
    level_of,
    values_of,
)
from boardgames_cli.games.deepsea.state import DeepSeaState, Ledger, Phase

_REQUIRED: Final = (
    "players", "oxygen", "current", "round", "pos", "dir", "held", "done", "points", "path",
)  # fmt: skip
_OPTIONAL: Final = ("phase", "revealed", "turned", "by_round", "points_at_round_end")
_EXPECTED: Final = f"A position has: {', '.join(_REQUIRED)}; and may have: {', '.join(_OPTIONAL)}."
_COUNTED: Final = (Phase.REVEAL, Phase.OVER)


@dataclass(frozen=True, slots=True)
class Limits:
    """What the game's options allow."""

    players: int
    rounds: int
    oxygen: int
    stacks: bool


def write(state: DeepSeaState) -> dict[str, Any]:
    """A position as a JSON object."""
    ledger = state.ledger
    return {
        "phase": state.phase.value,
        "players": len(state.places),
        "oxygen": state.oxygen,
        "current": state.current,
        "round": state.round,
        "pos": list(state.places),
        "dir": [int(diving) for diving in state.diving],
        "held": [[list(DOTS[chip]) for chip in load] for load in state.held],
        "done": [state.is_home(seat) for seat in range(len(state.places))],
        "points": list(ledger.points),
        "revealed": [value for value in range(VALUES) for _ in range(ledger.revealed[value])],
        "turned": [list(values) for values in ledger.turned],
        "by_round": [list(won) for won in ledger.by_round],
        "path": [_write_place(chip) for chip in state.trail],
    }


def _write_place(chip: int) -> dict[str, Any]:
    if chip in (BLANK, GONE):
        return {"dots": 0, "removed": chip == GONE}
    dots = DOTS[chip]
    return {"dots": dots[0] if len(dots) == 1 else list(dots), "removed": False}


def read(data: Mapping[str, Any], limits: Limits) -> tuple[DeepSeaState, bool]:
    """Check a position.

    Args:
        data: The JSON object. Values of chips, as other programs record them, are left out.
        limits: The options of the game being played.

    Returns:
        The state, and whether it lies between two turns: the position has no phase, and
        ``current`` has not paid for its turn yet.

    Raises:
        PositionError: The position is impossible; the message names the field.
    """
    check_fields(data, _REQUIRED, _OPTIONAL, expected=_EXPECTED)
    players = limits.players
    if not is_whole(data["players"]) or data["players"] != players:
        raise PositionError(
            f"players is {data['players']!r}, but this game has {players} divers.",
            "Choose the same number, for example with --players.",
        )
    number = _number(data["round"], "round", limits.rounds)
    phase = _read_phase(data, is_over=number == limits.rounds)
    places = _numbers(data["pos"], "pos", players, PLACES)
    diving = tuple(map(bool, _numbers(data["dir"], "dir", players, 1)))
    held = _read_held(data["held"], players, with_stacks=limits.stacks)
    state = DeepSeaState(
        phase or Phase.DICE,
        _number(data["current"], "current", players - 1),
        number,
        _number(data["oxygen"], "oxygen", limits.oxygen),
        places,
        diving,
        held,
        _read_trail(data["path"], with_stacks=limits.stacks),
        _read_ledger(data, players, number),
    )
    _check_divers(state, data["done"])
    _check_chips(state)
    if phase is not None:
        _check_phase(state)
    return state, phase is None


def _read_phase(data: Mapping[str, Any], *, is_over: bool) -> Phase | None:
    text = data.get("phase")
    phase = next((phase for phase in Phase if phase.value == text), None)
    if text is not None and phase is None:
        listed = ", ".join(phase.value for phase in Phase)
        raise PositionError(f"phase is {text!r}.", f"It is one of: {listed}.")
    if is_over and phase is None:
        return Phase.OVER
    if is_over != (phase is Phase.OVER):
        raise PositionError(f"round is {data['round']!r}, which does not fit phase {text!r}.")
    return phase


def _read_held(listed: Any, players: int, *, with_stacks: bool) -> tuple[bytes, ...]:
    loads = []
    for chips in _list(listed, "held", players):
        if not isinstance(chips, list | tuple):
            raise PositionError("held is not a list of chips for every diver.")
        if len(chips) > PLACES:
            raise PositionError(f"held has a diver with {len(chips)} chips.")
        loads.append(bytes(_read_chip(chip, "held", with_stacks=with_stacks) for chip in chips))
    return tuple(loads)


def _read_chip(dots: Any, field: str, *, with_stacks: bool) -> int:
    dots = list(dots) if isinstance(dots, list | tuple) else [dots]
    if not with_stacks and len(dots) == 2 and all(map(is_whole, dots)):
        # A chip as [dots, value]: nobody has seen the value, so it can't be part of a position.
        if dots[0] in LEVELS and dots[1] not in values_of(dots[0]):
            raise PositionError(f"{field} has a chip with {dots[0]} dots worth {dots[1]}.")
        del dots[1]
    if not all(map(is_whole, dots)) or not is_chip(dots) or (len(dots) > 1 and not with_stacks):
        raise PositionError(
            f"{field} has a chip {dots!r}.",
            "A chip is [dots] with 1 to 4 dots"
            + (", a stack has two or three." if with_stacks else "."),
        )
    return chip_of(dots)


def _read_trail(listed: Any, *, with_stacks: bool) -> bytes:
    trail = []
    for number, place in enumerate(_list(listed, "path", PLACES), start=1):
        if not isinstance(place, Mapping) or not set(place) <= {"dots", "removed", "value"}:
            raise PositionError(f"path has a place {number} that is not {{dots, removed}}.")
        dots, is_removed = place.get("dots"), place.get("removed", False)
        if not isinstance(is_removed, bool):
            raise PositionError(f"path has a place {number} whose removed is {is_removed!r}.")
        is_blank = is_whole(dots) and dots == 0
        if is_removed and not is_blank:
            raise PositionError(f"path has a chip on place {number}, which is removed.")
        if is_blank:
            trail.append(GONE if is_removed else BLANK)
        else:
            trail.append(_read_chip(dots, f"path (place {number})", with_stacks=with_stacks))
    return bytes(trail)


def _read_ledger(data: Mapping[str, Any], players: int, number: int) -> Ledger:
    # A record of another program may count chips as soon as they are home; ours, like the rules,
    # counts at the end of the round.
    field = "points_at_round_end" if "points_at_round_end" in data else "points"
    points = _numbers(data[field], field, players, MOST_POINTS)
    values = data.get("revealed", [])
    revealed = Counter(_numbers(values, "revealed", None, VALUES - 1))
    if any(count > EACH_VALUE for count in revealed.values()):
        raise PositionError("revealed has a value more than twice.")
    if sum(revealed.elements()) > sum(points):
        raise PositionError("revealed adds up to more than all points.")
    turned_lists = _list(data.get("turned", [[]] * players), "turned", players)
    turned = tuple(bytes(_numbers(won, "turned", None, VALUES - 1)) for won in turned_lists)
    if Counter(b"".join(turned)) - revealed:
        raise PositionError("turned has a value that is not revealed.")
    if any(sum(won) > total for won, total in zip(turned, points, strict=True)):
        raise PositionError("turned adds up to more than points.")
    by_round = tuple(
        _numbers(won, "by_round", players, MOST_POINTS)
        for won in _list(data.get("by_round", []), "by_round", None)
    )
    if len(by_round) > number:
        raise PositionError(f"by_round has {len(by_round)} rounds, but {number} are finished.")
    if any(
        sum(won) > total for won, total in zip(zip(*by_round, strict=True), points, strict=False)
    ):
        raise PositionError("by_round adds up to more than points.")
    counts = bytes(revealed[value] for value in range(VALUES))
    return Ledger(points, counts, turned, by_round)


def _check_divers(state: DeepSeaState, done: Any) -> None:
    homes = [state.is_home(seat) for seat in range(len(state.places))]
    if list(_list(done, "done", len(homes))) != homes:
        raise PositionError(
            "done does not fit pos and dir.", "A diver is home in place 0 with direction 0."
        )
    for seat, place in enumerate(state.places):
        if not place and state.diving[seat] and state.held[seat]:
            raise PositionError(f"held has chips of seat {seat}, who has not left the submarine.")
        first = state.places.index(place)
        if place and first != seat:
            raise PositionError(f"pos has seats {first} and {seat} both on place {place}.")
        if place and state.trail[place - 1] == GONE:
            raise PositionError(f"pos has seat {seat} on place {place}, which is removed.")


def _check_chips(state: DeepSeaState) -> None:
    everywhere = [chip for chip in state.trail if chip not in (BLANK, GONE)]
    everywhere += [chip for load in state.held for chip in load]
    there = Counter(dots for chip in everywhere for dots in DOTS[chip])
    for value, count in enumerate(state.ledger.revealed):
        there[level_of(value)] += count
    for level in LEVELS:
        if there[level] > CHIPS_A_LEVEL:
            raise PositionError(
                f"path, held and revealed have {there[level]} chips with {level} dots.",
                f"There are only {CHIPS_A_LEVEL}.",
            )
    blanks, carried = state.trail.count(BLANK), sum(map(len, state.held))
    if blanks < carried or (blanks > carried and state.phase not in _COUNTED):
        raise PositionError(
            f"path has {blanks} blanks, but held has {carried} chips.",
            "Every chip that is carried has left one blank.",
        )


def _check_phase(state: DeepSeaState) -> None:
    """Whether what happens next can happen here."""
    seat, phase = state.current, state.phase
    in_turn = phase in (Phase.DIRECTION, Phase.DICE, Phase.CHIP)
    if in_turn and state.is_home(seat):
        raise PositionError(f"current is seat {seat}, who is home.")
    if phase is Phase.DIRECTION and not (state.places[seat] and state.diving[seat]):
        raise PositionError("phase is direction, but current is not out and diving.")
    if phase is Phase.CHIP and not (
        state.places[seat] and (state.chip_under(seat) or state.held[seat])
    ):
        raise PositionError("phase is chip, but current has none to take or to put down.")
    if phase is Phase.START and (any(state.places) or not all(state.diving)):
        raise PositionError("phase is start, but pos or dir says that somebody has moved.")
    if phase is Phase.REVEAL and not any(
        load and state.is_home(other) for other, load in enumerate(state.held)
    ):
        raise PositionError("phase is reveal, but held has no chip of a diver who is home.")


def _list(value: Any, field: str, length: int | None) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise PositionError(f"{field} is not a list.")
    if length is not None and len(value) != length:
        raise PositionError(f"{field} has {len(value)} entries instead of {length}.")
    return list(value)


def _numbers(value: Any, field: str, length: int | None, high: int) -> tuple[int, ...]:
    return tuple(_number(entry, field, high) for entry in _list(value, field, length))


def _number(value: Any, field: str, high: int) -> int:
    if not is_whole(value) or not 0 <= value <= high:
        raise PositionError(f"{field} has {value!r}.", f"It is a whole number from 0 to {high}.")
    number: int = value
    return number
