"""RSS, Atom and JSON feeds as other people write them: bytes in, entries and update hints out.

In here: `read_feed` tries the parser first (`syndication`, `json_feed`) and `regex_fallback` where a feed is broken
beyond that; `text_repair` prepares the bytes, `entries` makes candidates, `update_hints` says how often a feed asks to
be read. Start with `read_feed`.
"""
