"""jusText: segments and kept paragraphs are those of the package, on pages written for this test."""

from __future__ import annotations

import random

import justext as package
import pytest

from newscrawl.extraction.justext import kept_paragraphs, make_paragraphs
from newscrawl.page import parse

BODIES = {
    "paragraphs": "<p>One</p><p>two</p>",
    "inline tags": "<p>One <b>two</b> <i>three</i>four</p>",
    "a br is a blank": "<p>One<br>two</p>",
    "two brs part": "<div>One<br><br>two<br> <br>three</div>",
    "text between brs": "<div>One<br>two<br>three</div>",
    "brs inside inline tags": "<div>One<b><br></b><br>two</div>",
    "a script between brs": "<div>One<br> <script>x</script> <br>two</div>",
    "three brs": "<div>One<br><br><br>two</div>",
    "tags that are no blocks": "<div>One<section>two</section><article>three</article></div>",
    "blank nodes are not seen": "<p><b>One</b> <b>two</b></p>",
    "blank nodes between sections": "<div><section>One</section> <section>two</section></div>",
    "tables": "<table><tr><td>One</td><td>two</td></tr></table>",
    "lists": "<ul><li>One</li><li>two <p>three</p> four</li></ul>",
    "ol does not part": "One<ol>two</ol>",
    "links": "<p>One <a href=/>two  three </a> four</p>",
    "a link around paragraphs": "<a href=/><p>One</p><p>two</p></a>",
    "headings": "<h1>One</h1><h2>two <em>three</em></h2><h6>four</h6><h7>five</h7>",
    "paragraphs in headings": "<h2><div>One</div>two</h2>",
    "select is removed": "<p>One <select><option>x</option></select> two</p>",
    "textarea is removed": "<p>One <textarea>x</textarea> two</p>",
    "button is removed": "<p>One<button>x</button>two</p>",
    "forms do not part": "<div>One<form>two</form>three</div>",
    "iframe's text stays": "<p>One<iframe>two</iframe></p>",
    "object's text stays": "<p>One<object>two</object></p>",
    "script is removed": "<p>One<script>x</script>two <style>x</style> three</p>",
    "comments are removed": "<p>One<!-- x -->two</p>",
    "noscript stays": "<p>One<noscript>two</noscript></p>",
    "svg titles stay": "<p>One<svg><title>two</title></svg></p>",
    "images": "<p>One<img src=x>two <img src=x> three</p>",
    "nested divs": "<div>One<div>two<div>three</div>four</div>five</div>",
    "definition lists": "<dl><dt>One</dt><dd>two</dd></dl>",
    "pre": "<pre>One\n  two</pre>",
    "fieldsets": "<fieldset><legend>One</legend>two</fieldset>",
    "entities": "<p>One&nbsp;two &amp; three &copy; four</p>",
    "captions": "<table><caption>One</caption><tbody><tr><th>two</th></tr></tbody></table>",
    "center and font": "<center>One<font color=red>two</font></center>",
    "unknown tags": "<div>One<my-tag>two</my-tag> <o:p>three</o:p></div>",
}


@pytest.mark.parametrize("name", BODIES)
def test_segments_are_the_packages(name: str) -> None:
    html = f"<html><head><title>T</title></head><body>{BODIES[name]}</body></html>"
    theirs = [
        ("".join(p.text.split()), len(p.text), p.chars_count_in_links, p.is_heading)
        for p in package.justext(html, frozenset())
        if p.text
    ]
    ours = [
        ("".join(p.text.split()), len(p.text), p.link_characters, p.heading) for p in make_paragraphs(parse(html).runs)
    ]
    assert ours == theirs


FUNCTION_WORDS = "the of and to a in that is was for on with as it at by from this have not they which were".split()
CONTENT_WORDS = (
    "harbour minister report village engine storm budget river council garden signal teacher market bridge winter "
    "letter doctor orchard railway museum painter verdict season captain forest"
).split()


class PageWriter:
    """Writes pages that look like pages: navigation, article, teasers, forms, comments; the seed decides all."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def page(self) -> str:
        parts = [self._part() for _ in range(self._random.randint(5, 40))]
        return f"<html><head><title>{self._words(5)}</title></head><body>{''.join(parts)}</body></html>"

    def _part(self) -> str:
        makers = [self._prose, self._prose, self._prose, self._heading, self._short, self._navigation]
        makers += [self._wrapped, self._form, self._lines, self._table, self._figure]
        return self._random.choice(makers)()

    def _words(self, count: int) -> str:
        share = self._random.choice([0.0, 0.28, 0.32, 0.4, 0.5])
        pool = (FUNCTION_WORDS if self._random.random() < share else CONTENT_WORDS for _ in range(count))
        return " ".join(self._random.choice(words) for words in pool)

    def _sentence(self) -> str:
        words = self._words(self._random.randint(3, 25))
        linked = self._random.random()
        if linked < 0.15:
            words += f" <a href='/x'>{self._words(2)}</a>"
        elif linked < 0.25:
            words = f"<em>{words}</em> <b>{self._words(2)}</b>"
        return words.capitalize() + "."

    def _prose(self) -> str:
        return f"<p>{' '.join(self._sentence() for _ in range(self._random.randint(1, 6)))}</p>\n"

    def _heading(self) -> str:
        level = self._random.randint(1, 6)
        return f"<h{level}>{self._words(self._random.randint(1, 12))}</h{level}>"

    def _short(self) -> str:
        return f"<div>{self._words(self._random.randint(1, 8))}</div>"

    def _navigation(self) -> str:
        items = (f"<li><a href='/{i}'>{self._words(2)}</a></li>" for i in range(self._random.randint(2, 6)))
        return f"<nav><ul>{''.join(items)}</ul></nav>"

    def _wrapped(self) -> str:
        tag = self._random.choice("div section article blockquote aside center fieldset".split())
        return f"<{tag}>{self._words(4)} {self._prose()}{self._words(6)}</{tag}>"

    def _form(self) -> str:
        return (
            f"<form><p>{self._words(5)} <select><option>{self._words(2)}</option></select> {self._words(3)}"
            f"<input value=x><button>{self._words(1)}</button></p><textarea>{self._words(9)}</textarea></form>"
        )

    def _lines(self) -> str:
        breaks = ("<br>", "<br><br>", "<br/>\n<br/>", "<b><br></b>")
        return "<div>" + "".join(self._sentence() + self._random.choice(breaks) for _ in range(5)) + "</div>"

    def _table(self) -> str:
        cells = "".join(f"<td>{self._sentence()}</td>" for _ in range(3))
        return f"<table><caption>{self._words(3)}</caption><tr>{cells}</tr></table>"

    def _figure(self) -> str:
        return f"<figure><img src=x><figcaption>{self._words(9)} &copy; {self._words(1)}</figcaption></figure>"


def kept_by_package(html: str, words: frozenset[str], **thresholds: float) -> list[str]:
    """Texts of the package's good paragraphs without white space."""
    found = package.justext(html, words, **thresholds)
    return ["".join(p.text.split()) for p in found if not p.is_boilerplate and p.text]


@pytest.mark.parametrize("seed", range(60))
def test_kept_paragraphs_are_the_packages(seed: int) -> None:
    html = PageWriter(seed).page()
    ours = ["".join(p.text.split()) for p in kept_paragraphs(parse(html), "en")]
    assert ours == kept_by_package(html, package.get_stoplist("English"))


def test_the_generated_pages_put_the_rules_to_the_test() -> None:
    kept = [len(kept_paragraphs(parse(PageWriter(seed).page()), "en")) for seed in range(60)]
    assert sum(count > 0 for count in kept) > 40
    assert len(set(kept)) > 8


@pytest.mark.parametrize("seed", range(10))
def test_without_a_stop_list_length_and_links_decide_as_on_the_packages_command_line(seed: int) -> None:
    html = PageWriter(seed).page()
    ours = ["".join(p.text.split()) for p in kept_paragraphs(parse(html), "zu")]
    assert ours == kept_by_package(html, frozenset(), stopwords_low=0, stopwords_high=0)


def test_chinese_prose_is_kept_though_its_paragraphs_have_few_characters() -> None:
    clause = "市政府昨天宣布将在河边修建一座新的图书馆，"
    page = parse("<p>首页</p>" + f"<p>{clause * 4}</p>" * 3 + "<p><a href=/>更多新闻</a></p>")
    assert len(kept_paragraphs(page)) == 3
