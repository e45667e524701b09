"""Reads the sources of a spider's site: feeds, sitemaps, sections and front pages.

In here: `source_reader` requests the sources of a crawl and stores their answers; `front_page` compares what a site
shows with what its sources name; `site_reader` prepares an answer for its worker, and reads a whole site for `newscrawl
add-site` and `check --live`; `source_answers` is for projects written before. Not in here: the choice of the sources
and their budgets (`crawling.spider.crawl_plan`) and the formats of their documents (`newscrawl.discovery`).
Start with `source_reader`.
"""
