"""A bound on the memory of the processes that read pages."""

from __future__ import annotations

import resource
from typing import Final

LEAST_MEMORY_MB: Final = 512
"""Address space that a worker needs for itself: Python, lxml, numpy and the language model."""


def limit_memory(limit: int) -> None:
    """An allocation of this process beyond `limit` bytes of address space raises MemoryError from now on, instead of
    taking the machine down."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
