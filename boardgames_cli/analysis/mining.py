"""Finding puzzles in games that agents play."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from boardgames_cli.analysis.analysts import analyst_for
from boardgames_cli.analysis.puzzles import Puzzle
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.analyst import AnyAnalyst, Choice, Judgement, Scale, ShareQuestion
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Observation
from boardgames_cli.core.match import Match
from boardgames_cli.core.options import option_values
from boardgames_cli.core.play import play
from boardgames_cli.registry import make_agent, spec_of

CLEAR_SHARE: Final = 0.1
"""The least share of the game's scale that the second best choice must cost."""

CLEAR_ERRORS: Final = 4.0
"""The least number of standard errors that it must cost: of thousands of positions that are looked
at, many seem clear by two."""

_MIXED: Final = (0.02, 0.98)
"""A choice that the reference takes with a frequency between these is one of several good ones."""

SHARES: Final = (0.0, 1 / 6, 1 / 3, 1 / 2, 2 / 3, 5 / 6, 1.0)
"""The shares that a puzzle about one offers."""

_NAMED: Final = 0.005
"""Half of the step in which shares are named."""

_PLAYERS: Final = ("medium", "random")
"""Whose games are looked through: good play and bad, so that there is something to find."""


@dataclass(frozen=True)
class Miner:
    """Looks for the puzzles of one game.

    A position becomes a puzzle if one choice is the best by `gap` and beyond the error, and
    beginners would take another one (`GameSpec.beginner`). A puzzle that the level ``easy`` solves
    is easy, one that only ``medium`` solves is medium, and the others are hard. Of puzzles for the
    same seat with the same choices, losses and reason only the first is kept.

    Args:
        game: The rulebook.
        seed: All luck derives from it.
        gap: The least share of the game's scale that the second best choice must cost.
        first: The number of the first puzzle.
    """

    game: AnyGame
    seed: int
    gap: float = CLEAR_SHARE
    first: int = 1

    def mine(self) -> Iterator[Puzzle]:
        """Puzzles, until many games in a row have brought none."""
        for number, puzzle in enumerate(self._varied(), start=self.first):
            yield replace(puzzle, id=f"{self.game.info.id}-{number}")

    def _varied(self) -> Iterator[Puzzle]:
        """The candidates; those that are too much like most others come last."""
        kinds, sizes = Counter[str](), Counter[bool]()
        solved: set[Any] = set()
        late: list[Puzzle] = []
        in_a_row = 0
        for kind, puzzle in self._candidates():
            is_small = len(puzzle.choices) == 2
            is_usual = kind and kinds[kind] > _MOST_ALIKE * kinds.total() + _FEW_ALIKE
            # In a solved game the verdicts on all choices tell a position from all but its mirror
            # images: what wins in as many plies with as many others as well.
            image = tuple(sorted(puzzle.words.values())) if _is_solved(puzzle) else None
            is_image = image in solved
            if is_usual or is_image or (is_small and sizes[True] > sizes[False] + _FEW_ALIKE):
                late.append(puzzle)
                in_a_row += 1
                if in_a_row > _MOST_WAITING:  # there is nothing else in this game
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
        """Every clear position, no two the same, with the kind of mistake that it is about."""
        analyst = analyst_for(self.game)
        for question in analyst.share_questions():
            yield "", self._share_puzzle(analyst, question)
        known: set[Any] = set()
        barren = number = 0
        while barren < _PATIENCE:
            barren += 1
            found = 0
            for seen in self._decisions(number):
                judgement = analyst.judge(seen)
                if not self._is_clear(analyst, judgement) or self._is_obvious(seen, judgement):
                    continue
                kind, puzzle = self._puzzle(analyst, seen, judgement)
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

    def _decisions(self, number: int) -> Iterator[Observation[Any, Any]]:
        """What seats saw in one game when they had to choose, in an order of its own."""
        match: Match[Any, Any, Any] = Match(self.game, seed=self.seed + number)
        seats = [_PLAYERS[(number + seat) % 2] for seat in range(self.game.seats)]
        play(match, [make_agent(text, self.game) for text in seats])
        decisions = [(ply, seat) for ply, step in enumerate(match.steps) for seat in step.joint]
        rng = random.Random(self.seed + number)
        for ply, seat in rng.sample(decisions, min(_LOOKED_AT, len(decisions))):
            seen = match.observe(seat, ply)
            if len(seen.legal) > 1:
                yield seen

    def _puzzle(
        self, analyst: AnyAnalyst, seen: Observation[Any, Any], judged: Judgement[Any]
    ) -> tuple[str, Puzzle]:
        """A position as a puzzle, not numbered yet, and the kind of mistake that it is about."""
        best, second = judged.choices[:2]
        if self._finds("easy", seen, judged):
            level = 1
        else:
            level = 2 if self._finds("medium", seen, judged) else 3
        reason = analyst.reason(seen, second.action, best.action)
        return reason.kind, Puzzle(
            id="",
            game=self.game.info.id,
            options=option_values(self.game),
            position=self.game.to_json(seen.state),
            ply=seen.ply,
            seat=judged.seat,
            level=level,
            task=_task(best.words),
            answer=str(best.action),
            losses={
                str(choice.action): _loss(analyst.scale, choice) for choice in judged.choices[1:]
            },
            words={str(choice.action): choice.words for choice in judged.choices if choice.words},
            labels={
                str(choice.action): label
                for choice in judged.choices
                if (label := analyst.label(seen, choice.action)) != str(choice.action)
            },
            why=reason.text,
            share_of="",
            also=[],
            method=str(judged.method),
        )

    def _share_puzzle(self, analyst: AnyAnalyst, asked: ShareQuestion[Any, Any]) -> Puzzle:
        """A question for a share, with what is right and how far off the other shares are."""
        far = {share: _distance(asked, share) for share in SHARES}
        right = [_percent(share) for share in SHARES if not far[share]]
        wrong = sorted((share for share in SHARES if far[share]), key=lambda one: far[one])
        seen = asked.seen
        return Puzzle(
            id="",
            game=self.game.info.id,
            options=option_values(self.game),
            position=self.game.to_json(seen.state),
            ply=seen.ply,
            seat=seen.seat or 0,
            level=2 if len(right) > 1 else 3,
            task=asked.task,
            answer=right[-1],
            losses={_percent(share): f"{100 * far[share]:.0f} points" for share in wrong},
            words={
                _percent(share): f"too {'rarely' if share < asked.low else 'often'}"
                for share in wrong
            },
            labels={},
            why=asked.why,
            share_of=str(asked.action),
            also=right[-2::-1],
            method=str(analyst.method),
        )

    def _is_clear(self, analyst: AnyAnalyst, judged: Judgement[Any]) -> bool:
        """Whether one choice is better than all others, beyond all doubt."""
        best, second = judged.choices[:2]
        if best.frequency is not None and _MIXED[0] < best.frequency < _MIXED[1]:
            return False
        is_beyond_error = second.loss > CLEAR_ERRORS * second.loss_error
        return is_beyond_error and analyst.scale.share(second.loss) >= self.gap

    def _is_obvious(self, seen: Observation[Any, Any], judged: Judgement[Any]) -> bool:
        """Whether a beginner takes the best choice here."""
        spec = spec_of(self.game)
        beginner = spec.beginner or ("greedy" if spec.heuristic else "")
        return bool(beginner) and self._finds(beginner, seen, judged)

    def _finds(self, name: str, seen: Observation[Any, Any], judged: Judgement[Any]) -> bool:
        """Whether an agent takes the best choice here, in two of three tries."""
        found = 0
        for luck in range(_TRIES):
            try:
                agent = make_agent(name, self.game)
                agent.reset(self.game, judged.seat)
                found += agent.act(seen, Thinking(random.Random(luck))) == judged.best.action
            except GameError:
                return False
        return 2 * found > _TRIES


_VERDICTS: Final = ("win", "draw", "loss")
"""How what is known of a solved position begins."""
_TRIES: Final = 3
_LOOKED_AT: Final = 40
"""Decisions of a game that are looked at."""
_A_GAME: Final = 2
"""Puzzles that a game may give, so that no single game fills the file."""
_MOST_ALIKE: Final = 0.3
_FEW_ALIKE: Final = 3
"""Of a kind of mistake there may be that share of all and so many more; of puzzles with two
choices, which are half solved by guessing, so many more than of the others."""
_PATIENCE: Final = 200
"""Games in a row without a new puzzle after which there are no more to be had."""


def _is_solved(puzzle: Puzzle) -> bool:
    """Whether verdicts say all that is known of the choices."""
    return not any(puzzle.losses.values())


def _distance(asked: ShareQuestion[Any, Any], share: float) -> float:
    """How far a share is from what is right; shares are named in whole percents."""
    far = max(asked.low - share, share - asked.high, 0.0)
    return far if far > _NAMED else 0.0


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


_MOST_WAITING: Final = 60
"""Candidates in a row that are put off for the sake of variety."""


def _loss(scale: Scale, choice: Choice[Any]) -> str:
    """What a choice costs; a verdict says that by itself."""
    return "" if choice.words.startswith(_VERDICTS) else scale.say_loss(choice.loss)


def _task(words: str) -> str:
    """What to find, by what is known of the best choice."""
    return f"Find the {words}." if words.startswith(_VERDICTS) else "Find the best choice."
