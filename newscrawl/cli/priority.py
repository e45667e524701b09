"""`newscrawl priority`: chooses a site before or after others."""

from __future__ import annotations

import math

import click

from newscrawl.cli.common.controlling import SOON, now, store_knowing
from newscrawl.cli.common.saying import say
from newscrawl.errors import UsageError
from newscrawl.scheduling.site_state import PRIORITIES
from newscrawl.storage.frontier import sites


@click.command(
    name="priority",
    short_help="Choose a site before or after others.",
    epilog="""\b
Examples:
  newscrawl priority elpais high
  newscrawl priority elpais 2.5
  newscrawl priority elpais --default""",
)
@click.argument("site")
@click.argument("priority", required=False)
@click.option("--default", "is_default", is_flag=True, help="Remove the priority that this command set.")
def command(site: str, priority: str | None, *, is_default: bool) -> None:
    """Choose a site before or after others, if more are due than can be crawled at once.

    PRIORITY is high (4), normal (1), low (0.25) or a number. A site with priority 4 is chosen as if it had waited four
    times as long. A site with a low priority is crawled too, but later.
    """
    if (priority is None) != is_default:
        raise UsageError("give a priority (high, normal, low or a number), or --default")
    factor = _factor(priority) if priority is not None else None
    with store_knowing(site) as store:
        store.run(sites.set_priority, site, factor, now()).result()
    say(f"{site}: priority {factor:g}; {SOON}" if factor is not None else f"{site}: usual priority; {SOON}")


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
