"""Runs a chain's steps again and keeps the reasons of each: what its extractor measured of every run, step by step, and
what it decided; also on a page with hints of its site."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Final, Literal

from newscrawl.extraction.boilerpipe.blocks import SPACER, TextBlock, document_of, label_names
from newscrawl.extraction.boilerpipe.recipes import RECIPES, BlockState, select, trace
from newscrawl.extraction.chain import Chain, Step
from newscrawl.extraction.cleanup.draft import Draft, steps_of
from newscrawl.extraction.cleanup.finish import OF_BLOCKS, OF_PARTS
from newscrawl.extraction.justext import classify, classify_context_free, make_paragraphs, rules_for
from newscrawl.extraction.language import page_language
from newscrawl.extraction.learned.choose import SURE, choose, load, needed
from newscrawl.extraction.literature import (
    CONTENT_CODE,
    CONTROL,
    LOW_SLOPE,
    QUOTA,
    TextLine,
    danag_area,
    in_link_lists,
    lines_of,
    outside_origin,
    slope_curve,
    tag_ratios,
)
from newscrawl.extraction.per_site import HINTS, seen_by_chain
from newscrawl.extraction.site_hints.apply import PageHints
from newscrawl.extraction.treefilter import (
    MAX_DEPTH,
    group_by_ancestor,
    identify_paragraphs,
    list_ancestors,
    select_largest,
)
from newscrawl.model import Attempt
from newscrawl.page import Page

TREE_FILTER: Final = "tree filter"
GROUP: Final = "article group"
LEARNED: Final = "learned"
CLASSIFIERS: Final = frozenset({"NumWordsRulesClassifier", "DensityRulesClassifier", "CanolaClassifier"})
"""Filters of Boilerpipe that classify a block by its features and those of its two neighbours."""
NAME_CHARACTERS: Final = 60
"""Characters of an element's id and class that are shown."""

_REMOVED: Final = "removed: nothing further looks at it"
_ORDINALS: Final = {1: "parent", 2: "grandparent"}


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark of one step on one run. `content` is whether the step takes the run for content, None if it does not
    decide."""

    step: str
    text: str
    content: bool | None = None


@dataclass(frozen=True, slots=True)
class ExtractorTrace:
    """An extractor's remarks on each run that it considered, step by step. Runs that it ignored are not in
    `remarks`."""

    selected: tuple[int, ...]
    remarks: Mapping[int, Sequence[Remark]]


def boilerpipe_reasons(page: Page, recipe: str) -> ExtractorTrace:
    """Returns the remarks of every step of `recipe`. A step that did not change a run is only named."""
    blocks = {run: block for block in document_of(page).blocks for run in block.runs if run != SPACER}
    remarks = {run: [Remark("block", _features(block))] for run, block in blocks.items()}
    before = {
        run: BlockState((run,), block.content, label_names(block.labels), block.words, block.link_density, block.level)
        for run, block in blocks.items()
    }
    for filter_, blocks_after in trace(page, recipe):
        step = type(filter_).__name__
        after = {run: block for block in blocks_after for run in block.runs}
        around = _neighbours(blocks_after) if step in CLASSIFIERS else {}
        for run, block in before.items():
            _note(remarks[run], step, block, after.get(run), around.get(run))
        before = after
    return ExtractorTrace(select(page, recipe), remarks)


def _features(block: TextBlock) -> str:
    """Returns the shallow features of a run that Boilerpipe reads, before any filter."""
    return ", ".join(
        (
            f"{block.words} words, {block.linked_words} linked, link density {block.link_density:.2f}",
            f"text density {block.text_density:.1f}, tag level {block.level}",
            *label_names(block.labels),
        )
    )


def _note(remarks: list[Remark], step: str, before: BlockState, after: BlockState | None, around: str | None) -> None:
    """Adds the effect of a step on a run; one line for all consecutive steps without an effect."""
    if after is None:
        remarks.append(Remark(step, _REMOVED, content=False))
        return
    parts = [around] if around else []
    if around or before.content != after.content:
        parts.append("content" if after.content else "not content")
    if new := [label for label in after.labels if label not in before.labels]:
        parts.append(f"labelled {', '.join(new)}")
    if len(after.runs) != len(before.runs):
        verb = "fused" if len(after.runs) > len(before.runs) else "split"
        parts.append(f"{verb}: now {_span(after.runs)}, {after.words} words, link density {after.link_density:.2f}")
    if parts:
        remarks.append(Remark(step, "; ".join(parts), after.content))
    elif remarks[-1].text == "":
        remarks[-1] = Remark(f"{remarks[-1].step}, {step}", "")
    else:
        remarks.append(Remark(step, ""))


def _span(runs: Sequence[int]) -> str:
    """Returns the runs as a range, so that a large fused block does not list each of its runs."""
    if len(runs) == 1:
        return f"run {runs[0]}"
    whole = all(b == a + 1 for a, b in pairwise(runs[:50]))
    return f"runs {runs[0]}–{runs[-1]}" + ("" if whole else f" ({len(runs)} of them)")


def _neighbours(blocks: Sequence[BlockState]) -> dict[int, str]:
    """Returns, for every run, the input of a classifier: the features of its block and of the two neighbours."""
    words = ["–", *(str(block.words) for block in blocks), "–"]
    shares = ["–", *(f"{block.link_density:.2f}" for block in blocks), "–"]
    texts: dict[int, str] = {}
    for i, block in enumerate(blocks, 1):
        text = (
            f"words {words[i - 1]} ‹{words[i]}› {words[i + 1]}, "
            f"link density {shares[i - 1]} ‹{shares[i]}› {shares[i + 1]}"
        )
        texts.update(dict.fromkeys(block.runs, text))
    return texts


def justext_reasons(page: Page) -> ExtractorTrace:
    """Returns the features and classes of every paragraph."""
    language = page_language(page)
    rules, stopwords = rules_for(language)
    paragraphs = make_paragraphs(page.runs)
    classes = classify(paragraphs, stopwords, rules)
    remarks: dict[int, list[Remark]] = {}
    selected: list[int] = []
    for paragraph, final in zip(paragraphs, classes, strict=True):
        alone = classify_context_free(paragraph, stopwords, rules)
        members = len(paragraph.runs)
        features = (
            f"{rules.length(paragraph.text):.0f} characters, link density {paragraph.link_density:.2f}, "
            f"stop words {paragraph.stopword_density(stopwords):.2f} ({language or 'no'} list)"
            + (", heading" if paragraph.heading else "")
            + (", copyright sign" if paragraph.has_copyright_sign else "")
            + (f", paragraph of {members} runs" if members > 1 else "")
        )
        of_paragraph = [
            Remark("paragraph", features),
            Remark("by itself", alone, alone == "good"),
            Remark("beside its neighbours", final, final == "good"),
        ]
        remarks.update(dict.fromkeys(paragraph.runs, of_paragraph))
        if final == "good":
            selected.extend(paragraph.runs)
    return ExtractorTrace(tuple(selected), remarks)


def learned_reasons(page: Page) -> ExtractorTrace:
    """Returns the first and second score of every run, its threshold, and whether the model was sure of the page."""
    if not page.runs:
        return ExtractorTrace((), {})
    judgement = load().judge(page)
    classic, least = judgement.group, needed(judgement).tolist()
    selected = choose(page, judgement)
    chosen = set(selected)
    with_classic = set(classic)
    remarks: dict[int, list[Remark]] = {}
    for run, (alone, beside) in enumerate(zip(judgement.first.tolist(), judgement.scores.tolist(), strict=True)):
        whose = "as it stands outside of what classic chose"
        if run in with_classic:
            whose = "as classic chose it too"
        elif classic and classic[0] <= run < classic[-1]:
            whose = "as it stands within what classic chose"
        content = run in chosen
        of_run = [
            Remark("first look", f"probability {alone:.3f} from its own features"),
            Remark(
                "second look",
                f"probability {beside:.3f} beside its neighbours' first scores; needs {least[run]:.2f}, {whose}",
                content,
            ),
        ]
        if beside > least[run] and not content:
            reason = f"the likely runs' mean is below {SURE}" if not chosen else "text for browsers without frames"
            of_run.append(Remark("doubt", f"not chosen all the same: {reason}", content=False))
        remarks[run] = of_run
    return ExtractorTrace(selected, remarks)


def cetr_reasons(page: Page) -> ExtractorTrace:
    """Explains CETR: every line's ratio, its change, and its cluster."""
    lines = lines_of(page.runs)
    smoothed, change = tag_ratios(lines)
    of_lines: list[list[Remark]] = []
    for line, ratio, ahead, outside in zip(lines, smoothed, change, outside_origin(smoothed, change), strict=True):
        cluster = "away from the origin" if outside else "at the origin"
        of_lines.append(
            [
                Remark("line", f"{line.length} characters, {line.tags} tags"),
                Remark("smoothed", f"ratio {ratio:.1f}, change {ahead:.1f}"),
                Remark("cluster", cluster, bool(outside)),
            ]
        )
    return _by_line(lines, of_lines)


def danag_reasons(page: Page) -> ExtractorTrace:
    """Explains DANAg: every line's text and code, the smoothed excess, and whether the main area includes it."""
    lines = lines_of(page.runs)
    source, excess, area = danag_area(lines)
    reached = {place for region in area for place in range(region.start, region.end)}
    of_lines: list[list[Remark]] = []
    for place, (row, value) in enumerate(zip(source, excess, strict=True)):
        if row.line is not None:
            above = f"{value:+d} characters of text over code, three lines of source"
            inside = "in the main area" if place in reached else "outside the main area"
            of_lines.append(
                [
                    Remark("line", f"{row.length} characters of text, {row.code} of code"),
                    Remark("smoothing", above, value > 0),
                    Remark("boundary", inside, place in reached),
                ]
            )
    return _by_line(lines, of_lines)


def dsc_reasons(page: Page) -> ExtractorTrace:
    """Explains the document slope curve: its slope around every line."""
    lines = lines_of(page.runs)
    slopes, mean = slope_curve(lines)
    of_lines = [
        [Remark("slope", f"{slope:.2f} tags a token; low is under {LOW_SLOPE * mean:.2f}", slope < LOW_SLOPE * mean)]
        for slope in slopes
    ]
    return _by_line(lines, of_lines)


def lqf_reasons(page: Page) -> ExtractorTrace:
    """Explains the link quota filter: links on every line, and in the lists and cells around its runs."""
    removed = in_link_lists(page)
    remarks: dict[int, list[Remark]] = {}
    selected: list[int] = []
    for line in lines_of(page.runs):
        kept = line.linked_words <= QUOTA * line.words
        for run in line.runs:
            inside = removed[page.runs[run].element]
            around = "in a list or cell that is mostly links" if inside else "in no list or cell that is mostly links"
            remarks[run] = [
                Remark("line", f"{line.linked_words} of {line.words} words are links", kept),
                Remark("lists", around, kept and not inside),
            ]
            if kept and not inside:
                selected.append(run)
    return ExtractorTrace(tuple(selected), remarks)


def content_code_reasons(page: Page, name: str) -> ExtractorTrace:
    """Explains content code blurring: the blurred ratio of every run's text."""
    ratios, threshold = CONTENT_CODE[name](page)
    remarks = {
        index: [Remark("content code ratio", f"{ratio:.2f}; content is above {threshold}", ratio > threshold)]
        for index, ratio in enumerate(ratios)
        if not page.runs[index].flags & CONTROL
    }
    return ExtractorTrace(tuple(index for index, of_run in remarks.items() if of_run[0].content), remarks)


def _by_line(lines: Sequence[TextLine], of_lines: Sequence[Sequence[Remark]]) -> ExtractorTrace:
    """Returns a trace from the remarks on each line; the last remark decides."""
    remarks = {run: remark for line, remark in zip(lines, of_lines, strict=True) for run in line.runs}
    return ExtractorTrace(tuple(run for run, remark in remarks.items() if remark[-1].content), remarks)


def tree_remarks(page: Page, selected: Sequence[int], depth: int) -> dict[int, Remark]:
    """Returns, for every selected run, its group and whether that is the heaviest."""
    paragraph_of = identify_paragraphs(page.elements, page.runs, selected)
    ancestors_of = list_ancestors(page.elements, paragraph_of.values(), depth)
    groups = group_by_ancestor(paragraph_of, ancestors_of)
    weights = {ancestor: sum(len(page.runs[i].text) for i in members) for ancestor, members in groups.items()}
    heaviest = max(weights.values(), default=0)
    chosen = set(select_largest(page.runs, groups))
    relation = _ORDINALS.get(depth, f"ancestor {depth}")
    remarks: dict[int, Remark] = {}
    for ancestor, members in groups.items():
        weight = weights[ancestor]
        rest = "the heaviest group" if members[0] in chosen else f"the heaviest group has {heaviest:,}"
        size = f"{len(members)} run{'s' * (len(members) > 1)}, {weight:,} characters; {rest}"
        for run in members:
            paragraph = element_name(page, paragraph_of[run])
            text = f"paragraph {paragraph}, {relation} {element_name(page, ancestor)}: {size}"
            remarks[run] = Remark(TREE_FILTER, text, run in chosen)
    return remarks


def group_remarks(page: Page, selected: Sequence[int], kept: Sequence[int]) -> dict[int, Remark]:
    """Returns, for every selected run, the weights of its groups from the nearest ancestor upwards, and whether the
    chosen group includes it."""
    paragraph_of = identify_paragraphs(page.elements, page.runs, selected)
    ancestors_of = list_ancestors(page.elements, paragraph_of.values(), MAX_DEPTH)
    weights: list[dict[int, int]] = []
    for depth in range(1, MAX_DEPTH + 1):
        groups = group_by_ancestor(paragraph_of, {p: path[: depth + 1] for p, path in ancestors_of.items()})
        weights.append({a: sum(len(page.runs[i].text) for i in members) for a, members in groups.items()})
    chosen = set(kept)
    remarks: dict[int, Remark] = {}
    for run, paragraph in paragraph_of.items():
        path = ancestors_of[paragraph][1:]
        steps = (f"{element_name(page, a)} {weights[i][a]:,}" for i, a in enumerate(path) if a in weights[i])
        where = "in the article's group" if run in chosen else "outside the article's group"
        text = (
            f"{where}; paragraph {element_name(page, paragraph)}, characters by ancestor: {', '.join(steps) or 'none'}"
        )
        remarks[run] = Remark(GROUP, text, run in chosen)
    return remarks


def element_name(page: Page, element: int) -> str:
    """Returns an element's name for people: <div#main.story>. Long names are cut."""
    attributes = page.elements.attributes[element]
    name = page.elements.name(element)
    if identity := attributes.get("id", "").strip():
        name += f"#{identity}"
    name += "".join(f".{word}" for word in attributes.get("class", "")[: 2 * NAME_CHARACTERS].split())
    return f"<{name[:NAME_CHARACTERS]}{'…' * (len(name) > NAME_CHARACTERS)}>"


EXPLAINERS: Final[Mapping[str, Callable[[Page], ExtractorTrace]]] = MappingProxyType(
    {"cetr": cetr_reasons, "danag": danag_reasons, "dsc": dsc_reasons, "lqf": lqf_reasons}
    | {name: partial(content_code_reasons, name=name) for name in CONTENT_CODE}
)
"""The functions of this module by the extractor's name."""

GROUPED: Final = "+group"
"""The end of the names of extractors that narrow a recipe's choice to one group of paragraphs."""
LATER_STEPS: Final = frozenset({TREE_FILTER, GROUP, *(one.name for one in (*OF_BLOCKS, *OF_PARTS))})
"""Steps of the chain that narrow what an extractor chose."""
MAX_RUNS: Final = 10_000
"""The most runs of a page whose reasons are computed, and the most that are shown. News pages have about 200, the
longest 5,000."""
NO_REASONS: Final = ExtractorTrace((), {})

Decision = Literal["kept", "narrowed", "dropped", "ignored"]
"""The final decision on a run: kept; chosen by the extractor and dropped by a later step; dropped; never considered."""


@dataclass(frozen=True, slots=True)
class StepTrace:
    """One step of the chain: the extractor's trace, the result after the tree filter and the chain's clean-up, and the
    attempt.

    `attempt` is None if the chain had enough text before this step; the step was then run for comparison only.
    """

    name: str
    attempt: Attempt | None
    reasons: ExtractorTrace
    kept: frozenset[int]
    dropped_by: Mapping[int, str] = field(default_factory=dict)
    """The step that decided it, for each dropped run."""

    @property
    def accepted(self) -> bool:
        """Whether the chain accepted this step's text."""
        return self.attempt is not None and self.attempt.accepted

    def decision(self, run: int) -> Decision:
        """Returns the decision of this step on a run."""
        if run in self.kept:
            return "kept"
        if run not in self.reasons.remarks:
            return "ignored"
        return "narrowed" if run in self.dropped_by and self.dropped_by[run] in LATER_STEPS else "dropped"


def step_traces(page: Page, chain: Chain, attempts: Mapping[str, Attempt]) -> list[StepTrace]:
    """Returns every step of `chain` with its reasons. `attempts` are those that the chain made, by name.

    For a page with more than `MAX_RUNS` runs, only the choice of each step is computed: all reasons of a page of 10
    MB would take minutes.
    """
    make = _choice if len(page.runs) > MAX_RUNS else _reasons
    traces: list[StepTrace] = []
    for step in chain.all_steps:
        attempt = attempts.get(step.name)
        try:
            traces.append(make(page, chain, step, attempt))
        # As in the chain: an error of this extractor must not affect the others. The reason of the attempt, which is
        # shown beside it, is the exception.
        except Exception:  # noqa: BLE001
            traces.append(StepTrace(step.name, attempt, NO_REASONS, frozenset()))
    return traces


def _choice(page: Page, chain: Chain, step: Step, attempt: Attempt | None) -> StepTrace:
    """Returns the choice of a step, without reasons."""
    selected = tuple(step.run(page))
    final = frozenset(chain.finished(page, step, selected))
    return StepTrace(step.name, attempt, ExtractorTrace(selected, dict.fromkeys(range(len(page.runs)), ())), final)


def _reasons(page: Page, chain: Chain, step: Step, attempt: Attempt | None) -> StepTrace:
    reasons = reasons_of(page, step)
    chosen, selected = set(reasons.selected), tuple(step.run(page))
    remarks = {run: list(of_run) for run, of_run in reasons.remarks.items()}
    dropped_by = {run: _decisive(of_run) for run, of_run in remarks.items() if run not in chosen}
    of_tree: Mapping[int, Remark] = {}
    if step.depth:
        of_tree = tree_remarks(page, reasons.selected, step.depth)
    elif step.extractor.endswith(GROUPED):
        of_tree = group_remarks(page, reasons.selected, selected)
    for run, remark in of_tree.items():
        remarks.setdefault(run, []).append(remark)
        if not remark.content:
            dropped_by[run] = remark.step
    text, left_out = Draft(page, selected), dict[int, str]()
    for one, after in steps_of(text, chain.filters(step)):
        left_out |= dict.fromkeys({*text.runs}.difference(after.runs), one.name)
        text = after
    final = frozenset(text.runs)
    for run in selected:
        if run not in final:
            remarks.setdefault(run, []).append(Remark(left_out[run], "left out of the article's text", content=False))
            dropped_by[run] = left_out[run]
    return StepTrace(step.name, attempt, ExtractorTrace(reasons.selected, remarks), final, dropped_by)


def reasons_of(page: Page, step: Step) -> ExtractorTrace:
    """Returns the remarks of a step's extractor; its choice if it gives no reasons."""
    recipe = step.extractor.removesuffix(GROUPED)
    if recipe in RECIPES:
        return boilerpipe_reasons(page, recipe)
    if step.extractor == "justext":
        return justext_reasons(page)
    if step.extractor == LEARNED:
        return learned_reasons(page)
    if step.extractor in EXPLAINERS:
        return EXPLAINERS[step.extractor](page)
    selected = tuple(step.select(page))
    chosen = set(selected)
    by_choice = {True: [Remark(step.extractor, "chosen", True)], False: [Remark(step.extractor, "not chosen", False)]}
    return ExtractorTrace(selected, {run: by_choice[run in chosen] for run in range(len(page.runs))})


def _decisive(remarks: list[Remark]) -> str:
    """Returns the last step that changed a run from content, or the first that did not take it for content."""
    decided = ""
    content: bool | None = None
    for remark in remarks:
        if remark.content is False and content is not False and remark.text:
            decided = remark.step
        if remark.content is not None:
            content = remark.content
    return decided or (remarks[-1].step if remarks else "")


def hinted_traces(
    page: Page, chain: Chain, attempts: Mapping[str, Attempt], hints: PageHints | None
) -> list[StepTrace]:
    """Returns every step of `chain` with its reasons, as `step_traces` does. With hints the steps may have seen the
    page without the dropped runs; the indices are those of the whole page, and the dropped and the kept runs say which
    hint decided."""
    if hints is None:
        return step_traces(page, chain, attempts)
    _, seen, places = seen_by_chain(page, chain, hints)
    own = {run: Remark(HINTS, label, content=run in hints.kept) for run, label in hints.by_run.items()}
    return [_of_whole_page(step, places, hints, own) for step in step_traces(seen, chain, attempts)]


def _of_whole_page(step: StepTrace, places: Sequence[int], hints: PageHints, own: Mapping[int, Remark]) -> StepTrace:
    """Returns the trace with the indices of the whole page and the remarks of the hints."""
    remarks = {places[run]: list(of_run) for run, of_run in step.reasons.remarks.items()}
    for run, remark in own.items():
        remarks.setdefault(run, []).append(remark)
    selected = tuple(places[run] for run in step.reasons.selected)
    kept = frozenset(places[run] for run in step.kept) | hints.kept
    kept -= hints.dropped
    dropped_by = {places[run]: by for run, by in step.dropped_by.items()} | dict.fromkeys(hints.dropped, HINTS)
    return StepTrace(step.name, step.attempt, ExtractorTrace(selected, remarks), kept, dropped_by)
