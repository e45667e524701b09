"""The optional compiled core: C versions of the hot loops, each with a Python function as its reference.

Pure Python is the reference and always works. A compiled module is used if it was built for this interpreter
(hatch_build.py) from the same sources, and gives the same results as the reference on a page with many kinds of
content. Otherwise `Core.reason` says why not. NEWSCRAWL_PURE=1 forbids it, both when newscrawl is installed and when it
runs.

This module imports the standard library only and nothing of newscrawl, because the build reads it too.
"""

from __future__ import annotations

import hashlib
import importlib
import logging
import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Final, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

logger = logging.getLogger(__name__)

FORBIDS: Final = "NEWSCRAWL_PURE"

TREE: Final = "newscrawl.page._tree"
BYTES: Final = "newscrawl.page._bytes"
KERNELS: Final = "newscrawl.extraction._kernels"
SOURCES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        TREE: (
            "newscrawl/page/_tree.pyx",
            *(f"newscrawl/page/{name}.py" for name in "elements head run runs styles tags walk words".split()),
        ),
        BYTES: (
            "newscrawl/page/_bytes.pyx",
            *(f"newscrawl/page/{name}.py" for name in "cuts decode".split()),
        ),
        KERNELS: (
            "newscrawl/extraction/_kernels.pyx",
            "newscrawl/page/words.py",
            *(f"newscrawl/extraction/{name}.py" for name in "cleanup/cues element_predicates treefilter".split()),
            *(f"newscrawl/extraction/boilerpipe/{name}.py" for name in "blocks columns filters".split()),
        ),
    }
)
"""The compiled modules. Each has its own source first and then those of the reference: if one of them was changed after
the module was built, the module's results may differ from the reference."""

NOT_BUILT: Final = "no C compiler found when newscrawl was installed"
OTHER_SOURCES: Final = "built from other sources: install newscrawl again"
_ROOT: Final = Path(__file__).resolve().parents[1]


class OutsideError(Exception):
    """A page that a compiled function leaves to the reference."""


@dataclass(frozen=True, slots=True)
class Core:
    """A compiled module, or None and the reason."""

    module: ModuleType | None
    reason: str = ""


def is_forbidden() -> bool:
    """Returns whether the environment asks for pure Python."""
    return os.environ.get(FORBIDS, "0") not in {"", "0"}


def digest(name: str, root: Path = _ROOT) -> str:
    """Returns a hash of all sources of a compiled module. Raises OSError if one is missing."""
    hasher = hashlib.blake2b(digest_size=16)
    for path in SOURCES[name]:
        hasher.update((root / path).read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return hasher.hexdigest()


def load(name: str, check: Callable[[ModuleType], str | None] = lambda _: None) -> Core:
    """Returns the compiled module of this name, if it can be used. `check` returns the fault of a module that was built
    from these sources, None for a good one.

    Never raises: no fault of an optional module may prevent the use of the reference. A built module that is refused is
    logged as a warning; a module that was not built or is forbidden is not logged.
    """
    if is_forbidden():
        return Core(None, f"{FORBIDS} is set")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a class of lxml has another size than at build time
            module = importlib.import_module(name)
        fault = check(module) if digest(name) == module.SOURCES else OTHER_SOURCES
    except Exception as error:  # noqa: BLE001
        if isinstance(error, ModuleNotFoundError) and error.name == name:
            return Core(None, NOT_BUILT)
        fault = f"{type(error).__name__}: {error}"
    if fault:
        logger.warning("the compiled module %s is not used, which makes newscrawl slower: %s", name, fault)
        return Core(None, fault)
    return Core(module)


@cache
def loaded(name: str) -> Core:
    """Returns the compiled module of this name, loaded once a process."""
    return load(name)


def choose(module: str, name: str, reference: F) -> F:
    """Returns the function of this name in a compiled module, `reference` if there is none. Tests compare the two on
    samples and on random arguments (tests/kernels)."""
    chosen: F = getattr(loaded(module).module, name, reference)
    return chosen
