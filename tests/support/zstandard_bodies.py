"""Python's Zstandard module, which the standard library has from 3.14 on."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import compress
else:
    from backports.zstd import compress

__all__ = ["compress"]
