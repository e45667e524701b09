"""Reasons why an address is not visited, from its page's row, or from the declarations if it has none."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from newscrawl.cli.common.words import counted
from newscrawl.identity import clean_url
from newscrawl.scheduling.new_page_limit import NEW_PAGE_LIMIT_REACHED
from newscrawl.scheduling.retries import NEVER
from newscrawl.scheduling.revisit import QUIET
from newscrawl.scheduling.site_state import SiteDay
from newscrawl.storage.records import GENERIC_SITE, PageRow

if TYPE_CHECKING:
    from scrapy.settings import Settings


def next_due_line(page: PageRow, limit_day: SiteDay | None = None) -> str:
    """Returns when a page is visited again, or why it is not. `limit_day` is its site's day if the site's limit of new
    pages for that day is reached and the page waits for the next."""
    if limit_day is not None:
        limit = counted(limit_day.limit_reached or 0, "address", "addresses")
        return (
            f"next visit not before {limit_day.day + timedelta(days=1)} (UTC), the newest of its site first: today's "
            f"limit of {limit} never fetched before is reached ({NEW_PAGE_LIMIT_REACHED}); "
            'daily_requests = "unlimited" in the declaration removes the limit'
        )
    if page.next_due is not None:
        return f"next visit {page.next_due:%Y-%m-%d %H:%M} UTC"
    if page.state == "found":
        return "next visit with the next crawl: it was announced and not fetched yet"
    return f"no further visit: {_why_none(page)}"


def _why_none(page: PageRow) -> str:
    if page.state == "expired":
        return "its text is older than NEWSCRAWL_RETENTION keeps"
    if page.state == "gone":
        return f"it was gone {counted(page.failures, 'time')} in a row"
    if page.failure_kind in NEVER:
        return f"{page.failure_kind} is permanent"
    if page.failure_kind:
        return f"{counted(page.failures, 'failure')} in a row, the last {page.failure_kind}"
    return f"it had not changed for {QUIET.days} days when it was last visited, or no revisit is planned"


def not_followed(settings: Settings, url: str) -> str:
    """Returns why an address without stored data is not requested, as far as the declarations show."""
    from newscrawl.crawling.spider.news_spider import NewsSpider
    from newscrawl.discovery.links.article_urls import never_an_article
    from newscrawl.onboarding.files import Project

    address = clean_url(url)
    project = Project(settings)
    name = project.owner(address)
    spider = project.site(name).spider if name else None
    if name is None or name == GENERIC_SITE or spider is None or not issubclass(spider, NewsSpider):
        return "no declared site has this address, no source named it, and no crawl requested it"
    if never_an_article(address):
        return (
            "such an address is never an article's, on any site (a front page, a file, or a page of tags, authors or "
            "services): it is neither requested nor stored when a source names it"
        )
    rule = spider().site.rule
    if not rule.patterns:
        else_named = "is" if rule.accepts(address) else "is not"
        return (
            f"site {name} declares no `articles`, so every address that a feed or news sitemap names is requested; "
            f"one that only other sources name is judged by general rules, and this one {else_named} an article's by "
            "them; no source named it, and no crawl requested it"
        )
    if not rule.accepts(address):
        return (
            f"the rule of site {name} refuses it (`articles` in its declaration): it is neither requested nor stored "
            "when a source names it"
        )
    return f"it is an article's address by the rule of site {name}, but no source named it, and no crawl requested it"
