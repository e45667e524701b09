"""Names the service that answered in place of a site: a wall against bots, recognized by the headers of its answer.

Services of this kind stand in front of many sites, and often refuse crawlers that the sites' owners would allow. The
names let an operator ask the owner for access.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

COUNTERS: Final = "wall/"
"""The beginning of the codes, which are counters."""
VERDICT: Final = "verdict/bot_wall"
"""The failure of a wall that answers with status 200."""

REFUSALS: Final = frozenset({401, 403, 405, 406, 429, 503})
"""Statuses with which walls answer. Signs that also stand on answers of the site itself count only with these."""

MAX_SIGN_CHARACTERS: Final = 60
"""Characters of a header's name and value that are shown to people."""


@dataclass(frozen=True, slots=True)
class _Sign:
    """A header by which answers of a wall are recognized: its name in lower case (with `*` at the end: its beginning)
    and an expression that its value contains. `is_sure` if it stands on answers of the wall alone. `wall` is the
    counter of its answers."""

    wall: str
    header: str
    value: re.Pattern[str] = re.compile("")
    is_sure: bool = False


_CLOUDFLARE: Final = "wall/cloudflare"
_AWS: Final = "wall/aws_waf"
_VERCEL: Final = "wall/vercel"
_SUCURI: Final = "wall/sucuri"
_DATADOME: Final = "wall/datadome"
_KASADA: Final = "wall/kasada"
_HUMAN: Final = "wall/human"
_IMPERVA: Final = "wall/imperva"
_AKAMAI: Final = "wall/akamai"
_OTHERS: Final = "wall/other"
_NAMES: Final = {
    _CLOUDFLARE: "Cloudflare",
    _AWS: "AWS WAF",
    _VERCEL: "Vercel",
    _SUCURI: "Sucuri",
    _DATADOME: "DataDome",
    _KASADA: "Kasada",
    _HUMAN: "HUMAN (PerimeterX)",
    _IMPERVA: "Imperva (Incapsula)",
    _AKAMAI: "Akamai",
    _OTHERS: "a service against bots",
}

SIGNS: Final = (
    _Sign(_CLOUDFLARE, "cf-mitigated", is_sure=True),  # Cloudflare's documentation, "Detect a Challenge Page response"
    _Sign(_AWS, "x-amzn-waf-action", is_sure=True),  # AWS WAF's guide: challenge with 202, captcha with 405
    _Sign(_VERCEL, "x-vercel-mitigated", is_sure=True),
    _Sign(_SUCURI, "x-sucuri-block", is_sure=True),
    _Sign(_DATADOME, "x-dd-b"),
    _Sign(_DATADOME, "x-datadome*"),
    _Sign(_DATADOME, "set-cookie", re.compile(r"(?:^|[,;\s])datadome=", re.IGNORECASE)),
    _Sign(_KASADA, "x-kpsdk-*"),
    _Sign(_HUMAN, "x-px-*"),
    _Sign(_HUMAN, "set-cookie", re.compile(r"(?:^|[,;\s])_px(?:hd|vid|\d)?=", re.IGNORECASE)),
    _Sign(_IMPERVA, "x-iinfo"),
    _Sign(_IMPERVA, "x-cdn", re.compile(r"incapsula|imperva", re.IGNORECASE)),
    _Sign(_IMPERVA, "set-cookie", re.compile(r"(?:^|[,;\s])(?:visid_incap|incap_ses)_", re.IGNORECASE)),
    _Sign(_AKAMAI, "server", re.compile(r"akamaighost", re.IGNORECASE)),
    _Sign(_AKAMAI, "set-cookie", re.compile(r"(?:^|[,;\s])(?:ak_bmsc|bm_sz|_abck)=", re.IGNORECASE)),
    _Sign(_SUCURI, "x-sucuri-id"),
    _Sign(_OTHERS, "server", re.compile(r"ddos-guard|qrator|reblaze|big-?ip|barracuda|safeline", re.IGNORECASE)),
)
"""They are tried in this order: a service against bots comes before the network that delivers its answers."""
_BY_NAME: Final = {name: code for code, name in _NAMES.items()}


@dataclass(frozen=True, slots=True)
class WallAnswer:
    """A wall that answered: the counter of its answers, and the header by which it was recognized, for people."""

    code: str
    sign: str

    @property
    def name(self) -> str:
        """The name of the service."""
        return name_of(self.code)

    @property
    def note(self) -> str:
        """The text of a failure's reason."""
        return f"{_SAID} {self.name} ({self.sign})"


_SAID: Final = "a bot wall answered:"
_NOTE: Final = re.compile(r" (?P<name>[^\n]+?) \((?P<sign>[a-z0-9-]++(?:: [^\n();]*+)?)\)(?=$|;)")
"""What follows `_SAID`. A sign has no parenthesis (`wall_of`)."""


def wall_of(status: int, headers: Mapping[str, str], *, is_refusal: bool = False) -> WallAnswer | None:
    """Returns which wall answered; None if the headers (names in lower case) tell of none. `is_refusal` says that the
    answer refuses whatever its status is, because its page does."""
    is_refusal = is_refusal or status in REFUSALS
    for sign in SIGNS:
        if not (sign.is_sure or is_refusal):
            continue
        for name in _named(sign.header, headers):
            if sign.value.search(headers[name]):
                shown = name if name == "set-cookie" else f"{name}: {headers[name]}"
                line = "".join(character for character in shown if character.isprintable() and character not in "();")
                return WallAnswer(sign.wall, line[:MAX_SIGN_CHARACTERS].strip())
    return None


def wall_in(reason: str) -> WallAnswer | None:
    """Returns the wall that a failure's reason names; None if it names none."""
    found = _NOTE.match(reason.partition(_SAID)[2])
    code = _BY_NAME.get(found["name"]) if found is not None else None
    return WallAnswer(code, found["sign"]) if found is not None and code is not None else None


def name_of(code: str) -> str:
    """Returns the name of the wall with this code."""
    return _NAMES.get(code, code)


def _named(header: str, headers: Mapping[str, str]) -> list[str]:
    if header.endswith("*"):
        return [name for name in headers if name.startswith(header[:-1])]
    return [header] if header in headers else []
