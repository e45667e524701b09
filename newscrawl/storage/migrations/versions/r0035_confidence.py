"""The confidence in a text, in `versions`, `review_queue` and the views for readers.

Stored rows get theirs when their pages are read again. A revision never changes once released and imports nothing of
the schema, which goes on changing.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"

_READING: Final = """
    v.title, v.authors, v.published, v.published_precision, v.published_zone_stated, v.modified,
    coalesce(a.language, v.language) AS language, v.section, v.tags, v.image, v.canonical, v.site_name, v.description,
    v.verdict, v.change_class, v.extractor, v.seen_at AS first_seen, v.last_seen,
    a.content_hash, length(a.text) AS characters, a.text"""

_NUMBERS: Final = """
    p.id AS page_id, a.id AS article_id, coalesce(m.cluster_id, a.id) AS story_id, p.site, p.url"""

CURRENT_ARTICLES: Final = f"""
CREATE VIEW current_articles AS
SELECT {_NUMBERS}, {_READING}, p.state AS page_state, p.last_fetched,
    v.published_offset, v.modified_offset,
    v.confidence
FROM pages p
JOIN versions v ON v.page_id = p.id AND v.article_id = p.article_id
JOIN articles a ON a.id = v.article_id
LEFT JOIN cluster_members m ON m.article_id = a.id
"""  # noqa: S608  constants of this module

ARTICLE_VERSIONS: Final = f"""
CREATE VIEW article_versions AS
SELECT v.id AS version_id, {_NUMBERS}, {_READING},
    coalesce(p.article_id = v.article_id, p.article_id IS NOT NULL) AS is_current,
    v.published_offset, v.modified_offset,
    (SELECT coalesce(nullif(count(*), 0), 1) FROM headlines h
     WHERE h.page_id = v.page_id AND h.article_id = v.article_id) AS headlines,
    v.confidence
FROM versions v
JOIN pages p ON p.id = v.page_id
JOIN articles a ON a.id = v.article_id
LEFT JOIN cluster_members m ON m.article_id = a.id
"""  # noqa: S608


def upgrade() -> None:
    for table in ("versions", "review_queue"):
        op.add_column(table, sa.Column("confidence", sa.Float()))
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    for name, view in (("current_articles", CURRENT_ARTICLES), ("article_versions", ARTICLE_VERSIONS)):
        if is_postgresql:  # keeps rights on the view, and the views that others made of it
            op.execute(view.replace("CREATE VIEW", "CREATE OR REPLACE VIEW", 1))
        else:
            op.execute(f"DROP VIEW {name}")
            op.execute(view)
