"""Options: declared once, checked everywhere, read from text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from boardgames_cli.core.errors import OptionError, UnknownNameError
from boardgames_cli.core.options import (
    OptionSpec,
    build,
    check_options,
    every_option_set,
    finite_number,
    is_finite,
    option,
    option_values,
    options_of,
)


@dataclass(frozen=True)
class Engine:
    mode: str = option("fast", "how it runs", choices=("fast", "slow"))
    depth: int = option(2, "how deep it looks", low=1, high=6)
    slips: float = option(0.0, "how often it errs", low=0.0, high=1.0)
    is_loud: bool = option(False, "whether it speaks")
    seed_word: str = option("x", "any text")
    least: int = option(0, "at least nothing", low=0)
    private: int = 7

    def __post_init__(self) -> None:
        check_options(self)


SPECS = {spec.name: spec for spec in options_of(Engine)}


def test_options_are_declared_in_order_and_plain_fields_are_none() -> None:
    assert list(SPECS) == ["mode", "depth", "slips", "is_loud", "seed_word", "least"]
    assert (SPECS["depth"].type, SPECS["depth"].default) == (int, 2)
    assert SPECS["depth"].help == "how deep it looks"
    assert options_of(Engine()) == options_of(Engine)
    assert options_of(object()) == ()


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("mode", "slow", "slow"),
        ("mode", "Slow", "slow"),
        ("depth", "6", 6),
        ("slips", "0.25", 0.25),
        ("slips", "1", 1.0),
        ("seed_word", "7", "7"),
    ],
)
def test_values_are_read_from_text(name: str, text: str, value: Any) -> None:
    read = SPECS[name].read(text)
    assert (read, type(read)) == (value, type(value))
    assert getattr(build(Engine, {name: text}, "engine"), name) == value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mode", "medium"),
        ("mode", 3),
        ("depth", 0),
        ("depth", 7),
        ("depth", True),
        ("depth", 2.0),
        ("depth", "two"),
        ("depth", "2.5"),
        ("depth", None),
        ("slips", float("nan")),
        ("slips", float("inf")),
        ("slips", "nan"),
        ("slips", -0.1),
        ("slips", False),
        ("is_loud", "maybe"),
        ("is_loud", 1),
        ("least", -1),
    ],
)
def test_a_wrong_value_is_refused_with_what_is_allowed(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=f"{name} can't be") as caught:
        build(Engine, {name: value}, "engine")
    assert caught.value.todo == f"Allowed: {SPECS[name].allowed}."
    if not isinstance(value, str):
        with pytest.raises(OptionError):
            Engine(**{name: value})


def test_dashes_stand_for_underscores() -> None:
    assert build(Engine, {"seed-word": "y"}, "engine").seed_word == "y"


def test_an_unknown_option_is_named_with_a_guess() -> None:
    with pytest.raises(UnknownNameError, match='unknown engine option "dept"') as caught:
        build(Engine, {"dept": 3}, "engine")
    assert 'Did you mean "depth"?' in caught.value.message
    with pytest.raises(UnknownNameError):
        build(Engine, {"private": 3}, "engine")


def test_every_option_set_combines_the_short_lists_only() -> None:
    sets = list(every_option_set(Engine))
    assert len(sets) == 4
    assert {(values["mode"], values["is_loud"]) for values in sets} == {
        ("fast", False), ("fast", True), ("slow", False), ("slow", True),
    }  # fmt: skip
    assert {values["depth"] for values in sets} == {2}
    assert all(option_values(Engine(**values)) == values for values in sets)


@dataclass
class Unbounded:
    """No limits but those of all numbers."""

    share: float = option(0.0, "any number")
    count: int = option(0, "any whole number")


def test_whole_numbers_that_no_float_can_hold_are_refused() -> None:
    for name in ("share", "count"):
        with pytest.raises(OptionError, match=f"{name} can't be"):
            build(Unbounded, {name: 10**400}, "agent")
    assert not is_finite(10**400)
    with pytest.raises(ValueError, match="not a finite number"):
        finite_number("1e999")
    assert build(Unbounded, {"count": 10**300}, "agent").count == 10**300
    assert finite_number("1e300") == 1e300


def test_a_command_line_names_an_option_and_its_values() -> None:
    words = OptionSpec("some_words", str, "x").words_for
    assert words("chess", "x") == []
    assert words("chess", "y", "z") == ["--some-words", "y,z"]
    assert words("chess", "y", taken=("some_words",)) == ["--chess-some-words", "y"]
    assert OptionSpec("max_plies", int, 5).words_for("chess", "40") == ["--chess-max-plies", "40"]
    assert OptionSpec("fog", bool, False).words_for("chess", "on", "off") == ["--fog", "--no-fog"]
