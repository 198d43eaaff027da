"""Networks that read two sides apart: what they make of their inputs."""

from __future__ import annotations

from boardgames_cli.algorithms.networks.side_network import (
    FOE,
    OWN,
    Shape,
    SideNetwork,
)

SHAPE = Shape(inputs=2, hidden=2, phases=2)
ROWS = [
    *(1.0, -2.0, 0.5),  # own input 0: two hidden units, and straight to the log odds
    *(0.25, 1.0, 0.0),
    *(-3.0, 1.5, -0.25),  # the other side's input 0
    *(2.0, 0.0, 1.0),
]
NETWORK = SideNetwork(SHAPE, [*ROWS, 4.0, -8.0, 0.125, 0.75])


def test_sums_add_the_rows_of_one_role() -> None:
    assert NETWORK.sums(OWN, [0, 1]) == (1.25, -1.0, 0.5)
    assert NETWORK.sums(FOE, [1]) == (2.0, 0.0, 1.0)


def test_log_odds_cut_hidden_units_off_at_zero() -> None:
    own, opponent = NETWORK.sums(OWN, [0]), NETWORK.sums(FOE, [1])
    # The units are 1 + 2 and -2 + 0; the second is cut off.
    assert NETWORK.log_odds(own, opponent, 0) == 3 * 4.0 + 0.5 + 1.0 + 0.125
    assert NETWORK.log_odds(own, opponent, 1) == 3 * 4.0 + 0.5 + 1.0 + 0.75
    other = NETWORK.sums(FOE, [0])
    assert NETWORK.log_odds(NETWORK.sums(OWN, [1]), other, 0) == 2.5 * -8.0 - 0.25 + 0.125
