"""Explains the text extracted from a page: shows every run of the page with the decisions of each step of the chain.

In here: `document` writes the HTML page of `newscrawl explain`; `steps` runs a chain's steps again and keeps their
reasons, `trace` has the reasons of one step; `boilerpipe`, `justext`, `learned`, `ratios` and `tree` explain one kind
of step each; `runs`, `style` and `markup` write the result. Not in here: the extractors (`newscrawl.extraction`). Start
with `document`.

Config, workers and all packages above them may import this package.
"""
