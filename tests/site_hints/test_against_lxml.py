"""The evaluation of paths gives what libxml2 gives, on drawn trees and drawn paths."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from newscrawl.page import parse
from newscrawl.page.parse import parse_tree
from newscrawl.site_hints.matching import matches
from newscrawl.site_hints.page_index import PageIndex
from newscrawl.site_hints.selectors import read_selector

NAMES = st.sampled_from(["div", "p", "section", "article"])
CLASSES = st.sampled_from(["", " class=a", " class='a b'", " class='b' id=x", " id=y"])


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> str:
    name = draw(NAMES)
    inner = [] if not depth or name == "p" else draw(st.lists(trees(depth - 1), max_size=3))
    return f"<{name}{draw(CLASSES)}>{draw(st.sampled_from(['', 'one', 'two three']))}{''.join(inner)}</{name}>"


CONDITIONS = st.sampled_from(
    [
        "[1]",
        "[2]",
        "[last()]",
        "[position()>1]",
        "[@class]",
        "[@class='a']",
        "[contains(@class, 'b')]",
        "[starts-with(@class, 'a')]",
        "[not(@id)]",
        "[@id and @class]",
        "[@id or p]",
        "[p]",
        "[.//p]",
        "[div/p]",
        "[../p]",
        "[following-sibling::p]",
        "[preceding-sibling::*[@class]]",
        "[ancestor::section]",
        "[not(.//p[@class])]",
        "[@class != 'a']",
        "[div/@class='b']",
    ]
)
STEPS = st.builds(
    lambda sign, name, conditions: f"{sign}{name}{''.join(conditions)}",
    st.sampled_from(["/", "//"]),
    st.sampled_from(["div", "p", "section", "*"]),
    st.lists(CONDITIONS, max_size=2),
)
FURTHER = STEPS | st.sampled_from(
    ["/..", "/following-sibling::*", "/preceding-sibling::p", "/ancestor::div", "/ancestor-or-self::*", "/self::div"]
)
PATHS = st.builds(
    lambda first, more: f"/{first}{''.join(more)}".replace("///", "//"), STEPS, st.lists(FURTHER, max_size=3)
)


@given(st.lists(trees(), min_size=1, max_size=3).map(lambda parts: f"<body>{''.join(parts)}</body>"), PATHS)
def test_paths_match_the_elements_that_libxml2_matches(html: str, path: str) -> None:
    page = parse(html)
    root, _ = parse_tree(html.encode())
    nodes = list(root.iter(etree.Element))
    assert len(nodes) == len(page.elements)
    numbers = {node: number for number, node in enumerate(nodes)}
    expected = sorted(numbers[node] for node in root.getroottree().xpath(path))
    assert matches(PageIndex(page), *read_selector(path).paths) == expected
