"""How the database is opened, written and kept available; nothing here knows what is stored.

In here: `database` (URLs, connections, what errors mean to an operator), `writer` (the one thread that writes), `batch`
(one transaction, or all but a bad item), `retry` and `outage` (a database that is away), `types` and `upsert` (SQL that
SQLite and PostgreSQL share). Only storage imports these modules, but for `database` and `retry`. Start with `writer`.
"""
