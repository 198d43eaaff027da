"""What positions and choices of a game are worth: the contract of reviews, hints and puzzles.

A game offers an `Analyst` through its spec. It says what a position is worth to every seat, what
each choice is worth to the seat that has it, and why one choice is better than another, in the
game's own words. Every number says whether it is exact, and how far off it may be.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, Generic, TypeAlias

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, A, AnyGame, C, Observation, S, Seat
from boardgames_cli.core.info import Traits
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.view import G

CERTAIN: Final = 2.0
"""Standard errors by which a loss must exceed nothing before it is called a mistake."""


class NoAnalystError(GameError):
    """Nothing can judge the positions of a game."""


class Mark(Enum):
    """How grave a loss is; the values are the signs that chess players write."""

    GOOD = ""
    INACCURACY = "?!"
    MISTAKE = "?"
    BLUNDER = "??"

    @property
    def word(self) -> str:
        """The mark in a word, such as ``blunder``."""
        return self.name.lower()


_LEAST: Final = ((Mark.BLUNDER, 0.20), (Mark.MISTAKE, 0.10), (Mark.INACCURACY, 0.05))
"""The smallest share of the scale that earns each mark."""

WORTH_TELLING: Final = 0.01
"""The smallest share of the scale that a review speaks of at all."""

_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Scale:
    """What returns are counted in, and how much of it is a lot."""

    name: str
    """What is counted, such as ``chips``."""
    size: float
    """The difference of returns that counts as 100 %."""
    is_chance: bool = False
    """Whether a return of -1 is a loss and 1 a win, so that a share of ``size`` is a chance."""

    def share(self, difference: float) -> float:
        """A difference of returns as a share of the scale."""
        return difference / self.size

    def mark(self, loss: float, error: float = 0.0) -> Mark:
        """How grave a loss is; none that its error explains is a mistake.

        Args:
            loss: How much less was expected after the choice than after the best one.
            error: Its standard error.
        """
        if loss <= CERTAIN * error:
            return Mark.GOOD
        share = self.share(loss) + _ROUNDING
        return next((mark for mark, least in _LEAST if share >= least), Mark.GOOD)

    def is_worth_telling(self, loss: float, error: float = 0.0) -> bool:
        """Whether a loss is beyond its error and not quite negligible."""
        return loss > CERTAIN * error and self.share(loss) >= WORTH_TELLING

    def say(self, difference: float) -> str:
        """A difference of returns with its sign, such as ``+12.3 %`` or ``-0.42 chips``."""
        if self.is_chance:
            return f"{100 * self.share(difference) + 0.0:+.1f} %"
        # Rounded first, with 0 added, a little less than nothing is no -0.00.
        return f"{round(difference, 2) + 0.0:+.2f} {self.name}"

    def say_loss(self, loss: float) -> str:
        """A loss without a sign, such as ``12.3 %`` or ``0.42 chips``."""
        return self.say(loss).lstrip("+-")

    def say_return(self, value: float) -> str:
        """An expected return: a chance to win where it means one, else the amount."""
        if self.is_chance:
            return f"{min(1.0, max(0.0, (value + 1) / 2)):.1%}".replace("%", " %")
        return f"{round(value, 2) + 0.0:+.2f} {self.name}"


CHANCE_TO_WIN: Final = Scale("chance to win", 2.0, is_chance=True)
"""The scale of games in which -1 is a loss and 1 a win."""


@dataclass(frozen=True, slots=True)
class Method:
    """How numbers were found."""

    is_exact: bool
    text: str
    """In a few words, such as ``every position is solved``."""
    plays: int = 0
    """Games that were played for each number; 0 if none were."""

    def __str__(self) -> str:
        return f"{'exact' if self.is_exact else 'estimate'}: {self.text}"


@dataclass(frozen=True, slots=True)
class Value:
    """What a position is worth to every seat."""

    returns: tuple[float, ...]
    """By seat the expected final return."""
    error: float = 0.0
    """The standard error of each of them; 0 if they are exact."""
    is_exact: bool = False
    chances: tuple[float, ...] = ()
    """By seat the chance to win; they add up to 1. Empty if the game counts something else."""


@dataclass(frozen=True, slots=True)
class Choice(Generic[A]):
    """What one action is worth, by what the seat that has the choice can know."""

    action: A
    returns: tuple[float, ...]
    """By seat the expected final return after it."""
    error: float = 0.0
    """The standard error of each of them."""
    loss: float = 0.0
    """How much less it brings the seat to act than the best choice; never negative."""
    loss_error: float = 0.0
    """The standard error of the loss; equal luck for all choices makes it smaller than `error`."""
    frequency: float | None = None
    """How often the reference takes it, where that mixes its actions."""
    words: str = ""
    """What is known besides, such as ``win in 7``."""


@dataclass(frozen=True, slots=True)
class Judgement(Generic[A]):
    """What all choices of a seat are worth at one moment."""

    seat: Seat
    choices: tuple[Choice[A], ...]
    """All legal actions, the best first."""
    expected: tuple[float, ...]
    """By seat the expected final return if the seat chooses as the reference does."""
    method: Method
    error: float = 0.0
    """The standard error of `expected`."""

    @property
    def best(self) -> Choice[A]:
        """The best choice; one of several equally good ones."""
        return self.choices[0]

    @property
    def is_open(self) -> bool:
        """Whether it matters what is chosen."""
        return any(choice.loss > _ROUNDING for choice in self.choices)

    def of(self, action: A) -> Choice[A]:
        """What an action is worth.

        Raises:
            KeyError: It is not one of the choices.
        """
        for choice in self.choices:
            if choice.action == action:
                return choice
        raise KeyError(str(action))


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one choice is better than another."""

    kind: str = ""
    """The kind of mistake in the game's own words, such as ``left a dancer open``."""
    text: str = ""
    """The facts in a sentence that names nobody; empty if nothing can be said."""


NO_REASON: Final = Reason()
"""Where there is nothing to say."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to be said about a whole match."""

    seat: Seat | None
    """Whom it is about; None if everybody."""
    text: str


@dataclass(frozen=True)
class Analyst(ABC, Generic[G, S, A, C]):
    """Judges the positions of one game, with its options.

    Equal questions get equal answers: what is drawn at random comes from fixed seeds. Nothing but
    `value`, `outcomes` and `remarks` sees what is hidden from a seat.
    """

    game: G
    """The rulebook."""

    version: ClassVar[int] = 1
    """Raised when its numbers change, so that reviews kept from before are made again."""
    is_quick: ClassVar[bool] = False
    """Whether a whole game is judged in well under a second."""
    every: ClassVar[int] = 1
    """Where several seats act at once, positions are judged every so many steps."""

    @classmethod
    def why_not(cls, game: AnyGame) -> str | None:
        """None if a game with these options can be judged here, otherwise the reason why not."""
        del game  # by default all of them
        return None

    @property
    def step_error(self) -> float:
        """By how much an estimate corrects itself in a step, as a random walk; 0 if not measured.

        Over a game of n steps the corrections then add up to about the root of n times as much.
        """
        return 0.0

    @property
    @abstractmethod
    def scale(self) -> Scale:
        """What returns are counted in."""

    @property
    @abstractmethod
    def method(self) -> Method:
        """How numbers come about in general; single ones may be exact where the rest is not."""

    @abstractmethod
    def value(self, state: S) -> Value:
        """What a position is worth, to one who knows all of it.

        Where the game is over, exactly its returns. Where chance acts and its outcomes are listed,
        the mean of `outcomes`.
        """

    @abstractmethod
    def judge(
        self, seen: Observation[S, A], earlier: Sequence[Observation[S, A]] = ()
    ) -> Judgement[A]:
        """What each choice of the seat to act is worth, by what it can know.

        Args:
            seen: What the seat sees; ``seen.legal`` is not empty.
            earlier: What it saw before, for games in which that matters.
        """

    def outcomes(self, state: S) -> Sequence[tuple[C, float, Value]]:
        """Every outcome of chance with its probability and what the position is worth then.

        Empty where outcomes are not weighed one by one; luck is then what the value changes by.
        """
        game = self.game
        return [
            (outcome, chance, self.value(game.apply_chance(state, outcome)))
            for outcome, chance in game.chance_outcomes(state)
        ]

    def label(self, seen: Observation[S, A], action: A) -> str:
        """What to call a choice in a list of mistakes; by default its notation."""
        return str(action)

    def chance_seat(self, state: S, outcome: C) -> Seat | None:
        """For whom chance acts: who throws the dice. None if for nobody, or for several.

        What came, and what its seat decides right after it, is told as one turn. By default it is
        the seat that decides next, in games without secrets.

        Args:
            state: The position in which chance acts.
            outcome: What came.
        """
        if Traits.HIDDEN in self.game.traits:
            return None
        seats = self.game.to_act(self.game.apply_chance(state, outcome))
        return seats[0] if len(seats) == 1 and seats[0] != CHANCE else None

    def chance_label(self, outcome: C) -> str:
        """What chance did for its seat, to stand after a name; by default ``got`` what came."""
        return f"got {outcome}"

    def moment(self, seen: Observation[S, A]) -> str:
        """When a decision was taken, in the game's own count; by default ``step 12``."""
        return f"step {seen.ply + 1}"

    def reason(self, seen: Observation[S, A], played: A, better: A) -> Reason:
        """Why one choice is better than another, in the game's own words.

        Args:
            seen: What the seat to act sees.
            played: What it did.
            better: What would have been better.
        """
        return NO_REASON

    def share_questions(self) -> Sequence[ShareQuestion[S, A]]:
        """What can be asked of the game's mixed choices; nothing where one choice is the best."""
        return ()

    def remarks(self, match: AnyMatch) -> Sequence[Remark]:
        """What there is to say about a match that is over, beside its single decisions."""
        return ()


@dataclass(frozen=True, slots=True)
class ShareQuestion(Generic[S, A]):
    """How often an action is right where good play mixes: something to ask in a puzzle."""

    seen: Observation[S, A]
    """What the seat to act sees."""
    action: A
    task: str
    """The question, such as ``How often must the king bet?``."""
    low: float
    high: float
    """The least and the greatest share that is right, 0 to 1."""
    why: str
    """The reason, as a sentence without a full stop."""


AnyAnalyst: TypeAlias = Analyst[Any, Any, Any, Any]
"""An analyst of any game."""


def ranked(
    seat: Seat, choices: Sequence[Choice[A]], method: Method, error: float = 0.0
) -> Judgement[A]:
    """A judgement by choices whose losses follow from their returns; the reference takes the best.

    Args:
        seat: Whose choices they are.
        choices: One for every legal action, in any order; their losses are worked out here.
        method: How they were found.
        error: The standard error of the expected returns.
    """
    best = max(choice.returns[seat] for choice in choices)
    with_losses = [
        Choice(
            choice.action,
            choice.returns,
            choice.error,
            best - choice.returns[seat],
            choice.loss_error if choice.returns[seat] < best else 0.0,
            choice.frequency,
            choice.words,
        )
        for choice in choices
    ]
    in_order = tuple(sorted(with_losses, key=lambda choice: choice.loss))
    return Judgement(seat, in_order, in_order[0].returns, method, error)
