"""The script that Alembic runs for a command; `newscrawl.storage.migrations.upgrade` hands it the open connection."""

from __future__ import annotations

from alembic import context

from newscrawl.storage.engine.types import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
