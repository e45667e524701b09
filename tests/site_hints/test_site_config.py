"""Files of FiveFilters' rule format become hints, and what has no counterpart is listed."""

from __future__ import annotations

import pytest

from newscrawl.errors import UsageError
from newscrawl.extraction.site_hints import SiteHints
from newscrawl.extraction.site_hints.site_config import read_site_config

FILE = """\ufeff# rules for a paper of our own invention
title: //h1[@class='headline']
author: //span[@itemprop='author']
date: //time/@datetime
body: //div[@id='story']
body: //article
strip: //div[contains(@class, 'teaser')]
strip: //p[string-length(.) < 3]
strip: //div[count(a) > 3]/p[last()]
strip: //p[lower-case(.) = 'more']
strip: div.box
strip_id_or_class: newsletter
strip_id_or_class: 'related-links'
strip_image_src: /ads/
single_page_link: //a[@rel='all']
replace_string(<br>): <p>
prune: no
tidy: no
http_header(user-agent): Some/1.0

test_url: https://paper.example/2026/story
a line that is none
"""


def test_rules_become_hints_that_a_declaration_may_have() -> None:
    imported = read_site_config(FILE)
    assert imported.hints == {
        "title": ["//h1[@class='headline']"],
        "authors": ["//span[@itemprop='author']"],
        "published": ["//time/@datetime"],
        "keep": ["//div[@id='story']", "//article"],
        "drop": [
            "//div[contains(@class, 'teaser')]",
            "//p[string-length(.) < 3]",
            "//div[count(a) > 3]/p[last()]",
            "//*[contains(@id, 'newsletter') or contains(@class, 'newsletter')]",
            "//*[contains(@id, 'related-links') or contains(@class, 'related-links')]",
        ],
    }
    assert SiteHints.of(imported.hints)


def test_rules_without_a_counterpart_are_listed_with_their_line() -> None:
    left = read_site_config(FILE).left_out
    assert [line.partition(":")[0] for line in left] == [
        "line 10",
        "line 11",
        "line 15",
        "line 16",
        "line 19",
        "line 22",
    ]
    assert "Unregistered function" in left[0]
    assert "strip is no path from the document" in left[1]
    assert "single_page_link has no counterpart" in left[2]


@pytest.mark.parametrize("text", ["", "# nothing", "<html>no rules</html>", "x" * 300_000])
def test_a_file_without_rules_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        read_site_config(text)
