"""The label of the first revision changes with its tables and views, until 0.1.0 is released."""

from __future__ import annotations

import hashlib

from all_tables import metadata
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from newscrawl.storage import migrations

LABEL, SCHEMA = "gale", "ecbe7872957136e6"
"""The label, and a hash of the schema that it stands for."""


def test_another_schema_has_another_label() -> None:
    """If this fails, the tables or views were changed: give `r0001_tables.revision`, `migrations.HEAD` and LABEL the
    next word of the alphabet (fjord, gale, hill ...), and SCHEMA the hash. A database with the former label is then
    refused with one line, and not used with tables that it does not have."""
    statements = [*migrations.views("sqlite"), *migrations.views("postgresql")]
    for dialect in (sqlite.dialect(), postgresql.dialect()):
        for table in sorted(metadata.tables.values(), key=lambda table: table.name):
            statements.append(str(CreateTable(table).compile(dialect=dialect)))
            indexes = sorted(table.indexes, key=lambda index: str(index.name))
            statements.extend(str(CreateIndex(index).compile(dialect=dialect)) for index in indexes)
    found = hashlib.sha256("\n".join(" ".join(statement.split()) for statement in statements).encode()).hexdigest()
    assert (migrations.HEAD, found[:16]) == (LABEL, SCHEMA)
