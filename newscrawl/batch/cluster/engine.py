"""Makes parts on the workers of a Dask scheduler (extra `dask`). Parts go from the workers to their place, and only
their numbers come back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Self

from newscrawl.batch.cluster.address import Certificates
from newscrawl.batch.cluster.cluster import Cluster
from newscrawl.batch.cluster.worker import Look, attempt, look
from newscrawl.batch.parts import PartResult, PartSpan, PartTask
from newscrawl.batch.planning import BatchFile
from newscrawl.batch.spans import SpanOptions


class DaskEngine:
    """The workers of a scheduler as an engine of a batch (`run.Engine`). A context manager, as is Cluster, whose errors
    it raises."""

    def __init__(
        self,
        address: str,
        certificates: Certificates,
        files: Sequence[BatchFile],
        options: SpanOptions,
        digest: str,
        place: str,
    ) -> None:
        wanted = Look(tuple(files), options, digest, place)
        self._cluster: Cluster[PartTask, PartResult] = Cluster(address, certificates, partial(look, wanted), attempt)

    def __enter__(self) -> Self:
        self._cluster.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._cluster.__exit__()

    def has_room(self) -> bool:
        """Returns whether a worker would begin the span soon."""
        return self._cluster.has_room()

    def is_busy(self) -> bool:
        """Returns whether a span is not done yet."""
        return self._cluster.is_busy()

    def give(self, task: PartTask) -> None:
        """Sends a span to the scheduler."""
        self._cluster.give(task, task.span.part(task.digest))

    def done(self) -> Iterator[tuple[PartSpan, PartResult | str]]:
        """Yields the spans that were done since the last call; see `run.Engine`."""
        for task, outcome in self._cluster.done():
            yield task.span, outcome

    def state(self) -> str:
        """Returns the number of workers."""
        return self._cluster.state()
