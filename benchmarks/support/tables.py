"""Results as Markdown tables and as JSON, and the tables of the seed paper for comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from newscrawl.bench.quality.measure import Result
from newscrawl.bench.scoring.scores import Summary

PAPER: Final = "Viveros-Jiménez et al. 2018"

PAPER_SYSTEMS: Final[dict[str, str]] = {
    "boilerpipe-article": "Boilerpipe",
    "justext": "Justext",
    "classic": "Ours",
    **{f"boilerpipe-article+tree{depth}": f"depth {depth}" for depth in range(1, 6)},
}
"""Which of our systems the paper's rows are closest to."""

PAPER_FIGURES: Final[dict[str, tuple[tuple[float, float, float], tuple[float, float, float]]]] = {
    "Boilerpipe": ((0.83, 0.98, 0.90), (0.76, 0.92, 0.83)),
    "Justext": ((0.86, 0.93, 0.89), (0.85, 0.84, 0.84)),
    "Ours": ((0.97, 0.93, 0.95), (0.95, 0.84, 0.89)),
    "depth 1": ((0.97, 0.92, 0.94), (0.96, 0.82, 0.89)),
    "depth 2": ((0.97, 0.93, 0.95), (0.95, 0.84, 0.89)),
    "depth 3": ((0.91, 0.95, 0.92), (0.90, 0.88, 0.89)),
    "depth 4": ((0.90, 0.95, 0.92), (0.87, 0.88, 0.87)),
    "depth 5": ((0.89, 0.95, 0.91), (0.85, 0.89, 0.87)),
}
"""Its tables 1 and 2: P, R, F for Spanish and for English, over characters, on its own 3,400 articles."""


def corpus_table(results: Mapping[str, Result]) -> str:
    """A row for each system. Columns over characters only if they were measured."""
    chosen: dict[str, Callable[[Result], Summary]] = {
        "": lambda result: result.shingles,
        "1-char ": lambda result: result.single,
        "char ": lambda result: result.characters,
    }
    kinds = [kind for kind, of in chosen.items() if any(of(result).pages for result in results.values())]
    header = ["system"]
    for kind in kinds:
        header += [f"{kind}P", f"{kind}R", f"{kind}F1"] + (["page F1", "empty"] if not kind else [])
    header += ["paper es P/R/F", "paper en P/R/F"]
    rows = []
    for name, result in results.items():
        row = [f"`{name}`"]
        for kind in kinds:
            summary = chosen[kind](result)
            row += [_three(summary.precision), _three(summary.recall), f"**{_three(summary.f1)}**"]
            if not kind:
                row += [_three(summary.mean_f1), str(summary.empty)]
        rows.append([*row, *_paper_cells(name)])
    return markdown(header, rows)


def overview_table(corpora: Mapping[str, Mapping[str, Result]]) -> str:
    """F1 of every system on every corpus, the best of each column in bold."""
    names = list(dict.fromkeys(name for results in corpora.values() for name in results))
    best = {corpus: max(result.shingles.f1 for result in results.values()) for corpus, results in corpora.items()}
    rows = []
    for name in names:
        cells = [_three(results[name].shingles.f1) if name in results else "" for results in corpora.values()]
        marks = [_three(best[corpus]) for corpus in corpora]
        rows.append([f"`{name}`", *(f"**{c}**" if c == mark else c for c, mark in zip(cells, marks, strict=True))])
    return markdown(["F1", *corpora], rows)


def as_json(corpora: Mapping[str, Mapping[str, Result]]) -> dict[str, Any]:
    """The same figures for programs."""
    return {
        corpus: {
            name: {kind: value for kind, value in asdict(result).items() if isinstance(value, dict) and value["pages"]}
            for name, result in results.items()
        }
        for corpus, results in corpora.items()
    }


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def one_line(summary: Summary) -> str:
    """A summary for a terminal."""
    return (
        f"P {summary.precision:.3f}  R {summary.recall:.3f}  F1 {summary.f1:.3f}  page F1 {summary.mean_f1:.3f}  "
        f"empty {summary.empty}/{summary.pages}"
    )


def _paper_cells(name: str) -> list[str]:
    figures = PAPER_FIGURES.get(PAPER_SYSTEMS.get(name, ""))
    return ["/".join(f"{value:.2f}"[1:] for value in language) for language in figures] if figures else ["", ""]


def _three(value: float) -> str:
    return "1.000" if value >= 0.9995 else f"{value:.3f}"[1:]
