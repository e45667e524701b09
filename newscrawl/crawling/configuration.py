"""The former module of settings functions: tells projects that were made before November 2026 what to do.

The functions are in `newscrawl.config.environment` now. The components that such settings and pipelines name have
moved, too.
"""

from __future__ import annotations

from typing import Any, Final

from newscrawl.config.environment import errors_in_one_line
from newscrawl.errors import ProjectError

MOVED: Final = frozenset({"check_project", "database_beside", "setting", "told_in_one_line"})


def __getattr__(name: str) -> Any:
    if name not in MOVED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with errors_in_one_line():
        raise ProjectError(
            "settings/ and pipelines/ of this project were made by an older newscrawl: `newscrawl new DIR` in an empty "
            "folder makes new ones; copy its settings/, pipelines/, spiders/demo.py and spiders/generic.py over yours "
            "and set again what you had changed (other files in spiders/ stay as they are)"
        )
