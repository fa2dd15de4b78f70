"""No frame drops the socket: whatever a client sends to `/ws`, the next frame is answered as if nothing had been.

One real server, one real socket for all of it. After every frame a probe follows: a cancel of a run that does not
exist, whose refusal names it.
"""

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Calls, ScriptedModel
from tests.support.ws_client import WsClient

FRAMES: dict[str, dict[str, Any]] = {
    "message": {"message": "hello"},
    "answer": {"askId": "a_x", "granted": True, "value": {"amount": 30}, "reason": "fine"},
    "cancel": {"runId": "r_x"},
    "clear_arrows": {},
    "policy": {"tool": "pay", "approval": "never"},
    "selection": {"rooms": [{"floorId": "1F", "name": "Kitchen"}]},
    "run_code": {"code": "1"},
    "branch": {"runId": "r_x", "message": "hello"},
}
"""Every frame a client may know, with fields of the right types."""
WRONG: list[Any] = [
    *(None, True, False, 0, -1, 10**4000, -1e300, "", " ", "\x00", "\ud800", "\ufeff", "x" * 10_000),
    *([], [[]], {}, {"": {}}, {"type": "message", "message": "inner"}),
]
DEEP = 100_000
NASTY: list[str | bytes] = [
    *(
        "",
        " ",
        "\n",
        "\t\r\n",
        "\ufeff",
        '\ufeff{"message": "with a mark"}',
        "\x00",
        "null",
        "true",
        "0",
        '""',
    ),
    *("{", "}", "[]", "{}", "[{}]", '{"message"}', '{"message": }', "{'message': 'x'}", '{"message": "x",}'),
    *("NaN", "-Infinity", "1e999", '{"message": NaN}', '{"message": 1e999}', "9" * 5000, "-" + "9" * 5000),
    *('{"message": "a", "message": 7}', '{"type": "message", "type": "dance", "message": "x"}'),
    *('{"message": "\\ud800"}', '{"\\udfff": "x"}', '{"type": "\\ud800\\ud800"}', '{"message": "\\u0000"}'),
    *('{"message": "x"} trailing', '{"message": "x"}{"message": "y"}', "// {}", '{"message": "\n"}'),
    *('{"type": "answer", "askId": "\\ud800", "granted": true}', '{"type": "cancel", "runId": "\\u0000"}'),
    *("[" * DEEP, "[" * DEEP + "]" * DEEP, '{"a":' * 20_000 + "1" + "}" * 20_000, '{"message": ' + "[" * 900),
    *('{"type": "answer", "askId": "a_x", "granted": true, "value": ' + "[" * 990 + "]" * 990 + "}",),
    *("x" * 256_000, "x" * 256_001, "温" * 86_000, json.dumps({"message": "y" * 300_000}), "\\" * 1000),
    *(b"", b"\x00", b"\xff\xfe", b'{"message": "x"}', bytes(range(256)), b"\x00" * 300_000),
]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    """Some frames are messages: their runs end at once, and need no process for code."""
    model = ScriptedModel([Calls(("final_answer", {"answer": "ok"}))])
    with live_desk(tmp_path_factory.mktemp("desk"), lambda: model, agent="tools") as live:
        yield live


@pytest.fixture(scope="module")
def client(desk: LiveDesk) -> Iterator[WsClient]:
    with WsClient(desk.ws_url).greeted() as client:
        yield client


probes = itertools.count(1)


def survives(client: WsClient, frame: str | bytes) -> list[dict[str, Any]]:
    """Send a frame, then a probe; what came before the probe's answer."""
    name = f"probe-{next(probes)}"
    client.socket.send(frame)
    client.send(type="cancel", runId=name)
    client.seen.clear()
    while not (client.next(60)["type"] == "error" and name in client.seen[-1]["content"]):
        pass
    return client.seen[:-1]


@pytest.mark.parametrize("number", range(len(NASTY)))
def test_a_nasty_frame_drops_no_socket(client: WsClient, number: int) -> None:
    survives(client, NASTY[number])


@pytest.mark.parametrize("kind", FRAMES)
def test_a_wrong_value_in_any_field_drops_no_socket(client: WsClient, kind: str) -> None:
    frame = {"type": kind, **FRAMES[kind]}
    for field, value in itertools.product(frame, WRONG):
        survives(client, json.dumps(frame | {field: value}))
    for field in frame:
        survives(client, json.dumps({key: value for key, value in frame.items() if key != field}))


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(WRONG[:12]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
fields = sorted({field for frame in FRAMES.values() for field in frame})
objects = st.builds(
    lambda kind, local, more: local | more | kind,
    st.sampled_from([{}, *({"type": kind} for kind in FRAMES)]) | anything.map(lambda value: {"type": value}),
    st.sampled_from(list(FRAMES.values())),
    st.dictionaries(st.sampled_from(fields) | st.text(max_size=6), anything, max_size=4),
)
# Surrogates in pairs or alone travel as escapes: as raw text they cannot be sent at all.
texts = st.builds(lambda value, ascii_only: _dumped(value, ascii_only), objects | anything, st.booleans())
broken = st.builds(
    lambda text, at, junk: text[: at % (len(text) + 1)] + junk + text[at % (len(text) + 1) + 1 :],
    texts,
    st.integers(0, 10_000),
    st.text(max_size=3).map(lambda junk: junk.encode("utf-8", "replace").decode()),
)
frames = texts | broken | st.binary(max_size=200) | st.sampled_from(NASTY)


def _dumped(value: Any, ascii_only: bool) -> str:
    return json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "replace").decode()


# no shrinking and no replay: each example goes to the one socket that all of them share
FUZZ = settings(
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.large_base_example,
    ],
)


@settings(FUZZ, max_examples=300, derandomize=True)
@given(frame=frames)
def test_no_frame_drops_the_socket(client: WsClient, frame: str | bytes) -> None:
    survives(client, frame)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@settings(FUZZ, max_examples=20_000)
@given(frame=frames)
def test_nor_do_many_more(client: WsClient, frame: str | bytes) -> None:
    survives(client, frame)


def test_after_all_of_that_a_message_is_answered(client: WsClient) -> None:
    client.say("are you there?")
    client.until("run", state="finished")
