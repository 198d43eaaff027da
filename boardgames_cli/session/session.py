"""A match with its seats, its save and its story; what a front end drives.

A front end asks what is to be done (`Session.next_event`), shows it, and reports back. All calls
belong to one thread; agents think elsewhere (see `thinking`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

from boardgames_cli.core.agent import Agent, Budget, ExplainsActions
from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.game import CHANCE, Observation, Seat, Traits
from boardgames_cli.core.match import Match
from boardgames_cli.core.options import options_of
from boardgames_cli.core.play import seat_stream
from boardgames_cli.core.text import Glyphs
from boardgames_cli.core.view import Look
from boardgames_cli.registry import make_agent, spec_of
from boardgames_cli.session.seats import Occupant
from boardgames_cli.session.thinking import Answer, Question
from boardgames_cli.storage.journal import Journal

GRACE_SECONDS: Final = 3.0
"""An agent that is so much later than its budget gets a random action instead."""

_WORLDS: Final = 24
"""So many guesses of what is hidden are tried to find out whether a step has shown something."""


class Event(Enum):
    """What a session waits for."""

    OVER = auto()
    CHANCE = auto()
    HUMAN = auto()
    AGENT = auto()
    FORCED = auto()
    """A person's turn with only one thing to do."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One sentence of the story, and the ply after which it was told."""

    ply: int
    text: str
    seat: Seat | None = None
    """Who did it; None for chance and the program."""


class Session:
    """One table.

    Args:
        match: The match, at any ply.
        occupants: The owner of every seat.
        journal: Its save; None plays without saving.
        budget: How much agents may think about one action.
        glyphs: Which characters views may use.
    """

    def __init__(
        self,
        match: Match[Any, Any],
        occupants: Sequence[Occupant],
        journal: Journal | None = None,
        budget: Budget = Budget(seconds=2.0),  # noqa: B008  # frozen
        glyphs: Glyphs = Glyphs.ASCII,
    ) -> None:
        self.match = match
        self.game = match.game
        self.spec = spec_of(match.game)
        self.view = self.spec.make_view()
        self.occupants = tuple(occupants)
        self.journal = journal
        self.budget = budget
        self.glyphs = glyphs
        self._shown: dict[Seat, int] = {}
        self._remarks: list[LogLine] = []
        self._story: list[LogLine] = []
        self._catch_up()

    # -- who and what ----------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """What the owners of the seats are called."""
        return tuple(occupant.name for occupant in self.occupants)

    @property
    def humans(self) -> tuple[Seat, ...]:
        """The seats of people."""
        return tuple(seat for seat, owner in enumerate(self.occupants) if owner.is_human)

    @property
    def title(self) -> str:
        """The game with the options that matter, such as ``Senet - skyruk, pieces 7``.

        Those are the ones that were changed, and the first if its value is a word: the variant.
        """
        shown = []
        for number, option in enumerate(options_of(self.game)):
            value = getattr(self.game, option.name)
            if isinstance(value, str):
                if number == 0 or value != option.default:
                    shown.append(value)
            elif value != option.default:
                word = ("off", "on")[value] if option.type is bool else value
                shown.append(f"{option.name.replace('_', ' ')} {word}")
        return f"{self.game.info.name} - {', '.join(shown)}" if shown else self.game.info.name

    def viewer(self) -> Seat | None:
        """Through whose eyes the table is shown: the person to act, else the only or first person.

        None, the spectator, if no person plays.
        """
        acting = [seat for seat in self.match.waiting_for if seat in self.humans]
        if acting:
            return acting[0]
        return self.humans[0] if self.humans else None

    def next_event(self) -> Event:
        """What is to be done next."""
        waiting = self.match.waiting_for
        if not waiting:
            return Event.OVER
        if waiting == (CHANCE,):
            return Event.CHANCE
        humans = [seat for seat in waiting if seat in self.humans]
        if not humans:
            return Event.AGENT
        return Event.FORCED if len(self.observe(humans[0]).legal) == 1 else Event.HUMAN

    def observe(self, seat: Seat | None, ply: int | None = None) -> Observation[Any, Any]:
        """What a seat sees now or saw at a ply."""
        return self.match.observe(seat, ply)

    def look(self, ply: int | None = None, highlight: Any = None) -> Look[Any]:
        """How the board is to be drawn at a ply: names, glyphs, the last step, the highlight."""
        ply = self.match.ply if ply is None else ply
        last = self.match.steps[ply - 1].joint if ply else {}
        return Look(self.glyphs, self.names, highlight, last)

    # -- the story -------------------------------------------------------------------------

    def log(self, upto: int | None = None) -> list[LogLine]:
        """All that was told, in order; with a ply, only what had happened by then."""
        lines = [*self._story, *self._remarks]
        lines.sort(key=lambda line: line.ply)
        return [line for line in lines if upto is None or line.ply <= upto]

    @property
    def remarks(self) -> tuple[LogLine, ...]:
        """What was told that is not a step: hints taken, agents that failed."""
        return tuple(self._remarks)

    def remark(self, text: str) -> None:
        """Tell something that is not a step, such as a hint taken, and save it."""
        self._remarks.append(LogLine(self.match.ply, text))
        if self.journal is not None:
            self.journal.note(self.match, text)

    def recall(self, notes: Sequence[tuple[int, str]]) -> None:
        """Take over the remarks of a resumed save."""
        self._remarks = [LogLine(ply, text) for ply, text in notes]

    def told_since(self, ply: int) -> list[str]:
        """The sentences about the steps after a ply."""
        return [line.text for line in self._story if line.ply > ply]

    def _catch_up(self) -> None:
        told = self._story[-1].ply if self._story else 0
        if told > self.match.ply:
            self._story = [line for line in self._story if line.ply <= self.match.ply]
            return
        eyes = self.humans[0] if len(self.humans) == 1 else None
        steps = self.match.steps
        for ply in range(told, self.match.ply):
            before = self.game.redact(self.match.state_at(ply), eyes)
            after = self.game.redact(self.match.state_at(ply + 1), eyes)
            joint = steps[ply].joint
            seat = next(iter(joint)) if len(joint) == 1 else CHANCE
            sentences = self.view.narrate(self.game, before, joint, after, self.look(ply))
            self._story += [
                LogLine(ply + 1, text, seat if seat != CHANCE else None) for text in sentences
            ]

    # -- going on --------------------------------------------------------------------------

    def resolve_chance(self) -> Any:
        """Let chance act; returns the outcome."""
        outcome = self.match.resolve_chance()
        self._went_on()
        return outcome

    def submit(self, seat: Seat, action: Any) -> None:
        """Let a seat act.

        Raises:
            IllegalActionError: It can't act so; nothing has changed.
            StorageError: The step was taken but can't be saved.
        """
        self.match.submit(seat, action)
        self._went_on()

    def _went_on(self) -> None:
        self._catch_up()
        if self.journal is not None:
            self.journal.record(self.match)

    # -- agents ----------------------------------------------------------------------------

    def question(self) -> Question:
        """The decision that the first waiting agent must take now."""
        seat = next(seat for seat in self.match.waiting_for if seat not in self.humans)
        agent = self.occupants[seat].agent
        assert agent is not None
        first = self._shown.get(seat)
        self._shown[seat] = self.match.ply + 1
        return Question(
            version=self.match.version,
            seat=seat,
            agent=agent,
            seen=self.observe(seat),
            rng=self.match.rng(seat_stream(seat)),
            budget=self.budget,
            restart=self.game if first is None else None,
            unseen=tuple(self.observe(seat, ply) for ply in range(first or 0, self.match.ply + 1)),
        )

    def accept(self, answer: Answer) -> bool:
        """Play an agent's answer; False if it came too late to count.

        An agent that failed gets a random legal action, and the log says so.
        """
        question = answer.question
        if question.version != self.match.version:
            return False
        action = answer.action
        if answer.error is not None:
            self._shown.pop(question.seat, None)
            action = self._stand_in(question, answer.error.message)
        self.submit(question.seat, action)
        return True

    def replace_late(self, question: Question) -> None:
        """Play a random action for an agent that does not come back."""
        limit = self.budget.seconds or 0.0
        self._shown.pop(question.seat, None)
        name = self.names[question.seat]
        action = self._stand_in(question, f"{name} did not answer within {limit:g} s.")
        self.submit(question.seat, action)

    def _stand_in(self, question: Question, reason: str) -> Any:
        action = self.match.rng("stand-in").choice(question.seen.legal)
        self.remark(f'{reason} Played at random instead: "{action}".')
        return action

    # -- back and forth --------------------------------------------------------------------

    def undo(self) -> None:
        """Go back to the last moment at which a person had a choice.

        Throws and deals come again as they were, since they derive from the seed. Where something
        is hidden, nothing is undone that has shown a person more than was known before.

        Raises:
            IllegalActionError: There is no such moment.
        """
        if any(seat in self.humans for seat in self.match.committed):
            self.match.undo()  # only what was just chosen in a joint step that is not complete
            self._went_back()
            return
        target = self._undo_target()
        while self.match.ply > target:
            self.match.undo()
        self._went_back()

    def redo(self) -> None:
        """Take again what was undone, up to a person's next choice.

        Raises:
            IllegalActionError: Nothing was undone, or something else was done since.
        """
        self.match.redo()
        while self.match.can_redo and not self._had_choice(self.match.ply):
            self.match.redo()
        self._went_back()

    def _undo_target(self) -> int:
        for ply in range(self.match.ply - 1, -1, -1):
            if Traits.HIDDEN in self.game.info.traits and self._has_shown(ply):
                raise IllegalActionError(
                    "what was shown since your last decision can't be hidden again."
                )
            if self._had_choice(ply):
                return ply
        raise IllegalActionError("there is no decision of yours to take back.")

    def _has_shown(self, ply: int) -> bool:
        """Whether the step at a ply showed a person something hidden, such as a card.

        It did if another state that looked the same to that person before would look different
        after the same step. A deal always counts.
        """
        joint = self.match.steps[ply].joint
        if CHANCE in joint:
            return True
        rng = random.Random(f"{self.match.seed}/shown/{ply}")
        for seat in self.humans:
            before = self.match.observe(seat, ply)
            after = self.game.redact(self.match.state_at(ply + 1), seat)
            for _ in range(_WORLDS):
                world = self.game.apply(self.game.determinize(before, rng), joint)
                if self.game.redact(world, seat) != after:
                    return True
        return False

    def _had_choice(self, ply: int) -> bool:
        state = self.match.state_at(ply)
        return any(
            seat in self.humans and len(self.game.legal_actions(state, seat)) > 1
            for seat in self.game.to_act(state)
        )

    def _went_back(self) -> None:
        self._shown.clear()
        self._catch_up()
        if self.journal is not None:
            self.journal.rewrite(self.match)

    # -- help ------------------------------------------------------------------------------

    def refused(self, seat: Seat) -> list[tuple[Any, str]]:
        """Tempting actions that are illegal now, each with the reason."""
        state = self.observe(seat).state
        return [
            (action, self.game.explain_illegal(state, seat, action))
            for action in self.game.tempting(state, seat)
        ]

    def adviser(self) -> Agent[Any, Any]:
        """The agent that gives hints: the game's strongest level."""
        return make_agent(self._strongest, self.game)

    def rival(self, seat: Seat) -> tuple[str, Agent[Any, Any]] | None:
        """Another agent at the table that can say what it thinks of a seat's choices, by its name.

        It is made anew, so that it can be asked while its twin plays.
        """
        for other, occupant in enumerate(self.occupants):
            if other == seat or occupant.is_human or occupant.spec == self._strongest:
                continue
            agent = make_agent(occupant.spec, self.game)
            if isinstance(agent, ExplainsActions):
                return occupant.name, agent
        return None

    @property
    def _strongest(self) -> str:
        return list(self.spec.levels.values())[-1]

    def worth(self, value: float) -> str:
        """An expected return in words: a share of wins where that is what it means."""
        # Where one seat wins what the other loses and positions have an evaluation, a return of -1
        # is a loss and 1 a win.
        is_duel = self.game.seats == 2 and Traits.ZERO_SUM in self.game.info.traits
        if is_duel and self.spec.heuristic and abs(value) <= 1:
            return f"win {(value + 1) / 2:.0%}"
        return f"expected result {value:+.2f}"

    def estimate(self, seen: Observation[Any, Any]) -> float | None:
        """The winning chances (0 to 1) of the seat that looks, as the game's evaluation sees them.

        None for spectators, without an evaluation, and where returns are not just a win or a loss.
        """
        heuristic = self.spec.load_heuristic()
        is_duel = self.game.seats == 2 and Traits.ZERO_SUM in self.game.info.traits
        if heuristic is None or seen.seat is None or not is_duel:
            return None
        return (heuristic(self.game, seen.state, seen.seat) + 1) / 2

    def review(self) -> list[str]:
        """What the game says about the match once it is over, such as luck and mistakes."""
        review = self.spec.load_review()
        if review is None or not self.match.is_over or self.match.truncated:
            return []
        return review(self.match, self.look(), self.viewer())

    def close(self) -> None:
        """Release the save."""
        if self.journal is not None:
            self.journal.close()
