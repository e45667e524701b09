"""Decides whether a further reading of a page that shows an article is a version, and of which class. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from newscrawl.model import Article
from newscrawl.site_boilerplate.lines import key_of
from newscrawl.storage.articles.deciding.differences import PageSnapshot, compare, label_changed, label_key
from newscrawl.storage.articles.deciding.known import Known
from newscrawl.storage.articles.deciding.live_updates import names_of
from newscrawl.storage.articles.deciding.replaced_texts import TextFacts, doubts_about
from newscrawl.storage.records import EntryName, Label, PageRow, Shown

MAX_VERSIONS: Final = 24
IN_TIME: Final = timedelta(days=1)
"""At most `MAX_VERSIONS` versions of a page are stored within `IN_TIME`, as many as hourly visits find. Further ones
are left out until the oldest of those is older than that, so a page that changes at every request does not fill the
tables."""

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
    """Why a text that replaced another one is held for review (replaced_texts.py)."""


FIRST: Final = RevisionDecision()


def judge(known: Known, base: PageRow, article: Article, now: datetime) -> RevisionDecision:
    """Judges an article at a page that shows one. A new reading of the same capture is never refused."""
    shown = known.shown.get(base.id) if base.id is not None else None
    new = _reading(article)
    if base.identity == article.identity_key:
        return _same_text(shown, new, now)
    old = _stored(shown, known.texts.get(base.identity or "", ""), base)
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
        doubts = doubts_about(known, base.url_key, TextFacts.of(article), TextFacts.shown(shown, base, old.text))
    size = f"{difference.gained} words new, {difference.lost} gone{_named(difference.entries)}"
    reason = f"the text changed: {change}, {size}"
    return RevisionDecision(change, is_version=True, reason=reason, entries=difference.entries, doubts=doubts)


def differs_by_epoch(text: str, shown: Shown, article: Article) -> bool:
    """Returns whether a new text differs from the shown one only because two epochs leave out other boilerplate.

    Then nothing was edited, and the page keeps its text until its archive is extracted again with the new epoch
    (newscrawl.reextract.boilerplate). Either each line that one text lacks was left out of it, or most of one text was
    left out of the other, so that its chain ran again.
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


def _same_text(shown: Shown | None, new: PageSnapshot, now: datetime) -> RevisionDecision:
    """Judges a reading with the same text. A new title or author makes a version when it is first seen."""
    if shown is None:
        return FIRST
    old = _stored(shown, new.text, None)
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


def _reading(article: Article) -> PageSnapshot:
    stated = article.metadata
    return PageSnapshot(article.text, stated.title, stated.authors, article.verdict, names_of(stated.live_entries))


def _stored(shown: Shown | None, text: str, base: PageRow | None) -> PageSnapshot:
    verdict = (base.verdict if base is not None else None) or "article"
    if shown is None:
        return PageSnapshot(text, verdict=verdict)
    authors = tuple(shown.metadata["authors"] or ())
    return PageSnapshot(text, shown.metadata["title"], authors, verdict, shown.entries)
