"""The digest of everything that decides the rows of a span, besides the bytes of the file: options and extractor.

Two machines whose digests are equal make equal rows of the same bytes. So a worker of another version is noticed before
its rows are mixed with others.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from newscrawl.archive.batch.spans import SpanOptions
from newscrawl.config.extensions import CHAINS, EXTRACTORS, PATH, declared
from newscrawl.extraction.article.make import ArticleOptions

DIGITS: Final = 16
"""Hexadecimal digits of a digest: enough to tell versions and options apart, which nobody forges."""
ROOT: Final = Path(__file__).parents[2]
DECIDING: Final = (
    *("extraction", "model", "page", "workers/extraction_worker.py"),
    *("archive/read.py", "archive/warc.py", "archive/batch/span_table.py"),
    *("archive/batch/spans.py", "archive/ingest/pages.py", "archive/ingest/worker.py"),
    *("discovery/links/article_urls.py", "discovery/links/phrases"),
)
"""Packages and modules whose content decides rows. Some have modules that do not; then a change of these makes another
digest, which costs time and no row."""
NOT_HASHED: Final = frozenset({".so", ".pyd", ".pyc", ".pyx", ".c"})
"""Compiled modules give the same results as their Python, and tests compare them."""
PACKAGES: Final = (
    *("brotli", "faust-cchardet", "idna", "justext", "lxml", "lxml_html_clean", "numpy", "publicsuffixlist"),
    *("py3langid", "w3lib"),
)
"""Packages whose versions decide rows."""


def digest_of(options: SpanOptions) -> str:
    """Returns the digest of the options and of this installation's extractor, as `DIGITS` hexadecimal digits."""
    return _digest(json.dumps([extractor_digest(), described(options)], sort_keys=True))


def described(options: SpanOptions) -> dict[str, Any]:
    """Returns the options as values of JSON: equal options give equal values, in every process."""
    wanted = options.wanted
    return {
        "as_of": _time(options.as_of),
        "article": _article(options.article),
        "of_sites": {site: _article(own) for site, own in sorted(options.of_sites.items())},
        "site": wanted.site,
        "sites": sorted(wanted.only),
        "since": _time(wanted.since),
        "until": _time(wanted.until),
        "pattern": wanted.pattern,
        "domains": dict(sorted(wanted.sites.items())),
        "languages": sorted(options.languages),
        "timeout": options.timeout,
        "memory_mb": options.memory_mb,
        "max_body": options.max_body,
    }


@cache
def extractor_digest() -> str:
    """Returns a digest of the code and the packages of this installation that turn a page into a row."""
    found = hashlib.blake2b(digest_size=DIGITS // 2)
    for place in DECIDING:
        path = ROOT / place
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and file.suffix not in NOT_HASHED:
                found.update(f"{file.relative_to(ROOT).as_posix()}\0".encode() + file.read_bytes() + b"\0")
    extensions = [(each.kind.group, each.name, each.path, each.package) for each in _declared()]
    installed = {name: _version(name) for name in (*PACKAGES, *sorted({each.package for each in _declared()}))}
    found.update(json.dumps([installed, extensions, unicodedata.unidata_version]).encode())
    return found.hexdigest()


def _declared() -> list[Any]:
    return [*declared(EXTRACTORS), *declared(CHAINS)]


def _article(options: ArticleOptions) -> dict[str, Any]:
    return {
        "chain": options.chain,
        "chains": {name: list(steps) for name, steps in sorted(options.chains.items())},
        "limits": asdict(options.limits),
        "extractors": {name: _code(own) for name, own in sorted(options.extractors.items())},
        "verdict_rules": [_code(rule) for rule in options.verdict_rules],
        "boilerplate": options.boilerplate.digest,
        "kinds": sorted(options.kinds),
        "hints": [asdict(hints) | {"since": _time(hints.since)} for hints in options.hints.sets],
    }


def _code(own: object) -> Mapping[str, str]:
    """Returns the name of an extractor or a rule of the user's, and a digest of its module."""
    if isinstance(own, str):
        match = PATH.fullmatch(own)
        module, name = (match["module"], own) if match else ("", own)
    else:
        module = getattr(own, "__module__", "")
        name = f"{module}:{getattr(own, '__qualname__', type(own).__qualname__)}"
    return {"name": name, "source": _source(module)}


def _source(module: str) -> str:
    try:
        spec = find_spec(module) if module and module != "__main__" else None
        return _digest(Path(spec.origin).read_bytes()) if spec is not None and spec.origin else ""
    except (ImportError, OSError, ValueError):  # options.check says what is wrong
        return ""


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment is not None else None


def _digest(content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    return hashlib.blake2b(data, digest_size=DIGITS // 2).hexdigest()
