"""The MetaData with the tables of all modules, whatever else a test has imported."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from newscrawl.storage import tables
from newscrawl.storage.engine.types import metadata

__all__ = ["metadata"]

for _module in iter_modules(tables.__path__, f"{tables.__name__}."):
    import_module(_module.name)
