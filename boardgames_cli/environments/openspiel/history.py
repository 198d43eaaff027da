"""The history of a state, and each seat's knowledge of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, AnyGame, Observation, Seat, Step, Traits
from boardgames_cli.core.options import option_values
from boardgames_cli.registry import make

AnyStep = Step[Any, Any]

_DIGEST_BYTES = 8


@dataclass(frozen=True, slots=True)
class Note:
    """What a seat learned from one step."""

    text: str
    """The step as the seat may know it."""
    digest: str
    """A digest of everything the seat has observed so far; empty in perfect-information games."""


@dataclass(eq=False, slots=True)
class History:
    """A state with its predecessors, as an immutable linked list.

    Copies of OpenSpiel's states share it.
    """

    game: AnyGame
    state: Any
    before: History | None = None
    """The history before the last step; None at the start."""
    step: AnyStep | None = None
    """The step that led here."""
    ply: int = 0
    to_act: tuple[Seat, ...] = field(init=False)
    notes: dict[Seat, Note] = field(default_factory=dict)
    """A cache of what seats learned from the step."""
    choices: dict[Seat, dict[int, Any]] = field(default_factory=dict)
    """A cache of the seats' legal actions by id."""

    def __post_init__(self) -> None:
        self.to_act = self.game.to_act(self.state)

    @property
    def is_chance(self) -> bool:
        """Whether chance is to act."""
        return self.to_act == (CHANCE,)

    def after(self, step: AnyStep) -> History:
        """The history after a step."""
        state = self.game.apply_step(self.state, step)
        return History(self.game, state, self, step, self.ply + 1)

    def legal(self, seat: Seat) -> dict[int, Any]:
        """The legal actions of a seat by id, in the order of ids.

        Raises:
            GameError: Two have the same id.
        """
        if seat not in self.choices:
            self.choices[seat] = self._legal(seat) if seat in self.to_act else {}
        return self.choices[seat]

    def _legal(self, seat: Seat) -> dict[int, Any]:
        game, state = self.game, self.state
        actions = game.legal_actions(state, seat)
        found = {game.action_id(state, action): action for action in actions}
        if len(found) < len(actions):
            raise GameError(
                f"two legal actions of {game.info.name} have the same id.",
                "OpenSpiel needs ids that differ; see Game.action_id.",
            )
        return dict(sorted(found.items()))

    def observe(self, seat: Seat | None) -> Observation[Any, Any]:
        """What a seat, or a spectator, sees now."""
        return self.game.observe(self.state, seat, self.ply)

    def links(self) -> Iterator[History]:
        """All histories from this one back to the start."""
        link: History | None = self
        while link is not None:
            yield link
            link = link.before

    def known_step(self, seat: Seat) -> AnyStep:
        """The step that led here, as a seat may know it."""
        assert self.before is not None, "no step leads to the beginning"
        assert self.step is not None, "no step leads to the beginning"
        return self.game.redact_step(self.before.state, self.step, seat)

    def known(self, seat: Seat) -> str:
        """Everything a seat has done and seen, as a unique string.

        It lists the steps as the seat may know them. These may not include everything observed, so
        in games with hidden information a digest of all observations follows in brackets.
        """
        digest = self._note(seat).digest
        return f"{seat}: {self._known_steps(seat)}{f' [{digest}]' if digest else ''}"

    def _known_steps(self, seat: Seat) -> str:
        texts = (link.notes[seat].text for link in self._oldest_first(seat))
        return ", ".join(filter(None, texts))

    def _oldest_first(self, seat: Seat) -> list[History]:
        links = list(self.links())
        links.reverse()
        for link in links:  # notes build on each other; recursion could be too deep
            if seat not in link.notes:
                link.notes[seat] = link._make_note(seat)
        return links

    def _note(self, seat: Seat) -> Note:
        if seat not in self.notes:
            self._oldest_first(seat)
        return self.notes[seat]

    def _make_note(self, seat: Seat) -> Note:
        text = "" if self.before is None else _step_text(self.known_step(seat))
        if Traits.HIDDEN not in self.game.traits:
            return Note(text, "")
        seen = position_text(self.game, self.game.redact(self.state, seat))
        earlier = "" if self.before is None else self.before.notes[seat].digest
        return Note(text, _digest(earlier, seen))

    def resampled(self, seat: Seat, state: Any) -> History:
        """A history with one seat's knowledge, and no memory of the others.

        Args:
            seat: The seat whose knowledge is kept.
            state: A state that it can't tell from this one.
        """
        kept = Note(self._known_steps(seat), self._note(seat).digest)
        return History(self.game, state, ply=self.ply, notes={seat: kept})

    # -- for pickles -------------------------------------------------------------------------

    def __deepcopy__(self, memo: object) -> History:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        links = list(self.links())
        root = links[-1]
        start = None
        if root.ply or root.state != self.game.initial_state():
            start = (self.game.to_json(root.state), root.ply, root.notes)
        steps = [_written(link.step) for link in reversed(links[:-1]) if link.step is not None]
        return restored, (self.game.info.id, option_values(self.game), start, steps)


class HasPast(Protocol):
    """An OpenSpiel state with a history."""

    past: History


def restored(
    id: str,
    options: Mapping[str, Any],
    start: tuple[Mapping[str, Any], int, dict[Seat, Note]] | None,
    steps: list[dict[Seat, str] | str],
) -> History:
    """Rebuild a history from its start and the notations of its steps."""
    game = make(id, **options)
    history = History(game, game.initial_state())
    if start is not None:
        history = History(game, game.from_json(start[0]), ply=start[1], notes=start[2])
    for step in steps:
        state = history.state
        if isinstance(step, str):
            history = history.after(Step.of_chance(game.parse_chance(state, step)))
        else:
            joint = {seat: game.parse(state, seat, text) for seat, text in step.items()}
            history = history.after(Step(joint))
    return history


def position_text(game: AnyGame, state: Any) -> str:
    """A position as JSON on one line."""
    return json_line(game.to_json(state))


def json_line(data: Mapping[str, Any]) -> str:
    """An object as JSON on one line."""
    return json.dumps(data, separators=(",", ":"))


def _written(step: AnyStep) -> dict[Seat, str] | str:
    if step.is_chance:
        return str(step.outcome)
    return {seat: str(action) for seat, action in step.joint.items()}


def _step_text(step: AnyStep) -> str:
    if step.is_chance:
        return "?" if step.outcome is None else str(step.outcome)
    return " + ".join(f"{seat} {action}" for seat, action in step.joint.items()) or "?"


def _digest(*texts: str) -> str:
    joined = "\n".join(texts).encode()
    return hashlib.blake2b(joined, digest_size=_DIGEST_BYTES).hexdigest()
