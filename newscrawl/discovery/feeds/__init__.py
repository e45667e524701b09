"""Reads RSS, Atom and JSON feeds, also broken ones: bytes in, entries and update hints out.

In here: `read_feed` tries a parser first (`syndication`, `json_feed`), and `regex_fallback` if the feed is too broken
for it. `text_repair` prepares the bytes, `entries` makes candidates, `update_hints` reads how often a feed asks to be
read. Start with `read_feed`.
"""
