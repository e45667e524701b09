"""Loads and checks the compiled walk. Without it, page.walk is used. Says whether the compiled core is in use."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final, Protocol

from lxml import etree

from newscrawl.compiled import BYTES, KERNELS, TREE, Core, load, loaded
from newscrawl.page.elements import Attributes, Elements
from newscrawl.page.head import (
    Head,
    Link,
    Marked,
    numbers_of,
    read_head,
    read_headline,
    read_links,
    read_marked,
    read_scripts,
    text_before,
)
from newscrawl.page.run import TextRun
from newscrawl.page.runs import make_runs
from newscrawl.page.walk import walk

_SAMPLE: Final = (
    "<!DOCTYPE html><html lang='de'><head><title> A  title </title><meta name='Author' content=' B '>"
    "<link rel='Canonical' href='/c'><base href='/d'><script type='application/ld+json'>{}</script><main>out</head>"
    "<body class='x é'><h1>Head <b>line<script>no</script></b></h1>"
    "<p>One\u00a0two <a href='/e' rel='author'>three - four</a> five<br><br>"
    "six</p><!-- no --><?no ?><p>\u00a0</p><div hidden>7 漢字 <i> </i>|<svg><title>s</title></svg></div>"
    "<p class='Byline'><span></span>&amp; &unknown; \u2028 end</p><noscript><img src=x>no</noscript><select><option>o"
    "</select><p>1<sup>2<i>3</i></sup>4<sub>\u22125</sub> \u0661<sup><a id=t>\u0662</a></sup>"
    "<ruby>漢<rt>kan</rt></ruby>字<wbr>x"
    "<b style=font-size:0>a b<i class=c>d</i><u style=font-size:9px>e</u></b><p style=text-indent:-99em>f</p>"
    "<table><tr><td>t<td>u</table></body></html>tail"
).encode()
"""A page with many kinds of content."""


class CompiledTree(Protocol):
    """The interface of `_tree.Tree`. Each method gives the same result as the function of that name in `head`, `walk`
    or `runs`."""

    def __len__(self) -> int: ...
    @property
    def unseen(self) -> int: ...
    def walk(self, elements: Elements) -> tuple[tuple[TextRun, ...], tuple[tuple[int, int], ...]]: ...
    def attributes(self, element: int) -> dict[str, str]: ...
    def values(self, element: int, keys: tuple[str, ...]) -> tuple[str | None, ...] | None: ...
    def head(self) -> Head: ...
    def headline(self) -> str | None: ...
    def language(self) -> str | None: ...
    def marked(self) -> tuple[Marked, ...]: ...
    def scripts(self) -> tuple[str, ...]: ...
    def links(self, start: int = 0, end: int | None = None) -> tuple[Link, ...]: ...
    def marked_text(self, element: int) -> str: ...
    def numbers(self, nodes: list[Any]) -> list[int]: ...
    def text_before(self, element: int) -> str: ...


def gather(root: Any) -> dict[str, Any]:
    """Returns all results of the reference for a tree, for comparison."""
    walked = walk(root)
    elements = Elements(walked.parents, walked.tags, Attributes(walked.nodes, attributes_of))
    runs = make_runs(walked.gathered, elements)
    return _seen(elements, runs, tuple(walked.spacers)) | {
        "unseen": walked.unseen,
        "numbers": numbers_of(walked, list(root.iter())),
        "texts before": list(map(text_before, walked.nodes)),
        "head": read_head(walked),
        "headline": read_headline(walked),
        "marked": read_marked(walked),
        "scripts": read_scripts(walked),
        "links": read_links(walked),
    }


def gather_compiled(module: ModuleType, root: Any) -> dict[str, Any]:
    """Returns all results of a compiled module for a tree."""
    tree, elements = module.Tree(root), Elements()
    runs, spacers = tree.walk(elements)
    elements.attributes = Attributes(range(len(tree)), tree.attributes, tree.values)
    return _seen(elements, runs, spacers) | {
        "unseen": tree.unseen,
        "numbers": tree.numbers(list(root.iter())),
        "texts before": [tree.text_before(element) for element in range(len(tree))],
        "head": tree.head(),
        "headline": tree.headline(),
        "marked": tree.marked(),
        "scripts": tree.scripts(),
        "links": tree.links(),
    }


def attributes_of(node: Any) -> dict[str, str]:
    """Returns the attributes of an element of lxml."""
    return dict(node.items())


def _seen(elements: Elements, runs: Any, spacers: Any) -> dict[str, Any]:
    # Read before the comparison of elements, which reads all attributes.
    return {
        "values": [elements.values(element, ("id", "class", "rel")) for element in range(len(elements))],
        "elements": elements,
        "runs": [(*run[:-2], *run.counted_code[1:], run.code, run.hidden, run.blanks) for run in runs],
        "spacers": spacers,
    }


def _check(module: ModuleType) -> str | None:
    version = etree.LIBXML_VERSION[:2]
    if version != module.COMPILED_FOR or etree.LIBXML_COMPILED_VERSION[:2] != version:
        built = ".".join(map(str, module.COMPILED_FOR))
        return f"built for libxml2 {built}, lxml has {'.'.join(map(str, version))}: install newscrawl again"
    # Like the parser of `segment`: without nodes for comments and processing instructions.
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    root = etree.fromstring(_SAMPLE, parser)
    found = gather_compiled(module, root)
    wrong = [name for name, value in gather(root).items() if found[name] != value]
    return f"gives other {' and '.join(wrong)} than the reference" if wrong else None


CORE: Final[Core] = load(TREE, _check)


def why_not_compiled() -> str:
    """Returns why a compiled module is not used; "" if all are."""
    reasons = dict.fromkeys(core.reason for core in (CORE, loaded(BYTES), loaded(KERNELS)) if core.module is None)
    return "; ".join(reasons)


def describe_core() -> str:
    """Returns a sentence on whether the compiled core is in use."""
    reason = why_not_compiled()
    return f"no compiled core ({reason})" if reason else "compiled core in use"
