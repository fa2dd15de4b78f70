"""What free text is made of: one table of examples for each construct. That streams agree is in test_streaming.py."""

from typing import Any

import pytest

from smoldesk.output_parser import (
    CodeArtifact,
    ErrorArtifact,
    FileArtifact,
    JsonArtifact,
    TextArtifact,
    parse_text,
)


def kinds(text: str, **switches: bool) -> list[tuple[Any, ...]]:
    """(type, what matters of it) for each artifact."""
    summary: list[tuple[Any, ...]] = []
    for artifact in parse_text(text, **switches):
        match artifact:
            case TextArtifact() | ErrorArtifact():
                summary.append((artifact.type, artifact.content))
            case CodeArtifact():
                summary.append(
                    (artifact.language, artifact.content, *(["open"] if artifact.incomplete else []))
                )
            case FileArtifact():
                summary.append(("file", artifact.path))
            case JsonArtifact():
                summary.append(("json", artifact.data))
    return summary


def test_the_kinds_come_in_the_order_of_the_text() -> None:
    text = "Before\n```python\nprint('hello')\n```\nCreated: a.csv\n{\"n\": 1}\nAfter"
    assert kinds(text) == [
        ("text", "Before"),
        ("python", "print('hello')"),
        ("file", "a.csv"),
        ("json", {"n": 1}),
        ("text", "After"),
    ]


def test_blank_text_is_nothing() -> None:
    assert kinds("") == kinds(" \n\n\t") == []


# --- fences ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```python\nx\n```", [("python", "x")]),
        ("```c++\nx\n```", [("c++", "x")]),
        ("```c#\r\nx\r\ny\r\n```\r\n", [("c#", "x\ny")]),
        ('```py title="a.py" {1,3}\nx\n```', [("py", "x")]),
        ("```{r, echo=FALSE}\nx\n```", [("r", "x")]),
        ("```\nx\n```", [("text", "x")]),
        ("~~~sql\nselect '```'\n```\n~~~", [("sql", "select '```'\n```")]),
        ("````md\n```py\nx\n```\n````", [("md", "```py\nx\n```")]),
        ("```py\nx\n`````  \nafter", [("py", "x"), ("text", "after")]),
        ("   ```py\n   if x:\n     y\n  z\n   ```", [("py", "if x:\n  y\nz")]),
        ("    ```py\n    x\n    ```", [("text", "```py\n    x\n    ```")]),
        ("```py\n    x\n\n  y\n```", [("py", "    x\n\n  y")]),
        ("```py\nprint('```')\n```", [("py", "print('```')")]),
        ("```py\nx\n``` not yet\n```", [("py", "x\n``` not yet")]),
        ("```py\nx = 1\n", [("py", "x = 1", "open")]),
        ("```py", [("py", "", "open")]),
        ("```\n```", [("text", "")]),
        ("a ```b``` c\n```d``` e", [("text", "a ```b``` c\n```d``` e")]),
        ("```py\na\n```\n```py\na\n```", [("py", "a"), ("py", "a")]),
        ("\x1b[32m```py\x1b[0m\n\x1b[1mx\x1b[0m\n```\x1b[K\n", [("py", "x")]),
    ],
)
def test_fenced_blocks_are_code(text: str, expected: list[tuple[Any, ...]]) -> None:
    assert kinds(text) == expected


def test_a_code_artifact_knows_its_media_type() -> None:
    assert [CodeArtifact("", language).media_type for language in ("Python", "rust")] == [
        "text/x-python",
        "text/plain",
    ]


# --- data --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"key": "value"}', [("json", {"key": "value"})]),
        ("so [1, 2] it is", [("text", "so"), ("json", [1, 2]), ("text", "it is")]),
        ('{"a": 1}{"b": [2, 3]}', [("json", {"a": 1}), ("json", {"b": [2, 3]})]),
        ('{\n  "a": {"b": [1,\n\n 2]}\n}\nx', [("json", {"a": {"b": [1, 2]}}), ("text", "x")]),
        ('["one"] [["x"]]', [("json", ["one"]), ("json", [["x"]])]),
        ('{"a": {"b": 1}, oops}', [("text", '{"a":'), ("json", {"b": 1}), ("text", ", oops}")]),
        ('[1, 2\n{"a": 1}', [("text", "[1, 2"), ("json", {"a": 1})]),
        ('{"a": 1,\n```py\nx\n```', [("text", '{"a": 1,'), ("py", "x")]),
        ('He said {"and {"b": 1} then', [("text", 'He said {"and'), ("json", {"b": 1}), ("text", "then")]),
        ('{"cut\n[3, 4]', [("text", '{"cut'), ("json", [3, 4])]),
        ('{"t": "a\\"}[1,2]"}', [("json", {"t": 'a"}[1,2]'})]),
        ('{"pair": "\\ud83d\\ude00", "half": "\\ud83d"}', [("json", {"pair": "😀", "half": "?"})]),
        ("```json\n[7]\n```", [("json", [7])]),
        ("```JSON\n{broken\n```", [("JSON", "{broken")]),
    ],
)
def test_objects_and_arrays_are_data_wherever_they_stand(text: str, expected: list[tuple[Any, ...]]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *(
            "[1/2] compiling",
            "see [1]",
            "{}",
            "[ ]",
            "[link](x)",
            "[true] [null]",
            "[[[7]]] [{}]",
            "{'a': 1}",
            "f(x) { return }",
        ),
        *('{"a": NaN}', '{"a": 1e999}', "[01, 2]", "[1, 2", '{"a" 1}', '{"a": 1,}', "{", '{"a":', "[" * 300),
        '{"n": ' + "9" * 5000 + "}",
    ],
)
def test_what_only_looks_like_data_stays_text(text: str) -> None:
    assert [kind for kind, *_ in kinds(text)] == ["text"]
    assert kinds(text) == [("text", text)]


# --- files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Created: /tmp/test.py", "/tmp/test.py"),
        ("wrote: out.csv", "out.csv"),
        ("[File: my report.pdf]", "my report.pdf"),
        ("[file:a.py]", "a.py"),
        ("Created: `two words.txt`", "two words.txt"),
        ("Created: src/app.py.", "src/app.py"),
        ("Created: C:\\tables\\a", "C:\\tables\\a"),
        ("Wrote: ./Makefile", "./Makefile"),
        ("Wrote: .env", ".env"),
        ("Created: 売上/表.xlsx", "売上/表.xlsx"),
    ],
)
def test_a_path_after_a_mark_is_a_file(text: str, path: str) -> None:
    assert kinds(text) == [("file", path)]


@pytest.mark.parametrize(
    "text",
    [
        "Created: a new branch for you",
        "Created: version 1.2",
        "Created: e.g. this",
        "Created: https://example.org/a.py",
        "Created:",
        "[File: ]",
        "[File: nothing",
        "recreated: a.py",
        "Created: and/or",
        "Created: " + "x" * 2000 + ".py",
    ],
)
def test_what_looks_like_no_path_stays_text(text: str) -> None:
    assert kinds(text) == [("text", text)]


def test_a_file_is_told_once_and_the_words_around_it_stay() -> None:
    assert kinds("See [File: a.py] for it\nWrote: b.csv (3 rows)") == [
        ("text", "See"),
        ("file", "a.py"),
        ("text", "for it"),
        ("file", "b.csv"),
        ("text", "(3 rows)"),
    ]


# --- tracebacks --------------------------------------------------------------------------------------------

TRACE = (
    'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\n    f()\nValueError: no: good'
)
CAUSE = "The above exception was the direct cause of the following exception:"
DURING = "During handling of the above exception, another exception occurred:"
GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "x.py", line 1, in <module>
  | ExceptionGroup: two (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | KeyError: 1
    +------------------------------------"""


@pytest.mark.parametrize(
    ("trace", "name", "message"),
    [
        (TRACE, "ValueError", "no: good"),
        (TRACE.replace("ValueError: no: good", "KeyboardInterrupt"), "KeyboardInterrupt", ""),
        (TRACE.replace("ValueError", "my.pkg.Trouble"), "my.pkg.Trouble", "no: good"),
        (f"{TRACE}\n\n{CAUSE}\n\n{TRACE.replace('ValueError', 'OSError')}", "OSError", "no: good"),
        (f"{TRACE}\n\n{DURING}\n\n{TRACE}\n\n{DURING}\n\n{TRACE}", "ValueError", "no: good"),
        ("    " + TRACE.replace("\n", "\n    "), "ValueError", "no: good"),
        (TRACE.rpartition("\n")[0], "", ""),
        (GROUP, "ExceptionGroup", "two (2 sub-exceptions)"),
    ],
)
def test_a_traceback_is_one_error(trace: str, name: str, message: str) -> None:
    assert parse_text(f"Before\n{trace}\nAfter.") == [
        TextArtifact("Before"),
        ErrorArtifact(trace, name, message),
        TextArtifact("After."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Traceback (most recent call last): is how it begins",
        "Traceback (most recent call last):\nand no more",
        "Traceback (most recent call last):\n\nnothing",
        "Traceback (most recent call last):",
        DURING,
    ],
)
def test_the_words_of_a_traceback_alone_are_text(text: str) -> None:
    assert kinds(text) == [("text", text)]


def test_a_chain_that_does_not_go_on_is_an_error_and_text() -> None:
    assert kinds(f"{TRACE}\n\n{DURING}\n\nNo.") == [("error", TRACE), ("text", f"{DURING}\n\nNo.")]


def test_a_traceback_in_a_fence_is_code_and_one_after_another_is_another() -> None:
    assert kinds(f"```\n{TRACE}\n```\n{TRACE}\n{TRACE}") == [
        ("text", TRACE),
        ("error", TRACE),
        ("error", TRACE),
    ]


# --- switches ----------------------------------------------------------------------------------------------


def test_what_is_switched_off_stays_text() -> None:
    text = f"```py\nx\n```\nCreated: a.py\n[1, 2]\n{TRACE}"
    assert kinds(text, code_blocks=False, file_refs=False, json=False, errors=False) == [("text", text)]
    assert [kind for kind, *_ in kinds(text, code_blocks=False)] == ["text", "file", "json", "error"]
    assert [kind for kind, *_ in kinds(text, file_refs=False)] == ["py", "text", "json", "error"]
    assert kinds("```json\n[1, 2]\n```", json=False) == [("json", "[1, 2]")]
