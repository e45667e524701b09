"""The faults that are put into code to see whether tests catch them."""

from __future__ import annotations

import click
import pytest

from benchmarks.code_faults import Fault, with_fault

SOURCE = """
class Store:
    def ended(self):
        self.session.commit()


def found(names, name):
    return name not in names
"""


def test_a_fault_is_put_into_its_function() -> None:
    fault = Fault(1, "", "store.py", "found", "comparison", "    return name not in names", "    return name in names")
    assert with_fault(SOURCE, fault) == SOURCE.replace("name not in names", "name in names")


def test_a_fault_whose_line_has_moved_is_refused() -> None:
    fault = Fault(7, "", "store.py", "Store.ended", "comparison", "    return name not in names", "pass")
    with pytest.raises(click.ClickException, match=r"fault 7: Store.ended of store.py has no line"):
        with_fault(SOURCE, fault)
