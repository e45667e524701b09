"""RSS, Atom and JSON feeds as other people write them: bytes in, entries and update hints out.

Start with `read_feed`: it tries the parser first and `regex_fallback` where a feed is broken beyond that.
"""
