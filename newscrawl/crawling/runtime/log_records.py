"""What log lines may hold: no secret of an address, no control character that a terminal would obey, and no traceback
of an error whose one line says all."""

from __future__ import annotations

import logging
from typing import Any, Final

from newscrawl.errors import ArchiveError, StorageError
from newscrawl.identity.masking import masked
from newscrawl.terminal import escaped

_FORMATTER: Final = logging.Formatter()


TOLD: Final = (StorageError, ArchiveError)
"""Errors of the machine, not of code, logged without a traceback. Scrapy logs one for any error of an extension or a
callback."""


class SafeRecord(logging.LogRecord):
    """A log record whose message and traceback are masked and escaped. Errors of TOLD add their line to the message."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.exc_info and isinstance(self.exc_info[1], TOLD):
            self.msg, self.args = f"{super().getMessage()}: {self.exc_info[1]}", None
            self.exc_info = None
        if self.exc_info and self.exc_info[0] is not None:  # formatters take the text that is there
            self.exc_text = escaped(masked(_FORMATTER.formatException(self.exc_info)))

    def getMessage(self) -> str:  # noqa: N802  logging's name
        """The message as it may be written."""
        return escaped(masked(super().getMessage()))


def make_log_safe() -> None:
    """From now on every log line of this process is masked and escaped, whoever writes it."""
    logging.setLogRecordFactory(SafeRecord)
