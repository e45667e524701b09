"""`newscrawl forget`: removes a page or a site from the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

import click
from scrapy.settings import Settings
from scrapy.spiderloader import get_spider_loader

from newscrawl.actions.choices import Means
from newscrawl.actions.pages import Forgotten, remove
from newscrawl.archive.remove import LeftWhy, Removed
from newscrawl.cli.common.project import project_reader, required_settings
from newscrawl.cli.common.show import show
from newscrawl.cli.common.sites import check_site
from newscrawl.cli.common.words import asked_line, counted, operator_name, say
from newscrawl.config.derived.stores import store_of
from newscrawl.config.reading import config_of
from newscrawl.crawling.runtime.archive import archive_settings, machine_of
from newscrawl.errors import MissingDatabase, UsageError
from newscrawl.model.identity import url_key
from newscrawl.reports.sites import site_names
from newscrawl.storage.captures.archive_files import WaitingMachine
from newscrawl.storage.removal import blocklist, forget
from newscrawl.storage.removal import register as register_of
from newscrawl.storage.removal.register import MAX_REASON, ForgetCause, ForgottenEntry, latest

AFTER_CRAWL: Final = "the crawl removes it within three minutes, run the command again then"
"""A file that is asked for is closed after 15 s, or once its last page is no longer in flight, two minutes later."""
LEFT: Final[Mapping[LeftWhy, str]] = {
    "busy": f"a running crawl writes {{1}}, which contains it: {AFTER_CRAWL}",
    "missing": "not searched: {0} cannot be opened here",
    "unconfirmed": "deletion not confirmed: {1} is not on this machine",
}
"""What is said of an archive file that is left: {0} is its path or address, {1} its name."""
SHOWN: Final = 5
"""Largest number of addresses that are shown before the question."""
SHOWN_ENTRIES: Final = 10_000
"""Largest number of entries of the register that are listed, the newest first."""


@click.command(
    epilog="""\b
Examples:
  newscrawl forget https://example.org/2026/05/story --block
  newscrawl forget --site example --yes --reason "the publisher asked"
  newscrawl forget --blocked                                     what is blocked, and since when
  newscrawl forget https://example.org/2026/05/story --unblock
  newscrawl forget --carry-over sqlite:///former.db              before the archive is ingested""",
)
@click.argument("url", required=False)
@click.option("--site", help="Forget all pages of this site, and its sources.")
@click.option("--block", is_flag=True, help="Never fetch or store it again.")
@click.option("--unblock", is_flag=True, help="Only remove the block of URL or --site.")
@click.option("--reason", metavar="TEXT", help="Why, for the register: at most 500 characters, without the address.")
@click.option("--blocked", is_flag=True, help="Only list what is blocked.")
@click.option("--register", is_flag=True, help="Only list what was forgotten: when, how much, by whom and why.")
@click.option(
    "--carry-over",
    metavar="DATABASE",
    help="Only copy what is blocked, and the register, from the database of an earlier newscrawl: sqlite:///FILE or "
    "postgresql://USER@HOST/NAME.",
)
@click.option("--json", "as_json", is_flag=True, help="With --blocked or --register: one JSON object per line.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def command(
    url: str | None,
    site: str | None,
    *,
    block: bool,
    unblock: bool,
    reason: str | None,
    blocked: bool,
    register: bool,
    carry_over: str | None,
    as_json: bool,
    yes: bool,
) -> None:
    """Remove the texts, versions and events of URL or of a site, also from the consumers of the feed.

    A text that other pages also show stays with those pages. The archive files are rewritten without the removed pages.
    Other machines are asked to do the same with theirs. The command exits with 1 and names them until all have
    confirmed; `newscrawl status` names them as well.

    A register has the time, the site, the numbers, your user name and the reason of all that was forgotten, and no
    address.
    """
    lists, copies = blocked or register, carry_over is not None
    if block + unblock + blocked + register + copies > 1 or ((lists or copies) and (url or site)):
        raise UsageError(
            "give one of --block, --unblock, --blocked, --register and --carry-over; "
            "the last three take no URL and no --site"
        )
    if as_json and not lists:
        raise UsageError("--json needs --blocked or --register")
    if reason is not None and (lists or copies or unblock or len(reason) > MAX_REASON):
        raise UsageError(f"--reason says in at most {MAX_REASON} characters why URL or --site is forgotten")
    if blocked:
        _list(as_json=as_json)
        return
    if register:
        _list_register(as_json=as_json)
        return
    if carry_over is not None:
        _carry_over(required_settings(), carry_over)
        return
    if (url is None) == (site is None):
        raise UsageError("give either a URL or --site NAME")
    blocks = blocklist.key_of_site(site) if site is not None else blocklist.key_of_url(url_key(url or ""))
    keys = frozenset({blocks})
    settings = required_settings()
    if unblock:
        _unblock(settings, keys, site or url or "")
    else:
        _forget(settings, keys, url, site, ForgetCause(operator_name(), reason or None), block=block, yes=yes)


def _forget(
    settings: Settings,
    keys: frozenset[str],
    url: str | None,
    site: str | None,
    cause: ForgetCause,
    *,
    block: bool,
    yes: bool,
) -> None:
    with store_of(config_of(settings)) as store:
        with store.reading() as connection:
            since = blocklist.since(connection, keys)
            if since is None:
                check_site(site, site_names(connection), get_spider_loader(settings).list())
            there = forget.look(connection, url=url, site=site, shown=SHOWN)
        if not yes and (there.pages or there.captures or block):
            say("\n".join(_summary(there, url or f"site {site}", block=block and since is None)), err=True)
            _confirm()
        means = Means(archive_settings(config_of(settings)), machine_of(config_of(settings)))
        forgotten = remove(store, means, url, site, datetime.now(UTC), block=block, cause=cause)
    found, archived = forgotten.rows, forgotten.archived
    _print_left(forgotten, means)
    for_good = "" if not block else "; it is blocked" if since is None else f"; it is blocked since {_shown(since)}"
    is_whole = not (archived.files_left("missing", "busy") or _elsewhere(archived, means.machine))
    removed = ", ".join(f"{name}, removed" for name in _removed(archived))
    for_good += f"; done except {removed}" if removed and is_whole else ""
    if not found.pages:
        done = "; no archive contains it" if archived.was_asked and is_whole and not removed else ""
        say(f"nothing of {url or site} is stored{for_good}{done}")
        raise SystemExit(0 if (block or archived.was_asked) and is_whole else 1)
    kept = f"; {counted(found.kept, 'text stays', 'texts stay')} with other pages" if found.kept else ""
    say(f"forgot {counted(found.pages, 'page')} and {counted(found.articles, 'article')}{kept}{for_good}")
    if not is_whole:
        raise SystemExit(1)


def _summary(there: forget.Forgettable, name: str, *, block: bool) -> Iterator[str]:
    """Yields lines that say what would be removed. They are shown before the question."""
    kept = f"; {counted(there.kept, 'text stays', 'texts stay')} with other pages" if there.kept else ""
    archived = f", and {counted(there.captures, 'capture')} in the raw archive" if there.captures else ""
    yield f"{name}: {counted(there.pages, 'page')} and {counted(there.articles, 'article')}{archived}{kept}"
    yield from (f"  {url}" for url in there.urls)
    if there.pages > len(there.urls):
        yield f"  and {counted(there.pages - len(there.urls), 'more page')}"
    if block:
        yield "it will be blocked: never fetched or stored again"


def _unblock(settings: Settings, keys: frozenset[str], name: str) -> None:
    with store_of(config_of(settings)) as store:
        lifted = store.run(blocklist.lift, keys).result()
    if not lifted:
        raise UsageError(f"{name} is not blocked: `newscrawl forget --blocked` lists what is")
    for address in lifted:
        say(f"no longer blocked: {_named(address)}")


def _carry_over(settings: Settings, address: str) -> None:
    found = register_of.read_former(address)
    with store_of(config_of(settings)) as store:
        store.run(register_of.carry_over, found).result()
    entries = counted(len(found.entries), "entry of the register", "entries of the register")
    say(f"carried over: {counted(len(found.blocked), 'block')} and {entries}")
    if found.unconfirmed:
        names = ", ".join(name or "a machine without a name" for name in found.unconfirmed)
        say(
            f"archive files of {names} may still contain what was forgotten: forget it again after they are ingested",
            err=True,
        )
        raise SystemExit(1)


def _list(*, as_json: bool) -> None:
    found: list[tuple[str, datetime]] = []
    with suppress(MissingDatabase), project_reader() as connection:
        found = blocklist.everything(connection)
    show(found, _blocked, as_lines=as_json and _as_object, empty="nothing is blocked")


def _blocked(found: Sequence[tuple[str, datetime]]) -> Iterator[str]:
    for key, since in found:
        yield f"{_named(key)}  since {_shown(since)}"


def _as_object(blocked: tuple[str, datetime]) -> Mapping[str, object]:
    key, since = blocked
    return {"blocked": _named(key), "since": since}


def _list_register(*, as_json: bool) -> None:
    entries: Sequence[ForgottenEntry] = ()
    with suppress(MissingDatabase), project_reader() as connection:
        entries = latest(connection, SHOWN_ENTRIES)
    show(entries, _registered, as_lines=as_json, empty="nothing was forgotten")


def _registered(entries: Sequence[ForgottenEntry]) -> Iterator[str]:
    for entry in entries:
        what = f"{counted(entry.pages, 'page')} and {counted(entry.articles, 'article')} of {entry.site or 'no site'}"
        blocked = ", blocked" if entry.on_blocklist else ""
        why = f": {entry.reason}" if entry.reason else ""
        yield f"{_shown(entry.at)}  {entry.kind}: {what}{blocked}, by {entry.who or 'somebody'}{why}"


def _named(key: str) -> str:
    """Returns the address or site that a key blocks, as an argument of this command."""
    return key.removeprefix(blocklist.ADDRESS) if key.startswith(blocklist.ADDRESS) else key.replace(":", " ", 1)


def _shown(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _print_left(done: Forgotten, means: Means) -> None:
    """Prints what is not done in archives."""
    found, folder = done.archived, means.archive.folder if means.archive is not None else None
    for left in found.left:
        say(LEFT[left.why].format(left.at(folder), left.file), err=True)
    if missing := found.files_left("missing"):
        others = f", for these addresses: {' '.join(done.addresses)}" if len(done.addresses) > 1 else ""
        say(
            f"{counted(len(missing), 'archive file')} may still contain it: run the command where they can be opened "
            f"(NEWSCRAWL_ARCHIVE_URL names the folder){others}",
            err=True,
        )
    for waiting in _elsewhere(found, means.machine):
        say(asked_line(waiting), err=True)


def _confirm() -> None:
    """Asks at the terminal. Raises UsageError without an answer, as in a script."""
    try:
        is_sure = click.confirm("forget it? this cannot be undone", err=True)
    except click.Abort as error:
        raise UsageError("nothing was forgotten, because nobody answered: give --yes in a script") from error
    if not is_sure:
        raise click.Abort


def _elsewhere(found: Removed, here: str) -> list[WaitingMachine]:
    """The other machines that were asked and have not confirmed."""
    return [waiting for waiting in found.waiting if waiting.machine not in {None, here} and not waiting.removed_by]


def _removed(found: Removed) -> list[str]:
    """The machines that an operator removed and that have files which may contain it."""
    return [waiting.machine for waiting in found.waiting if waiting.machine and waiting.removed_by]
