"""Days in a row and ladders."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pytest

from boardgames_cli.core.text import Glyphs
from boardgames_cli.evaluation.milestones import (
    climb_of,
    days_in_a_row,
    player_of,
    progress_in_words,
)
from boardgames_cli.evaluation.you import you
from boardgames_cli.registry import find_game, game_ids, make
from boardgames_cli.session.seats import seat_people
from boardgames_cli.storage.played_games import PlayedGame

TODAY = datetime.date(2026, 5, 4)


def played(number: int, opponent: str, won: bool = True, hints: int = 0) -> PlayedGame:
    returns = (1.0, -1.0) if won else (-1.0, 1.0)
    names = ("Ann", opponent)
    return PlayedGame(str(number), "senet", "2026-05-04T10:00:00", (0,), names, returns, hints)


@pytest.mark.parametrize(
    ("days", "count"),
    [
        ([], 0), (["2026-05-04"], 1), (["2026-05-03T23:59:59+02:00"], 1), (["2026-05-02"], 0),
        (["2026-05-02", "2026-05-04", "2026-05-03", "2026-05-03"], 3), (["nonsense"], 0),
    ],
)  # fmt: skip
def test_days_in_a_row(days: list[str], count: int) -> None:
    assert days_in_a_row(days, TODAY) == count


def test_two_wins_of_three_beat_an_opponent_of_senet() -> None:
    results = [played(1, "Ipi"), played(2, "Ipi", won=False)]
    climb = climb_of(results, "senet", "Ann")
    assert climb is not None
    assert (climb.beaten, climb.won, climb.played) == (0, 1, 2)
    assert climb.state(0) == "next: 1 of 2 won"
    climb = climb_of([*results, played(3, "Ipi")], "senet", "Ann")
    assert climb is not None
    assert climb.next is not None
    assert (climb.beaten, climb.next.name, climb.state(0)) == (1, "Meret", "beaten")


def test_a_game_tells_what_it_has_changed() -> None:
    first, second = played(1, "Ipi"), played(2, "Ipi")
    told = progress_in_words([first], "1", "senet", "Ann")
    assert told == ["A rating appears after 4 more games.", "One more win beats Ipi."]
    rated, beaten = progress_in_words([first, second], "2", "senet", "Ann")
    assert rated == "A rating appears after 3 more games."
    assert beaten == "Ipi is beaten: Meret is next."
    lost = played(1, "Ipi", won=False)
    assert progress_in_words([lost], "1", "senet", "Ann")[1] == "2 wins in a row beat Ipi."
    assert progress_in_words([first, lost], "1", "senet", "Ann")[1] == "One more win beats Ipi."
    assert progress_in_words([first, played(2, "a friend")], "2", "senet", "Ann") == []


def test_a_rating_is_told_and_drawn_after_some_games() -> None:
    games = [played(number, "easy", won=number > 5) for number in range(12)]
    told = [progress_in_words(games[:count], str(count - 1), "senet", "Ann") for count in (5, 6)]
    assert told == [["Ann's rating: about 1100."], ["Ann's rating: about 1080 (-20)."]]
    gone = replace(played(13, "hard"), game="gone")
    later, first = you([*games[:4], gone], [], "Ann", None, TODAY).records
    assert (later.row[0], first.row) == ("gone", ("Senet", "0 of 4 won", "", "Ipi is next"))
    assert first.curve(40, 5, Glyphs.ASCII) == []
    (record,) = you(games, [], "Ann", None, TODAY).records
    assert record.sentences()[0] == "Rating about 1470, near medium (1500)."
    for width, columns in ((40, 8), (9, 3)):
        lines = record.curve(width, 5, Glyphs.ASCII)
        assert lines[0].startswith("1470 | ")
        assert {(len(line), line[-1]) for line in lines} == {(6 + columns, "@")}


def test_what_does_not_count_on_a_ladder() -> None:
    hinted = [played(1, "Ipi", hints=1), played(2, "Ipi", hints=2)]
    too_early = [played(3, "Meret"), played(4, "Meret")]
    long_ago = [played(5, "Ipi"), *(played(6 + n, "Ipi", won=False) for n in range(3))]
    climb = climb_of([*hinted, *too_early, *long_ago], "senet", "Ann")
    assert climb is not None
    assert (climb.beaten, climb.won, climb.played) == (0, 0, 3)
    other = climb_of([played(1, "Ipi"), played(2, "Ipi")], "senet", "Ben")
    assert other is not None
    assert other.beaten == 0


def test_at_the_top_there_is_nobody_left() -> None:
    ladder = climb_of([], "tapnswap", "Ann")
    assert ladder is not None
    names = [one.name for one in ladder.ladder.opponents]
    wins = [PlayedGame(n, "tapnswap", "", (0,), ("Ann", n), (1.0, -1.0)) for n in names]
    climb = climb_of(wins, "tapnswap", "Ann")
    assert climb is not None
    assert (climb.beaten, climb.next) == (len(names), None)


def test_who_played_last() -> None:
    assert player_of([]) == ""
    assert player_of([played(1, "Ipi")], "kuhn") == ""
    assert player_of([played(1, "Ipi")]) == "Ann"


@pytest.mark.parametrize("id", game_ids())
def test_every_opponent_takes_a_seat_under_its_name(id: str) -> None:
    game, climb = make(id), climb_of([], id, "You")
    assert climb is not None
    assert 4 <= len(climb.ladder.opponents) <= 7
    for one in climb.ladder.opponents:
        holder = seat_people(game, ["human"] * (game.seats - 1) + [one.name.lower()])[-1]
        assert holder.name == one.name
        assert one.face.isascii()
        assert all((one.face, one.on_win, one.on_loss)), "everybody has a face and something to say"
        again = seat_people(game, ["human"] * (game.seats - 1) + [holder.spec])[-1]
        assert (again.name, again.spec) == (holder.name, holder.spec)
        assert find_game(id).levels.get(one.agent, one.agent) in f"{holder.spec},"
