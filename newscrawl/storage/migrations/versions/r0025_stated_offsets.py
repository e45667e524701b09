"""The offsets from UTC that pages state with their dates, in minutes east, in `versions` and in the views for readers.

Stored rows get theirs when their pages are read again. A revision never changes once released and imports nothing of
the schema, which goes on changing.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

_READING: Final = """
    v.title, v.authors, v.published, v.published_precision, v.published_zone_stated, v.modified,
    coalesce(a.language, v.language) AS language, v.section, v.tags, v.image, v.canonical, v.site_name, v.description,
    v.verdict, v.change_class, v.extractor, v.seen_at AS first_seen, v.last_seen,
    a.content_hash, length(a.text) AS characters, a.text"""
"""What a page showed at one time."""

_NUMBERS: Final = """
    p.id AS page_id, a.id AS article_id, coalesce(m.cluster_id, a.id) AS story_id, p.site, p.url"""

CURRENT_ARTICLES: Final = f"""
CREATE VIEW current_articles AS
SELECT {_NUMBERS}, {_READING}, p.state AS page_state, p.last_fetched,
    v.published_offset, v.modified_offset
FROM pages p
JOIN versions v ON v.page_id = p.id AND v.article_id = p.article_id
JOIN articles a ON a.id = v.article_id
LEFT JOIN cluster_members m ON m.article_id = a.id
"""  # noqa: S608  constants of this module

ARTICLE_VERSIONS: Final = f"""
CREATE VIEW article_versions AS
SELECT v.id AS version_id, {_NUMBERS}, {_READING},
    coalesce(p.article_id = v.article_id, p.article_id IS NOT NULL) AS is_current,
    v.published_offset, v.modified_offset
FROM versions v
JOIN pages p ON p.id = v.page_id
JOIN articles a ON a.id = v.article_id
LEFT JOIN cluster_members m ON m.article_id = a.id
"""  # noqa: S608


def upgrade() -> None:
    for name in ("published_offset", "modified_offset"):
        op.add_column("versions", sa.Column(name, sa.Integer()))
    views = {"current_articles": CURRENT_ARTICLES, "article_versions": ARTICLE_VERSIONS}
    for name, view in views.items():
        if op.get_bind().dialect.name == "postgresql":  # keeps rights on the view, and the views that others made of it
            op.execute(view.replace("CREATE VIEW", "CREATE OR REPLACE VIEW", 1))
        else:
            op.execute(f"DROP VIEW {name}")
            op.execute(view)
