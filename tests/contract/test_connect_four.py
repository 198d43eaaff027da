"""A board that hides what its players know is caught, even if the rules are in order."""

from __future__ import annotations

import pytest

from boardgames_cli.testing import ContractError, check_game, check_view
from tests.contract.connect_four import BottomRows, ConnectFour, FullBoard, LastDisc, OneColumn


def test_connect_four_keeps_the_contract() -> None:
    check_game(ConnectFour(), seeds=range(3))
    check_view(FullBoard(ConnectFour()))


HIDING: list[tuple[str, type[FullBoard]]] = [
    ("distinguishes_positions", LastDisc),
    ("shows_every_step", BottomRows),
    ("shows_every_step", OneColumn),
]


@pytest.mark.parametrize(("law", "view"), HIDING)
def test_a_board_that_hides_most_discs_is_caught(law: str, view: type[FullBoard]) -> None:
    with pytest.raises(ContractError) as caught:
        check_view(view(ConnectFour()))
    assert caught.value.law == law, caught.value
