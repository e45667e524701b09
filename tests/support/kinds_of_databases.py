"""On which databases a test runs that asks for the fixture `database`, if not on both: where SQL is the same, or where
there is nothing to show on the other."""

from __future__ import annotations

from typing import Final

import pytest

POSTGRESQL: Final = pytest.param("postgresql", marks=pytest.mark.postgresql)
BOTH_KINDS: Final = ["sqlite", POSTGRESQL]
ON_BOTH: Final = pytest.mark.parametrize("database", BOTH_KINDS, indirect=True)
ON_SQLITE: Final = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
ON_POSTGRESQL: Final = pytest.mark.parametrize("database", [POSTGRESQL], indirect=True)
