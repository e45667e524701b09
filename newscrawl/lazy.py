"""Packages that load their modules on first use, so that a command loads only those that it needs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def loaded_when_used(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Returns a `__getattr__` for a package (PEP 562). `modules` maps each public name of the package to the module
    that defines it. A name is looked up once: it then becomes an attribute of the package."""

    def find(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{modules[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return find
