"""The generated files of the documentation and what belongs into each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).resolve().parents[1]
NOTE: Final = "<!-- Written by `make reference`; changes by hand are lost. -->"


def generated() -> dict[Path, str]:
    """Path and text of every generated file."""
    from docs._scripts import architecture, codes, commands, demo_picture, exported_article, tables, web_api
    from newscrawl.config import reference
    from newscrawl.web import schemas

    return {
        DOCS / "reference" / "settings.md": reference.markdown(),
        DOCS / "reference" / "commands.md": commands.page(),
        DOCS / "reference" / "tables.md": tables.page(),
        DOCS / "reference" / "codes.md": codes.page(),
        DOCS / "reference" / "exported-article.md": exported_article.page(),
        DOCS / "reference" / "web-api.md": web_api.page(),
        **schemas.generated(),
        DOCS / "explanation" / "architecture.svg": architecture.drawing(),
        DOCS / "demo.svg": demo_picture.drawing(),
    }


def text(lines: Sequence[str]) -> str:
    """The lines as a file."""
    return "\n".join(lines).rstrip("\n") + "\n"


def missing(wanted: Mapping[str, object], given: Mapping[str, object]) -> list[str]:
    """Keys of `wanted` that `given` lacks, and those of `given` that stand for nothing."""
    return [f"no line for {key}" for key in wanted if key not in given] + [
        f"{key} is no longer in the code" for key in given if key not in wanted
    ]
