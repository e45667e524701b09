"""What a spider does with the sources of its site: feeds, sitemaps, sections and front pages.

In here: `source_reader` has an answer read in a worker, within what `source_budget` allows; `source_answers` prepares
the answer and reads its headers; `front_page_comparison` and `source_coverage` look for articles that no source names;
`site_reader` reads a whole site, for `newscrawl add-site` and `check --live`. Not in here: which sources a crawl reads
(`crawling.spider.crawl_plan`) and what the documents say (`newscrawl.discovery`). Start with `source_reader`.
"""
