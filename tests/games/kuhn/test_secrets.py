"""Nobody sees what they must not: by every way in which the program shows a game."""

from __future__ import annotations

import json
import random

import pytest

from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import Observation
from boardgames_cli.core.match import Match
from boardgames_cli.core.presentation.view import RenderContext, Size
from boardgames_cli.core.text import Glyphs
from boardgames_cli.games.kuhn.actions import HIDDEN, NOT_DEALT, Action, Deal
from boardgames_cli.games.kuhn.rules import Kuhn, is_showdown
from boardgames_cli.games.kuhn.state import KuhnState
from boardgames_cli.games.kuhn.view import KuhnView
from boardgames_cli.registry import make_agent
from boardgames_cli.session.seats import seat_people
from boardgames_cli.session.session import Session
from tests.games.kuhn.tables import BET, CHECK, JACK, KING, QUEEN, KuhnMatch, every_state, play_hand

VIEWERS = (0, 1, None)
SIZES = [Size(51, 18), Size(60, 12), Size(77, 30), Size(30, 6)]
NAMES = ("Ann", "Bob")


def everything_shown(game: Kuhn, seen: Observation[KuhnState, Action]) -> list[str]:
    """All texts that a viewer gets to see of one moment."""
    view, texts = KuhnView(game), []
    for glyphs in (Glyphs.ASCII, Glyphs.UNICODE):
        context: RenderContext[Action, Deal] = RenderContext(
            glyphs, NAMES, BET if seen.legal else None
        )
        texts += [str(view.picture(seen, size, context)) for size in SIZES]
        texts += [str(view.sidebar(seen, 40, context)), view.prompt(seen, context)]
    texts.append(json.dumps(game.to_json(seen.state)))
    return texts


def twins(game: Kuhn, state: KuhnState, seat: int | None) -> list[KuhnState]:
    """The states that differ only in what the viewer must not know."""
    seen = game.observe(state, seat)
    return [other for other in every_state(game) if game.observe(other, seat) == seen]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_states_that_must_look_alike_do_in_every_text(viewer: int | None) -> None:
    game = Kuhn()
    for state in every_state(game):
        shown = everything_shown(game, game.observe(state, viewer))
        for twin in twins(game, state, viewer):
            assert everything_shown(game, game.observe(twin, viewer)) == shown


def test_how_many_worlds_a_seat_can_imagine() -> None:
    game = Kuhn()
    facing = KuhnState((KING, JACK), (BET,), 0)
    assert {state.cards for state in twins(game, facing, 1)} == {(KING, JACK), (QUEEN, JACK)}
    assert len(twins(game, facing, None)) == 6
    assert len(twins(game, KuhnState((KING, JACK), (BET, CHECK), 0), 0)) == 2, "after a fold"
    assert len(twins(game, KuhnState((KING, JACK), (BET, BET), 0), None)) == 1, "after a call"


def test_a_showdown_shows_both_cards_and_a_fold_none() -> None:
    game = Kuhn()
    for state in every_state(game):
        assert game.redact_for_all(state, (0, 1)) == state
        for viewer in VIEWERS:
            cards = game.redact(state, viewer).cards
            hidden = {seat for seat in (0, 1) if cards[seat] == HIDDEN}
            dealt = {seat for seat in (0, 1) if state.cards[seat] != NOT_DEALT}
            assert hidden == (set() if is_showdown(state) else dealt - {viewer})


def test_imagined_states_are_all_that_are_possible() -> None:
    game = Kuhn()
    seen = game.observe(KuhnState((KING, JACK), (BET,), 0), 1)
    rng = random.Random(1)
    worlds = {game.determinize(seen, rng) for _ in range(50)}
    assert worlds == set(twins(game, KuhnState((KING, JACK), (BET,), 0), 1))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_log_tells_the_same_whatever_is_hidden(viewer: int | None) -> None:
    logs = {}
    for deal in ("KJ", "KQ"):
        match: KuhnMatch = Match(Kuhn(), seed=1)
        play_hand(match, deal, "bc")
        logs[deal] = told(match, viewer)
    # The second card is seat 1's, whose own log tells it and nobody else's.
    assert (logs["KJ"] == logs["KQ"]) == (viewer != 1)
    assert any("king" in line for line in logs["KJ"]) == (viewer == 0)


def told(match: KuhnMatch, viewer: int | None) -> list[str]:
    game, view, lines = Kuhn(), KuhnView(Kuhn()), []
    for ply, step in enumerate(match.steps):
        before, after = (game.redact(match.state_at(at), viewer) for at in (ply, ply + 1))
        shown = game.redact_step(match.state_at(ply), step, viewer)
        lines += view.narrate(before, shown, after, RenderContext(names=NAMES))
    return lines


def test_history_shows_what_was_known_then() -> None:
    match: KuhnMatch = Match(Kuhn(), seed=1)
    play_hand(match, "KJ", "cbb")
    assert match.observe(0).state.cards == (KING, JACK), "the showdown"
    for ply in (2, 3, 4):
        assert match.observe(0, ply).state.cards == (KING, HIDDEN)
        assert match.observe(None, ply).state.cards == (HIDDEN, HIDDEN)


def test_a_session_with_one_person_tells_that_person_only() -> None:
    match: KuhnMatch = Match(Kuhn(), seed=1)
    session = Session(match, seat_people(match.game, ["human:name=Ann", "rock"]))
    play_hand(match, "QK", "cb")
    session = Session(match, seat_people(match.game, ["human:name=Ann", "rock"]))
    text = " ".join(line.text for line in session.log.lines()) + session.title
    assert "queen" in text
    assert "king" not in text.lower()


def test_a_copied_position_of_a_seat_can_not_be_played_as_if_it_were_whole() -> None:
    game = Kuhn()
    seen = game.observe(KuhnState((KING, JACK), (CHECK,), 0), 0)
    copied = game.to_json(seen.state)
    assert copied == {"cards": [2, "?"], "actions": ["check"], "first": 0}
    with pytest.raises(PositionError, match="hidden"):
        game.from_json(copied)


@pytest.mark.parametrize("spec", ["equilibrium", "best-response:to=rock", "rock"])
def test_advice_is_the_same_whatever_is_hidden(spec: str) -> None:
    game = Kuhn()
    agent = make_agent(spec, game)
    for other in (JACK, QUEEN):
        seen = game.observe(KuhnState((other, KING), (BET,), 0), 1)
        agent.reset(game, 1)
        assert agent.act(seen, Thinking(random.Random(1))) is BET
