"""Collects the media of an article: what JSON-LD and meta elements state, and what is beside its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from newscrawl.extraction.metadata.addresses import image_address, media_address, picture_key, pixels
from newscrawl.extraction.metadata.media.captions import MAX_CAPTION, MAX_CREDIT
from newscrawl.extraction.metadata.media.in_page import PageMedia
from newscrawl.extraction.metadata.structured import Structured
from newscrawl.extraction.metadata.text import caseless_nfkc_cached, clean, clean_all
from newscrawl.model import Image
from newscrawl.page import Page

MAX_IMAGES: Final = 30
MAX_VIDEOS: Final = 10
MAX_AUDIO: Final = 10


@dataclass(frozen=True, slots=True)
class Media:
    """The images, videos and sounds of an article; the lead image is the first."""

    images: tuple[Image, ...] = ()
    videos: tuple[str, ...] = ()
    audio: tuple[str, ...] = ()


def media_of(page: Page, structured: Structured, headline: int | None, kept: Sequence[int]) -> Media:
    """Returns the media of the article whose text are the runs `kept`.

    Pictures in the text follow the lead image in the page's order, each once: of several sizes of one picture, the
    largest stated one stays, with the caption and credit of any of them.
    """
    inside = PageMedia(page, headline, kept)
    return Media(
        _merged(tuple(stated_images(page, structured)), inside.images),
        tuple(dict.fromkeys([*stated_videos(page, structured), *inside.videos]))[:MAX_VIDEOS],
        tuple(dict.fromkeys([*stated_audio(page, structured), *inside.audio]))[:MAX_AUDIO],
    )


def _merged(stated: Sequence[Image], inside: Sequence[Image]) -> tuple[Image, ...]:
    """Returns the first stated image and those in the page, each once."""
    merged: dict[str, Image] = {}
    for number, image in enumerate((*stated, *inside)):
        key = picture_key(image.url)
        other = merged.get(key)
        if other is not None:
            merged[key] = _both(other, image)
        elif len(merged) < MAX_IMAGES and not 0 < number < len(stated):
            merged[key] = image
    return tuple(merged.values())


def _both(first: Image, second: Image) -> Image:
    larger = second if (second.width or 0) > (first.width or 0) else first
    return replace(larger, caption=first.caption or second.caption, credit=first.credit or second.credit)


MAX_STATED: Final = 20
"""Values of one property that are read."""

_ADDRESSES: Final = ("contentUrl", "url", "@id")
_OPEN_GRAPH: Final = frozenset({"og:image", "og:image:url", "og:image:secure_url"})
_SIZES: Final = ("og:image:width", "og:image:height")
_SOUND_EPISODES: Final = frozenset({"PodcastEpisode", "RadioEpisode"})
_VIDEO_EPISODES: Final = frozenset({"TVEpisode", "Episode"})
_TWITTER: Final = ("twitter:image", "twitter:image:src")


def stated_images(page: Page, structured: Structured) -> Iterator[Image]:
    """Yields the lead picture as JSON-LD, OpenGraph and the Twitter card state it, most trusted first. Of a list only
    the first with an address is read: the others are crops of it, or pictures that the text has as well."""
    for value in _values(structured, "image"):
        thing = value if isinstance(value, Mapping) else {"url": value}
        raws = (raw for name in _ADDRESSES for raw in _listed(thing.get(name)))
        if (address := next((a for raw in raws if (a := image_address(raw, page))), None)) is not None:
            caption = clean(thing.get("caption"), MAX_CAPTION) or clean(thing.get("description"), MAX_CAPTION)
            width, height = pixels(thing.get("width")), pixels(thing.get("height"))
            yield Image(address, caption, _credit(structured, thing), width, height)
            break
    if (shared := _open_graph(page)) is not None:
        yield shared
    for key in _TWITTER:
        if address := image_address(page.head.first(key), page):
            yield Image(address)


def _credit(structured: Structured, thing: Mapping[str, Any]) -> str | None:
    for name in ("creditText", "creator", "author", "copyrightHolder", "copyrightNotice"):
        if found := clean_all(structured.resolve(thing.get(name)), MAX_CREDIT):
            return found[0]
    return None


def _open_graph(page: Page) -> Image | None:
    """Returns the first picture of OpenGraph with the width and height that follow its address."""
    address: str | None = None
    sizes: dict[str, int | None] = {}
    for key, content in page.head.meta:
        if key in _OPEN_GRAPH:
            if address is not None and key == "og:image":
                break
            address = address or image_address(content, page)
        elif address is not None and key in _SIZES:
            sizes.setdefault(key, pixels(content))
    return Image(address, None, None, *map(sizes.get, _SIZES)) if address is not None else None


def stated_videos(page: Page, structured: Structured) -> Iterator[str]:
    """Yields the addresses of the article's videos in JSON-LD (the file, else the player) and OpenGraph."""
    yield from _objects(page, structured, "video", "VideoObject")
    raws = (page.head.first(key) for key in ("og:video:secure_url", "og:video:url", "og:video"))
    yield from filter(None, (media_address(raw, page) for raw in raws))


def stated_audio(page: Page, structured: Structured) -> Iterator[str]:
    """Yields the same of sounds."""
    yield from _objects(page, structured, "audio", "AudioObject")
    raws = (page.head.first(key) for key in ("og:audio:secure_url", "og:audio:url", "og:audio"))
    yield from filter(None, (media_address(raw, page) for raw in raws))


def _objects(page: Page, structured: Structured, name: str, kind: str) -> Iterator[str]:
    associated = [
        v for v in _values(structured, "associatedMedia") if isinstance(v, Mapping) and _is_of(v, kind, structured)
    ]
    own = [structured.article] if structured.article.get("@type") == kind else []
    for value in (*_values(structured, name), *associated, *own, *_of_same_title(structured, kind)):
        thing = value if isinstance(value, Mapping) else {"contentUrl": value}
        raws = (thing.get(key) for key in ("contentUrl", "embedUrl"))
        if address := next((a for raw in raws if (a := media_address(raw, page)) and a != page.url), None):
            yield address


def _is_of(thing: Mapping[str, Any], kind: str, structured: Structured) -> bool:
    """Returns whether an object is of this kind. The file of an episode often has only the type MediaObject."""
    own = structured.article.get("@type")
    is_episode = own in _SOUND_EPISODES if kind == "AudioObject" else own in _VIDEO_EPISODES
    return thing.get("@type") == kind or (thing.get("@type") == "MediaObject" and is_episode)


def _of_same_title(structured: Structured, kind: str) -> Iterator[Mapping[str, Any]]:
    """Yields the objects of this kind beside the article that have its title."""
    title = caseless_nfkc_cached(clean(structured.get("headline", "name")) or "")
    for thing in structured.media if title else ():
        if thing.get("@type") == kind and caseless_nfkc_cached(clean(thing.get("name")) or "") == title:
            yield thing


def _listed(value: Any) -> list[Any]:
    return value[:MAX_STATED] if isinstance(value, list) else [value]


def _values(structured: Structured, name: str) -> list[Any]:
    return structured.resolved(name)[:MAX_STATED]
