"""A process that ingests one file, to be killed: `python -m ingest_child DATABASE FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

from newscrawl.archive.ingest.inputs import find_inputs
from newscrawl.archive.ingest.run import Ingest
from newscrawl.archive.ingest.worker import Settings
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.storage.store import open_store


def main() -> None:
    database, file = sys.argv[1:]
    with open_store(database, upgrade=False) as store:
        for _ in Ingest(store, find_inputs([Path(file)]), Settings(ArticleOptions(), workers=2, batch_size=5)).run():
            pass


if __name__ == "__main__":
    main()
