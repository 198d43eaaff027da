"""The analyst of Kuhn poker, based on an equilibrium.

A decision is evaluated given what its seat knew (its card and the betting), against an opponent who
plays the equilibrium. An action that the equilibrium takes with positive probability is never a
mistake.

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

from boardgames_cli.algorithms.exploitability import profile_value, worth_of_actions
from boardgames_cli.algorithms.game_tree import GameTree
from boardgames_cli.algorithms.strategy import Strategy
from boardgames_cli.core.analyst import (
    Analyst,
    Choice,
    Judgement,
    Method,
    Reason,
    Remark,
    Scale,
    ShareQuestion,
    Value,
    ranked,
)
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.text import percent
from boardgames_cli.games.kuhn import agents
from boardgames_cli.games.kuhn.actions import (
    ANTE,
    BET_SIZE,
    DECK,
    ENDS,
    HIDDEN,
    JACK,
    KING,
    LETTERS,
    NOT_DEALT,
    QUEEN,
    TURN,
    Action,
    Card,
    Deal,
    Line,
    faces_bet,
    word,
)
from boardgames_cli.games.kuhn.rules import Kuhn, hand_result, information_set
from boardgames_cli.games.kuhn.state import KuhnState
from boardgames_cli.games.kuhn.view import drawing

Seen = Observation[KuhnState, Action]

_SCALE: Final = Scale("chips", float(ANTE + BET_SIZE), part="in this hand")
"""The maximum loss in a hand counts as 100 %."""

_METHOD: Final = Method(True, "against an equilibrium, by what the seat knew")

_PRIOR: Final = 4.0
"""The weight of the prior: an opponent's estimate starts with this many decisions of the
equilibrium at each information set."""
_LEAST_SEEN: Final = 8
"""Opponents with fewer decisions are not judged."""
_WORTH_SAYING: Final = 0.02
"""The smallest loss by a habit, in chips per hand, that is mentioned."""


@dataclass(frozen=True)
class KuhnAnalyst(Analyst[Kuhn, KuhnState, Action, Deal]):
    """Evaluates hands under the assumption that both play an equilibrium."""

    version: ClassVar[int] = 2
    is_quick: ClassVar[bool] = True

    @property
    def scale(self) -> Scale:
        """Chips."""
        return _SCALE

    @property
    def method(self) -> Method:
        """The equilibrium."""
        return _METHOD

    def value(self, state: KuhnState) -> Value:
        """The chips won plus the values of this hand with its cards and of the remaining hands."""
        first, second = state.cards[state.first], state.cards[1 - state.first]
        if state.actions in ENDS:
            now = float(hand_result(state))
        else:
            to_first = dealt_value(first, second, state.actions)
            now = -to_first if state.first else to_first
        total = state.won + now + self._later(state)
        return Value((total, -total), is_exact=True)

    def judge(self, seen: Seen, earlier: Sequence[Seen] = ()) -> Judgement[Action]:
        """Evaluate checking and betting, given the card and the betting."""
        seat = seen.seat
        assert seat is not None, "a spectator decides nothing"
        settled = self.settled(seen)
        name = information_set(seen)
        rows, policy = action_worths()[name], reference().table[name]
        choices = []
        usual = settled
        for action in seen.legal:
            worth, frequency = rows[str(action)], policy[str(action)]
            usual += frequency * worth
            own = settled + worth
            choices.append(
                Choice(
                    action,
                    (own, -own) if seat == 0 else (-own, own),
                    frequency=frequency,
                    words=f"in equilibrium {percent(frequency)}",
                )
            )
        judgement = ranked(seat, choices, _METHOD)
        expected = (usual, -usual) if seat == 0 else (-usual, usual)
        return Judgement(seat, judgement.choices, expected, _METHOD)

    def settled(self, seen: Seen) -> float:
        """The chips of the hands before, and what those after this one are worth."""
        total = seen.state.won + self._later(seen.state)
        return -total if seen.seat else total

    def label(self, seen: Seen, action: Action) -> str:
        """The common name of the action: ``call`` or ``fold`` after a bet."""
        return word(seen.state.actions, action)

    def moment(self, seen: Seen) -> str:
        """The number of the hand, and the card: ``hand 3, queen``."""
        assert seen.seat is not None, "a spectator decides nothing"
        card = drawing.RANKS[seen.state.cards[seen.seat]].lower()
        return f"hand {seen.state.hand + 1}, {card}"

    def reason(self, seen: Seen, played: Action, better: Action) -> Reason:
        """The reason, from what the card can win and lose."""
        assert seen.seat is not None, "a spectator decides nothing"
        return _reason(seen.state.cards[seen.seat], seen.state.actions, played)

    def share_questions(self) -> Sequence[ShareQuestion[KuhnState, Action]]:
        """How often to bluff, and how often to call."""
        return tuple(questions(self.game))

    def remarks(self, match: AnyMatch) -> Sequence[Remark]:
        """What each seat could have won by exploiting the other's habits."""
        found = (habit_remark(match, seat) for seat in (0, 1))
        return [remark for remark in found if remark is not None]

    def _later(self, state: KuhnState) -> float:
        """The value of the remaining hands to seat 0; the first player alternates."""
        left = self.game.hands - 1 - state.hand
        if left % 2 == 0:
            return 0.0
        next_first = 1 - state.first
        return -agents.VALUE if next_first else agents.VALUE


@functools.cache
def reference() -> Strategy:
    """The exact equilibrium with the bluffing frequency of the trained one."""
    return agents.equilibrium(agents.trained().table[LETTERS[JACK]][Action.BET])


@functools.cache
def action_worths() -> Mapping[str, Mapping[str, float]]:
    """The value of each action to its seat in this hand, by information set."""
    return worth_of_actions(GameTree(Kuhn()), reference())


@functools.cache
def dealt_value(first: Card, second: Card, line: Line) -> float:
    """The value of a hand to the player who acts first, if both play the equilibrium.

    Args:
        first: That player's card, or `NOT_DEALT`.
        second: The other player's card.
        line: The betting so far, incomplete.
    """
    for card, other in ((first, second), (second, first)):
        if card == NOT_DEALT:
            left = [dealt for dealt in DECK if dealt != other]
            pairs = [(one, second) if first == NOT_DEALT else (first, one) for one in left]
            return sum(dealt_value(*pair, line) for pair in pairs) / len(left)
    end = ENDS.get(line)
    if end is not None:
        winner = end.winner
        if winner is None:
            winner = 0 if first > second else 1
        return float(-end.stake if winner else end.stake)
    card = second if TURN[line] else first
    policy = reference().table[" ".join((LETTERS[card], *line))]
    return sum(policy[action] * dealt_value(first, second, (*line, action)) for action in Action)


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


def habit_remark(match: AnyMatch, seat: Seat) -> Remark | None:
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
    gain, name, action = _best_answer(seen)
    if gain < _WORTH_SAYING:
        return None
    line = tuple(Action(text) for text in name.split()[1:])
    card = drawing.RANKS[LETTERS.index(name[0])].lower()
    when = f" after {' and '.join(_said(line))}" if line else " when first to act"
    return Remark(
        seat,
        f"Against what the other side did, always to {word(line, action)} with the {card}{when} "
        f"would have won about {gain:.2f} chips a hand more than the equilibrium does "
        f"(estimate from {sum(seen.values())} decisions).",
    )


def _said(line: Line) -> list[str]:
    return [f"a {word(line[:number], action)}" for number, action in enumerate(line)]


def _best_answer(seen: Mapping[tuple[str, str], int]) -> tuple[float, str, Action]:
    """The single deviation from equilibrium that gains most per hand against observed play."""
    tree = GameTree(Kuhn())
    usual = reference().profile(tree)
    best = (0.0, "", Action.CHECK)
    for role in (0, 1):
        profile = [list(row) for row in usual]
        for number, known in enumerate(tree.information_sets):
            if known.seat != role:
                profile[number] = _habit(known.name, known.actions, usual[number], seen)
        sign = -1 if role else 1
        before = sign * profile_value(tree, profile)
        for number, known in enumerate(tree.information_sets):
            if known.seat != role:
                continue
            for index, action in enumerate(known.actions):
                changed = [list(row) for row in profile]
                changed[number] = [float(at == index) for at in range(len(known.actions))]
                # Each player acts first in half of the hands.
                gain = (sign * profile_value(tree, changed) - before) / 2
                if gain > best[0]:
                    best = (gain, known.name, action)
    return best


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
