"""The addresses of the demo site that are not ordinary pages of stories: errors, moved pages and duplicates."""

from __future__ import annotations

from typing import Final

REPRINT_OF: Final = 1004
REPRINT_PATH: Final = "/culture/1104/seagrass-from-our-archive"
REPRINT_TITLE: Final = "From our archive: how the seagrass came back"
REPRINT_TEMPLATE: Final = "tabular"
"""The same text as story 1004 under another title, address and template."""

TWICE: Final = 1016
SECOND_PATH: Final = "/culture/1016/comet-watch-on-lantern-point"
"""Story 1016 also appears, unchanged, in a second section."""

PRINTED: Final = 1013
"""The story whose print version the section page of its section links to."""

MOVED: Final = 1001
MOVED_PATH: Final = "/news/1001/bridge-open"
"""A former address of story 1001, which the feed still lists. It redirects permanently."""

WITHDRAWN_PATH: Final = "/city/1901/withdrawn-notice"
"""In the feed, and gone: 404."""

FAILING_PATH: Final = "/city/1902/press-office-bulletin"
"""In the feed, and always answered with 500."""

IMAGE_PATH: Final = "/harbour/1903/picture-of-the-day"
"""In the feed as an article and sent as text/html, but the bytes are a JPEG."""

MEMBERS_PATH: Final = "/members/1904/diary-of-a-councillor"
"""Linked from the feed and a section page; robots.txt forbids it."""

TRUNCATED: Final = 1038
"""The story whose page breaks off in the middle of a word of its third paragraph."""
TRUNCATED_PARAGRAPHS: Final = 2
"""The number of its paragraphs that arrive completely."""
TRUNCATED_CHARACTERS: Final = 37
"""The number of characters of the next paragraph that arrive."""

MISLABELLED: Final = 2018
"""The story whose page is in windows-1252, while header and meta element state UTF-8. Read as UTF-8, it would lose its
accents."""

ELSEWHERE: Final = "http://elsewhere.invalid/news/1905/not-our-story"
"""A link in the feed to another site, which is not to be followed."""
