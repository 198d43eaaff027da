"""JSON positions of Deep Sea Adventure: checks every field and names the first wrong one.

The keys are those of recorded games, not the fields of the state: some are redundant (players,
done), some are optional, and those of the ledger are not nested. So the object is decomposed by
hand, and codecs read its values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.codec.derived import Items, Maybe, Member, Row
from boardgames_cli.codec.fields import Codec, Whole, check_fields, is_whole, read_list
from boardgames_cli.core.errors import PositionError
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
)
from boardgames_cli.games.deepsea.state import COUNTED, IN_TURN, DeepSeaState, Ledger, Phase

_REQUIRED: Final = (
    "players", "oxygen", "current", "round", "pos", "dir", "held", "done", "points", "path",
)  # fmt: skip
_OPTIONAL: Final = ("phase", "revealed", "turned", "by_round")
_EXPECTED: Final = f"A position has: {', '.join(_REQUIRED)}; and may have: {', '.join(_OPTIONAL)}."


@dataclass(frozen=True, slots=True)
class ChipCodec(Codec[int]):
    """A chip or a stack, written as the list of its dots."""

    with_stacks: bool = True

    def write(self, value: int) -> list[int]:
        return list(DOTS[value])

    def read(self, data: Any, field: str) -> int:
        dots = list(data) if isinstance(data, list | tuple) else [data]
        is_known = all(map(is_whole, dots)) and is_chip(dots)
        if not is_known or (len(dots) > 1 and not self.with_stacks):
            raise PositionError(
                f"{field} has a chip {dots!r}.",
                "A chip is [dots] with 1 to 4 dots"
                + (", a stack has two or three." if self.with_stacks else "."),
            )
        return chip_of(dots)


@dataclass(frozen=True, slots=True)
class PlaceCodec(Codec[int]):
    """The content of a place: ``{dots, removed}``; for a single chip ``dots`` is a number."""

    chip: ChipCodec

    def write(self, value: int) -> dict[str, Any]:
        if value in (BLANK, GONE):
            return {"dots": 0, "removed": value == GONE}
        dots = self.chip.write(value)
        return {"dots": dots[0] if len(dots) == 1 else dots, "removed": False}

    def read(self, data: Any, field: str) -> int:
        if not isinstance(data, Mapping) or not set(data) <= {"dots", "removed"}:
            raise PositionError(f"{field} is not {{dots, removed}}.")
        dots, is_removed = data.get("dots"), data.get("removed", False)
        if not isinstance(is_removed, bool):
            raise PositionError(f"{field} says that removed is {is_removed!r}.")
        is_blank = is_whole(dots) and dots == 0
        if is_removed and not is_blank:
            raise PositionError(f"{field} has a chip, but is removed.")
        if is_blank:
            return GONE if is_removed else BLANK
        return self.chip.read(dots, field)


def _codecs(start: DeepSeaState, rounds: int, *, stacks: bool) -> dict[str, Codec[Any]]:
    players = len(start.places)
    chip, value = ChipCodec(stacks), Whole(0, VALUES - 1)

    def each_seat(codec: Codec[Any]) -> Codec[Any]:
        return Row((codec,) * players)

    points = each_seat(Whole(0, MOST_POINTS))
    return {
        "phase": Maybe(Member(Phase)),
        "current": Whole(0, players - 1),
        "round": Whole(0, rounds),
        "oxygen": Whole(0, start.oxygen),
        "pos": each_seat(Whole(0, PLACES)),
        "dir": each_seat(Whole(0, 1)),
        "held": each_seat(Items(chip)),
        "path": Row((PlaceCodec(chip),) * PLACES),
        "points": points,
        "revealed": Items(value),
        "turned": each_seat(Items(value)),
        "by_round": Items(points),
    }


def write(state: DeepSeaState) -> dict[str, Any]:
    """A position as a JSON object."""
    ledger, chip = state.ledger, ChipCodec()
    return {
        "phase": state.phase.value,
        "players": len(state.places),
        "oxygen": state.oxygen,
        "current": state.current,
        "round": state.round,
        "pos": list(state.places),
        "dir": [int(diving) for diving in state.diving],
        "held": [[chip.write(carried) for carried in load] for load in state.held],
        "done": [state.is_home(seat) for seat in range(len(state.places))],
        "points": list(ledger.points),
        "revealed": [value for value in range(VALUES) for _ in range(ledger.revealed[value])],
        "turned": [list(values) for values in ledger.turned],
        "by_round": [list(won) for won in ledger.by_round],
        "path": [PlaceCodec(chip).write(lying) for lying in state.trail],
    }


def read(
    data: Mapping[str, Any], start: DeepSeaState, rounds: int, *, stacks: bool
) -> tuple[DeepSeaState, bool]:
    """The state of a position, and whether it is between two turns.

    Then it has no phase, and ``current`` has not yet paid for its turn.

    Raises:
        PositionError: The position is impossible; the message names the field.
    """
    check_fields(data, _REQUIRED, _OPTIONAL, expected=_EXPECTED)
    players = len(start.places)
    if not is_whole(data["players"]) or data["players"] != players:
        raise PositionError(
            f"players is {data['players']!r}, but this game has {players} divers.",
            "Choose the same number, for example with --players.",
        )
    codecs = _codecs(start, rounds, stacks=stacks)
    given = {"phase": None, "revealed": [], "turned": [[]] * players, "by_round": [], **data}
    values = {key: codec.read(given[key], key) for key, codec in codecs.items()}
    phase = _phase_of(values["phase"], values["round"], rounds)
    state = DeepSeaState(
        phase or Phase.DICE,
        values["current"],
        values["round"],
        values["oxygen"],
        values["pos"],
        tuple(map(bool, values["dir"])),
        tuple(map(bytes, values["held"])),
        bytes(values["path"]),
        _ledger_of(values["points"], values),
    )
    _check_divers(state, data["done"])
    _check_chips(state)
    if phase is not None:
        _check_phase(state)
    return state, phase is None


def _phase_of(phase: Phase | None, number: int, rounds: int) -> Phase | None:
    is_over = number == rounds
    if is_over and phase is None:
        return Phase.OVER
    if is_over != (phase is Phase.OVER):
        named = "no phase" if phase is None else f'phase "{phase.value}"'
        raise PositionError(f"round is {number}, which does not fit {named}.")
    return phase


def _ledger_of(points: tuple[int, ...], values: Mapping[str, Any]) -> Ledger:
    revealed = Counter(values["revealed"])
    if any(count > EACH_VALUE for count in revealed.values()):
        raise PositionError("revealed has a value more than twice.")
    if sum(revealed.elements()) > sum(points):
        raise PositionError("revealed adds up to more than all points.")
    turned = tuple(map(bytes, values["turned"]))
    if Counter(b"".join(turned)) - revealed:
        raise PositionError("turned has a value that is not revealed.")
    if any(sum(won) > total for won, total in zip(turned, points, strict=True)):
        raise PositionError("turned adds up to more than points.")
    by_round = values["by_round"]
    if len(by_round) > values["round"]:
        raise PositionError(
            f"by_round has {len(by_round)} rounds, but {values['round']} are finished."
        )
    if any(
        sum(won) > total for won, total in zip(zip(*by_round, strict=True), points, strict=False)
    ):
        raise PositionError("by_round adds up to more than points.")
    counts = bytes(revealed[value] for value in range(VALUES))
    return Ledger(points, counts, turned, by_round)


def _check_divers(state: DeepSeaState, done: Any) -> None:
    homes = [state.is_home(seat) for seat in range(len(state.places))]
    if list(read_list(done, "done")) != homes:
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
    if blanks < carried or (blanks > carried and state.phase not in COUNTED):
        raise PositionError(
            f"path has {blanks} blanks, but held has {carried} chips.",
            "Every chip that is carried has left one blank.",
        )


def _check_phase(state: DeepSeaState) -> None:
    seat, phase = state.current, state.phase
    if phase in IN_TURN and state.is_home(seat):
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
