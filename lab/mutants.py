"""Whether the tests see faults: plants one after the other in a copy of the checkout, and counts.

    python lab/mutants.py --each 8 --jobs 2

What is planted: a comparison turned round, a number changed, an early return (or raise, or
continue) that never happens, a call of `fsync` left out, a question for secrets answered by no.
Where: in guards of secrecy, formulas that cite a paper, limits of size and time, the writing of
files, and rules of games, as many in each place. A fault is found if one of the tests beside its
place fails; the others are printed. Some of these change nothing that counts, such as where a
search for a bracket begins: read the list.
"""

from __future__ import annotations

import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from arguments import Parser, run_main

TOP = Path(__file__).parents[1]
LONGEST = 300.0
"""Seconds after which a run of tests counts as one that fails: the fault made it hang."""
NO_TESTS = 5
"""The exit code of pytest that has found none."""
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "site"
)
OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
LEFT_OUT = {"os.fsync": "None", "is_secret": "False", "has_secrets": "False"}
"""Calls, and what stands there instead."""
_LARGE = 10
"""From here on a number is a limit, and one more or less is no fault."""


@dataclass(frozen=True)
class Place:
    """Where faults are planted, and what should find them."""

    kind: str
    path: str
    """Below the package."""
    tests: str
    """Files and folders below tests/, separated by spaces."""
    names: str = ""
    """The functions, classes and constants, separated by spaces; all if empty."""
    only: str = ""
    """Part of what is changed."""


_SPECIFIED = "test_documents.py::test_limits_are_as_the_specifications_say"

PLACES = (
    Place("secrecy", "session/viewpoint.py", "session test_secrecy.py"),
    Place(
        "secrecy",
        "session/snapshot.py",
        "test_secrecy.py session plain tui/test_secrets.py",
        "take_snapshot narrate_step _speaks_of",
    ),
    *(
        Place("secrecy", path, tests, only="secret")
        for path, tests in (
            ("session/driven_match.py", "session online/test_wire_secrecy.py"),
            ("session/match_driver.py", "session tui plain"),
            ("session/replay.py", "session cli"),
            ("session/session.py", "session plain test_secrecy.py"),
            ("cli/open_table.py", "cli test_secrecy.py"),
            ("online/server/served_game.py", "online"),
        )
    ),
    Place(
        "secrecy", "games/kuhn/rules.py", "games/kuhn contract", "redact redact_step redact_for_all"
    ),
    Place("secrecy", "games/pommerman/rules/observation.py", "games/pommerman contract", "redact"),
    Place(
        "secrecy",
        "online/server/online_table.py",
        "online",
        "watch come_back act join _seat_of _playing check_free answer say",
    ),
    Place("formula", "storage/practice.py", "storage/test_drill_deck.py", "note is_due"),
    Place("formula", "evaluation/milestones.py", "evaluation/test_glicko.py", "after function"),
    # How fast and how closely a maximum is found is no part of a formula.
    Place("formula", "tournament/bradley_terry.py", "tournament/test_ratings.py", "_odds_share"),
    Place(
        "formula",
        "tournament/ratings/sprt.py",
        "tournament/test_sprt.py",
        "ERROR BOUND _LARGEST _UNSEEN log_likelihood_ratio",
    ),
    Place(
        "formula",
        "tournament/ratings/estimates.py",
        "tournament",
        "_ends _share_interval _cuts _superiority",
    ),
    Place(
        "formula",
        "algorithms/regret_solver.py",
        "training",
        "run average _spread_reach _collect _match_regrets",
    ),
    Place("formula", "algorithms/tree_search.py", "agents algorithms", "Bandit GuidedBandit"),
    Place("formula", "algorithms/exploitability.py", "training algorithms games/kuhn"),
    # How much of something a message quotes is no limit.
    Place(
        "limit",
        "codec/json_reader.py",
        f"{_SPECIFIED} codec storage",
        "LONGEST_NUMBER DEEPEST check_regular read_at_most _object _whole _real _check_depth",
    ),
    Place(
        "limit",
        "online/messages.py",
        f"{_SPECIFIED} online",
        "LONGEST_MESSAGE LONGEST_CHAT _LONGEST_TEXT _LONGEST_LINE Brief read_object read_fields "
        "text_of",
    ),
    Place(
        "limit",
        "agents/remote/protocol.py",
        f"{_SPECIFIED} agents",
        "LONGEST_LINE LONGEST_TEXT LONGEST_NAME RANDOM_BITS LineReader read_message text_of",
    ),
    Place("limit", "agents/remote/client.py", f"{_SPECIFIED} agents", "MOST_MESSAGES RemoteAgent"),
    Place("limit", "web/visitors.py", "web/test_server.py"),
    Place("writing", "storage/files.py", "storage session"),
    Place("writing", "storage/journal.py", "storage session"),
    *(
        Place(
            "rules",
            f"games/{game}/{file}.py",
            f"games/{game} games/test_scenes.py contract/test_games.py",
        )
        for game, file in (
            ("senet", "movement"),
            ("tapnswap", "rules"),
            ("kuhn", "rules"),
            ("deepsea", "rules"),
        )
    ),
    Place("rules", "games/pommerman/rules/step.py", "games/pommerman games/test_scenes.py"),
)


@dataclass(frozen=True)
class Fault:
    """One change of one place in one file."""

    place: Place
    node: ast.AST
    text: str
    """What stands there instead."""

    def planted(self, source: str) -> str:
        """The file with the fault."""
        lines = source.encode().splitlines(keepends=True)  # columns are counted in bytes
        first, last = self.node.lineno - 1, self.node.end_lineno - 1  # type: ignore[attr-defined]
        head = lines[first][: self.node.col_offset]  # type: ignore[attr-defined]
        tail = lines[last][self.node.end_col_offset :]  # type: ignore[attr-defined]
        lines[first : last + 1] = [head + self.text.encode() + tail]
        return b"".join(lines).decode()

    def __str__(self) -> str:
        was = " ".join(ast.unparse(self.node).split())[:60]
        return f"{self.place.path}:{self.node.lineno}: {was} -> {self.text}"  # type: ignore[attr-defined]


def faults_of(place: Place) -> Iterator[Fault]:
    """All faults that can be planted in a place, in the order of its file."""
    tree = ast.parse((TOP / "boardgames_cli" / place.path).read_text(encoding="utf-8"))
    names = place.names.split()
    roots = [node for node in ast.walk(tree) if _name_of(node) in names]
    for root in roots if names else [tree]:
        for node in ast.walk(root):
            for text in _instead(node):
                if place.only in ast.unparse(node):
                    yield Fault(place, node, text)


def _name_of(node: ast.AST) -> str:
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id
    return str(getattr(node, "name", ""))


def _instead(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OPPOSITES:
        turned = copy.deepcopy(node)
        turned.ops[0] = OPPOSITES[type(node.ops[0])]()
        yield ast.unparse(turned)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield str(node.value + 1 if node.value < _LARGE else node.value * 2)
    elif isinstance(node, ast.Constant) and isinstance(node.value, float):
        yield str(node.value * 1.5 or 0.5)
    elif isinstance(node, ast.If) and not node.orelse:
        if isinstance(node.body[-1], ast.Return | ast.Raise | ast.Continue):
            yield "pass"
    elif isinstance(node, ast.Call) and ast.unparse(node.func) in LEFT_OUT:
        yield LEFT_OUT[ast.unparse(node.func)]


def is_found(fault: Fault, checkout: Path) -> bool:
    """Whether a test beside a fault fails while it is there."""
    path = checkout / "boardgames_cli" / fault.place.path
    source = path.read_text(encoding="utf-8")
    path.write_text(fault.planted(source), encoding="utf-8")
    tests = [f"tests/{name}" for name in fault.place.tests.split()]
    marks = "slow" if fault.place.tests.startswith("web/") else "not slow"
    words = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", marks]
    # Programs that a test starts see the fault, too.
    changes = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(checkout)}
    try:
        run = subprocess.run(  # noqa: S603 (our own tests)
            [*words, *tests], cwd=checkout, env={**os.environ, **changes},
            capture_output=True, timeout=LONGEST, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(source, encoding="utf-8")
    if run.returncode == NO_TESTS:
        raise SystemExit(f"no test is beside {fault.place.path}: {fault.place.tests}")
    return run.returncode != 0


def plant(faults: Sequence[Fault], jobs: int) -> list[bool]:
    """Plant each fault alone, in as many copies of the checkout as there are jobs."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as threads:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            copies.put(Path(shutil.copytree(TOP, f"{folder}/{number}", ignore=NOT_COPIED)))

        def one(fault: Fault) -> bool:
            checkout = copies.get()
            try:
                found = is_found(fault, checkout)
            finally:
                copies.put(checkout)
            if not found:
                print(f"not found: {fault.place.kind}: {fault}", flush=True)
            return found

        return list(threads.map(one, faults))


def main() -> None:
    """Plant, and print how many were found, by kind."""
    parser = Parser(__doc__)
    parser.add_count("--each", 8, "faults in each place")
    parser.add_count("--seed", 1, "of the draw")
    parser.add_count("--jobs", 2, "copies of the checkout that are tested at once")
    parser.add_argument("--only", default="", help="places of whose kind or file this is a part")
    arguments = parser.parse_args()
    places = [one for one in PLACES if arguments.only in f"{one.kind} {one.path}"]
    rng = random.Random(arguments.seed)
    known = [list(faults_of(place)) for place in places]
    faults = [one for some in known for one in rng.sample(some, min(arguments.each, len(some)))]
    found = plant(faults, arguments.jobs)
    planted, seen = Counter(fault.place.kind for fault in faults), Counter[str]()
    for fault, is_seen in zip(faults, found, strict=True):
        seen[fault.place.kind] += is_seen
    print(f"{sum(map(len, known)):,} faults are known; planted and found:")
    for kind, number in sorted(planted.items()):
        print(f"{kind:10} {number:4} {seen[kind]:4} {seen[kind] / number:6.0%}")
    print(f"{'all':10} {len(faults):4} {seen.total():4} {seen.total() / len(faults):6.0%}")


if __name__ == "__main__":
    run_main(main)
