"""Which functions of extraction run compiled: `choose` takes the place of a reference where it may."""

from __future__ import annotations

from importlib import import_module
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


CHOOSERS: Final = (
    "newscrawl.page.cuts",
    "newscrawl.page.decode",
    "newscrawl.page.ends",
    "newscrawl.page.segment",
    "newscrawl.extraction.climb",
    "newscrawl.extraction.treefilter",
    "newscrawl.extraction.boilerpipe.columns",
    "newscrawl.extraction.boilerpipe.tokens",
    "newscrawl.extraction.boilerpipe.filters.english",
    "newscrawl.extraction.boilerpipe.filters.titles",
    "newscrawl.extraction.cleanup.cues",
    "newscrawl.extraction.justext.classify",
    "newscrawl.extraction.justext.paragraphs",
    "newscrawl.extraction.learned.character_stats",
    "newscrawl.extraction.learned.text",
    "newscrawl.extraction.learned.tree",
    "newscrawl.extraction.learned.trees",
)
"""The modules that choose between a compiled function and its reference when they are imported."""


def why_not_compiled() -> str:
    """What keeps a compiled module from being used; "" for nothing."""
    reasons = dict.fromkeys(core.reason for core in (PAGE_CORE, BYTES, CORE, LEARNED) if core.module is None)
    return "; ".join(reasons)


def refused_functions() -> tuple[str, ...]:
    """The compiled functions that are not used although their module is, each with the reason. Imports all modules that
    choose."""
    for name in CHOOSERS:
        import_module(name)
    return tuple(refused for core in (BYTES, CORE, LEARNED) for refused in core.refused)


def describe_core() -> str:
    """Whether the compiled core is in use, for people."""
    reason, refused = why_not_compiled(), refused_functions()
    told = f"no compiled core ({reason})" if reason else "compiled core in use"
    if refused:
        told = f"{told}, but not {'; '.join(refused)}"
    if LEXBOR.module is not None:
        return f"{told}, pages read by lexbor"
    return told if LEXBOR.reason == "lxml" else f"{told}, pages read by lxml ({LEXBOR.reason})"
