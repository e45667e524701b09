"""Collects the media of an article: what JSON-LD and meta elements state, and the images, videos and sounds beside its
text, with the caption and the credit of a picture from the figure around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, Final

from newscrawl.extraction.element_predicates import at_or_inside
from newscrawl.extraction.metadata.fields import image_address, largest, media_address, picture_key, pixels
from newscrawl.extraction.metadata.structured import Structured
from newscrawl.extraction.metadata.text import caseless_nfkc_cached, clean, clean_all
from newscrawl.model import Image
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.tags import TAG_NAMES

UNDISPLAYED: Final = "\0undisplayed"
"""What no class can be."""
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
        self._is_elsewhere = at_or_inside(page.elements, self._is_of_other, _holders(page, kept))
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

    def _is_of_other(self, element: int) -> bool:
        """Returns whether an element itself is hidden, or a part of the page about something else."""
        names = self._captions.names_of(element)
        is_other = self._page.elements.tag[element] in _ELSEWHERE_TAGS
        return is_other or (bool(names) and any(map(names.__contains__, _ELSEWHERE)))


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


MAX_CAPTION: Final = 1_000
MAX_CREDIT: Final = 200
_ATTRIBUTES: Final = ("class", "id", "hidden", "style")
MAX_NAMES: Final = 500
"""Characters of an element's names that are read."""

_LEVELS: Final = 8
"""The most elements between a picture and its figure."""
_CLASS_LEVELS: Final = 4
"""The same for an element whose class says that it is one."""
_MAX_INSIDE: Final = 60
"""The most elements inside a figure. A larger one contains other parts of the page."""

_FIGURE, _FIGCAPTION = TAG_NAMES.index("figure"), TAG_NAMES.index("figcaption")
_BOX: Final = ("caption", "figure", "article-image", "articleimage", "image-wrap", "photo", "media")
_CAPTION: Final = ("caption", "legend", "bildunter", "bildtext", "pie-de-foto", "piedefoto")
_CREDIT: Final = (
    "credit", "copyright", "photographer", "image-source", "imagesource", "bildquelle", "fotograf", "attribution",
)  # fmt: skip
"""Parts of names of elements, in lower case."""

_CREDITED: Final = re.compile(
    r"(?:(?:image|photo|picture|video)\s(?:credit|source)|fotos?|photos?|photograph|screenshot|image|bild(?:er|quelle)?|"
    r"picture|beeld|fotoğraf|kuva|kép|obrázek|illustration|grafik|credits?|crédits?(?: photo)?|quelle|source|copyright|"
    r"foto de|"
    r"(?:photo )?courtesy(?: of)?|zdjęcie|фото|снимка|fot\.|"
    r"图片来源|图源|攝影|摄影|图|写真|撮影|사진|तस्वीर|תמונה|عکس|تصوير)"
    r"(?:[^\w\s:]{0,3}\s?[:：=]|\s?(?:by\b|von\b|par\b|di\b|/|\|))\s?([^()\[\]]{2,200})[)\]]?\s?$"
    r"|(?:©|\(c\)|\bfot\.)\s?([^()\[\]]{2,200})[)\]]?\s?$"
    r"|(?:^|[\s。＝=（(])((?:[\u3400-\u9fff]{0,6}(?:记者|記者)\s?)?[\u30a0-\u30ff\u3400-\u9fff·／/]{2,20}?)\s?(?:摄影|攝影|撮影|摄|攝)[)）]?\s?$"
)
"""The end of a caption that says who took the picture, in lower case."""
_EAST_ASIAN: Final = 3
"""The group of a name before the word for taking pictures. These scripts have no blanks."""
_AGENCY: Final = re.compile(r"\s\(?((?:AP|AFP|EPA|REUTERS|Reuters)(?: Photo)?/[^()]{2,80})\)?\s?$")
_MARKS: Final = " ()[]（）|/–—-＝="


def split_credit(caption: str) -> tuple[str, str]:
    """Returns a caption without the credit at its end, and the credit, "" if there is none: "It rains. Photo: Ada"."""
    if agency := _AGENCY.search(caption):
        return caption[: agency.start()].rstrip(_MARKS), agency.group(1)
    start = max(0, len(caption) - MAX_CREDIT - 40)
    end = caption[start:].lower()
    if len(end) == len(caption) - start:
        for found in _CREDITED.finditer(end):
            group = next(number for number in (1, 2, 3) if found.group(number))
            if group == _EAST_ASIAN or not found.start() or not end[found.start() - 1].isalnum():
                name = caption[start + found.start(group) : start + found.end(group)]
                first = found.start(group) if group == _EAST_ASIAN else found.start()
                return caption[: start + first].rstrip(_MARKS), name.strip(_MARKS)
    return caption, ""


def _names(classes: str | None, name: str | None, hidden: str | None, style: str | None) -> str:
    names = f"{classes or ''} {name or ''}"[:MAX_NAMES].lower() if classes or name else ""
    if hidden is None and (style is None or "none" not in style):
        return names
    is_shown = hidden is None and "display:none" not in (style or "")[:MAX_NAMES].replace(" ", "").lower()
    return names if is_shown else names + UNDISPLAYED


class Captions:
    """The figures of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._read = page.elements.reader()
        self._known: dict[int, str] = {}

    def names_of(self, element: int) -> str:
        """Returns the class and the id of an element in lower case, "" without any, with `UNDISPLAYED` if the element
        itself is not shown."""
        known = self._known.get(element)
        if known is None:
            values = self._read(element, _ATTRIBUTES)
            known = self._known[element] = _names(*values) if values is not None else ""
        return known

    def figure_of(self, element: int) -> int | None:
        """Returns the figure around an element: the nearest <figure>, else an element with such a class."""
        elements = self._page.elements
        by_class: int | None = None
        for level, ancestor in enumerate(elements.ancestors(element)):
            if elements.tag[ancestor] == _FIGURE:
                return ancestor
            if level < _CLASS_LEVELS and by_class is None and self._is_box(ancestor):
                by_class = ancestor
            if level == _LEVELS:
                break
        return by_class

    def of(self, figure: int) -> tuple[str | None, str | None]:
        """Returns the caption and the credit of a figure, the credit without words such as "Photo:"."""
        end = self._end_of(figure)
        caption = credit = ""
        elements = self._page.elements
        for element in range(figure + 1, end):
            is_caption = elements.tag[element] == _FIGCAPTION
            names = self.names_of(element)
            if not names and not is_caption:
                continue
            if not credit and any(map(names.__contains__, _CREDIT)):
                credit = self._text(element) or clean(self._page.text_of(element)) or ""
            elif not caption and (is_caption or any(map(names.__contains__, _CAPTION))):
                caption = self._text(element)
        if credit and credit != caption and caption.endswith(credit):
            caption = caption[: -len(credit)].rstrip(_MARKS)
        if caption:
            caption, named = split_credit(caption)
            credit = credit or named
        if credit:
            credit = split_credit(credit)[1] or credit.strip(_MARKS)
        return clean(caption, MAX_CAPTION), clean(credit, MAX_CREDIT)

    def _is_box(self, element: int) -> bool:
        names = self.names_of(element)
        return any(map(names.__contains__, _BOX)) and self._end_of(element) - element <= _MAX_INSIDE

    def _end_of(self, element: int) -> int:
        return self._page.elements.end_of(element, element + _MAX_INSIDE + 1)

    def _text(self, element: int) -> str:
        """Returns the text inside an element, whose runs are next to each other."""
        end = self._end_of(element)
        first = next((self._first_run[e] for e in range(element, end) if e in self._first_run), None)
        if first is None:
            return ""
        texts: list[str] = []
        for run in self._page.runs[first : first + _MAX_INSIDE]:
            if not element <= run.element < end:
                break
            texts.append(run.text[:MAX_CAPTION])
        return " ".join(texts)[: 2 * MAX_CAPTION]

    @cached_property
    def _first_run(self) -> dict[int, int]:
        """The first run of each element."""
        runs = self._page.runs
        return {runs[number].element: number for number in range(len(runs) - 1, -1, -1)}
