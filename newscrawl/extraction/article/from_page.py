"""Parses, extracts and judges one fetched page, and reads the lines from which the boilerplate of its site is learned.

Boilerplate is learned from the lines that are not mostly links, and from all lines that the chain selects. Lines that
a chain selects only on some pages stand on the others too, so whole pages tell more than extracted texts: on the
Russian newspapers of one corpus they double the gain. Lines of links are left out because navigation has hundreds of
them and no chain selects them.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from functools import lru_cache
from typing import Final

from newscrawl.extraction.article.extracted import Extracted, metadata_of
from newscrawl.extraction.article.make import ArticleOptions, make_article, read_use
from newscrawl.extraction.article.verdict import spoken_error
from newscrawl.extraction.article.verdict_rules import NamedRule, VerdictRule, load_rules
from newscrawl.extraction.chain import Chain, resolve
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.registry import Selector
from newscrawl.extraction.render import lines_of, render
from newscrawl.extraction.site_boilerplate import NO_BOILERPLATE
from newscrawl.extraction.site_boilerplate.epoch import key_of
from newscrawl.model import Article, Discovery, Failure, ProcessedPage, RawPage, UsageRights
from newscrawl.model.walls import wall_of
from newscrawl.page import Page, parse
from newscrawl.page.parse import NOT_TEXT

_HTML_TYPES: Final = ("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml")
"""Content types that may contain a page. Servers send HTML with many types, but an image or a PDF is no page."""


def article_or_failure(raw: RawPage, options: ArticleOptions) -> tuple[Article | Failure, UsageRights | None]:
    """Returns the article of the page, or why it has none, and what the page states about its use."""
    page = _parsed(raw)
    if isinstance(page, Failure):
        return page, None
    return _extracted(page, raw, options), read_use(page, raw.headers)


def _parsed(raw: RawPage) -> Page | Failure:
    content_type = raw.headers.get("content-type", "")
    kind = content_type.partition(";")[0].strip().lower()
    if kind and not kind.startswith(_HTML_TYPES):
        return Failure("content/not_html", f"the server calls it {kind[:80]}")
    if not raw.body or not raw.body.strip():
        return Failure("content/empty", "the body is empty")
    page = parse(raw.body, url=raw.final_url, content_type=content_type)
    if NOT_TEXT in page.problems:
        return Failure("content/not_html", f"called {kind or 'nothing'}, but {page.problems[-1]}")
    return page


def _extracted(page: Page, raw: RawPage, options: ArticleOptions) -> Article | Failure:
    rules = _loaded(tuple(options.verdict_rules)) if options.verdict_rules else ()
    when = raw.fetched_at.astimezone(UTC)
    is_listed = _is_listed(raw.discovery)
    site = options.hints, options.boilerplate
    extracted = Extracted(page, _chain(options), when, rules, options.kinds, is_listed, *site)
    if not extracted.is_kept and extracted.verdict != "empty":
        wall = wall_of(raw.status, raw.headers, is_refusal=True) if extracted.verdict == "bot_wall" else None
        evidence = extracted.evidence if wall is None else (*extracted.evidence, wall.note)
        return Failure(f"verdict/{extracted.verdict}", "; ".join(evidence))
    if not extracted.text:
        tried = ", ".join(f"{attempt.extractor}: {attempt.reason}" for attempt in extracted.trace)
        return Failure("extraction/empty", f"no extractor found text ({tried})")
    error = spoken_error(extracted.metadata.title, extracted.text)
    return Article(
        url=raw.final_url,
        site=raw.site,
        metadata=metadata_of(extracted),
        text=extracted.text,
        extractor=extracted.extractor,
        verdict=extracted.judgement.verdict,
        trace=extracted.trace,
        problems=extracted.problems if error is None else (*extracted.problems, error),
        hints=extracted.hints.matches if extracted.hints is not None else (),
        confidence=extracted.confidence,
        boilerplate_epoch=options.boilerplate.epoch,
        left_out=extracted.extraction.left_out,
        structure=extracted.structure,
    )


def _is_listed(discovery: Discovery | None) -> bool:
    """Whether a feed or a news sitemap lists the page. Only news sitemaps state titles."""
    return discovery is not None and (
        discovery.kind == "feed" or (discovery.kind == "sitemap" and discovery.title is not None)
    )


def _chain(options: ArticleOptions) -> Chain:
    key = tuple((name, tuple(steps)) for name, steps in options.chains.items())
    return _resolved(options.chain, key, options.limits, tuple(options.extractors.items()))


@lru_cache(maxsize=16)
def _resolved(
    name: str,
    chains: tuple[tuple[str, tuple[str, ...]], ...],
    limits: Limits,
    extractors: tuple[tuple[str, str | Selector], ...],
) -> Chain:
    """Resolved once per process, not for each page."""
    return resolve(name, dict(chains), limits, extractors=dict(extractors))


@lru_cache(maxsize=16)
def _loaded(rules: tuple[str | VerdictRule, ...]) -> tuple[NamedRule, ...]:
    """Loaded once per process, not for each page."""
    return load_rules(rules)


MAX_LINKED: Final = 0.5
"""Share of a line's words in links from which it is a line of links."""
MAX_LINES: Final = 1_000
"""Lines of a page. An article with all that is around it has a few hundred."""


def read_lines(raw: RawPage, options: ArticleOptions) -> ProcessedPage:
    """Returns the page as `make_article` does, but the text of its article is all lines of the page that count, and
    `left_out` has the keys of those that the chain selects. It is the work of a worker process."""
    made = make_article(raw, replace(options, boilerplate=NO_BOILERPLATE))
    if made.article is None or not raw.body:
        return made
    selected = [line for line in made.article.text.split("\n") if line.strip()]
    page = parse(raw.body, url=raw.final_url, content_type=raw.headers.get("content-type", ""))
    lines = list(dict.fromkeys([*unlinked_lines(page), *selected]))[:MAX_LINES]
    return replace(made, article=replace(made.article, text="\n".join(lines), left_out=tuple(map(key_of, selected))))


def unlinked_lines(page: Page) -> list[str]:
    """Returns the lines of a page of which at most `MAX_LINKED` is in links, in their order."""
    found: list[str] = []
    for line in lines_of(page, range(len(page.runs))):
        words = sum(page.runs[run].words for run in line)
        if sum(page.runs[run].linked_words for run in line) <= MAX_LINKED * words:
            found.append(render(page, line))
    return found
