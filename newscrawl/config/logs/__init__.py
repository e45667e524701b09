"""What is written to logs and terminals: without secrets and control characters, log lines as text or as JSON.

In here: `lines` masks and escapes every log line of a process and its children, as text or as one JSON object, and logs
an error that repeats once. `terminal` escapes what is printed to a terminal, `console` makes rich's tables and progress
bars there. Not in here: reading the setting of the format, and Scrapy's log handler
(`newscrawl.crawling.runtime.log_setup`). Start with `lines`.
"""
