"""Writes the explained page as one HTML document that is safe to open: no scripts, no URLs, only escaped text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Final

from newscrawl.extraction.article.extracted import Extracted
from newscrawl.extraction.boilerpipe.recipes import RECIPES
from newscrawl.extraction.chain import Chain
from newscrawl.extraction.confidence import FEATURES, MEANINGS, UNKNOWN, measure
from newscrawl.extraction.explain.reasons import (
    GROUP,
    GROUPED,
    MAX_RUNS,
    TREE_FILTER,
    Decision,
    Remark,
    StepTrace,
    element_name,
    hinted_traces,
)
from newscrawl.extraction.explain.style import POLICY, STYLE, tag, text
from newscrawl.extraction.per_site import HINTS, REPEATED
from newscrawl.extraction.stated import STATED
from newscrawl.model import Image, PublishedDate
from newscrawl.page import Page
from newscrawl.page.run import HEADING, HIDDEN, IGNORED_BY_BOILERPIPE, IGNORED_BY_JUSTEXT, LIST_ITEM

PATH_ELEMENTS: Final = 6
"""Ancestors shown of a run, the nearest ones, so that deep pages take linear time."""
STRIP_PIECES: Final = 2000
"""Pieces of the bar. With more, each would be narrower than a pixel."""

_FLAGS: Final = (
    (HEADING, "heading"),
    (LIST_ITEM, "list item"),
    (HIDDEN, "hidden"),
    (IGNORED_BY_BOILERPIPE, "Boilerpipe ignores its element"),
    (IGNORED_BY_JUSTEXT, "jusText ignores its element"),
)


def write_runs(page: Page, steps: Sequence[StepTrace], decisions: Sequence[Decision], main: StepTrace | None) -> str:
    """Writes one <details> for each run. On a page with too many runs, shows the kept runs first, then those from the
    start of the page; a line marks where runs are left out."""
    pieces: list[str] = []
    after = 0
    for index in _shown(decisions):
        pieces.append(_left_out(index - after))
        pieces.append(_run(page, index, steps, decisions[index], main))
        after = index + 1
    pieces.append(_left_out(len(decisions) - after))
    return "".join(pieces)


def _shown(decisions: Sequence[Decision]) -> Sequence[int]:
    """Returns the runs that are shown, in order."""
    if len(decisions) <= MAX_RUNS:
        return range(len(decisions))
    ordered = sorted(range(len(decisions)), key=lambda index: decisions[index] != "kept")
    return sorted(ordered[:MAX_RUNS])


def _left_out(number: int) -> str:
    return tag("p", text(f"{number:,} pieces are not shown, the page has too many"), class_="soft") if number else ""


def write_strip(page: Page, decisions: Sequence[Decision]) -> str:
    """Writes the page as a bar. The width of a piece is its number of characters; consecutive runs with the same
    decision are one piece."""
    pieces: list[tuple[Decision, int, int, int]] = []
    place = 0
    for index, (run, decision) in enumerate(zip(page.runs, decisions, strict=True)):
        width = len(run.text)
        if pieces and pieces[-1][0] == decision:
            last = pieces[-1]
            pieces[-1] = (decision, last[1], last[2] + width, last[3])
        else:
            pieces.append((decision, place, width, index))
        place += width
    least = place / STRIP_PIECES
    shown = frozenset(_shown(decisions))
    shapes = "".join(
        _linked(tag("rect", class_=decision, x=str(x), y="0", width=str(width), height="1"), first, shown)
        for decision, x, width, first in pieces
        if width >= least
    )
    box = f'viewBox="0 0 {max(place, 1)} 1" preserveAspectRatio="none" role="img" aria-label="the page from its start"'
    return f'<svg class="strip" {box}>{shapes}</svg>'


def _linked(shape: str, run: int, shown: Collection[int]) -> str:
    return tag("a", shape, href=f"#r{run}") if run in shown else shape


def _run(page: Page, index: int, steps: Sequence[StepTrace], decision: Decision, main: StepTrace | None) -> str:
    run = page.runs[index]
    why = main.dropped_by.get(index, "") if main is not None and decision != "kept" else ""
    label = {"kept": "kept", "ignored": "never considered"}.get(decision, why or "dropped")
    summary = tag("summary", tag("bdi", text(run.text), dir="auto"), tag("span", text(label), class_="why"))
    classes = f"run {decision}" + (" head" if run.flags & HEADING else "")
    return tag("details", summary, _facts(page, index, steps), id=f"r{index}", class_=classes) + "\n"


def _facts(page: Page, index: int, steps: Sequence[StepTrace]) -> str:
    run = page.runs[index]
    flags = "".join(f", {name}" for bit, name in _FLAGS if (run.flags | HIDDEN * run.hidden) & bit)
    place = " › ".join(reversed([element_name(page, e) for e in _nearest(page, run.element)]))
    shallow = (
        f"run {index}: {run.words} words, {len(run.text)} characters, {run.linked_words} words linked"
        f" (link density {run.link_density:.2f}){flags}"
    )
    parts = [tag("div", text(shallow)), tag("div", tag("code", text(place)), class_="soft")]
    parts.extend(_step_html(step, index) for step in steps)
    return tag("div", *parts, class_="facts")


def _nearest(page: Page, element: int) -> list[int]:
    return [element, *islice(page.elements.ancestors(element), PATH_ELEMENTS - 1)]


def _step_html(step: StepTrace, index: int) -> str:
    state = {"kept": "keeps it", "ignored": "does not look at it"}.get(step.decision(index), "drops it")
    note = "" if step.attempt is not None else tag("span", " (not needed; for comparison)", class_="soft")
    heading = tag("h3", text(f"{step.name} {state}"), note)
    remarks = step.reasons.remarks.get(index, ())
    return heading + (tag("table", *map(_remark, remarks)) if remarks else "")


def _remark(remark: Remark) -> str:
    mark = "" if remark.content is None else "yes" if remark.content else "no"
    cell = text(remark.text) if remark.text else tag("span", "nothing new", class_="soft")
    return tag("tr", tag("td", text(remark.step)), tag("td", cell, class_=mark))


LEGEND: Final[Mapping[Decision, tuple[str, str]]] = {
    "kept": ("kept", "in the article's text"),
    "narrowed": (
        "narrowed out",
        "chosen by the extractor, dropped for its place in the tree, by the clean-up or as repeated by the site",
    ),
    "dropped": ("dropped", "the extractor called it boilerplate"),
    "ignored": ("never considered", "stands in an element the extractor does not read"),
}


def explain_html(found: Extracted) -> str:
    """Returns a self-contained HTML page that shows the decisions of the chain for every run of a page, with the
    reasons.

    `found` is what `newscrawl.extract` returns. Nothing of the source is executed: the result has its text, escaped,
    and a policy that forbids scripts and all requests. Size and time are linear in the size of the page.
    """
    steps = hinted_traces(found.page, found.chain, {attempt.extractor: attempt for attempt in found.trace}, found.hints)
    main = next((step for step in steps if step.accepted), steps[0] if steps else None)
    decisions = _decisions(found, main)
    title = found.title or found.page.head.title or "untitled page"
    body = (
        _header(found, title),
        _chain(found, steps),
        _hints(found),
        _boilerplate(found),
        _confidence(found),
        _metadata(found),
        tag("h2", "The page, piece by piece"),
        write_strip(found.page, decisions),
        _legend(found, decisions),
        _without_reasons(found),
        tag("div", write_runs(found.page, steps, decisions, main), class_="runs"),
        _steps(found.chain),
    )
    return _document(title, "\n".join(body))


def _document(title: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{text(POLICY)}">'
        '<meta name="referrer" content="no-referrer"><meta name="robots" content="noindex">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{text(title)} — explained by newscrawl</title><style>{STYLE}</style></head>\n"
        f"<body><main>\n{body}\n</main></body></html>\n"
    )


def _decisions(found: Extracted, main: StepTrace | None) -> list[Decision]:
    if main is None:
        return ["dropped"] * len(found.page.runs)
    kept = set(found.extraction.runs)
    decided = map(main.decision, range(len(found.page.runs)))
    # The step kept the site's boilerplate, too.
    return ["kept" if run in kept else "narrowed" if by == "kept" else by for run, by in enumerate(decided)]


def _header(found: Extracted, title: str) -> str:
    words = sum(found.page.runs[run].words for run in found.extraction.runs)
    size = f"{words:,} words in {len(found.extraction.runs):,} of {len(found.page.runs):,} pieces by {found.extractor}"
    if found.extractor == STATED:
        size = f"{len(found.text):,} characters that the page's JSON-LD states; the page itself shows too little text"
    parts = [
        tag("h1", tag("bdi", text(title))),
        tag("p", text(found.page.url or "no address given"), class_="address"),
        tag("p", tag("span", text(found.verdict), class_=f"chip {found.verdict}"), " ", text(size)),
    ]
    if found.problems:
        problems = (tag("li", text(problem)) for problem in found.problems)
        parts += [tag("h2", "Problems"), tag("ul", *problems, class_="warn")]
    return "".join(parts)


def _chain(found: Extracted, steps: Sequence[StepTrace]) -> str:
    head = tag("tr", *(tag("th", name) for name in ("extractor", "words", "characters", "used", "why")))
    rows = []
    for step in steps:
        attempt = step.attempt
        cells = (
            (f"{attempt.words:,}", f"{attempt.characters:,}", "yes" if attempt.accepted else "no", attempt.reason)
            if attempt is not None
            else ("", "", "no", "not needed: the text before it was long enough")
        )
        rows.append(tag("tr", *(tag("td", text(c)) for c in (step.name, *cells)), class_="used" * step.accepted))
    return tag("h2", f"Chain {text(found.chain.name)}") + tag("table", head, *rows)


def _hints(found: Extracted) -> str:
    """Returns the hints of the site with the number of elements that each matches."""
    if found.hints is None:
        return ""
    reason = next((attempt.reason for attempt in found.trace if attempt.extractor == HINTS), "")
    head = tag("tr", tag("th", "hint"), tag("th", "elements"))
    rows = (tag("tr", tag("td", text(match.label)), tag("td", f"{match.number:,}")) for match in found.hints.matches)
    return tag("h2", "Hints of the site") + tag("p", text(reason), class_="soft") + tag("table", head, *rows)


def _boilerplate(found: Extracted) -> str:
    """Returns which lines of the text the site repeats on pages of other stories."""
    reason = next((attempt.reason for attempt in found.trace if attempt.extractor == REPEATED), "")
    if not reason:
        return ""
    return tag("h2", f"Boilerplate of the site, epoch {found.boilerplate.epoch}") + tag(
        "p", text(reason), class_="soft"
    )


def _confidence(found: Extracted) -> str:
    """Returns the expected F1 of the text, and the measures from which it is estimated."""
    sentence = f"{found.confidence:.2f}: how right and whole the text probably is, from 0 to 1."
    heading = tag("h2", "Confidence") + tag("p", text(sentence), class_="soft")
    if not found.extraction.runs:
        return heading
    values = zip(FEATURES, measure(found.page, found.extraction), strict=True)
    rows = (
        tag("tr", tag("th", text(MEANINGS[name])), tag("td", "unknown" if value == UNKNOWN else f"{value:.2f}"))
        for name, value in values
    )
    return heading + tag("table", *rows)


def _metadata(found: Extracted) -> str:
    meta = found.metadata
    facts: list[tuple[str, str]] = [
        ("title", meta.title or ""),
        ("authors", ", ".join(meta.authors)),
        ("published", _date(meta.published)),
        ("modified", _date(meta.modified)),
        ("language", found.language or ""),
        ("section", meta.section or ""),
        ("tags", ", ".join(meta.tags)),
        ("site", meta.site_name or ""),
        ("description", meta.description or ""),
        ("canonical", meta.canonical or ""),
        ("image", meta.image or ""),
        *(("picture", _picture(image)) for image in found.images),
        *(("video", address) for address in found.videos),
        *(("sound", address) for address in found.audio),
        ("encoding", f"{found.page.encoding} ({found.page.encoding_source})"),
        *(("refused date", f"{refused.raw} from {refused.source}: {refused.reason}") for refused in meta.refused_dates),
    ]
    rows = (tag("tr", tag("th", name), tag("td", tag("bdi", text(value)))) for name, value in facts if value)
    return tag("h2", "What the page says of itself") + tag("table", *rows, class_="statements")


def _picture(image: Image) -> str:
    size = f"{image.width or '?'} × {image.height or '?'}" if image.width or image.height else None
    credit = f"by {image.credit}" if image.credit else None
    return " · ".join(filter(None, (image.url, size, image.caption, credit)))


def _date(date: PublishedDate | None) -> str:
    if date is None:
        return ""
    zone = "" if date.zone_stated else ", no zone stated"
    return f"{date.when:%Y-%m-%d %H:%M} UTC, from {date.source}, exact to the {date.precision}{zone}"


def _legend(found: Extracted, decisions: Sequence[Decision]) -> str:
    characters = dict.fromkeys(LEGEND, 0)
    for run, decision in zip(found.page.runs, decisions, strict=True):
        characters[decision] += len(run.text)
    whole = max(sum(characters.values()), 1)
    items = []
    for decision, (name, meaning) in LEGEND.items():
        box = f'<input type="checkbox" id="show-{decision}" checked> '
        swatch = tag("span", class_=f"swatch {decision}")
        share = f"{characters[decision]:,} characters, {characters[decision] / whole:.0%}"
        label = tag("label", box, swatch, text(f"{name}: {share}"), for_=f"show-{decision}", title=meaning)
        items.append(tag("li", label))
    return tag("ul", *items, class_="legend") + tag(
        "p", "Open a piece to read what every step said of it; untick a kind to hide it.", class_="soft"
    )


def _without_reasons(found: Extracted) -> str:
    if len(found.page.runs) <= MAX_RUNS:
        return ""
    note = f"The page has {len(found.page.runs):,} pieces: with more than {MAX_RUNS:,}, no step's reasons are shown."
    return tag("p", text(note), class_="warn")


def _steps(chain: Chain) -> str:
    """Returns the filters of the chain's recipes with their descriptions, each once."""
    known: dict[str, str] = {}
    for step in chain.all_steps:
        recipe = RECIPES.get(step.extractor.removesuffix(GROUPED))
        for filter_ in recipe.steps if recipe else ():
            known[type(filter_).__name__] = (type(filter_).__doc__ or "").partition("\n")[0]
        if step.extractor.endswith(GROUPED):
            known[GROUP] = "Of the chosen runs only those of the group of paragraphs that is the article stay."
        if step.depth:
            known[TREE_FILTER] = (
                f"Of the chosen runs only those under the heaviest ancestor {step.depth} steps up stay."
            )
        known |= {one.name: one.meaning for one in chain.filters(step)}
    items = (tag("dt", text(name)) + tag("dd", text(meaning)) for name, meaning in known.items())
    return tag("h2", "Steps") + tag("dl", *items, class_="steps") if known else ""
