"""The demo's stories: enough of them, in two languages, as its author wrote them."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

import pytest

from newscrawl.demo import DemoSite, noise
from newscrawl.demo.story import parse_story

SOURCE = """title: A title: with a colon
authors: One Person; Another Person
published: 2025-10-01T08:00:00+01:00
section: city
tags: a; b c
template: modern
listed: sitemap

First sentence. Second one.

> Said by somebody.
"""


def test_there_are_sixty_stories_in_two_languages_and_four_templates(site: DemoSite) -> None:
    assert Counter(story.language for story in site.stories) == {"en": 40, "es": 20}
    assert min(Counter(story.template for story in site.stories if story.template != "cards").values()) >= 15


def test_every_story_is_as_long_as_a_short_news_item(site: DemoSite) -> None:
    lengths = {s.slug: sum(len(p.text.split()) for p in s.paragraphs) for s in site.stories}
    assert {slug: words for slug, words in lengths.items() if not 100 <= words <= 420} == {}


def test_every_story_belongs_to_a_section_of_its_language(site: DemoSite) -> None:
    assert all(story.section in noise.SECTIONS[story.language] for story in site.stories)


def test_no_story_names_an_advertiser(site: DemoSite) -> None:
    texts = " ".join(p.text for story in site.stories for p in story.paragraphs)
    assert [name for name in noise.ADVERTISERS if name in texts] == []


def test_every_advert_names_an_advertiser() -> None:
    adverts = [text for pool in noise.ADVERTS.values() for text in pool]
    assert all(any(name in text for name in noise.ADVERTISERS) for text in adverts)


def test_a_story_file_is_read_as_written() -> None:
    story = parse_story(SOURCE, 1, "a-title", "en")
    assert story.title == "A title: with a colon"
    assert story.authors == ("One Person", "Another Person")
    assert story.tags == ("a", "b c")
    assert story.published == datetime.fromisoformat("2025-10-01T07:00:00+00:00")
    assert story.in_sitemap_only
    assert [(p.text, p.is_quote) for p in story.paragraphs] == [
        ("First sentence. Second one.", False),
        ("Said by somebody.", True),
    ]
    assert story.description == "First sentence."
    assert story.path == "/city/1/a-title"


def test_the_digest_changes_with_the_text_and_the_date_alone() -> None:
    story = parse_story(SOURCE, 1, "a-title", "en")
    assert parse_story(SOURCE, 1, "a-title", "en").digest == story.digest
    assert parse_story(SOURCE.replace("Second", "Third"), 1, "a-title", "en").digest != story.digest
    later = SOURCE.replace("2025-10-01", "2025-10-02")
    assert parse_story(later, 1, "a-title", "en").digest != story.digest


def test_a_story_without_a_title_is_an_error() -> None:
    with pytest.raises(KeyError, match="title"):
        parse_story("section: city\ntemplate: modern\n\nText.", 1, "x", "en")


def test_dates_carry_their_zone(site: DemoSite) -> None:
    dates = [story.published for story in site.stories if story.published]
    assert {date.utcoffset() for date in dates} == {timedelta(hours=1)}
    assert len(dates) == len(site.stories) - 1  # one has none, so that a missing date stays missing
