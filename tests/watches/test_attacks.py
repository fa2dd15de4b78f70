"""What watches must not do, whatever a title, an address, a webhook or a cron line says."""

import asyncio
import json
from pathlib import Path

import pytest

from smoldesk.errors import DeskError
from smoldesk.store.sealing import Seal
from smoldesk.store.watches import StoredDelivery, StoredTurn, StoredWatch
from smoldesk.watches import DeliveryRules, WatchBody
from smoldesk.watches.deliveries import Deliverer, NotSent, mail_of, new_secret
from smoldesk.watches.watch import Report
from tests.support.aio import run_async
from tests.support.webhook import Webhook
from tests.watches.conftest import WatchedChat

MAIL = DeliveryRules("smtp://127.0.0.1:1", "", "desk@example.org", ("@example.org", "one@example.net"))


def delivery(kind: str, address: str) -> StoredDelivery:
    return StoredDelivery("w_1.1.0", "w_1", 1, kind, address, "pending", 0, "")


def send(folder: Path, rules: DeliveryRules, sent: StoredDelivery) -> NotSent:
    """Make one attempt that fails."""
    seal = Seal(folder / "keys")
    body = WatchBody(title="Sales", run_id="r_1").model_dump_json()
    watch = StoredWatch("w_1", "c_1", body, seal.seal(new_secret()), "active", 2, None, "", "{}", 0.0)
    turn = StoredTurn("w_1", 1, "fired", 0.0, Report(text="42").model_dump_json(), False)
    with pytest.raises(NotSent) as fault:
        run_async(Deliverer(rules, seal).send(sent, watch, turn))
    return fault.value


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254"])
def test_a_listed_host_inside_gets_nothing(tmp_path: Path, host: str) -> None:
    hook = Webhook()
    rules = DeliveryRules(hosts=(host.strip("[]"),))
    fault = send(tmp_path, rules, delivery("webhook", f"http://{host}:{hook.port}/hook"))
    hook.close()
    assert "cannot be reached" in str(fault) and hook.posted == []


def test_a_redirect_is_not_followed(tmp_path: Path) -> None:
    inside = Webhook()
    hook = Webhook(302, location=inside.url)
    fault = send(
        tmp_path, DeliveryRules(hosts=("127.0.0.1",), allow_private=True), delivery("webhook", hook.url)
    )
    for server in (inside, hook):
        server.close()
    assert fault.is_final and "redirect" in str(fault)
    assert len(hook.posted) == 1 and inside.posted == []


def test_a_recipient_that_the_operator_removed_gets_nothing_any_more(tmp_path: Path) -> None:
    fault = send(tmp_path, MAIL, delivery("mail", "person@example.com"))
    assert fault.is_final and "not listed" in str(fault)
    fault = send(tmp_path, DeliveryRules(hosts=("example.org",)), delivery("webhook", "https://example.com/"))
    assert fault.is_final and "not listed" in str(fault)


@pytest.mark.parametrize(
    "address",
    [
        "person@example.com",
        "person@notexample.org",
        "person@example.org.evil.example",
        "one@example.net, other@example.com",
        "person@example.org\r\nBcc: other@example.com",
        "Person <person@example.org>",
        "@example.org",
        "pérson@example.org",
        "",
    ],
)
def test_addresses_that_are_not_listed_or_are_more_than_an_address_are_refused(address: str) -> None:
    with pytest.raises(DeskError) as fault:
        MAIL.check_mail(address)
    assert fault.value.code in ("recipient_not_allowed", "bad_address")


def test_a_title_adds_no_header() -> None:
    body = WatchBody.model_construct(title="Sum\r\nBcc: other@example.com\u2028X-Y: 1", language="en")
    report = Report(text="42\r\n.\r\nMAIL FROM:<x@example.com>")
    mail = mail_of(delivery("mail", "person@example.org"), body, report, "desk@example.org")
    assert mail["Bcc"] is None and mail["X-Y"] is None
    assert mail["Subject"] == "Sum Bcc: other@example.com X-Y: 1"
    assert mail.get_content_type() == "text/plain"


BAD: list[tuple[dict[str, object], int, str]] = [
    ({"cron": "0 0 30 2 *"}, 400, "bad_cron"),
    ({"cron": "* * * * * *"}, 400, "bad_cron"),
    ({"cron": "0 9 * * MON", "zone": "../../etc/passwd"}, 400, "bad_zone"),
    ({"onChange": False}, 400, "no_trigger"),
    ({"mail": ["person@example.com"]}, 403, "recipient_not_allowed"),
    ({"webhook": "http://169.254.169.254/latest"}, 403, "host_not_allowed"),
    ({"webhook": "file:///etc/passwd"}, 400, "bad_push_address"),
    ({"condition": {"kind": "above"}}, 422, ""),
    ({"title": "a\r\nBcc: b@example.com"}, 422, ""),
    ({"target": {"kind": "table", "index": 7}}, 409, "not_there"),
    ({"condition": {"kind": "below", "value": 1e999}}, 422, ""),
]


def test_bad_watches_are_refused_with_a_reason(chat: WatchedChat) -> None:
    run = chat.ask()
    for body, status, code in BAD:
        content = json.dumps({"runId": run, **body})
        headers = {"content-type": "application/json"}
        answer = chat.http.post(f"{chat.path}/watches", content=content, headers=headers)
        assert answer.status_code == status and code in answer.text, (body, answer.text)
    assert chat.http.get(f"{chat.path}/watches").json()["watches"] == []


def test_bad_changes_of_a_watch_are_refused_and_change_nothing(chat: WatchedChat) -> None:
    watch = chat.watch(chat.ask(), target={"kind": "table"})
    text = chat.watch(chat.ask("final_answer('Oslo and ' + 'Bergen')"))
    path = f"/api/watches/{watch['id']}"
    assert chat.http.patch(path, json={"paused": True}).status_code == 200
    for address, body, code in (
        (path, {"cron": "0 0 30 2 *"}, "bad_cron"),
        (path, {"zone": "Mars/Olympus", "cron": "0 9 * * *"}, "bad_zone"),
        (path, {"onChange": False}, "no_trigger"),
        (f"/api/watches/{text['id']}", {"condition": {"kind": "above", "value": 1}}, "not_a_number"),
    ):
        answer = chat.http.patch(address, json=body)
        assert answer.status_code == 400 and code in answer.text, (body, answer.text)
    after = chat.http.get(f"{chat.path}/watches").json()["watches"]
    assert [(one["cron"], one["zone"], one["onChange"], one["condition"]["kind"]) for one in after] == [
        (None, "UTC", True, "changed")
    ] * 2


def test_a_hidden_chat_of_a_replay_has_no_address(chat: WatchedChat) -> None:
    run = chat.ask()

    async def look() -> list[int]:
        reruns = chat.desk.desk.reruns
        async with reruns.played(chat.client.chat_id, run) as replay:
            paths = ("", "/events", "/files", "/watches")
            get = chat.http.get
            return [
                (await asyncio.to_thread(get, f"/api/chats/{replay.chat_id}{path}")).status_code
                for path in paths
            ]

    assert run_async(look()) == [404, 404, 404, 404]


def test_a_watch_whose_file_is_gone_says_so_once(chat: WatchedChat) -> None:
    watch = chat.watch(chat.ask())
    chat.http.delete(f"{chat.path}/files/sales.csv")
    notice = chat.notice(watchId=watch["id"], state="failed")
    assert notice["code"] == "code_failed" and "sales.csv" in notice["problem"]


def test_deleting_a_chat_deletes_its_watches(chat: WatchedChat) -> None:
    watch = chat.watch(chat.ask())
    chat.http.delete(chat.path)
    assert chat.http.get(f"/api/watches/{watch['id']}/history").status_code == 404
    ids = [other["id"] for other in chat.http.get("/api/watches").json()["watches"]]
    assert watch["id"] not in ids
