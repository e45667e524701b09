"""What the demo site says, read from stories.toml: two papers, and the stories as their author wrote them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from hashlib import blake2b
from importlib.resources import files
from typing import Any, Final, Literal, get_args

Language = Literal["en", "es"]
Template = Literal["modern", "tabular", "soup", "cards"]

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
FOLDER: Final = files("newscrawl.demo")

COMMENTS_A_PAGE: Final = 4
_QUOTE: Final = "> "


@dataclass(frozen=True, slots=True)
class Paper:
    """The paper of one language: everything on its pages that is not the article.

    `sections` are the names of the sections by their words in addresses. `words` are the labels around every article.
    Each of the `comments` has a `reader` and a `text`. An extractor must keep none of these strings.
    """

    language: Language
    name: str
    sections: Mapping[str, str]
    words: Mapping[str, str]
    adverts: tuple[str, ...]
    comments: tuple[Mapping[str, str], ...]

    @property
    def home(self) -> str:
        """Path of the front page."""
        return "/" if self.language == "en" else f"/{self.language}/"

    @property
    def feed(self) -> str:
        """Path of the feed: RSS in English, Atom in Spanish."""
        return "/feed.xml" if self.language == "en" else "/es/atom.xml"

    def adverts_of(self, hit: int) -> tuple[str, str, str]:
        """The adverts of a page on the `hit`-th request to the site. They differ with each request."""
        pool = self.adverts
        step = 1 + (hit // len(pool)) % (len(pool) - 1)
        first, second, third = (f"{pool[(hit + place * step) % len(pool)]} ({hit}.{place})" for place in range(3))
        return first, second, third

    def comments_on(self, number: int) -> list[Mapping[str, str]]:
        """The comments below story `number`, always the same."""
        return [self.comments[(number + i) % len(self.comments)] for i in range(COMMENTS_A_PAGE)]


@dataclass(frozen=True, slots=True)
class DemoParagraph:
    """One paragraph of a story; a quotation stands in the story's text like any other."""

    text: str
    is_quote: bool = False


@dataclass(frozen=True)
class DemoStory:
    """One article as its author wrote it, and the template it is served in.

    Dates are aware. `in_sitemap_only` means that neither a feed nor a section page leads to it.
    """

    number: int
    slug: str
    language: Language
    title: str
    section: str
    template: Template
    paragraphs: tuple[DemoParagraph, ...]
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    published: datetime | None = None
    modified: datetime | None = None
    in_sitemap_only: bool = False

    @property
    def path(self) -> str:
        """The path of the story on the site."""
        prefix = "" if self.language == "en" else f"/{self.language}"
        return f"{prefix}/{self.section}/{self.number}/{self.slug}"

    @property
    def print_path(self) -> str:
        """The path of its print version."""
        return f"/print/{self.number}/{self.slug}"

    @property
    def description(self) -> str:
        """Its first sentence, for feeds and social networks."""
        first, dot, _ = self.paragraphs[0].text.partition(". ")
        return first + dot.strip()

    @property
    def updated(self) -> datetime | None:
        """When it last changed, if its dates are known."""
        return self.modified or self.published

    @cached_property
    def digest(self) -> str:
        """A digest that changes if and only if the story changes. The ETag is made from it."""
        parts = (self.template, self.title, *self.authors, str(self.updated), *(p.text for p in self.paragraphs))
        return blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()


def load_papers() -> Mapping[Language, Paper]:
    """The papers that come with newscrawl."""
    return {
        language: Paper(
            language, made["name"], made["sections"], made["words"], tuple(made["adverts"]), tuple(made["comments"])
        )
        for language, made in _load()["papers"].items()
    }


def load_stories() -> tuple[DemoStory, ...]:
    """All stories that come with newscrawl, in the order of their numbers."""
    return tuple(sorted(map(story_of, _load()["stories"]), key=lambda story: story.number))


def story_of(fields: Mapping[str, Any]) -> DemoStory:
    """The story of one table of stories.toml. Raises TypeError if the table lacks a field, KeyError without a text."""
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in fields.items()}
    paragraphs = map(str.strip, values.pop("text").strip().split("\n\n"))
    return DemoStory(
        paragraphs=tuple(DemoParagraph(text.removeprefix(_QUOTE), text.startswith(_QUOTE)) for text in paragraphs),
        **values,
    )


@cache
def _load() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "stories.toml").read_text(encoding="utf-8"))
