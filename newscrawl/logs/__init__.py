"""Log lines: without secrets and control characters, as text or as JSON.

In here: `records` masks and escapes every log line of a process. `json_lines` writes a record as one JSON object, and
`lines` makes a process and its children do so. Not in here: which format an operator wants, and Scrapy's log handler
(`newscrawl.crawling.runtime.log_setup`). Start with `lines`.
"""
