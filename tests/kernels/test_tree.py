"""The compiled walk gives the result of the reference, and no code depends on it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from patience import PATIENCE

from newscrawl import compiled
from newscrawl.bench.speed import SHAPES
from newscrawl.demo import DemoSite
from newscrawl.page import compiled as page_compiled
from newscrawl.page import parse
from newscrawl.page.compiled import CORE, gather, gather_compiled
from newscrawl.page.decode import decode
from newscrawl.page.parse import parse_tree, reference, walk_tree
from newscrawl.page.tags import TAG_NAMES
from newscrawl.page.walk import walk

needs_core = pytest.mark.skipif(CORE.module is None, reason=f"no compiled core: {CORE.reason}")

TEXTS = (
    "word two words\u00a0\u2003 \n\t \x1c \u0085 \u2028 | - — … 漢字 ひらがな ไทย été Ελλάς \U0001f600 \U00020001 "
    "5 \u22127 -8 \u0663 &nbsp; &amp; "
    "&unknown; &#0; &#xD800; &#x80; ] < ]]> \u200b \u0130 K - - a-b 12% () [] :: ..... \u3000 \ufeff"
).split(" ")
ATTRIBUTES = (
    "class=Byline",
    'class="x ÉDATE"',
    "class='author-box' id=i",
    "class",
    "itemprop=name",
    "itemprop",
    "rel=author href=/a",
    "rel='Canonical Next' href=' /b '",
    "href=''",
    "href=/c?a=1&amp;b=2",
    "name=Author content=' x '",
    "property=og:title content=t",
    "http-equiv=content-language content=fr",
    "name=a property=b content",
    "type=application/ld+json",
    "lang=el",
    "xml:lang=pt",
    "hidden",
    "onclick=x",
    "target=_self",
    "role=button",
    "style='display : none'",
    "a='1' a='2' xlink:href=d é=ü",
)
PLAIN = (
    "<!-- c -->",
    "<!doctype html>",
    "<?php x ?>",
    "<![CDATA[ x ]]>",
    "<!>",
    "</>",
    "<",
    "\0",
    "\x01",
    "\ufffe",
    "<svg:g>",
    "<o:p>",
)

tag = st.sampled_from([*TAG_NAMES[1:], "html", "head", "body", "custom-tag", "TITLE", "plaintext", "xmp"])
piece = st.one_of(
    st.tuples(st.sampled_from(TEXTS), st.sampled_from([" ", "", "\n"])).map("".join),
    st.tuples(tag, st.lists(st.sampled_from(ATTRIBUTES), max_size=2)).map(lambda t: f"<{' '.join([t[0], *t[1]])}>"),
    tag.map(lambda name: f"</{name}>"),
    st.sampled_from(["a", "br", "p", "div", "b", "script", "head", "meta"]).map(lambda name: f"<{name}>"),
    st.sampled_from(PLAIN),
)


def both(html: bytes) -> tuple[object, object]:
    """What the reference and what the compiled core give, None for no tree."""
    root, _ = parse_tree(html)
    if root is None:
        return None, None
    assert CORE.module is not None
    return gather(root), gather_compiled(CORE.module, root)


@needs_core
@settings(max_examples=examples(400), deadline=None)
@given(st.lists(piece, max_size=60).map("".join))
def test_it_gives_the_same_on_any_page(html: str) -> None:
    expected, found = both(decode(html).data)
    assert found == expected


@needs_core
@settings(max_examples=examples(50), deadline=None)
@given(st.binary(max_size=300))
def test_it_gives_the_same_on_any_bytes(html: bytes) -> None:
    expected, found = both(decode(html).data)
    assert found == expected


@needs_core
def test_it_gives_the_same_on_the_demo_site() -> None:
    site = DemoSite()
    for story in site.stories:
        html = decode(site.answer("GET", story.path).body).data
        expected, found = both(html)
        assert found == expected
        root, _ = parse_tree(html)
        assert walk_tree(root) == reference(walk(root))


@needs_core
@pytest.mark.parametrize("shape", SHAPES)
def test_it_gives_the_same_on_hostile_pages(shape: str) -> None:
    expected, found = both(SHAPES[shape](20_000).encode())
    assert found == expected


@needs_core
@pytest.mark.parametrize(
    "html",
    [
        "<b>" * 3_000 + "deep" + "<p>" * 3_000 + "deeper",
        "<p>x" * 20_000,
        "<br>" * 100_000,
        "<a>x</a> " * 50_000,
        "<title>t</title>" * 20_000,
        "<head>" * 1_000 + "<meta name=a content=b>" * 1_000 + "<main>" * 1_000 + "x",
        "<script type=application/ld+json>" + "{" * 100_000,
        "<p class='" + "author " * 30_000 + "'>x",
        "x" * 1_000_000,
        " \u00a0" * 100_000,
        "漢" * 100_000,
        "",
    ],
    ids=[
        "deeply nested",
        "paragraphs",
        "line breaks",
        "links",
        "titles",
        "heads",
        "broken script",
        "long attribute",
        "one word",
        "blanks",
        "no blanks",
        "nothing",
    ],
)
def test_it_gives_the_same_on_pages_without_measure(html: str) -> None:
    expected, found = both(decode(html).data)
    assert found == expected


@needs_core
def test_it_leaves_unusual_trees_to_the_reference() -> None:
    """Comments, instructions and entities never become nodes here, since the parser is told to drop them."""
    assert CORE.module is not None
    for html in ("<p>a<!-- b -->c", "<p>a<?b?>c"):
        with pytest.raises(CORE.module.Unusual):
            gather_compiled(CORE.module, etree.fromstring(html, etree.HTMLParser()))
    root: Any = etree.fromstring("<p>x", etree.HTMLParser())
    root[0][0].append(etree.Entity("b"))
    with pytest.raises(CORE.module.Unusual):
        gather_compiled(CORE.module, root)


@needs_core
def test_a_page_outlives_its_tree() -> None:
    """Attributes, links and marked elements are read from the parser's nodes later on."""
    pages = [parse(f"<h1 class=c{i}>t{i}</h1><a href=/{i}>l{i}</a>".encode()) for i in range(200)]
    for i, page in enumerate(pages):
        assert page.elements.attributes.all()[2] == {"class": f"c{i}"}
        assert [(link.href, link.text) for link in page.links] == [(f"/{i}", f"l{i}")]
        assert [marked.text for marked in page.hints.marked] == [f"t{i}"]
    assert CORE.module is not None
    with pytest.raises(IndexError):
        CORE.module.Tree(etree.fromstring("<p>", etree.HTMLParser())).attributes(0)


@pytest.mark.skipif(compiled.is_forbidden(), reason="pure Python is asked for")
@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")
@pytest.mark.skipif(not Path(sysconfig.get_path("include"), "Python.h").is_file(), reason="no Python.h")
def test_it_is_there_where_it_can_be() -> None:
    """If it says `built from other sources`: `make test` installs newscrawl again, which builds it."""
    assert CORE.reason == ""


def test_the_environment_can_forbid_it() -> None:
    script = "import newscrawl.page.compiled as c, newscrawl.page as p; print(c.CORE, p.parse('<p>x').runs[0].text)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, compiled.FORBIDS: "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout == "Core(module=None, reason='NEWSCRAWL_PURE is set') x\n"


def test_a_module_that_gives_something_else_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(compiled.FORBIDS, raising=False)
    name = "newscrawl.page._tree"
    monkeypatch.setitem(sys.modules, name, _module(SOURCES=compiled.digest(name)))
    assert compiled.load(name, lambda _: "gives other runs").reason == "gives other runs"
    assert compiled.load(name, lambda module: str(module.missing)).reason.startswith("AttributeError: ")
    assert compiled.load(name, lambda _: None).module is not None


def _module(**values: object) -> ModuleType:
    module = ModuleType("newscrawl.page._tree")
    vars(module).update(vars(SimpleNamespace(**values)))
    return module


def test_a_module_that_is_refused_is_logged(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.delenv(compiled.FORBIDS, raising=False)
    name = "newscrawl.page._tree"
    monkeypatch.setitem(sys.modules, name, _module(SOURCES="others"))
    assert compiled.load(name, lambda _: None).module is None
    (line,) = caplog.messages
    assert line.startswith("the compiled module newscrawl.page._tree is not used, ")
    assert line.endswith("built from other sources: install newscrawl again")
    assert caplog.records[0].levelname == "WARNING"


def test_whether_it_is_in_use_is_told_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    cores = dict.fromkeys((compiled.BYTES, compiled.KERNELS), compiled.Core(ModuleType("core")))
    monkeypatch.setattr(page_compiled, "CORE", cores[compiled.BYTES])
    monkeypatch.setattr(page_compiled, "loaded", cores.__getitem__)
    assert page_compiled.describe_core() == "compiled core in use"
    cores[compiled.KERNELS] = compiled.Core(None, compiled.OTHER_SOURCES)
    assert page_compiled.describe_core() == f"no compiled core ({compiled.OTHER_SOURCES})"
