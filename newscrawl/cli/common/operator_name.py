"""The name of the user who runs a command, for lists and registers."""

from __future__ import annotations

import getpass
from typing import Final

MAX_NAME: Final = 100
"""Characters of a name: the environment may state any."""


def operator_name() -> str:
    """Returns the name of the user who runs this command."""
    try:
        return getpass.getuser()[:MAX_NAME]
    except (KeyError, OSError):  # no name belongs to the number of the user, as in many containers
        return "the command line"
