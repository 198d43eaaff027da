"""The analyst of Kuhn poker: the words, the questions and the remarks beside the equilibrium.

Puzzles ask for the probabilities of mixed strategies: how often to bluff and to call. How they
depend on the frequency of bluffs with the jack is Kuhn's result of 1950; see `theory`.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from boardgames_cli.algorithms.analysts.equilibrium_analyst import EquilibriumAnalyst
from boardgames_cli.algorithms.exploitability import Deviation, best_deviation
from boardgames_cli.algorithms.game_tree import tree_of
from boardgames_cli.algorithms.strategy import Strategy
from boardgames_cli.core.analyst import Reason, Remark, Scale, ShareQuestion
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.text import percent
from boardgames_cli.games.kuhn import agents
from boardgames_cli.games.kuhn.actions import (
    ANTE,
    BET_SIZE,
    HIDDEN,
    JACK,
    KING,
    LETTERS,
    QUEEN,
    TURN,
    Action,
    Card,
    Deal,
    Line,
    faces_bet,
    word,
)
from boardgames_cli.games.kuhn.rules import Kuhn, information_set
from boardgames_cli.games.kuhn.state import KuhnState, Seen
from boardgames_cli.games.kuhn.view import drawing

_PRIOR: Final = 4.0
"""The weight of the prior: an opponent's estimate starts with this many decisions of the
equilibrium at each information set."""
_LEAST_SEEN: Final = 8
"""Opponents with fewer decisions are not judged."""
_WORTH_SAYING: Final = 0.02
"""The smallest loss by a habit, in chips per hand, that is mentioned."""


@dataclass(frozen=True)
class KuhnAnalyst(EquilibriumAnalyst[Kuhn, KuhnState, Action, Deal]):
    """Evaluates hands by the exact equilibrium, and explains them in the words of the game."""

    version: ClassVar[int] = 2
    scale: ClassVar = Scale("chips", float(ANTE + BET_SIZE), part="in this hand")
    """The maximum loss in a hand counts as 100 %."""

    @functools.cached_property
    def strategy(self) -> Strategy:
        return agents.equilibrium(agents.trained().table[LETTERS[JACK]][Action.BET])

    def label(self, seen: Seen, action: Action) -> str:
        """The common name of the action: ``call`` or ``fold`` after a bet."""
        return word(seen.state.actions, action)

    def moment(self, seen: Seen) -> str:
        """The number of the hand, and the card: ``hand 3, queen``."""
        card = drawing.RANKS[seen.state.cards[seen.own_seat]].lower()
        return f"hand {seen.state.hand + 1}, {card}"

    def reason(self, seen: Seen, played: Action, better: Action) -> Reason:
        """The reason, from what the card can win and lose."""
        return _reason(seen.state.cards[seen.own_seat], seen.state.actions, played)

    def share_questions(self) -> Sequence[ShareQuestion[KuhnState, Action]]:
        return tuple(questions(self.game))

    def remarks(self, match: AnyMatch) -> Sequence[Remark]:
        found = (habit_remark(self.strategy, match, seat) for seat in (0, 1))
        return [remark for remark in found if remark is not None]


def _reason(card: Card, line: Line, played: Action) -> Reason:
    name = drawing.RANKS[card].lower()
    if faces_bet(line):
        if played is Action.BET:
            return Reason(
                "called with a loser",
                f"the {name} loses every showdown: a call only pays {BET_SIZE} more",
            )
        return Reason(
            "folded a winner",
            f"the {name} wins every showdown: a call wins {ANTE + BET_SIZE}, a fold loses {ANTE}",
        )
    if played is Action.BET:
        return Reason(
            "bet what only better cards call",
            f"a jack folds and a king calls: betting the {name} wins nothing more, "
            f"and loses {BET_SIZE} more",
        )
    return Reason(
        "did not bet a winner",
        f"nothing beats the {name}: after a check a bet loses nothing, "
        "and wins more whenever it is called",
    )


def habit_remark(strategy: Strategy, match: AnyMatch, seat: Seat) -> Remark | None:
    """What a seat could have won by the best single deviation against the other's play.

    The other's strategy is estimated from its bets with each card after each line, with a prior of
    `_PRIOR` equilibrium decisions each; all cards are known after the match.
    """
    seen: Counter[tuple[str, str]] = Counter()
    for ply, step in enumerate(match.steps):
        action = step.joint.get(1 - seat)
        if action is not None:
            seen[information_set(match.observe(1 - seat, ply)), str(action)] += 1
    if sum(seen.values()) < _LEAST_SEEN:
        return None
    found = max((_best_answer(strategy, role, seen) for role in (0, 1)), key=lambda one: one.gain)
    gain = found.gain / 2  # each player acts first in half of the hands
    if gain < _WORTH_SAYING:
        return None
    line = tuple(Action(text) for text in found.name.split()[1:])
    card = drawing.RANKS[LETTERS.index(found.name[0])].lower()
    when = f" after {' and '.join(_said(line))}" if line else " when first to act"
    return Remark(
        seat,
        f"Against what the other side did, always to {word(line, found.action)} with the "
        f"{card}{when} would have won about {gain:.2f} chips a hand more than the equilibrium does "
        f"(estimate from {sum(seen.values())} decisions).",
    )


def _said(line: Line) -> list[str]:
    return [f"a {word(line[:number], action)}" for number, action in enumerate(line)]


def _best_answer(strategy: Strategy, role: Seat, seen: Mapping[tuple[str, str], int]) -> Deviation:
    tree = tree_of(Kuhn())
    profile = [
        row if known.seat == role else _habit(known.name, known.actions, row, seen)
        for known, row in zip(tree.information_sets, strategy.profile(tree), strict=True)
    ]
    return best_deviation(tree, profile, role)


def _habit(
    name: str,
    actions: Sequence[Action],
    usual: Sequence[float],
    seen: Mapping[tuple[str, str], int],
) -> list[float]:
    counts = [
        seen.get((name, str(action)), 0) + _PRIOR * chance
        for action, chance in zip(actions, usual, strict=True)
    ]
    return [count / sum(counts) for count in counts]


Question = ShareQuestion[KuhnState, Action]

_CHECK, _BET = Action.CHECK, Action.BET
_DEALS: Final = 2
_THIRD: Final = Fraction(1, 3)
_BLUFFS: Final = tuple(Fraction(*pair) for pair in ((0, 1), (1, 9), (1, 6), (2, 9), (1, 3)))
"""The frequencies of bluffs with the jack used in questions."""


def questions(game: Kuhn) -> Iterator[Question]:
    """All questions, first those about the second player, whose equilibrium is unique."""
    yield _asked(
        game, JACK, (_CHECK,), "How often must the jack bluff?", (_THIRD, _THIRD),
        "you bet every king, and a call risks 1 to win 3: with one jack for three kings a queen "
        "gains as much by calling as by folding",
    )  # fmt: skip
    yield _asked(
        game, QUEEN, (_BET,), "How often must the queen call?", (_THIRD, _THIRD),
        "a jack that bets instead of checking risks 1 to win 2: it gains nothing by that if a "
        "queen calls once in three times, and a king always",
    )  # fmt: skip
    yield _asked(
        game, JACK, (), "How often can it be right that the jack bluffs?", (Fraction(0), _THIRD),
        "three kings must be bet for each jack, and no king can be bet more often than always",
    )  # fmt: skip
    for bluffs in _BLUFFS:
        yield _asked(
            game, KING, (), f"{_given(bluffs)} How often must the king bet?",
            (3 * bluffs, 3 * bluffs),
            "a queen that calls risks 1 to win 3: with three kings for each jack it gains as much "
            "by calling as by folding",
        )  # fmt: skip
    for bluffs in _BLUFFS[::2]:
        calls = bluffs + _THIRD
        yield _asked(
            game, QUEEN, (_CHECK, _BET),
            f"{_given(bluffs)} How often must the queen call?",
            (calls, calls),
            "the other side's jack must gain nothing by a bluff: the more kings you have bet "
            "already, the more often a queen calls, as often as your jack bluffs and a third of "
            "the time besides",
        )  # fmt: skip


def _given(share: Fraction) -> str:
    how = f"bluffs {percent(float(share))} of the time" if share else "never bluffs"
    return f"First to act, your jack {how}."


def _asked(
    game: Kuhn, card: Card, line: Line, task: str, right: tuple[Fraction, Fraction], why: str
) -> Question:
    seat = TURN[line]
    cards = (HIDDEN, card) if seat else (card, HIDDEN)
    state = KuhnState(cards, line, 0)
    legal = tuple(game.legal_actions(state, seat))
    seen = Observation(seat, _DEALS + len(line), state, legal)
    low, high = map(float, right)
    return ShareQuestion(seen, _BET, task, low, high, why)
