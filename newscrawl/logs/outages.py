"""One line at the begin and one at the end of an error that repeats until its cause is gone."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field


@dataclass(slots=True)
class SaidOnce:
    """The state of one operation that is repeated. `begin` and `end` are lines of the log; `begin` has a place for the
    error."""

    logger: logging.Logger
    begin: str
    end: str
    _fails: bool = field(default=False, repr=False)

    def failed(self, error: Exception) -> None:
        """Notes a failure; logs it if the operation worked before."""
        if not self._fails:
            self._fails = True
            self.logger.error(self.begin, error)

    def worked(self) -> None:
        """Notes a success; logs it if the operation failed before."""
        if self._fails:
            self._fails = False
            self.logger.warning(self.end)
