"""Ratios of content to mark-up along a page, smoothed, and their clusters: what CETR, DANAg and Dragnet compute.

Features for a page, one value a line and spread over its runs:

    lines = lines_of(page.runs)                         # newscrawl.extraction.lines
    smoothed, change = tag_ratios(lines)                # CETR's two dimensions, both smoothed
    content = outside_origin(smoothed, change)          # CETR's decision: True away from the cluster at the origin
    excess = code_excess(lines)                         # DANAg's diff: text minus code, over three lines
    per_run(lines, excess, len(page.runs), 0.0)         # newscrawl.extraction.lines: one value a run

Everything is pure, deterministic and linear in the number of lines; empty input gives empty output. numpy is imported
when first needed.

Sources: Weninger, Hsu, Han, "CETR - Content Extraction via Tag Ratios", WWW 2010; Mohammadzadeh, Gottron, Schweiggert,
Nakhaeizadeh, "Extracting the Main Content of Web Documents Based on a Naive Smoothing Method", KDIR 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from newscrawl.extraction.lines import TextLine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

SIGMA: Final = 1.0
"""Standard deviation, in lines, of the Gaussian kernel that smooths ratios. The value is that of Dragnet's source."""
REACH: Final = 4
"""Standard deviations after which the kernel ends; its weight beyond is below 0.0004."""
AHEAD: Final = 3
"""CETR, section 3.3: a line's ratio is compared with the mean of the next three."""
CLUSTERS: Final = 3
"""CETR, section 4: k-means with three clusters, one of them fixed at the origin."""
ROUNDS: Final = 50
"""The most rounds of k-means, so that time stays linear. Corpus pages converge in far fewer."""


def tag_ratios(lines: Sequence[TextLine]) -> tuple[Values, Values]:
    """Returns, for every line, its smoothed ratio of text to tags, and its absolute change in the lines ahead."""
    import numpy as np

    ratios = np.array([line.length / max(line.tags, 1) for line in lines], dtype=np.float64)
    smoothed = gaussian(ratios)
    return smoothed, changes(smoothed)


def changes(smoothed: Values, ahead: int = AHEAD) -> Values:
    """Returns the absolute, smoothed difference of each value and the mean of the next `ahead` ones; past the end is
    0."""
    import numpy as np

    sums = np.concatenate(([0.0], np.cumsum(np.concatenate((smoothed, np.zeros(ahead))))))
    count = len(smoothed)
    means = (sums[ahead + 1 : ahead + 1 + count] - sums[1 : 1 + count]) / ahead
    return gaussian(np.abs(means - smoothed))


def gaussian(values: Values, sigma: float = SIGMA) -> Values:
    """Returns values averaged with their neighbours under a Gaussian kernel; at both ends the last value is
    repeated."""
    import numpy as np

    reach = max(1, round(REACH * sigma))
    places = np.arange(-reach, reach + 1)
    kernel = np.exp(-(places**2) / (2 * sigma**2))
    if not len(values):
        return values
    return np.convolve(np.pad(values, reach, mode="edge"), kernel / kernel.sum(), mode="valid")


def outside_origin(*features: Values, clusters: int = CLUSTERS, rounds: int = ROUNDS) -> NDArray[np.bool_]:
    """Returns which points are not in the cluster at the origin: k-means with one centre fixed there.

    The paper starts from random centres. Here the others start at even steps on the way to the point furthest from the
    origin, so that the same page always gives the same clusters. Ties go to the lower centre.
    """
    import numpy as np

    points: Values = np.column_stack(features)
    if not len(points):
        return np.zeros(0, dtype=bool)
    furthest = points[np.argmax((points**2).sum(axis=1))]
    centres = np.outer(np.arange(clusters) / (clusters - 1), furthest)
    nearest = _nearest(points, centres)
    for _ in range(rounds):
        for cluster in range(1, clusters):
            members = points[nearest == cluster]
            if len(members):
                centres[cluster] = members.mean(axis=0)
        moved = _nearest(points, centres)
        if (moved == nearest).all():
            break
        nearest = moved
    outside: NDArray[np.bool_] = nearest > 0
    return outside


def code_excess(lines: Sequence[TextLine]) -> list[int]:
    """Returns the characters of text minus those of code, of each line with the ones above and below it (formula 1 of
    DANAg)."""
    return smoothed_excess([line.length - line.code for line in lines])


def smoothed_excess(differences: Sequence[int]) -> list[int]:
    """Returns the sum of every number with the ones before and after it."""
    padded = [0, *differences, 0]
    return [sum(padded[i : i + 3]) for i in range(len(differences))]


def _nearest(points: Values, centres: Values) -> NDArray[np.intp]:
    """Returns each point's closest centre."""
    distances: Values = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    nearest: NDArray[np.intp] = distances.argmin(axis=1)
    return nearest
