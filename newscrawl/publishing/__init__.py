"""What leaves the database: the search index, the change feed, standing searches, mails, webhooks and the reader.

In here: `search` is the full-text index; `feed` sends changes of articles to search servers, webhooks and files;
`standing_searches` asks saved queries of every new article; `deliver` sends alarms and what standing searches found;
`reader` is `newscrawl.open`. Not in here: the tables of changes, consumers and deliveries (`newscrawl.storage`), and
what commands and pages show (`newscrawl.reports`). Start with `feed.reader`.

Each part says in its own docstring which packages may import it.
"""
