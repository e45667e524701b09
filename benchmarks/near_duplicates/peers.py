"""Other methods to find near-duplicates, on the same texts: SimHash, and MinHash bands of datasketch and rensa."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from newscrawl.identity.segmentation import mixed
from newscrawl.identity.signature import shingles

Found = tuple[str, set[tuple[int, int]]]
"""A threshold as text, and the pairs found at it."""

DISTANCES: Final = (3, 6, 9, 12)
"""Bits; 3 of 64 is what Manku, Jain and Das Sarma chose for the web (2007)."""
THRESHOLDS: Final = (0.5, 0.7)
PERMUTATIONS: Final = 128
_BLOCK: Final = 512


def simhash(texts: Sequence[str]) -> Iterator[Found]:
    """Charikar's fingerprint of 64 bits over the same shingles, all pairs compared."""
    prints = np.array([_simhash(text) for text in texts], dtype=np.uint64)
    near: list[list[np.ndarray[Any, Any]]] = [[] for _ in DISTANCES]
    for start in range(0, len(prints), _BLOCK):
        distances = np.bitwise_count(prints[start : start + _BLOCK, None] ^ prints[None, :])
        for kept, limit in zip(near, DISTANCES, strict=True):
            rows = np.argwhere(distances <= limit)
            rows[:, 0] += start
            kept.append(rows[rows[:, 0] < rows[:, 1]])
    for kept, limit in zip(near, DISTANCES, strict=True):
        yield f"{limit} bits", set(map(tuple, np.concatenate(kept).tolist()))


def _simhash(text: str) -> int:
    hashes = mixed(shingles(text))
    bits = (hashes[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    return int((2 * bits.sum(axis=0) > len(hashes)) @ (np.uint64(1) << np.arange(64, dtype=np.uint64)))


def datasketch(texts: Sequence[str]) -> Iterator[Found]:
    """MinHash of 128 permutations in bands, answers checked against the signature's own estimate."""
    from datasketch import MinHash, MinHashLSH

    rows = ([value.to_bytes(8, "big") for value in shingles(text).tolist()] for text in texts)
    made = list(MinHash.generator(rows, num_perm=PERMUTATIONS))
    for threshold in THRESHOLDS:
        index = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
        found = set()
        for place, one in enumerate(made):
            found.update((other, place) for other in index.query(one) if made[other].jaccard(one) >= threshold)
            index.insert(place, one, check_duplication=False)
        yield f"{threshold:g}", found


def rensa(texts: Sequence[str]) -> Iterator[Found]:
    """The same of rensa's R-MinHash, whose shingles are the words in rows of four."""
    from rensa import RMinHash, RMinHashLSH

    made = []
    for text in texts:
        one = RMinHash(num_perm=PERMUTATIONS, seed=42)
        one.update([str(value) for value in shingles(text).tolist()])
        made.append(one)
    for threshold, bands in ((0.5, 32), (0.7, 16)):
        index = RMinHashLSH(threshold=threshold, num_perm=PERMUTATIONS, num_bands=bands)
        found = set()
        for place, one in enumerate(made):
            found.update((other, place) for other in index.query(one) if made[other].jaccard(one) >= threshold)
            index.insert(place, one)
        yield f"{threshold:g}", found


PEERS: Final[Mapping[str, Callable[[Sequence[str]], Iterator[Found]]]] = {
    "simhash": simhash,
    "datasketch": datasketch,
    "rensa": rensa,
}
