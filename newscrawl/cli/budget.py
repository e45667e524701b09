"""`newscrawl budget`: sets the requests a day of a site."""

from __future__ import annotations

import click

from newscrawl.cli.common.controlling import SOON, now, store_knowing
from newscrawl.cli.common.saying import say
from newscrawl.config.derived.daily_requests import UNLIMITED
from newscrawl.errors import UsageError
from newscrawl.storage.frontier import sites

MAX_REQUESTS: int = 10**9


@click.command(
    name="budget",
    short_help="Set how many requests a day a site gets.",
    epilog="""\b
Examples:
  newscrawl budget elpais 500
  newscrawl budget elpais unlimited
  newscrawl budget elpais --default""",
)
@click.argument("site")
@click.argument("requests", required=False)
@click.option("--default", "is_default", is_flag=True, help="Remove the budget that this command set.")
def command(site: str, requests: str | None, *, is_default: bool) -> None:
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
        store.run(sites.set_daily_requests, site, value, now()).result()
    say(f"{site}: {f'{value} requests a day' if value is not None else 'usual budget'}; {SOON}")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 10 and int(text) <= MAX_REQUESTS
