"""The first schema: the tables of newscrawl.storage.tables, and the views of views.sql.

Until 0.1.0 is released, a change of a table or view changes this revision, which then gets another label: the next word
of the alphabet (newscrawl.storage.migrations.HEAD is the same word). A database with an earlier label is not upgraded.
From the release on, this revision stays as it is, and each change of the schema is a revision of its own.
"""

from __future__ import annotations

import uuid

from alembic import op
from sqlalchemy import insert, text

from newscrawl.storage.engine.types import metadata
from newscrawl.storage.migrations import views
from newscrawl.storage.monitoring.alarms import FLEET
from newscrawl.storage.tables import articles, changes, frontier, operations  # noqa: F401  they fill `metadata`

revision = "gale"
down_revision = None


def upgrade() -> None:
    connection = op.get_bind()
    metadata.create_all(connection, checkfirst=False)
    for view in views(connection.dialect.name):
        connection.execute(text(view))
    connection.execute(insert(frontier.sites).values(site=FLEET, installation=str(uuid.uuid4())))
