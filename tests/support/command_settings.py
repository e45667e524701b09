"""Settings for commands that a test runs in its own process."""

from __future__ import annotations

import pytest

from newscrawl.cli.common import project
from newscrawl.config.project import project_settings


def give_settings(monkeypatch: pytest.MonkeyPatch, **values: object) -> None:
    """The commands read the project's settings with these values instead of the project's."""
    settings = project_settings()
    settings.setdict(values, priority="cmdline")
    for reader in ("project_settings", "written_settings"):
        monkeypatch.setattr(project, reader, lambda: settings)
