"""Suites as folders and zip files: what is written is read again; what is damaged or hostile is refused, and bounded."""

import json
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from smoldesk.errors import DeskError
from smoldesk.exams.questions import ExamQuestion, Expected, Recorded, read_questions
from smoldesk.reruns import RecordedTurn
from smoldesk.store.recordings import Recording
from smoldesk.store.run_options import RunOptions
from smoldesk.suites import SuiteFolder, open_suite
from smoldesk.suites import suite_folder as suite_module

HASH = "0123456789abcdef"
TURN = RecordedTurn(
    run_id="r_1", message="How many?", options=RunOptions(), recording=Recording(replies={"": ["{}"]})
)


def question(test_id: str = "r_1", version: int = 2) -> ExamQuestion:
    return ExamQuestion(
        id=test_id,
        language="en",
        question="How many?",
        expect=Expected(answer="3"),
        files=(f"files/{HASH}/sales.csv",),
        version=version,
        recorded=Recorded(agent="code", model="builtin", replies=f"replies/{test_id}.json"),
    )


@pytest.fixture
def suite(tmp_path: Path) -> SuiteFolder:
    data = tmp_path / "sales.csv"
    data.write_text("shop,total\nOsaka,3\n")
    suite = SuiteFolder(tmp_path / "suite")
    suite.add(question(), [TURN], {f"files/{HASH}/sales.csv": data})
    return suite


def packed(path: Path, entries: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def refused(path: Path) -> tuple[str, str]:
    with pytest.raises(DeskError) as error, open_suite(path) as suite:
        for listed in suite.questions().questions:
            suite.turns(listed)
    return error.value.code, str(error.value)


def test_a_suite_is_the_same_after_an_export(suite: SuiteFolder, tmp_path: Path) -> None:
    assert suite.export(tmp_path / "suite.zip") == 1
    with open_suite(tmp_path / "suite.zip") as opened:
        assert opened.questions().questions == (question(),)
        assert opened.turns(question()) == [TURN]
        assert (opened.folder / question().files[0]).read_text() == "shop,total\nOsaka,3\n"


def test_an_exam_reads_the_file_of_a_suite(suite: SuiteFolder) -> None:
    assert read_questions(suite.folder / "suite.jsonl").questions == (question(),)


def test_files_that_no_test_names_any_more_are_deleted(suite: SuiteFolder, tmp_path: Path) -> None:
    suite.add(question("r_2"), [TURN], {question().files[0]: tmp_path / "sales.csv"})
    suite.write([question("r_2")])
    names = sorted(path.name for path in suite.folder.rglob("*") if path.is_file())
    assert names == ["r_2.json", "sales.csv", "suite.jsonl"]


def test_a_newer_version_says_so(suite: SuiteFolder) -> None:
    line = json.loads((suite.folder / "suite.jsonl").read_text()) | {"version": 3}
    (suite.folder / "suite.jsonl").write_text(json.dumps(line) + "\n")
    code, text = refused(suite.folder)
    assert code == "suite_version" and "version '3'" in text and "at most 2" in text


def test_missing_files_and_recordings_are_named(suite: SuiteFolder) -> None:
    (suite.folder / "replies/r_1.json").unlink()
    assert refused(suite.folder)[0] == "bad_suite"
    (suite.folder / question().files[0]).unlink()
    code, text = refused(suite.folder)
    assert code == "bad_questions" and "sales.csv" in text


@pytest.mark.parametrize(
    "name",
    ["../evil.csv", "/etc/passwd", "files/../../evil", f"files/{HASH}/..", "other.txt", f"files/{HASH}/a/b"],
)
def test_names_that_lead_elsewhere_are_refused(suite: SuiteFolder, tmp_path: Path, name: str) -> None:
    suite.export(tmp_path / "suite.zip")
    with zipfile.ZipFile(tmp_path / "suite.zip", "a") as archive:
        archive.writestr(name, b"x")
    code, text = refused(tmp_path / "suite.zip")
    assert code == "bad_suite" and "is not a file of a suite" in text
    assert not (tmp_path.parent / "evil.csv").exists()


def test_a_line_cannot_name_a_file_outside_of_the_suite(suite: SuiteFolder) -> None:
    line = json.loads((suite.folder / "suite.jsonl").read_text()) | {"files": ["../sales.csv"]}
    (suite.folder / "suite.jsonl").write_text(json.dumps(line) + "\n")
    assert refused(suite.folder) == ("bad_suite", refused(suite.folder)[1])


def test_a_bomb_a_link_and_a_damaged_file_are_refused(tmp_path: Path) -> None:
    bomb = packed(tmp_path / "bomb.zip", {f"files/{HASH}/big.csv": bytes(20_000_000)})
    assert "packed more than 100-fold" in refused(bomb)[1]
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as archive:
        entry = zipfile.ZipInfo(f"files/{HASH}/link.csv")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, "/etc/passwd")
    assert "is a link" in refused(tmp_path / "link.zip")[1]
    data = packed(tmp_path / "cut.zip", {"suite.jsonl": b'{"id": "q"}' * 200}).read_bytes()
    at = data.index(b"suite.jsonl") + 12
    (tmp_path / "cut.zip").write_bytes(data[:at] + b"\xff\xff\xff" + data[at + 3 :])
    assert refused(tmp_path / "cut.zip")[0] == "bad_suite"


def test_too_many_tests_and_entries_are_refused_without_reading_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = b'{"id": "q%d", "language": "en", "question": "?", "expect": {"number": 1}}\n'
    (tmp_path / "many.jsonl").write_bytes(b"".join(line % number for number in range(2_002)))
    assert refused(tmp_path / "many.jsonl")[1].count("more than 2000 questions") == 1
    monkeypatch.setattr(suite_module, "MAX_ENTRIES", 2)
    many = packed(tmp_path / "many.zip", {f"replies/{number}.json": b"{}" for number in range(3)})
    assert "has 3 entries" in refused(many)[1]
    assert refused(tmp_path / "none.zip") == ("bad_suite", refused(tmp_path / "none.zip")[1])
