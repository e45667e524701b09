"""Addresses of media: what is refused, which of several sizes is taken, and which addresses are of one picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from newscrawl.metadata.addresses import MAX_ADDRESS, absolute
from newscrawl.page import Page

MAX_SRCSET: Final = 20_000
"""Characters of a srcset that are read. The longest address is shorter than a tenth of it."""
MAX_CANDIDATES: Final = 40
MAX_PIXELS: Final = 20_000
"""The greatest credible width or height."""

_COMMA: Final = re.compile(r",\s|(?<=\d[wx]),")
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
