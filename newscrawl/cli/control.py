"""`newscrawl pause`, `resume`, `priority` and `budget`: how crawls treat one site from now on."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Final

import click

from newscrawl.actions.choices import DATABASE_ALONE, SiteChoice
from newscrawl.actions.site import RESUME
from newscrawl.cli.common.options import Later, utc
from newscrawl.cli.common.project import database_option
from newscrawl.cli.common.sites import store_knowing
from newscrawl.cli.common.words import operator_name, say
from newscrawl.config.derived.daily_requests import UNLIMITED
from newscrawl.crawling.scheduling.site_state import PRIORITIES
from newscrawl.errors import UsageError
from newscrawl.storage.frontier import sites

SOON: Final = "every crawl follows within ten seconds"
MAX_REQUESTS: Final = 10**9


@click.command(
    epilog="""\b
Examples:
  newscrawl pause elpais
  newscrawl pause elpais --until 12h
  newscrawl pause elpais --until 2030-12-01T06:00:00""",
)
@click.argument("site")
@click.option("--until", type=Later(), help="When the pause ends (UTC): a day, a time, or a span from now such as 12h.")
@database_option
def pause(site: str, until: datetime | None) -> None:
    """Stop crawling a site. A crawl under way finishes the requests in progress and sends no new one.

    The pause is stored in the database. Every process that uses the database follows it within ten seconds, also after
    a restart. `newscrawl status` shows it. A paused site has no new articles.
    The watchdog opens no alarm for that.
    """
    end = utc(until)
    with store_knowing(site) as store:
        store.run(sites.pause, site, end, datetime.now(UTC)).result()
    say(f"{site}: paused {f'until {end:%Y-%m-%d %H:%M} UTC' if end else 'until it is resumed'}; {SOON}")


@click.command(
    epilog="""\b
Example:
  newscrawl resume elpais""",
)
@click.argument("site")
@database_option
def resume(site: str) -> None:
    """End the pause of a site that `newscrawl pause` set. A pause in NEWSCRAWL_SITE_SCHEDULES stays."""
    with store_knowing(site) as store:
        done = RESUME.act(store, SiteChoice(site), DATABASE_ALONE, operator_name(), datetime.now(UTC))
    say(f"{site}: resumed; {SOON}" if done.found else f"{site}: was not paused")


@click.command(
    epilog="""\b
Examples:
  newscrawl priority elpais high
  newscrawl priority elpais 2.5
  newscrawl priority elpais --default""",
)
@click.argument("site")
@click.argument("priority", required=False)
@click.option("--default", "is_default", is_flag=True, help="Remove the priority that this command set.")
def priority(site: str, priority: str | None, *, is_default: bool) -> None:
    """Choose a site before or after others, if more are due than can be crawled at once.

    PRIORITY is high (4), normal (1), low (0.25) or a number. A site with priority 4 is chosen as if it had waited four
    times as long. A site with a low priority is crawled too, but later.
    """
    if (priority is None) != is_default:
        raise UsageError("give a priority (high, normal, low or a number), or --default")
    factor = _factor(priority) if priority is not None else None
    with store_knowing(site) as store:
        store.run(sites.set_priority, site, factor, datetime.now(UTC)).result()
    say(f"{site}: priority {factor:g}; {SOON}" if factor is not None else f"{site}: usual priority; {SOON}")


@click.command(
    epilog="""\b
Examples:
  newscrawl budget elpais 500
  newscrawl budget elpais unlimited
  newscrawl budget elpais --default""",
)
@click.argument("site")
@click.argument("requests", required=False)
@click.option("--default", "is_default", is_flag=True, help="Remove the budget that this command set.")
def budget(site: str, requests: str | None, *, is_default: bool) -> None:
    """Set how many requests a day (UTC) are sent to a site, in place of `daily_requests` of its declaration.

    REQUESTS is a number, or "unlimited". Requests already sent today count against the new budget. `newscrawl run` asks
    a crawl under way to end and starts it again with the new budget. `scrapy crawl` continues with the new budget.
    """
    if (requests is None) != is_default:
        raise UsageError(f'give a number of requests a day or "{UNLIMITED}", or --default')
    if requests is not None and requests != UNLIMITED and not _is_number(requests):
        raise UsageError(f'budget {requests!r}: give a whole number from 0 to {MAX_REQUESTS:,}, or "{UNLIMITED}"')
    value = str(int(requests)) if requests is not None and requests != UNLIMITED else requests
    with store_knowing(site) as store:
        store.run(sites.set_daily_requests, site, value, datetime.now(UTC)).result()
    say(f"{site}: {f'{value} requests a day' if value is not None else 'usual budget'}; {SOON}")


def _factor(text: str) -> float:
    if text in PRIORITIES:
        return PRIORITIES[text]
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0.01 <= number <= 100:
        raise UsageError(f"priority {text!r}: give high, normal, low or a number from 0.01 to 100")
    return number


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 10 and int(text) <= MAX_REQUESTS
