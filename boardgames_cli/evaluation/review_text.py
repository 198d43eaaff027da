"""Reviews in words: a summary for each seat, and the most expensive decisions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.analyst import CERTAIN, Mark, NoAnalystError, Value
from boardgames_cli.core.game import Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.text import (
    Picture,
    Span,
    columns,
    counted,
    justified,
    sentence,
    shortened,
    wrapped,
)
from boardgames_cli.evaluation.review_result import (
    Decision,
    Review,
    ReviewStep,
    SeatSummary,
    Turn,
    throw_before,
    turns,
)
from boardgames_cli.evaluation.reviewer import ReviewedGame, review_of
from boardgames_cli.evaluation.standing import apportion

_MARKS: Final = (Mark.BLUNDER, Mark.MISTAKE, Mark.INACCURACY)
_PLURALS: Final = {
    Mark.BLUNDER: "blunders",
    Mark.MISTAKE: "mistakes",
    Mark.INACCURACY: "inaccuracies",
}
_LEAST_SWING: Final = 0.05
"""Smaller changes, as a share of the scale, are no swing."""
_DEAREST: Final = 5
"""The maximum number of decisions without a mark listed per seat."""


def dearest(review: Review, seat: Seat | None = None) -> list[tuple[ReviewStep, Decision]]:
    """The decisions to list, in the order of the game.

    All decisions with a mark, and the few most expensive others that are not negligible.
    """
    marked = review.mistakes(seat)
    below = [
        (step, decision)
        for step in review.steps
        for decision in step.decisions
        if not decision.is_mistake
        and seat in (None, decision.seat)
        and review.scale.is_notable(decision.loss, decision.loss_error)
    ]
    below.sort(key=lambda found: -found[1].loss)
    return sorted([*marked, *below[:_DEAREST]], key=lambda found: found[0].ply)


MOST_LESSONS: Final = 3
"""The maximum number of decisions from which a summary says that there is something to learn."""


def lessons(review: Review, seat: Seat) -> list[tuple[ReviewStep, Decision]]:
    """The most expensive decisions of a seat, the dearest first: one of each kind."""
    found = sorted(dearest(review, seat), key=lambda pair: -pair[1].loss)
    kinds = [decision.reason.kind for _, decision in found]
    is_new = [not kind or kind not in kinds[:place] for place, kind in enumerate(kinds)]
    return list(itertools.compress(found, is_new))[:MOST_LESSONS]


def biggest_swing(review: Review, seat: Seat) -> tuple[int, str] | None:
    """The turn that changed a seat's prospects most: the ply of its last step, and a sentence.

    None if no position changed them.
    """
    largest: tuple[float, Turn, Value, Value] | None = None
    before = review.value_at(0)
    for turn in turns(review):
        after = review.value_at(turn.last + 1)
        if before is None or after is None:
            before = after if before is None else before
            continue
        change = abs(after.returns[seat] - before.returns[seat])
        if review.scale.share(change) >= _LEAST_SWING and (largest is None or change > largest[0]):
            largest = change, turn, before, after
        before = after
    if largest is None:
        return None
    _, turn, first, then = largest
    chosen = [decision.choice.label for decision in turn.decisions[:1]]
    who = "" if turn.seat is None else f"{review.names[turn.seat]} {turn.label}".strip()
    is_luck = not turn.decisions and turn.thrown
    did = ": ".join(filter(None, (who, *(chosen if who else ())))) or ("luck" if is_luck else "")
    low, high = (review.scale.format_return(value.returns[seat]) for value in (first, then))
    when = ", ".join(filter(None, (f"step {turn.last + 1}", did)))
    name = review.names[seat]
    of_whom = "you" if name == "You" else name
    return turn.last, f"Biggest swing: {when}, from {low} to {high} for {of_whom}."


def summary_lines(review: Review) -> list[str]:
    """A summary for every seat, a few lines each."""
    lines = []
    for seat, name in enumerate(review.names):
        lines += [*seat_lines(review, review.summary(seat), name), ""]
    return lines + general_lines(review)


def general_lines(review: Review) -> list[str]:
    """The luck, general remarks, and how the numbers were computed."""
    lines = [describe_luck(review)]
    lines += [
        f"{review.names[remark.seat]}: {remark.text}" if remark.seat is not None else remark.text
        for remark in review.remarks
    ]
    lines += filter(None, (describe_method(review), describe_strength(review)))
    return lines


def seat_lines(review: Review, summary: SeatSummary, name: str) -> Iterator[str]:
    """The summary for one seat."""
    scale = review.scale
    if not summary.decisions:
        yield f"{name}: no decision mattered."
    else:
        cost = f", cost {scale.format_total(summary.cost)}" if summary.cost > 0 else ""
        reached = "" if summary.accuracy is None else f"accuracy {summary.accuracy:.0f} %, "
        told = f"{reached}{counts_in_words(summary)}{cost}"
        yield f"{name}: {told} in {counted(summary.decisions, 'decision')} that mattered."
    error = f" (standard error {summary.error:.2f})" if summary.error else ""
    value = "result" if review.is_complete else "value so far"
    yield f"  {value} {summary.result + 0.0:+.2f} = {', '.join(parts_in_words(summary))}{error}"


def parts_in_words(summary: SeatSummary) -> list[str]:
    """The parts of a result, rounded so that they still add up to it."""
    parts = {
        "start": summary.start,
        "luck": summary.luck - summary.luck_of_others,
        "own decisions": summary.own,
        "decisions of others": summary.others,
    }
    if summary.luck_of_others:
        parts["luck of others"] = summary.luck_of_others
    if summary.error:
        parts["corrections of the estimate"] = summary.rest
    whole = apportion([100 * part for part in parts.values()], round(100 * summary.result))
    return [f"{name} {count / 100:+.2f}" for name, count in zip(parts, whole, strict=True)]


def counts_in_words(summary: SeatSummary) -> str:
    """The number of mistakes by mark, such as ``1 blunder (??), 2 inaccuracies (?!)``."""
    told = []
    for mark in _MARKS:
        count = summary.counts[mark]
        if count:
            told.append(f"{count} {mark.word if count == 1 else _PLURALS[mark]} ({mark.value})")
    return ", ".join(told) or "no mistake"


def describe_luck(review: Review) -> str:
    """A sentence about the luck."""
    found = [review.summary(seat) for seat in range(len(review.names))]
    error = max(summary.error for summary in found)
    amounts = [review.scale.format(summary.luck) for summary in found]
    if all(abs(summary.luck) < 5e-3 for summary in found):
        return "Luck had no part in it."
    luckiest = max(found, key=lambda summary: summary.luck)
    name, amount = review.names[luckiest.seat], amounts[luckiest.seat]
    if len(found) == 2:
        if abs(luckiest.luck) <= CERTAIN * error:
            return f"The luck was even, as far as the estimate can say ({name} {amount})."
        return f"{name} had the better of the luck, by {amount.lstrip('+')}."
    told = ", ".join(f"{one} {said}" for one, said in zip(review.names, amounts, strict=True))
    return f"Luck: {told}."


def describe_method(review: Review) -> str:
    """How the numbers were computed, and their unit."""
    method = review.method
    scale = review.scale
    counted = f"chances {scale.part} in %" if scale.is_chance else scale.name
    text = f"Values are {'exact' if method.is_exact else 'estimates'}: {method.text}."
    if scale.is_chance:
        if any(one.choice.plies_lost for step in review.steps for one in step.decisions):
            counted += ", or plies where the result stays the same"
        return f"{text} Losses are {counted}; a result of +1 is a win, of -1 a loss."
    return f"{text} Everything is counted in {counted}."


def describe_strength(review: Review) -> str:
    """For whom the chances hold; empty without chances."""
    first = review.value_at(0)
    if first is None or not first.chances:
        return ""
    if review.method.is_exact:
        return "Chances are those of best play by all."
    if review.method.knows_players:
        return "Chances take the agents at the table as they were measured to play."
    return "Chances assume that all play on equally well."


def mistake_lines(review: Review, seat: Seat | None = None) -> list[str]:
    """The most expensive decisions, with the better choice and the reason."""
    found = dearest(review, seat)
    if not found:
        return ["Nobody made a mistake." if seat is None else f"{review.names[seat]} made none."]
    lines: list[str] = []
    for step, decision in found:
        lines += decision_lines(review, step, decision)
    return lines


def throw_words(review: Review, step: ReviewStep) -> str:
    """The throw before a decision, with its luck: ``threw 3 (luck -1.2 %)``; may be empty."""
    turn = throw_before(review, step)
    if turn is None:
        return ""
    luck = review.scale.format(turn.luck).removesuffix(f" {review.scale.name}")
    return f"{turn.label} (luck {luck})"


def decision_lines(
    review: Review, step: ReviewStep, decision: Decision, *, tells_error: bool = True
) -> Sequence[str]:
    """One line about a mistake and the throw before it, and one with the reason."""
    played, best = decision.choice, decision.best
    mark = f" {decision.mark.value}" if decision.is_mistake else ""
    error = (
        f" (standard error {review.scale.format_loss(decision.loss_error)})"
        if decision.loss_error and tells_error
        else ""
    )
    thrown = throw_words(review, step)
    who = f"{review.names[decision.seat]}{thrown and ' '}{thrown}"
    first = (
        f"{decision.moment}. {who}: {played.label}{mark} loses "
        f"{review.scale.format_cost(played)}{error}; better: {best.label}."
    )
    return [first, f"  {sentence(decision.reason.text)}"] if decision.reason.text else [first]


def closing_lines(review: Review, seat: Seat | None = None) -> list[str]:
    """A summary of a game in a few lines, shown when it ends, with the mistakes of one seat."""
    names = review.names
    lines = [next(seat_lines(review, review.summary(at), name)) for at, name in enumerate(names)]
    if not review.scale.is_chance:
        lines.append(describe_luck(review))
    if seat is None:
        return lines
    found = sorted(dearest(review, seat), key=lambda pair: -pair[1].loss)
    if not found:
        return [*lines, f"{names[seat]} made no mistake."]
    lines.append(f"What cost {'you' if names[seat] == 'You' else names[seat]} most:")
    return lines + [f"  {decision_lines(review, *pair, tells_error=False)[0]}" for pair in found]


def closing_review(match: AnyMatch, names: Sequence[str], seat: Seat | None) -> list[str]:
    """The `closing_lines` of a match; empty if it is not over, or reviewing it takes long."""
    if not match.game.is_over(match.state):
        return []
    try:
        analyst = analyst_for(match.game)
    except NoAnalystError:
        return []
    if not analyst.is_quick:
        return []
    return closing_lines(review_of(ReviewedGame(match, names), analyst), seat)


_LESSONS: Final = ("One thing", "Two things", "Three things")
_FIGURES: Final = "accuracy    ??     ?    ?!"
_LUCK: Final = 15
"""Columns of the luck in a table of figures."""
_LONGEST_NAME: Final = 24


def summary_page(review: Review, seat: Seat, width: int) -> Picture:
    """The first page of a review for a seat: figures, the biggest swing, and what can be learned.

    A line about a decision has the number of its ply as the action of a click.
    """
    so_far = f"So far {len(review.steps)} of {review.total_steps} steps are reviewed."
    lines = [] if review.is_complete else [[Span(so_far, "muted")], []]
    lines += _figures(review, seat)
    swing = biggest_swing(review, seat)
    if swing is not None:
        lines.append([])
        lines += [[Span(part, "", str(swing[0]))] for part in wrapped(swing[1], width)]
    found = lessons(review, seat)
    name = review.names[seat]
    of_whom = "" if name == "You" else f" for {name}"
    if found:
        lines += [[], [Span(f"{_LESSONS[len(found) - 1]} to learn{of_whom}", "title")]]
    elif review.is_complete:
        lines += [[], [Span(f"{name} made no mistake.", "title")]]
    for number, (step, decision) in enumerate(found, start=1):
        said = decision_lines(review, step, decision, tells_error=False)
        kind = decision.reason.kind
        count = sum(other.reason.kind == kind for _, other in review.mistakes(seat)) if kind else 0
        again = f"{count} times in this game." if count > 1 else ""
        first, *rest = wrapped(said[0], width - 3)
        action = str(step.ply)
        lines.append([Span(f"{number}  ", "key", action), Span(first, "", action)])
        lines += [[Span(f"   {part}", "", action)] for part in rest]
        reason = " ".join(filter(None, (*(line.strip() for line in said[1:]), again)))
        lines += [[Span(f"   {part}", "muted", action)] for part in wrapped(reason, width - 3)]
    return Picture.of(lines)


def _figures(review: Review, seat: Seat) -> Iterator[list[Span]]:
    names = [shortened(name, _LONGEST_NAME) for name in review.names]
    room = max(map(columns, names)) + 2
    luck = f"{'luck':>{_LUCK}}"
    yield [Span(" " * room + _FIGURES + luck, "muted")]
    for at in sorted(range(len(names)), key=lambda one: one != seat):
        one = review.summary(at)
        accuracy = "-" if one.accuracy is None else f"{one.accuracy:.0f} %"
        counts = "".join(f"{one.counts[mark]:>6}" for mark in _MARKS)
        yield [
            Span(justified(names[at], room), f"seat.{at}"),
            Span(f"{accuracy:>8}{counts}{review.scale.format(one.luck):>{_LUCK}}"),
        ]
