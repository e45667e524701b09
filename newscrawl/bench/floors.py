"""Floors: the least figures by corpus and chain, in a file under version control.

    {"naeb": {"digest": "...", "systems": {"classic": {"precision": 0.925, "recall": 0.88, "f1": 0.905}}}}

The digest identifies the pages and gold texts of the floors; they are invalid for others. Floors are rounded down to a
multiple of `STEP`, so one or two pages may change. `--update-floors` raises them. A floor is lowered only with
`--lower`, so that this is deliberate and visible in the file's history.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from newscrawl.bench.measure import Result
from newscrawl.bench.study import CorpusStudy
from newscrawl.errors import UsageError

STEP: Final = 0.005
PAGE_DEVIATION: Final = 0.2
"""Standard deviation of a page's F1 on the news corpora (measured .17 to .23)."""
FIGURES: Final = ("precision", "recall", "f1")
SNIPPETS: Final = "snippets_f1"


@dataclass(frozen=True, slots=True)
class CorpusFloors:
    """Floors of one corpus."""

    digest: str
    systems: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


Floors = Mapping[str, CorpusFloors]


def read_floors(path: Path) -> dict[str, CorpusFloors]:
    """Returns the floors in a file, empty if it does not exist. Raises UsageError if it is no file of floors."""
    if not path.is_file():
        return {}
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {name: CorpusFloors(row["digest"], row["systems"]) for name, row in rows.items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(f"{path} is no file of floors: {error}; see docs/how-to/benchmark.md") from error


def write_floors(path: Path, floors: Floors) -> None:
    """Writes the floors in sorted order, so that differences are small."""
    rows = {name: {"digest": row.digest, "systems": dict(row.systems)} for name, row in floors.items()}
    path.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def allowance(sample: int | None) -> float:
    """Returns the amount by which floors are lowered for a sample: two standard errors of its mean; 0 for all pages."""
    return 2 * PAGE_DEVIATION / math.sqrt(sample) if sample else 0.0


def missed(corpora: Sequence[CorpusStudy], floors: Floors, *, sample: int | None = None) -> list[str]:
    """Returns one line for every missed floor, and for every corpus that differs from that of its floors."""
    failures = []
    for corpus in corpora:
        known = floors.get(corpus.name)
        if known is None:
            continue
        if known.digest != corpus.corpus.digest:
            failures.append(
                f"{corpus.name} differs from the corpus of its floors: get that one, or make new floors with "
                "--update-floors --lower"
            )
            continue
        for name, limits in known.systems.items():
            failures += _missed(corpus.name, name, corpus.results.get(name), limits, allowance(sample))
    return failures


def updated(corpora: Sequence[CorpusStudy], floors: Floors, chains: Sequence[str], *, lower: bool) -> dict[str, Any]:
    """Returns the floors after this run, for `chains` and all systems that have floors. Raises UsageError if one would
    fall without `lower`."""
    found = dict(floors)
    for corpus in corpora:
        known = floors.get(corpus.name, CorpusFloors(corpus.corpus.digest))
        if known.digest != corpus.corpus.digest and not lower:
            raise UsageError(f"{corpus.name} differs from the corpus of its floors: add --lower to replace them")
        names = dict.fromkeys([*known.systems, *chains])
        systems = {
            name: _raised(corpus.name, name, corpus.results[name], known.systems.get(name, {}), lower=lower)
            for name in names
            if name in corpus.results
        }
        kept = {name: limits for name, limits in known.systems.items() if name not in systems}
        found[corpus.name] = CorpusFloors(corpus.corpus.digest, {**kept, **systems})
    return found


def figures(result: Result) -> dict[str, float]:
    """Returns the figures that have floors: precision, recall and F1 over shingles, F over snippets."""
    found = {name: getattr(result.shingles, name) for name in FIGURES} if result.shingles.pages else {}
    return {**found, **({SNIPPETS: result.snippets.f1} if result.snippets else {})}


def _raised(corpus: str, name: str, result: Result, old: Mapping[str, float], *, lower: bool) -> dict[str, float]:
    raised = {}
    for figure, value in figures(result).items():
        new = math.floor(value / STEP + 1e-9) * STEP
        floor = old.get(figure, 0.0)
        # Both are rounded down, so a value in the same step as its floor has not fallen.
        if new < floor - 1e-9 and not lower:
            raise UsageError(
                f"{corpus}: {figure} of {name} would fall from {floor:.3f} to {new:.3f}: find out why, or add --lower"
            )
        raised[figure] = round(new, 3)
    return raised


def _missed(corpus: str, name: str, result: Result | None, limits: Mapping[str, float], allowed: float) -> list[str]:
    if result is None:
        return []
    found = figures(result)
    return [
        f"{corpus}: {figure} of {name} is {found.get(figure, 0.0):.3f}, floor {floor:.3f}"
        for figure, floor in limits.items()
        if found.get(figure, 0.0) < floor - allowed
    ]
