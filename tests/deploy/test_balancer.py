"""Three servers behind a real nginx with deploy/nginx.conf.template: what passes, what is repeated, and who is believed."""

import json
import signal
import ssl
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from smoldesk.wires.security.guesses import FREE_FAILURES
from tests.browser.desk_page import DeskPage
from tests.support.balancer import MAX_BODY, PROXY, Balancer, Fleet, balanced, find_nginx
from tests.support.desk_server import DeskProcess
from tests.support.postgres import TestPostgres
from tests.support.scripted_desk import SERVING
from tests.support.task_client import TaskClient
from tests.support.waiting import PATIENCE, come_true
from tests.support.ws_client import WsClient

pytestmark = pytest.mark.long
TOKEN = "the-token-of-three-servers"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
LARGE = b"0123456789abcde\n" * 2_000_000
PIECE = 1_000_000


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory, postgres: TestPostgres) -> Iterator[Fleet]:
    if find_nginx() is None:
        pytest.skip("no nginx: the balancer in deploy/ is not tried (apt-get install nginx-light)")
    folder: Path = tmp_path_factory.mktemp("fleet")
    with postgres.desk_database() as url:
        env = {
            "SMOLDESK_DATABASE_URL": url,
            "SMOLDESK_TOKEN": TOKEN,
            "SMOLDESK_FILES_DIR": str(folder / "files"),
            "SMOLDESK_TRUSTED_PROXIES": json.dumps([PROXY]),
            "SMOLDESK_DRAIN_SECONDS": "60",
        }
        fleet = Fleet(folder, env, SERVING)
        try:
            fleet.up()
            yield fleet
        finally:
            fleet.close()


@pytest.fixture(scope="module")
def nginx(fleet: Fleet, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Balancer]:
    with balanced(tmp_path_factory.mktemp("balancer") / "http", fleet.addresses) as running:
        yield running


@pytest.fixture(autouse=True)
def all_up(fleet: Fleet) -> None:
    """Start what an earlier test has stopped."""
    fleet.up()


def client(nginx: Balancer, source: str = "127.0.0.1", **headers: str) -> httpx.Client:
    """An HTTP client of the desk, from any address of 127.0.0.0/8."""
    transport = httpx.HTTPTransport(verify=False, local_address=source)  # certificates take 40 ms to load
    return httpx.Client(base_url=nginx.url, transport=transport, headers=BEARER | headers, timeout=120)


def socket(nginx: Balancer, query: str = "?after=0") -> WsClient:
    return WsClient(nginx.ws_url, query, headers=BEARER)


def new_chat(nginx: Balancer) -> str:
    with client(nginx) as http:
        return http.post("/api/chats", json={}).json()["id"]


def runs_of(nginx: Balancer, chat_id: str) -> list[str]:
    """The kinds of the events that start and end the runs of a chat."""
    with client(nginx) as http:
        lines = http.get(f"/api/chats/{chat_id}/events").text.splitlines()
    kinds = [json.loads(line)["event"]["type"] for line in lines]
    return [kind for kind in kinds if kind in ("run_queued", "run_finished", "run_failed", "run_cancelled")]


def working_server(fleet: Fleet) -> DeskProcess:
    """The server with a live run."""

    with httpx.Client(headers=BEARER, verify=False) as http:

        def works(server: DeskProcess) -> bool:
            return "\nsmoldesk_chats_working 1.0" in http.get(f"{server.url}/metrics").text

        return come_true(lambda: next((server for server in fleet.servers.values() if works(server)), None))


def refuses(url: str) -> bool:
    """Whether nobody listens there."""
    try:
        httpx.get(f"{url}/livez", verify=False)
    except httpx.TransportError:  # refused, or the port closed with the connection in its queue
        return True
    return False


def test_requests_go_round_the_servers_and_the_page_loads(nginx: Balancer, fleet: Fleet) -> None:
    start = len(nginx.log())
    with client(nginx) as http:
        for _ in range(6):
            assert "<title>" in http.get("/").text
    served = nginx.served_by("GET /", 6, start)
    assert {address: served.count(address) for address in served} == dict.fromkeys(fleet.addresses, 2)


def test_a_question_comes_through_while_its_run_waits_for_the_answer(nginx: Balancer) -> None:
    """The stream ends only after the answer: a balancer that waited for its end would hold the question back for ever."""
    with (
        TaskClient(nginx.url, None, **BEARER) as tasks,
        tasks.stream("POST", "/tasks/sendSubscribe", json={"message": "please pay"}) as events,
    ):
        asked = next(event.json for event in events if event.event == "status" and "input" in event.data)
        assert asked["state"] == "input_required"
        assert tasks.give(asked["taskId"], "y").status_code == 200
        last = [event.json for event in events if event.event == "status"][-1]
        assert (last["state"], last["final"]) == ("completed", True)


def test_a_file_of_32_megabytes_passes(nginx: Balancer) -> None:
    chat_id = new_chat(nginx)
    with client(nginx) as http:
        made = http.post(f"/api/chats/{chat_id}/files", files={"file": ("large.log", LARGE)})
        assert made.status_code == 201, made.text
        assert http.get(f"/api/chats/{chat_id}/files/large.log").content == LARGE


def test_a_body_above_the_limit_is_refused_and_no_server_counts_as_failed(
    nginx: Balancer, fleet: Fleet
) -> None:
    path = f"/api/chats/{new_chat(nginx)}/files"
    start = len(nginx.log())
    form = b'--f\r\nContent-Disposition: form-data; name="file"; filename="large.log"\r\n\r\n'
    pieces = [form, *([bytes(PIECE)] * (MAX_BODY // PIECE + 1))]
    headers = {"Content-Type": "multipart/form-data; boundary=f"}
    with client(nginx) as http:
        for body in (b"".join(pieces), iter(pieces)):  # announced, and of unknown length
            refused = http.post(path, content=body, headers=headers)
            assert (refused.status_code, refused.json()["error"]["code"]) == (413, "too_large"), refused.text
        assert nginx.served_by(f"POST {path}", 2, start)[0] == "-"
        assert {http.get("/livez").status_code for _ in range(6)} == {200}
        assert http.get(path).json()["files"] == []
    served = nginx.served_by("GET /livez", 6, start)
    assert {address: served.count(address) for address in served} == dict.fromkeys(fleet.addresses, 2)


def test_a_body_between_both_limits_is_refused_by_the_desk_and_no_server_counts_as_failed(
    nginx: Balancer, fleet: Fleet
) -> None:
    """The desk answers in the middle of the body, which nginx goes on sending."""
    path = f"/api/chats/{new_chat(nginx)}/runs"
    start = len(nginx.log())
    pieces = [b'{"message": "', *([b"x" * PIECE] * 30), b'"}']
    headers = {"Content-Type": "application/json"}
    with client(nginx) as http:
        for number in range(8):
            body = iter(pieces) if number % 2 else b"".join(pieces)  # of unknown length, and announced
            refused = http.post(path, content=body, headers=headers)
            assert (refused.status_code, refused.json()["error"]["code"]) == (413, "too_large"), refused.text
        assert {http.get("/livez").status_code for _ in range(6)} == {200}
    assert "-" not in nginx.served_by(f"POST {path}", 8, start)
    served = nginx.served_by("GET /livez", 6, start)
    assert {address: served.count(address) for address in served} == dict.fromkeys(fleet.addresses, 2)


def test_a_request_that_offers_another_protocol_keeps_its_body(nginx: Balancer) -> None:
    offer = {
        "Connection": "Upgrade, HTTP2-Settings",
        "Upgrade": "h2c",
        "HTTP2-Settings": "AAMAAABkAARAAAAAAAIAAAAA",
    }
    with client(nginx) as http:
        changed = http.patch(f"/api/chats/{new_chat(nginx)}", json={"title": "By h2c"}, headers=offer)
    assert (changed.status_code, changed.json()["title"]) == (200, "By h2c")


def test_pieces_of_an_upload_may_go_to_different_servers(nginx: Balancer) -> None:
    chat_id = new_chat(nginx)
    tus = {"Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"}
    content = LARGE[: 4 * PIECE]
    start = len(nginx.log())
    with client(nginx) as http:
        length = {"Upload-Length": str(len(content)), "Upload-Metadata": "filename cGllY2VzLmxvZw=="}
        made = http.post(f"/api/chats/{chat_id}/uploads", headers=tus | length)
        assert made.status_code == 201, made.text
        location = made.headers["Location"]
        path = httpx.URL(location).path
        for offset in range(0, len(content), PIECE):
            headers = tus | {"Upload-Offset": str(offset)}
            sent = http.patch(location, headers=headers, content=content[offset : offset + PIECE])
            assert sent.headers["Upload-Offset"] == str(offset + PIECE), sent.text
        assert come_true(lambda: http.get(f"/api/chats/{chat_id}/files/pieces.log").content == content)
    assert len(set(nginx.served_by(f"PATCH {path}", 4, start))) == 3


def test_the_desk_sees_the_client_s_address_and_believes_no_client_about_it(
    nginx: Balancer, fleet: Fleet
) -> None:
    """A client that guesses tokens waits; it can neither blame another one nor hide behind one."""
    victim, attacker, liar = "127.0.0.31", "127.0.0.32", "127.0.0.33"
    wrong = {"Authorization": "Bearer wrong"}
    lies = [
        {"X-Forwarded-For": victim},
        {"X-Forwarded-For": f"{victim}, {PROXY}"},
        {"Forwarded": f"for={victim}"},
        {"X-Real-IP": victim},
    ]
    with client(nginx, attacker) as http:
        for number in range(3 * FREE_FAILURES):
            http.get("/api/chats", headers=wrong | lies[number % len(lies)])
        come_true(lambda: http.get("/api/chats").status_code == 429)
    with client(nginx, victim) as http:
        assert {http.get("/api/chats").status_code for _ in range(6)} == {200}
    with client(nginx, liar, **{"X-Forwarded-For": attacker}) as http:
        assert http.get("/api/chats").status_code == 200
    # who reaches a server past the balancer is not believed either
    transport = httpx.HTTPTransport(local_address=liar)
    with httpx.Client(transport=transport, headers=BEARER | {"X-Forwarded-For": attacker}) as http:
        assert http.get(f"http://{fleet.addresses[0]}/api/chats").status_code == 200


def test_the_page_s_origin_passes_with_its_port_and_no_other_one(nginx: Balancer) -> None:
    with connect(nginx.ws_url, additional_headers=BEARER | {"Origin": nginx.url}) as wire:
        assert json.loads(wire.recv(60))
    with client(nginx) as http:
        assert http.post("/api/chats", json={}, headers={"Origin": nginx.url}).status_code == 201
        for origin in ("http://127.0.0.1", "http://evil.example", nginx.url.replace("http", "https")):
            assert http.post("/api/chats", json={}, headers={"Origin": origin}).status_code == 403
            with pytest.raises(InvalidStatus):
                connect(nginx.ws_url, additional_headers=BEARER | {"Origin": origin})


def test_behind_https_the_cookie_is_secure_and_the_origin_is_https(fleet: Fleet, tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=127.0.0.1",
    ]
    made += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(made, check=True, capture_output=True)
    main = f"ssl_certificate {certificate}; ssl_certificate_key {key};"
    trusted = ssl.create_default_context(cafile=str(certificate))
    with balanced(tmp_path / "nginx", fleet.addresses, "ssl", main) as secure:
        with httpx.Client(base_url=secure.url, verify=trusted, timeout=120) as http:
            moved = http.get("/", params={"token": TOKEN})
            assert moved.status_code == 303
            cookie = moved.headers["set-cookie"]
            assert "; Secure" in cookie and "HttpOnly" in cookie
            assert str(http.base_url.port) in cookie.split("=")[0]
            made_chat = http.post("/api/chats", json={}, headers=BEARER | {"Origin": secure.url})
            assert made_chat.status_code == 201, made_chat.text
        with connect(secure.ws_url, ssl=trusted, additional_headers=BEARER | {"Origin": secure.url}) as wire:
            assert json.loads(wire.recv(60))


def test_no_log_of_the_balancer_has_a_token(nginx: Balancer, fleet: Fleet) -> None:
    start = len(nginx.log())
    referrer = {"Referer": f"/?token={TOKEN}"}
    fleet.servers["b"].kill()
    with httpx.Client(base_url=nginx.url, timeout=120) as http:

        def second_server_had_to_answer() -> bool:
            assert http.get("/", params={"token": TOKEN}, headers=referrer).status_code == 303
            return any(len(line.servers) == 2 for line in nginx.log()[start:])

        come_true(second_server_had_to_answer)
    assert TOKEN not in nginx.written()


def test_a_server_that_drains_gets_no_request_and_its_socket_goes_on_elsewhere(
    nginx: Balancer, fleet: Fleet
) -> None:
    with socket(nginx) as page:
        chat_id = page.hello()
        page.say("please count")
        page.until("printed")
        run_id = page.seen[-1]["runId"]
        leaving = working_server(fleet)
        with client(
            nginx
        ) as http:  # one connection: a balancer that kept those to servers would have some to each now
            assert {http.get("/api/chats").status_code for _ in range(6)} == {200}
            leaving.process.send_signal(signal.SIGTERM)
            come_true(lambda: refuses(leaving.url))
            start = len(nginx.log())
            assert {http.get("/api/session").status_code for _ in range(6)} == {200}
            assert {http.post("/api/session/links?path=/").status_code for _ in range(6)} == {200}
        served = nginx.served_by("GET /api/session", 6, start)
        served += nginx.served_by("POST /api/session/links", 6, start)
        assert leaving.url.removeprefix("http://") not in served
        with socket(nginx, f"?chat={chat_id}&after=0") as again:
            again.hello()
            again.until("printed")
            again.send(type="cancel", runId=run_id)
            assert again.until_closed()[-1]["content"]["state"] == "cancelled"
            with pytest.raises(ConnectionClosed):
                while True:
                    page.next()
            again.say("please answer")
            assert again.until_closed()[-1]["content"]["text"] == "42"
    assert leaving.process.wait(60) == 0


def test_a_quick_rolling_restart_refuses_no_request(nginx: Balancer, fleet: Fleet) -> None:
    """Each server is down for a moment, within the seconds in which nginx avoids a server that failed."""
    with client(nginx) as http:
        for name in fleet.ports:
            fleet.servers[name].kill()
            assert {http.get("/livez").status_code for _ in range(6)} == {200}
            fleet.up()
        assert {http.get("/livez").status_code for _ in range(6)} == {200}


def test_a_page_goes_on_while_each_server_is_restarted(
    browser: Browser, nginx: Balancer, fleet: Fleet
) -> None:
    expect.set_options(timeout=PATIENCE)
    with browser.new_context() as context:
        page = DeskPage(context.new_page(), f"{nginx.url}/?token={TOKEN}")
        page.open()
        assert "42" in page.ask("please answer").inner_text()
        chat_id = page.chat_id()
        for name in fleet.ports:
            assert fleet.servers[name].terminate() == 0
            fleet.up()
            page.reconnect()
        assert "42" in page.ask("please answer").inner_text()
        page.reload()
        expect(page.turns).to_have_count(2)
        assert page.chat_id() == chat_id
    assert runs_of(nginx, chat_id) == ["run_queued", "run_finished"] * 2


def test_a_message_whose_server_dies_is_not_sent_to_another_one(nginx: Balancer, fleet: Fleet) -> None:
    """The server has accepted the request and sent nothing back yet: to repeat it would start a second run."""
    body = {"model": "smoldesk", "messages": [{"role": "user", "content": "please count"}]}

    def post() -> httpx.Response:
        with client(nginx) as http:
            return http.post("/v1/chat/completions", json=body)

    with client(nginx) as http:
        before = {chat["id"] for chat in http.get("/api/chats").json()["chats"]}
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(post)
        dying = working_server(fleet)
        dying.kill()
        result = answer.result(120)
    assert result.status_code == 502
    assert result.json()["error"]["code"] == "server_away"
    with client(nginx) as http:
        chats = [chat["id"] for chat in http.get("/api/chats").json()["chats"] if chat["id"] not in before]
    assert len(chats) == 1
    come_true(lambda: len(runs_of(nginx, chats[0])) > 1)
    # failed with its server, or finished elsewhere if that server had not begun it; in no case a second run
    assert runs_of(nginx, chats[0]) in (["run_queued", "run_failed"], ["run_queued", "run_finished"])
