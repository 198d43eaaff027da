from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from boardgames_cli.agents.remote import child


@pytest.fixture(scope="session")
def senet_exact() -> ModuleType:
    """benchmarks/senet_exact.py, so that its figures and the tests are counted alike."""
    folder = Path(__file__).parents[2] / "benchmarks"
    path = folder / "senet_exact.py"
    sys.path.append(str(folder))  # the benchmarks share their arguments
    spec = importlib.util.spec_from_file_location("senet_exact", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    sys.path.remove(str(folder))
    return module


@pytest.fixture
def time_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that end by themselves get the time to do so, however busy the machine is."""
    monkeypatch.setattr(child, "_ENDING_SECONDS", 60.0)
