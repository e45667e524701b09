"""A study as Markdown tables, and as JSON for programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from newscrawl.bench.documents import markdown
from newscrawl.bench.measure import Result, Scores
from newscrawl.bench.scores import Summary
from newscrawl.bench.study import MIN_SITE_PAGES, CorpusStudy, Interval, Study
from newscrawl.model.wording import counted

LANGUAGES: Final = {
    "cs": "Czech", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fr": "French", "id": "Indonesian",
    "it": "Italian", "ja": "Japanese", "ko": "Korean", "pl": "Polish", "ru": "Russian", "tr": "Turkish",
    "zh": "Chinese",
}  # fmt: skip
PAPERS_LANGUAGE: Final = "es"
"""The second language of the seed paper. It always has its own column."""
MIN_LANGUAGE_PAGES: Final = 5
SITES_SHOWN: Final = 12

LEARNED: Final = ("best", "learned", "dragnet")
"""Systems with learned weights."""
LEARNED_FROM: Final = frozenset(
    {"fundus_tests", "magic_html_article", "misinfo_crawler", "naeb", "trafilatura_eval", "wcxb"}
)
"""Corpora that the weights in the package were learned from (docs/explanation/learned.md)."""
LEARNED_NOTE: Final = (
    "† The weights of `best`, `learned` and `dragnet` were learned from pages of this corpus, so their figures "
    "for it are too high. docs/measurements/quality.md has figures for unseen sites."
)

METRICS: Final[Mapping[str, Callable[[Result], Summary]]] = {
    "char": lambda result: result.characters,
    "ROUGE-LSum": lambda result: result.rouge,
    "1-char": lambda result: result.single,
}
"""Further scores, shown if they were measured."""


def markdown_report(study: Study) -> str:
    """Returns all tables."""
    texts = [corpus for corpus in study.corpora if corpus.texts]
    parts = []
    if texts:
        parts += ["### All corpora", overview_table(texts, study.systems)]
        if any(marked(corpus) != corpus.name for corpus in texts):
            parts += [LEARNED_NOTE]
        if any(corpus.differences for corpus in texts):
            parts += [f"### F1 minus that of `{study.against}`", difference_table(texts)]
    if any(result.snippets for corpus in study.corpora for result in corpus.results.values()):
        parts += ["### Snippets", snippet_table(study.corpora)]
    if texts:
        parts += ["### By language", language_table(study)]
        if sites := site_table(study):
            parts += [f"### Sites with the lowest F1 of `{study.against}` ({MIN_SITE_PAGES} pages or more)", sites]
    for corpus in texts:
        parts += [f"### {marked(corpus)} ({counted(len(corpus.texts), 'page')})", corpus_table(corpus)]
    failures = failure_table(study)
    return "\n\n".join([*parts, *(["### Failures", failures] if failures else [])])


def overview_table(corpora: Sequence[CorpusStudy], systems: Sequence[str]) -> str:
    """Returns F1 of every system on every corpus, the best of each in bold."""
    columns = {corpus.name: {name: result.shingles.f1 for name, result in corpus.results.items()} for corpus in corpora}
    return markdown(["F1", *map(marked, corpora)], _best_bold(systems, list(columns.values())))


def marked(corpus: CorpusStudy) -> str:
    """Returns the corpus's name, marked if a measured system was trained on it."""
    has_learned = corpus.name in LEARNED_FROM and any(name.partition("+")[0] in LEARNED for name in corpus.results)
    return f"{corpus.name} †" if has_learned else corpus.name


def difference_table(corpora: Sequence[CorpusStudy]) -> str:
    """Differences in F1 with their intervals. A difference is bold if its interval excludes 0."""
    names = list(dict.fromkeys(name for corpus in corpora for name in corpus.differences))
    rows = [[f"`{name}`", *(signed(corpus.differences.get(name)) for corpus in corpora)] for name in names]
    return markdown(["difference [95 %]", *map(marked, corpora)], rows)


def corpus_table(corpus: CorpusStudy) -> str:
    """Returns one row for each system, the best first."""
    results = corpus.results
    shown = [label for label, of in METRICS.items() if any(of(result).pages for result in results.values())]
    header = ["system", "P", "R", "F1 [95 %]", "page F1", "exact", "under .5", "empty"]
    for label in shown:
        header += [f"{label} P", f"{label} R", f"{label} F1"] if label == "char" else [f"{label} F1"]
    rows = []
    for name, result in sorted(results.items(), key=lambda item: -item[1].shingles.f1):
        summary, interval = result.shingles, corpus.intervals[name]
        row = [f"`{name}`", three(summary.precision), three(summary.recall)]
        row += [f"**{three(summary.f1)}** [{three(interval.low)}, {three(interval.high)}]", three(summary.mean_f1)]
        row += [f"{summary.exact:.0%}", str(summary.below_half), _empties(result)]
        for label in shown:
            of = METRICS[label](result)
            row += [three(of.precision), three(of.recall)] if label == "char" else []
            row += [three(of.f1)]
        rows.append(row)
    return markdown(header, rows)


def snippet_table(corpora: Sequence[CorpusStudy]) -> str:
    """Returns precision, recall and F over snippets."""
    chosen = [corpus for corpus in corpora if any(result.snippets for result in corpus.results.values())]
    names = list(dict.fromkeys(name for corpus in chosen for name in corpus.results))
    header = ["system", *(f"{corpus.name} {figure}" for corpus in chosen for figure in ("P", "R", "F"))]
    rows = []
    for name in names:
        row = [f"`{name}`"]
        for corpus in chosen:
            counts = corpus.results[name].snippets
            row += [three(counts.precision), three(counts.recall), f"**{three(counts.f1)}**"] if counts else [""] * 3
        rows.append(row)
    return markdown(header, rows)


def language_table(study: Study) -> str:
    """Returns F1 by language over all corpora with full texts."""
    parts = {
        language: results
        for language, results in study.by_language().items()
        if language == PAPERS_LANGUAGE or _pages_of(results) >= MIN_LANGUAGE_PAGES
    }
    header = ["F1", *(f"{LANGUAGES.get(language, language)} ({_pages_of(parts[language])})" for language in parts)]
    columns = [{name: result.shingles.f1 for name, result in results.items()} for results in parts.values()]
    return markdown(header, _best_bold(study.systems, columns))


def site_table(study: Study) -> str:
    """Returns the sites with the lowest F1 of the system that others are compared with, and the best system of each.
    Empty if no site has enough pages."""
    name = study.against if study.against in study.systems else study.systems[0]
    sites = sorted(study.by_site().items(), key=lambda item: item[1][name].shingles.f1)[:SITES_SHOWN]
    rows = []
    for site, results in sites:
        own = results[name].shingles
        best = max(results, key=lambda system: results[system].shingles.f1)
        rows.append(
            [site, str(own.pages), three(own.precision), three(own.recall), three(own.f1),
             f"`{best}` {three(results[best].shingles.f1)}"]
        )  # fmt: skip
    return markdown(["site", "pages", "P", "R", "F1", "best system"], rows) if rows else ""


def failure_table(study: Study) -> str:
    """Returns the errors of peers; empty if there were none."""
    rows = [
        [f"`{name}`", corpus.name, str(number), reason.replace("|", "\\|")]
        for corpus in study.corpora
        for name, result in corpus.results.items()
        for reason, number in result.failures[:3]
    ]
    return markdown(["system", "corpus", "pages", "error"], rows) if rows else ""


def as_json(study: Study, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Returns everything: figures by corpus, language and site, and every page's scores."""
    return {
        **facts,
        "against": study.against,
        "corpora": {corpus.name: _corpus_json(corpus) for corpus in study.corpora},
        "languages": _parts_json(study.by_language()),
        "sites": _parts_json(study.by_site()),
    }


def _corpus_json(corpus: CorpusStudy) -> dict[str, Any]:
    return {
        "digest": corpus.corpus.digest,
        "pages": len(corpus.measured),
        "systems": {
            name: {
                **_result_json(result),
                "f1_interval": _ends(corpus.intervals.get(name)),
                "difference": asdict(corpus.differences[name]) if name in corpus.differences else None,
            }
            for name, result in corpus.results.items()
        },
        "by_page": [
            {"id": page.page, "language": page.language, "domain": page.domain,
             "scores": {name: _page_json(scores) for name, scores in page.systems.items()}}
            for page in corpus.measured
        ],
    }  # fmt: skip


def _result_json(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind in ("shingles", "single", "characters", "rouge"):
        summary: Summary = getattr(result, kind)
        if summary.pages:
            found[kind] = asdict(summary)
    if result.snippets:
        counts = result.snippets
        found["snippets"] = {**asdict(counts), "precision": counts.precision, "recall": counts.recall, "f1": counts.f1}
    if result.failures:
        found["failures"] = dict(result.failures)
    return found


def _page_json(scores: Scores) -> dict[str, Any]:
    kinds = ("shingles", "single", "characters", "rouge", "snippets")
    found = {kind: asdict(value) for kind in kinds if (value := getattr(scores, kind))}
    return {**found, **({"failure": scores.failure} if scores.failure else {})}


def _parts_json(parts: Mapping[str, Mapping[str, Result]]) -> dict[str, Any]:
    return {part: {name: _result_json(result) for name, result in results.items()} for part, results in parts.items()}


def _best_bold(names: Sequence[str], columns: Sequence[Mapping[str, float]]) -> list[list[str]]:
    """A row for each name with its value in each column. The best value of a column is bold."""
    best = [three(max(column.values(), default=0.0)) for column in columns]
    rows = []
    for name in names:
        cells = [three(column[name]) if name in column else "" for column in columns]
        rows.append([f"`{name}`", *(f"**{c}**" if c == top else c for c, top in zip(cells, best, strict=True))])
    return rows


def three(value: float) -> str:
    """Returns three decimals without the leading zero."""
    return "1.000" if value >= 0.9995 else f"{value:.3f}"[1:]


def signed(interval: Interval | None) -> str:
    """Returns a difference with its interval, bold if the interval excludes 0."""
    if interval is None:
        return ""
    value, low, high = (
        f"{'-' if v < 0 else '+'}{three(abs(v))}" for v in (interval.value, interval.low, interval.high)
    )
    return f"{f'**{value}**' if interval.is_certain else value} [{low}, {high}]"


def _empties(result: Result) -> str:
    failed = f" ({result.failed} failed)" if result.failures else ""
    return f"{result.shingles.empty}{failed}"


def _ends(interval: Interval | None) -> list[float] | None:
    return [interval.low, interval.high] if interval else None


def _pages_of(results: Mapping[str, Result]) -> int:
    return max((result.shingles.pages for result in results.values()), default=0)
