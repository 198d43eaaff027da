"""The description on a package index: the README without what only a checkout can show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class DescriptionHook(MetadataHookInterface):
    """Sets the field ``readme``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the dynamic fields of the metadata."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": describe(text)}


def describe(readme: str) -> str:
    """Replace relative pictures by their captions and relative links by their text.

    The package has no address at which an index could find the files.
    """
    captions = re.sub(r"!\[([^]]*)\]\((?!\w+:)[^)]+\)", r"*\1*", readme)
    return re.sub(r"(?<!!)\[([^]]*)\]\((?!\w+:)[^)]+\)", r"\1", captions)
