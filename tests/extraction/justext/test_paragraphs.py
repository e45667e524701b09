"""jusText's segmentation, compared with the package's on small pages."""

from __future__ import annotations

import justext as package
import pytest

from newscrawl.extraction.justext import make_paragraphs
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
