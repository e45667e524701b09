"""Pages that have one of several pages of an article say so; others do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import newscrawl

URL = "https://www.courier.example/2026/05/02/weir-bridge-closed"
PROSE = "".join(
    f"<p>The council of the town voted on Tuesday night to close the old bridge to lorries, after engineers found "
    f"cracks in {n} of its stone piers during an inspection in the spring.</p>"
    for n in range(2, 9)
)


def problems(
    below: str = "", *, url: str | None = URL, head: str = "", beside: str = "", around: str = ""
) -> list[str]:
    page = (
        f"<html><head><title>Bridge closed - Courier</title>{head}</head><body {around}><main><article>"
        f"<h1>Bridge closed to lorries</h1>{PROSE}{below}</article></main></body></html>"
    )
    extracted = newscrawl.extract(page, url=url)
    assert extracted.text.count("stone piers") == 7
    assert extracted.to_dict()["problems"] == list(extracted.problems)
    return [problem for problem in extracted.problems if problem.startswith("partial")]


PARTS = {
    "a pager": '<div class="pagination"><b>1</b> <a href="?page=2">2</a> <a href="?page=3">3</a></div>',
    "numbers without names": f'<p>Pages: 1 <a href="{URL}/2">2</a> <a href="{URL}/3/">3</a></p>',
    "an address of WordPress": f'<p class="page-links"><a href="{URL}/2/">Two</a> <a href="{URL}/3/">Three</a></p>',
    "a named part of the path": f'<nav class="article-pager"><a href="{URL}/seite-3">Ende</a></nav>',
    "a named part of the name": f'<ul class="pager"><li><a href="{URL}_page-3">last</a></li></ul>',
    "relative": '<p><a href="weir-bridge-closed/page/2">2</a> <a href="weir-bridge-closed/page/3">3</a></p>',
    "next in words": '<p><a href="?pg=3">Nächste Seite &raquo;</a></p>',
    "next in Japanese": '<p><a href="?p=3">次のページ</a></p>',
    "next in Russian": '<p><a href="?page=3">Далее</a></p>',
    "next as rel": '<p><a rel="next" href="?page=3"><img src="arrow.png"></a></p>',
}


@pytest.mark.parametrize("name", PARTS)
def test_a_page_that_names_a_further_page_of_its_article_is_partial(name: str) -> None:
    assert problems(PARTS[name]) == ["partial: page 1 of 3 or more"]


@pytest.mark.parametrize(
    "line",
    ["Page 1 of 3", "Seite 1 von 3", "Página 1 de 3", "PAGE 1/3", "Page 1 sur 3", "[ Strona 1 z 3 ]", "Страница 1 из 3",
     "Sayfa 1 / 3", "1/3ページ", "第1页 共3页", "1 / 3 페이지", "Pagina 1 di 3", "Sida 1 av 3"],
)  # fmt: skip
def test_a_line_with_number_and_total_is_enough(line: str) -> None:
    assert problems(f"<p>{line}</p>") == ["partial: page 1 of 3"]


@pytest.mark.parametrize(
    ("url", "head", "below", "problem"),
    [
        (URL, '<link rel="next" href="?page=2">', "", "partial: page 1 of 2 or more"),
        (URL, '<link rel="next" href="?page=1">', "", "partial: page 1 of 2 or more"),  # counted from 0
        (f"{URL}?page=2", f'<link rel="prev" href="{URL}">', "", "partial: page 2"),
        (f"{URL}?page=2&utm_source=x", "", '<p><a href="?page=3">3</a></p>', "partial: page 2 of 3 or more"),
        (f"{URL}/2", "", f'<p><a href="{URL}/">1</a> <a href="{URL}/3">3</a></p>', "partial: page 2 of 3 or more"),
        (f"{URL}/2", "", f'<p><a href="{URL}">1</a></p>', "partial: page 2"),
        (f"{URL}/page/2", "", f'<p><a href="{URL}/page/3">3</a></p>', "partial: page 2 of 3 or more"),
        (f"{URL}.html", "", '<p><a href="weir-bridge-closed,2.html">2</a></p>', "partial: page 1 of 2 or more"),
        (None, '<link rel="next" href="?page=2">', "", "partial: page 1 of 2 or more"),
    ],
)
def test_which_page_it_is(url: str | None, head: str, below: str, problem: str) -> None:
    assert problems(below, url=url, head=head) == [problem]


WHOLE = {
    "no pager": "",
    "the next article": '<p><a rel="next" href="/2026/05/03/orchard-prize">Next page</a></p>',
    "the article with a number": f'<p class="pager"><a rel="next" href="{URL}-1000124">2</a></p>',
    "a pager of comments": '<div id="comments"><p>A comment.</p><nav class="pager"><a href="?page=2">2</a></nav></div>',
    "an address of comments": f'<p><a href="?comments_page=2">2</a> <a href="{URL}/comment-page-2">2</a></p>',
    "a part of the page of comments": '<p class="pager"><a href="?page=2#comments">2</a></p>',
    "a pager of related stories": '<div class="related-stories"><a href="?page=2">2</a><p>Page 1 of 9</p></div>',
    "a list of Drupal": '<div class="view view-id-media"><p class="pager"><a rel="next" href="?page=1">2</a></p></div>',
    "a gallery": '<div class="gallery-pager"><p>Page 1 of 12</p><a href="?page=2">2</a></div>',
    "a picture of many": "<p>Picture 1 of 12</p>",
    "more of something": '<p><a href="?page=2">More stories of this evening</a></p>',
    "a sentence about pages": "<p>The report says so on page 1 of 30 pages that nobody has read to their end yet.</p>",
    "an aside": '<aside><p class="pagination"><a href="?page=2">2</a></p></aside>',
    "no further page": "<p>Page 1 of 1</p>",
    "an archive of a day": '<p><a href="/2026/05/03">3</a> <a href="/2026/05/02">2</a></p>',
    "shared elsewhere": f'<p><a href="https://share.example/?u={URL}&page=2">2</a></p>',
}


@pytest.mark.parametrize("name", WHOLE)
def test_what_is_no_page_of_this_article_makes_it_no_part(name: str) -> None:
    assert problems(WHOLE[name]) == []


def test_numbers_of_articles_are_no_pages() -> None:
    next_one = '<link rel="next" href="/news/story-13"><link rel="prev" href="/news/story-11">'
    assert problems(url="https://www.courier.example/news/story-12", head=next_one) == []
    next_post = '<link rel="next" href="/?p=13">'
    assert problems(url="https://www.courier.example/?p=12", head=next_post) == []


def test_the_page_with_everything_is_whole() -> None:
    numbers = f'<p class="pagination"><a href="{URL}?page=1">1</a> <a href="{URL}?page=2">2</a></p>'
    assert problems(numbers, url=f"{URL}?page=all") == []
    assert problems(numbers, url=f"{URL}/komplettansicht") == []


def test_names_around_the_text_do_not_count() -> None:
    assert problems(PARTS["a pager"], around='class="has-comments sidebar-left"') == ["partial: page 1 of 3 or more"]


def test_a_list_of_a_section_is_no_part() -> None:
    cards = "".join(
        f'<article><h2><a href="/2026/05/0{n}/a-story-of-the-harbour-{n}">A story of the harbour and its ships</a></h2>'
        "<p>The harbour opens again on Monday.</p></article>"
        for n in range(1, 9)
    )
    page = f'<html><body>{cards}<nav class="pagination"><a rel="next" href="/news/page/2">2</a></nav></body></html>'
    assert not [text for text in newscrawl.extract(page, url="https://c.example/news/").problems if "partial" in text]


HOSTILE: dict[str, Callable[[int], str]] = {
    "pagers": lambda n: '<a href="?page=2">x</a>' * n,
    "lines": lambda n: "<p>Page 1 of</p>" * n,
    "numbers": lambda n: f'<a href="{URL}/{"1-" * 40}2">2</a>' * n,
    "deep": lambda n: "<div class=pager>" * n + '<a href="?page=2">2</a>',
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_time_grows_with_the_page(shape: str, doubling: Callable[..., None]) -> None:
    def page(n: int) -> str:
        return f"<html><body><article><h1>Bridge</h1>{PROSE}{HOSTILE[shape](n)}</article></body></html>"

    doubling(lambda html: newscrawl.extract(html, url=URL).problems, page, 500, factor=3.2)
