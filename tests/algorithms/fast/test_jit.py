"""The compiler that all games share, its cache, its random numbers, and life without it."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numba", reason="compiled rules need the extra `fast` (numba)")

from boardgames_cli.algorithms.fast import jit
from boardgames_cli.algorithms.fast.jit import Compiler, draw, make_seed
from boardgames_cli.core.errors import install_command


def test_the_cache_is_not_in_the_package_and_minds_every_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit._CONFIG, "CACHE_DIR", "")
    source = tmp_path / "board.py"
    caches = []
    for text in ("HOUSES = 30", "HOUSES = 31", "HOUSES = 30"):
        source.write_text(text, encoding="utf-8")
        caches.append(Compiler(tmp_path).cache)
        assert Compiler(source).cache == caches[-1]
    assert caches[0] == caches[2] != caches[1]
    assert not caches[0].startswith(str(Path(jit.__file__).parents[3]))


def test_without_a_place_for_a_cache_it_is_compiled_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[dict[str, Any]] = []

    def njit(**options: Any) -> Any:
        asked.append(options)
        if options.get("cache"):
            raise RuntimeError("no locator available")
        return lambda function: function

    monkeypatch.setattr("numba.njit", njit)
    assert Compiler()(abs)(-2) == 2
    assert len(asked) == 2


def test_draws_are_even() -> None:
    rng = make_seed(5)
    counts = Counter(draw(rng, 6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(abs(count - 1000) < 180 for count in counts.values())


@pytest.mark.parametrize("package", ["numba", "numpy"])
def test_without_a_package_there_is_one_clear_message(package: str) -> None:
    code = f"""
import importlib, pickle, sys
from boardgames_cli.core.errors import GameError, install_command
sys.modules[{package!r}] = None
for name in ("senet", "pommerman"):
    for module in ("fast", "fast.batch", "fast.jit"):
        try:
            importlib.import_module(f"boardgames_cli.games.{{name}}.{{module}}")
        except GameError as error:
            print(pickle.loads(pickle.dumps(error)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert not done.stderr
    told = f"compiled rules need a package that is not installed ({package}).   "
    told += f"Install it: {install_command('fast')}"
    assert done.stdout.splitlines() == [told] * 6
