"""`newscrawl why URL`: everything that happened to one address, and why it is not visited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import click

from newscrawl.cli.common.project import database_option, named_database, project_reader
from newscrawl.cli.common.show import print_json
from newscrawl.cli.common.words import counted, failure, next_visit, overlapping, say, shown_first, source_failure
from newscrawl.cli.status_lines import alarm_line
from newscrawl.config.project import project_settings
from newscrawl.crawling.scheduling.revisit import NEVER, QUIET
from newscrawl.crawling.scheduling.site_state import NEW_PAGE_LIMIT_REACHED, SiteDay
from newscrawl.model import HARMFUL, walls
from newscrawl.model.identity import clean_url
from newscrawl.model.jsonable import builtins, view
from newscrawl.reports import PageReport, UrlReport, url_report
from newscrawl.reports.history import StoredVersion
from newscrawl.reports.sources import Source, sources_of
from newscrawl.reports.views import REVIEW_JSON, SOURCE_JSON, VERSION_KEYS
from newscrawl.storage.frontier.sites import FrontPageReading, front_page
from newscrawl.storage.monitoring.alarms import open_alarms
from newscrawl.storage.records import GENERIC_SITE, Event, PageRow

if TYPE_CHECKING:
    from scrapy.settings import Settings

_COUNTED: Final = ("extractor", "fallback", "joined")
"""The columns of a page by which `newscrawl status` counts; the JSON has them with the article and its versions."""
MAX_ANSWERS: Final = 5
"""The latest answers that the text for the owner of a site names."""


@click.command(
    epilog="""\b
Examples:
  newscrawl why https://example.org/2026/05/story --json
  newscrawl why http://demo.localhost:8765/city/1901/withdrawn-notice   # of the demo
  newscrawl why https://example.org/feed.xml      # a feed or sitemap
  newscrawl why elpais                            # a site: its alarms and sources""",
)
@click.argument("url")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@database_option
def command(url: str, as_json: bool) -> None:
    """Show how URL was found, fetched, extracted and stored, and why.

    URL may differ from the stored address in tracking parameters, in the case of the host, and in http or https. With
    the name of a site instead, its open alarms and the state of its sources are shown.
    """
    with project_reader() as connection:
        of_site = sources_of(connection, url)
        if of_site:
            opened = open_alarms(connection, url)
            if as_json:
                sources = [view(one, SOURCE_JSON) for one in of_site]
                print_json({"alarms": opened, "sources": sources})
            else:
                say("\n".join([*map(alarm_line, opened), *chain.from_iterable(map(_of_site, of_site))]))
            return
        report = url_report(connection, url, datetime.now(UTC))
        front = front_page(connection, url, datetime.now(UTC)) if report is None else None
    if front is not None:
        print_json(front) if as_json else say(_front_page(url, front))
        return
    if report is None:
        if named_database() is not None:  # the declarations of the folder may be another project's
            say(f"nothing is known about {url} in this database")
            raise SystemExit(1)
        say(f"nothing is known about {url}: {not_followed(project_settings(), url)}")
        raise SystemExit(1)
    if as_json:
        print_json(_as_object(report))
    else:
        say("\n".join(_lines(report)))


def _as_object(report: UrlReport) -> dict[str, Any]:
    told: dict[str, Any] = builtins(report)
    told["sources"] = [view(one, SOURCE_JSON) for one in report.sources]
    told["in_review"] = [view(one, REVIEW_JSON) for one in report.in_review]
    if report.page is not None:
        told["page"]["versions"] = [view(version, VERSION_KEYS) for version in report.page.versions]
        for name in _COUNTED:
            del told["page"]["page"][name]
    return told


def _front_page(url: str, front: FrontPageReading) -> str:
    """Returns when a front page was read that is no source of its site."""
    lines = [url, f"  front page of site {front.site}: no article, it is compared with the sources once a week"]
    if front.read_at is not None:
        lines.append(f"  last read {front.read_at:%Y-%m-%d %H:%M} UTC")
    if front.due is not None:
        lines.append(f"  next visit {front.due:%Y-%m-%d %H:%M} UTC, or with the first crawl after it")
    return "\n".join(lines)


def _of_site(source: Source) -> Iterator[str]:
    yield source.url
    yield from _source(source)


def _lines(report: UrlReport) -> Iterator[str]:
    yield report.url
    if report.page is not None and report.page.page.url != report.url:
        yield f"  the page is {report.page.page.url}"
    if report.blocked_since is not None:
        since = f"{report.blocked_since:%Y-%m-%d %H:%M} UTC"
        yield f"  blocked since {since}: it is neither fetched nor stored (newscrawl forget URL --unblock lifts it)"
    for source in report.sources:
        yield from _source(source)
    if report.page is not None:
        blocked = report.blocked_since is not None
        yield from _page(report.page, report.host_rests_until, asked=report.url, blocked=blocked)
        for version in report.page.versions:
            yield from _version(version)
    for page in report.in_review:
        size = f"{page.characters} characters by {page.extractor}" if page.characters else "no text"
        yield f"held for review since {page.at:%Y-%m-%d %H:%M:%S} UTC, {size}: {', '.join(page.reasons)}"
    if report.events:
        yield "events:"
    yield from (f"  {_event(event)}" for event in report.events)
    yield from _wall_lines(report)


def _page(report: PageReport, rests_until: datetime | None, *, asked: str, blocked: bool) -> Iterator[str]:
    page = report.page
    yield f"  site {page.site}, state {page.state}" + (f", verdict {page.verdict}" if page.verdict else "")
    if report.discovery is not None:
        yield f"  found in {report.discovery.kind} {report.discovery.source}"
    for address in report.urls:
        if address not in {page.url, asked}:
            yield f"  also reached as {address}"
    if page.failure_kind:
        in_a_row = f", {page.failures} in a row" if page.failures else ""  # a page in review has not failed
        yield f"  latest failure {failure(page.failure_kind)}{in_a_row}"
    if blocked:
        yield "  no further visit: it is blocked"
    else:
        yield f"  {next_due_line(page, report.waits)}"
        if rests_until is not None and rests_until > datetime.now(UTC):
            yield f"  no request before {rests_until:%Y-%m-%d %H:%M} UTC: its host rests until then"
    if page.last_fetched is None and report.article is not None:
        yield "  it was read from a file of unknown age"
    for brought in report.brought_forward:
        yield f"  brought forward at {brought.at:%Y-%m-%d %H:%M} UTC: {brought.reason} ({brought.source})"
    if report.article is not None:
        article = report.article
        cut = ", the text is longer and was cut" if article.truncated else ""
        yield f"  shows article {article.id}: {article.characters} characters, by {article.extractor}{cut}"
        yield f"  content hash {article.content_hash}"
        for other in article.other_pages:
            yield f"  the same text is at {other}"
        yield from (f"  {line}" for line in (*shown_first(article.first_page), *overlapping(article.overlaps)))


def _source(source: Source) -> Iterator[str]:
    yield f"  {source.kind} of {source.site}"
    read = "never"
    if source.last_fetched:
        read = f"{source.last_fetched:%Y-%m-%d %H:%M} UTC, {counted(source.answers, 'answer')} so far"
    yield f"  last read {read}" + (f", last status {source.last_status}" if source.last_status else "")
    if source.failures:
        since = f" since {source.failing_since:%Y-%m-%d %H:%M} UTC" if source.failing_since else ""
        yield f"  failing{since}, {source.failures} in a row: {source_failure(source.failure_kind)}"
    if source.failure_kind in HARMFUL and source.not_before:
        yield f"  paused until {source.not_before:%Y-%m-%d %H:%M} UTC"
    named = counted(source.named, "address", "addresses")
    yield f"  named {named}, {source.new} of them new, {source.unusable} unusable"
    if source.watermark:
        yield f"  newest publication date named {source.watermark:%Y-%m-%d %H:%M} UTC"
    if source.etag or source.last_modified:
        yield "  requests are conditional: the source answers 304 while nothing changes"
    if again := next_visit(source, datetime.now(UTC)):
        yield f"  {again}"


def _version(version: StoredVersion) -> Iterator[str]:
    yield f"version of {version.seen_at:%Y-%m-%d %H:%M:%S} UTC ({version.change_class}): {version.title or 'no title'}"
    if version.published:
        yield f"  published {version.published:%Y-%m-%d %H:%M} UTC"
    if version.confidence is not None:
        yield f"  confidence {version.confidence:.2f}: how right and whole the text probably is, from 0 to 1"
    for attempt in version.trace:
        taken = "used" if attempt.accepted else "not used"
        size = f"{counted(attempt.words, 'word')}, {counted(attempt.characters, 'character')}"
        yield f"  {attempt.extractor}: {size}, {taken}: {attempt.reason}"
    for date in version.metadata.refused_dates:
        yield f"  date {date.raw!r} from {date.source} refused: {date.reason}"
    for problem in version.problems:
        yield f"  problem: {problem}"


def _event(event: Event) -> str:
    status = f" {event.status}" if event.status else ""
    reason = f": {event.reason}" if event.reason else ""
    return f"{event.at:%Y-%m-%d %H:%M:%S} {event.kind}{status}{reason}"


def _wall_lines(report: UrlReport) -> Iterator[str]:
    """Yields the lines of `newscrawl why` about a bot wall that still refuses the address; nothing without one, and
    nothing for a page that was only ingested, because newscrawl did not request it."""
    refused = [event for event in report.events if event.kind == walls.VERDICT or walls.wall_in(event.reason)]
    page = report.page.page if report.page is not None else None
    if page is not None:
        since = report.crawled_since
        refused = [event for event in refused if since is not None and event.at >= since]
    is_failing = page.failure_kind is not None if page is not None else any(each.failures for each in report.sources)
    if refused and is_failing:
        yield "a bot wall refuses the address; to ask the owner of the site for access, send:"
        yield from (f"  {line}" for line in _letter(report.url, refused[-MAX_ANSWERS:]))


def _letter(url: str, answers: Sequence[Event]) -> Iterator[str]:
    # These load Scrapy, which `why` does not need otherwise.
    from newscrawl.config.reading import value_of
    from newscrawl.crawling.downloader.middlewares.robots import sent_agent
    from newscrawl.crawling.runtime.setting_checks import CONTACT, put_into_user_agent
    from newscrawl.crawling.scheduling.robots import PRODUCT, sent_tokens

    settings = project_settings()
    put_into_user_agent(settings)
    agent = sent_agent(settings)
    tokens = sent_tokens(settings["ROBOTSTXT_USER_AGENT"] or agent) or (PRODUCT,)
    names = dict.fromkeys(found.name for event in answers if (found := walls.wall_in(event.reason)))
    yield f"Our news crawler cannot read {url}: {', '.join(names) or 'a bot wall'} in front of your site refuses it."
    yield f"Answers:    {'; '.join(map(_refusal, answers))}"
    yield f"User agent: {agent}"
    yield f"robots.txt: the crawler obeys it, as {', '.join(dict.fromkeys((*tokens, PRODUCT)))}, and the Crawl-delay"
    yield f"Contact:    {value_of(settings, CONTACT) or 'see the user agent'}"
    yield "Please allow this user agent, or name a feed or sitemap that it may read. robots.txt can end its visits."


def _refusal(event: Event) -> str:
    found = walls.wall_in(event.reason)
    status = f" {event.status}" if event.status else ""
    return f"{event.at:%Y-%m-%d %H:%M:%S} UTC{status}" + (f" ({found.sign})" if found is not None else "")


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
    from newscrawl.discovery.onboarding.files import Project

    address = clean_url(url)
    project = Project(settings)
    name = project.owner(address)
    spider = project.spider(name) if name else None
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
