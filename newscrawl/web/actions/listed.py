"""The actions of the pages. Each says first what it would do, with the equal command, and records who did it.

Webhook addresses, settings and chains are not set from the pages.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from newscrawl.archive.remove import forget as forget_archived
from newscrawl.archive.writer import ArchiveSettings
from newscrawl.errors import UsageError
from newscrawl.identity import clean_url, registrable_domain, url_key
from newscrawl.identity.masking import masked
from newscrawl.reports.review import in_review
from newscrawl.reports.sites import is_known
from newscrawl.storage import events
from newscrawl.storage.articles.lookup import page_at
from newscrawl.storage.frontier import sites
from newscrawl.storage.monitoring import alarms, checks, review_queue
from newscrawl.storage.monitoring.release import Released
from newscrawl.storage.reader import Connection
from newscrawl.storage.removal import forget
from newscrawl.storage.removal.register import MAX_REASON, ForgetCause
from newscrawl.storage.store import Store
from newscrawl.web.actions import feed_addresses
from newscrawl.web.actions.action import (
    Action,
    AddChoice,
    ForgetChoice,
    Means,
    PauseChoice,
    Plan,
    ReviewChoice,
    SiteChoice,
)
from newscrawl.web.queries import NotFoundError
from newscrawl.web.rendering import address
from newscrawl.wording import counted

MAX_HOURS: Final = 24 * 365
LEFT: Final[Mapping[str, str]] = {
    "busy": "A running crawl writes {}, which contains it: forget it again after that crawl.",
    "missing": "Not searched: {} cannot be opened here.",
}
"""What is said of an archive file that still has to be searched, by why."""


def plan_pause(connection: Connection, choice: PauseChoice) -> Plan:
    """Says what pausing a site means. Raises NotFoundError, and UsageError for too many hours."""
    _check_site(connection, choice.site)
    if choice.hours is not None and choice.hours > MAX_HOURS:
        raise UsageError(f"hours={choice.hours}: give at most {MAX_HOURS:,}, or none, for a pause until it is resumed")
    until = "until it is resumed" if choice.hours is None else f"for {counted(choice.hours, 'hour')}"
    said = f"No crawl sends a new request to {choice.site} {until}. Every crawl follows within ten seconds."
    return Plan(_pause_command(choice), (said,), choice.site)


def pause(store: Store, choice: PauseChoice, _means: Means, who: str, now: datetime) -> Sequence[str]:
    """Pauses a site."""
    until = None if choice.hours is None else now + timedelta(hours=choice.hours)
    store.run(sites.pause, choice.site, until, now).result()
    _note(store, choice.site, "operator/paused", who, _pause_command(choice), now)
    return (f"{choice.site} is paused {f'until {until:%Y-%m-%d %H:%M} UTC' if until else 'until it is resumed'}.",)


def plan_resume(connection: Connection, choice: SiteChoice) -> Plan:
    """Says what resuming a site means. Raises NotFoundError."""
    _check_site(connection, choice.site)
    said = f"{choice.site} is crawled again. A pause in NEWSCRAWL_SITE_SCHEDULES stays."
    return Plan(_resume_command(choice), (said,), choice.site)


def resume(store: Store, choice: SiteChoice, _means: Means, who: str, now: datetime) -> Sequence[str]:
    """Ends the pause of a site."""
    was_paused = store.run(sites.resume, choice.site, now).result()
    if not was_paused:
        return (f"{choice.site} was not paused.",)
    _note(store, choice.site, "operator/resumed", who, _resume_command(choice), now)
    return (f"{choice.site} is crawled again.",)


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
    return Plan(_release_command(choice), said, site)


def release(store: Store, choice: ReviewChoice, _means: Means, who: str, now: datetime) -> Sequence[str]:
    """Releases pages from review."""
    keys = [url_key(choice.url)] if choice.url is not None else None
    with store.reading() as connection:
        site = plan_release(connection, choice).back
    released = Released()
    while True:
        part = store.release(now, site=choice.site, url_keys=keys).result()
        if not part.pages:
            break
        released += part
    _note(store, site, "operator/released", who, _release_command(choice), now)
    said = [f"Released {counted(released.stored, 'page')}."]
    others = {
        "changed nothing: their pages show a better text, or the same": released.kept,
        "not stored: blocked": released.blocked,
        "not stored: the database refused them, they are now dead letters": released.refused,
        "had no text at all: they are fetched again when they are due": released.empty,
    }
    said += [f"{number:,} {words}." for words, number in others.items() if number]
    return said


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
    return Plan(_reextract_command(choice), said, choice.site)


def reextract(store: Store, choice: SiteChoice, means: Means, who: str, now: datetime) -> Sequence[str]:
    """Begins to extract the waiting pages of a site again, in the background."""
    if means.reextractions is None:
        command = _reextract_command(choice)
        raise UsageError(f"these pages show a database without its project: run `{command}` where the archive is")
    means.reextractions.begin(choice.site, who)
    _note(store, choice.site, "operator/reextracted", who, _reextract_command(choice), now)
    return (f"The pages of {choice.site} that wait for review are extracted again.",)


def plan_accept(connection: Connection, choice: SiteChoice) -> Plan:
    """Says which alarms would be closed. Raises NotFoundError if none is open."""
    opened = alarms.open_alarms(connection, choice.site)
    if not opened:
        raise NotFoundError(f"no alarm of {choice.site[:80]} is open")
    said = [f"This alarm would be closed: {alarm.message}" for alarm in opened]
    said.append("What the site shows now is its normal state: its baseline is learned again.")
    return Plan(_accept_command(choice), tuple(said), "" if choice.site == alarms.FLEET else choice.site)


def accept(store: Store, choice: SiteChoice, _means: Means, who: str, now: datetime) -> Sequence[str]:
    """Closes the alarms of a site, and learns its baseline again."""
    closed = store.run(checks.accept, choice.site, now).result()
    _note(store, choice.site, "operator/accepted", who, _accept_command(choice), now)
    return [f"Closed: {alarm.message}" for alarm in closed]


def plan_forget(connection: Connection, choice: ForgetChoice) -> Plan:
    """Says what would go. Raises InvalidUrl, UsageError for a reason that is too long, and NotFoundError if there is
    nothing to forget or block."""
    if choice.reason is not None and len(choice.reason) > MAX_REASON:
        raise UsageError(f"reason: give at most {MAX_REASON} characters")
    there = forget.look(connection, url=choice.url)
    if not (there.pages or there.captures or choice.block):
        raise NotFoundError(f"nothing of {choice.url[:200]} is stored")
    numbers = f"{counted(there.pages, 'page')}, {counted(there.articles, 'article')}"
    said = [f"{numbers} and {counted(there.captures, 'capture')} in the raw archive would go, with all versions."]
    if there.kept:
        said.append(f"{counted(there.kept, 'text stays', 'texts stay')} with other pages.")
    said += ["It is blocked: never fetched or stored again."] if choice.block else []
    page = page_at(connection, choice.url)
    site, shown = (page.site, address("/article", url=page.url)) if page is not None else ("", "/forgotten")
    return Plan(_forget_command(choice), tuple(said), site, is_final=True, cancel=shown)


def forget_page(store: Store, choice: ForgetChoice, means: Means, who: str, now: datetime) -> Sequence[str]:
    """Removes a page with everything about it, here and, by a request, from the archives of other machines."""
    archive = means.archive
    with store.reading() as connection:
        site = plan_forget(connection, choice).back
        addresses = list(dict.fromkeys(forget.addresses(connection, choice.url)))
    # The archive comes first, while the database has all addresses of the page: after a kill both are repeated.
    settings = None
    if archive.folder is not None:
        settings = ArchiveSettings(archive.folder, machine=archive.machine, store_address=archive.store_address)
    archived = forget_archived(store, settings, addresses, machine=archive.machine)
    cause = ForgetCause(who, choice.reason or None)
    found = store.run(forget.forget_url, choice.url, now, block=choice.block is not None, cause=cause).result()
    if site:
        _note(store, site, "operator/forgot", who, "newscrawl forget (of one page)", now)
    said = [f"Forgot {counted(found.pages, 'page')} and {counted(found.articles, 'article')}."]
    said += [LEFT[left.why].format(left.file) for left in archived.left if left.why in LEFT]
    said += [
        f"{waiting.machine or 'A machine'} was asked to remove it from {counted(waiting.files, 'file')}."
        for waiting in archived.waiting
        if waiting.machine != archive.machine
    ]
    return said


def plan_add(_connection: Connection, choice: AddChoice) -> Plan:
    """Says what a survey of a new site does. Raises UsageError for what is no address."""
    for url in filter(None, (choice.url, choice.feed)):
        clean_url(url)
    said = (
        f"About twenty pages of {registrable_domain(choice.url)} are requested, under all rules of a crawl.",
        "Nothing is written: the text of the spider's file is shown, to copy.",
    )
    return Plan(_add_command(choice), said, "")


def add(store: Store, choice: AddChoice, means: Means, who: str, now: datetime) -> Sequence[str]:
    """Begins the survey of a new site in the background."""
    if means.surveys is None:
        raise UsageError("this server surveys no site: start `newscrawl web` with --actions")
    domain = registrable_domain(choice.url)
    number = means.surveys.begin(choice.url, choice.feed, who)
    _note(store, alarms.FLEET, "operator/surveyed", who, masked(_add_command(choice)), now)
    return (f"Survey {number} of {domain} waits for its turn.",)


def _add_command(choice: AddChoice) -> str:
    feed = f" --feed {shlex.quote(choice.feed)}" if choice.feed else ""
    return f"newscrawl add-site {shlex.quote(choice.url)}{feed} --dry-run"


def _pause_command(choice: PauseChoice) -> str:
    until = f" --until {choice.hours}h" if choice.hours is not None else ""
    return f"newscrawl pause {shlex.quote(choice.site)}{until}"


def _resume_command(choice: SiteChoice) -> str:
    return f"newscrawl resume {shlex.quote(choice.site)}"


def _release_command(choice: ReviewChoice) -> str:
    what = f"--site {shlex.quote(choice.site)}" if choice.site is not None else shlex.quote(choice.url or "")
    return f"newscrawl review release {what}"


def _reextract_command(choice: SiteChoice) -> str:
    return f"newscrawl reextract --in-review --site {shlex.quote(choice.site)} --apply"


def _accept_command(choice: SiteChoice) -> str:
    return f"newscrawl status --accept {shlex.quote(choice.site)}"


def _forget_command(choice: ForgetChoice) -> str:
    why = f" --reason {shlex.quote(choice.reason)}" if choice.reason else ""
    return f"newscrawl forget {shlex.quote(choice.url)}{' --block' if choice.block else ''}{why}"


def _check_site(connection: Connection, site: str) -> None:
    if not is_known(connection, site):
        raise NotFoundError(f"no site {site[:80]!r} is in the database")


def _note(store: Store, site: str, kind: str, who: str, command: str, now: datetime) -> None:
    store.run(events.record_act, site, kind, who, command, now).result()


ACTIONS: Final = (
    Action("pause", "Pause", PauseChoice, plan_pause, pause),
    Action("resume", "Resume", SiteChoice, plan_resume, resume),
    Action("accept", "Accept as normal", SiteChoice, plan_accept, accept),
    Action("release", "Release from review", ReviewChoice, plan_release, release, back_to="/review"),
    Action(
        "reextract", "Extract again", SiteChoice, plan_reextract, reextract, leads_to="/review", takes_database=False
    ),
    Action("forget", "Forget", ForgetChoice, plan_forget, forget_page, back_to="/forgotten", takes_database=False),
    Action("add-site", "Survey the site", AddChoice, plan_add, add, leads_to="/add", takes_database=False),
    *feed_addresses.ACTIONS,
)
