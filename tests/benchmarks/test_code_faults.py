"""The faults that are put into code to see whether tests catch them."""

from __future__ import annotations

import ast

import click
import pytest

from benchmarks.code_faults import Fault, changes_of, with_fault

SOURCE = """
class Store:
    def save(self, rows, limit):
        if len(rows) <= limit and rows:
            self.session.commit()
        return rows[1:]

    async def ended(self):
        await self.event.wait()


def found(names, name):
    return name not in names
"""


def test_each_kind_of_fault_is_one_changed_line() -> None:
    found = list(changes_of(SOURCE))
    for _, _, line, replacement in found:
        ast.parse(SOURCE.replace(line, replacement))
    assert {(function, kind, replacement.strip()) for function, kind, _, replacement in found} == {
        ("Store.save", "comparison", "if len(rows) > limit and rows:"),
        ("Store.save", "bound", "if len(rows) < limit and rows:"),
        ("Store.save", "and/or", "if len(rows) <= limit or rows:"),
        ("Store.save", "dropped call", "pass"),
        ("Store.save", "bound", "return rows[2:]"),
        ("Store.ended", "dropped call", "pass"),
        ("found", "comparison", "return name in names"),
    }


def test_a_fault_is_put_into_its_function() -> None:
    fault = Fault(1, "", "store.py", "found", "comparison", "    return name not in names", "    return name in names")
    assert with_fault(SOURCE, fault) == SOURCE.replace("name not in names", "name in names")


def test_a_fault_whose_line_has_moved_is_refused() -> None:
    fault = Fault(7, "", "store.py", "Store.save", "comparison", "    return name not in names", "pass")
    with pytest.raises(click.ClickException, match=r"fault 7: Store.save of store.py has no line"):
        with_fault(SOURCE, fault)
