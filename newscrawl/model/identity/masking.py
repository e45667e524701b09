"""Hides secrets in the addresses of messages: user, password, tokens. Stored and exported addresses are unchanged."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit, urlunsplit

MASK: Final = "***"

_USER: Final = re.compile(r"(?<=://)(?:[^\s/?#@\"'<>]*+@)++")
"""A user, with or without a password, before a host. A password may contain an @."""

_PARAMETER: Final = re.compile(r"(?<=[?&;#])([^\s=&;#?\"'<>]{1,100}+)=([^\s&;#\"'<>]*+)")

_SECRET: Final = re.compile(
    r"(?:^|[-_.\[%]|(?<=[a-z])(?=[A-Z]))"
    r"(?:token|secret|passw(?:or)?d|passwd|passphrase|pass|pwd|apikey|key|auth|authorization|credentials?|signature|sig"
    r"|session|sessionid|sid|jwt|bearer|code|hmac)\d*\]?$",
    re.IGNORECASE,
)
"""The last word of a parameter's name: access_token, X-Amz-Signature, apiKey."""


def masked(text: str) -> str:
    """Returns the text with `***` in place of user, password and secret parameters of every address in it."""
    if "://" not in text and "=" not in text:
        return text
    return _PARAMETER.sub(_without_value, _USER.sub(f"{MASK}@", text))


def _without_value(found: re.Match[str]) -> str:
    name, value = found.groups()
    return f"{name}={MASK}" if value and is_secret(name) else found.group()


def is_secret(name: str) -> bool:
    """Returns whether a parameter with this name contains a secret."""
    return _SECRET.search(name) is not None


def without_users(text: str) -> str:
    """Returns the text with user and password removed from its addresses."""
    return _USER.sub("", text)


def without_user(url: str) -> str:
    """Returns the address without user and password. Raises ValueError for an address that cannot be split."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])) if "@" in parts.netloc else url
