"""Who has won: every set of survivors, in every kind of game."""

from __future__ import annotations

from itertools import chain, combinations

import pytest

from boardgames_cli.games.pommerman.rules.step import final_returns
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
