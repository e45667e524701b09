"""A real SMTP server on loopback (aiosmtpd), with or without TLS and log-in."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from newscrawl.testing.services.local import free_port

PASSWORD = "s3cret, of a test"


class Mailbox:
    """The mails that a server accepted. `answers` are the answers to the next mails; the last one repeats."""

    def __init__(self) -> None:
        self.port = free_port()
        self.mails: list[EmailMessage] = []
        self.recipients: list[list[str]] = []
        self.users: list[str] = []
        self.answers = ["250 OK"]

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802  aiosmtpd's name
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer.startswith("250"):
            self.mails.append(cast("EmailMessage", message_from_bytes(envelope.content, policy=policy.default)))
            self.recipients.append(envelope.rcpt_tos)
        return answer

    def log_in(self, _server: Any, _session: Any, _envelope: Any, mechanism: str, data: Any) -> AuthResult:
        """The log-in of every user with the password of the test."""
        if not isinstance(data, LoginPassword) or data.password != PASSWORD.encode():
            return AuthResult(success=False, handled=False, message=f"535 no {PASSWORD} of https://u:p@h.example/")
        self.users.append(data.login.decode())
        return AuthResult(success=True)


@contextmanager
def mailbox(tls: str = "none", context: ssl.SSLContext | None = None) -> Iterator[Mailbox]:
    """A server with starttls, ssl or none, where users may log in."""
    box = Mailbox()
    options: dict[str, Any] = {"authenticator": box.log_in, "auth_require_tls": tls == "starttls"}
    if tls == "starttls":
        options |= {"tls_context": context, "require_starttls": True}
    controller = Controller(
        box, hostname="127.0.0.1", port=box.port, ssl_context=context if tls == "ssl" else None, **options
    )
    controller.start()
    try:
        yield box
    finally:
        controller.stop()
