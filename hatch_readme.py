"""The README as a package page shows it: links into the repository lead nowhere there, so paths are written out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"^!\[[^]]*\]\((?!https?:)[^)]*\)\n\n?", re.MULTILINE)
_LINK = re.compile(r"\[([^]]+)\]\((?!https?:)([^)]+)\)")


def without_relative_links(markdown: str) -> str:
    """The text without pictures of the repository, and with the path of each linked file behind the link's words."""
    return _LINK.sub(_written_out, _PICTURE.sub("", markdown))


def _written_out(link: re.Match[str]) -> str:
    words, path = link.groups()
    return f"`{path}`" if words == path else f"{words} (`{path}`)"


class ReadmeHook(MetadataHookInterface):
    """Gives the package its description."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme of the package; called by hatchling."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": without_relative_links(text)}
