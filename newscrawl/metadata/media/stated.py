"""Reads the media that JSON-LD and meta elements state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from newscrawl.metadata.media.addresses import image_address, media_address, pixels
from newscrawl.metadata.media.captions import MAX_CAPTION, MAX_CREDIT
from newscrawl.metadata.structured import Structured
from newscrawl.metadata.text import caseless_nfkc_cached, clean, clean_all
from newscrawl.model import Image
from newscrawl.page import Page

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
