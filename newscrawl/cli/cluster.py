"""Options of commands that extract on the workers of a Dask scheduler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from newscrawl.errors import UsageError

if TYPE_CHECKING:
    from newscrawl.batch.cluster.address import Certificates

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ChosenCluster:
    """The scheduler that an operator named, and the files of its certificates."""

    address: str
    authority: Path | None
    certificate: Path | None
    key: Path | None

    def check(self, workers: int | None) -> None:
        """Raises UsageError for an address that must not be used, without Dask, and beside `--workers`."""
        from newscrawl.batch.cluster.address import checked_address
        from newscrawl.batch.cluster.cluster import require_dask

        if workers is not None:
            raise UsageError("--workers is for this machine; with --on, the cluster has its own workers")
        require_dask()
        checked_address(self.address)

    @property
    def certificates(self) -> Certificates:
        """The certificates."""
        from newscrawl.batch.cluster.address import Certificates

        return Certificates(self.authority, self.certificate, self.key)


def cluster_options(command: Callable[..., T]) -> Callable[..., T]:
    """Decorator: the options `--on` and `--tls-...`, as the argument `cluster`: a ChosenCluster, None without --on."""

    @wraps(command)
    def with_cluster(
        *args: Any, on: str | None, tls_ca: Path | None, tls_cert: Path | None, tls_key: Path | None, **options: Any
    ) -> T:
        chosen = ChosenCluster(on, tls_ca, tls_cert, tls_key) if on is not None else None
        return command(*args, cluster=chosen, **options)

    added = (
        click.option("--on", metavar="ADDRESS", help="Extract on the workers of this Dask scheduler: tls://HOST:8786."),
        click.option("--tls-ca", type=click.Path(path_type=Path), help="Certificate authority of the scheduler (PEM)."),
        click.option("--tls-cert", type=click.Path(path_type=Path), help="Certificate of this client (PEM)."),
        click.option("--tls-key", type=click.Path(path_type=Path), help="Key of this client's certificate (PEM)."),
    )
    for option in reversed(added):
        with_cluster = option(with_cluster)
    return with_cluster
