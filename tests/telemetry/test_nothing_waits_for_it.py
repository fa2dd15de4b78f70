"""Telemetry that is off, cannot be had, or has a collector that is away or hangs: no run and no server hears of it."""

import gc
import logging
import sys
import threading
import weakref
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from smoldesk.errors import BadInput
from smoldesk.events import RunEvent, RunFinished, RunStarted, StepStarted, StoredEvent
from smoldesk.telemetry import Signals, describe_signals, open_telemetry
from smoldesk.telemetry import telemetry as module
from smoldesk.telemetry.providers import Providers
from smoldesk.telemetry.sdk_log import SdkLog
from smoldesk.telemetry.telemetry import Telemetry
from tests.support.desk_server import live_desk
from tests.support.otlp_receiver import grpc_receiver, otlp_receiver, silent_receiver
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import WsClient, of_type
from tests.test_start import printed

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
OFF = """
import sys, threading
from pathlib import Path
from types import SimpleNamespace
from smoldesk.desk import build_desk
from smoldesk.settings import Settings
desk = build_desk(Settings(_env_file=None, data_dir=Path(sys.argv[1]), allow_unisolated=True))
desk.open()
print(desk.telemetry, "opentelemetry.sdk" in sys.modules, [t.name for t in threading.enumerate() if "elem" in t.name])
desk.close()
"""


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (ENDPOINT, "OTEL_SDK_DISABLED", "OTEL_TRACES_EXPORTER", "OTEL_METRICS_EXPORTER"):
        monkeypatch.delenv(name, raising=False)


def stored(event: RunEvent, run_id: str = "r_1") -> StoredEvent:
    return StoredEvent(chat_id="c_1", seq=1, run_id=run_id, at=datetime.now(UTC), event=event)


def asked(folder: Path) -> dict[str, object]:
    """What the start of a run tells the page, on a desk that has answered and stopped."""
    with live_desk(folder, lambda: ScriptedModel([code("final_answer('done')")])) as live:
        with WsClient(live.ws_url).greeted() as client:
            messages = client.ask("go")
        assert messages[-1]["content"]["text"] == "done"
        assert httpx.get(f"{live.url}/healthz").status_code == 200
    return of_type(messages, "run")[0]["content"]  # and the server has stopped: live_desk holds it to that


def test_a_desk_is_off_by_default(tmp_path: Path) -> None:
    assert printed(OFF, str(tmp_path)) == "None False []"


def test_disabled_it_sends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with otlp_receiver() as collector:
        monkeypatch.setenv(ENDPOINT, collector.url)
        monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
        assert "traceId" not in asked(tmp_path)
        assert collector.bodies == []


def test_a_collector_that_hangs_holds_up_no_run_and_no_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exporter would wait a minute, and the SDK's own end half of one: longer than a server may take to stop."""
    monkeypatch.setattr(module, "CLOSE_SECONDS", 0.3)
    with silent_receiver() as url:
        monkeypatch.setenv(ENDPOINT, url)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "60")
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "1")
        assert len(str(asked(tmp_path)["traceId"])) == 32


def test_a_collector_that_is_away_holds_up_no_run_and_no_stop(
    tmp_path: Path, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CLOSE_SECONDS", 0.3)
    monkeypatch.setenv(ENDPOINT, f"http://127.0.0.1:{free_port}")
    assert len(str(asked(tmp_path)["traceId"])) == 32


def test_a_trace_that_is_not_sampled_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with otlp_receiver() as collector:
        monkeypatch.setenv(ENDPOINT, collector.url)
        monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
        assert "traceId" not in asked(tmp_path)
        assert collector.spans == [] and "gen_ai.invoke_agent.duration" in collector.metrics


def test_without_the_libraries_a_desk_says_so_and_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace.export", None)
    assert "traceId" not in asked(tmp_path)
    [message] = [record.getMessage() for record in caplog.records if record.name == "smoldesk.desk.observed"]
    assert "Install the extra telemetry" in message
    with pytest.raises(BadInput, match="not installed"):
        describe_signals({ENDPOINT: "http://127.0.0.1:9"})


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({}, "off"),
        ({"OTEL_SERVICE_NAME": "desk"}, "off"),
        ({ENDPOINT: "http://u:p@there", "OTEL_SDK_DISABLED": "TRUE"}, "off"),
        (
            {ENDPOINT: "http://u:p@there", "OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "none"},
            "off",
        ),
        ({ENDPOINT: "http://u:p@there"}, "traces by http, metrics by http; prompts and answers are not sent"),
        (
            {"OTEL_TRACES_EXPORTER": "console", "OTEL_METRICS_EXPORTER": "otlp,console"},
            "traces by console, metrics by http and console; prompts and answers are not sent",
        ),
        (
            {
                "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://there",
                "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
                "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_ONLY",
            },
            "traces by grpc; prompts and answers are sent",
        ),
    ],
)
def test_the_environment_says_what_is_sent(inputs: dict[str, str], message: str) -> None:
    assert describe_signals(inputs) == message


@pytest.mark.parametrize(
    "inputs",
    [
        {"OTEL_TRACES_EXPORTER": "zipkin"},
        {ENDPOINT: "http://there", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json"},
    ],
)
def test_a_value_that_is_none_of_ours_is_named(inputs: dict[str, str]) -> None:
    with pytest.raises(BadInput, match=r"zipkin|http/json") as fault:
        open_telemetry(inputs, lambda chat_id, ids: {}, str)
    assert fault.value.code == "telemetry_unusable"


# --- below a desk ----------------------------------------------------------------------------------------------------


@pytest.fixture
def remembered() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def telemetry(remembered: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch) -> Iterator[Telemetry]:
    monkeypatch.setattr(module, "QUEUE", 8)
    exporter = SimpleNamespace(OTLPSpanExporter=lambda: remembered)
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.kept.trace_exporter", exporter)
    telemetry = Telemetry(Providers(Signals(("kept",), (), False)), None)
    yield telemetry
    telemetry.close()


def test_what_finds_no_room_is_left_out_with_its_whole_trace(
    telemetry: Telemetry, remembered: InMemorySpanExporter
) -> None:
    locked, go = threading.Event(), threading.Event()
    telemetry.begin("c_1", "r_0", None)

    class Slow(dict[str, str]):
        """What holds up the thread that makes the spans."""

        def get(self, *_: object) -> str:
            locked.set()
            go.wait(30)
            return ""

    telemetry.name("r_0", Slow())
    assert locked.wait(30)
    telemetry.begin("c_1", "r_1", None)
    for step in range(100):
        telemetry.note([stored(StepStarted(step=step))])
    assert telemetry.traceparent("r_1.1") is None
    go.set()
    telemetry.close()
    assert remembered.get_finished_spans() == ()


def test_a_run_that_another_server_closed_ends_its_trace(
    telemetry: Telemetry, remembered: InMemorySpanExporter
) -> None:
    assert telemetry.begin("c_1", "r_1", None) is not None
    telemetry.note([stored(RunStarted(message="")), stored(StepStarted(step=1))])
    telemetry.leave("r_1")
    telemetry.close()
    names = {span.name: (span.attributes or {}).get("error.type") for span in remembered.get_finished_spans()}
    assert names == {"step 1": None, "invoke_agent": "run_moved"}


def test_what_is_committed_with_others_has_the_time_at_which_it_was_made(
    telemetry: Telemetry, remembered: InMemorySpanExporter
) -> None:
    telemetry.begin("c_1", "r_1", None)
    started: list[RunEvent] = [RunStarted(message=""), StepStarted(step=1)]
    telemetry.stamp("r_1", started)
    together = datetime.now(UTC) + timedelta(seconds=5)
    ended = RunFinished(text="")
    telemetry.note([stored(event).model_copy(update={"at": together}) for event in (*started, ended)])
    telemetry.stamp("r_2", started)
    telemetry.close()
    locked = [weakref.ref(event) for event in started]
    started.clear()
    gc.collect()
    assert [event() for event in locked] == [None, None], "the times are kept no longer than the events"
    step, run = remembered.get_finished_spans()
    for span in (step, run):
        assert span.start_time and span.end_time and span.end_time - span.start_time > 4e9
    assert run.end_time and step.end_time and run.end_time >= step.end_time


def test_what_the_library_says_is_said_once_in_a_while_and_without_passwords(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = [0.0]
    handler = SdkLog(lambda: now[0])
    text = "Failed to export to http://me:sequoia@there/v1?key=sequoia, nor %s"
    for seconds in (0.0, 1.0, 1000.0):
        now[0] = seconds
        for target in ("me:sequoia@there:4317", "'https://me:sequoia@there'"):
            handler.handle(logging.LogRecord("opentelemetry.x", logging.ERROR, "", 0, text, (target,), None))
    messages = [record.getMessage() for record in caplog.records]
    assert len(messages) == 2 and "http://***@there/v1?***" in messages[0] and "***@there:4317" in messages[0]
    assert "sequoia" not in str(messages)


def test_spans_go_over_grpc(monkeypatch: pytest.MonkeyPatch) -> None:
    with grpc_receiver() as collector:
        monkeypatch.setenv(ENDPOINT, collector.url)
        monkeypatch.setenv("OTEL_SERVICE_NAME", "my desk")
        telemetry = Telemetry(Providers(Signals(("grpc",), (), False)), None)
        trace_id = telemetry.begin("c_1", "r_1", None)
        telemetry.note([stored(RunFinished(text="done"))])
        telemetry.close()
        assert trace_id and [item.name for item in collector.trace(trace_id).values()] == ["invoke_agent"]
        assert collector.resource["service.name"] == "my desk"
