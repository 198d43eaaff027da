"""A game told again: nothing is lost, nothing is told twice, and secrets stay what they were."""

from __future__ import annotations

from typing import Any

import pytest

from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.core.presentation.view import Size
from boardgames_cli.registry import make, make_agent
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.replay import Replay, replay_of
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.storage.store import Store

SIZE = Size(60, 18)
GAMES: dict[str, dict[str, Any]] = {
    "senet": {},
    "tapnswap": {},
    "kuhn": {"hands": 3},
    "deepsea": {"players": 3, "rounds": 1},
}


def played(name: str, seed: int = 4) -> AnyMatch:
    game = make(name, **GAMES[name])
    match: AnyMatch = Match(game, seed=seed)
    play(match, [make_agent("random", game) for _ in range(game.seats)])
    return match


def story_of(match: AnyMatch, people: int = 0, **more: Any) -> Replay:
    seats = ["human"] * people + ["random"] * (match.game.seats - people)
    return Replay(match, seats, [f"P{seat}" for seat in range(match.game.seats)], **more)


def table(tmp_path: Any, seats: tuple[str, ...], seed: int = 4) -> Session:
    return open_session(Setup("cards", seats=seats, seed=seed), Settings(save_folder=tmp_path))


@pytest.mark.parametrize("name", GAMES)
def test_the_log_is_all_the_sentences_in_order(name: str) -> None:
    match = played(name)
    notes = [(0, "before all"), (2, "after two"), (match.ply, "in the end")]
    story = story_of(match, notes=notes)
    one_by_one = [text for ply in range(-1, match.ply) for text in story.sentences(ply)]
    assert [line.text for line in story.log(match.ply)] == one_by_one
    assert one_by_one[0] == "before all"
    assert one_by_one[-1] == "in the end"
    for _, text in notes:
        assert one_by_one.count(text) == 1


def test_a_table_and_its_retelling_tell_the_same(tmp_path: Any) -> None:
    session = table(tmp_path, ("human:Ann", "random"))
    session.remark("Ann was early.")
    while session.next_event() is not Event.OVER:
        if session.next_event() is Event.CHANCE:
            session.resolve_chance()
            continue
        seat = session.match.waiting_for[0]
        session.submit(seat, session.observe(seat).legal[0])
        session.remark(f"remark {session.match.ply}")
    story = Replay.of_session(session)
    assert [line.text for line in story.log(session.match.ply)][:1] == ["Ann was early."]
    told = [(line.ply, line.text) for line in story.log(session.match.ply)]
    assert told == [(line.ply, line.text) for line in session.log.lines()]
    session.close()
    saved = replay_of(Store(tmp_path).find("cards-1"))
    assert [(line.ply, line.text) for line in saved.log(session.match.ply)] == told
    remarks = [text for _, text in told if text.startswith("remark")]
    assert remarks == [f"remark {ply}" for ply in sorted(int(r.split()[1]) for r in remarks)]
    plies = [ply for ply, _ in told]
    assert plies == sorted(plies)


def test_who_acted_is_known_and_chance_is_nobody() -> None:
    match = played("senet")
    story = story_of(match)
    for line in story.log(match.ply):
        joint = match.steps[line.ply - 1].joint
        assert line.seat == next(iter(joint), None)


@pytest.mark.parametrize(
    ("people", "shown"),
    [(0, (False, False)), (1, (True, False)), (2, (False, False))],
)
def test_only_the_single_player_sees_a_card_before_the_end(
    people: int, shown: tuple[bool, bool]
) -> None:
    game = make("kuhn")
    match: AnyMatch = Match(game, seed=7)
    while match.waiting_for == (-1,):
        match.resolve_chance()
    story = story_of(match, people=people)
    cards = game.to_json(story.snapshot(match.ply).seen.state)["cards"]
    assert tuple(isinstance(card, int) and card >= 0 for card in cards) == shown
    assert story.ending() == f"The game is not over; it stands after step {match.ply}."
    assert "seed 7" not in story.details, "it tells the cards"


def test_when_it_is_over_every_card_is_shown() -> None:
    match = played("kuhn")
    assert "seed 4" in story_of(match).details
    story = story_of(match, people=2)
    states = [story.snapshot(ply).seen.state for ply in range(match.ply + 1)]
    assert states == [match.state_at(ply) for ply in range(match.ply + 1)]
    assert [ply for ply in range(match.ply + 1) if story.snapshot(ply).ending] == [match.ply]
    assert "won" in story.ending() or "anything" in story.ending()
