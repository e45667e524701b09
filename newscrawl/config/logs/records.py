"""Makes log lines safe: no secret of an address, no control character that a terminal would interpret, and no traceback
for an error whose message is enough."""

from __future__ import annotations

import logging
from typing import Any, Final

from newscrawl.config.logs.terminal import escaped
from newscrawl.errors import ArchiveError, StorageError
from newscrawl.model.identity.masking import masked

_FORMATTER: Final = logging.Formatter()


WITHOUT_TRACEBACK: Final = (StorageError, ArchiveError)
"""Errors of the machine, not of code, logged without a traceback. Scrapy logs one for any error of an extension or a
callback."""


class SafeRecord(logging.LogRecord):
    """A log record whose message and traceback are masked and escaped.

    Errors of WITHOUT_TRACEBACK add their line to the message.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.exc_info and isinstance(self.exc_info[1], WITHOUT_TRACEBACK):
            self.msg, self.args = f"{super().getMessage()}: {self.exc_info[1]}", None
            self.exc_info = None
        if self.exc_info and self.exc_info[0] is not None:  # formatters use the text if it is set
            self.exc_text = escaped(masked(_FORMATTER.formatException(self.exc_info)))

    def getMessage(self) -> str:  # noqa: N802  logging's name
        """Returns the message as it may be written."""
        return escaped(masked(super().getMessage()))


def make_log_safe() -> None:
    """Makes every log line of this process masked and escaped from now on."""
    logging.setLogRecordFactory(SafeRecord)
