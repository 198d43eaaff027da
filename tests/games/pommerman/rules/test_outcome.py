"""Who has won: every set of survivors, in every kind of game."""

from __future__ import annotations

from itertools import chain, combinations

import pytest

from boardgames_cli.games.pommerman.rules.step import final_returns, is_tie, running_returns
from boardgames_cli.games.pommerman.state import Bomber, PommermanState

# For the agents that live: what each gets, + 1, - -1, 0 0; None while the game goes on.
EACH = {
    "": "----",
    "A": "+---",
    "B": "-+--",
    "C": "--+-",
    "D": "---+",
    **dict.fromkeys(("AB", "AC", "AD", "BC", "BD", "CD", "ABC", "ABD", "ACD", "BCD", "ABCD")),
}
TEAMS = {
    "": "----",
    **dict.fromkeys(("A", "C", "AC"), "+-+-"),
    **dict.fromkeys(("B", "D", "BD"), "-+-+"),
    **dict.fromkeys(("AB", "AD", "BC", "CD", "ABC", "ABD", "ACD", "BCD", "ABCD")),
}
DUEL = {"": "00", "A": "+-", "B": "-+", "AB": None}
KINDS = [("each", EACH, False), ("teams", TEAMS, True), ("duel", DUEL, False)]
WORTH = {"+": 1.0, "-": -1.0, "0": 0.0}


def living(who: str, seats: int, step: int = 5, fallen: str = "") -> PommermanState:
    agents = tuple(Bomber(seat, letter in who, 1, 3, False) for seat, letter in enumerate("ABCD"))
    return PommermanState(
        agents=agents[:seats], step=step, fallen=tuple("ABCD".index(letter) for letter in fallen)
    )


def worth(signs: str | None) -> tuple[float, ...] | None:
    return None if signs is None else tuple(WORTH[sign] for sign in signs)


@pytest.mark.parametrize(
    ("table", "teams"), [kind[1:] for kind in KINDS], ids=["each", "teams", "2"]
)
def test_every_set_of_survivors_is_judged(table: dict[str, str | None], teams: bool) -> None:
    letters = max(table, key=len)
    sets = chain.from_iterable(combinations(letters, count) for count in range(len(letters) + 1))
    assert set(table) == {"".join(who) for who in sets}
    for who, wanted in table.items():
        state = living(who, len(letters))
        assert final_returns(state, teams=teams, steps=6) == worth(wanted), who
        # In the last step a winner still wins; everything else is a tie and lost by all.
        lost = "-" * len(letters)
        last = wanted if wanted and "+" in wanted else lost
        assert final_returns(state, teams=teams, steps=5) == worth(last), who
        assert final_returns(state, teams=teams, steps=4) == worth(last), who


@pytest.mark.parametrize(
    ("who", "fallen", "seats", "teams", "wanted"),
    [
        # Who fell in this step still counts as alive.
        ("A", "B", 4, False, None),
        ("A", "C", 4, True, "+-+-"),
        ("A", "BD", 4, True, None),
        ("B", "A", 2, False, None),
        ("", "C", 4, False, "--+-"),
        ("", "C", 4, True, "+-+-"),
        # But if nobody is left who could act, it is over, judged as the next step would.
        ("", "AB", 4, False, "----"),
        ("", "AB", 2, False, "00"),
        ("", "ABCD", 4, True, "----"),
    ],
)
def test_the_collapse_is_judged_a_step_later(
    who: str, fallen: str, seats: int, teams: bool, wanted: str | None
) -> None:
    state = living(who, seats, fallen=fallen)
    assert final_returns(state, teams=teams, steps=800) == worth(wanted)


@pytest.mark.parametrize(
    ("who", "fallen", "seats", "teams", "wanted"),
    [
        ("ABCD", "", 4, False, "0000"),
        ("BC", "", 4, False, "-00-"),
        ("BC", "A", 4, False, "000-"),
        ("BC", "", 4, True, "0000"),
        ("AB", "", 2, False, "00"),
        ("A", "B", 2, False, "00"),
    ],
)
def test_the_dead_have_lost_already_where_each_plays_alone(
    who: str, fallen: str, seats: int, teams: bool, wanted: str
) -> None:
    assert running_returns(living(who, seats, fallen=fallen), teams=teams) == worth(wanted)


def test_a_tie_is_where_nobody_wins() -> None:
    for _, table, teams in KINDS:
        for who, wanted in table.items():
            final = final_returns(living(who, len(max(table, key=len))), teams=teams, steps=6)
            if wanted is not None:
                assert final is not None
                assert is_tie(final) == ("+" not in wanted)
