"""Imports packages of the extra `testing` when they are needed, and names the extra if they are missing."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

from newscrawl.errors import UsageError

EXTRA = ".[testing]"


def required(module: str, purpose: str) -> Any:
    """Imports and returns the module. `purpose` names what needs it, such as "a local PostgreSQL server". Raises
    UsageError with the command that installs it if it is missing.

    Raises UsageError with the command that installs it where it is missing.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # platformdirs, which one of them imports, warns without XDG_RUNTIME_DIR
            return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise  # the package is there and one of its own imports is not: its message says which
        raise UsageError(f"{purpose} needs {error.name}: run `pip install '{EXTRA}'` in newscrawl's clone") from error
