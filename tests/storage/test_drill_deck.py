from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from boardgames_cli.core.errors import StorageError
from boardgames_cli.storage.practice import DrillCard, add_cards, note_card, read_deck

TODAY = datetime.date(2026, 3, 1)


def card() -> DrillCard:
    return DrillCard({"id": "a", "game": "senet"}, TODAY.isoformat())


def test_intervals_are_those_of_sm_2() -> None:
    one, day, met = card(), TODAY, []
    for _ in range(4):
        one.note(1, day)
        met.append(one.days)
        day = datetime.date.fromisoformat(one.due)
    # 1 and 6 days, then times the ease, which grows by a tenth with every perfect answer
    assert met == [1, 6, 16, 45]
    assert one.ease == pytest.approx(2.9)


@pytest.mark.parametrize("tries", [0, 3, 9])
def test_a_card_that_was_not_known_begins_anew(tries: int) -> None:
    one = card()
    for _ in range(3):
        one.note(1, TODAY)
    one.note(tries, TODAY)
    assert (one.days, one.recalled, one.due) == (1, 0, "2026-03-02")


def test_ease_has_a_lower_limit() -> None:
    one = card()
    for _ in range(20):
        one.note(0, TODAY)
    assert one.ease == 1.3


def test_cards_are_kept_and_known_ones_stay(tmp_path: Path) -> None:
    path = tmp_path / "data" / "drill.json"
    add_cards(path, "senet-1", [{"id": "a", "game": "senet"}, {"id": "b", "game": "kuhn"}], TODAY)
    note_card(path, "a", 1, TODAY)
    add_cards(path, "senet-1", [{"id": "a", "game": "senet"}], TODAY)
    deck = read_deck(path)
    assert deck.games == ("senet-1",)
    assert [one.puzzle["id"] for one in deck.due(TODAY)] == ["b"]
    assert len(deck.due(TODAY + datetime.timedelta(1))) == 2
    assert len(deck.due(TODAY + datetime.timedelta(1), "kuhn")) == 1


@pytest.mark.parametrize(
    "text",
    ["[]", "{", '{"cards": 1, "games": []}', '{"cards": {"a": {"puzzle": {}}}, "games": []}',
     '{"cards": {"a": {"puzzle": {"game": "x"}, "due": "soon"}}, "games": []}'],
)  # fmt: skip
def test_a_damaged_deck_is_refused_and_stays(tmp_path: Path, text: str) -> None:
    path = tmp_path / "drill.json"
    path.write_text(text)
    with pytest.raises(StorageError):
        read_deck(path)
    with pytest.raises(StorageError):
        note_card(path, "a", 1, TODAY)
    assert path.read_text() == text
