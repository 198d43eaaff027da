"""Networks learn from exact values; those up to three dancers a side stand in for all."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="learning needs the extra `fast` (numba)")

import numpy as np
from senet_exact import read_choices
from senet_learner import file_of, random_position
from senet_learning import Lesson, sample_positions

from boardgames_cli.algorithms.endings import SCALE
from boardgames_cli.algorithms.fast.jit import make_seed
from boardgames_cli.algorithms.networks.side_network import SideNetwork, parse_networks
from boardgames_cli.games.senet.ending_tables import Endings
from boardgames_cli.games.senet.fast.moves import RULES
from boardgames_cli.games.senet.heuristic import INPUTS, PHASES, bundled_model

SCRIPT = Path(__file__).parents[2] / "lab" / "senet_learning.py"


def write_positions(rules: str, path: Path) -> None:
    endings, rng = Endings.load(rules), make_seed(3)
    found: list[tuple[int, int, int]] = []
    while len(found) < 4_000:
        own, opponent = random_position(3, RULES[rules], rng)
        if max(own.bit_count(), opponent.bit_count()) == 3:
            chance = endings.chance(own, opponent)
            assert chance is not None
            found.append((own, opponent, round(chance * SCALE)))
    owns, opponents, values = np.array(found).T
    np.savez(path, own=owns, opponent=opponents, value=values)


def test_a_network_is_nearer_to_the_values_that_it_learned(tmp_path: Path) -> None:
    words = [str(tmp_path / f"{rules}.npz") for rules in RULES]
    for rules, path in zip(RULES, words, strict=True):
        write_positions(rules, Path(path))
    begun, out = tmp_path / "begun.json", tmp_path / "out.json"
    # Weaker than the bundled ones, which know these endings about as well as can be.
    weaker = {
        rules: SideNetwork(network.shape, [0.8 * weight for weight in network.weights])
        for rules, network in bundled_model().networks.items()
    }
    begun.write_text(file_of(replace(bundled_model(), networks=weaker)))
    files = ["--begun", str(begun), "--out", str(out)]
    command = [sys.executable, str(SCRIPT), *words, *files, "--passes", "10", "--batch", "256"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.stderr, done.returncode) == ("", 0)
    for rules in RULES:
        before, *_, after = map(float, re.findall(rf"{rules}: .*off by ([\d.]+)%", done.stdout))
        assert after < before
    learned = parse_networks(out.read_text())
    assert (learned.shape.inputs, learned.shape.phases) == (INPUTS, PHASES)
    assert learned.networks.keys() == weaker.keys()
    assert learned.about["begun"] == bundled_model().about["begun"]
    for rules, network in learned.networks.items():
        assert network.weights != weaker[rules].weights


@pytest.mark.parametrize("rules", RULES)
def test_what_reviews_are_tested_by_is_not_learned(rules: str, tmp_path: Path) -> None:
    known = sorted(set(sample_positions(rules)))
    assert len(known) > len([one for one in read_choices("games") if one.rules == rules])
    owns, opponents = np.array([*known, 1 << 32 | 2]).astype(np.int64) >> 32, np.array([*known, 2])
    np.savez(tmp_path / "all.npz", own=owns, opponent=opponents & 0xFFFFFFFF, value=owns * 0 + 9)
    left = Lesson.read(tmp_path / "all.npz", rules).examples
    assert (left.own.tolist(), left.opponent.tolist()) == ([1], [2])
    assert left.target.tolist() == [9 / SCALE]
