"""Judges whether a site is unreachable: its sources fail, and none has answered since the first of them did. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from newscrawl.model import is_unanswered
from newscrawl.model.wording import counted
from newscrawl.monitoring.messages import AlarmText

OPEN_AFTER: Final = timedelta(minutes=12)
"""Time from the first failure to the alarm. In it another source of the site is read, or the same one again
(scheduling.sources.FIRST_RETRY), unless the host rests."""
MAX_KINDS: Final = 3
"""Kinds of failure that a message names."""


@dataclass(frozen=True, slots=True)
class SourceState:
    """What is stored of a source: its failures in a row, the first of them, the latest one's code, and its latest
    answer."""

    failures: int
    failing_since: datetime | None
    kind: str | None
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A site without an answer. `since` is the first failure after its last answer; `failures` is the largest number of
    failures in a row of one source or page; `kinds` has the codes of the failures, the commonest first. `what` are the
    sources or pages that fail, in words."""

    since: datetime
    failures: int
    kinds: tuple[str, ...]
    what: str

    @property
    def text(self) -> AlarmText:
        """The message and its figures."""
        message = f"unreachable since {self.since:%Y-%m-%d %H:%M} UTC: {self.what} ({', '.join(self.kinds)})"
        return AlarmText(message, {"failures": self.failures, "kinds": list(self.kinds)})


def judge_sources(sources: Sequence[SourceState], page_answered_at: datetime | None = None) -> Unreachable | None:
    """Returns whether a site with these sources is unreachable: all of them fail; or one has no answer from its host,
    and neither another source nor a page (the last at `page_answered_at`) was answered since. Otherwise returns
    None."""
    failing = [source for source in sources if source.failures and source.failing_since is not None]
    answers = [source.answered_at for source in sources]
    all_fail = len(failing) == len(sources)
    if not all_fail:
        failing = [source for source in failing if is_unanswered(source.kind)]
        answers.append(page_answered_at)
    answered = max(filter(None, answers), default=None)
    firsts = sorted(source.failing_since for source in failing if source.failing_since is not None)
    later = [first for first in firsts if answered is None or first >= answered]
    if not later and not (all_fail and firsts):
        return None
    kinds = Counter(source.kind or "?" for source in failing)
    fails = "fails" if len(failing) == 1 else "fail"
    what = f"{len(failing)} of {counted(len(sources), 'source')} {fails}"
    what += "" if all_fail else ", and nothing else was answered since"
    return Unreachable(min(later or firsts[-1:]), max(source.failures for source in failing), _commonest(kinds), what)


def judge_pages(since: datetime, pages: int, kinds: Counter[str]) -> Unreachable:
    """Returns the judgement about a site whose last pages all had no answer since then."""
    return Unreachable(
        since, kinds.total(), _commonest(kinds), f"its last {counted(pages, 'page fails', 'pages fail')}"
    )


def _commonest(kinds: Counter[str]) -> tuple[str, ...]:
    return tuple(kind for kind, _ in kinds.most_common(MAX_KINDS))
