"""The names of parts, and of the files beside them. It loads nothing that extracts or stores."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from newscrawl.model import is_object_store

SUFFIX: Final = ".parquet"
MANIFEST: Final = "_manifest.json"
"""Readers of a folder of Parquet files leave out names that begin with _."""


def is_part(name: str) -> bool:
    """Returns whether a name of an operator is that of parts: a Parquet file, an object store, or a folder that
    `newscrawl batch` wrote."""
    return name.endswith(SUFFIX) or is_object_store(name) or (Path(name) / MANIFEST).is_file()
