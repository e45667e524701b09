"""The text that an operator can send to the owner of a site whose bot wall refuses the crawler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from newscrawl.model.walls import wall_in
from newscrawl.storage.records import Event
from newscrawl.storage.reports import UrlReport

WALL_VERDICT: Final = "verdict/bot_wall"
MAX_ANSWERS: Final = 5
"""The latest answers that the text names."""


def letter_lines(report: UrlReport) -> Iterator[str]:
    """Yields the lines of `newscrawl why` about a bot wall that still refuses the address; nothing without one, and
    nothing for a page that was only ingested, because newscrawl did not request it."""
    refused = [event for event in report.events if event.kind == WALL_VERDICT or wall_in(event.reason)]
    page = report.page.page if report.page is not None else None
    if page is not None:
        since = report.crawled_since
        refused = [event for event in refused if since is not None and event.at >= since]
    is_failing = page.failure_kind is not None if page is not None else any(each.failures for each in report.sources)
    if refused and is_failing:
        yield "a bot wall refuses the address; to ask the owner of the site for access, send:"
        yield from (f"  {line}" for line in _letter(report.url, refused[-MAX_ANSWERS:]))


def _letter(url: str, answers: Sequence[Event]) -> Iterator[str]:
    # Settings load Scrapy, which `why` does not need otherwise.
    from newscrawl.config.project import project_settings
    from newscrawl.config.reading import value_of
    from newscrawl.crawling.downloader.middlewares.robots import sent_agent
    from newscrawl.crawling.runtime.startup_checks.contact import CONTACT, put_into_user_agent
    from newscrawl.scheduling.robots_rules import PRODUCT, sent_tokens

    settings = project_settings()
    put_into_user_agent(settings)
    agent = sent_agent(settings)
    tokens = sent_tokens(settings["ROBOTSTXT_USER_AGENT"] or agent) or (PRODUCT,)
    walls = dict.fromkeys(found[0] for event in answers if (found := wall_in(event.reason)))
    yield f"Our news crawler cannot read {url}: {', '.join(walls) or 'a bot wall'} in front of your site refuses it."
    yield f"Answers:    {'; '.join(map(_answer, answers))}"
    yield f"User agent: {agent}"
    yield f"robots.txt: the crawler obeys it, as {', '.join(dict.fromkeys((*tokens, PRODUCT)))}, and the Crawl-delay"
    yield f"Contact:    {value_of(settings, CONTACT) or 'see the user agent'}"
    yield "Please allow this user agent, or name a feed or sitemap that it may read. robots.txt can end its visits."


def _answer(event: Event) -> str:
    found = wall_in(event.reason)
    status = f" {event.status}" if event.status else ""
    return f"{event.at:%Y-%m-%d %H:%M:%S} UTC{status}" + (f" ({found[1]})" if found is not None else "")
