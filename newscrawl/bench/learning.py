"""scikit-learn, which only the commands that train a model need."""

from __future__ import annotations

from importlib.util import find_spec

from newscrawl.errors import UsageError


def require_scikit_learn(otherwise: str = "") -> None:
    """Raises UsageError if scikit-learn is not installed; the message ends with `otherwise`. Does not import it.

    A command that trains a model calls this before it imports the module that does, and before it reads pages.
    """
    if find_spec("sklearn") is None:
        raise UsageError(f"training a model needs scikit-learn: install newscrawl[bench]{otherwise}")
