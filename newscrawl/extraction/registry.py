"""Extractors and chains by name: built-in ones, those of the project, and those of installed packages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import index
from types import MappingProxyType
from typing import Final, Protocol

from newscrawl.config import extensions
from newscrawl.config.extensions import Extension
from newscrawl.errors import ExtractionError
from newscrawl.extraction import article_group, justext, learned
from newscrawl.extraction.boilerpipe import recipes
from newscrawl.page import Page


class Selector(Protocol):
    """An extractor: a function from a page to the indices of the runs of `page.runs` that are the article.

    Each index occurs once, in ascending order; the result of an extension is sorted. If the extractor raises an
    exception, the next extractor of the chain is tried, and the trace of the page has the exception.
    """

    def __call__(self, page: Page, /) -> Sequence[int]:
        """Returns the indices of the article's runs; none if it finds no article."""


OwnExtractors = Mapping[str, str | Selector]
"""A project's own extractors by name: import paths (NEWSCRAWL_EXTRACTORS), or the functions themselves."""
NO_EXTRACTORS: Final[OwnExtractors] = MappingProxyType({})

DEFAULT_CHAIN: Final = "classic"


def _of_paper(name: str, page: Page) -> Sequence[int]:
    """Runs an extractor of a paper, which is loaded when it is first used: no built-in chain has one."""
    from newscrawl.extraction.literature import PAPERS

    return PAPERS[name](page)


BUILT_IN: Final[Mapping[str, Selector]] = MappingProxyType(
    {name: partial(recipes.select, recipe=name) for name in recipes.RECIPES}
    | {"boilerpipe-wide+group": article_group.select, "unlinked+group": article_group.select_unlinked}
    | {"unlinked": article_group.unlinked}
    | {"justext": justext.select}
    | {name: partial(_of_paper, name) for name in ("danag", "cetr", "dsc", "lqf", "ccb", "accb", "tccb")}
    | {"learned": learned.select, "dragnet": learned.select_dragnet}
)
CLASSIC: Final = ("boilerpipe-wide+group", "justext", "unlinked+group")
BUILT_IN_CHAINS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {DEFAULT_CHAIN: CLASSIC, "best": ("learned", *CLASSIC), "classic-then-best": CLASSIC}
)
SECOND_STEPS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({"classic-then-best": ("learned",)})
"""Steps of `BUILT_IN_CHAINS` that are only run where the confidence in the text of the others is low."""
TAKEN: Final = frozenset({*BUILT_IN, *BUILT_IN_CHAINS})
"""Names that no extension can have."""


@dataclass(frozen=True, slots=True)
class CheckedSelector:
    """An extractor of the user. Its result is checked before a chain uses it."""

    select: Callable[[Page], Iterable[int]]

    def __call__(self, page: Page, /) -> Sequence[int]:
        """Returns the runs in ascending order. Raises the errors of the extractor, and ExtractionError for runs that
        the page does not have."""
        try:
            runs = sorted({index(run) for run in self.select(page)})
        except SystemExit as error:  # it would end the worker process
            raise ExtractionError(f"it calls sys.exit({error.code!r})") from error
        if runs and not 0 <= runs[0] <= runs[-1] < len(page.runs):
            wrong = runs[0] if runs[0] < 0 else runs[-1]
            raise ExtractionError(f"it gave run {wrong}, and the page has {len(page.runs)} runs")
        return runs


def selector_of(name: str, own: OwnExtractors = NO_EXTRACTORS) -> Selector | None:
    """Returns the extractor of this name; None if there is none. Raises ExtensionError for one that cannot be
    loaded."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    if name in own:
        reference = own[name]
        if not isinstance(reference, str):
            return CheckedSelector(reference)
        extension = extensions.from_setting(extensions.EXTRACTORS, name, reference, TAKEN)
    elif name in (found := installed_extractors()):
        extension = found[name]
    else:
        return None
    return CheckedSelector(extension.load_callable("page"))


def installed_extractors() -> dict[str, Extension]:
    """Returns the extractors of installed packages by name. Raises ExtensionError for names that cannot be used."""
    return extensions.installed(extensions.EXTRACTORS, TAKEN)


def installed_chains() -> dict[str, Extension]:
    """Returns the chains of installed packages by name. Raises ExtensionError for names that cannot be used."""
    return extensions.installed(extensions.CHAINS, {*TAKEN, *installed_extractors()})


def check_own(own: OwnExtractors) -> None:
    """Raises ExtensionError for the first of the project's extractors that cannot be used, even if another one was
    requested."""
    for name, reference in own.items():
        extension = extensions.from_setting(extensions.EXTRACTORS, name, _path_of(reference), TAKEN)
        if isinstance(reference, str):
            extension.load_callable("page")


def _path_of(reference: object) -> object:
    """Returns the import path of a reference; for a function, the path under which it is defined."""
    if callable(reference):
        return f"{getattr(reference, '__module__', '')}:{getattr(reference, '__qualname__', type(reference).__name__)}"
    return reference
