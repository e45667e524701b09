-- The views that analysts read. Their columns are promised (docs/reference/tables.md): a change may add columns at the
-- end, and never renames or removes one. The function `views` of newscrawl/storage/migrations/__init__.py writes the
-- words in braces. A plus before a column lets SQLite search an index of an expression for it.

CREATE VIEW current_articles AS
SELECT
    p.id AS page_id, a.id AS article_id, coalesce(a.story_id, a.id) AS story_id, p.site, p.url,
    v.title, v.authors, v.published, v.published_precision, v.published_zone_stated, v.modified,
    coalesce(a.language, v.language) AS language, v.section, v.tags, v.image, v.canonical, v.site_name, v.description,
    v.verdict, v.change_class, v.extractor, v.seen_at AS first_seen, v.last_seen,
    a.content_hash, length(a.text) AS characters, a.text, p.state AS page_state, p.last_fetched,
    v.published_offset, v.modified_offset,
    v.confidence, a.structure
FROM pages p
JOIN versions v ON v.page_id = p.id AND v.article_id = p.article_id
JOIN articles a ON a.id = v.article_id;

CREATE VIEW article_versions AS
SELECT v.id AS version_id,
    p.id AS page_id, a.id AS article_id, coalesce(a.story_id, a.id) AS story_id, p.site, p.url,
    v.title, v.authors, v.published, v.published_precision, v.published_zone_stated, v.modified,
    coalesce(a.language, v.language) AS language, v.section, v.tags, v.image, v.canonical, v.site_name, v.description,
    v.verdict, v.change_class, v.extractor, v.seen_at AS first_seen, v.last_seen,
    a.content_hash, length(a.text) AS characters, a.text,
    coalesce(p.article_id = v.article_id, p.article_id IS NOT NULL) AS is_current,
    v.published_offset, v.modified_offset,
    (SELECT coalesce(nullif(count(*), 0), 1) FROM headlines h
     WHERE h.page_id = v.page_id AND h.article_id = v.article_id) AS headlines,
    v.confidence, a.structure
FROM versions v
JOIN pages p ON p.id = v.page_id
JOIN articles a ON a.id = v.article_id;

CREATE VIEW article_headlines AS
SELECT v.id AS version_id,
    p.id AS page_id, a.id AS article_id, coalesce(a.story_id, a.id) AS story_id, p.site, p.url,
    h.title, h.authors, h.seen_at AS first_seen, h.last_seen,
    coalesce(p.article_id = v.article_id, p.article_id IS NOT NULL) AS is_current
FROM headlines h
JOIN versions v ON v.page_id = h.page_id AND v.article_id = h.article_id
JOIN pages p ON p.id = h.page_id
JOIN articles a ON a.id = h.article_id;

CREATE VIEW stories AS
SELECT r.id AS story_id,
    (SELECT min(m.first_seen) FROM articles m WHERE coalesce(m.story_id, m.id) = +r.id) AS first_seen,
    (SELECT count(*) FROM articles m WHERE coalesce(m.story_id, m.id) = +r.id) AS articles,
    r.id AS representative_id,
    (SELECT page_id FROM (
        SELECT s.*, first_value(since) OVER w AS since_of_site, first_value(page_id) OVER w AS page_of_site
        FROM ({shown_pages} WHERE coalesce(a.story_id, a.id) = +r.id) s
        WINDOW w AS (PARTITION BY defers, site ORDER BY since, page_id)
    ) f ORDER BY {order_of_pages} LIMIT 1) AS first_page_id
FROM articles r
WHERE r.story_id IS NULL;

CREATE VIEW story_pages AS
SELECT story_id, article_id, page_id, url, site, since, defers, class,
    row_number() OVER (PARTITION BY story_id ORDER BY {order_of_pages}) AS place,
    title, authors, published, published_offset
FROM (
    SELECT s.*, first_value(since) OVER w AS since_of_site, first_value(page_id) OVER w AS page_of_site
    FROM ({shown_pages}) s
    WINDOW w AS (PARTITION BY story_id, defers, site ORDER BY since, page_id)
) f;

CREATE VIEW site_health AS
SELECT s.site, s.last_started, s.last_finished,
    coalesce(h.found, 0) AS found_24h, coalesce(h.fetched, 0) AS fetched_24h,
    coalesce(h.not_modified, 0) AS not_modified_24h, coalesce(h.stored, 0) AS stored_24h,
    coalesce(h.new_versions, 0) AS new_versions_24h, coalesce(h.in_review, 0) AS in_review_24h,
    coalesce(h.failed, 0) AS failed_24h,
    s.newest_article,
    (SELECT count(*) FROM alarms l WHERE l.site = s.site AND l.closed_at IS NULL) AS open_alarms,
    s.paused AND (s.paused_until IS NULL OR s.paused_until > {now}) AS is_paused
FROM sites s
LEFT JOIN (
    SELECT site,
        sum(CASE WHEN kind = 'found' THEN number ELSE 0 END) AS found,
        sum(CASE WHEN kind = 'fetched' THEN number ELSE 0 END) AS fetched,
        sum(CASE WHEN kind = 'not_modified' THEN number ELSE 0 END) AS not_modified,
        sum(CASE WHEN kind = 'stored' THEN number ELSE 0 END) AS stored,
        sum(CASE WHEN kind = 'new_versions' THEN number ELSE 0 END) AS new_versions,
        sum(CASE WHEN kind = 'in_review' THEN number ELSE 0 END) AS in_review,
        sum(CASE WHEN kind = 'failed' THEN number ELSE 0 END) AS failed
    FROM site_hours WHERE hour > {day_ago} GROUP BY site
) h ON h.site = s.site
WHERE s.last_started IS NOT NULL OR s.last_finished IS NOT NULL OR s.day IS NOT NULL;

-- The failures of a day are found without reading the hours of all days.
CREATE INDEX ix_site_hours_failures ON site_hours (({day_of_hour})) WHERE kind LIKE '%/%';

CREATE VIEW site_failures AS
SELECT site, {day_of_hour} AS day, kind, CASE
    WHEN kind IN ('http/404', 'http/410') THEN 'gone'
    WHEN kind IN ('robots/forbidden', 'robots/too_costly') THEN 'refused'
    WHEN kind LIKE 'verdict/%' THEN 'no article'
    WHEN kind LIKE 'review/%' THEN 'in review'
    ELSE 'failure' END AS counted_as, sum(number) AS number
FROM site_hours WHERE kind LIKE '%/%' GROUP BY site, {day_of_hour}, kind;
