"""A match as lines of JSON: the format of saves and replays.

The first line is the header. Then come one line for every step, occasional digests of the state,
notes, and finally the result; docs/file-formats.md shows an example. Reading replays every step
through the rules, so a record may be wrong, but it can never lead to an illegal state.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.codec.derived import object_codec, read_entries
from boardgames_cli.codec.json_reader import decode_json
from boardgames_cli.core.errors import GameError, RecordError, UnknownActionError
from boardgames_cli.core.game import CHANCE, AnyGame, Step, Traits, read_ending
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.options import option_values

FORMAT: Final = 1
"""The format that this version writes; it reads this one and all earlier ones."""

DIGEST_EVERY: Final = 20

_HIGHEST_PLY: Final = 10**9
_CHANCE_KEY: Final = "chance"
_UNWRITTEN: Final = ("agent_seed", "tick", "dice", "ended")
"""Fields that are not written if they are None."""
_RESTORE: Final = "Restore an older copy, or move it away: boardgames doctor shows where saves are."


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: the game and its players."""

    game: str
    rules_version: int
    options: Mapping[str, Any]
    seed: int
    seats: tuple[str, ...]
    """The specification of every seat's holder, such as ``human:name=Ann``."""
    start: Mapping[str, Any] | None = None
    """The first position, if it is not the game's initial one."""
    max_plies: int | None = None
    """The match is truncated after this many steps."""
    created: str = ""
    """The start time in ISO 8601."""
    program: str = ""
    """The program version that wrote it."""
    agent_seed: int | None = None
    """The seed of the agents' randomness; None, and not written, if it derives from the seed."""
    tick: float | None = None
    """Seconds between joint steps in real time; None, and not written, in turn-based play."""
    dice: Mapping[str, Any] | None = None
    """What the seed was made of, if several sides agreed on it (`online.fair_dice`); None, and not
    written, otherwise."""
    ended: Mapping[str, Any] | None = None
    """Why the players ended it where it is truncated, such as ``{"reason": "resigned", "loser":
    0}``; None, and not written, if they did not."""

    def line(self) -> str:
        """The header as a line."""
        data = object_codec(Header).write(self)
        for name in _UNWRITTEN:
            if data[name] is None:
                del data[name]
        return _dump({"boardgames": FORMAT, **data})


def header_of(match: AnyMatch, seats: Iterable[str], program: str = "") -> Header:
    """The header of a match that these holders of seats play."""
    game, info = match.game, match.game.info
    return Header(
        info.id,
        info.rules_version,
        option_values(game),
        match.seed,
        tuple(seats),
        None if match.start == game.initial_state() else game.to_json(match.start),
        match.max_plies,
        program=program,
        agent_seed=match.agent_seed,
    )


@dataclass(frozen=True, slots=True)
class Record:
    """A record read from lines, not yet checked against the rules."""

    header: Header
    steps: tuple[Mapping[str, str], ...] = ()
    """The notations of each step, by seat number or ``chance``."""
    result: tuple[float, ...] | None = None
    """The returns of all seats, if the match was finished."""
    notes: tuple[tuple[int, str], ...] = ()
    """Remarks with their ply: hints taken, agents that failed."""
    digests: Mapping[int, str] = field(default_factory=dict)
    """Digests of states by ply."""
    torn: bool = False
    """Whether the last line was incomplete and has been ignored."""
    unterminated: bool = False
    """Whether the text does not end with a newline, so that nothing can be appended."""
    step_lines: tuple[int, ...] = ()
    """The line number of each step, for messages."""

    def restore(self, game: AnyGame) -> AnyMatch:
        """Replay the record through the rules.

        Raises:
            RecordError: A step is illegal, or leads to a different state than recorded.
        """
        header = self.header
        check_rules_version(header, game)
        with _as_damage("the start position is wrong", 1):
            start = None if header.start is None else game.from_json(header.start)
        match: AnyMatch = Match(
            game,
            seed=header.seed,
            agent_seed=header.agent_seed,
            start=start,
            max_plies=header.max_plies,
        )
        match.ended = read_ending(header.ended, game.seats)
        for texts, line in zip(self.steps, self.step_lines, strict=True):
            _replay_step(match, texts, line)
            wanted = self.digests.get(match.ply)
            if wanted is not None and wanted != digest(game, match.state):
                raise RecordError(
                    f"the position after step {match.ply} is not the one that was saved.",
                    _RESTORE,
                    line,
                )
        if self.result is not None and not (match.is_over and self.result == match.returns):
            raise RecordError("the result is not the one of these moves.", _RESTORE)
        return match


def step_texts(step: Step[Any, Any]) -> dict[str, str]:
    """The notations of a step, by seat number or ``chance``, without hidden ones."""
    if step.is_chance:
        return {} if step.outcome is None else {_CHANCE_KEY: str(step.outcome)}
    return {str(seat): str(action) for seat, action in step.joint.items()}


def digest(game: AnyGame, state: Any) -> str:
    """A short fingerprint of a state."""
    text = json.dumps(game.to_json(state), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def note_line(ply: int, text: str) -> str:
    """A note as a line."""
    return _dump({"note": text, "ply": ply})


def lines_after(match: AnyMatch, ply: int) -> Iterator[str]:
    """The lines to append for everything from a ply on, including digests and the result."""
    for number, step in enumerate(match.steps[ply:], start=ply + 1):
        yield _dump(step_texts(step))
        if number % DIGEST_EVERY == 0:
            fingerprint = digest(match.game, match.state_at(number))
            yield _dump({"digest": fingerprint, "ply": number})
    if match.is_over and match.ended is None:
        yield _dump({"result": list(match.returns)})


def record_text(header: Header, match: AnyMatch, notes: Iterable[tuple[int, str]] = ()) -> str:
    """A whole match as the text of a file; the notes come with their plies."""
    remarks = (note_line(ply, text) for ply, text in notes)
    return "".join(f"{line}\n" for line in (header.line(), *remarks, *lines_after(match, 0)))


def _dump(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": "))


def read_lines(lines: Iterable[str]) -> Record:
    """Read a record; an incomplete last line is ignored and reported by ``torn``.

    Raises:
        RecordError: The lines are not a valid record; the message gives the line number.
    """
    lines = list(lines)
    if not any(line.strip() for line in lines):
        raise RecordError("the file is empty.", "Choose another save, or delete this one.")
    if not lines[0].strip():
        raise RecordError("its first line is blank.", "Delete blank lines before the header.")
    header = _read_header(_object(lines[0], 1))
    steps: dict[int, Mapping[str, str]] = {}
    digests: dict[int, str] = {}
    notes: list[tuple[int, str]] = []
    result: tuple[float, ...] | None = None
    torn = False
    for number, line in enumerate(lines[1:], 2):
        try:
            match _object(line, number) if line.strip() else None:
                case None:
                    continue
                case {"digest": str(fingerprint), "ply": int(ply)} if 0 <= ply <= _HIGHEST_PLY:
                    digests[ply] = fingerprint
                case {"note": str(text), "ply": int(ply)} if 0 <= ply <= _HIGHEST_PLY:
                    notes.append((ply, text))
                case {"result": list(returns)} if all(map(_is_return, returns)):
                    result = tuple(float(value) for value in returns)
                case data if data and all(isinstance(value, str) for value in data.values()):
                    steps[number] = data
                case _:
                    what = "this is not a step, digest, note or result."
                    raise RecordError(what, _RESTORE, number)
        except RecordError:
            # Only the very last line can be incomplete, and then it has no newline.
            torn = number == len(lines) and not line.endswith("\n")
            if not torn:
                raise
    unterminated = not lines[-1].endswith("\n")
    listed = tuple(steps.values()), result, tuple(notes), digests
    return Record(header, *listed, torn, unterminated, tuple(steps))


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        # Not `JsonReader`: names and notes may contain lone surrogates, as terminals send them.
        data = decode_json(line)
    except (ValueError, RecursionError, MemoryError):
        raise RecordError("this can't be read as JSON.", _RESTORE, number) from None
    if not isinstance(data, dict):
        raise RecordError("this is not a JSON object.", _RESTORE, number)
    return data


def _is_return(value: object) -> bool:
    """Whether a number in a result fits into a float; JSON allows any number of digits."""
    if isinstance(value, int):
        return abs(value) <= _HIGHEST_PLY
    return isinstance(value, float) and math.isfinite(value)


def _read_header(data: dict[str, Any]) -> Header:
    format = data.pop("boardgames", None)
    if not isinstance(format, int) or isinstance(format, bool) or format < 1:
        raise RecordError("this is not a save of boardgames.", "Choose another file.", 1)
    if format > FORMAT:
        raise RecordError(
            f"it was written in format {format}; this version reads 1-{FORMAT}.",
            "Update boardgames.",
            1,
        )

    def wrong(key: str) -> RecordError:
        return RecordError(f'the header has no valid "{key}".', _RESTORE, 1)

    return read_entries(Header, data, wrong)


def check_rules_version(header: Header, game: AnyGame) -> None:
    """Refuse a record that was played by another version of the rules.

    Raises:
        RecordError: The versions differ; the message names both.
    """
    if header.rules_version == game.info.rules_version:
        return
    writer = f" ({header.program})" if header.program else ""
    raise RecordError(
        f"it was played by version {header.rules_version} of the rules of {game.info.name}; "
        f"this program plays version {game.info.rules_version}.",
        f"Finish it with the version of boardgames that wrote it{writer}.",
        1,
    )


def _replay_step(match: AnyMatch, texts: Mapping[str, str], line: int) -> None:
    # Keys are compared with those of the seats to act, so that each has only one spelling and a
    # line can't hold more than one step.
    waiting = {_CHANCE_KEY if seat == CHANCE else str(seat): seat for seat in match.waiting_for}
    if not waiting:
        raise RecordError("this step can't be played: the game is over.", _RESTORE, line)
    for key in texts:
        if key not in waiting:
            raise RecordError(
                f'this step can\'t be played: "{key}" is not to act here, '
                f"but {', '.join(waiting)}.",
                _RESTORE,
                line,
            )
    if len(texts) < len(waiting):
        raise RecordError("this step is not complete.", _RESTORE, line)
    hides = Traits.HIDDEN in match.game.traits
    with _as_damage("this step can't be played", line, quotes=not hides):
        for key, text in texts.items():
            game, state, seat = match.game, match.state, waiting[key]
            is_chance = seat == CHANCE
            found = game.parse_chance(state, text) if is_chance else game.parse(state, seat, text)
            # People may abbreviate; in a record an abbreviated notation is damage.
            if str(found) != text:
                raise UnknownActionError(f'"{text}" is not the notation of an action.')
            match.take(Step.of_chance(found) if is_chance else Step({seat: found}))


@contextlib.contextmanager
def _as_damage(what: str, line: int, *, quotes: bool = True) -> Iterator[None]:
    """Report any exception of a parser as damage in a line.

    The reason names the action taken and the legal ones, and so may reveal hidden cards.
    """
    try:
        yield
    except GameError as error:
        reason = f"{what}: {error.message}" if quotes else f"{what}."
        raise RecordError(reason, _RESTORE, line) from error
    except (ValueError, ArithmeticError, RecursionError, MemoryError) as error:
        raise RecordError(f"{what} ({type(error).__name__}).", _RESTORE, line) from error
