"""A process with a Dask cluster of its own, so that nothing of it stays in the process of the tests:
`python -m dask_child FOLDER FILE`, with the database and the archive of `reextract` in its environment. It prints what
it saw as one JSON object. The processes of the workers are forked from one that has imported Dask."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dask
from batch_child import CHAIN, OPTIONS
from click.testing import CliRunner
from distributed import LocalCluster, Security

from newscrawl.archive.batch.cluster.address import Certificates
from newscrawl.archive.batch.cluster.worker import capture_cluster, part_cluster
from newscrawl.archive.batch.parts import place_for_parts
from newscrawl.archive.batch.planning import files_at
from newscrawl.archive.batch.run import Batch, Engine
from newscrawl.archive.read import Archived
from newscrawl.cli.main import main
from newscrawl.errors import NewscrawlError
from newscrawl.model import Capture, Spot
from newscrawl.model.address_policy import AddressPolicy

SPAN = 500


class Seen(dict[str, Any]):
    """What the tests look at."""

    def refused(self, name: str, engine: AbstractContextManager[object]) -> None:
        """Notes why a cluster cannot be used."""
        try:
            with engine:
                self[name] = "not refused"
        except NewscrawlError as error:
            self[name] = [error.exit_code, str(error)]


def pids(cluster: LocalCluster) -> list[int]:
    """The processes of the workers."""
    return [nanny.process.pid for nanny in cluster.workers.values() if nanny.process is not None]


def work(folder: Path, file: str, name: str) -> Batch:
    """A batch of the file."""
    return Batch(
        files_at([file], AddressPolicy()), OPTIONS, place_for_parts(str(folder / name), make=True), span_bytes=SPAN
    )


def engine(
    batch: Batch, cluster: LocalCluster, certificates: Certificates, **changed: Any
) -> AbstractContextManager[Engine]:
    """The engine for a batch."""
    wanted = {"files": batch.files, "options": batch.options, "digest": batch.digest, **changed}
    place = wanted.pop("place", str(Path(batch.place.address)))
    return part_cluster(cluster.scheduler_address, certificates, place=place, **wanted)


def try_out(folder: Path, file: str, cluster: LocalCluster, certificates: Certificates, seen: Seen) -> None:
    """Runs batches, kills a worker, and stops the scheduler."""
    first = work(folder, file, "killed")
    seen.refused("version", engine(first, cluster, certificates, digest="0" * 16))
    seen.refused("place", engine(first, cluster, certificates, place=str(folder)))
    nowhere = Archived(
        str(folder), "a.warc.gz", 0, "u", None, "s", datetime.now(UTC), Capture("response", Spot(1, 0, 9))
    )
    seen.refused("archive", capture_cluster(cluster.scheduler_address, certificates, OPTIONS, nowhere))
    with engine(first, cluster, certificates) as workers:
        for step in first.run(workers):
            if step.parts == 1 and "killed" not in seen:
                seen["killed"] = (pid := pids(cluster)[0])
                os.kill(pid, signal.SIGKILL)
    seen["parts"] = [first.progress.parts, first.progress.spans, first.progress.rows]
    options = [
        "--tls-ca",
        certificates.authority,
        "--tls-cert",
        certificates.certificate,
        "--tls-key",
        certificates.key,
    ]
    command = ["batch", file, "--to", str(folder / "command"), "--on", cluster.scheduler_address, *map(str, options)]
    command += ["--languages", "en,pt", "--sites", "harbour.example", "--since", "2026-11-01", "--limit", "1000"]
    done = CliRunner().invoke(main, command, prog_name="newscrawl")
    seen["command"] = [done.exit_code, done.stdout, done.stderr]
    reextract(folder, [*map(str, options)], cluster, seen)
    second = work(folder, file, "stopped")
    began = time.monotonic()
    try:
        with engine(second, cluster, certificates) as workers:
            for step in second.run(workers):
                if step.parts == 1:
                    cluster.close()
    except NewscrawlError as error:
        seen["stopped"] = [error.exit_code, str(error)]
    seen["kept"] = [second.progress.parts, second.progress.spans]
    seen["seconds"] = time.monotonic() - began


def reextract(folder: Path, options: list[str], cluster: LocalCluster, seen: Seen) -> None:
    """Extracts captures of an archive again: some of them, then all with Ctrl-C, then all while the workers are
    killed."""
    command = ["reextract", "--chain", CHAIN, "--on", cluster.scheduler_address, *options]
    for name, selection in (("since", ["--since", "2026-11-01"]), ("limit", ["--limit", "2"])):
        done = CliRunner().invoke(main, [*command, *selection], prog_name="newscrawl")
        seen[name] = [done.exit_code, done.stdout, done.stderr]
    command += ["--apply", "--diff", str(folder / "diff.html")]
    for name, during in (
        ("interrupted", lambda: os.kill(os.getpid(), signal.SIGINT)),
        ("reextract", lambda: [os.kill(pid, signal.SIGKILL) for pid in pids(cluster)]),
    ):
        ended, acted = threading.Event(), threading.Event()
        watch = threading.Thread(target=once_busy, args=(cluster, ended, acted, during))
        watch.start()
        done = CliRunner().invoke(main, command, prog_name="newscrawl")
        ended.set()
        watch.join()
        seen[name] = [done.exit_code, done.stdout, done.stderr, acted.is_set()]


def once_busy(cluster: LocalCluster, ended: threading.Event, acted: threading.Event, act: Callable[[], object]) -> None:
    """Acts once a worker has work, unless `ended` is set before."""
    while not ended.wait(0.01):
        if any(state.processing for state in list(cluster.scheduler.workers.values())):
            acted.set()
            act()
            return


def certificates_in(folder: Path, security: Security) -> Certificates:
    """The temporary certificates as files."""
    texts = {"ca": security.tls_ca_file, "cert": security.tls_client_cert, "key": security.tls_client_key}
    for name, text in texts.items():
        (folder / f"{name}.pem").write_text(text)
    return Certificates(*(folder / f"{name}.pem" for name in texts))


if __name__ == "__main__":
    where, what = Path(sys.argv[1]), sys.argv[2]
    found, temporary = Seen(), Security.temporary()
    dask.config.set({"distributed.worker.daemon": False, "distributed.worker.multiprocessing-method": "forkserver"})
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, security=temporary, local_directory=str(where)
    ) as local:
        try_out(where, what, local, certificates_in(where, temporary), found)
    print(json.dumps(found))
