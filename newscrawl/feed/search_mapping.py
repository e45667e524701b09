"""The mapping of an index of stories, and the document of a story.

Titles and texts are stored under their language (`text.de`), each with the analyser that both servers have for it, or
under `other`. A query on `text.*` searches all of them, and no text is stored twice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from newscrawl.feed.document import VERSION
from newscrawl.reports import ExportedArticle
from newscrawl.storage.feed.change_causes import NO_CAUSE, Cause

ANALYSERS: Final = {
    "ar": "arabic",
    "bg": "bulgarian",
    "bn": "bengali",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "gl": "galician",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "ja": "cjk",
    "ko": "cjk",
    "lt": "lithuanian",
    "lv": "latvian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "th": "thai",
    "tr": "turkish",
    "zh": "cjk",
}
"""Analysers that Elasticsearch 8 and OpenSearch 2 have by language; `cjk` forms pairs of letters."""
OTHER: Final = "other"
DEFAULT: Final = "standard"
_SAME: Final = {"nb": "no", "nn": "no"}

MAPPING_VERSION: Final = 4
"""The version of the mapping below. An index with another version has to be created again with --reindex."""


def template(alias: str, missing: Collection[str] = ()) -> dict[str, Any]:
    """Returns the index template (`_index_template`) of all indices of an alias. For analysers that the server lacks
    (`missing`), `standard` is used."""
    have = {code: DEFAULT if name in missing else name for code, name in ANALYSERS.items()}
    languages = {code: {"type": "text", "analyzer": name} for code, name in have.items()}
    languages[OTHER] = {"type": "text", "analyzer": DEFAULT}
    keyword, date, number = {"type": "keyword"}, {"type": "date"}, {"type": "long"}
    properties: dict[str, Any] = {name: {"properties": languages} for name in ("title", "titles", "text")}
    properties |= dict.fromkeys(("url", "canonical", "site", "sites", "language", "pages", "authors", "tags"), keyword)
    properties |= dict.fromkeys(("published", "modified", "first_seen"), date)
    properties |= dict.fromkeys(("article", "cluster", "members", "copies", "seq"), number)
    properties |= dict.fromkeys(("story_id", "page_ids", "replaces", "feed_version"), number)
    properties |= dict.fromkeys(("reason", "change_class"), keyword)
    properties |= {"confidence": {"type": "float"}}
    properties |= {"section": keyword, "description": {"type": "text"}, "site_name": {"type": "text"}}
    properties |= {"image": {"type": "keyword", "index": False, "doc_values": False}}
    return {
        "index_patterns": [f"{alias}-*"],
        "priority": 300,
        "template": {"mappings": {"dynamic": "false", "properties": properties}},
    }


def document(
    article: ExportedArticle,
    members: Sequence[int],
    seq: int,
    sites: Sequence[str] = (),
    titles: Sequence[str] = (),
    page_ids: Sequence[int] = (),
    cause: Cause = NO_CAUSE,
) -> dict[str, Any]:
    """Returns the document of a story: its article that is shown first, the ids of all its articles, the sites, titles
    and ids of all pages that show one of them, and the cause of its last change."""
    code = language_of(article.language)
    return {
        "feed_version": VERSION,
        "story_id": article.cluster,
        "reason": cause.reason,
        "change_class": cause.change_class,
        "replaces": list(cause.replaces),
        "page_ids": list(page_ids),
        "article": article.id,
        "cluster": article.cluster,
        "members": list(members),
        "copies": len(members) - 1,
        "seq": seq,
        "url": article.url,
        "canonical": article.canonical,
        "site": article.site,
        "sites": list(sites),
        "site_name": article.site_name,
        "pages": list(article.pages),
        "title": {code: article.title} if article.title else {},
        "titles": {code: list(titles)} if titles else {},
        "text": {code: article.text},
        "description": article.description,
        "authors": list(article.authors),
        "section": article.section,
        "tags": list(article.tags),
        "image": article.image,
        "language": article.language,
        "published": article.published.isoformat() if article.published else None,
        "modified": article.modified.isoformat() if article.modified else None,
        "first_seen": article.first_seen.isoformat(),
        "confidence": article.confidence,
    }


def language_of(language: str | None) -> str:
    """Returns the field for a language: "de" for "de-AT", "other" for a language without an analyser."""
    code = (language or "").replace("_", "-").split("-")[0].casefold()
    code = _SAME.get(code, code)
    return code if code in ANALYSERS else OTHER
