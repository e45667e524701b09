"""Sends mails with SMTP: alarms to the operator, and what standing searches find.

The server is the operator's own (NEWSCRAWL_ALERT_MAIL_HOST), so the address guard does not check it, as it does not
check the webhook. The password is never in the settings, which Scrapy may log: it is read from the environment or from
a file.
"""

from __future__ import annotations

import json
import os
import smtplib
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from email.utils import formatdate, parseaddr
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, Self

from newscrawl.config.catalogue import Config
from newscrawl.config.logs.terminal import one_line
from newscrawl.errors import ConfigurationError
from newscrawl.model.identity.masking import MASK, masked
from newscrawl.publishing.deliver.http import Problem, shut_down_after

HOST: Final = "NEWSCRAWL_ALERT_MAIL_HOST"
FROM: Final = "NEWSCRAWL_ALERT_MAIL_FROM"
TO: Final = "NEWSCRAWL_ALERT_MAIL_TO"
USER: Final = "NEWSCRAWL_ALERT_MAIL_USER"
PASSWORD: Final = "NEWSCRAWL_ALERT_MAIL_PASSWORD"  # noqa: S105  a name
PASSWORD_FILE: Final = "NEWSCRAWL_ALERT_MAIL_PASSWORD_FILE"  # noqa: S105  a name
PORTS: Final = {"starttls": 587, "ssl": 465, "none": 25}
TIMEOUT: Final = 10.0
"""Seconds for connecting and for each answer of the server."""
DEADLINE: Final = 30.0
"""Seconds for one mail."""
MAX_SUBJECT: Final = 200


@dataclass(frozen=True, slots=True)
class AlarmMail:
    """Sends each event of an alarm as one mail. `tls` is starttls, ssl or none."""

    host: str
    port: int
    tls: str
    sender: str
    to: tuple[str, ...]
    user: str = ""
    password: str = field(default="", repr=False)

    @classmethod
    def of(cls, config: Config, environment: Mapping[str, str] | None = None) -> Self | None:
        """Returns the mail of the settings, None if they name none. Raises ConfigurationError for settings that cannot
        be used together."""
        wanted = config.monitoring
        given = {HOST: wanted.alert_mail_host, FROM: wanted.alert_mail_from, TO: ",".join(wanted.alert_mail_to)}
        if not any(given.values()):
            return None
        for name, value in given.items():
            if not value:
                named = next(other for other in given if given[other])
                raise ConfigurationError(name, f"is empty, and {named} is set: mail needs both")
        for name, addresses in ((FROM, (wanted.alert_mail_from,)), (TO, wanted.alert_mail_to)):
            for address in addresses:
                _check_address(name, address)
        user, tls = wanted.alert_mail_user, wanted.alert_mail_tls
        if user and tls == "none" and not _is_here(wanted.alert_mail_host):
            raise ConfigurationError(
                "NEWSCRAWL_ALERT_MAIL_TLS", f"none would send the password of {USER} unencrypted: set starttls or ssl"
            )
        password = _password(wanted.alert_mail_password_file, environment) if user else ""
        port = wanted.alert_mail_port or PORTS[tls]
        host, sender, to = wanted.alert_mail_host, wanted.alert_mail_from, tuple(wanted.alert_mail_to)
        return cls(host, port, tls, sender, to, user, password)

    def deliver(self, values: Mapping[str, Any]) -> Problem | None:
        """Sends an alarm. Returns None if the server accepted it for a recipient, else why not. Blocks for at most
        TIMEOUT for the connection, and then DEADLINE."""
        return self.send(mail(values, self.sender, self.to), self.to)

    def send(self, message: EmailMessage, to: Sequence[str]) -> Problem | None:
        """Sends a message to the addresses; as `deliver`."""

        def send(server: smtplib.SMTP) -> None:
            if self.user:
                server.login(self.user, self.password)
            server.send_message(message, self.sender, list(to))

        return self._try(send, "no mail was accepted")

    def greet(self) -> Problem | None:
        """Connects, with encryption, and says EHLO. Returns None if the server answers that, else why not. It neither
        logs in nor sends anything, and blocks as long as `deliver`."""

        def greet(server: smtplib.SMTP) -> None:
            code, answer = server.ehlo()
            if not 200 <= code < 300:
                raise smtplib.SMTPHeloError(code, answer)

        return self._try(greet, "no greeting")

    def _try(self, work: Callable[[smtplib.SMTP], None], late: str) -> Problem | None:
        """Does the work with an open connection. Returns why it failed; `late` says what did not come in time."""
        expired = threading.Event()
        try:
            with self._connected(expired) as server:
                work(server)
        except (OSError, smtplib.SMTPException, UnicodeError) as error:
            return Problem(f"{late} within {DEADLINE:g} seconds" if expired.is_set() else self._reason(error))
        return None

    @contextmanager
    def _connected(self, expired: threading.Event) -> Iterator[smtplib.SMTP]:
        """Yields a connection, encrypted unless `tls` is none, which is shut down after DEADLINE."""
        context = ssl.create_default_context() if self.tls != "none" else None  # it reads all authorities: 45 ms
        if self.tls == "ssl":
            server: smtplib.SMTP = smtplib.SMTP_SSL(timeout=TIMEOUT, context=context)
        else:
            server = smtplib.SMTP(timeout=TIMEOUT)
        # The name that the certificate must have. Only the constructor sets it, and it would connect without deadline.
        server._host = self.host  # type: ignore[attr-defined]  # noqa: SLF001
        with closing(server), shut_down_after(DEADLINE, lambda: server.sock, expired):
            server.connect(self.host, self.port)
            if self.tls == "starttls":
                server.starttls(context=context)
            yield server
            with suppress(OSError, smtplib.SMTPException):  # the mail is accepted already
                server.quit()

    def _reason(self, error: Exception) -> str:
        """Returns an error in one line without the password."""
        if isinstance(error, smtplib.SMTPRecipientsRefused):
            code, reply = next(iter(error.recipients.values()))
            text = f"all recipients are refused: {code} {reply.decode('utf-8', 'replace')}"
        elif isinstance(error, smtplib.SMTPResponseException):
            answer = error.smtp_error
            answer = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
            text = f"answered {error.smtp_code} {answer}"
        else:
            text = str(error) or type(error).__name__
        text = text.replace(self.password, MASK) if self.password else text
        return one_line(masked(text))[:300]


def mail(values: Mapping[str, Any], sender: str, to: tuple[str, ...]) -> EmailMessage:
    """Returns the mail of an alarm's event (see `newscrawl.publishing.deliver.places.alarm_values`): the text, then a
    line for each value. Mails of one alarm have one thread."""
    domain = parseaddr(sender)[1].rpartition("@")[2]
    opened = f"<newscrawl.{values['id']}.opened.{_digits(values['opened_at'])}@{domain}>"
    made = EmailMessage(policy=SMTP_POLICY.clone(max_line_length=200))
    made["From"], made["To"] = sender, ", ".join(to)
    made["Subject"] = one_line(str(values["text"]))[:MAX_SUBJECT]
    made["Date"] = formatdate()
    made["Message-ID"] = opened.replace(".opened.", f".{values['event']}.")
    if values["event"] != "opened":
        made["In-Reply-To"] = made["References"] = opened
    made["Auto-Submitted"] = "auto-generated"
    shown = {name: value for name, value in values.items() if name != "text" and value is not None}
    lines = [f"{name}: {value if isinstance(value, str) else json.dumps(value)}" for name, value in shown.items()]
    made.set_content(f"{values['text']}\n\n" + "\n".join(lines) + "\n")
    return made


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _check_address(name: str, address: str) -> None:
    found = parseaddr(address)[1]
    user, _, domain = found.rpartition("@")
    if not user or not domain or not address.isprintable() or any(map(str.isspace, found)):
        raise ConfigurationError(name, f"{address!r} is no mail address: write it like you@example.org")


def _is_here(host: str) -> bool:
    """Returns whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _password(file: str, environment: Mapping[str, str] | None) -> str:
    """Returns the password. That of the environment is used before that of the file."""
    given = (os.environ if environment is None else environment).get(PASSWORD)
    if given:
        return given
    if not file:
        raise ConfigurationError(
            USER, f"is set without a password: set {PASSWORD} in the environment, or {PASSWORD_FILE}"
        )
    try:
        lines = Path(file).read_text("utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is no UTF-8 text"
        raise ConfigurationError(PASSWORD_FILE, f"{file} cannot be read: {reason}") from error
    if not lines or not lines[0]:
        raise ConfigurationError(PASSWORD_FILE, f"the first line of {file} is empty: write the password there")
    return lines[0]
