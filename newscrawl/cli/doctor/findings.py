"""The findings of `newscrawl doctor`, and how a check runs: with a deadline and without a traceback."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from newscrawl.errors import NewscrawlError, os_reason

State = Literal["ok", "to do", "skipped"]
Findings = Sequence["Finding"]
REPORT: Final = "report it as a bug, with this line"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: `text` is what was found, `advice` what to do about it ("" if nothing)."""

    check: str
    state: State
    text: str
    advice: str = ""


def ok(check: str, text: str) -> Finding:
    """Returns the finding of a check without a problem."""
    return Finding(check, "ok", text)


def to_do(check: str, text: str, advice: str = "") -> Finding:
    """Returns a problem. A message of newscrawl's own errors already says what to do, and needs no advice."""
    return Finding(check, "to do", text, advice)


def skipped(check: str, text: str) -> Finding:
    """Returns a check that was not made, and why."""
    return Finding(check, "skipped", text)


def made(check: str, look: Callable[[], Findings]) -> Findings:
    """Returns the findings of `look`. Every exception becomes a finding."""
    try:
        return look()
    except NewscrawlError as error:
        return [to_do(check, " ".join(str(error).split()))]
    except OSError as error:
        return [to_do(check, os_reason(error), "see that the user who runs newscrawl may use it")]
    except Exception as error:  # noqa: BLE001  a doctor that dies of what it finds helps nobody
        return [to_do(check, f"{type(error).__name__}: {' '.join(str(error).split())}", REPORT)]


def made_within(check: str, seconds: float, look: Callable[[], Findings], advice: str) -> Findings:
    """Returns the findings of `look` as `made` does, for a check that may hang, such as one that uses the network.

    After `seconds` the check is given up, and the finding has `advice`. Its thread does not keep the process from
    ending.
    """
    found: list[Findings] = []
    thread = threading.Thread(target=lambda: found.append(made(check, look)), name=f"doctor-{check}", daemon=True)
    thread.start()
    thread.join(seconds)
    return found[0] if found else [to_do(check, f"no answer within {seconds:.0f} s", advice)]
