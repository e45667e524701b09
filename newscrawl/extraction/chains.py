"""Chains by name: which extractors have a try at a page, in which order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from newscrawl.errors import ConfigurationError, UnknownChainError, UsageError
from newscrawl.extensions import CHAINS
from newscrawl.extraction.cleanup.finish import finish, one_article
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.registry import (
    BUILT_IN,
    BUILT_IN_CHAINS,
    NO_EXTRACTORS,
    OwnExtractors,
    Selector,
    check_own,
    installed_chains,
    installed_extractors,
    installed_names,
    selector_of,
)
from newscrawl.extraction.treefilter import DEFAULT_DEPTH, MAX_DEPTH, tree_filter
from newscrawl.page import Page

_GROUP: Final = "+group"
"""Ends the name of an extractor that chooses a group by itself; a tree filter takes the place of that choice."""
_WEIGHING: Final = frozenset({"learned"})
"""Extractors that doubt their choice themselves where they expect more text elsewhere on the page."""
_TREE: Final = re.compile(r"(?P<base>.+?)\+tree(?P<depth>\d?)")
_NO_CHAINS: Final[Mapping[str, Sequence[str]]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Step:
    """One extractor's place in a chain: `select` finds the runs, a tree filter narrows them if `depth` is given."""

    extractor: str
    select: Selector
    depth: int | None = None

    @property
    def name(self) -> str:
        """The extractor's name, with the tree filter's depth: `boilerpipe-wide+tree2`."""
        return f"{self.extractor}+tree{self.depth}" if self.depth else self.extractor

    @property
    def groups(self) -> bool:
        """Whether it selects one group of paragraphs; other steps take blocks from anywhere on the page."""
        return self.depth is not None or self.extractor.endswith(_GROUP)

    @property
    def weighs(self) -> bool:
        """Whether it has weighed its choice against the rest of the page: its share of the prose says nothing more."""
        return self.extractor in _WEIGHING and not self.depth

    def run(self, page: Page) -> tuple[int, ...]:
        """The runs this step keeps of `page`."""
        runs = self.select(page)
        return tree_filter(page, runs, self.depth) if self.depth else tuple(runs)


@dataclass(frozen=True, slots=True)
class Chain:
    """Extractors in the order in which they have a try, and what makes a text too short.

    With `finishes`, what is no text of the article is left out of what a step selects (`finish`): headline, captions,
    notes, what stands below its end. So do `classic` and the chains of the settings; an algorithm by its own name gives
    what the algorithm gives.
    """

    name: str
    steps: tuple[Step, ...]
    limits: Limits = field(default_factory=Limits)
    finishes: bool = False

    def select(self, page: Page, step: Step) -> tuple[int, ...]:
        """The runs of `page` that `step` gives this chain."""
        return self.finished(page, step, step.run(page))

    def finished(self, page: Page, step: Step, runs: tuple[int, ...]) -> tuple[int, ...]:
        """What is left of the `runs` that `step` keeps."""
        if not self.finishes:
            return runs
        return finish(page, runs if step.groups else one_article(page, runs, parts=step.weighs))


def known_names(extra: Mapping[str, Sequence[str]] = _NO_CHAINS) -> list[str]:
    """Every built-in chain name without its tree filter, and those of `extra`; sorted."""
    return sorted({*BUILT_IN_CHAINS, *BUILT_IN, *extra})


def resolve(
    name: str,
    extra: Mapping[str, Sequence[str]] = _NO_CHAINS,
    limits: Limits | None = None,
    *,
    extractors: OwnExtractors = NO_EXTRACTORS,
) -> Chain:
    """The chain of this name: a built-in one, one of `extra`, or a single extractor; each also with `+tree`.

    `extra` maps a name to its steps, such as {"mine": ["boilerpipe-article+tree1", "justext"]}, `extractors` the name
    of an extractor to its import path. Installed packages are asked for a name that none of these has. The suffix
    `+tree` (depth 2) or `+tree1` ... `+tree5` on a chain of several steps narrows what each of them selects, and takes
    the place of a `+group`.
    Raises UnknownChainError, ConfigurationError where `extra` is wrong, and ExtensionError where an extension is.
    """
    check_own(extractors)
    for chain, steps_of_chain in extra.items():
        _check_own_chain(chain, steps_of_chain, extractors)
    base, depth = _split(name)
    if depth is not None and not 1 <= depth <= MAX_DEPTH:
        raise UnknownChainError(name, known_names(extra))
    specs: Sequence[str] = extra.get(base) or BUILT_IN_CHAINS.get(base, ())
    is_extractor = not specs and selector_of(base, extractors) is not None
    specs = (base,) if is_extractor else specs or _installed_chain(base, extractors)
    if not specs:
        raise UnknownChainError(name, {*known_names(extra), *extractors, *installed_names()})
    steps = tuple(_step(spec, extractors) for spec in specs)
    if depth is not None:
        steps = tuple(_step(f"{step.extractor.removesuffix(_GROUP)}+tree{depth}", extractors) for step in steps)
    return Chain(name, steps, limits or Limits(), finishes=not is_extractor)


def _installed_chain(name: str, extractors: OwnExtractors) -> Sequence[str]:
    """The steps of an installed package's chain, none where no package has one of this name. Raises ExtensionError."""
    extension = installed_chains().get(name)
    if extension is None:
        return ()
    specs = extension.load()
    _check_specs(specs, extractors, extension.error)
    return tuple(specs)


def _check_own_chain(chain: str, specs: object, extractors: OwnExtractors) -> None:
    """Refuse a chain of the settings that cannot work, naming what to change."""

    def error(problem: str) -> ConfigurationError:
        return ConfigurationError(CHAINS.setting, f"chain {chain!r}: {problem}")

    if chain in BUILT_IN_CHAINS or chain in BUILT_IN:
        raise ConfigurationError(CHAINS.setting, f"chain {chain!r} is built in: choose another name")
    if chain in extractors:
        raise error("an extractor has this name: choose another one")
    if "+" in chain:
        raise error("leave out '+', which starts a tree filter's name")
    _check_specs(specs, extractors, error)


def _check_specs(specs: Any, extractors: OwnExtractors, error: Callable[[str], UsageError]) -> None:
    """Raise the error of a chain whose steps are no extractors."""
    if isinstance(specs, str) or not isinstance(specs, Sequence) or not specs:
        raise error(f"give a list of one or more extractor names, not {specs!r}")
    for spec in specs:
        base, depth = _split(spec) if isinstance(spec, str) else ("", None)
        if selector_of(base, extractors) is None:
            known = sorted({*BUILT_IN, *extractors, *installed_extractors()})
            raise error(f"{spec!r} is no extractor: choose of {', '.join(known)}")
        if depth is not None and not 1 <= depth <= MAX_DEPTH:
            raise error(f"{spec!r}: tree filter depths are 1 to {MAX_DEPTH}")


def _split(name: str) -> tuple[str, int | None]:
    """A name and the depth of its tree filter, None without one."""
    match = _TREE.fullmatch(name)
    if match is None:
        return name, None
    return match["base"], int(match["depth"] or DEFAULT_DEPTH)


def _step(spec: str, extractors: OwnExtractors) -> Step:
    base, depth = _split(spec)
    select = selector_of(base, extractors)
    if select is None:
        raise UnknownChainError(spec, known_names())
    return Step(base, select, depth)
