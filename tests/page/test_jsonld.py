"""JSON-LD as sites really write it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.page.jsonld import MAX_OBJECTS, parse_json_ld

SOUND: list[tuple[str, str, list[dict[str, Any]]]] = [
    ("one object", '{"@type":"NewsArticle","headline":"A"}', [{"@type": "NewsArticle", "headline": "A"}]),
    ("an array", '[{"a":1},{"b":2}]', [{"a": 1}, {"b": 2}]),
    ("nested arrays", '[[{"a":1}],[[{"b":2}]]]', [{"a": 1}, {"b": 2}]),
    ("a graph", '{"@context":"https://schema.org","@graph":[{"a":1},{"b":2}]}', [{"a": 1}, {"b": 2}]),
    ("a graph of one", '{"@graph":{"a":1}}', [{"a": 1}]),
    ("a graph inside an array", '[{"@graph":[{"a":1}]},{"b":2}]', [{"a": 1}, {"b": 2}]),
    ("an object with a graph of its own", '{"a":1,"@graph":[{"b":2}]}', [{"a": 1, "@graph": [{"b": 2}]}, {"b": 2}]),
    ("values that are no objects", '["a",1,null,{"a":1}]', [{"a": 1}]),
    ("no object at all", '"a"', []),
    ("null", "null", []),
    ("an empty object", "{}", []),
    ("nothing", "", []),
    ("white space", " \n ", []),
]

BROKEN: list[tuple[str, str, list[dict[str, Any]]]] = [
    ("a raw line break in a string", '{"a":"one\ntwo\tthree"}', [{"a": "one\ntwo\tthree"}]),
    ("a control character in a string", '{"a":"one\x07two",}', [{"a": "one\x07two"}]),
    ("a trailing comma in an object", '{"a":"b",}', [{"a": "b"}]),
    ("a trailing comma in an array", '{"a":["b","c",],}', [{"a": ["b", "c"]}]),
    ("a doubled comma", '{"a":1,,"b":2}', [{"a": 1, "b": 2}]),
    ("a missing comma", '{"a":"b"\n"c":"d"}', [{"a": "b", "c": "d"}]),
    ("a comment around it", '<!--\n{"a":"b"}\n-->', [{"a": "b"}]),
    ("CDATA around it", '<![CDATA[{"a":"b"}]]>', [{"a": "b"}]),
    ("commented CDATA around it", '//<![CDATA[\n{"a":"b"}\n//]]>', [{"a": "b"}]),
    ("commented CDATA on one line", '//<![CDATA[ {"a":"b"} //]]>', [{"a": "b"}]),
    ("block-commented CDATA", '/*<![CDATA[*/{"a":"b"}/*]]>*/', [{"a": "b"}]),
    ("comments inside", '{"a":"b", // note\n /* more */ "c":"d"}', [{"a": "b", "c": "d"}]),
    ("addresses with slashes", '{"a":"https://example.com/*x*/",}', [{"a": "https://example.com/*x*/"}]),
    ("quotes written as entities", "{&quot;a&quot;:&quot;b&quot;}", [{"a": "b"}]),
    ("quotes written as numbers", "{&#34;a&#34;:&#34;b&#34;}", [{"a": "b"}]),
    ("unescaped quotes inside a string", '{"a":"the "b", they say","c":1}', [{"a": 'the "b", they say', "c": 1}]),
    ("an unescaped quote at the end", '{"a":"they say "b"","c":1}', [{"a": 'they say "b"', "c": 1}]),
    ("an escaped apostrophe", '{"a":"it\\\'s"}', [{"a": "it's"}]),
    ("a backslash before nothing known", '{"a":"C:\\dir"}', [{"a": "C:dir"}]),
    ("escapes in a broken object", '{"a":"\\u00e9\\n\\"x\\"\\ud83d\\ude00",}', [{"a": 'é\n"x"😀'}]),
    ("keys without quotes", '{a:"b", @type:"c"}', [{"a": "b", "@type": "c"}]),
    ("a semicolon after it", '{"a":"b"};', [{"a": "b"}]),
    ("two objects in a row", '{"a":1}{"b":2}', [{"a": 1}, {"b": 2}]),
    ("two objects with a comma", '{"a":1},\n{"b":2}', [{"a": 1}, {"b": 2}]),
    ("cut off in a string", '{"a":"b","c":"and the', [{"a": "b"}]),
    ("cut off after a key", '{"a":"b","c":', [{"a": "b"}]),
    ("cut off in a key", '{"a":"b","c', [{"a": "b"}]),
    ("cut off in an inner object", '{"a":{"b":[{"c":"d"', [{"a": {"b": [{"c": "d"}]}}]),
    ("a superfluous bracket", '{"a":"b"}}]', [{"a": "b"}]),
    ("the wrong bracket", '{"a":["b"},"c":"d"}', [{"a": ["b"]}]),
    ("NaN and infinity", '{"a":NaN,"b":-Infinity,"c":1e999}', [{"a": None, "b": None, "c": None}]),
    ("NaN in a broken object", '{"a":NaN,"b":1e999,"c":2.5,}', [{"a": None, "b": None, "c": 2.5}]),
    ("a number of 5,000 digits", '{"a":' + "9" * 5_000 + "}", [{"a": None}]),
    ("such a number in a broken object", '{"a":' + "9" * 5_000 + ",}", [{"a": None}]),
    ("a script that is no JSON", "window.dataLayer = window.dataLayer || [];", []),
    ("single quotes", "{'a':'b'}", []),
    ("a template not filled in", '{"a":{{ article.title }},"b":"c"}', [{"a": {}, "b": "c"}]),
]


@pytest.mark.parametrize(("script", "objects"), [c[1:] for c in SOUND], ids=[c[0] for c in SOUND])
def test_sound_scripts_give_their_objects_in_order(script: str, objects: list[dict[str, Any]]) -> None:
    assert parse_json_ld(script) == objects


@pytest.mark.parametrize(("script", "objects"), [c[1:] for c in BROKEN], ids=[c[0] for c in BROKEN])
def test_broken_scripts_give_what_can_be_saved(script: str, objects: list[dict[str, Any]]) -> None:
    assert parse_json_ld(script) == objects


@pytest.mark.parametrize("script", ["[" * 100_000, '{"a":' * 100_000, '{"a":[' * 50_000 + "1" + "]}" * 50_000])
def test_depth_never_raises(script: str) -> None:
    parse_json_ld(script)


def test_the_number_of_objects_is_bounded() -> None:
    assert len(parse_json_ld(json.dumps([{"a": 1}] * (MAX_OBJECTS + 50)))) == MAX_OBJECTS


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.dictionaries(st.text().filter(lambda key: key != "@graph"), JSON, min_size=1, max_size=5))
def test_any_sound_object_survives_a_trailing_comma(value: dict[str, Any]) -> None:
    if not value.keys() - {"@context"}:
        return
    (read,) = parse_json_ld(json.dumps(value)[:-1] + ",}")
    assert read.keys() == value.keys()


@settings(deadline=None)
@given(st.text(alphabet='{}[]",:\\/*<>!-&;tnu01 \n\x00é'))
def test_no_string_raises(script: str) -> None:
    assert isinstance(parse_json_ld(script), list)


SHAPES = {
    "quotes": '" ',
    "open objects": '{"a":',
    "open and closed": '{"a":1},',
    "wrong brackets": '{"a":[}',
    "comments": "/*",
    "slashes": "// ",
    "backslashes": "\\",
    "blanks and a quote": '"' + " " * 500,
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_time_is_linear_in_the_scripts_size(shape: str, doubling: Callable[..., None]) -> None:
    doubling(parse_json_ld, lambda size: '{"x":"' + shape * (size // len(shape)), 100_000)
