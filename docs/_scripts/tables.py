"""The reference of the database: every table and column, from the schema and the sentences in columns.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Column, Table, UniqueConstraint

from docs._scripts.pages import NOTE, missing, text
from newscrawl.storage.engine.types import metadata
from newscrawl.storage.tables import articles, changes, frontier, operations

MEANINGS: Final = Path(__file__).with_name("columns.toml")
VIEWS: Final = Path(__file__).with_name("views.toml")
MODULES: Final = (articles, frontier, changes, operations)
TABLE: Final = "table"
"""The key in columns.toml under which a table's own sentence stands."""
VIEW: Final = "view"
"""The same of a view in views.toml."""
SHARED: Final = "shared"
"""The section of columns.toml with the columns that mean the same in every table which says nothing else."""
TYPES: Final[Mapping[str, str]] = {
    "Integer": "integer",
    "BigInteger": "bigint",
    "Boolean": "boolean",
    "Float": "float",
    "Date": "date",
    "LargeBinary": "bytes",
    "UtcDateTime": "time",
    "CleanJson": "JSON",
    "CleanText": "text",
    "Code": "code",
}


def page() -> str:
    """The page docs/reference/tables.md."""
    meanings = read_meanings()
    shared = meanings.pop(SHARED)
    lines = [
        "# Tables",
        "",
        NOTE,
        "",
        "SQLite and PostgreSQL have the same views and tables. All times are UTC.",
        *_views(),
        "",
        "## The tables",
        "",
        "They may change with any release; `newscrawl db upgrade` converts them. Prefer the views. Behind a column",
        "stands its type: a *code* is a name from a fixed list, a key or a hash; *text* is cleaned of characters that",
        "a database cannot keep; the number is the limit in characters; `?` says that the column may be empty. A",
        "column without a sentence means in every table:",
        "",
        *(f"- `{name}`: {meaning}" for name, meaning in shared.items()),
    ]
    for found in tables():
        of_table = meanings.get(found.name, {})
        lines += ["", f"## {found.name}", "", of_table.get(TABLE, ""), ""]
        columns = [(f"`{each.name}` {', '.join((kind(each), *keys(each)))}", each.name) for each in found.columns]
        if told_above := [column for column, name in columns if name not in of_table]:
            lines += [f"- {'; '.join(told_above)}"]
        lines += [f"- {column}: {of_table[name]}" for column, name in columns if name in of_table]
        if several := joint_keys(found):
            lines += ["", f"Unique: {'; '.join(several)}."]
    return text(lines)


def _views() -> Iterator[str]:
    """The lines on the views: their columns are part of the public interface, so they come first."""
    yield from (
        "",
        "## Views",
        "",
        "A release may add columns to these views, and renames or removes none.",
    )
    yield "[Read the database with SQL](../how-to/sql.md) has queries for them."
    told: dict[tuple[str, str], str] = {}
    for name, sentences in tomllib.loads(VIEWS.read_text(encoding="utf-8")).items():
        yield from ("", f"### {name}", "", sentences[VIEW], "")
        again: dict[str, list[str]] = {}
        for column, meaning in sentences.items():
            if column == VIEW:
                continue
            if first := told.get((column, meaning)):
                again.setdefault(first, []).append(f"`{column}`")
            else:
                told[column, meaning] = name
                yield f"- `{column}`: {meaning}"
        yield from (f"- As in `{first}`: {', '.join(columns)}." for first, columns in again.items())


def tables() -> list[Table]:
    """All tables in the order in which their modules define them."""
    defined = [value for module in MODULES for value in vars(module).values() if isinstance(value, Table)]
    found = list({each.name: each for each in defined}.values())
    if {each.name for each in found} != set(metadata.tables):
        raise ValueError(f"MODULES lacks a module of {set(metadata.tables) - {each.name for each in found}}")
    return found


def read_meanings() -> dict[str, dict[str, str]]:
    """The sentences of columns.toml, by table and column."""
    found: dict[str, dict[str, str]] = tomllib.loads(MEANINGS.read_text(encoding="utf-8"))
    return found


def gaps() -> list[str]:
    """Tables and columns without a sentence, and sentences without a column."""
    meanings = read_meanings()
    shared = meanings.pop(SHARED)
    wanted = {f"{each.name}.{name}": "" for each in tables() for name in (TABLE, *each.columns.keys())}
    columns = {key.partition(".")[2] for key in wanted}
    given = {key: shared[name] for key in wanted if (name := key.partition(".")[2]) in shared}
    given |= {f"{name}.{column}": line for name, lines in meanings.items() for column, line in lines.items() if line}
    return missing(wanted, given) + [f"no table has {name}" for name in shared if name not in columns]


def kind(column: Column[Any]) -> str:
    """The type of a column for readers."""
    name = TYPES[type(column.type).__name__]
    limit = getattr(column.type, "limit", None) or getattr(column.type, "length", None)
    return f"{name}{f'({limit:,})' if limit else ''}{'?' if column.nullable else ''}"


def keys(column: Column[Any]) -> list[str]:
    """What a column is a key of by itself."""
    found = ["primary"] if column.primary_key else []
    found += [f"→ `{key.target_fullname}`" for key in column.foreign_keys]
    found += ["unique"] if column.unique else []
    found += ["index"] if column.index and not column.unique else []
    return found


def joint_keys(found: Table) -> list[str]:
    """Unique constraints over several columns, and unique indexes over a part of the rows."""
    unique = [each for each in found.constraints if isinstance(each, UniqueConstraint) and len(each.columns) > 1]
    lines = [f"({', '.join(each.columns.keys())})" for each in unique]
    of_a_part = [(index, index.dialect_options["sqlite"]["where"]) for index in found.indexes if index.unique]
    lines += [f"({', '.join(each.columns.keys())}) where `{rows}`" for each, rows in of_a_part if rows is not None]
    return sorted(lines)
