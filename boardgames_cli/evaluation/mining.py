"""Finds puzzles in games between agents."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.algorithms.analysts.open_analyst import SearchAnalyst
from boardgames_cli.algorithms.analysts.simulation_analyst import SimulationAnalyst
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.analyst import AnyAnalyst, Judgement, Mark, Scale
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Observation
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.core.options import option_values
from boardgames_cli.evaluation.puzzles import LEVELS, Puzzle
from boardgames_cli.evaluation.review_result import Decision, Review, ReviewedChoice
from boardgames_cli.registry import make_agent, spec_of

CLEAR_SHARE: Final = 0.1
"""The least share of the game's scale that the second best choice must cost."""

CLEAR_ERRORS: Final = 4.0
"""The same in standard errors. Two would not be enough: among thousands of positions, many exceed
two by chance."""

_MIXED: Final = (0.02, 0.98)
"""A choice whose frequency in the reference strategy is between these is one of several good
ones."""

_PLAYERS: Final = ("medium", "random")
"""The agents that play the games: good and bad ones, so that there are mistakes to find."""


@dataclass(frozen=True)
class Miner:
    """Finds puzzles for one game.

    A position becomes a puzzle if one choice is the best by at least `gap` and more than its error,
    and a beginner would take another one (`GameSpec.beginner`). A puzzle that the level ``easy``
    finds at least every second time is easy, one that only ``medium`` does is medium, and the rest
    are hard. Of puzzles for the same seat with the same choices, losses and reason only the first
    is kept.

    Args:
        game: The rulebook.
        seed: The seed of all random numbers.
        gap: The least share of the game's scale that the second best choice must cost.
        first: The number of the first puzzle.
        report: Called after each game with the number of games looked at.
    """

    game: AnyGame
    seed: int
    gap: float = CLEAR_SHARE
    first: int = 1
    report: Callable[[int], object] = lambda _: None

    def mine(self) -> Iterator[Puzzle]:
        """Yield puzzles until many games in a row have produced none."""
        for number, puzzle in enumerate(self._varied(), start=self.first):
            yield replace(puzzle, id=f"{self.game.info.id}-{number}")

    def _varied(self) -> Iterator[Puzzle]:
        kinds, sizes = Counter[str](), Counter[bool]()
        solved: set[Any] = set()
        late: list[Puzzle] = []
        in_a_row = 0
        for kind, puzzle in self._candidates():
            is_small = len(puzzle.choices) == 2
            is_usual = kind and kinds[kind] > _MOST_ALIKE * kinds.total() + _FEW_ALIKE
            # In a solved game, positions with the same verdicts on all choices count as equal.
            image = tuple(sorted(puzzle.words.values())) if _is_solved(puzzle) else None
            is_image = image in solved
            if is_usual or is_image or (is_small and sizes[True] > sizes[False] + _FEW_ALIKE):
                late.append(puzzle)
                in_a_row += 1
                if in_a_row > _MOST_WAITING:  # this game has no other kinds
                    yield late.pop(0)
                continue
            in_a_row = 0
            if image is not None:
                solved.add(image)
            kinds[kind] += 1
            sizes[is_small] += 1
            yield puzzle
        yield from late

    def _candidates(self) -> Iterator[tuple[str, Puzzle]]:
        known: set[Any] = set()
        barren = number = 0
        while barren < _PATIENCE:
            barren += 1
            found = 0
            for seen in self._decisions(number):
                made = self.puzzle_at(seen)
                if made is None:
                    continue
                kind, puzzle = made
                verdicts = tuple(sorted((one, puzzle.verdict(one)) for one in puzzle.losses))
                key = (puzzle.seat, puzzle.task, puzzle.answer, verdicts, puzzle.why)
                if key in known:
                    continue
                known.add(key)
                barren = 0
                yield kind, puzzle
                found += 1
                if found == _A_GAME:
                    break
            number += 1
            self.report(number)

    @property
    def _analyst(self) -> AnyAnalyst:
        return analyst_for(self.game)

    def puzzle_at(self, seen: Observation[Any, Any]) -> tuple[str, Puzzle] | None:
        """The puzzle of a position with the kind of mistake; None if there is no sure answer."""
        analyst = self._analyst
        judgement = analyst.judge(seen)
        if not self._is_clear(judgement) or self._is_obvious(seen, judgement):
            return None
        judgement = analyst.confirm(seen, (), judgement, seen.legal)
        if not self._is_clear(judgement):
            return None
        if not analyst.is_sole_answer(seen, judgement) or not self._is_found_again(seen, judgement):
            return None
        return self._puzzle(seen, judgement)

    def _is_found_again(self, seen: Observation[Any, Any], judged: Judgement[Any]) -> bool:
        if spec_of(self.game).analyst or judged.method.is_exact or judged.method.plays:
            return True
        analyst: AnyAnalyst = SimulationAnalyst(self.game)
        return bool(analyst.judge(seen).best.action == judged.best.action)

    def _decisions(self, number: int) -> Iterator[Observation[Any, Any]]:
        match: Match[Any, Any, Any] = Match(self.game, seed=self.seed + number)
        seats = [_PLAYERS[(number + seat) % 2] for seat in range(self.game.seats)]
        play(match, [make_agent(text, self.game) for text in seats])
        decisions = [(ply, seat) for ply, step in enumerate(match.steps) for seat in step.joint]
        rng = random.Random(self.seed + number)
        for ply, seat in rng.sample(decisions, min(_LOOKED_AT, len(decisions))):
            seen = match.observe(seat, ply)
            if len(seen.legal) > 1:
                yield seen

    def _puzzle(self, seen: Observation[Any, Any], judged: Judgement[Any]) -> tuple[str, Puzzle]:
        analyst, (best, second) = self._analyst, judged.choices[:2]
        found = self.finders(seen, str(best.action))
        reason = analyst.reason(seen, second.action, best.action)
        choices = [
            ReviewedChoice.of(choice, analyst.label(seen, choice.action))
            for choice in judged.choices
        ]
        return reason.kind, puzzle_of(
            self.game, seen, choices, analyst.scale,
            level=level_of(found), why=reason.text, method=str(judged.method), found=found,
        )  # fmt: skip

    def _is_clear(self, judged: Judgement[Any]) -> bool:
        best, second = judged.choices[:2]
        if second.plies_lost:  # the same result, only sooner or later
            return False
        if best.frequency is not None and _MIXED[0] < best.frequency < _MIXED[1]:
            return False
        # A heuristic's error is how much it changes, not noise among thousands of positions.
        is_noise = bool(judged.method.plays or spec_of(self.game).analyst)
        is_beyond_error = second.loss > (CLEAR_ERRORS if is_noise else 1) * second.loss_error
        return is_beyond_error and self._analyst.scale.share(second.loss) >= self.gap

    def _is_obvious(self, seen: Observation[Any, Any], judged: Judgement[Any]) -> bool:
        spec = spec_of(self.game)
        # Where the values come from the heuristic, `greedy` finds nearly every best choice.
        is_told = not spec.heuristic or isinstance(analyst_for(self.game), SearchAnalyst)
        beginner = spec.beginner or ("" if is_told else "greedy")
        answer = str(judged.best.action)
        return bool(beginner) and self._share_found(beginner, seen, answer, _BEGINS) > _HALF

    def finders(self, seen: Observation[Any, Any], answer: str) -> dict[str, float]:
        """How often random choices and each level take the answer; 0 for levels that can't play."""
        names = ("random", *spec_of(self.game).levels)
        return {name: self._share_found(name, seen, answer, TRIES) for name in names}

    def _share_found(
        self, name: str, seen: Observation[Any, Any], answer: str, tries: int
    ) -> float:
        found = 0
        for luck in range(tries):
            try:
                agent = make_agent(name, self.game)
                agent.reset(self.game, seen.seat or 0)
                found += str(agent.act(seen, Thinking(random.Random(luck)))) == answer
            except GameError:
                return 0.0
        return found / tries


_GOOD: Final = ("win", "draw")
"""The first words of the verdicts on a solved position that is not lost."""
_EQUAL: Final = 1e-9
"""The largest loss of a choice that is as good as the best."""
TRIES: Final = 20
"""How often each level tries a puzzle."""
_BEGINS: Final = 3
"""How often a beginner tries a position."""
_HALF: Final = 0.5
_LOOKED_AT: Final = 40
"""The number of decisions examined per game."""
_A_GAME: Final = 2
"""The maximum number of puzzles from one game, for variety."""
_MOST_ALIKE: Final = 0.3
_FEW_ALIKE: Final = 3
"""The allowance for repeated kinds of mistakes in excess of their share, and for puzzles with only
two choices, which are half solved by guessing."""
_PATIENCE: Final = 200
"""Mining stops after this many games in a row without a new puzzle."""


def level_of(found: Mapping[str, float]) -> int:
    """How hard a puzzle is that each level finds so often."""
    easier = (level for level in (1, 2) if found.get(LEVELS[level], 0.0) >= _HALF)
    return next(easier, max(LEVELS))


def _is_solved(puzzle: Puzzle) -> bool:
    return not any(puzzle.losses.values())


_MOST_WAITING: Final = 60
"""The maximum number of candidates in a row that are deferred for variety."""


def puzzle_of(
    game: AnyGame,
    seen: Observation[Any, Any],
    choices: Sequence[ReviewedChoice],
    scale: Scale,
    **facts: Any,
) -> Puzzle:
    """A decision as a puzzle: its choices, best first, and the other fields of the puzzle."""
    best = choices[0]
    wrong = [choice for choice in choices[1:] if choice.loss > _EQUAL]
    return Puzzle(
        game=game.info.id,
        options=option_values(game),
        position=game.to_json(seen.state),
        ply=seen.ply,
        seat=seen.own_seat,
        task=f"Find the {best.words}." if best.words.startswith(_GOOD) else "Find the best choice.",
        answer=best.action,
        also=tuple(choice.action for choice in choices[1:] if choice.loss <= _EQUAL),
        losses={
            choice.action: ""
            if choice.words.startswith((*_GOOD, "loss"))
            else scale.format_loss(choice.loss)
            for choice in wrong
        },
        words={choice.action: choice.words for choice in choices if choice.words},
        labels={
            choice.action: choice.label
            for choice in choices
            if choice.label not in ("", choice.action)
        },
        **facts,
    )


_SEVERITY: Final = {Mark.BLUNDER: 1, Mark.MISTAKE: 2}


def decision_puzzle(match: AnyMatch, review: Review, ply: int, made: Decision, id: str) -> Puzzle:
    """A reviewed decision as a puzzle; what cost more is easier to find."""
    return puzzle_of(
        match.game, match.observe(made.seat, ply), made.choices, review.scale, id=id,
        level=_SEVERITY.get(made.mark, 3), why=made.reason.text, method=str(review.method),
    )  # fmt: skip
