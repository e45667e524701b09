"""Numbers of what is stored of each site now, filled from the pages and the versions that they show; views of failures
and of headlines; `stories` without pages that are gone; which receivers have an alarm's event.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"

_SHOWN: Final = """
    SELECT p.site, v.extractor, v.fallback,
        row_number() OVER (PARTITION BY p.article_id ORDER BY v.seen_at, p.id) AS place
    FROM pages p JOIN versions v ON v.page_id = p.id AND v.article_id = p.article_id"""
"""The versions that pages show, in the order in which the pages showed the text."""

_FILL: Final = (
    "SELECT site, 'state', state, count(*) FROM pages GROUP BY site, state",
    """SELECT site, 'failure', failure_kind, count(*)
    FROM pages WHERE failure_kind IS NOT NULL GROUP BY site, failure_kind""",
    f"""SELECT site, CASE WHEN place = 1 THEN 'article' ELSE 'duplicate' END, extractor, count(*)
    FROM ({_SHOWN}) shown GROUP BY 1, 2, 3""",  # noqa: S608  constants of this module
    f"SELECT site, 'fallback', extractor, count(*) FROM ({_SHOWN}) shown WHERE place = 1 AND fallback GROUP BY 1, 2, 3",  # noqa: S608
)

_READING: Final = """
    v.title, v.authors, v.published, v.published_precision, v.published_zone_stated, v.modified,
    coalesce(a.language, v.language) AS language, v.section, v.tags, v.image, v.canonical, v.site_name, v.description,
    v.verdict, v.change_class, v.extractor, v.seen_at AS first_seen, v.last_seen,
    a.content_hash, length(a.text) AS characters, a.text"""

_NUMBERS: Final = """
    p.id AS page_id, a.id AS article_id, coalesce(m.cluster_id, a.id) AS story_id, p.site, p.url"""

_IS_CURRENT: Final = "coalesce(p.article_id = v.article_id, p.article_id IS NOT NULL) AS is_current"

ARTICLE_VERSIONS: Final = f"""
CREATE VIEW article_versions AS
SELECT v.id AS version_id, {_NUMBERS}, {_READING},
    {_IS_CURRENT},
    v.published_offset, v.modified_offset,
    (SELECT coalesce(nullif(count(*), 0), 1) FROM headlines h
     WHERE h.page_id = v.page_id AND h.article_id = v.article_id) AS headlines
FROM versions v
JOIN pages p ON p.id = v.page_id
JOIN articles a ON a.id = v.article_id
LEFT JOIN cluster_members m ON m.article_id = a.id
"""  # noqa: S608  constants of this module

ARTICLE_HEADLINES: Final = f"""
CREATE VIEW article_headlines AS
SELECT v.id AS version_id, {_NUMBERS}, h.title, h.authors, h.seen_at AS first_seen, h.last_seen,
    {_IS_CURRENT}
FROM headlines h
JOIN versions v ON v.page_id = h.page_id AND v.article_id = h.article_id
JOIN pages p ON p.id = h.page_id
JOIN articles a ON a.id = h.article_id
LEFT JOIN cluster_members m ON m.article_id = a.id
"""  # noqa: S608

STORIES: Final = """
CREATE VIEW stories AS
SELECT m.cluster_id AS story_id, min(m.first_seen) AS first_seen, count(*) AS articles,
    (SELECT min(o.article_id) FROM cluster_members o
     WHERE o.cluster_id = m.cluster_id AND o.article_id = o.representative_id) AS representative_id,
    coalesce(
        (SELECT f.page_id FROM story_first_pages f WHERE f.cluster_id = m.cluster_id),
        (SELECT min(p.id) FROM cluster_members o JOIN pages p ON p.article_id = o.article_id
         WHERE o.cluster_id = m.cluster_id AND p.state <> 'gone')
    ) AS first_page_id
FROM cluster_members m
GROUP BY m.cluster_id
UNION ALL
SELECT a.id, a.first_seen, 1, a.id, coalesce(
    (SELECT f.page_id FROM story_first_pages f WHERE f.cluster_id = a.id AND f.article_id = a.id),
    (SELECT min(p.id) FROM pages p WHERE p.article_id = a.id AND p.state <> 'gone')
)
FROM articles a
WHERE NOT EXISTS (SELECT 1 FROM cluster_members m WHERE m.article_id = a.id)
"""

SITE_FAILURES: Final = """
CREATE VIEW site_failures AS
SELECT site, {day} AS day, kind, CASE
    WHEN kind IN ('http/404', 'http/410') THEN 'gone'
    WHEN kind = 'robots/forbidden' THEN 'refused'
    WHEN kind LIKE 'verdict/%' THEN 'no article'
    WHEN kind LIKE 'review/%' THEN 'in review'
    ELSE 'failure' END AS counted_as, sum(number) AS number
FROM site_hour_failures GROUP BY site, {day}, kind
"""


def upgrade() -> None:
    _totals()
    op.add_column("alarms", sa.Column("accepted_by", sa.JSON()))
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    for name, view in (("article_versions", ARTICLE_VERSIONS), ("stories", STORIES)):
        if is_postgresql:  # keeps rights on the view, and the views that others made of it
            op.execute(view.replace("CREATE VIEW", "CREATE OR REPLACE VIEW", 1))
        else:
            op.execute(f"DROP VIEW {name}")
            op.execute(view)
    op.execute(ARTICLE_HEADLINES)
    day = "(hour AT TIME ZONE 'UTC')::date" if is_postgresql else "date(hour)"
    op.execute(SITE_FAILURES.format(day=day))


def _totals() -> None:
    op.create_table(
        "site_totals",
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("counted", sa.String(length=16), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("site", "counted", "value", name=op.f("pk_site_totals")),
    )
    for query in _FILL:
        op.execute(f"INSERT INTO site_totals (site, counted, value, number) {query}")
