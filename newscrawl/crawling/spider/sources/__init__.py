"""Reads the sources of a spider's site: feeds, sitemaps, sections and front pages.

In here: `source_spider` is the layer of a spider that requests sources and stores their answers; `source_reader` passes
an answer to a worker, within the limits of `source_budget`; `source_answers` prepares the answer and reads its headers;
`front_page_comparison` and `source_coverage` search for articles that no source lists; `site_reader` reads a whole
site, for `newscrawl add-site` and `check --live`. Not in here: the choice of the sources (`crawling.spider.crawl_plan`)
and the formats of their documents (`newscrawl.discovery`). Start with `source_spider`.
"""
