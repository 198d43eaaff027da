"""What a package has beside its modules: a README for an index, and the sample games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class DescriptionHook(MetadataHookInterface):
    """Sets the field ``readme``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the dynamic fields of the metadata."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": describe(text)}


class SamplesHook(BuildHookInterface):  # type: ignore[type-arg]
    """Ships the games of ``saves``; an editable installation reads them where they are."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folder to a wheel."""
        if version != "editable":
            build_data["force_include"]["saves"] = "boardgames_cli/samples"


def describe(readme: str) -> str:
    """Replace relative pictures by their captions and relative links by their text.

    The package has no address at which an index could find the files.
    """
    captions = re.sub(r"!\[([^]]*)\]\((?!\w+:)[^)]+\)", r"*\1*", readme)
    return re.sub(r"(?<!!)\[([^]]*)\]\((?!\w+:)[^)]+\)", r"\1", captions)
