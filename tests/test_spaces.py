"""The tables of arrays in docs/environments.md are those of the encoders."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[1] / "docs" / "spaces.py"


@pytest.fixture(scope="module")
def spaces() -> ModuleType:
    spec = importlib.util.spec_from_file_location("spaces", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_are_current(spaces: ModuleType) -> None:
    page = spaces.PAGE.read_text(encoding="utf-8")
    assert page == spaces.renewed(page), "run: python docs/spaces.py"


def test_a_table_that_is_not_current_is_noticed(spaces: ModuleType) -> None:
    page = spaces.PAGE.read_text(encoding="utf-8")
    old = page.replace("| `throw` | [5] |", "| `throw` | [6] |")
    assert old != page
    assert spaces.renewed(old) == page
    assert spaces.BEGIN in page
    assert spaces.END in page
