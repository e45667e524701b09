"""Reads the images, videos and sounds in the part of a page that has its article."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from newscrawl.extraction.metadata.addresses import image_address, largest, media_address, pixels
from newscrawl.extraction.metadata.media.captions import UNDISPLAYED, Captions
from newscrawl.model import Image
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.tags import TAG_NAMES

MAX_READ: Final = 200
"""Elements of media that are read of one page."""

MIN_PIXELS: Final = 100
"""A picture with a smaller stated side is an icon, a pixel that counts readers, or a portrait beside a byline."""

LEAD_ELEMENTS: Final = 200
"""The greatest distance of the lead picture before the text, in elements."""

_IMG, _SOURCE, _PICTURE, _VIDEO, _AUDIO, _IFRAME, _LINK = map(
    TAG_NAMES.index, ("img", "source", "picture", "video", "audio", "iframe", "a")
)
_OF_PICTURE: Final = frozenset({_IMG, _SOURCE})
_CUSTOM: Final = TAG_NAMES.index("?")
"""Any element that HTML does not define, such as those of AMP (`<amp-img src=...>`)."""
_WANTED: Final = frozenset({_IMG, _VIDEO, _AUDIO, _IFRAME, _CUSTOM})
_LAZY: Final = ("data-src", "data-lazy-src", "data-original", "data-lazy", "data-full-src", "data-image", "src")
_LAZY_SETS: Final = ("data-srcset", "data-lazy-srcset", "srcset")
_ELSEWHERE_TAGS: Final = frozenset(map(TAG_NAMES.index, ("nav", "footer", "aside", "form", "button")))
_ELSEWHERE: Final = (
    "related", "recommend", "teaser", "more-stories", "more-news", "more-from", "promo", "advert", "sponsor", "sidebar",
    "social", "share", "author", "byline", "avatar", "comment", "newsletter", "outbrain", "taboola", "readmore",
    "read-more", "read-next", "read-also", "most-read", "most-popular", "ad-slot", "adslot", UNDISPLAYED,
)  # fmt: skip
"""Parts of names of elements with pictures of something else than the article."""
_PICTURE_FILE: Final = re.compile(r"\.(?:jpe?g|png|webp|gif|avif)(?:$|[?#])", re.IGNORECASE)
_PLAYER: Final = re.compile(
    r"(?:www\.)?youtube(?:-nocookie)?\.com/embed/|player\.vimeo\.com/video/|dailymotion\.com/(?:embed|player)|"
    r"jwplatform\.com/players/|players\.brightcove\.net/|player\.twitch\.tv/|embed\.ted\.com/talks/|"
    r"rumble\.com/embed/|rutube\.ru/(?:play/)?embed/|(?:vk\.com|vkvideo\.ru)/video_ext|ok\.ru/videoembed/|"
    r"player\.bilibili\.com/player|streamable\.com/e/|fast\.wistia\.(?:net|com)/embed/|facebook\.com/plugins/video",
    re.IGNORECASE,
)
_SOUND_PLAYER: Final = re.compile(
    r"w\.soundcloud\.com/player|open\.spotify\.com/embed|embed\.podcasts\.apple\.com|embed\.acast\.com/|"
    r"player\.megaphone\.fm/|podigee-cdn\.(?:com|net)/|player\.simplecast\.com/|www\.buzzsprout\.com/\d|"
    r"html5-player\.libsyn\.com/embed/|omny\.fm/shows/|embed\.(?:art19|podbean|acast)\.com|"
    r"www\.podbean\.com/player|widget\.spreaker\.com/player|embeds\.audioboom\.com/|player\.captivate\.fm/|"
    r"share\.transistor\.fm/e/|widget\.deezer\.com/widget/|www\.ivoox\.com/player",
    re.IGNORECASE,
)
"""Players for single episodes, by the addresses that their makers name for embedding."""
_VIDEO_FILE: Final = re.compile(r"\.(?:mp4|m4v|webm|mov|m3u8)(?:$|[?#])", re.IGNORECASE)
_SOUND_FILE: Final = re.compile(r"\.(?:mp3|m4a|ogg|oga|opus|wav|aac)(?:$|[?#])", re.IGNORECASE)
_YOUTUBE: Final = "https://www.youtube.com/embed/"
_YOUTUBE_ID: Final = re.compile(r"[\w-]{11}")


class PageMedia:
    """The media of a page between its headline and the end of its text, in the page's order."""

    def __init__(self, page: Page, headline: int | None, kept: Sequence[int]) -> None:
        """`headline` is the element of the headline, `kept` are the indices of the article's runs."""
        self._page = page
        self._captions = Captions(page)
        self._known = dict.fromkeys(_holders(page, kept), False)
        self.images: list[Image] = []
        self.videos: list[str] = []
        self.audio: list[str] = []
        for element in list(islice(_places(page, headline, kept), MAX_READ)):
            self._read(element)

    def _read(self, element: int) -> None:
        elements, tag = self._page.elements, self._page.elements.tag[element]
        if self._is_elsewhere(element):
            return
        attributes = elements.attributes[element]
        if tag == _IMG:
            if (image := self._image(element, attributes)) is not None:
                self.images.append(image)
        elif tag == _CUSTOM:
            self._read_custom(element, attributes)
        elif tag == _IFRAME:
            raw = attributes.get("data-src") or attributes.get("src") or ""
            players = ((self.videos, _PLAYER), (self.audio, _SOUND_PLAYER))
            for found, player in players:
                if player.search(raw[:300]) and (address := media_address(raw, self._page)):
                    found.append(address)
        else:
            sources = (attributes, *(elements.attributes[s] for s in self._inside(element, _SOURCE)))
            raws = (a.get("src") or a.get("data-src") for a in sources)
            found = self.videos if tag == _VIDEO else self.audio
            if address := next((a for raw in raws if (a := media_address(raw, self._page))), None):
                found.append(address)

    def _read_custom(self, element: int, attributes: Mapping[str, str]) -> None:
        """Reads an element of AMP or of a site's own by what its address is: HTML does not define its meaning."""
        raw = (attributes.get("src") or attributes.get("data-src") or "")[:2_000]
        if _PICTURE_FILE.search(raw):
            if (image := self._image(element, attributes)) is not None:
                self.images.append(image)
            return
        for found, file in ((self.videos, _VIDEO_FILE), (self.audio, _SOUND_FILE)):
            if file.search(raw) and (address := media_address(raw, self._page)):
                found.append(address)
        if _YOUTUBE_ID.fullmatch(video := attributes.get("data-videoid", "")):
            self.videos.append(f"{_YOUTUBE}{video}")

    def _image(self, element: int, attributes: Mapping[str, str]) -> Image | None:
        """Returns the picture in the largest size that the element or its <picture> states."""
        width, height = pixels(attributes.get("width")), pixels(attributes.get("height"))
        if any(side is not None and side < MIN_PIXELS for side in (width, height)):
            return None
        figure = self._captions.figure_of(element)
        if figure is None and self._is_link_elsewhere(element):
            return None
        best = self._largest(element, attributes)
        address = image_address(best[0], self._page) if best else None
        if address is not None and best is not None and best[1] is not None and best[1] != width:
            width, height = best[1], height * best[1] // width if width and height else None
        if address is None:
            raws = (attributes.get(name) for name in _LAZY)
            address = next((a for raw in raws if raw and (a := image_address(raw, self._page))), None)
        if address is None:
            return None
        caption, credit = self._captions.of(figure) if figure is not None else (None, None)
        return Image(address, caption, credit, width, height)

    def _largest(self, element: int, attributes: Mapping[str, str]) -> tuple[str, int | None] | None:
        elements = self._page.elements
        sets = [attributes.get(name) for name in _LAZY_SETS]
        # The parser closes no <source>, so the sources of a <picture> are around its <img>.
        around = element
        while around != NO_PARENT and elements.tag[around] in _OF_PICTURE:
            around = elements.parent[around]
        if around != NO_PARENT and elements.tag[around] == _PICTURE:
            for source in self._inside(around, _SOURCE):
                read = elements.attributes[source]
                sets += [read.get(name) for name in _LAZY_SETS]
        found = [best for srcset in sets if srcset and (best := largest(srcset))]
        return max(found, key=lambda best: best[1] or 0, default=None)

    def _inside(self, element: int, tag: int) -> list[int]:
        """Returns the children of an element with this tag, at most `MAX_READ` elements further on."""
        elements = self._page.elements
        inside: list[int] = []
        for other in range(element + 1, min(element + MAX_READ, len(elements))):
            if elements.parent[other] < element:
                break
            if elements.tag[other] == tag:
                inside.append(other)
        return inside

    def _is_link_elsewhere(self, element: int) -> bool:
        """Returns whether the picture is in a link to a page, and not to a larger copy of itself."""
        elements = self._page.elements
        for ancestor, _ in zip(elements.ancestors(element), range(3), strict=False):
            if elements.tag[ancestor] == _LINK:
                return not _PICTURE_FILE.search(elements.attributes[ancestor].get("href", "")[:2_000])
        return False

    def _is_elsewhere(self, element: int) -> bool:
        """Returns whether an element is hidden, or in a part of the page about something else."""
        elements, known = self._page.elements, self._known
        climbed: list[int] = []
        while element not in known:
            climbed.append(element)
            names = self._captions.names_of(element)
            if elements.tag[element] in _ELSEWHERE_TAGS or (names and any(map(names.__contains__, _ELSEWHERE))):
                known[element] = True
            else:
                element = elements.parent[element]
        for below in climbed:
            known[below] = known[element]
        return known[element]


def _holders(page: Page, kept: Sequence[int]) -> set[int]:
    """Returns the elements around the text: what they are called says nothing about a part of it."""
    elements, holders = page.elements, {NO_PARENT}
    for number in kept:
        element = page.runs[number].element
        while element not in holders:
            holders.add(element)
            element = elements.parent[element]
    return holders


def _places(page: Page, headline: int | None, kept: Sequence[int]) -> Iterator[int]:
    """Yields the elements of media from the headline, or the first run of the text, up to the last run's end."""
    if not kept:
        return
    runs, elements = page.runs, page.elements
    start, last = runs[kept[0]].element, runs[kept[-1]].element
    if headline is not None and start - LEAD_ELEMENTS <= headline < start:
        start = headline
    end = last + 1
    while end < len(elements) and elements.parent[end] >= last:
        end += 1
    wanted = _WANTED
    for element, tag in enumerate(elements.tag[start:end], start):
        if tag in wanted and (tag != _CUSTOM or _has_media(elements.attributes[element])):
            yield element


def _has_media(attributes: Mapping[str, str]) -> bool:
    return "src" in attributes or "data-src" in attributes or "data-videoid" in attributes
