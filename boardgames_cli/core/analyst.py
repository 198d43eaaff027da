"""The contract for evaluating positions and choices, used by reviews, hints and puzzles.

A game offers an `Analyst` through its spec. It evaluates positions for every seat and choices for
the seat to act, and explains in the game's own words why one choice is better than another. Every
number comes with its standard error, 0 if it is exact.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, ClassVar, Final, Generic, Self, TypeAlias

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, A, AnyGame, C, Observation, S, Seat, Traits
from boardgames_cli.core.presentation.view import G
from boardgames_cli.core.text import percent

CERTAIN: Final = 2.0
"""A loss counts as a mistake only if it exceeds this many of its standard errors."""


class NoAnalystError(GameError):
    """No analyst is available for a game."""


class Mark(Enum):
    """How serious a loss is; the values are the symbols of chess annotation."""

    GOOD = ""
    INACCURACY = "?!"
    MISTAKE = "?"
    BLUNDER = "??"

    @property
    def word(self) -> str:
        """The mark as a word, such as ``blunder``."""
        return self.name.lower()


_LEAST: Final = ((Mark.BLUNDER, 0.20), (Mark.MISTAKE, 0.10), (Mark.INACCURACY, 0.05))
"""The smallest loss, as a share of the scale, for each mark."""

LEAST_NOTABLE: Final = 0.01
"""Reviews do not mention losses below this share of the scale."""

_WHOLE_DISTANCE: Final = 2 / 9
"""The share of the scale that giving up the whole distance to a lost end would cost: keeping a
tenth of it is a blunder, 55 % a mistake, 77.5 % an inaccuracy."""

_HALFWAY: Final = 10
"""The distance of a solved end, in plies, at which its height is half of what it can be."""

_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Scale:
    """The unit of returns, and the size of a large difference."""

    name: str
    """The unit, such as ``chips``."""
    size: float
    """The difference of returns that counts as 100 %."""
    is_chance: bool = False
    """Whether returns run from -1 (loss) to 1 (win), so that a share of ``size`` is a
    probability."""
    whole: str = "a game"
    """What the whole of a chance is about."""
    part: str = ""
    """What the values of choices are about: ``in this hand``; of chances: ``to win``, or
    ``to survive``."""

    def share(self, difference: float) -> float:
        """A difference of returns as a share of the scale."""
        return difference / self.size

    def mark(self, loss: float, error: float = 0.0) -> Mark:
        """The mark for a loss; a loss within its error gets none.

        The loss is the expected return after the best choice minus that after the choice made.
        """
        if loss <= CERTAIN * error:
            return Mark.GOOD
        share = self.share(loss) + _ROUNDING
        return next((mark for mark, least in _LEAST if share >= least), Mark.GOOD)

    def is_notable(self, loss: float, error: float = 0.0) -> bool:
        """Whether a loss exceeds its error and is not negligible."""
        return loss > CERTAIN * error and self.share(loss) >= LEAST_NOTABLE

    def format(self, difference: float) -> str:
        """A difference of returns with its sign, such as ``+12.3 %`` or ``-0.42 chips``."""
        if self.is_chance:
            return f"{100 * self.share(difference) + 0.0:+.1f} %"
        # Rounding first and adding 0.0 turns -0.00 into 0.00.
        return f"{round(difference, 2) + 0.0:+.2f} {self.name}"

    def format_loss(self, loss: float) -> str:
        """A loss without a sign, such as ``12.3 %`` or ``0.42 chips``."""
        return self.format(loss).lstrip("+-")

    def format_total(self, loss: float, *, is_bare: bool = False) -> str:
        """The sum of a game's losses, such as ``26 % of a game`` or, bare, ``26 %``."""
        if self.is_chance:
            return percent(self.share(loss)) + ("" if is_bare else f" of {self.whole}")
        amount = self._amount(loss, 1)
        return amount.split()[0] if is_bare else amount

    def format_cost(self, choice: Any) -> str:
        """What a choice gives up: ``12.3 %``; empty if its words tell what it leads to."""
        if self.is_chance and choice.words and choice.frequency is None:
            return ""
        return (self.format_loss if self.is_chance else self._amount)(choice.loss)

    def _amount(self, loss: float, digits: int = 2) -> str:
        amount = f"{loss:.{digits}f}".rstrip("0").removesuffix(".")
        return f"{amount} {self.name.removesuffix('s') if amount == '1' else self.name}"

    def format_return(self, value: float) -> str:
        """An expected return: as a probability if the scale is one, else as an amount."""
        if self.is_chance:
            return percent(min(1.0, max(0.0, (value + 1) / 2)), 1)
        return f"{round(value, 2) + 0.0:+.2f} {self.name}"


CHANCE_TO_WIN: Final = Scale("chance to win", 2.0, is_chance=True, part="to win")
"""The scale of games in which -1 is a loss and 1 a win."""


@dataclass(frozen=True, slots=True)
class Method:
    """How a value was computed."""

    is_exact: bool
    text: str
    """A short description, such as ``every position is solved``."""
    plays: int = 0
    """The number of games simulated for each value; 0 if none were."""
    knows_players: bool = False
    """Whether it takes the agents at the table as they were measured to play."""

    def __str__(self) -> str:
        return f"{'exact' if self.is_exact else 'estimate'}: {self.text}"


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a position for every seat."""

    returns: tuple[float, ...]
    """The expected final return of each seat."""
    error: float = 0.0
    """Their standard error; 0 if they are exact."""
    is_exact: bool = False
    chances: tuple[float, ...] = ()
    """Each seat's probability of winning; they sum to 1. Empty if the game is not about winning."""
    distance: int | None = None
    """In solved positions that are not drawn, the plies to the end by best play."""

    @property
    def heights(self) -> tuple[float, ...]:
        """The heights of bars and curves, 0 to 1, by seat; empty without chances.

        They are the chances; a distant win or loss that is certain is drawn nearer to the middle.
        """
        plies = self.distance or 0
        pull = plies / (plies + _HALFWAY) / 2
        return tuple(chance + (0.5 - chance) * pull for chance in self.chances)

    def verdict(self, seat: Seat) -> str:
        """The certain result of a solved position for a seat, such as ``win in 7``."""
        if self.distance is None:
            return "draw"
        return f"{'win' if self.returns[seat] > 0 else 'loss'} in {self.distance}"


@dataclass(frozen=True, slots=True)
class Choice(Generic[A]):
    """The value of one action, given what the seat to act can know."""

    action: A
    returns: tuple[float, ...]
    """The expected final return of each seat after the action."""
    error: float = 0.0
    """Their standard error."""
    loss: float = 0.0
    """What the seat to act gives up compared with the best choice, in returns; never negative.
    Of solved choices with equal returns it is a share of the distance; see `ranked`."""
    loss_error: float = 0.0
    """The standard error of the loss; common random numbers make it smaller than `error`."""
    frequency: float | None = None
    """The probability of this action in the reference strategy, if that is mixed."""
    words: str = ""
    """A remark, such as ``win in 7``."""
    distance: int | None = None
    """In solved games, the plies to a win or loss by best play; None for a draw."""
    plies_lost: int = 0
    """By how many plies it delays a win or hastens a loss; 0 if the result changes."""


@dataclass(frozen=True, slots=True)
class Judgement(Generic[A]):
    """The values of all choices of a seat in one position."""

    seat: Seat
    choices: tuple[Choice[A], ...]
    """One choice for each legal action, best first."""
    expected: tuple[float, ...]
    """The expected final return of each seat if the seat to act follows the reference strategy."""
    method: Method
    error: float = 0.0
    """The standard error of `expected`."""

    @property
    def best(self) -> Choice[A]:
        """A best choice; ties are broken arbitrarily."""
        return self.choices[0]

    def of(self, action: A) -> Choice[A]:
        """The choice for an action.

        Raises:
            KeyError: The action is not among the choices.
        """
        for choice in self.choices:
            if choice.action == action:
                return choice
        raise KeyError(str(action))


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one choice is better than another."""

    kind: str = ""
    """The kind of mistake in the game's terms, such as ``left a dancer open``."""
    text: str = ""
    """The facts in a sentence without names; empty if there is nothing to say."""


NO_REASON: Final = Reason()


@dataclass(frozen=True)
class Analyst(ABC, Generic[G, S, A, C]):
    """Evaluates the positions of one game with given options.

    Results are deterministic: random draws use fixed seeds. Only `value` and `outcomes` see hidden
    information.
    """

    game: G
    table: tuple[str, ...] = ()
    """The specifications of the agents at the table, by seat, empty for people; empty if unknown.
    Values may depend on who plays on."""

    version: ClassVar[int] = 1
    """Increased when the numbers change, so that cached reviews are computed again."""
    is_quick: ClassVar[bool] = False
    """Whether reviewing a whole game takes well under a second."""
    every: ClassVar[int] = 1
    """In simultaneous games, evaluate every n-th position only."""

    @classmethod
    def why_not(cls, game: AnyGame) -> str | None:
        """None if this analyst supports the game with its options, otherwise the reason why not."""
        del game  # by default every game is supported
        return None

    def thorough(self) -> Self:
        """One that judges better, but may load or compile what takes seconds; by default this one.

        It judges for reviews, hints and the tutor; a bar, which is drawn at once, asks this one.
        """
        return self

    @property
    def step_error(self) -> float:
        """The standard deviation of an estimate's drift in one step; 0 if it was not measured.

        Treated as a random walk: over n steps it grows with the square root of n.
        """
        return 0.0

    @property
    @abstractmethod
    def scale(self) -> Scale:
        """The unit of returns."""

    @property
    @abstractmethod
    def method(self) -> Method:
        """How values are computed in general; single values may be exact where others are not."""

    @property
    def basis(self) -> str:
        """What the numbers rest on, known without loading it, for the key of a stored review.

        By default the method.
        """
        return str(self.method)

    @abstractmethod
    def value(self, state: S) -> Value:
        """The value of a position with full information.

        For a finished game, its returns. At a chance node with listed outcomes, the mean of
        `outcomes`.
        """

    def rough_value(self, state: S) -> Value | None:
        """An estimate within a millisecond or two, for luck in many games; None if there is none.

        By default the value, if reviews are quick.
        """
        return self.value(state) if self.is_quick else None

    @abstractmethod
    def judge(
        self, seen: Observation[S, A], earlier: Sequence[Observation[S, A]] = ()
    ) -> Judgement[A]:
        """Evaluate each choice of the seat to act, given what the seat can know.

        Args:
            seen: What the seat sees; ``seen.legal`` is not empty.
            earlier: Its earlier observations, for games in which they matter.
        """

    def confirm(
        self,
        seen: Observation[S, A],
        earlier: Sequence[Observation[S, A]],
        judged: Judgement[A],
        actions: Sequence[A],
    ) -> Judgement[A]:
        """Evaluate some choices once more, with more effort, before a mistake is told.

        What `judge` said comes with the choices in question. By default nothing changes.
        """
        return judged

    def is_sole_answer(self, seen: Observation[S, A], judged: Judgement[A]) -> bool:
        """Whether a search of another kind finds no alternative to the best choice.

        Puzzles are made only from such positions. By default the judgement is trusted.
        """
        return True

    def outcomes(self, state: S) -> Sequence[tuple[C, float, Value]]:
        """Every chance outcome with its probability and the value of the resulting position.

        Empty if outcomes are not evaluated one by one; luck is then the change in value.
        """
        game = self.game
        return [
            (outcome, chance, self.value(game.apply_chance(state, outcome)))
            for outcome, chance in game.chance_outcomes(state)
        ]

    def settled(self, seen: Observation[S, A]) -> float:
        """The part of the seat's returns that its decision can't change, such as hands won before.

        It is left out when the values of choices are told; `Scale.part` names what they are then.
        """
        return 0.0

    def label(self, seen: Observation[S, A], action: A) -> str:
        """The label of a choice in a list of mistakes; by default its notation."""
        return str(action)

    def chance_seat(self, state: S, outcome: C) -> Seat | None:
        """The seat for which chance acts, such as the one throwing dice; None if no single seat.

        A review shows the outcome and that seat's next decision as one turn. By default, in games
        without hidden information, it is the seat that decides next.
        """
        if Traits.HIDDEN in self.game.traits:
            return None
        seats = self.game.to_act(self.game.apply_chance(state, outcome))
        return seats[0] if len(seats) == 1 and seats[0] != CHANCE else None

    def chance_label(self, outcome: C) -> str:
        """What chance did for its seat, to follow a name; by default ``got OUTCOME``."""
        return f"got {outcome}"

    def moment(self, seen: Observation[S, A]) -> str:
        """When a decision was made, in the game's own count; by default ``step 12``."""
        return f"step {seen.ply + 1}"

    def reason(self, seen: Observation[S, A], played: A, better: A) -> Reason:
        """Why one choice is better than another, in the game's own words."""
        return NO_REASON


AnyAnalyst: TypeAlias = Analyst[Any, Any, Any, Any]


def ranked(
    seat: Seat,
    choices: Sequence[Choice[A]],
    method: Method,
    scale: Scale = CHANCE_TO_WIN,
) -> Judgement[A]:
    """A judgement whose losses follow from returns and distances; the reference takes the best.

    Where the error of a loss is not given, the errors of both values are taken to be independent.

    Among choices with the same result, a nearer win and a more distant loss are better. They lose
    the share of the distance that they give up, weighed so that it never counts as much as a
    result: a loss in 2 instead of 24 gives up eleven twelfths, a win in 3 instead of 1 two thirds.

    The choices are one for every legal action, in any order. The scale is needed where they have
    distances.
    """

    def merit(choice: Choice[A]) -> tuple[float, int]:
        own, plies = choice.returns[seat], choice.distance or 0
        return own, -plies if own > 0 else plies

    in_order = sorted(choices, key=merit, reverse=True)
    best = in_order[0]
    with_losses = []
    for choice in in_order:
        loss, plies_lost = best.returns[seat] - choice.returns[seat], 0
        if not loss and choice.distance is not None and best.distance is not None:
            plies_lost = abs(choice.distance - best.distance)
            given_up = plies_lost / max(choice.distance, best.distance, 1)
            loss = given_up * _WHOLE_DISTANCE * scale.size
        either = choice.loss_error or math.hypot(best.error, choice.error)
        error_of_loss = either if loss else 0.0
        with_losses.append(
            replace(choice, loss=loss, loss_error=error_of_loss, plies_lost=plies_lost)
        )
    return Judgement(seat, tuple(with_losses), best.returns, method, best.error)
