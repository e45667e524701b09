"""Log lines: without secrets and control characters, as text or as JSON.

In here: `records` masks and escapes every log line of a process. `json_lines` writes a record as one JSON object, and
`lines` makes a process and its children do so, and logs an error that repeats once. Not in here: reading the setting of
the format, and Scrapy's log handler (`newscrawl.crawling.runtime.log_setup`). Start with `lines`.
"""
