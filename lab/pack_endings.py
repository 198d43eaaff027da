"""Remakes the rounded tables of Senet's endings that come with the program.

Needs the exact tables, which `boardgames solve senet --rules RULES --up-to 3` computes::

    python lab/pack_endings.py
"""

from __future__ import annotations

from pathlib import Path

from arguments import Parser, run_main

from boardgames_cli.games import senet
from boardgames_cli.games.senet.ending_tables import BUNDLED, Endings, pack
from boardgames_cli.games.senet.movement import RULE_SETS

FOLDER = Path(senet.__file__).parent / "data"


def main() -> None:
    """Write the files, and print their sizes."""
    parser = Parser(__doc__)
    parser.add_argument("rules", nargs="*", default=list(RULE_SETS), help="rule sets")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write them")
    given = parser.parse_args()
    for rules in given.rules:
        table = Endings.load(rules).table
        if table.up_to <= BUNDLED:
            print(f"there is no larger table: boardgames solve senet --rules {rules} --up-to 3")
            continue
        path = given.folder / f"{rules}.rounded"
        path.write_bytes(pack(table, BUNDLED))
        print(f"{path}: {path.stat().st_size:,} bytes for up to {table.up_to} dancers a side")


if __name__ == "__main__":
    run_main(main)
