"""Estimates how good an extracted text is: the expected F1 against what a careful reader would copy from the page.

In here: `features` measures the text on its page, `model` adds up learned trees to the expected F1. The weights are in
`confidence.json`, which is written by `python -m benchmarks.train_confidence` with the tables of
docs/measurements/quality.md. Not in here: the reasons of a chain to try another extractor because a text is short
(`newscrawl.extraction.limits`). Start with `features`.

A confidence depends on nothing but the page and the chain. So a crawl, an ingest and a re-extraction of the same bytes
give the same one.
"""

from __future__ import annotations

from typing import Final

from newscrawl.extraction.confidence.features import measure
from newscrawl.extraction.confidence.model import DIGITS, load
from newscrawl.extraction.stated import STATED
from newscrawl.model import Extraction
from newscrawl.page import Page

MIN_UNDISPLAYED: Final = 0.1
"""The least share of undisplayed words that lowers a confidence. Of 600 pages of naeb, daniel, wcxb, misinfo_crawler,
14 have more."""
STATED_F1: Final = 0.89
"""The mean F1 of texts that JSON-LD states, on the 116 pages of naeb, misinfo_crawler, fundus_tests and wcxb that state
one of at least 300 characters."""


def confidence_of(page: Page, found: Extraction) -> float:
    """Returns the expected F1 of a chain's text of `page`, from 0 to 1; 0 without a text. Words that the page does not
    display lower it: who hides words on a page shows a reader another text than a program."""
    if found.extractor == STATED:
        return STATED_F1
    expected = load().expected_f1(measure(page, found)) if found.runs else 0.0
    if found.undisplayed < MIN_UNDISPLAYED:
        return expected
    return round(expected * (1 - found.undisplayed / 2), DIGITS)
