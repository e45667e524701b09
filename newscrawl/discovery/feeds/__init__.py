"""Reads RSS, Atom and JSON feeds, also broken ones: bytes in, entries and update hints out.

In here: `read_feed` reads a feed of any format, `syndication` RSS and Atom, and how often a feed asks to be read.
`text_repair` prepares the bytes. Start with `read_feed`.
"""
