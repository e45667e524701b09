"""What commands say to people, with secrets in addresses masked: lines, and the wording of counts and failures.

JSON, exports and files have complete addresses.
"""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Final

import click

from newscrawl.model import OBJECT_STORE, SOURCE_DIED, SOURCE_MEMORY, SOURCE_TIMEOUT, TOO_COSTLY
from newscrawl.model.identity.masking import MASK, masked
from newscrawl.model.wording import counted as counted

if TYPE_CHECKING:
    from newscrawl.reports.sources import Source
    from newscrawl.reports.story import FirstPage, Overlaps
    from newscrawl.storage.captures.archive_files import WaitingMachine

_NOTED: Final = "newscrawl.masked"
MAX_NAME: Final = 100
"""Characters of a name: the environment may state any."""

NO_ARTICLES: Final[dict[str, str]] = {
    "bot_wall": "a bot wall",
    "soft_404": "a 'not found' page",
    "consent": "a request for consent",
    "video": "a video",
    "gallery": "a picture gallery",
    "listing": "a list of articles",
    "product": "a product's page",
    "forum": "a forum's thread",
    "documentation": "documentation",
    "service": "a page about a service, place, job or event",
}
"""Description of a page that is no article, by its verdict (newscrawl.model.Verdict)."""

HARM: Final[dict[str, str]] = {
    TOO_COSTLY: "reading it took too much CPU time",
    SOURCE_TIMEOUT: "reading it did not end in time",
    SOURCE_MEMORY: "reading it took too much memory",
    SOURCE_DIED: "reading it killed its worker",
}
"""Description of a harmful source, by the kind of its failure."""


def say(text: str = "", *, err: bool = False) -> None:
    """Prints one or more lines, masked."""
    click.echo(to_show(text), err=err)


def to_show(text: str) -> str:
    """Returns the text, masked. If something was masked, the command says so at its end, because such an address cannot
    be given to another command."""
    shown = masked(text)
    context = click.get_current_context(silent=True)
    if shown != text and context is not None and not context.meta.get(_NOTED):
        context.meta[_NOTED] = True
        whole = "; --json shows it complete" if any(each.name == "as_json" for each in context.command.params) else ""
        note = f"newscrawl: {MASK} replaces possible secrets in an address{whole}"
        context.call_on_close(lambda: click.echo(note, err=True))
    return shown


def operator_name() -> str:
    """Returns the name of the user who runs this command."""
    try:
        return getpass.getuser()[:MAX_NAME]
    except (KeyError, OSError):  # no name belongs to the number of the user, as in many containers
        return "the command line"


def source_failure(kind: str | None) -> str:
    """Returns the kind of a source's failure, with a description if the source is harmful."""
    return f"{kind} ({HARM[kind]})" if kind in HARM else str(kind)


def next_visit(source: Source, now: datetime) -> str | None:
    """Returns when the source is requested next, and why not before; None for one that is read with its index."""
    at, rests = source.next_request, source.host_rests_until
    if at is None:
        return None
    visit = f"next visit {at:%Y-%m-%d %H:%M} UTC"
    if at <= now:
        return f"{visit}: it is due"
    if rests is None or rests < at:
        return visit
    why = f" after {counted(source.host_failures, 'failed request')} in a row" if source.host_failures else ""
    return f"{visit}: its host rests until then{why}"


def shown_first(found: FirstPage | None) -> Iterator[str]:
    """Yields a line that says which page of a story is shown first, and why."""
    if found is not None and found.pages > 1:
        yield f"of {found.pages} pages of story {found.story}, {found.url} is shown first: {found.reason}"


def overlapping(found: Overlaps) -> Iterator[str]:
    """Yields a line for each larger text that contains the text, and for each smaller text in it."""
    for link in found.contained_in:
        yield f"{link.containment:.0%} of its text is in the larger text at {link.url}"
    if found.more:
        yield f"it is also in {counted(found.more, 'further text')}"
    for link in found.contains:
        yield f"it contains {link.containment:.0%} of the text at {link.url}"


def failure(kind: str) -> str:
    """Returns the kind of a page's failure, with a description if its verdict is the reason."""
    looks_like = NO_ARTICLES.get(kind.removeprefix("verdict/"))
    return f"{kind} (it looks like {looks_like})" if looks_like else kind


def asked_line(waiting: WaitingMachine) -> str:
    """Returns one line for a machine that has not yet removed from its archive what was forgotten."""
    since = f"asked at {waiting.since:%Y-%m-%d %H:%M} UTC"
    if waiting.machine is None:
        files = counted(waiting.files, "file that no machine has found", "files that no machine has found")
        return f"archive: {files} may contain what was forgotten, {since}"
    files = counted(waiting.files, "file")
    if waiting.machine.startswith(OBJECT_STORE):
        return f"archive: {files} of the object store {waiting.machine} may contain what was forgotten, {since}"
    if waiting.removed_by:
        return f"archive: {files} of machine {waiting.machine}, removed, may contain what was forgotten, {since}"
    return f"archive: machine {waiting.machine} has not yet removed what was forgotten from {files}, {since}"
