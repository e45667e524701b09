"""The mapping of an index of stories, and the document of a story.

Titles and texts are stored under their language (`text.de`), each with the analyser that both servers have for it, or
under `other`. A query on `text.*` searches all of them, and no text is stored twice.
"""

from __future__ import annotations

from collections.abc import Collection
from operator import attrgetter
from typing import Any, Final

from newscrawl.model.jsonable import Getter, names, view
from newscrawl.publishing.feed.document import VERSION
from newscrawl.publishing.feed.stories import StoryDocument

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


def document(story: StoryDocument, *, with_structure: bool = False) -> dict[str, Any]:
    """Returns the document of a story that has an article, for `jsonable.to_text`. The structure of its text is stored
    and not searched."""
    return view(story, (*_KEYS, *_STRUCTURE) if with_structure else _KEYS)


def _by_language(path: str) -> Getter:
    """Returns the function that reads texts of a story, under its language; nothing where there are none."""
    texts = attrgetter(path)
    return lambda story: {language_of(story.article.language): texts(story)} if texts(story) else {}


_KEYS: Final = names(
    ("feed_version", lambda _: VERSION),
    ("story_id", attrgetter("article.cluster")),
    "cause.reason cause.change_class cause.replaces page_ids",
    ("article", attrgetter("article.id")),
    "article.cluster members",
    ("copies", lambda story: len(story.members) - 1),
    "seq article.url article.canonical article.site sites article.site_name article.pages",
    ("title", _by_language("article.title")),
    ("titles", _by_language("titles")),
    ("text", _by_language("article.text")),
    "article.description article.authors article.section article.tags article.image article.language",
    "article.published article.modified article.first_seen article.confidence",
)
"""The keys of a document: the article that is shown first, the ids of all articles of the story, the sites, titles and
ids of all pages that show one of them, and the cause of its last change."""
_STRUCTURE: Final = names("article.structure")


def language_of(language: str | None) -> str:
    """Returns the field for a language: "de" for "de-AT", "other" for a language without an analyser."""
    code = (language or "").replace("_", "-").split("-")[0].casefold()
    code = _SAME.get(code, code)
    return code if code in ANALYSERS else OTHER
