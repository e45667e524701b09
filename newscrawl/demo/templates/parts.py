"""Parts of several templates: the surroundings of a story, and its values as mark-up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from newscrawl.demo import noise
from newscrawl.demo.noise import Comment
from newscrawl.demo.story import DemoStory, Language

IMAGE_PATH = "/images/old-quay.svg"


@dataclass(frozen=True, slots=True)
class Around:
    """The surroundings of a story on its page: the site's address, the number of the request, and other stories."""

    base: str
    hit: int
    related: tuple[DemoStory, ...] = ()
    popular: tuple[DemoStory, ...] = ()

    def url(self, path: str) -> str:
        """The absolute address of a path, ready for an attribute."""
        return escape(self.base + path)


def home(language: Language) -> str:
    """Path of the front page."""
    return "/" if language == "en" else f"/{language}/"


def section(language: Language, name: str) -> str:
    """Path of a section page."""
    return f"{home(language)}{name}/"


def feed(language: Language) -> str:
    """Path of the feed: RSS in English, Atom in Spanish."""
    return "/feed.xml" if language == "en" else "/es/atom.xml"


def byline(story: DemoStory) -> str:
    """The authors as a reader sees them, empty when the story has none."""
    joint = " and " if story.language == "en" else " y "
    return escape(joint.join(story.authors))


def readable_date(story: DemoStory) -> str:
    """The date of publication as a reader sees it."""
    return story.published.strftime("%d.%m.%Y, %H:%M") if story.published else ""


def words(language: Language, name: str) -> str:
    """A label of the site, escaped."""
    return escape(noise.WORDS[language][name])


def navigation(language: Language, around: Around) -> str:
    """The links to the front page and all sections, as list items."""
    pages = [(home(language), noise.WORDS[language]["front"])]
    pages += [(section(language, name), label) for name, label in noise.SECTIONS[language].items()]
    return "".join(f'<li><a href="{around.url(path)}">{escape(label)}</a></li>' for path, label in pages)


def story_links(stories: Iterable[DemoStory], around: Around) -> str:
    """Headlines that link to other stories, as list items."""
    return "".join(f'<li><a href="{around.url(s.path)}">{escape(s.title)}</a></li>' for s in stories)


def story_comments(story: DemoStory) -> tuple[Comment, ...]:
    """The readers' comments on a story."""
    return noise.comments(story.language, story.number)


def story_adverts(story: DemoStory, around: Around, places: int) -> list[str]:
    """Returns the adverts of this request, escaped."""
    return [escape(text) for text in noise.adverts(story.language, around.hit, places)]
