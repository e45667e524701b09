"""What pages came to, as the watchdog is told, made by hand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fact:
    """A good article unless something else is said."""

    failure: str | None = None
    verdict: str | None = "article"
    characters: int = 3000
    titled: bool = True
    authored: bool = True
    dated: bool = True
    fell_back: bool = False
    page: str | None = None
    text: str | None = None
    doubted: bool = False
