"""Pieces of mark-up in which scripts, styles, comments and broken tags meet."""

from __future__ import annotations

from typing import Final

PIECES: Final = (
    "<script>", "</script>", "<SCRIPT src=x defer>", "</script >", "</script/>", "<script/>", "</scripty>",
    "<script a=b/>", '<script type="application/ld+json">', "<script type=application/ld&#43;json>",
    "<script type='module' x=\"a>b\">", "<style>", "</style>", "<style media='>'>", "<style/>", "<style =>",
    "<style a = 'x' b>", "<title>", "</title>", "<textarea>", "</textarea>", "<iframe src=a>", "</iframe>",
    "<noscript>", "</noscript>", "<xmp>", "</xmp>", "<noframes>", "</noframes>", "<noembed>", "</noembed>", "<svg>",
    "</svg>", "<svg/>", "<math>", "</math>", "<select>", "</select>", "<option>", "<template>", "</template>",
    "<table>", "<tr>", "<td>", "</table>", "<plaintext>", "<frameset>", "<foreignObject>", "<head>", "</head>",
    "<body>", "</body>", "</html>", "<p>", "</p>", "<p class=\"a'b\">", "<a href=/x/>", "<a title='</script>'>",
    "</a title='>'>", "<div", "<br/>", "<h1>", "</h1>", "<!--", "-->", "--!>", "<!-->", "<!--->", "<!doctype html>",
    '<!DOCTYPE html PUBLIC "-//W3C">', "<![if IE]>", "<![endif]-->", "<![CDATA[", "]]>", "<!x>",
    "<?xml version='1.0'?>", "</>", "</ >", "</", "<", ">", "=", '"', "'", "/", " ", "a", "a b", "é",
    "x < y && z > 1", "&lt;", "if (a<b) {}", "p > a { b: 'c' }", "document.write('<script>x<\\/script>')",
    "<!-- <script> -->",
)  # fmt: skip
