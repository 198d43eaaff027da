from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from boardgames_cli.storage.practice import DrillCard, DrillDeck, add_cards, note_card, read_deck

TODAY = datetime.date(2026, 3, 1)


def card() -> DrillCard:
    return DrillCard({"id": "a", "game": "senet"}, TODAY.isoformat())


def answer(one: DrillCard, *tries: int) -> list[int]:
    """The intervals after answers, each on the day on which the card is due."""
    met = []
    for count in tries:
        one.note(count, datetime.date.fromisoformat(one.due))
        met.append(one.days)
    return met


@pytest.mark.parametrize(
    ("tries", "intervals", "ease"),
    # Wozniak: 1 and 6 days, then times EF; EF' = EF + (0.1 - (5 - q) * (0.08 + (5 - q) * 0.02))
    # q = 5 for the first try: EF + 0.1; 3 for the second: EF - 0.14; 1 for more: EF - 0.54
    [((1, 1, 1, 1), [1, 6, 16, 45], 2.9), ((2, 2, 2, 2), [1, 6, 13, 27], 1.94),
     ((1, 2, 1), [1, 6, 15], 2.56), ((0,), [1], 1.96), ((3,), [1], 1.96),
     ((1, 1, 1, 9, 1, 1), [1, 6, 16, 1, 1, 6], 2.46), ((0,) * 9, [1] * 9, 1.3)],
)  # fmt: skip
def test_intervals_and_ease_are_those_of_sm_2(
    tries: tuple[int, ...], intervals: list[int], ease: float
) -> None:
    one = card()
    assert answer(one, *tries) == intervals
    assert one.ease == pytest.approx(ease)


def test_a_card_is_moved_on_once_a_day() -> None:
    one = card()
    for day in (0, 1):
        answer(one, 1)
        moved = (one.days, one.due, one.ease, one.recalled)
        for tries in (1, 0):
            one.note(tries, TODAY + datetime.timedelta(day))
            assert (one.days, one.due, one.ease, one.recalled) == moved
    one.note(1, TODAY + datetime.timedelta(2))
    assert one.days == 16, "it was asked before its day"


def test_a_card_that_a_wrong_clock_has_put_off_is_asked_today() -> None:
    new, known = card(), card()
    answer(known, 1, 1)  # on days 0 and 1
    deck = DrillDeck({"new": new, "known": known})
    before, on_the_day = TODAY - datetime.timedelta(1), TODAY + datetime.timedelta(1)
    assert deck.due(before) == [new, known], "in a year that had not come yet"
    assert deck.due(on_the_day) == [new]
    assert deck.due(TODAY + datetime.timedelta(7)) == [new, known]
    known.days = 10**12
    assert deck.due(before) == [new], "as far off as it can be"


OLD = """{"cards": {
"senet-1, step 3": {"puzzle": {"game": "senet", "id": "senet-1, step 3", "asks": "x"},
    "due": "2026-02-01", "days": 0, "ease": 2.5, "recalled": 0},
"senet-1, step 9": {"puzzle": {"game": "senet", "id": "senet-1, step 9", "asks": "x"},
    "due": "2026-05-01", "days": 16, "ease": 2.7, "recalled": 3},
"senet-2, step 5": {"puzzle": {"game": "senet", "id": "senet-2, step 5", "asks": "x"},
    "due": "2026-04-01", "days": 6, "ease": 2.6, "recalled": 2},
"senet-3, step 5": {"puzzle": {"game": "senet", "id": "senet-3, step 5", "asks": ""},
    "due": "2026-02-01", "days": 0, "ease": 2.5, "recalled": 0}},
"games": ["senet-1 2026", "senet-2 2026", "senet-3 2026"]}"""


def test_an_older_deck_is_read_and_asked(tmp_path: Path) -> None:
    path = tmp_path / "drill.json"
    path.write_text(OLD)
    deck = read_deck(path)
    assert deck.games == ("senet-1 2026", "senet-2 2026", "senet-3 2026")
    assert [(one.question, one.games) for one in deck.cards.values()] == [("", 1)] * 4
    assert note_card(path, "senet-1, step 3", 1, TODAY) == 1


def test_a_question_is_one_card_with_a_count_of_its_games(tmp_path: Path) -> None:
    path = tmp_path / "drill.json"
    for game, asked in (("s-1", "x"), ("s-2", "x"), ("s-2", "x"), ("s-2 later", "y")):
        add_cards(path, game, {asked: {"id": game[:3], "game": "senet"}}, TODAY)
    add_cards(path, "s-1 later", {"z": {"id": "s-1", "game": "senet"}}, TODAY)
    cards = read_deck(path).cards
    assert [(one.question, one.games) for one in cards.values()] == [("x", 2), ("y", 1), ("z", 1)]
    assert [one.puzzle["id"] for one in cards.values()] == list(cards), "a name that is used again"


def test_cards_are_kept_and_known_ones_stay(tmp_path: Path) -> None:
    path = tmp_path / "data" / "drill.json"
    one, other = {"id": "a", "game": "senet"}, {"id": "b", "game": "kuhn"}
    add_cards(path, "senet-1", {"x": one, "y": other}, TODAY)
    assert [note_card(path, id, 1, TODAY) for id in ("a", "unknown")] == [1, 0]
    add_cards(path, "senet-1", {"x": one}, TODAY)
    deck = read_deck(path)
    assert deck.games == ("senet-1",)
    assert [one.puzzle["id"] for one in deck.due(TODAY)] == ["b"]
    assert len(deck.due(TODAY + datetime.timedelta(1))) == 2
    assert len(deck.due(TODAY + datetime.timedelta(1), "kuhn")) == 1
