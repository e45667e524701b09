"""Collects the media of an article: what its page states, and what is beside its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from newscrawl.metadata.media.addresses import picture_key
from newscrawl.metadata.media.in_page import PageMedia
from newscrawl.metadata.media.stated import stated_audio, stated_images, stated_videos
from newscrawl.metadata.structured import Structured
from newscrawl.model import Image
from newscrawl.page import Page

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
