"""Reads the fields that need no choice among many statements: names of the site, section, tags, language; and addresses
as absolute http(s) addresses: canonical, lead image, media, the largest of several sizes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from newscrawl.extraction.metadata.structured import Structured
from newscrawl.extraction.metadata.text import MAX_NAME, caseless_nfkc_cached, clean, clean_all
from newscrawl.model.identity import registrable_domain
from newscrawl.model.identity.urls import absolute_address
from newscrawl.page import Page

MAX_ADDRESS: Final = 2_083

_NO_VALUE: Final = re.compile(
    r"(?:(?:https?:)?//[^/?#]{0,253})?/?(?:undefined|null|none|nan|true|false|[$@]\w{1,40}|__\w{1,40})/?", re.IGNORECASE
)
"""A missing value in place of the whole address or of its path, or a name that a template did not fill in."""
_PLACEHOLDER: Final = re.compile(
    r"\{\{|\}\}|[$#]\{|<%|%>|\[object\b|(?:^|/)(?:undefined|\{[\w.-]{1,40}\}|\[[\w.-]{1,40}\])(?=/|$)"
)
"""Marks of templates: "{{url}}", "${url}", "<%= url %>", "/{slug}"."""
_SECOND_SCHEME: Final = re.compile(
    r"https?://[^/?#]*+(?:(?<=http)|(?<=https)|(?<=http:)|(?<=https:)|/{1,2}https?:)/", re.IGNORECASE
)
"""An address that was put behind another host: "https://a.examplehttps://a.example/"."""

_IMAGE_META: Final = ("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src")
_IMAGE_META_WEAK: Final = ("parsely-image-url", "sailthru.image.full", "thumbnailurl", "thumbnail")


def canonical_address(page: Page) -> str | None:
    """Returns the canonical address that the page states (rel=canonical, else og:url), unless a template that was not
    filled in wrote it. It is not compared with the page's address here."""
    stated = (link.href for link in page.head.links if "canonical" in link.rel.split())
    for raw in (*stated, page.head.first("og:url")):
        if raw and not _is_unfilled(raw) and (address := absolute(raw, page)) and _has_host(address, page):
            return address
    return None


def _is_unfilled(raw: str) -> bool:
    text = raw.strip()[:MAX_ADDRESS]
    shown = unquote(text)
    return _NO_VALUE.fullmatch(shown) is not None or _PLACEHOLDER.search(shown) is not None or "%s" in text


def _has_host(address: str, page: Page) -> bool:
    """Returns whether the host is a possible one, and only once in the address. A name without a dot is a word in the
    place of a host, unless it is the page's."""
    parts, own = urlsplit(address), urlsplit(page.url or "").hostname or ""
    host = parts.hostname or ""
    if _SECOND_SCHEME.match(address) or "www." in host[1:]:
        return False
    if host == own:
        return not own or parts.path.lstrip("/").partition("/")[0] != own
    return ("." in host or ":" in host) and (not own or host != own + own)


def lead_image(page: Page, structured: Structured) -> str | None:
    """Returns the lead image from JSON-LD, OpenGraph, Twitter card or other meta elements."""
    stated = (page.head.first(key) for key in (*_IMAGE_META, *_IMAGE_META_WEAK))
    raws = chain(_image_values(structured.get("image", "thumbnailUrl")), filter(None, stated))
    return next((address for raw in raws if (address := absolute(raw, page))), None)


def absolute(raw: object, page: Page) -> str | None:
    """Returns `raw` relative to the page's base, percent-encoded; None unless it is an http(s) address within the
    length limit.

    A relative address on a page without an address gives None.
    """
    text = clean(raw, MAX_ADDRESS)
    if not text or len(str(raw)) > MAX_ADDRESS:
        return None
    address = absolute_address(text, page.url, page.head.base)
    return address if address is not None and len(address) <= MAX_ADDRESS else None


def _image_values(value: Any) -> Iterator[Any]:
    for member in value[:10] if isinstance(value, list) else [value]:
        if isinstance(member, Mapping):
            yield from (member[name] for name in ("url", "contentUrl", "@id") if isinstance(member.get(name), str))
        else:
            yield member


MAX_SRCSET: Final = 20_000
"""Characters of a srcset that are read. The longest address is shorter than a tenth of it."""
MAX_CANDIDATES: Final = 40
MAX_PIXELS: Final = 20_000
"""The greatest credible width or height."""

_COMMA: Final = re.compile(r",(?:\s|(?<=\d[wx],))")
"""What separates the candidates of a srcset. A comma in an address has no blank behind it."""
_NUMBER: Final = re.compile(r"\s?(\d{1,5})(?:\.\d{1,4})?(?:px)?\s?")
_SIZE: Final = re.compile(
    r"[-_]\d{2,5}x\d{2,5}(?=\.\w{2,5}$)|[-_](?:scaled|large|medium|small|thumb(?:nail)?)(?=\.\w{2,5}$)"
)
"""What content systems add to the name of a picture's file for a size of it."""
_FILE: Final = re.compile(r"\.(?:jpe?g|png|webp|gif|avif)$")
_OWN_NAME: Final = re.compile(r"\d{6}|[0-9a-f]{16}|^[^.]{24}")
"""A name with a long number, or long words."""
_NOT_CONTENT: Final = (
    "sprite", "spacer", "pixel", "blank.", "placeholder", "loading.", "transparent", "gravatar", "/avatar", "/emoji",
    "/icon", "favicon", "/authors/", "/author/", "/autoren/", "/profiles/", "/profile/", "-logo", "_logo", "/logo",
    "-icon", "_icon", "/badge", "/button", "beacon", "tracker", "/1x1", ".svg",
)  # fmt: skip
"""Parts of the paths of icons, logos, portraits and pixels."""
_NOT_CONTENT_HOSTS: Final = ("gravatar", "doubleclick", "scorecardresearch", "facebook.com/tr")
"""Hosts of portraits and pixels. A newspaper may be called The Beacon, so the other parts are of paths only."""


def media_address(raw: object, page: Page) -> str | None:
    """Returns the absolute http(s) address; None for any other, for one with a user's name in it, and for one that is
    too long."""
    if not isinstance(raw, str) or not raw or len(raw) > MAX_ADDRESS or raw.startswith("data:"):
        return None
    address = absolute(raw, page)
    return None if address is None or ("@" in address and "@" in urlsplit(address).netloc) else address


def image_address(raw: object, page: Page) -> str | None:
    """Returns what `media_address` returns; None also for icons, logos and pixels that count readers."""
    address = media_address(raw, page)
    if address is None:
        return None
    host, slash, path = address.partition("?")[0].lower().partition("//")[2].partition("/")
    path = slash + path
    if any(map(path.__contains__, _NOT_CONTENT)) or any(map(f"{host}{path}".__contains__, _NOT_CONTENT_HOSTS)):
        return None
    return address


def largest(srcset: str) -> tuple[str, int | None] | None:
    """Returns the address with the greatest width or density of a srcset, and the width if it is stated. None if there
    is none."""
    best: tuple[float, str, int | None] | None = None
    for raw, value, is_width in _candidates(srcset):
        if best is None or value > best[0]:
            best = value, raw, pixels(value) if is_width else None
    return None if best is None else (best[1], best[2])


def _candidates(srcset: str) -> Iterator[tuple[str, float, bool]]:
    """Yields each address with its width or density, and whether that is a width."""
    if len(srcset) > MAX_SRCSET:
        return
    for candidate in _COMMA.split(srcset)[:MAX_CANDIDATES]:
        raw, *size = candidate.split()[:2] or [""]
        unit = size[0][-1:] if size else ""
        number = size[0][:-1] if size else "1"
        if raw and not raw.startswith("data:") and unit in {"", "w", "x"} and number.replace(".", "", 1).isdecimal():
            yield raw, float(number), unit == "w"


def pixels(value: object) -> int | None:
    """Returns a stated width or height in pixels: a number, "640", "640px" or a QuantitativeValue of JSON-LD; None for
    anything else, such as a percentage."""
    if isinstance(value, dict):
        value = value.get("value")
    if isinstance(value, float):
        value = int(value) if 0 < value <= MAX_PIXELS else None
    if isinstance(value, str):
        number = _NUMBER.fullmatch(value[:20])
        value = int(number.group(1)) if number else None
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 < value <= MAX_PIXELS else None


def picture_key(address: str) -> str:
    """Returns the same key for the addresses of one picture in several sizes and crops: its file's name without the
    size if that is long enough to be of one picture only, else the address without scheme, query and size."""
    address = address.partition("#")[0].partition("//")[2].lower()
    path = address.partition("?")[0]
    if not _FILE.search(path):
        return address
    name = _SIZE.sub("", path.rpartition("/")[2])
    return name if _OWN_NAME.search(name) else _SIZE.sub("", path)


MAX_TAG: Final = 100
MAX_TAGS: Final = 50

_SECTION_META: Final = (
    "article:section", "og:article:section", "parsely-section", "og:section", "section", "articlesection",
    "cxenseparse:articlesection", "dcsext.section", "sailthru.section", "category",
)  # fmt: skip
_TAG_META: Final = ("article:tag", "og:article:tag", "news_keywords", "parsely-tags", "sailthru.tags")
_WEAK_TAG_META: Final = ("keywords",)

_NAME_META: Final = (
    "og:site_name",
    "application-name",
    "apple-mobile-web-app-title",
    "dc.publisher",
    "citation_journal_title",
)

_SUBTAG: Final = re.compile(r"([a-z]{2,3})(?:[-_].*)?$")
_NONE: Final = frozenset({"und", "mul", "zxx", "mis", "xx", "xxx", "qaa"})
"""Subtags that name no language (BCP 47, section 4.1)."""

_OTHER_NAMES: Final = {
    # withdrawn codes (IANA subtag registry), three-letter codes with a two-letter equivalent, names in words
    "iw": "he", "in": "id", "ji": "yi", "mo": "ro", "nb": "no", "nn": "no",
    "eng": "en", "spa": "es", "deu": "de", "ger": "de", "fra": "fr", "fre": "fr", "por": "pt", "ita": "it", "nld": "nl",
    "dut": "nl", "pol": "pl", "rus": "ru", "zho": "zh", "chi": "zh", "jpn": "ja", "kor": "ko", "ara": "ar", "tur": "tr",
    "ell": "el", "gre": "el", "swe": "sv", "dan": "da", "nor": "no", "fin": "fi", "ces": "cs", "cze": "cs", "ukr": "uk",
    "hin": "hi", "ind": "id", "cat": "ca", "ron": "ro", "rum": "ro", "hun": "hu", "heb": "he", "fas": "fa", "per": "fa",
    "english": "en", "spanish": "es", "español": "es", "espanol": "es", "german": "de", "deutsch": "de", "french": "fr",
    "français": "fr", "portuguese": "pt", "português": "pt", "italian": "it", "italiano": "it", "dutch": "nl",
    "nederlands": "nl", "polish": "pl", "russian": "ru", "chinese": "zh", "japanese": "ja", "korean": "ko",
    "arabic": "ar", "turkish": "tr", "greek": "el", "swedish": "sv", "danish": "da", "norwegian": "no", "finnish": "fi",
    "cn": "zh", "jp": "ja", "gr": "el", "dk": "da", "se": "sv", "cz": "cs", "ua": "uk",
}  # fmt: skip
"""Norwegian is one language here, as in stop lists. The last line has country codes that sites use as language codes,
without those that are also language codes."""

_MONTH_FIRST: Final = re.compile(r"(?:en(?:[-_](?:us|ph))?|fil|tl)$")
_ENGLISH: Final = re.compile(r"\b(?:the|and|with|for)\b", re.IGNORECASE)
_AMERICAN_ENDINGS: Final = frozenset({"us", "gov", "mil", "edu", "ph"})
_OF_NO_COUNTRY: Final = frozenset({"ai", "ca", "cc", "co", "fm", "gg", "io", "ly", "me", "to", "tv", "us", "ph", "ws"})
"""Top-level domains that sites of any country use, and those of countries where the month may come first."""


def site_name_of(page: Page, structured: Structured) -> str | None:
    """Returns og:site_name, else the publisher in JSON-LD, else another element that names the site."""
    publisher = [name for value in structured.resolved("publisher") for name in clean_all(value)]
    stated = (
        clean(page.head.first("og:site_name"), MAX_NAME),
        *publisher,
        clean(page.head.first(*_NAME_META), MAX_NAME),
    )
    title = caseless_nfkc_cached(clean(page.head.first("og:title")) or "")
    return next((n for n in stated if n and not n.startswith(("http", "@")) and caseless_nfkc_cached(n) != title), None)


def site_names(page: Page, structured: Structured) -> frozenset[str]:
    """Returns all folded forms of the site's names in titles: its names, its domain with and without ending."""
    names = [clean(page.head.first(key), MAX_NAME) for key in (*_NAME_META, "twitter:site", "al:ios:app_name")]
    names.extend(name for value in structured.resolved("publisher") for name in clean_all(value))
    names.extend(clean_all([v.get("name") for v in structured.by_id.values() if v.get("@type") == "WebSite"]))
    domain = registrable_domain(page.url or "")
    if domain:
        names.extend((domain, domain.partition(".")[0]))
    # Some content systems put the article's title into og:site_name.
    folded = {caseless_nfkc_cached(name) for name in names if name} - {
        caseless_nfkc_cached(clean(page.head.first("og:title")) or "")
    }
    return frozenset(form for name in folded for form in (name, name.removeprefix("the")) if len(form) > 1)


def section_of(page: Page, structured: Structured) -> str | None:
    """Returns the section of the article; the first one if the page names several."""
    stated = [*clean_all(structured.get("articleSection"), MAX_TAG), clean(page.head.first(*_SECTION_META), MAX_TAG)]
    return next((section for section in stated if section and not section.startswith("http")), None)


def tags_of(page: Page, structured: Structured) -> tuple[str, ...]:
    """Returns the subjects that the editors chose, in the page's order, without repetitions. The old keywords meta is
    used only if there is no other, because it mostly has the site's own subjects."""
    stated = clean_all(structured.get("keywords"), MAX_TAG * MAX_TAGS)
    for key in _TAG_META:
        stated.extend(text for raw in page.head.all(key)[:MAX_TAGS] if (text := clean(raw, MAX_TAG * MAX_TAGS)))
    if not stated:
        stated = [text for key in _WEAK_TAG_META if (text := clean(page.head.first(key), MAX_TAG * MAX_TAGS))]
    return _distinct(piece for text in stated for piece in text.replace(";", ",").split(","))


def _distinct(pieces: Iterable[str]) -> tuple[str, ...]:
    tags: dict[str, str] = {}
    for piece in pieces:
        tag = piece.strip(" #\"'")
        if tag and len(tag) <= MAX_TAG and (key := caseless_nfkc_cached(tag)):
            tags.setdefault(key, tag)
            if len(tags) == MAX_TAGS:
                break
    return tuple(tags.values())


def language_of(page: Page, structured: Structured) -> str | None:
    """Returns the declared language as a lower-case primary subtag: html lang, content-language, og:locale, JSON-LD."""
    in_language = structured.get("inLanguage")
    if isinstance(in_language, list):
        in_language = in_language[0]
    if isinstance(in_language, dict):
        in_language = in_language.get("alternateName") or in_language.get("name")
    stated = (
        page.hints.language,
        page.head.first("og:locale"),
        in_language,
        page.head.first("language", "dc.language"),
    )
    return next((language for raw in stated if (language := primary_subtag(raw))), None)


def primary_subtag(raw: object) -> str | None:
    """Returns "es" for "es-MX", "es_ES" or "Spanish"; None for a text that names no language."""
    text = (clean(raw, 40) or "").lower().partition(",")[0].strip()
    if text in _OTHER_NAMES:
        return _OTHER_NAMES[text]
    match = _SUBTAG.match(text)
    if not match or match.group(1) in _NONE:
        return None
    return _OTHER_NAMES.get(match.group(1), match.group(1))


def writes_day_first(page: Page) -> bool:
    """Returns whether 05/06/2024 is the fifth of June, as everywhere but in American English.

    Plain "en" counts as American, except under the top-level domain of another country, where "en-US" is the default of
    the site's software. A page that declares nothing is judged by its address, else by the words of its title.
    """
    declared = clean(page.hints.language, 40) or clean(page.head.first("og:locale"), 40) or ""
    ending = _ending(page.url)
    if ending in _AMERICAN_ENDINGS:
        return bool(declared) and _MONTH_FIRST.match(declared.lower()) is None
    if len(ending) == 2 and ending not in _OF_NO_COUNTRY:
        return True
    if declared:
        return _MONTH_FIRST.match(declared.lower()) is None
    return _ENGLISH.search(page.head.title or "") is None


def _ending(url: str | None) -> str:
    """Returns the last label of the address's host."""
    try:
        return (urlsplit(url or "").hostname or "").rsplit(".", 1)[-1]
    except ValueError:
        return ""
