"""The security headers of every answer."""

from __future__ import annotations

from typing import Final

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types newscrawl",
    )
)
"""Content-Security-Policy of the pages: one style sheet and one script, both of this server; nothing of a publisher."""

HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"interest-cohort=(), geolocation=(), camera=(), microphone=()"),
    (b"cache-control", b"no-store"),
    (b"vary", b"Cookie, Authorization"),
)
"""Names in lower case. An answer that has one of them already keeps its own: the explained page has a stricter
policy."""


def completed(own: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Returns the headers of an answer with the security headers that it lacks."""
    names = {name.lower() for name, _ in own}
    return [*own, *((name, value) for name, value in HEADERS if name not in names)]
