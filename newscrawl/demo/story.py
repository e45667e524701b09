"""The stories of the demo site: text files with a few header lines, read into values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, Literal, cast, get_args

Language = Literal["en", "es"]
Template = Literal["modern", "tabular", "soup", "cards"]

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
_QUOTE: Final = "> "


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


def load_stories() -> tuple[DemoStory, ...]:
    """All stories that come with newscrawl, in the order of their numbers."""
    folder = files("newscrawl.demo") / "stories"
    found = [_read(file, language) for language in LANGUAGES for file in (folder / language).iterdir()]
    return tuple(sorted(found, key=lambda story: story.number))


def _read(file: Traversable, language: Language) -> DemoStory:
    number, _, slug = file.name.removesuffix(".txt").partition("-")
    return parse_story(file.read_text(encoding="utf-8"), int(number), slug, language)


def parse_story(source: str, number: int, slug: str, language: Language) -> DemoStory:
    """Reads a story file: `name: value` lines, an empty line, then paragraphs. A paragraph that begins with "> " is a
    quotation.

    Raises KeyError for a missing title, section or template and ValueError for a date that is none.
    """
    head, _, body = source.strip().partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    paragraphs = tuple(
        DemoParagraph(text.removeprefix(_QUOTE), text.startswith(_QUOTE)) for text in map(str.strip, body.split("\n\n"))
    )
    return DemoStory(
        number=number,
        slug=slug,
        language=language,
        title=fields["title"],
        section=fields["section"],
        template=cast("Template", fields["template"]),
        paragraphs=paragraphs,
        authors=_several(fields.get("authors")),
        tags=_several(fields.get("tags")),
        published=_date(fields.get("published")),
        modified=_date(fields.get("modified")),
        in_sitemap_only=fields.get("listed") == "sitemap",
    )


def _several(value: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(";")) if value else ()


def _date(value: str | None) -> datetime | None:
    return datetime.fromisoformat(value) if value else None
