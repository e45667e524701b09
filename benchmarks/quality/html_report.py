"""Writes a study as one HTML page with a plot a corpus and tables, and views of the worst pages.

The page loads nothing and runs no script. The views are in the folder NAME-pages beside NAME.html: the output of
`newscrawl explain` for our chains, and the text beside the gold text for every system.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.support.peers import PREFIX, system
from newscrawl.bench.corpora import GoldPage
from newscrawl.bench.measure import SystemFailed, read_case
from newscrawl.bench.report import markdown_report
from newscrawl.bench.scores import common_subsequence
from newscrawl.bench.study import CorpusStudy, Study
from newscrawl.extraction.article.extracted import extract
from newscrawl.extraction.explain.document import explain_html
from newscrawl.extraction.explain.style import text as escape

COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#000000")
"""Okabe and Ito's palette, which colour-blind people can distinguish."""
WIDTH: Final = 560
HEIGHT: Final = 420
LEFT: Final = 46
RIGHT: Final = 14
TOP: Final = 14
BOTTOM: Final = 40
MIN_SPAN: Final = 0.1
WORST: Final = 10
"""Number of pages that the report links to for each corpus and shown system."""

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
STYLE: Final = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 76rem; padding: 1rem; color: #1c1c1c }
h1 { font-size: 1.5rem } h2 { font-size: 1.25rem; margin-top: 2.5rem; border-bottom: 1px solid #ccc }
h3 { font-size: 1rem } .scroll { overflow-x: auto } nav a { margin-right: .8rem }
table { border-collapse: collapse; font-size: .85rem }
td, th { padding: .15rem .6rem; border-bottom: 1px solid #e4e4e4; text-align: right; white-space: nowrap }
td:first-child, th:first-child { text-align: left; position: sticky; left: 0; background: #fff }
th { border-bottom: 2px solid #999 } figure { margin: 0; max-width: 40rem }
svg { width: 100%; height: auto } .grid { stroke: #ddd; fill: none }
.tick { font-size: 11px; fill: #555 } .dot { font-size: 9px; text-anchor: middle; font-weight: 600 }
ol.legend { columns: 2; font-size: .82rem; padding-left: 1.6rem }
.swatch { display: inline-block; width: .8em; height: .8em; border-radius: 50%; margin-right: .35em }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem } .two p { margin: .4rem 0; padding: .1rem .4rem }
.lost { background: #fde3cf } .extra { background: #d9e9f7 }
"""


def write_html(study: Study, path: Path, *, heading: str, facts: Mapping[str, str], worst: int = WORST) -> None:
    """Writes the report to `path`, and views of pages beside it. The facts are shown at the top."""
    shown = _shown(study)
    folder = path.with_name(f"{path.stem}-pages")
    sections = []
    for corpus in study.corpora:
        links = {name: write_views(corpus, name, folder, worst) for name in shown} if corpus.texts else {}
        sections.append(_corpus_section(corpus, links, folder.name))
    listed = "".join(f"<li>{escape(name)}: {escape(value)}</li>" for name, value in facts.items())
    body = [
        f"<h1>{escape(heading)}</h1><ul>{listed}</ul>",
        "<nav>" + "".join(f'<a href="#{escape(c.name)}">{escape(c.name)}</a>' for c in study.corpora) + "</nav>",
        *sections,
        "<h2>All tables</h2>",
        as_html(markdown_report(study)),
    ]
    path.write_text(document(heading, "\n".join(body)), encoding="utf-8")


def write_views(corpus: CorpusStudy, name: str, folder: Path, worst: int) -> list[tuple[GoldPage, float, list[str]]]:
    """Writes views of the worst pages of a system. Returns each page, its F1 and the names of its files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number, (page, f1) in enumerate(corpus.worst(name, worst), 1):
        stem = re.sub(r"[^\w.+-]", "-", f"{corpus.name}-{name}-{number:02}")
        files = []
        if not name.startswith(PREFIX):
            explained = explain_html(extract(page.body(), page.url, chain=name))
            files.append(_written(folder / f"{stem}.html", explained))
        files.append(_written(folder / f"{stem}-texts.html", texts_html(page, name)))
        written.append((page, f1, files))
    return written


def texts_html(page: GoldPage, name: str) -> str:
    """Returns the gold text beside a system's text. Lines that only one of them has are marked."""
    try:
        output, note = system(name)(read_case(page)), ""
    except SystemFailed as failure:
        output, note = "", f"<p>{escape(str(failure))}</p>"
    gold, given = _lines(page.text), _lines(output)
    in_gold, in_given = set(common_subsequence(gold, given)), set(common_subsequence(given, gold))
    title = f"{page.id}: {name}"
    return document(
        title,
        f"<h1>{escape(title)}</h1><p>{escape(page.url or '')}</p>{note}<div class='two'>"
        f"<div><h2>Gold</h2>{_paragraphs(gold, in_gold, 'lost')}</div>"
        f"<div><h2>{escape(name)}</h2>{_paragraphs(given, in_given, 'extra')}</div></div>",
    )


def document(title: str, body: str) -> str:
    """Returns an HTML page that loads nothing."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def as_html(markdown: str) -> str:
    """Converts the headings, paragraphs and tables of our Markdown into HTML."""
    parts = []
    for block in markdown.split("\n\n"):
        lines = block.strip().split("\n")
        if lines[0].startswith("#"):
            parts.append(f"<h3>{_inline(lines[0].lstrip('# '))}</h3>")
        elif lines[0].startswith("|"):
            head, _, *rows = [_cells(line) for line in lines]
            parts.append(
                f'<div class="scroll"><table>{_row(head, "th")}{"".join(_row(r, "td") for r in rows)}</table></div>'
            )
        else:
            parts.append(f"<p>{_inline(' '.join(lines))}</p>")
    return "\n".join(parts)


def _shown(study: Study) -> tuple[str, ...]:
    """Systems whose worst pages are shown: the one that others are compared with, our best, and the best peer."""
    chosen = [study.against] if study.against in study.systems else []
    for is_peer in (False, True):
        names = [name for name in study.systems if name.startswith(PREFIX) == is_peer]
        if names:
            chosen.append(max(names, key=lambda name: _mean_f1(study, name)))
    return tuple(dict.fromkeys(chosen))


def _mean_f1(study: Study, name: str) -> float:
    return sum(corpus.results[name].shingles.f1 for corpus in study.corpora)


def _corpus_section(
    corpus: CorpusStudy, links: Mapping[str, list[tuple[GoldPage, float, list[str]]]], folder: str
) -> str:
    head = f'<h2 id="{escape(corpus.name)}">{escape(corpus.name)}: {len(corpus.measured)} pages</h2>'
    if not corpus.texts:
        return f"{head}<p>Snippets only: see the table below.</p>"
    ordered = sorted(corpus.results.items(), key=lambda item: -item[1].shingles.f1)
    points = {name: (result.shingles.precision, result.shingles.recall) for name, result in ordered}
    plot = f"<figure>{precision_recall(points)}<figcaption>{_legend(points, corpus)}</figcaption></figure>"
    worst = [_worst_table(name, pages, folder) for name, pages in links.items() if pages]
    return "".join([head, plot, *worst])


def _legend(names: Iterable[str], corpus: CorpusStudy) -> str:
    items = "".join(
        f'<li><span class="swatch" style="background: {colour(n)}"></span>{escape(name)} '
        f"({corpus.results[name].shingles.f1:.3f})</li>"
        for n, name in enumerate(names)
    )
    return f'<ol class="legend">{items}</ol>'


def _worst_table(name: str, pages: Sequence[tuple[GoldPage, float, list[str]]], folder: str) -> str:
    rows = []
    for page, f1, files in pages:
        labels = ["explain", "texts"] if len(files) > 1 else ["texts"]
        links = " ".join(
            f'<a href="{escape(folder)}/{escape(file)}">{label}</a>' for file, label in zip(files, labels, strict=True)
        )
        rows.append(f"<tr><td>{escape(page.domain or page.id)}</td><td>{f1:.3f}</td><td>{links}</td></tr>")
    head = f"<h3>Worst pages of {escape(name)}</h3>"
    return (
        f'{head}<div class="scroll"><table><tr><th>site</th><th>F1</th><th>view</th></tr>{"".join(rows)}</table></div>'
    )


def _written(path: Path, content: str) -> str:
    path.write_text(content, encoding="utf-8")
    return path.name


def _lines(text: str) -> list[str]:
    return [line for raw in text.splitlines() if (line := " ".join(raw.split()))]


def _paragraphs(lines: Sequence[str], same: set[int], kind: str) -> str:
    return "".join(f"<p{'' if n in same else f' class={kind!r}'}>{escape(line)}</p>" for n, line in enumerate(lines))


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def _row(cells: Sequence[str], kind: str) -> str:
    return "<tr>" + "".join(f"<{kind}>{_inline(cell)}</{kind}>" for cell in cells) + "</tr>"


def _inline(text: str) -> str:
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))
    return re.sub(r"\*\*([^*]*)\*\*", r"<b>\1</b>", text)


@dataclass(frozen=True, slots=True)
class Axis:
    """Converts values to coordinates."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Returns about five round values of the axis."""
        step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 1.0) if (self.high - self.low) / s <= 6)
        first = math.ceil(self.low / step - 1e-9)
        return [n * step for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def colour(index: int) -> str:
    """Returns the colour of the system at this position in the legend."""
    return COLOURS[index % len(COLOURS)]


def precision_recall(points: Mapping[str, tuple[float, float]]) -> str:
    """Returns a numbered dot for each system (a ring for a peer). Numbers are positions in
    `points`."""
    recalls, precisions = [r for _, r in points.values()], [p for p, _ in points.values()]
    across = Axis(*_range(recalls), LEFT, WIDTH - RIGHT)
    up = Axis(*_range(precisions), HEIGHT - BOTTOM, TOP)
    parts = [_frame(across, up, "recall", "precision")]
    for index, (name, (precision, recall)) in enumerate(points.items()):
        fill = "#fff" if name.startswith(PREFIX) else colour(index)
        ink = colour(index) if name.startswith(PREFIX) else "#fff"
        label = f"{name}: precision {precision:.3f}, recall {recall:.3f}"
        parts.append(
            f'<g transform="translate({across(recall):.1f} {up(precision):.1f})"><title>{escape(label)}</title>'
            f'<circle r="8" fill="{fill}" stroke="{colour(index)}" stroke-width="2"/>'
            f'<text class="dot" fill="{ink}" y="3.2">{index + 1}</text></g>'
        )
    return _svg("Precision against recall, a dot a system", parts)


def _range(values: Sequence[float]) -> tuple[float, float]:
    low = math.floor((min(values, default=0.0) - 0.01) * 50) / 50
    return max(0.0, min(low, 1 - MIN_SPAN)), 1.0


def _frame(across: Axis, up: Axis, below: str, beside: str) -> str:
    parts = []
    for value in across.ticks():
        x = across(value)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{up.start:.1f}" y2="{up.end:.1f}"/>')
        parts.append(f'<text class="tick" text-anchor="middle" x="{x:.1f}" y="{up.start + 16:.1f}">{value:.2f}</text>')
    for value in up.ticks():
        y = up(value)
        parts.append(f'<line class="grid" x1="{across.start:.1f}" x2="{across.end:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="tick" text-anchor="end" x="{LEFT - 6}" y="{y + 4:.1f}">{value:.2f}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<text class="tick" text-anchor="middle" x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 6}">{below}</text>')
    parts.append(
        f'<text class="tick" text-anchor="middle" transform="translate(11 {middle}) rotate(-90)">{beside}</text>'
    )
    return "".join(parts)


def _svg(label: str, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>'
