"""In the description of the package, every link and picture works on the page of a package index."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

ROOT = Path(__file__).resolve().parents[2]
without_relative_links = runpy.run_path(str(ROOT / "hatch_readme.py"))["without_relative_links"]


def test_links_into_the_repository_are_written_out() -> None:
    written = without_relative_links(
        "![A](docs/a.svg)\n\nSee [the guide](docs/b.md), [c.md](c.md) and [s](https://x.org/).\n"
    )
    assert written == "See the guide (`docs/b.md`), `c.md` and [s](https://x.org/).\n"


def test_the_package_has_a_description_without_relative_links() -> None:
    metadata = ProjectMetadata(str(ROOT), PluginManager())
    assert metadata.core.readme_content_type == "text/markdown"
    assert metadata.core.readme.startswith("# newscrawl")
    assert re.findall(r"\]\((?!https?:)", metadata.core.readme) == []
