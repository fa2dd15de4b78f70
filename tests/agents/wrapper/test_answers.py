"""Answers of every kind through a real desk and sandbox: texts, tables, images, charts, data, and mixtures of them."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.agents.wrapper.conftest import Scene, Talk, scene_of, talk_in
from tests.support.answer_kinds import KINDS, REPR, SETUP, SIZE, answer_of, answering
from tests.support.scripted_model import Calls, code, text_of
from tests.support.task_client import TaskClient
from tests.support.ui_client import SseClient, said
from tests.support.ws_client import Message, WsClient, of_type

CARDS = ("table", "image", "chart", "file")
# The code of an answer, and what the chat shows in order: its texts, and the kinds of its cards.
ANSWERS: list[tuple[str, list[str]]] = [
    ("final_answer(df)", [SIZE, "table"]),
    ("display(df)\nfinal_answer(df)", [SIZE, "table"]),
    ("final_answer(df['n'])", ["Table with 2 rows and 1 column.", "table"]),
    ("final_answer(df.groupby('room')['n'].mean())", [SIZE, "table"]),
    ("final_answer(df.index)", ["Table with 2 rows and 1 column.", "table"]),
    ("final_answer(df.style)", [SIZE, "table"]),
    ("import pyarrow\nfinal_answer(pyarrow.Table.from_pandas(df))", [SIZE, "table"]),
    ("final_answer(fig)", ["An image.", "image"]),
    ("display(fig)\nfinal_answer(fig)", ["An image.", "image"]),
    ("final_answer(ax)", ["An image.", "image"]),
    ("final_answer((fig, ax))", ["An image.", "image"]),
    ("plt.savefig('plot.png')\nfinal_answer(fig)", ["An image.", "image"]),
    ("import PIL.Image\nfinal_answer(PIL.Image.new('RGB', (4, 4)))", ["An image.", "image"]),
    ("final_answer(chart(df, spec))", ["Chart: bar: x room, y n.", "chart"]),
    (
        "final_answer({**spec, 'data': {'values': df.to_dict('records')}})",
        ["Chart: bar: x room, y n.", "chart"],
    ),
    (
        "final_answer(f'All **two**:\\n{df}\\n\\nThat is all.')",
        ["All **two**:", "code:     room  n\n0   hall  1\n1  attic  2", "That is all."],
    ),
    (
        "final_answer('| a  | b |\\n|----|---|\\n| 1  | 2 |\\n| 3  | 4 |')",
        ["| a  | b |\n|----|---|\n| 1  | 2 |\n| 3  | 4 |"],
    ),
    ("final_answer(1234.5)", ["1234.5"]),
    ("final_answer(np.float64(0.1) + np.float64(0.2))", ["0.30000000000000004"]),
    ("final_answer(decimal.Decimal('1.10'))", ["1.10"]),
    ("final_answer(pd.Timestamp('2026-11-28'))", ["2026-11-28"]),
    ("final_answer(np.bool_(True))", ["True"]),
    ("final_answer(np.arange(2))", ["- 0\n- 1"]),
    (
        "final_answer({'mean': np.float64(1.5), 'day': datetime.date(2026, 11, 28)})",
        ["| Name | Value |\n| --- | --- |\n| mean | 1.5 |\n| day | 2026-11-28 |"],
    ),
    (
        "final_answer([{'room': 'hall', 'n': 1}, {'room': 'attic', 'n': None}])",
        ["| room | n |\n| --- | ---: |\n| hall | 1 |\n| attic |  |"],
    ),
    ("final_answer({'a': {'b': [1]}})", ['json: {"a": {"b": [1]}}']),
    ("final_answer([df, 'See **above**.'])", ["table", "See **above**."]),
    (
        "final_answer({'rooms': df, 'n': np.int64(2), 'plot': fig})",
        [f"**rooms**: {SIZE}", "table", "**n**: 2\n\n**plot**: An image.", "image"],
    ),
    ("final_answer({'all': {'rooms': [df]}})", [f"**all / rooms**: {SIZE}", "table"]),
    ("class Model: pass\nfinal_answer(Model())", ["Model"]),
    ("final_answer(df.groupby('room'))", ["DataFrameGroupBy"]),
    ("final_answer({'<b>x</b> *y*': df})", [rf"**\<b\>x\</b\> \*y\***: {SIZE}", "table"]),
    # hostile ones
    ("loop = [1]\nloop.append(loop)\nfinal_answer(loop)", ["- 1\n- …"]),
    (
        "class Liar:\n    __class__ = property(lambda _: pd.DataFrame)\nfinal_answer(Liar())",
        ["Liar"],
    ),
    ("class Bad:\n    def __repr__(self): raise ValueError\nfinal_answer([Bad()])", ["Bad"]),
]


def outline(messages: list[Message]) -> list[str]:
    """The answer as the chat shows it: its texts, and the kinds of its cards."""
    parts: list[str] = []
    for message in messages:
        if message["type"] == "text" and message["tone"] == "answer":
            parts.append(message["content"])
        elif message["type"] == "code" and "step" not in message:
            parts.append(f"code: {message['content']}")
        elif message["type"] in CARDS:
            parts.append(message["type"])
        elif message["type"] == "json" and not message.get("inText"):
            parts.append(f"json: {json.dumps(message['content'])}")
    return parts


@pytest.fixture(scope="module")
def long_talk(code_scene: Scene) -> Iterator[Talk]:
    """One chat, because each new one starts a child process that imports matplotlib."""
    yield from talk_in(code_scene)


@pytest.mark.parametrize(("answer", "expected"), ANSWERS)
def test_an_answer_is_shown_as_what_it_is(long_talk: Talk, answer: str, expected: list[str]) -> None:
    long_talk.scene.script(answering(answer))

    live = long_talk.ask()

    assert live[-1]["content"]["state"] == "finished"
    assert outline(live) == expected
    assert not REPR.search("\n".join(message["content"] for message in of_type(live, "text")))
    with WsClient(long_talk.scene.live.ws_url, f"?chat={long_talk.chat_id}&after=0") as again:
        while (loaded := again.until_closed())[-1]["runId"] != live[-1]["runId"]:
            pass
        assert outline(loaded) == expected


def test_an_answer_of_too_many_tables_is_cut_with_a_note(code_talk: Talk) -> None:
    tables = "[df.assign(n=number) for number in range(1_000)]"
    code_talk.scene.script(code(f"{SETUP}final_answer({tables})"))
    shown = outline(code_talk.ask())
    assert shown.count("table") == 50
    assert shown[-1] == "… and 950 more"


@pytest.fixture(scope="module")
def tight_scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A desk whose cells have little memory and time."""
    folder = tmp_path_factory.mktemp("tight")
    yield from scene_of(folder, sandbox_memory_mb=512, cell_seconds=4, stop_grace_seconds=1)


@pytest.fixture
def tight_talk(tight_scene: Scene) -> Iterator[Talk]:
    yield from talk_in(tight_scene)


@pytest.mark.parametrize("size", [10**6, 10**10])
def test_a_long_repr_is_cut_and_one_beyond_the_memory_is_left_out(tight_talk: Talk, size: int) -> None:
    huge = f"class Huge:\n    def __repr__(self): return 'x' * {size}\nfinal_answer(Huge())"
    tight_talk.scene.script(code(huge))
    messages = tight_talk.ask()
    assert messages[-1]["content"]["state"] == "finished"
    assert messages[-1]["content"]["text"].startswith("Huge")
    assert len(messages[-1]["content"]["text"]) < 3_000


@pytest.mark.parametrize(
    "endless",
    [
        "while True: pass",
        "while True:\n            try: time.sleep(9)\n            except BaseException: pass",
    ],
)
def test_a_repr_that_never_ends_ends_with_the_cells_time(tight_talk: Talk, endless: str) -> None:
    defined = f"import time\nclass Endless:\n    def __repr__(self):\n        {endless}\n"
    model = tight_talk.scene.script(
        code(f"{defined}final_answer(Endless())"), code("final_answer('went on')")
    )
    messages = tight_talk.ask()
    assert (messages[-1]["content"]["state"], messages[-1]["content"]["text"]) == ("finished", "went on")
    assert "TimeoutError: The code ran longer than 4 s and was stopped" in text_of(model.seen[1])


def test_the_sentence_is_in_the_language_of_the_question(code_talk: Talk) -> None:
    code_talk.scene.script(code(f"{SETUP}final_answer(df)"))
    assert code_talk.ask("部屋の表は？")[-1]["content"]["text"] == "2行2列の表"


def test_a_later_run_knows_what_the_person_saw(code_talk: Talk) -> None:
    code_talk.scene.script(code(f"{SETUP}final_answer(df)"))
    code_talk.ask()
    model = code_talk.scene.script(code("final_answer('ok')"))
    code_talk.ask("and now?")
    assert f"Shown to the person: {SIZE} (df)" in text_of(model.seen[0])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"mean": 1.5}, ["| Name | Value |\n| --- | ---: |\n| mean | 1.5 |"]),
        (["a", "b"], ["- a\n- b"]),
        (12.50, ["12.5"]),
        ({"a": {"b": 1}}, ['json: {"a": {"b": 1}}']),
    ],
)
def test_an_argument_of_a_tools_agent_is_shown_as_what_it_is(
    tools_talk: Talk, value: Any, expected: list[str]
) -> None:
    tools_talk.scene.script(Calls(("final_answer", {"answer": value})))
    assert outline(tools_talk.ask()) == expected


def test_a_table_answer_of_a_tools_agents_code_is_a_table(tools_talk: Talk) -> None:
    call = {"code": f"{SETUP}final_answer(df)"}
    tools_talk.scene.script(Calls(("python_interpreter", call)))
    assert outline(tools_talk.ask()) == [SIZE, "table"]


@pytest.mark.parametrize("kind", ["dict", "mixture"])  # a mixture has a table and a figure
def test_clients_of_texts_get_a_readable_answer(code_scene: Scene, kind: str) -> None:
    url = code_scene.live.url
    has_rows = kind in ("table", "mixture")

    code_scene.script(answer_of(kind))
    with SseClient(url, f"sdk-{kind}", "?agent=code") as client:
        assert KINDS[kind][1] in said(client.ask("go"))

    code_scene.script(answer_of(kind))
    body = {"model": "code", "messages": [{"role": "user", "content": "go"}]}
    completion = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=60).json()
    content = completion["choices"][0]["message"]["content"]
    assert KINDS[kind][1] in content
    assert ("hall" in content) == has_rows
    assert not REPR.search(content)

    code_scene.script(answer_of(kind))
    with TaskClient(url) as tasks:
        task = tasks.until(tasks.send("go")["id"], "completed")
    texts = [part.get("text", "") for artifact in task["artifacts"] for part in artifact["parts"]]
    assert KINDS[kind][1].partition("\n\n")[0] in "\n".join(texts)
    assert not any(REPR.search(text) for text in texts if "final_answer" not in text)
