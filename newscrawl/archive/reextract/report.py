"""Writes the report of a reextraction as one self-contained HTML page: the changes by site, and the worst cases."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape
from itertools import pairwise
from typing import Final

from newscrawl.archive.reextract.tally import BOUNDS, CHANGED, LABELS, Lengths, ReextractedPage, SiteTally, Tally
from newscrawl.model.wording import counted

MAX_PIECES: Final = 2_500
"""Words of a text that are compared one by one; difflib takes quadratic time."""

MAX_PAIRS: Final = 100_000
"""Most pairs of equal words in a comparison. difflib scans them again for each match. Two versions of an article of
2,500 words have about 50,000; a text that repeats itself has millions, and is shown as replaced."""

_STYLE: Final = """
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:1280px;padding:0 1rem;color:#1b1b1b;background:#fff}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.25rem .6rem;border-bottom:1px solid #ddd;text-align:right}
th:first-child,td:first-child{text-align:left}th{vertical-align:bottom;font-weight:600;max-width:9rem}
.changed{background:#fff4d6}.bad{background:#fde2e0}
details{border:1px solid #ccc;border-radius:6px;margin:.6rem 0;padding:.4rem .8rem}summary{cursor:pointer}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:1.5rem}.sides>div{overflow-wrap:anywhere;min-width:0}
del{background:#fbd0cc;text-decoration:none}ins{background:#cdeccf;text-decoration:none}
.text{white-space:pre-wrap;font-size:14px}.muted{color:#666}.bars{display:flex;align-items:flex-end;gap:3px;height:60px}
.bars span{width:14px;display:flex;align-items:flex-end;gap:1px;height:100%}.bars i{width:6px;display:block}
.old{background:#8a9bb5}.new{background:#d98a2b}
@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}.changed{background:#4a3d14}.bad{background:#532420}
del{background:#6d2a25}ins{background:#23522a}th,td{border-color:#444}.muted{color:#999}}
"""


def html(tally: Tally, chain: str, now: datetime, *, applied: bool) -> str:
    """Returns the report."""
    sites = sorted(tally.sites.values(), key=lambda site: (-site.changed, site.site))
    pages = sum(site.pages for site in sites)
    changed = sum(site.changed for site in sites)
    pages_of_sites = f"{counted(pages, 'archived page')} of {counted(len(sites), 'site')}"
    done = "The new extractions are stored." if applied else "Nothing is stored yet: <code>--apply</code> does it."
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>Reextraction</title>",
        '<meta name=viewport content="width=device-width"><style>',
        _STYLE,
        "</style>",
        f"<h1>Reextraction with {escape(chain)}</h1>",
        f"<p>{pages_of_sites}, {changed} of them would change. {done}",
        f"<span class=muted>{now:%Y-%m-%d %H:%M} UTC</span></p><p>{escape(_advice(sites))}</p>",
        _site_table(sites),
        _withdrawn_table(tally, applied=applied),
        "<h2>Worst cases</h2>",
        "<p>At most five a site. Red is only in the text as stored, green only in the new one.</p>",
        *(_case(number, case) for number, case in enumerate(tally.cases(), 1)),
        "" if tally.cases() else "<p>None: no text changes.</p>",
        "</html>",
    ]
    return "\n".join(parts)


def _advice(sites: Sequence[SiteTally]) -> str:
    """Returns the site to check first."""
    losing = [site for site in sites if site.kinds["lost"] or site.kinds["other"]]
    if not losing:
        return "No article is lost or replaced by another text."
    worst = max(losing, key=lambda site: site.kinds["lost"] + site.kinds["other"])
    number = worst.kinds["lost"] + worst.kinds["other"]
    return (
        f"Look at {worst.site} first: {number} of its {counted(worst.pages, 'page')} lose their article or "
        "get another text. "
        "A page whose text cannot be extracted keeps the stored article; one that is of another kind now loses it."
    )


def _site_table(sites: Sequence[SiteTally]) -> str:
    kinds = [kind for kind in LABELS if any(site.kinds[kind] for site in sites)]
    head = "".join(f"<th>{escape(LABELS[kind])}</th>" for kind in kinds)
    rows = []
    for site in sites:
        cells = []
        for kind in kinds:
            number = site.kinds[kind]
            look = "" if not number or kind not in CHANGED else "bad" if kind in {"lost", "other"} else "changed"
            cells.append(f"<td class='{look}'>{number or ''}</td>")
        lengths = f"<td>{site.before.mean:.0f} → {site.after.mean:.0f}</td><td>{_bars(site.before, site.after)}</td>"
        why = ", ".join(f"{kind} {number}" for kind, number in site.failures.most_common(3))
        rows.append(
            f"<tr><td>{escape(site.site)}</td><td>{site.pages}</td>{''.join(cells)}{lengths}<td>{escape(why)}</td></tr>"
        )
    return (
        f"<table><tr><th>Site</th><th>pages</th>{head}<th>mean characters</th><th>lengths before "
        f"<i class=old>&ensp;</i> and after <i class=new>&ensp;</i></th><th>why lost</th></tr>{''.join(rows)}</table>"
    )


def _withdrawn_table(tally: Tally, *, applied: bool) -> str:
    """The articles whose pages are of another kind now, by verdict."""
    if not tally.withdrawn:
        return ""
    done = "were withdrawn" if applied else "would be withdrawn"
    rows = "".join(
        f"<tr><td>{escape(verdict)}</td><td>{one.articles}</td><td>{'<br>'.join(map(escape, one.examples))}</td></tr>"
        for verdict, one in tally.withdrawn_kinds()
    )
    return (
        f"<h2>No articles under the new verdicts</h2><p>These stored articles {done}: their pages are of another kind."
        f"</p><table><tr><th>verdict</th><th>articles</th><th>first addresses</th></tr>{rows}</table>"
    )


def _bars(before: Lengths, after: Lengths) -> str:
    most = max(1, *before.counts, *after.counts)
    bars = []
    for number, (old, new) in enumerate(zip(before.counts, after.counts, strict=True)):
        label = f"from {BOUNDS[number]} characters: {old} before, {new} after"
        heights = [("old", 100 * old / most), ("new", 100 * new / most)]
        pair = [f"<i class={name} style='height:{height:.0f}%'></i>" for name, height in heights]
        bars.append(f"<span title='{label}'>{''.join(pair)}</span>")
    return f"<div class=bars>{''.join(bars)}</div>"


def _case(number: int, case: ReextractedPage) -> str:
    difference = case.difference
    old, new = _marked(case.old_text, case.new_text)
    what = f" ({escape(difference.what)})" if difference.what else ""
    summary = (
        f"{number}. <b>{escape(case.site)}</b>: {escape(LABELS[difference.kind])}{what}, "
        f"{difference.old_length} → {difference.new_length} characters, {difference.similarity:.0%} alike"
    )
    return (
        f"<details{' open' if number <= 3 else ''}><summary>{summary}<br><code>{escape(case.url)}</code></summary>"
        f"<div class=sides><div><h3>Stored <span class=muted>{escape(case.old_extractor)}</span></h3>"
        f"<p><b>{escape(case.old_title)}</b></p><div class=text>{old}</div></div>"
        f"<div><h3>New <span class=muted>{escape(case.new_extractor)}</span></h3>"
        f"<p><b>{escape(case.new_title)}</b></p><div class=text>{new}</div></div></div></details>"
    )


def _marked(old: str, new: str) -> tuple[str, str]:
    """Returns both texts as HTML, with the differences marked."""
    first, second = _pieces(old), _pieces(new)
    left: list[str] = []
    right: list[str] = []
    for tag, begin, end, other_begin, other_end in _steps(first[:MAX_PIECES], second[:MAX_PIECES]):
        one, other = escape("".join(first[begin:end])), escape("".join(second[other_begin:other_end]))
        left.append(one if tag == "equal" or not one else f"<del>{one}</del>")
        right.append(other if tag == "equal" or not other else f"<ins>{other}</ins>")
    left.append(escape("".join(first[MAX_PIECES:])))
    right.append(escape("".join(second[MAX_PIECES:])))
    return "".join(left), "".join(right)


def _steps(first: Sequence[str], second: Sequence[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """Yields difflib's steps from one text to the other. With too many equal words, everything between the common
    beginning and the common end is one step."""
    least = min(len(first), len(second))
    start = next((n for n in range(least) if first[n] != second[n]), least)
    same = next((n for n in range(least - start) if first[-1 - n] != second[-1 - n]), least - start)
    end, other_end = len(first) - same, len(second) - same
    changed, by = first[start:end], second[start:other_end]
    before, after = Counter(changed), Counter(by)
    yield "equal", 0, start, 0, start
    if sum(times * after[word] for word, times in before.items()) > MAX_PAIRS:
        yield "replace", start, end, start, other_end
    else:
        matcher: difflib.SequenceMatcher[str] = difflib.SequenceMatcher(None, changed, by, autojunk=False)
        for tag, a_from, a_to, b_from, b_to in matcher.get_opcodes():
            yield tag, start + a_from, start + a_to, start + b_from, start + b_to
    yield "equal", end, len(first), other_end, len(second)


def _pieces(text: str) -> list[str]:
    """Splits a text into words, each with the blanks after it; scripts without blanks into small groups of
    characters."""
    return [piece for word in _words(text) for piece in _cut(word)]


def _words(text: str) -> Iterator[str]:
    begins = [n for n, sign in enumerate(text) if not sign.isspace() and (n == 0 or text[n - 1].isspace())]
    if not begins or begins[0] != 0:
        begins.insert(0, 0)
    yield from (text[begin:end] for begin, end in pairwise([*begins, len(text)]))


def _cut(word: str) -> Iterator[str]:
    yield from (word[begin : begin + 20] for begin in range(0, len(word), 20))
