"""Entries of a feed, whatever its format, to candidates: one an address, what its copies know put together."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final

from newscrawl.discovery.links.article_urls import is_file
from newscrawl.discovery.links.resolve import key_of, resolve, unwrapped
from newscrawl.discovery.reading import MAX_TITLE
from newscrawl.model import Candidate, Discovery

_TAG: Final = re.compile(r"<[^<>]*>")
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


class Entries:
    """The entries of one feed as they are read, in the feed's order."""

    def __init__(self, feed_url: str) -> None:
        self.feed_url = feed_url
        self.found: dict[str, Candidate] = {}

    def add(
        self,
        base: str,
        links: Iterable[str],
        title: str | None,
        published: datetime | None,
        modified: datetime | None = None,
    ) -> None:
        """Take an entry by the first of `links` that is a page's address; one without any is left out. `modified` is
        the date of the last change, where the feed states one beside or instead of the publication date."""
        url = next((u for link in links if (u := resolve(base, link)) and not is_file(u)), None)
        url = unwrapped(url) if url else None
        key = key_of(url) if url else None
        if url is None or key is None:
            return
        entry = Discovery("feed", self.feed_url, plain(title), published, modified)
        known = self.found.get(key)
        if known is not None:
            was = known.discovery
            entry = replace(
                was,
                title=was.title or entry.title,
                published=was.published or entry.published,
                modified=was.modified or entry.modified,
            )
        self.found[key] = Candidate(known.url if known else url, entry)

    def candidates(self) -> tuple[Candidate, ...]:
        """What was taken."""
        return tuple(self.found.values())


def plain(title: str | None) -> str | None:
    """A title without mark-up, entities written twice included."""
    if not title:
        return None
    text = html.unescape(_TAG.sub(" ", html.unescape(title[: 4 * MAX_TITLE])))
    return " ".join(_CONTROLS.sub(" ", text).split())[:MAX_TITLE].strip() or None
