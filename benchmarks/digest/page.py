"""The results for one page, as a short hash for each field.

A line is for one page and one chain. What a page says of itself does not depend on the chain: it has a line of its own,
with `PAGE` in place of a chain's name.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from newscrawl.article.usage_rights import read_use
from newscrawl.article.verdict import judge
from newscrawl.bench.corpora import GoldPage
from newscrawl.errors import InvalidUrl, UsageError
from newscrawl.extraction.chain import Chain, resolve, run_chain
from newscrawl.extraction.language import page_language
from newscrawl.identity import content_hash, identity_of, url_key
from newscrawl.identity.signature import signature
from newscrawl.metadata import read_metadata
from newscrawl.model import Attempt, Metadata
from newscrawl.page import Page, parse
from newscrawl.page.words import count_words

PAGE: Final = "page"
"""Stands for the chain in the line of what a page says of itself."""
FETCHED_AT: Final = datetime(2026, 11, 1, tzinfo=UTC)
"""Bounds the dates that are believed: the same whenever a digest is made."""
DIGEST_BYTES: Final = 8
FALLBACK_URL: Final = "https://corpus.example/"
"""The address of a page whose corpus names none."""


@dataclass(frozen=True, slots=True)
class Line:
    """The digests of one page's fields, in order, for one chain."""

    corpus: str
    page: str
    chain: str
    fields: Mapping[str, str]

    @property
    def key(self) -> tuple[str, str, str]:
        """What the line is about."""
        return self.corpus, self.page, self.chain


@dataclass(frozen=True)
class Renames:
    """Renamed extractors and chains: the new name -> the old one, which is digested."""

    old: Mapping[str, str] = field(default_factory=dict)

    def name(self, name: str) -> str:
        """The old name of an extractor or a chain."""
        return self.old.get(name, name)

    def text(self, text: str) -> str:
        """`text`, such as a reason in a trace, with the old names in place of the new ones."""
        if not self.old:
            return text
        names = "|".join(re.escape(name) for name in sorted(self.old, key=len, reverse=True))
        return re.sub(rf"(?<![\w+-])(?:{names})(?![\w+-])", lambda found: self.old[found.group()], text)


def read_renames(values: Iterable[str]) -> Renames:
    """The renames of values `OLD=NEW`, or of files that have one a line (`#` starts a comment). Raises UsageError."""
    old: dict[str, str] = {}
    for value in values:
        path = Path(value)
        pairs = path.read_text(encoding="utf-8").splitlines() if "=" not in value and path.is_file() else [value]
        for pair in filter(None, (line.partition("#")[0].strip() for line in pairs)):
            before, sign, after = (part.strip() for part in pair.partition("="))
            if not (before and sign and after):
                raise UsageError(f"option --renamed: {pair!r}: give OLD=NEW, or a file with such lines")
            old[after] = before
    return Renames(old)


def digest_page(gold: GoldPage, corpus: str, chains: Sequence[str], renames: Renames) -> list[Line]:
    """A line for the page and one for each chain."""
    url = _address(gold)
    page = parse(gold.body(), url=url)
    metadata = read_metadata(page, fetched_at=FETCHED_AT)
    lines = [Line(corpus, gold.id, PAGE, _digests(_statements(page, metadata)))]
    for name in chains:
        found = _extracted(page, metadata, url, _chain(name), renames)
        lines.append(Line(corpus, gold.id, renames.name(name), _digests(found)))
    return lines


def _address(gold: GoldPage) -> str:
    """Returns the page's address if its corpus has a valid one, else a constant."""
    try:
        url_key(gold.url or "")
    except InvalidUrl:
        return FALLBACK_URL
    return gold.url or FALLBACK_URL


def _statements(page: Page, metadata: Metadata) -> dict[str, Any]:
    """Returns what the parser found and what the page states itself."""
    about = asdict(metadata)
    dates = {name: about.pop(name) for name in ("published", "modified", "refused_dates")}
    offsets = [date.pop("offset") if (date := dates[name]) else None for name in ("published", "modified")]
    return {
        "runs": [page.encoding, page.problems, [(run.text, run.flags) for run in page.runs]],
        "title": about.pop("title"),
        "authors": about.pop("authors"),
        "dates": dates,
        "offsets": offsets,
        "about": [about, page_language(page)],
        "use": asdict(read_use(page, {})),
    }


def _extracted(page: Page, metadata: Metadata, url: str, chain: Chain, renames: Renames) -> dict[str, Any]:
    """Returns the results of a chain for the page."""
    extraction = run_chain(page, chain)
    judgement = judge(page, extraction, metadata)
    text = extraction.text
    return {
        "text": text,
        "verdict": [judgement.verdict, judgement.evidence, [renames.text(one) for one in extraction.problems]],
        "hash": _hashes(text, url),
        "trace": [renames.name(extraction.extractor), [_attempt(one, renames) for one in extraction.trace]],
    }


@lru_cache(maxsize=64)
def _hashes(text: str, url: str) -> list[Any]:
    """Returns the hashes that identify an article with this text. Several chains give the same text."""
    digest = content_hash(text)
    return [digest, identity_of(digest, url_key(url), count_words(text)), signature(text)]


def _attempt(attempt: Attempt, renames: Renames) -> list[Any]:
    size = [attempt.words, attempt.characters, attempt.accepted]
    return [renames.name(attempt.extractor), *size, renames.text(attempt.reason)]


@lru_cache(maxsize=64)
def _chain(name: str) -> Chain:
    return resolve(name)


def _digests(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: short_digest(json.dumps(value, default=_plain, sort_keys=True)) for name, value in values.items()}


def _plain(value: object) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return asdict(value)  # type: ignore[call-overload]


def short_digest(text: str) -> str:
    """A hash as hexadecimal digits."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).hexdigest()
