"""Opens databases, writes to them and waits while they are unavailable. Independent of what is stored.

In here: `database` (URLs, connections, what errors mean to an operator), `writer` (the one thread that writes), `batch`
(the pages of one transaction), `transactions` (how they begin), `unordered_writer` (single rows beside them), `retry`
and `outage` (a database that is unavailable), `types`, and `sql` (statements that SQLite and PostgreSQL share). Only
storage imports these modules, except `database`, `transactions` and `retry`. Start with `writer`.
"""
