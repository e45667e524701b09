"""Decides whether a further reading of a page that shows an article is a version, of which class, and whether a text
that took the place of quite another one is credible; and whether a page's rel=canonical is accepted. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from newscrawl.extraction.site_boilerplate.epoch import key_of
from newscrawl.model import SPEAKS_OF_ERROR, Article
from newscrawl.model.identity import same_site
from newscrawl.monitoring import problems
from newscrawl.storage.articles.deciding.differences import PageSnapshot, compare, label_changed, label_key
from newscrawl.storage.articles.deciding.known import Incoming, Known
from newscrawl.storage.records import WHOLE, EntryName, Label, PageRow, Shown

MAX_VERSIONS: Final = 24
IN_TIME: Final = timedelta(days=1)
"""At most `MAX_VERSIONS` versions of a page are stored within `IN_TIME`, as many as hourly visits find. Further ones
are left out until the oldest of those is older than that, so a page that changes at every request does not fill the
tables."""

SHORTER: Final = 0.5
"""A text with less than this share of the former one's characters is clearly shorter."""
REPEATED: Final = 2
"""Other addresses at which the same text took the place of another one. An article may have two addresses, such as that
of its mobile page. Their former texts are the same, and do not count."""

BOILERPLATE: Final = "stored/boilerplate_only"
CUT_OFF: Final = "stored/kept_good_version"
TOO_MANY: Final = "stored/too_many_versions"


@dataclass(frozen=True, slots=True)
class RevisionDecision:
    """The judgement of a reading.

    `refused` is the event kind if it is not stored. Otherwise `change` is the class, and `labels` are the titles and
    authors to store if they changed and the text did not. `entries` are the new entries of a live report.
    """

    change: str = "first"
    is_version: bool = False
    reason: str = ""
    refused: str | None = None
    labels: tuple[Label, ...] = ()
    entries: Sequence[EntryName] = ()
    doubts: tuple[str, ...] = ()
    """Why a text that replaced another one is held for review (doubts_about)."""


FIRST: Final = RevisionDecision()


def judge(known: Known, base: PageRow, article: Article, now: datetime) -> RevisionDecision:
    """Judges an article at a page that shows one. A new reading of the same capture is never refused."""
    shown = known.shown.get(base.id) if base.id is not None else None
    new = PageSnapshot.of(article)
    if base.identity == article.identity_key:
        return _same_text(shown, base, new, now)
    old = PageSnapshot.shown(shown, base, known.texts.get(base.identity or "", ""))
    again = base.shown_at is not None and now <= base.shown_at
    if not again and shown is not None and differs_by_epoch(old.text, shown, article):
        epochs = f"epoch {shown.boilerplate_epoch} and {article.boilerplate_epoch}"
        return RevisionDecision(refused=BOILERPLATE, reason=f"only the site's boilerplate is left out, by {epochs}")
    difference = compare(old, new)
    if not again and difference.broken and base.verdict == article.verdict:
        return RevisionDecision(
            refused=CUT_OFF, reason="most of the text is missing and nothing is new; the good version stays"
        )
    if not again and difference.change is None:
        return RevisionDecision(refused=BOILERPLATE, reason="only the boilerplate around the text changed")
    if not again and _too_many(shown, now):
        return RevisionDecision(refused=TOO_MANY, reason=f"{MAX_VERSIONS} versions in a day; this one is not stored")
    change = difference.change or "correction"
    doubts: tuple[str, ...] = ()
    if change == "replaced" and not again and shown is not None:
        doubts = doubts_about(known, base.url_key, new, old)
    size = f"{difference.gained} words new, {difference.lost} gone{_named(difference.entries)}"
    reason = f"the text changed: {change}, {size}"
    return RevisionDecision(change, is_version=True, reason=reason, entries=difference.entries, doubts=doubts)


def differs_by_epoch(text: str, shown: Shown, article: Article) -> bool:
    """Returns whether a new text differs from the shown one only because two epochs leave out other boilerplate.

    Then nothing was edited, and the page keeps its text until its archive is extracted again with the new epoch
    (newscrawl.archive.reextract.boilerplate). Either each line that one text lacks was left out of it, or most of one
    text was left out of the other, so that its chain ran again.
    """
    if shown.boilerplate_epoch == article.boilerplate_epoch:
        return False
    old, new = _lines(text), _lines(article.text)
    left_out = frozenset(article.left_out)
    lost, gained = old.keys() - new.keys(), new.keys() - old.keys()
    if lost <= left_out and gained <= shown.left_out:
        return True
    return _is_most(old, left_out) or _is_most(new, shown.left_out)


def _lines(text: str) -> dict[int, int]:
    """Returns the characters of the lines by their keys."""
    return {key_of(line): len(line) for line in text.split("\n") if line.strip()}


def _is_most(lines: dict[int, int], left_out: frozenset[int]) -> bool:
    return 2 * sum(size for key, size in lines.items() if key in left_out) > sum(lines.values()) > 0


def _same_text(shown: Shown | None, base: PageRow, new: PageSnapshot, now: datetime) -> RevisionDecision:
    """Judges a reading with the same text. A new title or author makes a version when it is first seen."""
    if shown is None:
        return FIRST
    old = PageSnapshot.shown(shown, base, new.text)
    key = label_key(new.title or old.title, new.authors or old.authors)
    if not label_changed(old, new) or key in shown.labels or _too_many(shown, now):
        return FIRST
    before = Label(label_key(old.title, old.authors), old.title, old.authors, shown.seen_at, shown.last_seen)
    after = Label(key, new.title or old.title, new.authors or old.authors, now, now)
    reason = f"the headline changed, it was: {old.title}"
    return RevisionDecision("headline", now >= shown.last_seen, reason, labels=(before, after))


def _named(entries: Sequence[EntryName]) -> str:
    """Returns the first new entry for people, and the number of the others."""
    if not entries:
        return ""
    more = f" and {len(entries) - 1} more" if len(entries) > 1 else ""
    return f"; new entry: {entries[0].title}{f' ({entries[0].at})' if entries[0].at else ''}{more}"


def _too_many(shown: Shown | None, now: datetime) -> bool:
    return shown is not None and sum(now - IN_TIME < date <= now for date in shown.dates) >= MAX_VERSIONS


def doubts_about(known: Known, url_key: str, new: PageSnapshot, old: PageSnapshot) -> tuple[str, ...]:
    """Returns why `new`, which took the place of `old` at the page `url_key`, is not credible; nothing if it is.

    A wall, a notice or an error page with status 200 may look like an article. It shares nothing with the article that
    the page showed before, and it lacks what that had, speaks of an error, or stands at several addresses. Then it is
    held for review. A complete rewrite has author, date and length, and is stored.
    """
    found: list[str] = []
    if old.verdict in WHOLE or new.verdict not in WHOLE:  # a whole text instead of a part may lack what it likes
        if old.authors and not new.authors:
            found.append(problems.AUTHORS_MISSING)
        if old.is_dated and not new.is_dated:
            found.append(problems.PUBLISHED_MISSING)
        if len(new.text) < SHORTER * len(old.text):
            found.append(problems.TEXT_SHORT)
    if any(problem.startswith(SPEAKS_OF_ERROR) for problem in new.problems):
        found.append(SPEAKS_OF_ERROR)
    others = known.replacing.get(new.identity, {})
    if sum(key != url_key and old.identity not in former for key, former in others.items()) >= REPEATED:
        found.append(problems.SAME_TEXT)
    return (problems.TEXT_REPLACED, *found) if found else ()


def canonical_problem(known: Known, incoming: Incoming) -> str | None:
    """Returns why the page's canonical is not accepted; None if it is accepted, or if there is none.

    A page may claim another page's address, by mistake or to take over its article. So a page's identity is its fetched
    address. An accepted canonical is displayed beside the article and never decides which row a page writes. So a false
    one does little harm, and most false ones are rejected here.
    """
    article = incoming.page.article
    canonical = article.metadata.canonical if article else None
    if article is None or not canonical:
        return None
    if incoming.canonical_key is None:
        return "it is no http(s) URL"
    if "@" in urlsplit(canonical).netloc:
        return "it holds a user"
    if incoming.canonical_key == incoming.key:
        return None
    if not same_site(canonical, incoming.page.raw.final_url):
        return "it is on another domain"
    if _is_home(incoming.canonical_key) and not _is_home(incoming.key):
        return "it is the home page"
    claimed = known.page_of(incoming.canonical_key)
    if claimed is not None and claimed.identity not in {None, article.identity_key}:
        return "the page there shows another text"
    return None


def _is_home(key: str) -> bool:
    parts = urlsplit(key)
    return parts.path in {"", "/"} and not parts.query
