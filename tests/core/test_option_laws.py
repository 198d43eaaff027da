"""Options as laws: what is written is read, and nothing outside of the limits gets in."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardgames_cli.core.errors import OptionError
from boardgames_cli.core.options import (
    OptionSpec,
    build,
    every_option_set,
    option_values,
    options_of,
)
from boardgames_cli.registry import find_game, game_ids

BOUNDS = st.integers(-(10**6), 10**6)


@given(BOUNDS, BOUNDS, st.integers(-(10**7), 10**7))
def test_a_whole_number_is_read_just_within_its_limits(one: int, other: int, value: int) -> None:
    low, high = sorted((one, other))
    spec = OptionSpec("size", int, low, low=low, high=high)
    if low <= value <= high:
        assert spec.read(str(value)) == value
        return
    with pytest.raises(OptionError) as caught:
        spec.read(str(value))
    assert caught.value.message == f"size can't be {value}."
    assert caught.value.todo == f"Allowed: {low:g} to {high:g}."


@given(st.floats())
def test_only_finite_numbers_are_numbers(value: float) -> None:
    spec = OptionSpec("share", float, 0.0)
    if math.isfinite(value):
        assert spec.read(repr(value)) == value
        return
    for refuse in (lambda: spec.read(repr(value)), lambda: spec.check(value)):
        with pytest.raises(OptionError, match="share can't be"):
            refuse()


@given(st.text(max_size=12))
def test_a_text_is_a_number_a_switch_or_refused_in_words(text: str) -> None:
    for kind in (int, float, bool):
        spec = OptionSpec("what", kind, kind(0))
        try:
            value = spec.read(text)
        except OptionError as error:
            refusal = error
            assert (refusal.message[:13], refusal.todo) == (
                "what can't be",
                f"Allowed: {spec.allowed}.",
            )
        else:
            assert type(value) is kind


@given(st.sampled_from(["On", "OFF", "yes", "nO", "TRUE", "false"]))
def test_switches_are_read_in_any_case(text: str) -> None:
    expected = text.lower() in ("on", "yes", "true")
    assert OptionSpec("loud", bool, False).read(text) is expected


@pytest.mark.parametrize(
    ("spec", "allowed"),
    [
        (OptionSpec("x", int, 1, high=6), "6 or less"),
        (OptionSpec("x", int, 1, low=0.5), "0.5 or more"),
        (OptionSpec("x", int, 1), "a whole number"),
        (OptionSpec("x", float, 1.0), "a number"),
        (OptionSpec("x", str, ""), "a text"),
        (OptionSpec("x", bool, False, choices=(True,)), "on, off"),
        (OptionSpec("x", int, 1, choices=(5, 7), low=1, high=9), "5, 7"),
    ],
)
def test_what_is_allowed_in_words(spec: OptionSpec, allowed: str) -> None:
    assert spec.allowed == allowed


@pytest.mark.parametrize("game", game_ids())
def test_every_option_set_of_a_game_is_playable_and_told_back(game: str) -> None:
    rules = find_game(game).game_class()
    sets = list(every_option_set(rules))
    assert len({tuple(values.items()) for values in sets}) == len(sets)
    for values in sets:
        texts = {name: str(value).lower() if isinstance(value, bool) else str(value)
                 for name, value in values.items()}  # fmt: skip
        made: Any = build(rules, texts, game)
        assert option_values(made) == values
        assert made == build(rules, values, game)
        assert not made.is_over(made.initial_state())


@pytest.mark.parametrize("game", game_ids())
def test_defaults_are_allowed_and_helped(game: str) -> None:
    for spec in options_of(find_game(game).game_class()):
        spec.check(spec.default)
        assert spec.help
        assert spec.allowed
