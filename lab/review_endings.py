"""How well reviews judge Senet where exact values are known.

For every move of a sample of `senet_exact.py` the loss that a review names is compared with the
exact one: how far off it is, and whether the same moves are called mistakes. The exact table of
endings that comes with the program holds part of the endings, so those are counted apart::

    python lab/review_endings.py
    python lab/review_endings.py --sample games
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from arguments import Parser, run_main
from senet_exact import SAMPLES, Choice, read_choices

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.analyst import CHANCE_TO_WIN, Mark
from boardgames_cli.core.game import Observation

MOST = 10_000
SAME = 0.0005
"""A move that costs less is shown as one that costs nothing."""


@dataclass
class Agreement:
    """How the values and the losses of some moves compare with the exact ones."""

    decisions: int = 0
    best: int = 0
    """Decisions of which the move named best costs nothing."""
    outside: int = 0
    """Losses off by more than twice the error that is stated."""
    moves: int = 0
    squares: float = 0.0
    value_squares: float = 0.0
    largest: float = 0.0
    both: int = 0
    """Moves that are mistakes by both."""
    ours: int = 0
    """Mistakes by the review alone."""
    theirs: int = 0
    """Mistakes by the exact values alone."""
    pairs: Counter[tuple[Mark, Mark]] = field(default_factory=Counter)

    def count(self, named: float, error: float, exact: float, value_gap: float) -> None:
        """Compare one move; losses and gaps are differences of returns."""
        scale_mark = _mark(named, error)
        exact_mark = _mark(exact, 0.0)
        self.moves += 1
        self.outside += abs(named - exact) > 2 * (error + SAME)
        self.squares += (named - exact) ** 2
        self.value_squares += value_gap**2
        self.largest = max(self.largest, abs(named - exact))
        is_ours, is_theirs = scale_mark is not Mark.GOOD, exact_mark is not Mark.GOOD
        self.both += is_ours and is_theirs
        self.ours += is_ours and not is_theirs
        self.theirs += is_theirs and not is_ours
        self.pairs[scale_mark, exact_mark] += 1

    def line(self, name: str) -> str:
        """A row of the table."""
        error = math.sqrt(self.squares / max(1, self.moves))
        value_error = math.sqrt(self.value_squares / max(1, self.moves))
        same = sum(count for (one, other), count in self.pairs.items() if one is other)
        cells = (
            name,
            self.moves,
            f"{value_error / 2:.1%}",
            f"{error / 2:.1%}",
            f"{self.largest / 2:.1%}",
            self.both,
            self.ours,
            self.theirs,
            f"{same / max(1, self.moves):.1%}",
            f"{self.best} of {self.decisions}",
            f"{self.outside / max(1, self.moves):.1%}",
        )
        return f"| {' | '.join(map(str, cells))} |"


def _mark(loss: float, error: float) -> Mark:
    return CHANCE_TO_WIN.mark(loss, error)


def compare(choices: Sequence[Choice]) -> dict[tuple[str, bool], Agreement]:
    """The agreement by rules, and by whether the table of endings has the position."""
    found: dict[tuple[str, bool], Agreement] = {}
    for choice in choices:
        judgement = (
            analyst_for(choice.game)
            .thorough()
            .judge(
                Observation(
                    choice.state.player,
                    0,
                    choice.state,
                    tuple(choice.game.legal_actions(choice.state, choice.state.player)),
                )
            )
        )
        best = max(choice.values.values())
        agreement = found.setdefault((choice.rules, judgement.method.is_exact), Agreement())
        if len(judgement.choices) < 2:
            continue
        agreement.decisions += 1
        named = choice.game.action_id(choice.state, judgement.choices[0].action)
        agreement.best += best - choice.values[named] < SAME
        for one in judgement.choices:
            id = choice.game.action_id(choice.state, one.action)
            exact = 2 * (best - choice.values[id])
            gap = one.returns[choice.state.player] - (2 * choice.values[id] - 1)
            agreement.count(one.loss, one.loss_error, exact, gap)
    return found


def main() -> None:
    """Compare and print."""
    parser = Parser(__doc__)
    parser.add_count("--choices", MOST, "choices of the sample to compare")
    parser.add_argument("--sample", choices=SAMPLES, default="endings", help="which positions")
    given = parser.parse_args()
    choices = list(read_choices(given.sample))[: given.choices]
    print(
        "| positions | moves | error of a value | of a loss | largest | mistakes by both "
        "| by the review alone | by the exact values alone | same mark | best named costs nothing "
        "| off by over 2 errors |"
    )
    print("| --- " * 11 + "|")
    for (rules, is_exact), agreement in sorted(compare(choices).items()):
        where = "exact table" if is_exact else "rounded table"
        where = where if given.sample == "endings" else "four or five dancers"
        print(agreement.line(f"{rules}, {where}"))


if __name__ == "__main__":
    run_main(main)
