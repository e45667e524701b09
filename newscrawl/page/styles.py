"""Reads from an element's style attribute whether anybody can see its text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from newscrawl.page.runs import FAINT, UNSEEN

MAX_STYLES: Final = 4096
"""Style attributes whose meaning is remembered. Pages repeat few of them."""
FAR_OFF: Final = 999
"""Pixels beyond the edge of the window from which nothing of a text is seen."""
FAR_LETTERS: Final = 60
MAX_STYLE: Final = 2000
"""Characters of a style that are read."""

_SIZE: Final = re.compile(r"([-+]?(?:\d++\.?\d*+|\.\d++))(px|r?em|%|pt|ex|ch|vw|vh)?(?![\w.])")
_LOOKS: Final = frozenset({"font", "font-size", "color", "background", "background-color"})
"""Properties that give letters another size or colour."""
_SIDES: Final = ("left", "top", "right", "bottom")
_CLIPPED: Final = re.compile(
    r"rect\((?:[01](?:px)?|auto)(?:[ ,]+(?:[01](?:px)?|auto)){3}\)|inset\((?:50|100)%.*\)|circle\(0(?:px)?\)"
)
_NOTHING: Final = r"\s*+(?:0++\.?0*+|\.0++)%?\s*+"
_TRANSPARENT: Final = re.compile(
    rf"transparent|(?:rgb|hsl)a?\((?:(?:[^,()]*,){{3}}|[^/()]*/){_NOTHING}\)|#[0-9a-f]{{6}}00|#[0-9a-f]{{3}}0"
)
_NO_SCALE: Final = re.compile(r"scale\(0(?:\.0*)?\)")
_NAMED: Final = {"white": "#ffffff", "black": "#000000", "red": "#ff0000", "lime": "#00ff00", "blue": "#0000ff"}
_SHORT: Final = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])")
_RGB: Final = re.compile(
    r"rgba?\(\s*+(\d{1,3}+)(?:\s++|\s*+,\s*+)(\d{1,3}+)(?:\s++|\s*+,\s*+)(\d{1,3}+)\s*+"
    r"(?:[,/]\s*+(?:1(?:\.0*+)?|100%)\s*+)?\)"
)


@lru_cache(MAX_STYLES)
def bits_of_style(style: str) -> tuple[int, int, bool]:
    """Returns the bits that a style adds to the mode of the walk, those that it removes before, and whether it hides
    the text until a click or a script shows it (`conceals`).

    A text is unseen if it is far off the screen, cut off on all sides, transparent, or in the colour of the background
    that the same style states. What a script or a click often shows is none of these: `display`, `visibility`,
    `opacity`, and boxes without height.
    """
    found = _declarations(style[:MAX_STYLE].lower()) if ":" in style else {}
    if not found:
        return 0, 0, False
    size = _number(found.get("font-size"))
    is_tiny = size is not None and size < 2 and _is_tiny(found["font-size"], size)
    added = FAINT if is_tiny or _has_no_contrast(found) else 0
    added |= UNSEEN if _is_unseen(found) else 0
    return added, 0 if _LOOKS.isdisjoint(found) else FAINT, _is_concealed(found)


def conceals(style: str, *, is_line: bool) -> bool:
    """Returns whether an element with this style is not displayed as the page is written: by `display`, `visibility`,
    no height or width, or a scale of 0. An opacity of 0 counts for lines only: around others it begins an animation."""
    if not bits_of_style(style)[2]:
        return False
    return (
        is_line
        or "opacity" not in style.lower()
        or _is_concealed(
            {name: value for name, value in _declarations(style[:MAX_STYLE].lower()).items() if name != "opacity"}
        )
    )


def _is_concealed(found: dict[str, str]) -> bool:
    if found.get("display") == "none" or found.get("visibility") in {"hidden", "collapse"}:
        return True
    if "hidden" in (found.get("overflow"), found.get("overflow-y")) and any(
        _number(found.get(key)) == 0 for key in ("height", "max-height", "width", "max-width")
    ):
        return True
    transform = found.get("transform", "")
    if _number(found.get("zoom")) == 0 or _NO_SCALE.fullmatch(transform):
        return True
    return _number(found.get("opacity")) == 0 and not transform and "transition" not in found


def _declarations(style: str) -> dict[str, str]:
    parts = (part.partition(":") for part in style.split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, colon, value in parts if colon}


def _number(value: str | None) -> float | None:
    match = _SIZE.match(value) if value else None
    return float(match[1]) if match else None


def _is_tiny(value: str, size: float) -> bool:
    """Returns whether a size of letters is less than two pixels. Others than 0 are sizes in pixels or points only."""
    return size == 0 or (size > 0 and value.endswith(("px", "pt")))


def _is_unseen(found: dict[str, str]) -> bool:
    indent = found.get("text-indent", "")
    if _is_far(indent) or indent == "-100%" or _is_far(found.get("margin-left")):
        return True
    if found.get("position") in {"absolute", "fixed"}:
        if any(_is_far(found.get(side)) for side in _SIDES):
            return True
        if any(_CLIPPED.fullmatch(found.get(key, "")) for key in ("clip", "clip-path")):
            return True
    return False


def _is_far(value: str | None) -> bool:
    """Returns whether a length is at least `FAR_OFF` pixels below 0, or as wide as `FAR_LETTERS` letters."""
    number = _number(value)
    if value is None or number is None:
        return False
    return number <= -FAR_OFF or (number <= -FAR_LETTERS and value.endswith("em"))


def _has_no_contrast(found: dict[str, str]) -> bool:
    colour = found.get("color")
    if colour is None or any("clip" in key or "fill" in key for key in found):  # letters cut out of a picture
        return False
    if _TRANSPARENT.fullmatch(colour):
        return "text-shadow" not in found
    behind = found.get("background-color") or found.get("background")
    return behind is not None and _colour(colour) == _colour(behind)


def _colour(value: str) -> str:
    """Returns a colour in the form #rrggbb where it is known, else as it is written."""
    value = _NAMED.get(value, value)
    if match := _SHORT.fullmatch(value):
        return "#" + "".join(2 * digit for digit in match.groups())
    if match := _RGB.fullmatch(value):
        return "#" + "".join(f"{int(part):02x}" for part in match.groups())
    return value
