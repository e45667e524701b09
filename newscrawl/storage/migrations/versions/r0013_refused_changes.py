"""Changes that a consumer's receiver refuses, and webhooks known by a hash instead of by their address.

A webhook's address may hold a password or a token. Cursors kept its first 200 characters as the mark, and nearly all of
it as the consumer's name; both become a hash of scheme, host, port and path. Where two consumers of one address differ
in the token alone, the one that has read less stays, so that no change is missed.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_ADDRESS_CHARACTERS = 192


def upgrade() -> None:
    op.create_table(
        "refused_changes",
        sa.Column("consumer", sa.String(length=200), nullable=False),
        sa.Column("article_id", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("consumer", "article_id", name=op.f("pk_refused_changes")),
    )
    cursors = sa.table("cursors", *(sa.column(name) for name in ("consumer", "seq", "index_id", "updated")))
    connection = op.get_bind()
    rows = connection.execute(sa.select(cursors).order_by(cursors.c.seq)).all()
    taken: set[str] = {row.consumer for row in rows}
    for row in rows:
        if not str(row.index_id or "").startswith(("http://", "https://")):
            continue
        named_after = row.consumer.startswith("webhook:http")
        address = row.consumer.removeprefix("webhook:") if named_after else row.index_id
        origin, mark = _known(address)
        consumer = f"webhook:{origin}#{mark.removeprefix('webhook-')}" if named_after else row.consumer
        mine = cursors.c.consumer == row.consumer
        if consumer != row.consumer and consumer in taken:
            connection.execute(sa.delete(cursors).where(mine))
            continue
        taken.add(consumer)
        connection.execute(sa.update(cursors).where(mine).values(consumer=consumer, index_id=mark))


def _known(address: str) -> tuple[str, str]:
    """Scheme, host and port of the address, and the mark that stands for it."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "unknown", f"webhook-{hashlib.blake2b(address.encode(), digest_size=8).hexdigest()}"
    origin = f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{f':{port}' if port else ''}"
    known = f"{origin}{parts.path or '/'}"[:_ADDRESS_CHARACTERS]
    return origin, f"webhook-{hashlib.blake2b(known.encode(), digest_size=8).hexdigest()}"
