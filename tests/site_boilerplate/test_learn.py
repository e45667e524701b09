"""A line is boilerplate if enough different stories of the site have it."""

from __future__ import annotations

import pytest

from newscrawl.errors import UsageError
from newscrawl.extraction.site_boilerplate import NO_BOILERPLATE, SiteBoilerplate
from newscrawl.extraction.site_boilerplate.epoch import MAX_LINES, key_of
from newscrawl.extraction.site_boilerplate.learn import RecentText, changed_share, learn

RULES = "Please keep to the rules when you comment: be polite and do not advertise."


def story(number: int, *repeated: str, page: int | None = None) -> RecentText:
    own = [f"The council of town {number} met on day {number} and decided matter {part}." for part in range(3)]
    text = "\n".join([*own, *repeated])
    return RecentText.of(number if page is None else page, text, map(key_of, text.split("\n")), f"Title {number}")


def lines_of(texts: list[RecentText], previous: SiteBoilerplate = NO_BOILERPLATE) -> SiteBoilerplate:
    return learn(texts, previous)


def test_a_line_on_four_stories_is_boilerplate() -> None:
    learned = lines_of([story(number, RULES) for number in range(4)])
    assert (learned.epoch, learned.stories, dict(learned.counts)) == (1, 4, {key_of(RULES): 4})


def test_a_line_on_three_stories_is_not() -> None:
    assert not lines_of([story(number, RULES) for number in range(3)])


def test_versions_of_a_page_count_once() -> None:
    assert not lines_of([story(number, RULES, page=number % 3) for number in range(9)])


def test_a_print_page_and_near_copies_count_with_their_story() -> None:
    texts = [story(number % 3, RULES, f"Address {number}", page=number) for number in range(9)]
    assert not lines_of(texts)


def test_long_boilerplate_does_not_make_one_story_of_all_pages() -> None:
    rules = [f"{RULES} This is rule {number} of our rules for comments." for number in range(40)]
    assert len(lines_of([story(number, *rules) for number in range(6)])) == 40


def test_a_line_on_few_of_many_stories_is_repeated_on_purpose() -> None:
    helpline = "If you are affected by this story, call the helpline: it is free and open day and night."
    texts = [story(number, *([helpline] if number < 10 else ())) for number in range(100)]
    assert not lines_of(texts)


@pytest.mark.parametrize("line", ["(Reuters)", "Quelle: dpa", "Источник: ТАСС", "* * *", "12", "新华社"])
def test_credits_of_agencies_and_separators_are_never_boilerplate(line: str) -> None:
    assert not lines_of([story(number, line) for number in range(8)])


def test_a_line_that_recent_pages_lack_stays_and_one_on_too_few_goes() -> None:
    old = SiteBoilerplate.of(4, 50, {key_of("gone from the site"): 30, key_of(RULES): 30})
    learned = lines_of([story(number, *([RULES] if number == 1 else ())) for number in range(20)], old)
    assert (learned.epoch, dict(learned.counts)) == (5, {key_of("gone from the site"): 12})


def test_an_archive_with_few_stories_forgets_nothing() -> None:
    old = SiteBoilerplate.of(4, 50, {key_of(RULES): 30})
    for texts in ([], [story(1, RULES)], [story(number, *([RULES] if number == 1 else ())) for number in range(19)]):
        learned = lines_of(texts, old)
        assert learned.counts.keys() == {key_of(RULES)}
        assert changed_share(texts, old, learned) == 0.0


def test_equal_pages_give_an_equal_epoch_in_any_order() -> None:
    texts = [story(number, RULES) for number in range(9)]
    assert lines_of(texts) == lines_of(texts[::-1])
    assert lines_of(texts).digest == lines_of(texts[::-1]).digest


def test_the_share_of_changed_pages_counts_what_chains_select() -> None:
    texts = [story(number, RULES) for number in range(4)] + [story(number) for number in range(4, 8)]
    assert changed_share(texts, NO_BOILERPLATE, lines_of(texts)) == 0.5
    assert changed_share(texts, lines_of(texts), lines_of(texts)) == 0


def test_an_epoch_is_bounded_and_refuses_damage() -> None:
    learned = SiteBoilerplate.of(1, 9, {number: number % 7 for number in range(3 * MAX_LINES)})
    assert len(learned) == MAX_LINES
    assert len(learned.lines) < 300_000
    with pytest.raises(UsageError, match="newscrawl learn"):
        SiteBoilerplate(1, 9, b"damaged")
