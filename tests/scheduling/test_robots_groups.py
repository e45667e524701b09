"""Which groups of a robots.txt apply to newscrawl. Its rules are those of Protego, up to a limit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from newscrawl.crawling.scheduling.robots import (
    MAX_ROBOTS_BYTES,
    MAX_RULES,
    MAX_WILDCARD_CHARACTERS,
    PRODUCT,
    AgentRules,
    RulesFile,
    sent_tokens,
    token_of,
)

SITE = "https://a.example"


def allowed(text: str, path: str, agent: str = PRODUCT) -> bool:
    return RulesFile(text).rules(agent).allows(SITE + path)


@pytest.mark.parametrize(
    "value", ["newscrawl", "NewsCrawl", "newscrawl/0.1.0", "newscrawl bot", "newscrawl, x", "newscrawl*", "newscrawl.2"]
)
def test_a_group_with_our_token_is_ours(value: str) -> None:
    text = f"User-agent: *\nDisallow:\n\nUser-agent: {value}\nDisallow: /private\n"
    assert token_of(value) == PRODUCT
    assert not allowed(text, "/private/page")
    assert allowed(text, "/news")


@pytest.mark.parametrize(
    "value",
    ["n", "new", "news", "newscrawler", "newscrawl2", "newscrawl-images", "xnewscrawl", "x, newscrawl", "*news", "0"],
)
def test_a_group_with_another_token_is_not(value: str) -> None:
    text = f"User-agent: *\nDisallow: /all\n\nUser-agent: {value}\nDisallow: /private\n"
    assert allowed(text, "/private/page")
    assert not allowed(text, "/all")


def test_all_groups_of_ours_count_together_and_those_for_everybody_only_without_them() -> None:
    text = (
        "User-agent: newscrawl/0.1.0\nDisallow: /a\nCrawl-delay: 2\n\nUser-agent: *\nDisallow: /everybody\n\n"
        "User-agent: newscrawl\nDisallow: /b\nCrawl-delay: 5\n"
    )
    assert [allowed(text, path) for path in ("/a", "/b", "/everybody")] == [False, False, True]
    assert RulesFile(text).rules(PRODUCT).crawl_delay == 5
    assert allowed("User-agent: newscrawl\nAllow: /\n\nUser-agent: *\nDisallow: /\n", "/x")
    assert not allowed("User-agent: other\nUser-agent: newscrawl\nDisallow: /\n", "/x")


def test_the_groups_of_two_tokens_count_each_by_itself_and_the_stricter_wins() -> None:
    text = (
        "User-agent: newscrawl\nDisallow: /a\nCrawl-delay: 2\n\nUser-agent: *\nDisallow: /everybody\n\n"
        "User-agent: acme1\nAllow: /a\nDisallow: /b\nCrawl-delay: 5\n\nUser-agent: acme2\nCrawl-delay: 9\n"
    )
    paths = ("/a", "/b", "/everybody")
    assert [allowed(text, path, "other/1.0") for path in paths] == [False, True, False]
    assert [allowed(text, path, "Acme1/1.0 (+https://acme2.example)") for path in paths] == [False, False, True]
    delays = [
        RulesFile(text).rules(agent).crawl_delay for agent in ("", "acme1", "Acme2", "Mozilla (compatible; acme2)")
    ]
    assert delays == [2, 5, 9, 9]


@pytest.mark.parametrize(
    ("agent", "tokens"),
    [
        ("AcmeNews/1.0 (+https://acme.example; bot@acme.example)", ("acmenews",)),
        ("Mozilla/5.0 (compatible; Acme-News/1.0; +https://acme.example)", ("mozilla", "acme-news")),
        ("Mozilla/5.0 (X11) WebKit/5 (like Gecko; compatible; a2/1) Safari/5", ("mozilla", "webkit", "safari", "a2")),
        ("  two words (never closed", ("two", "words")),
        ("* 日报/2.0", ()),
        ("", ()),
    ],
)
def test_the_tokens_of_a_user_agent(agent: str, tokens: tuple[str, ...]) -> None:
    assert sent_tokens(agent) == tokens


def test_a_robots_txt_sent_as_a_page_is_read_without_its_tags() -> None:
    text = "<html><body>\nUser-agent: *<BR>\nDisallow: /a<br />\n<p>Crawl-delay: 3</p>\n</body></html>\n"
    assert [allowed(text, path) for path in ("/a/b", "/b")] == [False, True]
    assert RulesFile(text).rules(PRODUCT).crawl_delay == 3


def test_lines_for_others_do_not_multiply_the_rules(doubling) -> None:  # type: ignore[no-untyped-def]
    doubling(
        lambda text: RulesFile(text).rules(PRODUCT).allows(f"{SITE}/7"),
        lambda n: "".join(f"User-agent: a{i}\n" for i in range(n)) + "".join(f"Disallow: /{i}\n" for i in range(n)),
        1000,
    )


def test_an_empty_user_agent_line_ends_the_group_before_it() -> None:
    text = "User-agent: newscrawl\nDisallow: /a\nUser-agent:\nDisallow: /b\nCrawl-delay: 9\n"
    assert [allowed(text, path) for path in ("/a", "/b")] == [False, True]
    assert RulesFile(text).rules(PRODUCT).crawl_delay is None


@given(
    st.lists(
        st.sampled_from(
            "User-agent: newscrawl|User-agent: *|user agent x|Useragent:|Disallow: /a|Allow: /a/b|Disallow: /c # all|"
            "Disallow:|Crawl-delay: 2|Noindex: /d|Sitemap: /s|Host: x|words|#".split("|")
        ),
        max_size=12,
    )
)
def test_groups_are_those_of_protego(lines: list[str]) -> None:
    text = "\n".join(lines)
    theirs = Protego.parse(text)
    for path in ("/a", "/a/b", "/c", "/d"):
        assert allowed(text, path) == theirs.can_fetch(SITE + path, PRODUCT)
    assert RulesFile(text).rules(PRODUCT).crawl_delay == theirs.crawl_delay(PRODUCT)


PIECES = st.text(alphabet="ab/*$.%?é", max_size=7)


@given(
    rules=st.lists(st.tuples(st.sampled_from(["Allow", "Disallow"]), PIECES), max_size=12),
    path=st.text(alphabet="ab/.?=é", max_size=12),
)
def test_the_longest_match_decides_as_in_protego(rules: list[tuple[str, str]], path: str) -> None:
    text = "User-agent: *\n" + "".join(f"{field}: /{pattern}\n" for field, pattern in rules)
    assert allowed(text, f"/{path}") == Protego.parse(text).can_fetch(f"{SITE}/{path}", PRODUCT)


def test_wildcards_first_and_last() -> None:
    text = "User-agent: *\nDisallow: *.pdf$\nDisallow: /tmp*\nDisallow: /x*$\nAllow: /tmp/a*b$\n"
    paths = ("/a.pdf", "/a.pdf?x", "/tmp", "/tmp/ab", "/tmp/axbc", "/x", "/xyz")
    assert [allowed(text, path) for path in paths] == [False, True, False, True, False, False, False]


def wild(rules: int) -> str:
    return "User-agent: *\n" + "".join(f"Disallow: /*{number:05}*end\n" for number in range(rules))


def test_more_wildcards_than_can_be_tried_for_each_address_allow_nothing() -> None:
    most = MAX_WILDCARD_CHARACTERS // len("Disallow: /*00000*end")
    usual, costly = (RulesFile(wild(rules)).rules(PRODUCT) for rules in (most, most + 1))
    assert (usual.is_too_costly, usual.allows(f"{SITE}/a"), usual.allows(f"{SITE}/00007/end")) == (False, True, False)
    assert (costly.is_too_costly, costly.allows(f"{SITE}/a")) == (True, False)


def test_more_rules_than_can_be_tried_allow_nothing_and_keep_their_delay() -> None:
    text = "User-agent: *\nCrawl-delay: 7\n" + "Allow:/\n" * (MAX_RULES + 1)
    assert len(text) < MAX_ROBOTS_BYTES
    rules = RulesFile(text).rules(PRODUCT)
    assert (rules.is_too_costly, rules.allows(f"{SITE}/a"), rules.crawl_delay) == (True, False, 7)


def test_the_rules_of_others_cost_us_nothing() -> None:
    text = wild(20_000).replace("*", "other", 1) + "User-agent: newscrawl\nDisallow: /a\n"
    assert [allowed(text, path) for path in ("/a", "/b")] == [False, True]


def test_a_decision_takes_time_in_proportion_to_the_rules(doubling) -> None:  # type: ignore[no-untyped-def]
    def rules(n: int) -> AgentRules:
        return RulesFile("User-agent: *\n" + "".join(f"Disallow: /*ab{i}*c\n" for i in range(n))).rules(PRODUCT)

    url = SITE + "/" + "ab1" * 600
    doubling(lambda compiled: compiled.allows(url), rules, 1_000)
