"""Addresses of object stores: s3://BUCKET/PREFIX. They have no keys, so they may stand in the database and in logs."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from newscrawl.errors import ConfigurationError
from newscrawl.model import OBJECT_STORE

SETTING: Final = "NEWSCRAWL_ARCHIVE_URL"
MAX_ADDRESS: Final = 200
"""Characters of an address: as many as the database has for the holder of a file."""
MAX_FILE_MB: Final = 5_000
"""Megabytes of a file that a store accepts in one request (5 GB with S3)."""
_BUCKET: Final = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")


def is_object_store(holder: str | None) -> bool:
    """Returns whether a holder of archive files is an object store and no machine."""
    return holder is not None and holder.startswith(OBJECT_STORE)


def object_address(written: str) -> str:
    """Returns the address that a setting gives, without a slash at its end. Raises ConfigurationError, whose message
    does not repeat an address with something that could be a key."""
    bucket, _, prefix = written.removeprefix(OBJECT_STORE).strip("/").partition("/")
    if "@" in written or "?" in written or "#" in written:
        raise ConfigurationError(
            SETTING, "an address has no keys and no options: give s3://BUCKET/PREFIX, and the keys in AWS_ACCESS_KEY_ID"
        )
    if not _BUCKET.fullmatch(bucket) or quote(prefix, safe="/-_.~") != prefix or "//" in prefix:
        raise ConfigurationError(
            SETTING, f"{written!r} cannot be used: give s3://BUCKET/PREFIX, of letters, digits, '-', '_', '.' and '/'"
        )
    address = f"{OBJECT_STORE}{bucket}/{prefix}".rstrip("/")
    if len(address) > MAX_ADDRESS:
        raise ConfigurationError(SETTING, f"the address has {len(address)} characters: give at most {MAX_ADDRESS}")
    return address


def bucket_and_prefix(address: str) -> tuple[str, str]:
    """Returns the bucket and the prefix ("" without one) of an address."""
    bucket, _, prefix = address.removeprefix(OBJECT_STORE).partition("/")
    return bucket, prefix
