"""Chooses which functions of extraction run compiled: `choose` replaces a reference if the compiled one is equal."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from newscrawl import compiled
from newscrawl.compiled import Core, F, load
from newscrawl.page.compiled import BYTES
from newscrawl.page.compiled import CORE as PAGE_CORE


class OutsideError(Exception):
    """A page that a compiled function leaves to the reference."""


CORE: Final[Core] = load("newscrawl.extraction._kernels", lambda _: None)


def choose(name: str, reference: F, *samples: tuple[Any, ...]) -> F:
    """Returns the compiled function of this name if it exists and gives the same as `reference` for all `samples`
    (arguments), else `reference` itself."""
    return compiled.choose(CORE, name, reference, *samples)


CHOOSERS: Final = (
    "newscrawl.page.cuts",
    "newscrawl.page.decode",
    "newscrawl.page.ends",
    "newscrawl.extraction.element_predicates",
    "newscrawl.extraction.treefilter",
    "newscrawl.extraction.boilerpipe.columns",
    "newscrawl.extraction.boilerpipe.tokens",
    "newscrawl.extraction.boilerpipe.filters.english",
    "newscrawl.extraction.boilerpipe.filters.titles",
    "newscrawl.extraction.cleanup.cues",
    "newscrawl.extraction.confidence.trees",
    "newscrawl.extraction.justext.classify",
    "newscrawl.extraction.justext.paragraphs",
    "newscrawl.article.page_kinds.boxes",
    "newscrawl.article.page_kinds.columns",
    "newscrawl.article.page_kinds.counts",
    "newscrawl.article.page_kinds.layout",
    "newscrawl.article.page_kinds.places",
)
"""The modules that choose between compiled functions and references when they are imported."""


def why_not_compiled() -> str:
    """Returns why a compiled module is not used; "" if all are."""
    reasons = dict.fromkeys(core.reason for core in (PAGE_CORE, BYTES, CORE) if core.module is None)
    return "; ".join(reasons)


def refused_functions() -> tuple[str, ...]:
    """Returns the compiled functions that are not used although their module is, each with the reason. Imports all
    modules that choose."""
    for name in CHOOSERS:
        import_module(name)
    return tuple(refused for core in (BYTES, CORE) for refused in core.refused)


def describe_core() -> str:
    """Returns a sentence on whether the compiled core is in use."""
    reason, refused = why_not_compiled(), refused_functions()
    state = f"no compiled core ({reason})" if reason else "compiled core in use"
    return f"{state}, but not {'; '.join(refused)}" if refused else state
