"""Reads the lines of a page from which the boilerplate of its site is learned.

These are the lines that are not mostly links, and all that the chain selects. Lines that a chain selects only on some
pages stand on the others too, so whole pages tell more than extracted texts: on the Russian newspapers of one corpus
they double the gain. Lines of links are left out because navigation has hundreds of them and no chain selects them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from newscrawl.article.make import ArticleOptions, make_article
from newscrawl.extraction.render import lines_of, render
from newscrawl.model import ProcessedPage, RawPage
from newscrawl.page import Page, parse
from newscrawl.site_boilerplate import NO_BOILERPLATE
from newscrawl.site_boilerplate.lines import key_of

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
