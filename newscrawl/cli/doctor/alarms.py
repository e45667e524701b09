"""The check of `newscrawl doctor` on the receivers of alarms: whether webhook and mail server answer.

Nothing is sent but a greeting, unless the operator asks for a test alarm.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from newscrawl.cli.doctor.findings import Finding, Findings, made_within, ok, skipped, to_do
from newscrawl.config.catalogue import Config
from newscrawl.crawling.monitoring.alarm_sender import message
from newscrawl.crawling.monitoring.mail import DEADLINE, TIMEOUT, AlarmMail
from newscrawl.crawling.monitoring.webhook import AlarmWebhook
from newscrawl.storage.monitoring.alarms import FLEET, Alarm

WITHIN: Final = DEADLINE + TIMEOUT + 5.0
"""Seconds for one receiver, which has shorter deadlines of its own."""
ADVICE: Final = "see that this machine reaches the receiver (DNS, firewall, certificate) and that it works"
NONE: Final = "no receiver is set"
HOW: Final = "set NEWSCRAWL_ALERT_WEBHOOK or NEWSCRAWL_ALERT_MAIL_HOST (docs/how-to/watchdog.md)"


def check_alarms(config: Config, now: datetime, *, send: bool) -> Iterator[Finding]:
    """Yields a finding for each receiver of alarms that is set. With `send`, each gets a test alarm."""
    if not config.monitoring.alert_webhook and not config.monitoring.alert_mail_host:
        yield to_do("alarms", NONE, HOW) if send else skipped("alarms", NONE)
        return
    alarm = message(_test_alarm(now), "opened")

    def webhook() -> Findings:
        receiver = AlarmWebhook.of(config)
        if receiver is None:
            return []
        problem = receiver.deliver(alarm) if send else receiver.greet()
        return [_judged("webhook", problem, send=send)]

    def mail() -> Findings:
        receiver = AlarmMail.of(config)
        if receiver is None:
            return []
        problem = receiver.deliver(alarm) if send else receiver.greet()
        return [_judged("mail", problem, send=send)]

    yield from made_within("webhook", WITHIN, webhook, ADVICE)
    yield from made_within("mail", WITHIN, mail, ADVICE)


def _judged(name: str, problem: str | None, *, send: bool) -> Finding:
    if problem is not None:
        return to_do(name, f"the test alarm was not accepted: {problem}" if send else problem, ADVICE)
    return ok(name, "it accepted a test alarm" if send else "it answers; nothing was sent")


def _test_alarm(now: datetime) -> Alarm:
    said = "a test of the receivers of alarms (newscrawl doctor --send-test-alarm); nothing is wrong"
    return Alarm(FLEET, "test", "warning", now, now, said, {}, id=0)
