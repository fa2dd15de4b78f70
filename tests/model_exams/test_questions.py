"""Files of questions: the format, and a clear error for each bad line, however hostile the file."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from smoldesk.errors import BadInput
from smoldesk.exams import read_questions

GOOD = {"id": "q1", "language": "en", "question": "How many?", "expect": {"number": 3}}


def refusal(folder: Path, *lines: bytes | dict[str, Any]) -> str:
    path = folder / "my.jsonl"
    path.write_bytes(
        b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    )
    with pytest.raises(BadInput) as raised:
        read_questions(path)
    assert raised.value.code == "bad_questions"
    return raised.value.message


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({**GOOD, "language": "fr"}, "line 2: language: Input should be 'en' or 'ja'"),
        ({**GOOD, "colour": "red"}, "line 2: colour: Extra inputs are not permitted"),
        ({key: GOOD[key] for key in ("id", "language", "question")}, "line 2: expect: Field required"),
        ({**GOOD, "expect": {}}, "line 2: expect: Value error, expected one of: number, date, text"),
        ({**GOOD, "expect": {"number": "3"}}, "line 2: expect.number: Input should be a valid number"),
        ({**GOOD, "expect": {"text": ["a", 1]}}, "line 2: expect.text"),
        ({**GOOD, "expect": {"declines": "x", "number": 1}}, "declines cannot be combined with an answer"),
        (
            {**GOOD, "expect": {"map": {"arrow": {"room": "A", "direction": "out"}}}},
            "expect.map.arrow.direction",
        ),
        ({**GOOD, "id": "q0"}, "line 2: id: expected an unused one, 'q0' is that of line 1"),
        ({**GOOD, "files": ["gone.csv"]}, "line 2: files.0: expected a file beside the questions"),
        (b"[1, 2]", "line 2: expected one JSON object, got list"),
        (b'{"id": "q1", "question": "' + b"[" * 50, "line 2: expected one JSON object"),
        (b"[" * 200_000, "line 2: expected one JSON object"),
        (b'{"id": "\xff\xfe"}', "line 2: expected UTF-8, byte 9 is not"),
        (b'{"expect": {"number": NaN}}', "line 2: expected one JSON object"),
    ],
)
def test_a_bad_line_is_named_with_its_field(
    tmp_path: Path, line: bytes | dict[str, Any], reason: str
) -> None:
    assert reason in refusal(tmp_path, {**GOOD, "id": "q0"}, line)


def test_every_bad_line_is_named_up_to_a_limit(tmp_path: Path) -> None:
    message = refusal(tmp_path, *[{**GOOD, "language": str(number)} for number in range(500)])
    assert "line 1:" in message and "line 20:" in message and "line 21:" not in message


def test_a_file_of_100_mb_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.jsonl"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    started = time.process_time()
    with pytest.raises(BadInput, match="more than 64 MB"):
        read_questions(path)
    assert time.process_time() - started < 1


def test_a_missing_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read_questions(tmp_path / "none.jsonl")
    assert "it has no question" in refusal(tmp_path, b"", b"  ")


def test_a_pattern_in_an_answer_is_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "my.jsonl"
    path.write_text(json.dumps({**GOOD, "expect": {"text": "(a+)+$", "others": [".*"]}}))
    [question] = read_questions(path).questions
    assert question.expect.text == "(a+)+$"


def test_files_and_earlier_messages_come_with_a_question(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("a\n1\n")
    path = tmp_path / "my.jsonl"
    path.write_text(json.dumps({**GOOD, "files": ["sales.csv"], "setup": ["Hello"], "tags": ["x"]}))
    questions = read_questions(path)
    assert questions.messages == 2 and questions.folder == tmp_path
    assert questions.questions[0].files == ("sales.csv",)
