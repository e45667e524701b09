"""Chains by name: which extractors are tried, in which order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Final

from newscrawl.errors import ConfigurationError, UnknownChainError
from newscrawl.extraction import article_group, boilerpipe, justext, learned
from newscrawl.extraction.cleanup.finish import finish, one_article
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.literature import ccb, cetr, danag, dsc, lqf
from newscrawl.extraction.treefilter import DEFAULT_DEPTH, MAX_DEPTH, tree_filter
from newscrawl.page import Page

Selector = Callable[[Page], Sequence[int]]
"""An extractor: a function from a page to ascending indices of its runs."""

CHAINS_SETTING: Final = "NEWSCRAWL_CHAINS"
DEFAULT_CHAIN: Final = "classic"

_EXTRACTORS: Final[Mapping[str, Selector]] = MappingProxyType(
    {name: partial(boilerpipe.select, recipe=name) for name in boilerpipe.RECIPES}
    | {"boilerpipe-wide+group": article_group.select}
    | {"justext": justext.select}
    | {"danag": danag.select, "cetr": cetr.select, "dsc": dsc.select, "lqf": lqf.select}
    | {"ccb": ccb.ccb, "accb": ccb.accb, "tccb": ccb.tccb}
    | {"learned": learned.select, "dragnet": learned.select_dragnet}
)
_GROUP: Final = "+group"
"""The suffix of extractors that choose a group themselves. A tree filter replaces that choice."""
_CLASSIC: Final = ("boilerpipe-wide+group", "justext")
_WEIGHING: Final = frozenset({"learned"})
"""Extractors that reject their own choice if they expect more text elsewhere on the page."""
_CHAINS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {DEFAULT_CHAIN: _CLASSIC, "best": ("learned", *_CLASSIC)}
)
_TREE: Final = re.compile(r"(?P<base>.+?)\+tree(?P<depth>\d?)")


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

    def run(self, page: Page) -> tuple[int, ...]:
        """Returns the runs of `page` that this step keeps."""
        runs = self.select(page)
        return tree_filter(page, runs, self.depth) if self.depth else tuple(runs)


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

    def select(self, page: Page, step: Step) -> tuple[int, ...]:
        """Returns the runs of `page` that `step` selects in this chain."""
        return self.finished(page, step, step.run(page))

    def finished(self, page: Page, step: Step, runs: tuple[int, ...]) -> tuple[int, ...]:
        """Returns the rest of the `runs` that `step` keeps after `finish`, if the chain finishes."""
        if not self.finishes:
            return runs
        return finish(page, runs if step.groups else one_article(page, runs, parts=step.weighs))


def known_names(extra: Mapping[str, Sequence[str]] = MappingProxyType({})) -> list[str]:
    """Returns every chain name without its tree filter, sorted."""
    return sorted({*_CHAINS, *_EXTRACTORS, *extra})


def resolve(
    name: str, extra: Mapping[str, Sequence[str]] = MappingProxyType({}), limits: Limits | None = None
) -> Chain:
    """Returns the chain of this name: a built-in one, one of `extra`, or a single extractor; each also with `+tree`.

    `extra` maps a name to its steps, such as {"mine": ["boilerpipe-article+tree1", "justext"]}. The suffix `+tree`
    (depth 2) or `+tree1` ... `+tree5` on a chain of several steps narrows the selection of each of them, and replaces a
    `+group`. Raises UnknownChainError, and ConfigurationError if `extra` itself is wrong.
    """
    for chain, specs in extra.items():
        _check(chain, specs)
    base, depth = _split(name)
    known = known_names(extra)
    if depth is not None and not 1 <= depth <= MAX_DEPTH:
        raise UnknownChainError(name, known)
    specs = extra.get(base) or _CHAINS.get(base) or (base,)
    if len(specs) == 1 and base not in extra and base not in _EXTRACTORS:
        raise UnknownChainError(name, known)
    steps = tuple(_step(spec) for spec in specs)
    if depth is not None:
        steps = tuple(_step(f"{step.extractor.removesuffix(_GROUP)}+tree{depth}") for step in steps)
    return Chain(name, steps, limits or Limits(), finishes=base not in _EXTRACTORS)


def _check(chain: str, specs: Sequence[str]) -> None:
    """Rejects a chain of the settings that cannot work, and says what to change. Raises ConfigurationError."""
    where = f"chain {chain!r}"
    if chain in _CHAINS or chain in _EXTRACTORS:
        raise ConfigurationError(CHAINS_SETTING, f"{where} is built in: choose another name")
    if "+" in chain:
        raise ConfigurationError(CHAINS_SETTING, f"{where}: leave out '+', which starts a tree filter's name")
    if isinstance(specs, str) or not isinstance(specs, Sequence) or not specs:
        raise ConfigurationError(CHAINS_SETTING, f"{where}: give a list of one or more extractor names, not {specs!r}")
    for spec in specs:
        base, depth = _split(spec) if isinstance(spec, str) else ("", None)
        if base not in _EXTRACTORS:
            raise ConfigurationError(
                CHAINS_SETTING, f"{where}: {spec!r} is no extractor: choose one of {', '.join(sorted(_EXTRACTORS))}"
            )
        if depth is not None and not 1 <= depth <= MAX_DEPTH:
            raise ConfigurationError(CHAINS_SETTING, f"{where}: {spec!r}: tree filter depths are 1 to {MAX_DEPTH}")


def _split(name: str) -> tuple[str, int | None]:
    """Splits a name from the depth of its tree filter, None without one."""
    match = _TREE.fullmatch(name)
    if match is None:
        return name, None
    return match["base"], int(match["depth"] or DEFAULT_DEPTH)


def _step(spec: str) -> Step:
    base, depth = _split(spec)
    return Step(base, _EXTRACTORS[base], depth)
