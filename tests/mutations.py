"""Damage done to JSON values at random places, as an attacker or a bad disk does it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 5, 31, 32, 100_001, 2**63, 10**400, -(10**5000), 0.0, 1.0,
    -0.0, 0.5, 1e308, float("nan"), float("inf"), "", "?", "0", "check", "over", "\ud800", "\0",
    "é" * 300, [], {}, [[]], [None], [0, 0], [1, 1], [-1, 99], {"": 0}, {"dots": 0}, [[0, 0], 6],
    [0] * 5000, b"bytes", {1: 2}, {"pos": [0, 0], "life": 1},
)  # fmt: skip
"""Values that a careless reader stumbles over."""

json_values: st.SearchStrategy[Any] = st.sampled_from(ODD) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values inside a JSON value, from the outside in."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield (*path, key)
            yield from places(value[key], (*path, key))


def _replace(inner: Any, key: Any, new: Any) -> None:
    inner[key] = new


def _remove(inner: Any, key: Any, _: Any) -> None:
    del inner[key]


def _add(inner: Any, key: Any, new: Any) -> None:
    if isinstance(inner, list):
        inner.insert(key, new)
    else:
        inner[f"{key}x"] = new


def _repeat(inner: Any, key: Any, _: Any) -> None:
    if isinstance(inner, list):
        inner.insert(key, copy.deepcopy(inner[key]))
    else:
        inner[key] = [inner[key], inner[key]]


@st.composite
def damaged(
    draw: st.DrawFn,
    values: st.SearchStrategy[Any],
    odd: st.SearchStrategy[Any] | None = None,
) -> Any:
    """A value with one to three places replaced, removed, added to or repeated.

    Args:
        draw: Hypothesis's own.
        values: Sound JSON objects.
        odd: What is put into their places; any JSON if left out.
    """
    value = copy.deepcopy(draw(values))
    for _ in range(draw(st.integers(1, 3))):
        known = list(places(value))
        if not known:
            break
        *path, key = draw(st.sampled_from(known))
        inner = value
        for step in path:
            inner = inner[step]
        draw(st.sampled_from((_replace, _replace, _remove, _add, _repeat)))(
            inner, key, copy.deepcopy(draw(json_values if odd is None else odd))
        )
    return value
