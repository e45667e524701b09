"""Actions on a site: pause, resume, accept, release and extract again what waits for review, survey a new one."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from newscrawl.actions.choices import (
    Action,
    AddChoice,
    Done,
    Means,
    PauseChoice,
    Plan,
    ReviewChoice,
    SiteChoice,
)
from newscrawl.errors import NotFoundError, UsageError
from newscrawl.model.identity import clean_url, registrable_domain, url_key
from newscrawl.model.wording import counted
from newscrawl.reports.review import in_review
from newscrawl.reports.sites import is_known
from newscrawl.storage.frontier import sites
from newscrawl.storage.monitoring import alarms, checks, review_queue
from newscrawl.storage.monitoring.alarms import FLEET, Alarm
from newscrawl.storage.monitoring.release import Released
from newscrawl.storage.reader import Connection
from newscrawl.storage.store import Store

MAX_HOURS: Final = 24 * 365


def plan_pause(connection: Connection, choice: PauseChoice) -> Plan:
    """Says what pausing a site means. Raises NotFoundError, and UsageError for too many hours."""
    _check_site(connection, choice.site)
    if choice.hours is not None and choice.hours > MAX_HOURS:
        raise UsageError(f"hours={choice.hours}: give at most {MAX_HOURS:,}, or none, for a pause until it is resumed")
    until = "until it is resumed" if choice.hours is None else f"for {counted(choice.hours, 'hour')}"
    said = f"No crawl sends a new request to {choice.site} {until}. Every crawl follows within ten seconds."
    return Plan((said,), choice.site)


def pause(store: Store, choice: PauseChoice, _means: Means, _who: str, now: datetime) -> Done[datetime | None]:
    """Pauses a site. Finds the end of the pause."""
    until = None if choice.hours is None else now + timedelta(hours=choice.hours)
    store.run(sites.pause, choice.site, until, now).result()
    ends = f"until {until:%Y-%m-%d %H:%M} UTC" if until else "until it is resumed"
    return Done((f"{choice.site} is paused {ends}.",), until)


def plan_resume(connection: Connection, choice: SiteChoice) -> Plan:
    """Says what resuming a site means. Raises NotFoundError."""
    _check_site(connection, choice.site)
    return Plan((f"{choice.site} is crawled again. A pause in NEWSCRAWL_SITE_SCHEDULES stays.",), choice.site)


def resume(store: Store, choice: SiteChoice, _means: Means, _who: str, now: datetime) -> Done[bool]:
    """Ends the pause of a site. Finds whether it was paused."""
    was_paused = store.run(sites.resume, choice.site, now).result()
    said = f"{choice.site} is crawled again." if was_paused else f"{choice.site} was not paused."
    return Done((said,), was_paused, was_paused)


def plan_accept(connection: Connection, choice: SiteChoice) -> Plan:
    """Says which alarms would be closed. Raises NotFoundError if none is open."""
    opened = alarms.open_alarms(connection, choice.site)
    if not opened:
        raise NotFoundError(f"no alarm of {choice.site[:80]} is open")
    said = [f"This alarm would be closed: {alarm.message}" for alarm in opened]
    said.append("What the site shows now is its normal state: its baseline is learned again.")
    return Plan(said, choice.site)


def accept(store: Store, choice: SiteChoice, _means: Means, _who: str, now: datetime) -> Done[Sequence[Alarm]]:
    """Closes the alarms of a site, and learns its baseline again. Finds the closed alarms."""
    closed = store.run(checks.accept, choice.site, now).result()
    return Done([f"Closed: {alarm.message}" for alarm in closed], closed)


def plan_release(connection: Connection, choice: ReviewChoice) -> Plan:
    """Says how many pages would be released. Raises NotFoundError if none waits, and UsageError."""
    if (choice.site is None) == (choice.url is None):
        raise UsageError("give either site or url")
    if choice.url is not None:
        found = in_review(connection, keys=[url_key(choice.url)])
        number, site = len(found), found[0].site if found else ""
    else:
        site = choice.site or ""
        number = review_queue.counts(connection).get(site, 0)
    if not number:
        raise NotFoundError(f"nothing of {choice.url or site} waits for review")
    what = f"{counted(number, 'page')} of {site} would be stored as {'it was' if number == 1 else 'they were'} read"
    said = (f"{what}, and shown in feed, search and export.", "A page that already shows a better text keeps it.")
    return Plan(said, site)


def release(store: Store, choice: ReviewChoice, _means: Means, _who: str, now: datetime) -> Done[Released]:
    """Releases pages from review. Finds their numbers."""
    keys = [url_key(choice.url)] if choice.url is not None else None
    released = Released()
    while (part := store.release(now, site=choice.site, url_keys=keys).result()).pages:
        released += part
    others = {
        "changed nothing: their pages show a better text, or the same": released.kept,
        "not stored: blocked": released.blocked,
        "not stored: the database refused them, they are now dead letters": released.refused,
        "had no text at all: they are fetched again when they are due": released.empty,
    }
    said = [f"{number:,} {words}." for words, number in others.items() if number]
    return Done([f"Released {counted(released.stored, 'page')}.", *said], released)


def plan_reextract(connection: Connection, choice: SiteChoice) -> Plan:
    """Says what extracting the waiting pages of a site again does. Raises NotFoundError if none waits."""
    number = review_queue.counts(connection).get(choice.site, 0)
    if not number:
        raise NotFoundError(f"nothing of {choice.site[:80]} waits for review")
    said = (
        f"{counted(number, 'page')} of {choice.site} would be extracted again, with the chain of the settings.",
        "The pages are read from the raw archive of this machine. Nothing is fetched.",
        "Those that give an article now are stored and shown in feed, search and export. The others wait on.",
    )
    return Plan(said, choice.site)


def reextract(_store: Store, choice: SiteChoice, means: Means, who: str, _now: datetime) -> Done[None]:
    """Begins to extract the waiting pages of a site again, in the background. Raises UsageError without a project."""
    if means.reextract is None:
        command = _reextract_command(choice)
        raise UsageError(f"these pages show a database without its project: run `{command}` where the archive is")
    means.reextract(choice.site, who)
    return Done((f"The pages of {choice.site} that wait for review are extracted again.",), None)


def plan_add(_connection: Connection, choice: AddChoice) -> Plan:
    """Says what a survey of a new site does. Raises UsageError for what is no address."""
    for url in filter(None, (choice.url, choice.feed)):
        clean_url(url)
    said = (
        f"About twenty pages of {registrable_domain(choice.url)} are requested, under all rules of a crawl.",
        "Nothing is written: the text of the spider's file is shown, to copy.",
    )
    return Plan(said, FLEET)


def add(_store: Store, choice: AddChoice, means: Means, who: str, _now: datetime) -> Done[int]:
    """Begins the survey of a new site in the background. Finds its number. Raises UsageError where none is made."""
    if means.survey is None:
        raise UsageError("this server surveys no site: start `newscrawl web` with --actions")
    number = means.survey(choice.url, choice.feed, who)
    return Done((f"Survey {number} of {registrable_domain(choice.url)} waits for its turn.",), number)


def _check_site(connection: Connection, site: str) -> None:
    if not is_known(connection, site):
        raise NotFoundError(f"no site {site[:80]!r} is in the database")


def _pause_command(choice: PauseChoice) -> str:
    until = f" --until {choice.hours}h" if choice.hours is not None else ""
    return f"newscrawl pause {shlex.quote(choice.site)}{until}"


def _release_command(choice: ReviewChoice) -> str:
    what = f"--site {shlex.quote(choice.site)}" if choice.site is not None else shlex.quote(choice.url or "")
    return f"newscrawl review release {what}"


def _reextract_command(choice: SiteChoice) -> str:
    return f"newscrawl reextract --in-review --site {shlex.quote(choice.site)} --apply"


def _add_command(choice: AddChoice) -> str:
    feed = f" --feed {shlex.quote(choice.feed)}" if choice.feed else ""
    return f"newscrawl add-site {shlex.quote(choice.url)}{feed} --dry-run"


PAUSE: Final = Action("pause", "Pause", PauseChoice, plan_pause, pause, _pause_command, "operator/paused")
RESUME: Final = Action(
    *("resume", "Resume", SiteChoice, plan_resume, resume),
    lambda choice: f"newscrawl resume {shlex.quote(choice.site)}",
    "operator/resumed",
)
ACCEPT: Final = Action(
    *("accept", "Accept as normal", SiteChoice, plan_accept, accept),
    lambda choice: f"newscrawl status --accept {shlex.quote(choice.site)}",
    "operator/accepted",
)
RELEASE: Final = Action(
    *("release", "Release from review", ReviewChoice, plan_release, release, _release_command, "operator/released"),
    back_to="/review",
)
REEXTRACT: Final = Action(
    *("reextract", "Extract again", SiteChoice, plan_reextract, reextract, _reextract_command, "operator/reextracted"),
    leads_to="/review",
    takes_database=False,
)
ADD: Final = Action(
    *("add-site", "Survey the site", AddChoice, plan_add, add, _add_command, "operator/surveyed"),
    leads_to="/add",
    takes_database=False,
)
