"""Writes a newscrawl project with the spiders of a test into a folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from newscrawl.discovery.onboarding.project import FOLDERS, is_clone, template


def write_project(folder: Path, spiders: str) -> None:
    """Writes scrapy.cfg, the settings and the pipelines of a new project into `folder`, and the source text
    `spiders` as `spiders/local.py`, its only spider file. Raises ProjectError if the installation has no template."""
    source = template()
    for name in FOLDERS:
        shutil.copytree(source / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(source / "scrapy.cfg", folder / "scrapy.cfg")
    (folder / "spiders").mkdir()
    (folder / "spiders" / "__init__.py").write_text("", encoding="utf-8")
    (folder / "spiders" / "local.py").write_text(spiders, encoding="utf-8")


def child_environment(folder: Path, settings: Mapping[str, Any]) -> dict[str, str]:
    """Returns the environment of a command in the project at `folder`: that of this process without settings of
    newscrawl and without SCRAPY_PROJECT, and `settings` (NEWSCRAWL_ names with their values)."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("NEWSCRAWL_") and name != "SCRAPY_PROJECT"
    }
    given = {name: str(value) for name, value in settings.items()}
    # The project's own `spiders` and `settings` come before those of a clone of newscrawl.
    paths = [str(folder), *([str(template())] if is_clone() else [])]
    return {**inherited, **given, "PYTHONPATH": os.pathsep.join(paths)}
