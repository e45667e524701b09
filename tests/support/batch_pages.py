"""An extractor that hangs, dies or takes memory for some pages, for the tests of newscrawl.archive.batch."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from newscrawl.page import Page

STORY = "The council of the harbour town met on Tuesday evening and spoke for four hours about the new ferry. " * 8


def page(number: int, extra: str = "") -> str:
    return (
        f"<html><head><title>Story {number}</title></head><body><article><h1>Story {number}</h1>"
        f"<p>{STORY}</p><p>Number {number} ends here, and nothing follows. {extra}</p></article></body></html>"
    )


def moody(page: Page, _limits: object = None) -> Sequence[int]:
    """Selects every run, unless the page requests a misbehaviour."""
    text = " ".join(run.text for run in page.runs)
    if "please hang" in text:
        time.sleep(600)
    if "please die" in text:
        os._exit(3)
    if "please raise" in text:
        raise ValueError("asked for it")
    return list(range(len(page.runs)))
