"""Opens databases, writes to them and waits while they are unavailable. Independent of what is stored.

In here: `database` (URLs, connections, what errors mean to an operator), `errors` (which are transient, further
attempts, outages), `transactions` (how they begin, and single rows beside them), `writer` (the one thread that writes),
`batch` (the pages of one transaction), `types` (what all tables share), and `sql` (statements that SQLite and
PostgreSQL share, and dataclasses as rows). Other packages import `database`, `transactions`, `errors`, `sql` and
`types`, but neither `writer` nor `batch`. Start with `writer`.
"""
