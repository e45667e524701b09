"""The views that analysts read: current_articles, article_versions, stories and site_health.

Their columns are promised (docs/reference/tables.md): a later revision may add columns at the end, and never renames or
removes one. A revision that changes a table of a view drops the view before and makes it again after.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0022"
down_revision = "0021"

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
SELECT {_NUMBERS}, {_READING}, p.state AS page_state, p.last_fetched
FROM pages p
JOIN versions v ON v.page_id = p.id AND v.article_id = p.article_id
JOIN articles a ON a.id = v.article_id
LEFT JOIN cluster_members m ON m.article_id = a.id
"""  # noqa: S608  constants of this module

ARTICLE_VERSIONS: Final = f"""
CREATE VIEW article_versions AS
SELECT v.id AS version_id, {_NUMBERS}, {_READING},
    coalesce(p.article_id = v.article_id, p.article_id IS NOT NULL) AS is_current
FROM versions v
JOIN pages p ON p.id = v.page_id
JOIN articles a ON a.id = v.article_id
LEFT JOIN cluster_members m ON m.article_id = a.id
"""  # noqa: S608

STORIES: Final = """
CREATE VIEW stories AS
SELECT m.cluster_id AS story_id, min(m.first_seen) AS first_seen, count(*) AS articles,
    (SELECT min(o.article_id) FROM cluster_members o
     WHERE o.cluster_id = m.cluster_id AND o.article_id = o.representative_id) AS representative_id,
    min(f.page_id) AS first_page_id
FROM cluster_members m
LEFT JOIN story_first_pages f ON f.cluster_id = m.cluster_id
GROUP BY m.cluster_id
UNION ALL
SELECT a.id, a.first_seen, 1, a.id, (SELECT min(p.id) FROM pages p WHERE p.article_id = a.id)
FROM articles a
WHERE NOT EXISTS (SELECT 1 FROM cluster_members m WHERE m.article_id = a.id)
"""

SITE_HEALTH: Final = """
CREATE VIEW site_health AS
SELECT s.site, s.last_started, s.last_finished,
    coalesce(h.found, 0) AS found_24h, coalesce(h.fetched, 0) AS fetched_24h,
    coalesce(h.not_modified, 0) AS not_modified_24h, coalesce(h.stored, 0) AS stored_24h,
    coalesce(h.new_versions, 0) AS new_versions_24h, coalesce(h.in_review, 0) AS in_review_24h,
    coalesce(h.failed, 0) AS failed_24h,
    (SELECT max(n.newest_article) FROM site_hours n WHERE n.site = s.site) AS newest_article,
    (SELECT count(*) FROM alarms l WHERE l.site = s.site AND l.closed_at IS NULL) AS open_alarms,
    coalesce((SELECT c.paused AND (c.paused_until IS NULL OR c.paused_until > {now})
              FROM site_controls c WHERE c.site = s.site), {no}) AS is_paused
FROM sites s
LEFT JOIN (
    SELECT site, sum(found) AS found, sum(fetched) AS fetched, sum(not_modified) AS not_modified,
        sum(stored) AS stored, sum(new_versions) AS new_versions, sum(in_review) AS in_review, sum(failed) AS failed
    FROM site_hours WHERE hour > {since} GROUP BY site
) h ON h.site = s.site
"""


def upgrade() -> None:
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    if is_postgresql:
        words = {"now": "now()", "no": "false", "since": "now() - interval '24 hours'"}
    else:
        words = {"now": "datetime('now')", "no": "0", "since": "datetime('now', '-24 hours')"}
    op.create_index("ix_versions_seen_at", "versions", ["seen_at"])
    for view in (CURRENT_ARTICLES, ARTICLE_VERSIONS, STORIES, SITE_HEALTH.format(**words)):
        op.execute(view)
