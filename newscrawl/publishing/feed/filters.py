"""Which articles a consumer of the change feed gets."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from newscrawl.reports import ExportedArticle


@dataclass(frozen=True, slots=True)
class FeedFilter:
    """Articles that some page of one of the `sites` shows, in one of the `languages`, with one of the `verdicts`, with
    at least `min_confidence`, and of which `says` is true. An empty collection allows all.

    `query` is the text from which `says` was made. A language is given as "de", which includes "de-AT". An article
    stored without a confidence is left out if `min_confidence` is given.
    """

    sites: Collection[str] = ()
    languages: Collection[str] = ()
    verdicts: Collection[str] = ()
    query: str | None = None
    says: Callable[[ExportedArticle], bool] | None = None
    min_confidence: float | None = None

    @property
    def text(self) -> str | None:
        """The filter as options of `newscrawl feed`, None if it allows all articles. Equal filters have equal texts."""
        options = [
            *(f"--site {shlex.quote(site)}" for site in sorted({*self.sites})),
            *(f"--lang {shlex.quote(language)}" for language in sorted({*self.languages})),
            *(f"--verdict {verdict}" for verdict in sorted({*self.verdicts})),
            *([f"--query {shlex.quote(self.query)}"] if self.query is not None else ()),
            *([f"--min-confidence {self.min_confidence:g}"] if self.min_confidence is not None else ()),
        ]
        return " ".join(options) or None

    def has(self, article: ExportedArticle) -> bool:
        """Returns whether the consumer gets the article."""
        return (
            (not self.sites or not set(self.sites).isdisjoint(article.sites))
            and (not self.languages or _is_in(article.language, self.languages))
            and (not self.verdicts or article.verdict in self.verdicts)
            and (self.min_confidence is None or _is_sure(article.confidence, self.min_confidence))
            and (self.says is None or self.says(article))
        )


ALL: Final = FeedFilter()
"""The filter of a consumer that gets all articles."""


def _is_sure(confidence: float | None, least: float) -> bool:
    return confidence is not None and confidence >= least


def _is_in(language: str | None, wanted: Collection[str]) -> bool:
    tag = (language or "").replace("_", "-").casefold()
    return any(tag == one.casefold() or tag.startswith(f"{one.casefold()}-") for one in wanted)
