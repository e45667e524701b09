"""Makes a ProcessedPage of each RawPage: extraction in a worker process, then the review gate.

While a site's extraction looks broken, the review gate (newscrawl.monitoring.review_gate) tries other chains on a
suspect page. If none reads the page well, the page waits for review.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, Self

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler

from newscrawl.config.derived.article_options import options_of
from newscrawl.config.per_site import hints_of
from newscrawl.config.reading import config_of
from newscrawl.crawling.runtime.site_session import SiteSession
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model import ProcessedPage, RawPage
from newscrawl.monitoring.review_gate import ReviewGate, review_gate_of
from newscrawl.storage.monitoring import site_models
from newscrawl.workers.extraction_pool import ExtractionPool
from newscrawl.workers.processes import failpoints

_FIELDS = tuple(field.name for field in fields(RawPage))


class ExtractPipeline:
    """Sends pages with a body to the extraction workers; an unchanged page (304) passes as it is.

    The workers may be shared by many sites: `options` are those of this crawl's site, None for the workers' own.
    """

    def __init__(
        self, pool: ExtractionPool, gate: ReviewGate | None = None, options: ArticleOptions | None = None
    ) -> None:
        self._pool = pool
        self._gate = gate
        self._options = options

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        services, config = SiteSession.of(crawler).services, config_of(crawler.settings)
        wanted = options_of(config)
        hints = hints_of(f"site {crawler.spidercls.name!r}", crawler.spidercls)
        if hints is not None:
            wanted = replace(wanted, hints=hints)
        if wanted.leaves_out_boilerplate:
            with services.store.reading() as connection:
                wanted = wanted.with_boilerplate(site_models.boilerplate(connection, str(crawler.spidercls.name)))
        options = None if wanted == services.pool.options else wanted
        count: Callable[[str], object] = crawler.stats.inc_value if crawler.stats is not None else lambda _: None
        gate = review_gate_of(config, services.store, services.pool, count, options)
        return cls(services.pool, gate, options)

    async def process_item(self, item: Any) -> ProcessedPage:
        raw = as_raw_page(item)
        if raw.body is None:
            return ProcessedPage(raw)
        page = await self._pool.extract(raw, self._options)
        failpoints.hit(failpoints.AFTER_EXTRACTION)
        return page if self._gate is None else await self._gate.look(raw, page)


def as_raw_page(item: Any) -> RawPage:
    """Returns `item` as a RawPage; an operator's own class or dict works if it has RawPage's fields."""
    if isinstance(item, RawPage):
        return item
    adapter = ItemAdapter(item)
    return RawPage(**{name: adapter[name] for name in _FIELDS if name in adapter})
