"""The worker process of `extract_many`: reads a page, extracts it, and answers with its record."""

from __future__ import annotations

import pickle
import time
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from multiprocessing.connection import Connection

from newscrawl.article.extracted import extract
from newscrawl.article.make import ArticleOptions
from newscrawl.article.record import PageRecord
from newscrawl.batch.page_input import GivenPage
from newscrawl.errors import ExtractionError
from newscrawl.model import Failure
from newscrawl.processes.forkserver import requests
from newscrawl.workers.extraction_worker import Computed
from newscrawl.workers.page_task import guarded

TOO_LARGE = "extraction/memory"


@dataclass(frozen=True, slots=True)
class PageTask:
    """The task that is the same for all pages: the options, and the time after which dates are refused (None for
    now)."""

    options: ArticleOptions
    fetched_at: datetime | None = None

    def record(self, given: GivenPage) -> PageRecord | Failure:
        """Returns the record of the page, or the failure to read it."""
        html = given.read()
        if isinstance(html, Failure):
            return html
        options = self.options
        extracted = extract(
            html,
            given.url,
            None,
            options.chain,
            chains=options.chains,
            limits=options.limits,
            fetched_at=self.fetched_at,
            extractors=options.extractors,
            verdict_rules=options.verdict_rules,
            hints=options.hints,
            boilerplate=options.boilerplate,
        )
        return PageRecord.of(extracted)

    def outcome(self, given: GivenPage, memory: int) -> Computed[PageRecord]:
        """Returns `record`, with any error as a failure. `memory` is the limit of this process in bytes, for the
        message."""
        begun = time.process_time()
        found, defect = guarded(partial(self.record, given), memory, TOO_LARGE, ExtractionError.code)
        value, failure = (None, found) if isinstance(found, Failure) else (found, None)
        return Computed(value, failure, time.process_time() - begun, defect)


def serve(pipe: Connection, task: PageTask, memory: int) -> None:
    """Answers each page with its outcome until the pipe is closed."""
    for given in requests(pipe):
        pipe.send_bytes(pickle.dumps(task.outcome(given, memory), pickle.HIGHEST_PROTOCOL))
