"""Watches: an answer is computed again when its inputs change, and a person is told."""

import base64
import hashlib
import hmac
import json
import time

import pytest

from smoldesk.store.watches import get_watch
from tests.support.waiting import come_true
from tests.support.webhook import Webhook
from tests.watches.conftest import SALES, MailServer, WatchedChat

MORE = SALES + "Molde,12\n"


def test_a_changed_file_brings_a_notice_with_the_new_value_and_the_one_before(chat: WatchedChat) -> None:
    watch = chat.watch(chat.ask())
    assert (watch["value"], watch["state"], watch["title"]) == ("Sum: 30", "active", "What is the sum?")

    chat.put(MORE)

    notice = chat.notice(watchId=watch["id"])
    assert (notice["state"], notice["text"], notice["previous"]) == ("fired", "Sum: 42", "Sum: 30")
    chat.http.post(f"/api/watches/{watch['id']}/seen")
    assert chat.client.until("notices", count=0)["content"]["notices"] == []
    assert [report["text"] for report in chat.history(watch)["reports"]] == ["Sum: 42"]


def test_a_mail_goes_to_listed_recipients_with_one_message_id_for_all_attempts(
    chat: WatchedChat, mail_server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smoldesk.watches.watch_task.PAUSES", (0.1,) * 6)
    mail_server.refusals = 1
    watch = chat.watch(chat.ask(), mail=["person@example.org"], title="Sales\u2028today", language="ja")

    chat.put(MORE)

    [mail] = mail_server.until(1)
    assert mail["To"] == "person@example.org" and mail["Subject"]
    assert mail_server.attempts == [f"<{watch['id']}.1.0@example.org>"] * 2
    text = mail.get_payload(decode=True)
    assert isinstance(text, bytes) and "Sum: 42\n\n前回: Sum: 30" in text.decode().replace("\r\n", "\n")
    [delivery] = chat.history(watch)["deliveries"]
    assert (delivery["state"], delivery["attempts"]) == ("sent", 2)


def test_a_webhook_is_signed_and_repeated_under_one_id(
    chat: WatchedChat, hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smoldesk.watches.watch_task.PAUSES", (0.1,) * 6)
    hook.statuses = [500, 200]
    watch = chat.watch(chat.ask(), webhook=hook.url)

    chat.put(MORE)
    hook.until(lambda: len(hook.posted) == 2)

    first, second = hook.posted
    assert first[0]["webhook-id"] == second[0]["webhook-id"] == f"{watch['id']}.1.0"
    assert second[1]["text"] == "Sum: 42"
    signed = f"{second[0]['webhook-id']}.{second[0]['webhook-timestamp']}.".encode()
    signed += json.dumps(second[1], ensure_ascii=False).encode()
    key = base64.b64decode(watch["secret"].removeprefix("whsec_"))
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert second[0]["webhook-signature"] == f"v1,{expected}"


def test_a_threshold_reports_when_it_is_passed_and_not_again_before_it_was_left(chat: WatchedChat) -> None:
    run = chat.ask()
    target = {"kind": "cell", "row": "Oslo", "column": "amount"}
    watch = chat.watch(run, target=target, condition={"kind": "above", "value": 15})
    for amount in (16, 17, 3, 18):
        chat.put(SALES.replace("10", str(amount)))
        chat.until_value(watch, str(amount))
    reports = chat.history(watch)["reports"]
    assert [report["text"] for report in reports] == ["18", "16"]


def test_a_threshold_that_is_moved_counts_from_the_value_of_the_moment(chat: WatchedChat) -> None:
    target = {"kind": "cell", "row": "Oslo", "column": "amount"}
    watch = chat.watch(chat.ask(), target=target, condition={"kind": "above", "value": 5})
    moved = {"condition": {"kind": "above", "value": 15}}
    assert chat.http.patch(f"/api/watches/{watch['id']}", json=moved).status_code == 200
    chat.put(SALES.replace("10", "16"))
    assert chat.notice(watchId=watch["id"])["text"] == "16"


def test_the_value_of_a_room_is_written_in_full(chat: WatchedChat) -> None:
    def feed(value: float) -> None:
        row = {"room": "Kitchen", "value": value}
        assert chat.http.post(f"{chat.path}/layers/energy?unit=kWh", json=[row]).status_code < 300

    feed(1_234_567)
    watch = chat.watch(None, target={"kind": "room", "layer": "energy", "room": "Kitchen"})
    assert watch["value"] == "1,234,567 kWh"
    feed(1_234_567)
    time.sleep(1.1)  # a reading of a later second, and a check of it
    feed(1_234_567)
    feed(1_234_570.5)
    notice = chat.notice(watchId=watch["id"])
    assert (notice["previous"], notice["text"]) == ("1,234,567 kWh", "1,234,570.5 kWh")


def test_a_row_that_appears_is_reported(chat: WatchedChat) -> None:
    watch = chat.watch(
        chat.ask(),
        target={"kind": "cell", "row": "Molde", "column": "amount"},
        condition={"kind": "appears"},
    )
    chat.put(MORE)
    assert chat.notice(watchId=watch["id"])["text"] == "12"


def test_what_cannot_be_computed_is_reported_once_and_pauses_the_watch_after_five_times(
    chat: WatchedChat,
) -> None:
    watch = chat.watch(chat.ask())
    for number in range(5):
        chat.put(f"shop,price\nOslo,{number}\n")
        if number == 0:
            notice = chat.notice(watchId=watch["id"], state="failed")
            assert notice["code"] == "code_failed" and "amount" in notice["problem"]
        come_true(lambda at=number: failures(chat, watch["id"]) > at)
    assert chat.notice(watchId=watch["id"], isPaused=True)["state"] == "failed"
    [stored] = chat.http.get(f"{chat.path}/watches").json()["watches"]
    assert stored["state"] == "paused"
    chat.http.patch(f"/api/watches/{watch['id']}", json={"paused": False})
    chat.put(MORE)
    assert chat.notice(watchId=watch["id"], text="Sum: 42")


def failures(chat: WatchedChat, watch_id: str) -> int:
    stored = chat.desk.desk.store.read(lambda connection: get_watch(connection, watch_id))
    return json.loads(stored.last)["failures"]
