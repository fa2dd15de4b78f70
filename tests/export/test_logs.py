"""Logs: the same chat again on another desk, logs of every version, and logs that are not what they say."""

import errno
import json
import tracemalloc
import zipfile
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest
from sqlalchemy import select

from smoldesk.desk import Desk
from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.events import AskClosed, ModelCalled, PolicySet, RunFailed, RunQueued, StateShared, ToolProgress
from smoldesk.export.chat_source import ChatSource
from smoldesk.export.exports import write_atomically
from smoldesk.export.log_format import renamed
from smoldesk.export.write_log import LogIds, log_lines
from smoldesk.messages import ChartContent
from smoldesk.store.chat_choices import policies_of, shared_state_of
from smoldesk.store.files import all_files
from smoldesk.store.tables import FileRow
from tests.export import a_chat
from tests.export.conftest import Sample
from tests.export.logs import Json, changed, desk_at, lines_of, messages, named_alike, read
from tests.support.aio import run_async
from tests.support.desk_server import live_desk
from tests.test_architecture import ROOT

STATE: Json = {"draft": {"__proto__": [1, None]}, "名前": "é"}
FIXTURES = ROOT / "tests" / "fixtures" / "logs"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Another desk, which logs are read into."""
    desk = desk_at(tmp_path_factory.mktemp("another"))
    yield desk
    desk.close()


def nothing_of(desk: Desk) -> bool:
    """True when no chat, file or folder is there."""
    data = desk.data_dir
    return not (run_async(desk.chats.page()).chats or [*data.files.iterdir()] or [*data.chats.iterdir()])


def test_a_log_read_on_another_desk_makes_the_same_messages_and_the_same_log_again(
    sample: Sample, tmp_path: Path
) -> None:
    with live_desk(tmp_path / "other", demo_tools=True) as other:
        done = read(other.desk, sample.log)
        existing, here = messages(other.url, done.chat_id), messages(sample.live.url, sample.chat_id)
        other.desk.exports.write(done.chat_id, "jsonl", tmp_path / "again.jsonl")
        prompts = [
            prompts_of(live.desk, chat)
            for live, chat in ((other, done.chat_id), (sample.live, sample.chat_id))
        ]
        stored = other.desk.data_dir.chats / done.chat_id / "売上.csv"
        assert stored.read_text(encoding="utf-8").startswith("店舗,月,金額")
        notice = existing.pop()
    assert [one["type"] for one in here[:2]] == ["map_definition", "chat"]
    assert existing == here
    assert notice["content"].startswith(f"Imported from a log of {notice['facts']['of']} UTC")
    assert prompts[0] == prompts[1] and any(a_chat.QUESTION in text for text in prompts[0])
    assert {"table", "chart", "image", "map", "arrow", "ask", "ask_closed", "error", "printed"} <= {
        one["type"] for one in here
    }
    again = [line for line in lines_of(tmp_path / "again.jsonl") if "chat_imported" not in json.dumps(line)]
    assert again[1:-1] == lines_of(sample.log)[1:-1]
    assert sample.chat_id not in sample.log.read_text(encoding="utf-8"), "ids of the desk are not told"


def prompts_of(desk: Desk, chat_id: str) -> list[str]:
    """What each call of the model was sent and gave, with ids numbered."""
    ids = LogIds()
    calls = [stored for stored in desk.store.events(chat_id) if isinstance(stored.event, ModelCalled)]
    results = [run_async(desk.traces.step(chat_id, call.run_id or "", call.event.step)) for call in calls]  # pyright: ignore
    stored = [
        item for step in results for call in step.calls for item in (*call.prompt, call.response) if item
    ]
    return [renamed(item.text or "gone", ids.name) for item in stored]


@pytest.mark.parametrize("version", ["0", "1", "2-managed", "2"])
def test_a_log_of_an_older_version_still_plays_as_it_did(desk: Desk, version: str, tmp_path: Path) -> None:
    from smoldesk.cli.replay import print_messages

    expected = (FIXTURES / f"version-{version}.messages.jsonl").read_text(encoding="utf-8").splitlines()
    done = run_async(desk.imports.read(FIXTURES / f"version-{version}.jsonl", records_origin=False))
    with pytest.MonkeyPatch.context() as patch, (tmp_path / "out").open("w+", encoding="utf-8") as out:
        patch.setattr("sys.stdout", out)
        run_async(print_messages(desk, done.chat_id))
        out.seek(0)
        played = without_html(named_alike(out.read().splitlines()))[2:]
    pinned = [part.pin.kind for part in desk.reports.read(done.chat_id)[1]]
    assert pinned == (["map", "table", "answer"] if version == "2" else [])
    run_async(desk.chats.delete(done.chat_id))
    # the first two say what building and desk there are here
    assert played == named_alike(expected)[2:]


def without_html(messages: list[Json]) -> list[Json]:
    """The messages without what libraries make of their words, also those of managed agents."""
    for message in messages:
        message.pop("html", None)
        if message["type"] == "nested":
            message["content"]["message"].pop("html", None)
    return messages


def cut_at(share: float) -> Callable[[bytes], bytes]:
    return lambda log: log[: int(len(log) * share)]


def edited(change: Callable[[list[Json]], object]) -> Callable[[bytes], bytes]:
    def edit(log: bytes) -> bytes:
        lines = [json.loads(line) for line in log.splitlines()]
        change(lines)
        return b"".join(json.dumps(line).encode() + b"\n" for line in lines)

    return edit


def first(lines: list[Json], key: str, kind: str = "") -> Json:
    return next(line for line in lines if key in line and (not kind or line[key]["type"] == kind))


def shown(lines: list[Json], kind: str) -> Json:
    """The first message of a kind that a step showed."""
    messages = [line["event"]["message"] for line in lines if line.get("event", {}).get("type") == "shown"]
    return next(message for message in messages if message["type"] == kind)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (cut_at(0.3), "log_cut"),
        (cut_at(0.99), "log_cut"),
        (lambda log: log[: log.rindex("。".encode()) + 1], "log_cut"),
        (edited(lambda lines: lines.pop()), "log_cut"),
        (edited(lambda lines: lines.remove(first(lines, "event", "step_started"))), "log_broken"),
        (lambda _: b"", "log_foreign"),
        (lambda _: b"a,b\n1,2\n", "log_foreign"),
        (lambda _: b"not a log", "log_foreign"),
        (lambda _: b"\xff\xfe\0\0" * 100, "log_foreign"),
        (lambda _: b'{"smoldesk_log":99,"head":{"shape":"unknown"},"more":[1]}\n', "log_newer"),
        (lambda log: log.replace(b'"type":"step_started"', b'"type":"step_begun"'), "log_broken"),
        (edited(lambda lines: lines[2].update(seq=7)), "log_broken: its seq does not follow the previous one"),
        (edited(lambda lines: lines[3].update(run_id="r_other")), "log_broken"),
        (edited(lambda lines: first(lines, "file").update(file={**first(lines, "file")["file"], "sha256": "0" * 64})),
         "log_broken: the file's bytes do not match its sha256"),
        (edited(lambda lines: first(lines, "file")["file"].update(size=10**15)),
         "log_broken: a piece of the file is expected here"),
        (edited(lambda lines: first(lines, "file")["file"].update(id="../../../etc/passwd")), "log_broken"),
        *((edited(lambda lines, name=name: first(lines, "file")["file"].update(name=name)),
           "log_broken: the name of its file is a path that leads out of the chat's folder")
          for name in ("../../smoldesk.db", "/etc/passwd", "a/../../b.csv", "..\\b.csv", "C:\\b.csv")),
        (edited(lambda lines: lines.append({"piece": "QUJD"})), "log_broken: it follows the end of the log"),
        (edited(lambda lines: lines.insert(1, {"piece": "QUJD"} | lines[1])), "log_broken: it has a piece and other"),
        (edited(lambda lines: lines.remove(first(lines, "prompt"))),
         "log_broken: files or prompt messages are missing"),
        (edited(lambda lines: first(lines, "prompt")["prompt"].update(text='{"role":1}')),
         "log_broken: its prompt message is invalid"),
        (edited(lambda lines: shown(lines, "image").update(fileId="../../../etc/passwd")),
         "log_broken: the id of its file is invalid"),
        (edited(lambda lines: shown(lines, "chart")["content"].update(imageId="../../smoldesk.db")), "log_broken"),
        (edited(lambda lines: first(lines, "event", "step_finished")["event"].update(memory={"x": 1})),
         "log_broken: the memory of its step is invalid"),
        (edited(lambda lines: lines[2].update(event={"type": "state_shared", "state": {"a": "x" * 16_000}}, run_id=None)),
         "log_broken: its shared state is longer than"),
        (lambda log: log.replace(b'"run_id":null', b'"run_id":' + b"[" * 100_000), "log_broken"),
    ],
)  # fmt: skip
def test_what_is_no_whole_log_is_refused_in_words_and_nothing_of_it_stays(
    sample: Sample, desk: Desk, tmp_path: Path, change: Callable[[bytes], bytes], expected: str
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(change(sample.log.read_bytes()))
    with pytest.raises(BadInput) as refused:
        read(desk, log)
    code, _, reason = expected.partition(": ")
    assert refused.value.code == code and refused.value.hint
    assert reason in refused.value.message
    assert "step_begun" not in refused.value.message, "words of a log are not repeated"
    assert nothing_of(desk)


def test_what_a_crash_leaves_of_a_file_is_found_by_its_row(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected: list[bool] = []

    def crashes(target: IO[bytes], *_: object) -> None:
        query = select(FileRow.id).where(FileRow.id == Path(target.name).name)
        expected.append(desk.store.read(lambda connection: connection.execute(query).first()) is not None)
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr("smoldesk.export.log_reading.fill", crashes)
    with pytest.raises(DeskError, match="nothing of the log was kept"):
        read(desk, FIXTURES / "version-1.jsonl")
    assert expected == [True] and nothing_of(desk)


def test_a_log_with_files_in_the_words_of_a_message_is_read_and_written_with_the_files_apart(
    desk: Desk, tmp_path: Path
) -> None:
    def as_it_was(lines: list[Json]) -> None:
        for line in lines:
            if line.get("event", {}).get("type") in ("run_queued", "run_started"):
                del line["event"]["attachments"]
                line["event"]["message"] = "\n\n(Attached: 売上.csv)".lstrip()

    log = changed(FIXTURES / "version-0.jsonl", tmp_path / "old.jsonl", as_it_was)
    done = read(desk, log)
    queued = next(s.event for s in desk.store.events(done.chat_id) if isinstance(s.event, RunQueued))
    assert (done.title, queued.message, queued.attachments) == ("売上.csv", "", ["売上.csv"])
    desk.exports.write(done.chat_id, "markdown", tmp_path / "chat.md")
    page = zipfile.ZipFile(tmp_path / "chat.md").read("chat.md").decode()
    assert "With 売上\\.csv" in page and "Attached:" not in page
    run_async(desk.chats.delete(done.chat_id))


def test_a_cut_log_is_taken_as_far_as_it_goes_when_that_is_wanted(
    sample: Sample, desk: Desk, tmp_path: Path
) -> None:
    content = sample.log.read_bytes()
    log = tmp_path / "log.jsonl"
    log.write_bytes(content[: content.index(b'"type":"ask_closed"') + 5])
    done = read(desk, log, partial=True)
    events = [stored.event for stored in desk.store.events(done.chat_id)]
    assert done.is_cut and done.closed == 1 and done.events == len(events) - 4
    closed, tool, failed, report = events[-4:]
    assert isinstance(closed, AskClosed) and not closed.granted
    assert tool.type == "tool_failed" and isinstance(failed, RunFailed) and failed.code == "log_ended"
    assert report.type == "chat_imported"
    times = [stored.at for stored in desk.store.events(done.chat_id)]
    assert {*times[-4:-1]} == {times[-5]}, "a run is over where the log ends, whenever it is read"
    run_async(desk.chats.delete(done.chat_id))

    log.write_bytes(BOM_UTF8 + content[: content.index(b'{"piece"') + 40])  # an editor begins a file so
    done = read(desk, log, partial=True)
    listing = desk.store.read(lambda connection: all_files(connection, done.chat_id))
    assert done.files == 0 and done.missing and not listing, "a file that did not come whole is none"
    run_async(desk.chats.delete(done.chat_id))
    assert nothing_of(desk)


def test_a_log_allows_nothing_and_leads_nowhere_outside_its_chat(
    sample: Sample, desk: Desk, tmp_path: Path
) -> None:
    def attack(lines: list[Json]) -> None:
        at = next(n for n, line in enumerate(lines) if line.get("event", {}).get("type") == "step_started")
        run_id, moment = lines[at]["run_id"], lines[at]["at"]
        threaded = ToolProgress(
            step=1, call_id="x", tool="t", agent="peer", state="running", context_id="theirs"
        )
        allowed = PolicySet(tool="process_payment", policy="allow")
        first(lines, "event", "model_called")["event"]["structured"] = True
        added = [
            {"run_id": None, "at": moment, "event": allowed.model_dump()},
            {"run_id": None, "at": moment, "event": StateShared(state=STATE).model_dump()},
            {"run_id": run_id, "at": moment, "event": threaded.model_dump()},
        ]
        lines[at:at] = added
        events = [line for line in lines if "event" in line]
        for seq, line in enumerate(events, 1):
            line["seq"] = seq
        lines[-1]["end"]["events"] = len(events)

    log = changed(sample.log, tmp_path / "log.jsonl", attack)
    expected = first(lines_of(log), "file")["file"]["id"]
    log.write_text(log.read_text("utf-8").replace(f'"{expected}', f'"\\u0066{expected[1:]}'), "utf-8")
    done = read(desk, log)
    assert not (desk.data_dir.files / expected).exists(), "escapes name nothing either"
    assert desk.store.read(lambda c: policies_of(c, done.chat_id)) == {"process_payment": "ask"}
    assert desk.store.read(lambda c: shared_state_of(c, done.chat_id)) == STATE
    again = [json.loads(line) for line in log_lines(desk.store, done.chat_id)]
    assert first(again, "event", "state_shared")["event"]["state"] == STATE
    assert first(again, "event", "model_called")["event"]["structured"]
    text = "".join(stored.event.model_dump_json() for stored in desk.store.events(done.chat_id))
    assert "theirs" not in text and "r_000000000000000000000001" not in text
    run_async(desk.chats.delete(done.chat_id))


def test_a_log_of_any_size_costs_the_memory_of_its_longest_line(desk: Desk, tmp_path: Path) -> None:
    log = tmp_path / "large.jsonl"
    at = "2026-01-01T00:00:00Z"
    text = json.dumps({"type": "late_output", "agent": "a", "text": "長い文 " * 2_000}, ensure_ascii=False)
    with log.open("w", encoding="utf-8") as out:
        for seq in range(1, 2_001):
            out.write(f'{{"seq":{seq},"run_id":null,"at":"{at}","event":{text}}}\n')
    tracemalloc.start()
    done = read(desk, log)
    target = tmp_path / "again.jsonl"
    write_atomically(target, lambda out: out.writelines(log_lines(desk.store, done.chat_id)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    run_async(desk.chats.delete(done.chat_id))
    assert log.stat().st_size > 39_000_000 and target.stat().st_size > 39_000_000
    assert peak < 30_000_000, peak


def test_a_chart_without_controls_is_written_as_desks_before_them_read_it() -> None:
    sizes = dict.fromkeys(("width", "height", "rows", "shown"), 1)
    names = dict.fromkeys(("specId", "imageId", "name", "description"), "x")
    assert {*json.loads(ChartContent.model_validate(sizes | names).model_dump_json())} == {
        *sizes,
        *names,
        "reduced",
    }


def test_a_chat_that_works_is_written_up_to_a_point_that_the_log_says(tmp_path: Path) -> None:
    """What comes while the log is written is not in it; the run that is open there is closed where it is read."""
    with live_desk(tmp_path / "data", answer=lambda _, ctx: str(ctx.stop.wait(20))) as live:
        chat_id = run_async(live.desk.chats.create()).id
        run_id = run_async(live.desk.runs.start(chat_id, "待って"))
        lines = log_lines(live.desk.store, chat_id)
        written = [next(lines)]
        run_async(live.desk.chats.clear_arrows(chat_id))
        written += lines
        run_async(live.desk.runs.cancel(run_id))
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(written))
    head = json.loads(written[0])["head"]
    assert head["open_runs"] == 1 and head["last_seq"] == len(written) - 2
    assert b"arrows_cleared" not in log.read_bytes()
    desk = desk_at(tmp_path / "other")
    try:
        assert read(desk, log).closed == 1
    finally:
        desk.close()


def test_a_chat_that_is_deleted_meanwhile_makes_no_log_that_looks_whole(desk: Desk) -> None:
    chat_id = run_async(desk.chats.create("short")).id
    run_async(desk.chats.clear_arrows(chat_id))
    lines, source = log_lines(desk.store, chat_id), ChatSource(desk.store, desk.buildings, chat_id)
    next(lines)
    run_async(desk.chats.delete(chat_id))
    for remaining in (lines, source.events()):
        with pytest.raises(NotFound):
            list(remaining)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "chat.jsonl"
    target.write_text("before")

    def fails(out: object) -> None:
        out.write(b"half")  # pyright: ignore
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        write_atomically(target, fails)
    assert target.read_text() == "before" and [*tmp_path.iterdir()] == [target]


def test_ids_are_renamed_wherever_they_stand() -> None:
    result = renamed("r_" + "a" * 24 + ".1 f_" + "b" * 24 + " f_" + "b" * 32, lambda kind, _: f"<{kind}>")
    assert result == "<r>.1 <f> f_" + "b" * 32
    assert renamed("合計f_" + "b" * 24 + "\\nf_" + "b" * 24, lambda kind, _: f"<{kind}>") == "合計<f>\\n<f>"
