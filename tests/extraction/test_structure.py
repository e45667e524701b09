"""What the paragraphs of a text are, its links, and its Markdown and HTML: pages of `structured_pages.toml`, texts
without a structure, and hostile ones."""

from __future__ import annotations

import pickle
import re
import tomllib
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import newscrawl
from newscrawl.extraction.article.extracted import Extracted, PageRecord
from newscrawl.extraction.markdown import Block, html, markdown, part_of
from newscrawl.extraction.site_boilerplate import SiteBoilerplate
from newscrawl.extraction.site_boilerplate.epoch import key_of
from newscrawl.model import Structure, TextLink
from newscrawl.page import Page

URL: Final = "https://paper.example/story/1"
PAGES: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("structured_pages.toml").read_text("utf-8"))
RENDERED: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])
SENTENCES: Final = [
    f"On day {number} the council spoke about the bridge that people of the town had asked for since May, and then it "
    "voted on the plan of the mayor, which would cost less than a new road."
    for number in range(6)
]


def whole(page: Page) -> range:
    return range(len(page.runs))


def extract(body: str, language: str = "en", chain: str = "all", **options: Any) -> Extracted:
    """Returns the article of a page with this body; `all` keeps every run."""
    source = f"<!doctype html><html lang={language}><body>{body}</body></html>"
    chosen = {"extractors": {"whole": whole}, "chains": {"all": ["whole"]}, "chain": chain}
    return newscrawl.extract(source, URL, **chosen, **options)


class Shown(HTMLParser):
    """What a reader of HTML sees: words, links and the names of elements."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.words.append("" if tag == "a" else " ")
        if tag == "a":
            self.links.append(dict(attrs)["href"] or "")
        else:
            assert not attrs or tag == "ol", f"an attribute of {tag}"

    def handle_endtag(self, tag: str) -> None:
        self.words.append("" if tag == "a" else " ")

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return squeezed("".join(self.words))


def squeezed(text: str) -> str:
    return " ".join(text.split())


BLOCKS: Final = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li blockquote table tr td pre code em br a thead tbody th hr".split()
)


def check_forms(text: str, structure: Structure | None) -> None:
    """Checks that Markdown and HTML show the words of a text and its links, and nothing else."""
    wanted = [link.url for link in structure.links] if structure is not None else []
    pre = structure is not None and "x" in structure.blocks
    for source in (RENDERED.render(markdown(text, structure)), html(text, structure)):
        shown = Shown(source)
        assert shown.text == squeezed(text)
        assert shown.tags <= BLOCKS - {"hr"}
        assert pre or [one.replace("|", "%7C") for one in shown.links] == wanted
    assert html(text, structure).count("<a ") == html(text, structure).count(' rel="nofollow noreferrer">')


@pytest.mark.parametrize("name", PAGES)
def test_a_page(name: str) -> None:
    page = PAGES[name]
    found = extract(page["html"], name[:2], page.get("chain", "all"))
    assert found.structure is not None
    assert found.structure.blocks == page["blocks"]
    assert found.markdown == page["markdown"]
    assert len(found.blocks) == len(found.text.split("\n\n"))
    for link in found.links:
        words = found.text.split("\n\n")[link.paragraph][link.start : link.start + link.length]
        assert words
        assert words == words.strip()
    check_forms(found.text, found.structure)


def test_there_are_many_pages_in_many_languages() -> None:
    assert len(PAGES) >= 60
    assert len({name[:2] for name in PAGES}) >= 10


def test_blocks_say_what_paragraphs_are() -> None:
    found = extract(
        "<h2>A</h2><ol><li><p>b</p><p>c</p></li></ol><blockquote>d</blockquote><pre>e</pre><p>f</p>"
        "<table><tr><td>1<td>2<tr><td>3<td>4<tr><td>5<td>6</table>"
    )
    assert found.blocks == (
        *(Block("heading", "A", 2), Block("item", "b", 1, ordered=True), Block("further", "c", 1), Block("quote", "d")),
        *(Block("preformatted", "e"), Block("paragraph", "f"), Block("table", "1"), Block("cell", "2")),
        *(Block("row", "3"), Block("cell", "4"), Block("row", "5"), Block("cell", "6")),
    )


def test_a_record_has_the_structure_in_other_processes_and_as_json() -> None:
    found = extract('<h2>Head</h2><p>See <a href="/a">this</a>.</p>')
    record = pickle.loads(pickle.dumps(PageRecord.of(found)))
    assert record.markdown == found.markdown == "## Head\n\nSee [this](https://paper.example/a)."
    link = {"paragraph": 1, "start": 4, "length": 4, "url": "https://paper.example/a"}
    assert record.to_dict()["structure"] == {"blocks": "h2 p", "links": [link]}


def test_a_text_that_json_ld_states_has_no_structure() -> None:
    stated = " ".join(SENTENCES)
    script = f'<script type="application/ld+json">{{"@type": "NewsArticle", "articleBody": "{stated}"}}</script>'
    found = extract(f"{script}<p>Loading * ...</p>", chain="classic")
    assert (found.text, found.structure, found.links) == (stated, None, ())
    assert found.markdown == stated
    assert found.blocks == (Block("paragraph", stated),)


def test_a_page_without_a_text_has_none() -> None:
    found = extract("", chain="classic")
    assert (found.text, found.structure, found.markdown, found.blocks) == ("", None, "", ())


def test_site_boilerplate_in_the_middle_is_left_out_of_the_structure() -> None:
    rule = "Rule 1 for comments: be polite, stay with the subject and do not advertise."
    body = [*SENTENCES[:2], rule, *SENTENCES[2:]]
    inside = "".join(f"<p>{line}</p>" if line != rule else f'<p>{rule} <a href="/r">Rules</a></p>' for line in body)
    inside = inside.replace("bridge", '<a href="/b">bridge</a>')
    epoch = SiteBoilerplate.of(3, 200, {key_of(f"{rule} Rules"): 150})
    found = extract(f"<article><h1>Bridge</h1>{inside}</article>", chain="classic", boilerplate=epoch)
    assert found.text == "\n\n".join(SENTENCES)
    assert found.structure is not None
    assert found.structure.blocks == "p p p p p p"
    assert [link.paragraph for link in found.links] == [0, 1, 2, 3, 4, 5]
    check_forms(found.text, found.structure)


def test_what_hints_keep_and_drop_is_in_the_structure() -> None:
    body = "".join(f"<p>{line}</p>" for line in SENTENCES)
    body += (
        '<div class="box"><ul><li>Bridge of <a href="/1">stone</a></li></ul></div><p class="ad">Buy a bridge now.</p>'
    )
    found = extract(f"<article>{body}</article>", chain="classic", hints={"keep": ".box", "drop": ".ad"})
    assert found.structure is not None
    assert found.structure.blocks == "p p p p p p u1"
    assert found.markdown.endswith("\n\n- Bridge of [stone](https://paper.example/1)")


def test_a_live_report_has_the_structure_of_its_whole_text() -> None:
    entries = "".join(
        f'<div itemprop="liveBlogUpdate" itemscope itemtype="https://schema.org/BlogPosting">'
        f'<time itemprop="datePublished" datetime="2026-11-20T1{number}:00:00Z">1{number}:00</time>'
        f'<h3 itemprop="headline">Entry {number}</h3><div itemprop="articleBody"><p>{line}</p></div></div>'
        for number, line in enumerate(SENTENCES)
    )
    page = f'<div itemscope itemtype="https://schema.org/LiveBlogPosting"><h1>The bridge live</h1>{entries}</div>'
    found = extract(page, chain="classic")
    assert found.structure is not None
    assert found.structure.blocks == "p h3 p h3 p h3 p h3 p h3 p"
    check_forms(found.text, found.structure)


def test_lines_of_invisible_characters_leave_no_structure() -> None:
    found = extract("<p>one<br>\u200b<br>two</p>")
    assert found.text == "one\n\ntwo"
    assert found.structure is None


def test_a_part_of_a_text_has_a_part_of_its_structure() -> None:
    found = extract('<h2>Head of it</h2><ul><li>See <a href="/a">this and that</a>.</li></ul><p>End.</p>')
    start, end = found.text.index("of it"), found.text.index("and that")
    text, structure = part_of(found.text, found.structure, start, end)
    assert text == "of it\n\nSee this"
    assert markdown(text, structure) == "## of it\n\n- See [this](https://paper.example/a)"


# Hostile pages.

ADDRESSES: Final = (
    *(
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "\x01javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,<b>",
    ),
    *(
        "vbscript:x",
        "//user:pw@paper.example/",
        "https://paper.example:0/",
        "https://[::1",
        "https://",
        "ftp://paper.example",
    ),
    *(
        "mailto:",
        "mailto:a@b.example%0Abcc:c@d.example",
        "mailto:<a@b.example>",
        "blob:https://paper.example/1",
        "x" * 3_000,
    ),
)


@pytest.mark.parametrize("address", ADDRESSES, ids=range(len(ADDRESSES)))
def test_an_address_that_leads_nowhere_safe_is_left_out(address: str) -> None:
    source = address.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    found = extract(f'<p>See <a href="{source}">this place</a> now.</p>')
    assert all(link.url.startswith(("https://paper.example/", "mailto:a@b.example")) for link in found.links)
    assert not any(character in link.url for link in found.links for character in '\n\r\t <>"\\')
    check_forms(found.text, found.structure)


@pytest.mark.parametrize(
    "tail", ["](x)", ")", "\\", ">", " x", "&lt;b&gt;", "%5C)", "|a", "*_`", "\n[y]: z", "&amp;copy;"]
)
def test_nothing_behind_an_address_ends_it(tail: str) -> None:
    found = extract(f'<p>See <a href="https://paper.example/{tail}">this [place](q)</a> now.</p>')
    assert len(found.links) == 1
    check_forms(found.text, found.structure)


def test_thousands_of_links_are_bounded() -> None:
    found = extract("<p>" + " ".join(f'<a href="/{number}">word{number}</a>' for number in range(10_000)) + "</p>")
    assert len(found.links) == 200
    assert found.links[-1].url == "https://paper.example/199"
    long = extract("<p>" + " ".join(f'<a href="/{"x" * 1_900}{n}">word{n}</a>' for n in range(100)) + "</p>")
    assert 0 < sum(len(link.url) for link in long.links) <= 40_000


def test_nested_lists_are_bounded() -> None:
    found = extract("<p>Text.</p>" + "".join(f"<ul><li>item{number}" for number in range(500)))
    assert found.structure is not None
    assert {int(code[1:]) for code in found.structure.blocks.split()[1:]} == set(range(1, 10))
    assert len(found.markdown) < 5 * len(found.text)
    check_forms(found.text, found.structure)


def test_a_heading_of_a_megabyte_is_a_heading() -> None:
    found = extract(f"<p>Text.</p><h2>{'word # ' * 150_000}</h2>")
    assert found.structure == Structure("p h2")
    assert found.markdown.startswith("Text.\n\n## word # word")


def test_a_text_of_very_many_paragraphs_has_no_structure() -> None:
    found = extract("<p>a</p>" * 4_001)
    assert found.structure is None
    assert found.markdown == found.text


GROWING: Final[dict[str, Callable[[int], str]]] = {
    "links": lambda n: "<p>" + " ".join(f'<a href="/{i}">word{i}</a>' for i in range(n)) + "</p>",
    "same links": lambda n: "<p>" + " x ".join(['<a href="/a">same</a>'] * n) + "</p>",
    "links nobody sees": lambda n: "<p>" + '<a href="/a"><span hidden>q</span>word</a> z ' * n + "</p>",
    "paragraphs with links": lambda n: '<p>See <a href="/a">this</a>.</p>' * (n // 4),
    "lists": lambda n: "<p>x</p>" + "<ul><li>a" * min(n, 500) + "<li>b" * n,
    "rows": lambda n: "<table>" + "<tr><td>1<td><td>2" * (n // 8) + "</table>",
    "tables in tables": lambda n: "<table><tr><td>1<td>2<tr><td>3<td>4<tr><td>5<td>" * min(n // 16, 300),
    "signs": lambda n: "<p>" + "*_[]&lt;!#- " * n + "</p>",
    "lines": lambda n: "<p>" + "- 1. x<br>" * n + "</p>",
}


@pytest.mark.parametrize("name", GROWING)
def test_time_is_linear(doubling: Callable[..., None], name: str) -> None:
    def work(found: Extracted) -> None:
        vars(found).pop("structure", None)
        assert found.markdown
        assert html(found.text, found.structure)

    def made(size: int) -> Extracted:
        found = extract(GROWING[name](size))
        assert found.text
        return found

    doubling(work, made, 2_000)


CODES: Final = ["p", "h2", "u1", "u2", "o1", "o3", "+1", "+2", "+", "q", "t", "r", ".", ".2", "c", "x"]
PIECES: Final = (*"ab1 .)#-+=*_`[]()<>!&;:|~\\/\"'\n", "&amp;", "http://", "www.", "é", "中", "    ")
WORDS: Final = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
DRAWN: Final = st.tuples(st.sampled_from(CODES), WORDS, st.integers(0, 10), st.integers(1, 10))


@given(st.lists(DRAWN, min_size=1, max_size=8))
def test_no_text_becomes_markup(drawn: list[tuple[str, str, int, int]]) -> None:
    """Whatever the words and the kinds are: words stay words, and links are only those of the structure."""
    texts: list[str] = []
    links: list[TextLink] = []
    for number, (_, words, start, length) in enumerate(drawn):
        lines = (re.sub(r"\s+", " ", line).strip() for line in words.split("\n"))
        text = "\n".join(filter(None, lines)) or "z"
        texts.append(text)
        if text[start : start + length].strip():
            links.append(TextLink(number, start, min(length, len(text) - start), f"https://e.example/{number}_(a)?b&c"))
    check_forms("\n\n".join(texts), Structure(" ".join(code for code, *_ in drawn), tuple(links)))
