"""Reviews in words: how a game went for a seat, what cost most, and the figures behind that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.analyst import (
    CERTAIN,
    LEAST_NOTABLE,
    Mark,
    NoAnalystError,
    Scale,
    Value,
)
from boardgames_cli.core.game import Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.text import (
    Picture,
    Span,
    columns,
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
_LEAST_SWING: Final = 0.05
"""Smaller changes, as a share of the scale, are no swing; where none is by chance, no luck."""
DEAREST: Final = 5
"""The maximum number of decisions listed: of a seat's without a mark, and of those of others."""
_NOUNS: Final = ("small slips", "one mistake", "mistakes")
_COUNTS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

Found = tuple[ReviewStep, Decision]


def dearest(review: Review, seats: Sequence[Seat]) -> list[Found]:
    """The decisions of seats to list, the dearest first.

    All decisions with a mark, and the few most expensive others that are not negligible.
    """
    found = [
        (step, decision)
        for step in review.steps
        for decision in step.decisions
        if decision.seat in seats
        if decision.is_mistake or review.scale.is_notable(decision.loss, decision.loss_error)
    ]
    found.sort(key=lambda pair: -round(pair[1].loss, 6))
    below = [pair for pair in found if not pair[1].is_mistake][DEAREST:]
    return [pair for pair in found if pair not in below]


def _marked(review: Review, seat: Seat) -> list[Found]:
    return [pair for pair in dearest(review, [seat]) if pair[1].is_mistake]


def biggest_swing(review: Review, seat: Seat) -> tuple[int, str] | None:
    """The turn that changed a seat's prospects most: the ply of its last step, and a sentence.

    None if no position changed them.
    """
    changes: list[tuple[float, Turn, Value, Value]] = []
    before = review.value_at(0)
    for turn in turns(review):
        after = review.value_at(turn.last + 1)
        if before is not None and after is not None:
            changes.append((abs(after.returns[seat] - before.returns[seat]), turn, before, after))
        before = after or before
    largest = max(changes, key=lambda change: change[0], default=None)
    if largest is None or review.scale.share(largest[0]) < _LEAST_SWING:
        return None
    _, turn, first, then = largest
    chosen = "".join(decision.choice.label for decision in turn.decisions[:1])
    who = "" if turn.seat is None else f"{review.names[turn.seat]} {turn.label}".strip()
    luck = "luck" if turn.thrown and not turn.decisions else ""
    did = ": ".join(filter(None, (who, chosen))) if who else luck
    low, high = (review.scale.format_return(value.returns[seat]) for value in (first, then))
    unit, name = f" {review.scale.name}", review.names[seat]
    when = f"step {turn.last + 1}{f' ({did})' if did else ''}"
    change = f"{low.removesuffix(unit)} to {high} for {'you' if name == 'You' else name}"
    return turn.last, f"The game turned at {when}: {change}."


def worst_moment(review: Review, seat: Seat) -> tuple[int, str] | None:
    """The moment that a review opens with: its ply, and a sentence about the game.

    The dearest mistake of the seat; without a mistake the biggest swing, if there is one.
    """
    marked = _marked(review, seat)
    return (marked[0][0].ply, _mistakes(review, seat)) if marked else biggest_swing(review, seat)


def story(review: Review, seat: Seat) -> list[str]:
    """How a game went for a seat, in a few sentences: mistakes, luck, and what else to know."""
    told = [_mistakes(review, seat) if review.mistakes() else "Nobody made a mistake."]
    if len(review.names) == 2 and review.mistakes(1 - seat):
        told.append(_mistakes(review, 1 - seat))
    return [*told, *filter(None, (_balance(review, seat),)), *review.remarks]


def _mistakes(review: Review, seat: Seat) -> str:
    found = _marked(review, seat)
    fatal = [pair for pair in found if not pair[1].choice.plies_lost]
    is_lost = _is_lost_by(review, seat, fatal)
    found, name = fatal if is_lost else found, review.names[seat]
    count = len(found)
    if not count:
        return f"{name} made no mistake."
    many = f"{dict(enumerate(_COUNTS)).get(count, count)} mistake{'' if count == 1 else 's'}"
    (_, worst), *others = found
    where = f"{worst.moment} ({worst.best.label} instead)"
    where += f" and {others[0][1].moment}" if count == 2 else ""
    where = f"; the worst: {where}." if count > 2 else f": {where}."
    if not is_lost:
        return f"{name} made {many}{where}"
    if name == "You":
        return f"{many.capitalize()} threw the game away{where}"
    return f"{name} threw the game away with {many}{where}"


def _is_lost_by(review: Review, seat: Seat, found: Sequence[Found]) -> bool:
    if review.final is None:
        return False
    returns = review.final.returns
    lost, behind = sum(one.loss for _, one in found), max(returns) - returns[seat]
    # Between two sides one wins what the other loses.
    return 0 < behind <= lost * (2 if len(returns) == 2 else 1)


def _has_luck(review: Review) -> bool:
    share = review.scale.share
    return any(share(abs(luck)) >= _LEAST_SWING for step in review.steps for luck in step.luck)


def _balance(review: Review, seat: Seat) -> str:
    if not _has_luck(review):
        return ""
    scale, one, name = review.scale, review.summary(seat), review.names[seat]
    is_you, is_even = name == "You", abs(one.luck) <= CERTAIN * one.error
    luck = f"{name} {'were' if is_you else 'was'} {'lucky' if one.luck > 0 else 'unlucky'} by"
    nouns = ("your small slips", "your mistake", "your mistakes") if is_you else _NOUNS
    mistakes = review.mistakes(seat)
    cost = f"{nouns[min(2, len(mistakes))]} cost"
    gave = f"{review.names[1 - seat] if len(review.names) == 2 else 'the others'} gave"
    lost = sum(made.loss for _, made in mistakes) or one.cost
    amounts = {luck: 0.0 if is_even else abs(one.luck), cost: lost, gave: one.others}
    told = [part for part, amount in amounts.items() if scale.share(amount) >= LEAST_NOTABLE]
    said = [
        f"{part} {scale.format_total(amounts[part], is_bare=at > 0)}"
        for at, part in enumerate(told)
    ]
    if gave in told:
        said[-1] += " back" if cost in told else " away"
    return f"{'; '.join(said if luck in told else ['Luck was about even', *said])}."


def listed(review: Review, seat: Seat, most: int | None = None) -> list[Found]:
    """What cost most: a seat's decisions, and so many of the others', the dearest first."""
    others = [one for one in range(len(review.names)) if one != seat]
    return [*dearest(review, [seat]), *dearest(review, others)[:most]]


def decision_words(
    review: Review, step: ReviewStep, decision: Decision, *, is_named: bool = True
) -> str:
    """A sentence about a decision, with the throw before it, and what was better."""
    played, turn = decision.choice, throw_before(review, step)
    who = review.names[decision.seat] if is_named else ""
    did = " ".join(filter(None, (who, "" if turn is None else turn.label)))
    cost, mark = review.scale.format_cost(played), decision.mark.value
    said = " ".join(filter(None, (played.label, mark, cost and f"costs {cost}")))
    start = ", ".join(filter(None, (decision.moment, did)))
    return sentence(f"{start}: {said}; better: {decision.best.label}")


def throw_words(review: Review, step: ReviewStep) -> str:
    """The throw before a decision, with its luck: ``threw 3 (luck -1.2 %)``; may be empty."""
    turn = throw_before(review, step)
    if turn is None:
        return ""
    luck = review.scale.format(turn.luck).removesuffix(f" {review.scale.name}")
    return f"{turn.label} (luck {luck})"


def review_page(
    review: Review, seat: Seat, width: int, most: int = DEAREST, *, has_figures: bool = False
) -> Picture:
    """A review in words: how the game went for a seat, and what cost most; then the figures.

    Of the decisions of others only so many are listed. A line about a decision has the number of
    its ply as the action of a click.
    """
    so_far = f"So far {len(review.steps)} of {review.total_steps} steps are reviewed."
    lines = [] if review.is_complete else [[Span(so_far, "muted")], []]
    for text in story(review, seat):
        lines += [[Span(part)] for part in wrapped(text, width)]
    title, told = "", set[str]()
    for number, (step, decision) in enumerate(listed(review, seat, most), start=1):
        if title != (title := _title(review, seat, decision.seat)):
            lines += [[], [Span(title, "title")]]
        is_named = decision.seat != seat and len(review.names) > 2
        first, *rest = wrapped(decision_words(review, step, decision, is_named=is_named), width - 3)
        action = str(step.ply)
        lines.append([Span(f"{number:<3}", "key", action), Span(first, "", action)])
        lines += [[Span(f"   {part}", "", action)] for part in rest]
        reason = "" if decision.reason.text in told else sentence(decision.reason.text)
        told.add(decision.reason.text)
        lines += [[Span(f"   {part}", "muted", action)] for part in wrapped(reason, width - 3)]
    if has_figures:
        lines += [[], *figures(review, seat, width)]
    return Picture.of(lines)


def _title(review: Review, seat: Seat, by: Seat) -> str:
    whom = review.names[by] if by == seat or len(review.names) == 2 else "the others"
    return f"What cost {'you' if whom == 'You' else whom} most"


def closing_review(match: AnyMatch, names: Sequence[str], seat: Seat | None) -> list[str]:
    """The `story` of a match; empty if it is not over, or reviewing it takes long."""
    if not match.game.is_over(match.state):
        return []
    try:
        analyst = analyst_for(match.game)
    except NoAnalystError:
        return []
    if not analyst.is_quick:
        return []
    return story(review_of(ReviewedGame(match, names), analyst), seat or 0)


_FIGURES: Final = "accuracy    ??     ?    ?!"
_AMOUNT: Final = 15
"""Columns of an amount in the table of figures."""
_LONGEST_NAME: Final = 24


def figures(review: Review, seat: Seat, width: int) -> list[list[Span]]:
    """The figures of every seat, a seat's own first: a table, the sums, and how they were found."""
    found = [review.summary(one) for one in range(len(review.names))]
    found.sort(key=lambda one: one.seat != seat)
    lines = list(_table(review, found))
    for text in (*(_sum(review, one) for one in found), *_basis(review)):
        lines += [[], *([Span(part, "muted")] for part in wrapped(text, width))]
    return lines


def _table(review: Review, found: Sequence[SeatSummary]) -> Iterator[list[Span]]:
    names = [shortened(name, _LONGEST_NAME) for name in review.names]
    room, scale, has_luck = max(map(columns, names)) + 2, review.scale, _has_luck(review)
    amounts = ("cost", "luck") if has_luck else ("cost",)
    head = _FIGURES + "".join(f"{word:>{_AMOUNT}}" for word in amounts)
    yield [Span(" " * room + head, "muted")]
    for one in found:
        accuracy = "-" if one.accuracy is None else f"{one.accuracy:.0f} %"
        counts = "".join(f"{one.counts[mark]:>6}" for mark in _MARKS)
        told = (scale.format_loss(one.cost), scale.format(one.luck))[: len(amounts)]
        said = f"{accuracy:>8}{counts}" + "".join(f"{amount:>{_AMOUNT}}" for amount in told)
        yield [Span(justified(names[one.seat], room), f"seat.{one.seat}"), Span(said)]


def _sum(review: Review, summary: SeatSummary) -> str:
    scale, name = review.scale, review.names[summary.seat]
    error = f" (standard error {scale.format_loss(summary.error)})" if summary.error else ""
    so_far = "" if review.is_complete else ", so far"
    result, *parts = parts_in_words(scale, summary)
    return f"{name}{so_far}: {result} = {', '.join(parts)}{error}."


def parts_in_words(scale: Scale, summary: SeatSummary) -> list[str]:
    """A result and its parts, rounded so that they still add up to it."""
    middle = scale.size / 2 if scale.is_chance else 0.0  # the chance of a return of 0
    parts = {"start": summary.start + middle}
    if summary.luck:
        parts["luck"] = summary.luck - summary.luck_of_others
    parts |= {"own decisions": summary.own, "decisions of others": summary.others}
    if summary.luck_of_others:
        parts["luck of others"] = summary.luck_of_others
    if summary.error:
        parts["corrections of the estimate"] = summary.rest
    fine, form = (1000 / scale.size, "{:+.1f} %") if scale.is_chance else (100, "{:+.2f}")
    unit = 10 if scale.is_chance else 100
    result = round(fine * (summary.result + middle))
    whole = apportion([fine * part for part in parts.values()], result)
    told = [f"{name} {form.format(count / unit)}" for name, count in zip(parts, whole, strict=True)]
    return [form.format(result / unit), *told]


def _basis(review: Review) -> Iterator[str]:
    method, scale, first = review.method, review.scale, review.value_at(0)
    unit = f"chances {scale.part}" if scale.is_chance else scale.name
    exact = "exact" if method.is_exact else "estimates"
    marks = ", ".join(f"{mark.value} {mark.word}" for mark in _MARKS)
    yield f"Values are {exact}: {method.text}. Everything is counted in {unit}. Marks: {marks}."
    if first is None or not first.chances:
        return
    if method.is_exact:
        yield "Chances are those of best play by all."
    elif method.knows_players:
        yield "Chances take the agents at the table as they were measured to play."
    else:
        yield "Chances assume that all play on equally well."
