"""What the oracle says of decisions, in numbers and in words, and that nobody waits for it long."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.algorithms.analysts.open_analyst import SearchAnalyst
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.analyst import (
    Choice,
    Judgement,
    Mark,
    Method,
    Reason,
    ranked,
)
from boardgames_cli.core.errors import AgentError
from boardgames_cli.core.game import CHANCE, Observation
from boardgames_cli.core.spec import AgentSpec
from boardgames_cli.evaluation import oracle
from boardgames_cli.evaluation.oracle import (
    ConsideredDecision,
    Hint,
    JudgedDecision,
    Oracle,
    StandIn,
    adviser_for,
    experience,
    with_favourite,
)
from boardgames_cli.evaluation.reviewer import ReviewedGame, Reviewer
from boardgames_cli.games.kuhn.actions import Action
from boardgames_cli.games.tapnswap.analyst import TapnSwapAnalyst
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.registry import BUILT_IN_GAMES, find_game, make
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings, Setup
from tests.games.kuhn.tables import play_hand

_PATIENCE = 60.0


def table(
    *seats: str, game: str = "tapnswap", folder: Path | None = None, seed: int = 3
) -> Session:
    settings = Settings(save=folder is not None, save_folder=folder)
    session = open_session(Setup(game, seats=seats or ("human", "random"), seed=seed), settings)
    while session.match.waiting_for == (CHANCE,):
        session.resolve_chance()
    return session


def asked(session: Session, seat: int | None = None) -> ConsideredDecision:
    """The decision of the seat to act, after the oracle has answered."""
    at = session.match.waiting_for[0] if seat is None else seat
    found = Oracle(session.match, session.holder_specs).consider(at)
    assert found.is_told.wait(_PATIENCE)
    return found


def judged(session: Session, seat: int | None = None) -> JudgedDecision:
    found = asked(session, seat)
    assert found.decision is not None, found.error
    return found.decision


# -- one rule --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["tapnswap", "kuhn", "senet", "deepsea"])
def test_what_the_tutor_and_the_hint_say_is_what_a_review_says(game: str) -> None:
    session = table("human", "human", game=game)
    rng, found = random.Random(1), list[tuple[int, Mark, Reason]]()
    while not session.match.is_over and len(found) < 8:
        if session.match.waiting_for == (CHANCE,):
            session.resolve_chance()
            continue
        (seat,) = session.match.waiting_for
        seen = session.observe(seat)
        action = rng.choice(seen.legal)
        decision_now = judged(session)
        marked = decision_now.mark(action)
        found.append((session.match.ply, marked.mark, marked.reason))
        assert decision_now.mark(decision_now.best).mark is Mark.GOOD, "no hint is a mistake"
        session.submit(seat, action)
    game_over = ReviewedGame(session.match, session.names, session.holder_specs)
    reviewer = Reviewer(game_over, analyst_for(session.game, session.holder_specs))
    while reviewer.done <= found[-1][0]:
        reviewer.advance()
    for ply, mark, reason in found:
        (decision,) = reviewer.review().steps[ply].decisions
        assert (decision.mark, decision.reason) == (mark, reason)


def test_the_reason_of_a_hint_is_against_what_costs_something() -> None:
    told = 0
    for seed in range(20):
        session = table("human", "human", game="tapnswap", seed=seed)
        for _ in range(6):
            decision, seat = judged(session), session.match.waiting_for[0]
            reason = decision.reason()
            assert bool(reason) == any(one.loss > 0 for one in decision.judgement.choices)
            assert not reason.endswith(".")
            told += bool(reason)
            session.submit(seat, decision.best)
            if session.match.is_over:
                break
        if told > 2:
            return
    raise AssertionError("no hint had a reason")


def test_a_danger_in_a_joint_step_is_a_reason() -> None:
    pytest.importorskip("numba", reason="Pommerman's analyst needs the extra `fast` (numba)")
    session = table("human", "random", "random", "random", game="pommerman", seed=7)
    match, rng = session.match, random.Random(1)
    while match.ply < 13:
        for seat in match.waiting_for:
            session.submit(seat, rng.choice(session.observe(seat).legal))
    assert "burns in 1 step" in asked(session, 0).why


def test_of_equal_choices_the_one_that_the_strongest_level_plays_is_recommended() -> None:
    seen = Observation(0, 0, None, ("a", "b", "c"))
    equal = ranked(0, [Choice(one, (0.5,), 0.1) for one in "abc"], Method(False, "guesses"))
    assert favourite_of(seen, equal, "c") == ["c", "a", "b"]
    assert favourite_of(seen, replace(equal, method=Method(True, "solved")), "c") == list("abc")
    better = [Choice("c", (0.0,)), Choice("a", (0.5,)), Choice("b", (0.5,))]
    assert favourite_of(seen, ranked(0, better, equal.method), "c") == list("abc"), "it is worse"


def favourite_of(
    seen: Observation[Any, Any], judgement: Judgement[Any], favourite: str
) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        played = ranked(0, [Choice(favourite, (0.0,))], judgement.method)
        patch.setattr(StandIn, "judge", lambda *_: played)
        decision = JudgedDecision(TapnSwapAnalyst(TapnSwap()), seen, (), judgement)
        return [one.action for one in with_favourite(decision).choices]


# -- in words --------------------------------------------------------------------------------------


def worded(choices: Sequence[Choice[Any]], method: Method, why: str = "") -> tuple[str, str]:
    """The hint of TapnSwap's analyst for a judgement."""
    seen, judgement = Observation(0, 0, None, ("a", "b", "c", "d")), ranked(0, choices, method)
    hint = Hint.of(JudgedDecision(TapnSwapAnalyst(TapnSwap()), seen, (), judgement), why)
    return hint.advice, hint.figures


EXACT, GUESS = Method(True, "solved"), Method(False, "guesses")


def test_a_hint_is_advice_with_a_reason_and_its_figures_are_apart() -> None:
    good, bad = Choice("a", (0.5,)), Choice("b", (0.0,))
    assert worded([good, bad], EXACT, "b breaks the pair 4-5") == (
        "A: b breaks the pair 4-5.", "A (win 75.0 %), then b (win 50.0 %).",
    )  # fmt: skip
    assert worded([good, bad], EXACT, "a breaks no pair")[0] == "A breaks no pair."
    assert worded([good, bad], EXACT)[0] == "Best: a."


def test_choices_within_their_error_are_told_as_equal_and_without_a_number_each() -> None:
    near = [Choice(name, (0.5 - at / 100,), 0.1) for at, name in enumerate("abcd")]
    far = Choice("e", (-1.0,), 0.1)
    assert worded(near, GUESS)[0] == "All 4 choices are about equally good."
    assert worded([*near, far], GUESS, "e dies") == (
        "A, or about as well b, c or 1 more: e dies.",
        "A or b or c (win 75.0 %), then e (win 0.0 %).",
    )
    same = [Choice("a", (0.5,)), Choice("b", (0.5,)), far]
    assert worded(same, EXACT, "e dies")[0] == "A, or just as well b: e dies."
    unknown = [Choice(name, (0.0,), math.inf) for name in "ab"]
    assert worded(unknown, GUESS) == ("Best: a.", "")


@pytest.mark.parametrize(
    ("deal", "line", "advice", "first"),
    [
        # A jack bluffs once in three times after a check.
        ("QJ", "c", "Check 67 % of the time, bet 33 % of the time.", "Check (67 % of the time, -1"),
        (
            "QK",
            "b",
            "Bet: the king wins every showdown; a call wins 2",
            "Bet (always, +2.00 chips)",
        ),
    ],
    ids=["mixed", "pure"],
)
def test_choices_have_their_frequencies_the_most_frequent_first(
    deal: str, line: str, advice: str, first: str
) -> None:
    session = open_session(Setup("kuhn", seats=("human", "human"), seed=1), Settings(save=False))
    play_hand(session.match, deal, line)
    found = asked(session, 1)
    assert found.decision is not None
    hint = Hint.of(found.decision, found.why)
    assert hint.advice.startswith(advice)
    assert hint.figures.startswith(first)


def test_actions_are_named_as_the_choices_are() -> None:
    session = open_session(Setup("kuhn", seats=("human", "human"), seed=1), Settings(save=False))
    play_hand(session.match, "QK", "b")
    assert session.action_name(1, Action.CHECK) == "fold"
    assert session.action_name(1, Action.BET) == "call (pay 1)"
    senet = table("human", "human", game="senet")
    seat = senet.match.waiting_for[0]
    for action in senet.observe(seat).legal:
        assert senet.action_name(seat, action) == str(action)


# -- in the background -----------------------------------------------------------------------------


def test_a_decision_is_judged_once_and_marked_where_a_tutor_asks() -> None:
    session = table()
    calls: list[None] = []
    found = Oracle(session.match, tell=lambda: calls.append(None), marks=True)
    first = found.consider(0)
    assert first.is_marked.wait(_PATIENCE)
    assert found.consider(0) is found.known(0) is first
    assert calls == [None]
    decision = first.decision
    assert decision is not None
    doubtful = {str(one.action) for one in decision.judgement.choices if one.loss > 0.1}
    assert doubtful <= first.marks.keys()
    session.submit(0, decision.best)
    assert found.known(0) is None, "it is about another moment"
    assert not asked(session).marks, "nobody asked for them"


class Stubborn(TapnSwapAnalyst):
    """Does not come back until the test lets it go."""

    let_go = threading.Event()

    def judge(self, seen: Any, earlier: Any = ()) -> Judgement[Any]:
        self.let_go.wait(_PATIENCE)
        return super().judge(seen, earlier)


class Failing(TapnSwapAnalyst):
    """Never has an idea."""

    def judge(self, seen: Any, earlier: Any = ()) -> Judgement[Any]:
        raise ZeroDivisionError


class Refusing(TapnSwapAnalyst):
    """Never judges."""

    @classmethod
    def why_not(cls, game: Any) -> str | None:  # noqa: ARG003
        return "it never judges"


class Mute(RandomAgent[Any, Any]):
    """Never has an idea either."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        raise ZeroDivisionError


BY_STUBBORN, BY_FAILING, BY_REFUSING = (
    replace(find_game("tapnswap"), analyst=f"{__name__}:{kind}")
    for kind in ("Stubborn", "Failing", "Refusing")
)
BY_NOBODY = replace(
    BY_FAILING, agents=(AgentSpec("mute", f"{__name__}:Mute", "x"),), levels={"hard": "mute"}
)


@pytest.fixture
def tapnswap_by(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:

    def judge(kind: str) -> None:
        monkeypatch.setitem(BUILT_IN_GAMES, "tapnswap", f"{__name__}:BY_{kind}")
        for known in (adviser_for, analyst_for):
            known.cache_clear()

    yield judge
    adviser_for.cache_clear()
    analyst_for.cache_clear()


@pytest.mark.parametrize("analyst", ["STUBBORN", "FAILING", "REFUSING"])
def test_a_level_stands_in_for_an_analyst_that_is_late_fails_or_is_not_there(
    monkeypatch: pytest.MonkeyPatch, tapnswap_by: Callable[[str], None], analyst: str
) -> None:
    if analyst == "STUBBORN":
        monkeypatch.setattr(oracle, "LATE_SECONDS", 0.05)
    Stubborn.let_go.clear()
    tapnswap_by(analyst)
    session = table()
    try:
        found = asked(session)
        assert found.decision is not None
        assert isinstance(found.decision.analyst, StandIn)
        judgement = TapnSwapAnalyst(TapnSwap()).judge(session.observe(0))
        assert judgement.of(found.decision.best).loss == 0
        assert not found.why, "it knows no values"
        assert all(not found.decision.mark(one).reason.text for one in session.observe(0).legal)
    finally:
        Stubborn.let_go.set()


def test_that_nobody_knows_is_an_answer(tapnswap_by: Callable[[str], None]) -> None:
    session = table()
    tapnswap_by("NOBODY")
    found = asked(session)
    assert found.decision is None
    assert isinstance(found.error, AgentError)
    assert "ZeroDivisionError" in found.error.message, found.error.message


def test_the_stand_in_is_shown_what_came_before_and_knows_what_a_level_says() -> None:
    session = table("human", "random", "random", "random", game="pommerman", seed=7)
    for _ in range(3):
        for seat in session.match.waiting_for:
            session.submit(seat, session.observe(seat).legal[0])
    seen, earlier = session.observe(0), experience(session.match, 0)
    assert len(earlier) == session.match.ply
    judgement = StandIn(session.game).judge(seen, earlier)
    assert {one.action for one in judgement.choices} == set(seen.legal)
    decision = JudgedDecision(StandIn(session.game), seen, earlier, judgement)
    assert decision.told(judgement.best) in ("best", "good", "worse", "much worse", "no way out")


# -- as deep as the deepest level ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("levels", "is_thorough", "depth"),
    [
        ({"easy": "greedy", "hard": "expectimax:depth=4"}, True, 3),
        ({"hard": "expectimax:4"}, True, 3),
        ({"hard": "expectimax:depth=4"}, False, 1),
        ({"hard": "expectimax:depth=30"}, True, 4),
        ({"easy": "expectimax", "hard": "mcts"}, True, 1),
    ],
)
def test_the_search_of_open_games_is_as_deep_as_the_deepest_level(
    monkeypatch: pytest.MonkeyPatch, levels: dict[str, str], is_thorough: bool, depth: int
) -> None:
    spec = replace(find_game("tapnswap"), levels=levels)
    monkeypatch.setitem(globals(), "LEVELLED", spec)
    monkeypatch.setitem(BUILT_IN_GAMES, "tapnswap", f"{__name__}:LEVELLED")
    game = make("tapnswap")
    searched: set[int | None] = set()

    class Noting(SearchAnalyst[Any, Any, Any, Any]):
        """Notes how far it searches."""

        def ahead(self, state: Any, decisions: int | None = None) -> tuple[float, ...]:
            searched.add(decisions)
            return super().ahead(state, decisions)

    analyst = Noting(game)
    seen = game.observe(game.initial_state(), 0)
    judgement = (analyst.thorough() if is_thorough else analyst).judge(seen)
    assert len(judgement.choices) == len(seen.legal)
    assert max(one or 0 for one in searched) == depth
