"""The compiled functions of extraction, and the sentence about the compiled core."""

from __future__ import annotations

from typing import Final

from newscrawl import compiled
from newscrawl.compiled import Core, F, load
from newscrawl.page.compiled import BYTES
from newscrawl.page.compiled import CORE as PAGE_CORE


class OutsideError(Exception):
    """A page that a compiled function leaves to the reference."""


CORE: Final[Core] = load("newscrawl.extraction._kernels")


def choose(name: str, reference: F) -> F:
    """Returns the compiled function of this name, `reference` if there is none."""
    return compiled.choose(CORE, name, reference)


def why_not_compiled() -> str:
    """Returns why a compiled module is not used; "" if all are."""
    reasons = dict.fromkeys(core.reason for core in (PAGE_CORE, BYTES, CORE) if core.module is None)
    return "; ".join(reasons)


def describe_core() -> str:
    """Returns a sentence on whether the compiled core is in use."""
    reason = why_not_compiled()
    return f"no compiled core ({reason})" if reason else "compiled core in use"
