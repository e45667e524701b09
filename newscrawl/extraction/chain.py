"""Chains of extractors by name, and how one is run: each extractor is tried until one yields enough text. No error of
an extractor ends the chain.
"""

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
from newscrawl.extraction.cleanup.within import in_concealed
from newscrawl.extraction.confidence import MIN_UNDISPLAYED, confidence_of
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
    selector_of,
)
from newscrawl.extraction.render import render
from newscrawl.extraction.size import Size, prose_characters, size_of
from newscrawl.extraction.stated import MIN_ADDED, MIN_GAIN, OFF_TOPIC, Topic, or_stated
from newscrawl.extraction.treefilter import DEFAULT_DEPTH, MAX_DEPTH, tree_filter
from newscrawl.model import Attempt, Extraction, Selection
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
        raise UnknownChainError(name, {*known_names(extra), *extractors, *installed_extractors(), *installed_chains()})
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


SHORT: Final = "short"
"""Problem: the text of every extractor has fewer words or characters than the limits."""
LOW_SHARE: Final = "low share"
"""Problem: the text is long enough but a small part of the page's prose."""

UNDISPLAYED: Final = "of the words are not displayed"
"""Problem, after a share: words of paragraphs that the page does not show as it is written."""

MIN_CONFIDENCE: Final = 0.95
"""Confidence in a text below which a chain asks its second steps."""
MESSAGE_CHARACTERS: Final = 200
"""Characters of an exception's message that a trace keeps."""


@dataclass(frozen=True, slots=True)
class _Try:
    """The result of one step, before the chain has decided which one it takes."""

    step: Step
    runs: tuple[int, ...]
    size: Size
    shortness: str | None
    """Why it is too short, so that the chain went on."""
    topic: float | None = None
    """Share of the page's topic words in it; None if that was not computed or is not known."""
    off_topic: bool = False
    """Whether it has so few topic words that another text of the page may be the better one."""
    weighed: bool = False
    """Whether it is too short only by its own numbers and contains all that the step expects: longer is not better."""
    selection: Selection | None = None
    """The extractor's choice, if it says more than the runs."""

    @property
    def complaint(self) -> str | None:
        """Returns why the chain went on, None if it may end here."""
        if self.shortness is not None:
            return self.shortness
        return f"off topic: {self.topic:.0%} of the headline's words" if self.off_topic else None


def run_chain(page: Page, chain: Chain) -> Extraction:
    """Returns the text of `page`: the first step's that is long enough and on topic, else the best of all.

    A later step's text replaces the best so far if it has many more words of headline and description, or if the best
    is too short and the additional text does not look like other articles. If the confidence in the result is below
    `MIN_CONFIDENCE`, the chain's second steps are tried before the others, and the first text that is good enough is
    taken. In place of a text that is missing or too short, a longer one that the page states is used
    (`newscrawl.extraction.stated`). The trace has an attempt for every step that was run. `problems` has `SHORT`
    or `LOW_SHARE` if the text stays below the limits. Never raises because of a page.
    """
    found = _chosen(page, chain)
    is_missing = not found.text or SHORT in found.problems
    return or_stated(page, found, chain.limits) if chain.finishes and is_missing else found


def _chosen(page: Page, chain: Chain) -> Extraction:
    """Returns the text of the step that is best."""
    topic = Topic(page) if len(chain.all_steps) > 1 else None
    tries: dict[str, _Try] = {}
    best = _best_of(page, chain, chain.steps, topic, tries)
    if best is None:
        return Extraction("", (), chain.name, (), (SHORT,))
    found = _extraction(page, chain, best, tries)
    if not chain.second:
        return found
    confidence = confidence_of(page, found)
    if confidence >= MIN_CONFIDENCE:
        return found
    best = _best_of(page, chain, (*chain.second, *chain.steps), topic, tries) or best
    return _extraction(page, chain, best, tries, confidence)


def _best_of(
    page: Page, chain: Chain, steps: Sequence[Step], topic: Topic | None, tries: dict[str, _Try]
) -> _Try | None:
    """Returns the result of the first of `steps` that is good enough, else the best of all. `tries` has the results of
    steps that were run before, by name, and gets those of this call."""
    best: _Try | None = None
    for step in steps:
        current = tries.get(step.name)
        if current is None:
            current = tries[step.name] = _try(page, chain, step, topic)
        if best is None or _is_better(current, best, topic):
            best = current
        if best.complaint is None:
            break
    return best


def _extraction(
    page: Page, chain: Chain, best: _Try, tries: Mapping[str, _Try], confidence: float | None = None
) -> Extraction:
    """Returns the chain's result. `confidence` is that of the text before the second steps were asked."""
    trace = tuple(_attempt(one, best, confidence) for one in tries.values())
    hidden = _undisplayed(page)
    problems = _problems(best, hidden, chain.limits)
    text = render(page, best.runs)
    runs = best.runs if text else ()  # those of invisible characters alone
    return Extraction(text, runs, best.step.name, trace, problems, best.selection, best.topic, hidden)


def _try(page: Page, chain: Chain, step: Step, topic: Topic | None) -> _Try:
    try:
        selected = step.run(page)
        runs = chain.finished(page, step, selected)
        size = size_of(page, runs)
    # Any exception is caught here, and only here: an extractor that fails on a page must not prevent the next one, and
    # the trace keeps the error. Limits on time and memory are enforced by the worker pool.
    except Exception as error:  # noqa: BLE001
        message = " ".join(str(error).split())[:MESSAGE_CHARACTERS]
        return _Try(step, (), Size(0, 0), f"{type(error).__name__}: {message}" if message else type(error).__name__)
    if not runs:
        return _Try(step, (), size, "nothing selected")
    too_few = size.shortness(chain.limits)
    part = _small_part(page, size, selected, chain.limits) if step.weighs else None
    short = too_few or part or (None if step.weighs else _low_share(page, size, chain.limits))
    share = topic.share(runs) if topic else None
    off_topic = topic is not None and share is not None and share <= OFF_TOPIC and topic.most - share >= MIN_GAIN
    weighed = step.weighs and part is None
    selection = selected if isinstance(selected, Selection) else None
    return _Try(step, runs, size, f"too short: {short}" if short else None, share, off_topic, weighed, selection)


def _undisplayed(page: Page) -> float:
    """Returns the share of the words of the page's paragraphs that it does not display."""
    concealed = in_concealed(page.elements)
    runs = [page.runs[i] for i in page.prose]
    hidden = page.unseen + sum([run.words for run in runs if concealed(run.inner)])
    return hidden / (page.unseen + sum([run.words for run in runs])) if hidden else 0.0


def _small_part(page: Page, size: Size, selected: Sequence[int], limits: Limits) -> str | None:
    """Returns why a text is too small a part of the step's selection before it was finished; None if it is not."""
    return size.low_share(sum([len(page.runs[i].text) for i in selected]), limits)


def _low_share(page: Page, size: Size, limits: Limits) -> str | None:
    """Returns why a text is too small a part of the page; None if it is not. Comments are left out only if needed."""
    if size.low_share(prose_characters(page, with_comments=True), limits) is None:
        return None
    return size.low_share(prose_characters(page), limits)


def _is_better(current: _Try, best: _Try, topic: Topic | None) -> bool:
    """Returns whether the text of a later step replaces the best so far, which is not good enough."""
    if not current.runs or not best.runs:
        return bool(current.runs)
    if best.off_topic and (current.topic or 0.0) - (best.topic or 0.0) >= MIN_GAIN:
        return True
    if best.weighed or best.shortness is None or current.size.characters <= best.size.characters:
        return False
    added = topic.share(set(current.runs).difference(best.runs)) if topic else None
    return added is None or added >= MIN_ADDED * (best.topic or 0.0)


def _attempt(current: _Try, best: _Try, confidence: float | None) -> Attempt:
    size = current.size
    accepted = current is best and bool(current.runs)
    complaint = current.complaint
    if complaint is None and confidence is not None and not accepted:
        reason = f"long enough, but its confidence is {confidence:.2f}"
    elif complaint is None:
        reason = "long enough" if accepted else f"not better than {best.step.name}"
    else:
        reason = f"{complaint}, but none is better" if accepted else complaint
    return Attempt(current.step.name, size.words, size.characters, accepted, reason)


def _problems(best: _Try, hidden: float, limits: Limits) -> tuple[str, ...]:
    doubts = (f"{hidden:.0%} {UNDISPLAYED}",) if hidden >= MIN_UNDISPLAYED else ()
    if best.size.shortness(limits):
        return (SHORT, *doubts)
    return (LOW_SHARE, *doubts) if best.shortness else doubts
