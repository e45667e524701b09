"""Chains by name: which extractors are tried, in which order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from newscrawl.config.extensions import CHAINS
from newscrawl.errors import ConfigurationError, UnknownChainError, UsageError
from newscrawl.extraction.cleanup.draft import Filter, run_filters
from newscrawl.extraction.cleanup.finish import FINISH, OF_BLOCKS, OF_PARTS
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.registry import (
    BUILT_IN,
    BUILT_IN_CHAINS,
    NO_EXTRACTORS,
    SECOND_STEPS,
    OwnExtractors,
    Selector,
    check_own,
    installed_chains,
    installed_extractors,
    installed_names,
    selector_of,
)
from newscrawl.extraction.treefilter import DEFAULT_DEPTH, MAX_DEPTH, tree_filter
from newscrawl.model import Selection
from newscrawl.page import Page

_GROUP: Final = "+group"
"""The suffix of extractors that choose a group themselves. A tree filter replaces that choice."""
_WEIGHING: Final = frozenset({"learned"})
"""Extractors that reject their own choice if they expect more text elsewhere on the page."""
_TREE: Final = re.compile(r"(?P<base>.+?)\+tree(?P<depth>\d?)")
_NO_CHAINS: Final[Mapping[str, Sequence[str]]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Step:
    """One extractor in a chain: `select` finds the runs, and with `depth` a tree filter narrows them."""

    extractor: str
    select: Selector
    depth: int | None = None

    @property
    def name(self) -> str:
        """The extractor's name, with the tree filter's depth: `boilerpipe-wide+tree2`."""
        return f"{self.extractor}+tree{self.depth}" if self.depth else self.extractor

    @property
    def groups(self) -> bool:
        """Whether it selects one group of paragraphs. Other steps select blocks from anywhere on the page."""
        return self.depth is not None or self.extractor.endswith(_GROUP)

    @property
    def weighs(self) -> bool:
        """Whether it has compared its choice with the rest of the page, so that its share of the prose is not
        checked."""
        return self.extractor in _WEIGHING and not self.depth

    def run(self, page: Page) -> Sequence[int]:
        """Returns the runs of `page` that this step keeps; a `Selection` if the extractor gives one."""
        runs = self.select(page)
        if self.depth:
            return tree_filter(page, runs, self.depth)
        return runs if isinstance(runs, Selection) else tuple(runs)


@dataclass(frozen=True, slots=True)
class Chain:
    """Extractors in the order in which they are tried, and the limits below which a text is too short.

    With `finishes`, parts that are not the article's text are removed from a step's selection (`finish`): headline,
    captions, notes, and what is below the end. `classic` and the chains of the settings do so; a single algorithm by
    its own name does not.
    """

    name: str
    steps: tuple[Step, ...]
    limits: Limits = field(default_factory=Limits)
    finishes: bool = False
    second: tuple[Step, ...] = ()
    """Steps that go before the others on a page where the confidence in the others' text is low. They cost more."""

    @property
    def all_steps(self) -> tuple[Step, ...]:
        """All steps, the second ones last."""
        return (*self.steps, *self.second)

    def select(self, page: Page, step: Step) -> tuple[int, ...]:
        """Returns the runs of `page` that `step` selects in this chain."""
        return self.finished(page, step, step.run(page))

    def finished(self, page: Page, step: Step, runs: Sequence[int]) -> tuple[int, ...]:
        """Returns the rest of the `runs` that `step` keeps, if the chain finishes."""
        return run_filters(page, runs, self.filters(step))

    def filters(self, step: Step) -> tuple[Filter, ...]:
        """Returns the filters that are run over what `step` keeps; none if the chain does not finish."""
        if not self.finishes:
            return ()
        return FINISH if step.groups else OF_PARTS if step.weighs else OF_BLOCKS


def known_names(extra: Mapping[str, Sequence[str]] = _NO_CHAINS) -> list[str]:
    """Returns every built-in chain name without its tree filter, and those of `extra`, sorted."""
    return sorted({*BUILT_IN_CHAINS, *BUILT_IN, *extra})


def resolve(
    name: str,
    extra: Mapping[str, Sequence[str]] = _NO_CHAINS,
    limits: Limits | None = None,
    *,
    extractors: OwnExtractors = NO_EXTRACTORS,
) -> Chain:
    """Returns the chain of this name: a built-in one, one of `extra`, or a single extractor; each also with `+tree`.

    `extra` maps a name to its steps, such as {"mine": ["boilerpipe-article+tree1", "justext"]}, `extractors` the name
    of an extractor to its import path. A name that none of these has is searched for in installed packages. The suffix
    `+tree` (depth 2) or `+tree1` ... `+tree5` on a chain of several steps narrows the selection of each of them, and
    replaces a `+group`. Raises UnknownChainError, ConfigurationError if `extra` is wrong, and ExtensionError if an
    extension is.
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
    steps, second = (_steps(some, depth, extractors) for some in (specs, SECOND_STEPS.get(base, ())))
    return Chain(name, steps, limits or Limits(), finishes=not is_extractor, second=second)


def _steps(specs: Sequence[str], depth: int | None, extractors: OwnExtractors) -> tuple[Step, ...]:
    """Returns the steps; with `depth`, each has a tree filter in place of its own."""
    steps = tuple(_step(spec, extractors) for spec in specs)
    if depth is None:
        return steps
    return tuple(_step(f"{step.extractor.removesuffix(_GROUP)}+tree{depth}", extractors) for step in steps)


def _installed_chain(name: str, extractors: OwnExtractors) -> Sequence[str]:
    """Returns the steps of an installed package's chain; () if no package has this name. Raises ExtensionError."""
    extension = installed_chains().get(name)
    if extension is None:
        return ()
    specs = extension.load()
    _check_specs(specs, extractors, extension.error)
    return tuple(specs)


def _check_own_chain(chain: str, specs: object, extractors: OwnExtractors) -> None:
    """Rejects a chain of the settings that cannot work, and says what to change. Raises ConfigurationError."""

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
    """Raises the error of a chain whose steps are no extractors."""
    if isinstance(specs, str) or not isinstance(specs, Sequence) or not specs:
        raise error(f"give a list of one or more extractor names, not {specs!r}")
    for spec in specs:
        base, depth = _split(spec) if isinstance(spec, str) else ("", None)
        if selector_of(base, extractors) is None:
            known = sorted({*BUILT_IN, *extractors, *installed_extractors()})
            raise error(f"{spec!r} is no extractor: choose one of {', '.join(known)}")
        if depth is not None and not 1 <= depth <= MAX_DEPTH:
            raise error(f"{spec!r}: tree filter depths are 1 to {MAX_DEPTH}")


def _split(name: str) -> tuple[str, int | None]:
    """Splits a name from the depth of its tree filter, None without one."""
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
