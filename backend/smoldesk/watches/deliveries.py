"""Deliveries of reports by mail and by signed webhook. Both are off until the operator lists who may get them.

An attempt that fails is repeated under the same Message-ID or `webhook-id`, so that a recipient can tell it is the same.
"""

import base64
import hashlib
import hmac
import json
import re
import secrets
import time
from dataclasses import dataclass
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

import httpx

from smoldesk.errors import BadInput, DeskError, Refused
from smoldesk.http_client.address_checks import split_url
from smoldesk.http_client.outgoing import PublicTransport, outgoing_client
from smoldesk.store.sealing import CannotUnseal, Seal
from smoldesk.store.watches import StoredDelivery, StoredTurn, StoredWatch
from smoldesk.watches.watch import Report, WatchBody

# Seconds between attempts; after the last one the delivery has failed.
PAUSES = (5.0, 30.0, 120.0, 600.0, 3600.0, 6 * 3600.0)
SECONDS = 20.0
LONGEST_SUBJECT = 150
SECRET_PREFIX = "whsec_"
_WORDS = {
    "en": {
        "was": "Before",
        "fails": "It cannot be computed",
        "paused": "The watch is paused.",
        "ends": "Watch",
    },
    "ja": {"was": "前回", "fails": "計算できません", "paused": "通知を一時停止しました。", "ends": "通知"},
}


@dataclass(frozen=True)
class DeliveryRules:
    """The operator's choices. `recipients` are addresses, or domains such as @example.org; `hosts` those of webhooks."""

    mail_server: str = ""
    mail_password: str = ""
    mail_from: str = ""
    recipients: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    allow_private: bool = False

    @property
    def has_mail(self) -> bool:
        """Whether mail can be sent."""
        return bool(self.mail_server and self.mail_from and self.recipients)

    def check_mail(self, address: str) -> None:
        """Raise Refused for a recipient that the operator has not listed, BadInput for an invalid address."""
        if not self.has_mail:
            raise Refused(
                "This desk sends no mail.",
                "The operator sets SMOLDESK_MAIL_SERVER, SMOLDESK_MAIL_FROM and SMOLDESK_MAIL_RECIPIENTS.",
                code="mail_off",
            )
        try:
            parsed = Address(addr_spec=address)
            is_plain = address.isascii() and parsed.addr_spec == address and bool(parsed.domain)
        except (MessageError, ValueError, IndexError):
            is_plain = False
        if not is_plain:
            raise BadInput(f"{address[:80]!r} is not a mail address.", code="bad_address")
        allowed = {entry.lower() for entry in self.recipients}
        if not {address.lower(), "@" + address.lower().rpartition("@")[2]} & allowed:
            raise Refused(
                f"The operator has not listed the recipient {address[:80]!r}.",
                "SMOLDESK_MAIL_RECIPIENTS lists addresses and domains.",
                code="recipient_not_allowed",
            )

    def check_webhook(self, url: str) -> None:
        """Raise Refused for a host that the operator has not listed, BadInput for an invalid URL."""
        if not self.hosts:
            raise Refused(
                "This desk calls no webhooks.",
                "The operator sets SMOLDESK_WEBHOOK_HOSTS.",
                code="webhooks_off",
            )
        host = split_url(url).hostname or ""
        if host not in {entry.lower() for entry in self.hosts}:
            raise Refused(
                f"The operator has not listed the host {host[:80]!r}.",
                "SMOLDESK_WEBHOOK_HOSTS lists hosts.",
                code="host_not_allowed",
            )


class NotSent(Exception):
    """Failure of one attempt; `is_final` if another one would fail, too."""

    def __init__(self, message: str, is_final: bool = False) -> None:
        super().__init__(message)
        self.is_final = is_final


class Deliverer:
    """Sends one report to one recipient."""

    def __init__(self, rules: DeliveryRules, seal: Seal) -> None:
        self._rules, self._seal = rules, seal

    async def send(self, delivery: StoredDelivery, watch: StoredWatch, turn: StoredTurn) -> None:
        """Make one attempt. Raises NotSent."""
        body, report = WatchBody.model_validate_json(watch.body), Report.model_validate_json(turn.body)
        try:
            if delivery.kind == "mail":
                self._rules.check_mail(delivery.address)
                await self._mail(delivery, body, report)
            else:
                self._rules.check_webhook(delivery.address)
                await self._post(delivery, watch, turn, body, report)
        except DeskError as fault:
            raise NotSent(fault.message, is_final=True) from fault

    async def _mail(self, delivery: StoredDelivery, body: WatchBody, report: Report) -> None:
        import aiosmtplib

        server = urlsplit(self._rules.mail_server)
        try:
            await aiosmtplib.send(
                mail_of(delivery, body, report, self._rules.mail_from),
                hostname=server.hostname,
                port=server.port,
                username=unquote(server.username) if server.username else None,
                password=self._rules.mail_password or None,
                use_tls=server.scheme == "smtps",
                timeout=SECONDS,
            )
        except aiosmtplib.SMTPResponseException as fault:
            raise NotSent(
                f"The mail server answered {fault.code}.", is_final=500 <= fault.code < 600
            ) from fault
        except (aiosmtplib.SMTPException, OSError, ValueError) as fault:
            raise NotSent(f"The mail server cannot be reached ({type(fault).__name__}).") from fault

    async def _post(
        self, delivery: StoredDelivery, watch: StoredWatch, turn: StoredTurn, body: WatchBody, report: Report
    ) -> None:
        content = webhook_body(delivery, watch, turn, body, report)
        try:
            secret = self._seal.unseal(watch.sealed or "")
        except CannotUnseal:
            raise NotSent("The secret of the webhook cannot be read.", is_final=True) from None
        headers = signed_headers(delivery.id, content, secret, int(time.time()))
        transport = PublicTransport(self._rules.allow_private)
        async with outgoing_client(transport, httpx.Timeout(SECONDS), headers) as client:
            try:
                async with client.stream("POST", delivery.address, content=content) as response:
                    status = response.status_code
            except httpx.HTTPError as fault:
                raise NotSent(f"The webhook cannot be reached ({type(fault).__name__}).") from fault
        if 300 <= status < 400:
            raise NotSent("The webhook redirects, which is not followed.", is_final=True)
        if status >= 400:
            raise NotSent(f"The webhook answered {status}.", is_final=status == 410)


def mail_of(delivery: StoredDelivery, body: WatchBody, report: Report, sender: str) -> EmailMessage:
    """Return the mail of a report: plain text, with a Message-ID that all attempts share."""
    texts = _WORDS[body.language]
    message = EmailMessage()
    message["From"], message["To"] = sender, delivery.address
    subject = body.title or texts["ends"]
    # A title comes from a question or an answer: a line break in it would add headers.
    message["Subject"] = re.sub(r"[\x00-\x1f\x7f\u2028\u2029]+", " ", subject)[:LONGEST_SUBJECT]
    message["Message-ID"] = f"<{delivery.id}@{sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    lines = [report.text] if report.text else [f"{texts['fails']}: {report.problem} ({report.code})"]
    if report.previous is not None:
        lines.append(f"{texts['was']}: {report.previous}")
    if report.is_paused:
        lines.append(texts["paused"])
    message.set_content("\n\n".join([body.title, *lines]) + "\n")
    return message


def webhook_body(
    delivery: StoredDelivery, watch: StoredWatch, turn: StoredTurn, body: WatchBody, report: Report
) -> bytes:
    """Return the JSON of a report."""
    data = {"id": f"{watch.id}.{turn.turn}", "watch_id": watch.id, "chat_id": watch.chat_id, "at": turn.at}
    data |= {"title": body.title, "state": turn.state, **report.model_dump()}
    return json.dumps(data, ensure_ascii=False).encode()


def signed_headers(message_id: str, content: bytes, secret: str, at: int) -> dict[str, str]:
    """Return the headers of a webhook as standardwebhooks.com defines them: id, time, and HMAC-SHA256 of both and the body."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = hmac.new(key, f"{message_id}.{at}.".encode() + content, hashlib.sha256).digest()
    return {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
    }


def new_secret() -> str:
    """Return a new secret of a webhook."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()
