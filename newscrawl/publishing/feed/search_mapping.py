"""The mapping of an index of stories, the document of a story, and the stories that a batch of changes touches.

Titles and texts are stored under their language (`text.de`), each with the analyser that both servers have for it, or
under `other`. A query on `text.*` searches all of them, and no text is stored twice.

A change names an article. It touches the document with the article's own id (from before it joined others), the
document of its story, and those that contain it according to the index: the database knows nothing more of a forgotten
article. A merge touches the documents of both stories.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from newscrawl.model.jsonable import Getter, names, view
from newscrawl.publishing.feed.sink import VERSION, Entry
from newscrawl.reports import ExportedArticle, documents
from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.feed.changes import NO_CAUSE, Cause, Op, combined_for
from newscrawl.storage.reader import Connection

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


@dataclass(frozen=True, slots=True)
class StoryDocument:
    """A document to write. `seq` is the newest change that touches it. Without an article it is to be deleted."""

    number: int
    seq: int
    article: ExportedArticle | None
    members: Sequence[int] = ()
    sites: Sequence[str] = ()
    titles: Sequence[str] = ()
    """Titles of all pages that show the story, the first page's first."""
    page_ids: Sequence[int] = ()
    """Ids of all pages that show the story, the first page's first."""
    cause: Cause = NO_CAUSE
    """Why the story changed: the strongest reason of an `upsert` among the changes that touch it."""


def touched(
    connection: Connection, entries: Sequence[Entry], holding: Callable[[Sequence[int]], Mapping[int, Sequence[int]]]
) -> list[StoryDocument]:
    """Returns the stories that the entries touch. `holding` returns the documents of the index that contain
    articles."""
    articles = [entry for entry in entries if entry.op != "merge"]
    story_of = story_pages.numbers_of(connection, [entry.article_id for entry in articles])
    lost = [entry.article_id for entry in articles if entry.document is None]
    documents_with = holding(lost) if lost else {}
    newest: dict[int, int] = {}
    causes: dict[int, list[tuple[Op, Cause]]] = defaultdict(list)
    for entry in entries:
        number = entry.article_id
        numbers = {entry.story_id, entry.into or entry.story_id}
        if entry.op != "merge":
            numbers = {number, story_of[number], *documents_with.get(number, ())}
        for story in numbers:
            newest[story] = max(entry.seq, newest.get(story, 0))
            causes[story].append((entry.op, Cause(entry.reason, entry.change_class, entry.replaces)))
    return _now(connection, newest, {story: combined_for(own, "upsert") for story, own in causes.items()})


def _now(connection: Connection, newest: Mapping[int, int], causes: Mapping[int, Cause]) -> list[StoryDocument]:
    members = story_pages.members(connection, newest)
    current = documents(connection, {*newest, *(one.article_id for every in members.values() for one in every)})
    shown_stories = story_pages.pages_by_story(connection, newest)
    stories = []
    for number, seq in newest.items():
        shown = sorted(
            article_id
            for article_id in {number, *(one.article_id for one in members.get(number, ()))}
            if article_id in current and current[article_id].cluster == number
        )
        story = shown_stories.get(number)
        if not shown or story is None:
            stories.append(StoryDocument(number, seq, None))
            continue
        first = story.first.article_id
        article = current[first if first in shown else shown[0]]
        sites = tuple(dict.fromkeys(page.site for page in story.pages))
        titles = tuple(dict.fromkeys(page.title for page in story.pages if page.title))
        page_ids = tuple(page.page_id for page in story.pages)
        stories.append(
            StoryDocument(number, seq, article, tuple(shown), sites, titles, page_ids, causes.get(number, NO_CAUSE))
        )
    return stories
