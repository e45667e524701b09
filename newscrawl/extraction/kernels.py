"""Which functions of extraction run compiled: `choose` takes the place of a reference where it may."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from newscrawl.compiled import Core, load
from newscrawl.page.compiled import CORE as PAGE_CORE
from newscrawl.page.compiled import LEXBOR

F = TypeVar("F", bound=Callable[..., Any])


class OutsideError(Exception):
    """A page that a compiled function leaves to the reference."""


CORE: Final[Core] = load("newscrawl.extraction._kernels", lambda _: None)
LEARNED: Final[Core] = load("newscrawl.extraction._learned", lambda _: None)
"""What `learned` alone needs."""


def choose(name: str, reference: F, *samples: tuple[Any, ...]) -> F:
    """The compiled function of this name if there is one and it gives what `reference` gives for all `samples`
    (arguments), else `reference` itself."""
    compiled: F | None = getattr(CORE.module, name, None) or getattr(LEARNED.module, name, None)
    if compiled is None:
        return reference
    try:
        agrees = all(compiled(*arguments) == reference(*arguments) for arguments in samples)
    except Exception:  # noqa: BLE001 - as `load` does: an optional module must not keep anybody from the reference
        return reference
    return compiled if agrees else reference


def describe_core() -> str:
    """Whether the compiled core is in use, for people."""
    reasons = dict.fromkeys(core.reason for core in (PAGE_CORE, CORE, LEARNED) if core.module is None)
    told = f"no compiled core ({'; '.join(reasons)})" if reasons else "compiled core in use"
    if LEXBOR.module is not None:
        return f"{told}, pages read by lexbor"
    return told if LEXBOR.reason == "lxml" else f"{told}, pages read by lxml ({LEXBOR.reason})"
