"""Clients told at an address of theirs, by a real server to a real one; and every way to a place that is not for them."""

import asyncio
import socket
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from a2a.types import a2a_pb2 as pb
from a2a.utils.errors import InvalidParamsError, TaskNotFoundError

from smoldesk.chats import PushConfig, PushConfigs
from smoldesk.errors import BadInput
from smoldesk.http_client import outgoing
from smoldesk.http_client.address_checks import is_public
from smoldesk.http_client.outgoing import PublicTransport, outgoing_client
from smoldesk.store import push_configs
from smoldesk.wires.a2a import push
from smoldesk.wires.a2a.task_view import TaskView
from tests.support.a2a_client import Binding, a2a_client, events, said, sent, state
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.webhook import OVER, Webhook, with_push
from tests.wires.a2a.conftest import act

SHORT = httpx.Timeout(5)


@pytest.fixture
def hook() -> Iterator[Webhook]:
    webhook = Webhook()
    yield webhook
    webhook.close()


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push.PushNotifier.__init__, "__defaults__", ((0.01, 0.01),))


async def test_a_client_is_told_of_its_task_to_the_end(
    desk: LiveDesk, binding: Binding, hook: Webhook
) -> None:
    async with a2a_client(desk.url, binding, streaming=False) as client:
        request = with_push(said("talk"), hook.url, token="t-1")
        auth = request.configuration.task_push_notification_config.authentication
        auth.scheme, auth.credentials = "Bearer", "c-1"
        task = (await events(client, request))[0].task
    hook.until(hook.is_told_the_end)
    assert hook.told()[-1] == "TASK_STATE_COMPLETED"
    headers, _ = hook.posted[0]
    assert headers["x-a2a-notification-token"] == "t-1"
    assert headers["authorization"] == "Bearer c-1"
    assert {next(iter(body.values()))["taskId"] for _, body in hook.posted} == {task.id}
    texts = [
        body["artifactUpdate"]["artifact"]["parts"][0]["text"]
        for _, body in hook.posted
        if "artifactUpdate" in body
    ]
    assert "".join(texts) == "Looking\nat it.\nprint('hello')Done: talk"


async def test_configurations_are_made_listed_and_deleted(
    desk: LiveDesk, binding: Binding, hook: Webhook
) -> None:
    async with a2a_client(desk.url, binding, streaming=False) as client:
        task = await sent(client, "name")
        for name in ("one", "two"):
            await client.create_task_push_notification_config(
                pb.TaskPushNotificationConfig(task_id=task.id, id=name, url=hook.url, token=name)
            )
        listing = await client.list_task_push_notification_configs(
            pb.ListTaskPushNotificationConfigsRequest(task_id=task.id)
        )
        assert [config.id for config in listing.configs] == ["one", "two"]
        await client.delete_task_push_notification_config(
            pb.DeleteTaskPushNotificationConfigRequest(task_id=task.id, id="one")
        )
        get = pb.GetTaskPushNotificationConfigRequest(task_id=task.id, id="two")
        assert (await client.get_task_push_notification_config(get)).token == "two"
        with pytest.raises(TaskNotFoundError):
            await client.get_task_push_notification_config(
                pb.GetTaskPushNotificationConfigRequest(task_id=task.id, id="one")
            )
        with pytest.raises(TaskNotFoundError):
            await client.create_task_push_notification_config(
                pb.TaskPushNotificationConfig(task_id="r_none", url=hook.url)
            )
        assert state((await sent(client, "Bo", task_id=task.id)).status) == "completed"
    hook.until(hook.is_told_the_end)
    assert {headers["x-a2a-notification-token"] for headers, _ in hook.posted} == {"two"}


async def test_what_could_not_be_told_is_tried_again(desk: LiveDesk) -> None:
    hook = Webhook(503, 500, 200)

    async with a2a_client(desk.url, streaming=False) as client:
        await events(client, with_push(said("hello"), hook.url))
    hook.until(lambda: hook.told().count("TASK_STATE_COMPLETED") >= 1)
    assert len(hook.posted) >= 3
    assert hook.posted[0][1] == hook.posted[1][1] == hook.posted[2][1], "the same event, until it is taken"
    hook.close()


async def test_a_client_that_is_not_there_holds_up_nothing(desk: LiveDesk) -> None:
    with socket.socket() as used:
        used.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{used.getsockname()[1]}/"

        async with a2a_client(desk.url, streaming=False) as client:
            came = (await events(client, with_push(said("count 50"), url)))[0].task
        assert state(came.status) == "completed"


async def test_many_that_come_and_go_leave_no_connection(desk: LiveDesk, hook: Webhook) -> None:
    """Each is deleted at another moment of its first post: before it connects, between that and writing, after it."""
    async with a2a_client(desk.url, streaming=False) as client:
        task = await sent(client, "hello")
    looking = TaskView(desk.desk.runs)
    notifier = push.PushNotifier(PushConfigs(desk.desk.store, desk.desk.runs), looking, allow_private=True)
    chat_id = (await looking.record(task.id)).chat_id
    config = PushConfig(task.id, "one", chat_id, hook.url, token="gone")
    await PushConfigs(desk.desk.store, desk.desk.runs).save(config)
    for turn in range(300):
        notifier._start(config)  # pyright: ignore[reportPrivateUsage]  # as `begin` does, without its commits
        for _ in range(turn % 60):
            await asyncio.sleep(0)
        if turn % 60 == 59:  # the server of a busy machine is slower than all of these moments
            seen = len(hook.posted)
            await asyncio.to_thread(hook.until, lambda seen=seen: len(hook.posted) > seen)
        notifier._stop(config.run_id, config.id)  # pyright: ignore[reportPrivateUsage]
    await notifier.begin(replace(config, token="last"))
    await asyncio.to_thread(
        hook.until, lambda: any(headers["x-a2a-notification-token"] == "last" for headers, _ in hook.posted)
    )
    assert len(hook.posted) > 1, "some were cut off on their way"

    def connections() -> int:
        return sum(
            1
            for connection in psutil.Process().net_connections("tcp")
            if connection.raddr and connection.raddr[1] == hook.port
        )

    for _ in range(200):  # some are being closed
        if connections():
            await asyncio.sleep(0.02)
    assert connections() == 0
    await notifier.close()


# --- attacks -----------------------------------------------------------------------------------------------------------


async def test_a_redirect_is_not_followed(desk: LiveDesk, hook: Webhook) -> None:
    redirecting = Webhook(307, location=hook.url)

    async with a2a_client(desk.url, streaming=False) as client:
        await events(client, with_push(said("hello"), redirecting.url))
    redirecting.until(redirecting.is_told_the_end)
    assert hook.posted == []
    redirecting.close()


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0x7f000001",
        "017700000001",
        "127.1",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[fe80::1]",
        "[fc00::1]",
        "[fec0::1]",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "no.such.host.invalid",
    ],
)
def test_no_address_of_this_machine_or_its_networks_is_taken(host: str) -> None:
    with pytest.raises(BadInput, match="cannot be notified"):
        run_async(PublicTransport(allow_private=False).check(f"http://{host}/hook"))


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "http://",
        "//example.com",
        "http://user:secret@example.com/",
        "http://example.com:0/",
        "http://example.com:99999/",
        "http://exa mple.com/",
        "http://example.com/\r\nX-Evil: 1",
        "http://[::1/",
        "http://" + "a" * 3_000 + ".com/",
        "",
    ],
)
def test_what_is_no_address_of_the_web_is_refused(url: str) -> None:
    with pytest.raises(BadInput, match="cannot be notified"):
        run_async(PublicTransport(allow_private=True).check(url))


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "8.8.8.8"])
def test_public_addresses_are_taken(address: str) -> None:
    assert is_public(ip_address(address))


async def test_a_name_that_points_elsewhere_at_connect_time_is_not_followed(hook: Webhook) -> None:
    """DNS rebinding: public when it is looked at, loopback when it is connected to."""
    answers = [["93.184.215.14"], ["127.0.0.1"]]

    async def resolve(host: str, port: int, **_: Any) -> list[Any]:
        result = answers.pop(0)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (item, port)) for item in result]

    public = PublicTransport(allow_private=False)
    loop = asyncio.get_running_loop()
    loop.getaddrinfo = resolve  # pyright: ignore
    url = f"http://rebound.example:{hook.port}/hook"
    await public.check(url)
    async with outgoing_client(public, SHORT) as client:
        with pytest.raises(httpx.ConnectError, match="public internet"):
            await client.post(url, content=b"{}")
    assert answers == [] and hook.posted == []


def test_one_bad_address_among_good_ones_refuses_them_all() -> None:
    async def resolve(host: str, port: int, **_: Any) -> list[Any]:
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (item, port))
            for item in ("93.184.215.14", "10.0.0.1")
        ]

    async def go() -> None:
        asyncio.get_running_loop().getaddrinfo = resolve  # pyright: ignore
        await PublicTransport(allow_private=False).check("http://mixed.example/")

    with pytest.raises(BadInput, match="public internet"):
        run_async(go())


async def test_of_several_addresses_one_that_can_be_reached_is_enough(hook: Webhook) -> None:
    async def resolve(host: str, port: int, **_: Any) -> list[Any]:
        return [
            (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("::1", port, 0, 0)),
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port)),
        ]

    asyncio.get_running_loop().getaddrinfo = resolve  # pyright: ignore
    async with outgoing_client(PublicTransport(allow_private=True), SHORT) as client:
        came = (await client.post(f"http://both.example:{hook.port}/hook", content=b"{}")).status_code
    assert came == 200
    ((headers, _),) = hook.posted
    assert headers["host"] == f"both.example:{hook.port}"


class _Noted(httpx.AsyncBaseTransport):
    """Notes the requests that would go out."""

    def __init__(self) -> None:
        self.requests: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return httpx.Response(200)


async def test_a_certificate_is_held_to_the_name_not_to_the_address() -> None:
    """What goes to an address that was looked at names its host in the TLS handshake: nobody else's certificate is taken."""

    async def resolve(host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", port))]

    asyncio.get_running_loop().getaddrinfo = resolve  # pyright: ignore
    noted = _Noted()
    async with outgoing_client(PublicTransport(False, noted), SHORT) as client:
        await client.post("https://hook.example/told", content=b"{}")
    request = noted.requests[0]
    assert str(request.url) == "https://93.184.215.14/told"
    assert request.headers["host"] == "hook.example"
    assert request.extensions["sni_hostname"] == "hook.example"


def test_a_name_that_is_never_found_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolve(host: str, port: int, **_: Any) -> list[Any]:
        await asyncio.Event().wait()
        return []

    async def go() -> None:
        asyncio.get_running_loop().getaddrinfo = resolve  # pyright: ignore
        await PublicTransport(allow_private=False).check("http://slow.example/")

    monkeypatch.setattr(outgoing, "NAME_SECONDS", 0.05)
    with pytest.raises(BadInput, match="cannot be found"):
        run_async(go())


def test_a_desk_takes_no_private_address_unless_its_operator_says_so(tmp_path: Path, hook: Webhook) -> None:
    async def go(url: str) -> None:
        async with a2a_client(url, streaming=False) as client:
            with pytest.raises(InvalidParamsError, match="cannot be notified"):
                await events(client, with_push(said("hello"), hook.url))
            assert not (await client.list_tasks(pb.ListTasksRequest())).tasks, "refused before it began"
            for secret in ("a\r\nX-Evil: 1", "ü", "x" * 5_000):
                with pytest.raises(InvalidParamsError, match="header"):
                    [
                        _
                        async for _ in client.send_message(
                            with_push(said("x"), "http://8.8.8.8/", token=secret)
                        )
                    ]

    with live_desk(tmp_path, answer=act) as desk:
        run_async(go(desk.url))
    assert hook.posted == []


def test_a_restart_still_tells_the_end(tmp_path: Path, hook: Webhook) -> None:
    async def begin(url: str) -> str:
        async with a2a_client(url, streaming=False) as client:
            request = with_push(said("name", now=True), hook.url)
            return (await events(client, request))[0].task.id

    with live_desk(tmp_path, answer=act, push_private_addresses=True) as desk:
        task_id = run_async(begin(desk.url))
        hook.until(lambda: "TASK_STATE_INPUT_REQUIRED" in hook.told())
    before = len(hook.posted)
    with live_desk(tmp_path, answer=act, push_private_addresses=True):
        hook.until(hook.is_told_the_end)
    ends = [report for report in hook.told() if report in OVER]
    assert len(ends) == 1, "the end is told once"
    assert len(hook.posted) > 0 and before <= len(hook.posted)
    with live_desk(tmp_path, answer=act, push_private_addresses=True) as desk:
        assert not desk.desk.store.read(lambda c: push_configs.has_left(c, "another", 0))
        assert task_id
