"""Which functions of extraction run compiled: `choose` takes the place of a reference where it may."""

from __future__ import annotations

from typing import Any, Final

from newscrawl import compiled
from newscrawl.compiled import Core, F, load
from newscrawl.page.compiled import BYTES, LEXBOR
from newscrawl.page.compiled import CORE as PAGE_CORE


class OutsideError(Exception):
    """A page that a compiled function leaves to the reference."""


CORE: Final[Core] = load("newscrawl.extraction._kernels", lambda _: None)
LEARNED: Final[Core] = load("newscrawl.extraction._learned", lambda _: None)
"""What `learned` alone needs."""


def choose(name: str, reference: F, *samples: tuple[Any, ...]) -> F:
    """The compiled function of this name if there is one and it gives what `reference` gives for all `samples`
    (arguments), else `reference` itself."""
    core = LEARNED if hasattr(LEARNED.module, name) else CORE
    return compiled.choose(core, name, reference, *samples)


def why_not_compiled() -> str:
    """What keeps the compiled core, or a part of it, from being used; "" for nothing."""
    reasons = dict.fromkeys(core.reason for core in (PAGE_CORE, BYTES, CORE, LEARNED) if core.module is None)
    return "; ".join(reasons)


def describe_core() -> str:
    """Whether the compiled core is in use, for people."""
    reason = why_not_compiled()
    told = f"no compiled core ({reason})" if reason else "compiled core in use"
    if LEXBOR.module is not None:
        return f"{told}, pages read by lexbor"
    return told if LEXBOR.reason == "lxml" else f"{told}, pages read by lxml ({LEXBOR.reason})"
