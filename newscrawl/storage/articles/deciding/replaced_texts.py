"""Decides whether a text that took the place of quite another one at its page is credible. Pure.

A wall, a notice or an error page with status 200 may look like an article. It shares nothing with the article that the
page showed before, and it lacks what that had, speaks of an error, or stands at several addresses. Then it is held for
review. A complete rewrite has author, date and length, and is stored.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from newscrawl.model import SPEAKS_OF_ERROR, Article
from newscrawl.monitoring import problems
from newscrawl.storage.articles.deciding.known import Known
from newscrawl.storage.records import WHOLE, PageRow, Shown

SHORTER: Final = 0.5
"""A text with less than this share of the former one's characters is clearly shorter."""
REPEATED: Final = 2
"""Other addresses at which the same text took the place of another one. An article may have two addresses, such as that
of its mobile page. Their former texts are the same, and do not count."""


@dataclass(frozen=True, slots=True)
class TextFacts:
    """What is compared of a text and its former one."""

    identity: str
    text: str
    verdict: str
    has_authors: bool
    has_date: bool
    problems: Collection[str] = ()

    @classmethod
    def of(cls, article: Article) -> TextFacts:
        """Returns the facts of an incoming article."""
        stated = article.metadata
        has = bool(stated.authors), stated.published is not None
        return cls(article.identity_key or "", article.text, article.verdict, *has, article.problems)

    @classmethod
    def shown(cls, shown: Shown, base: PageRow, text: str) -> TextFacts:
        """Returns the facts of the text that the page `base` shows."""
        stated = shown.metadata
        has = bool(stated["authors"]), stated["published"] is not None
        return cls(base.identity or "", text, base.verdict or "article", *has)


def doubts_about(known: Known, url_key: str, new: TextFacts, old: TextFacts) -> tuple[str, ...]:
    """Returns why `new`, which took the place of `old` at the page `url_key`, is not credible; nothing if it is."""
    found: list[str] = []
    if old.verdict in WHOLE or new.verdict not in WHOLE:  # a whole text instead of a part may lack what it likes
        if old.has_authors and not new.has_authors:
            found.append(problems.AUTHORS_MISSING)
        if old.has_date and not new.has_date:
            found.append(problems.PUBLISHED_MISSING)
        if len(new.text) < SHORTER * len(old.text):
            found.append(problems.TEXT_SHORT)
    if any(problem.startswith(SPEAKS_OF_ERROR) for problem in new.problems):
        found.append(SPEAKS_OF_ERROR)
    others = known.replacing.get(new.identity, {})
    if sum(key != url_key and old.identity not in former for key, former in others.items()) >= REPEATED:
        found.append(problems.SAME_TEXT)
    return (problems.TEXT_REPLACED, *found) if found else ()
