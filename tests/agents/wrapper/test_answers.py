"""Answers of every kind through a real desk and sandbox: texts, tables, images, charts, data, and mixtures of them."""

import json
import re
from typing import Any

import httpx
import pytest

from tests.agents.wrapper.conftest import Scene, Talk
from tests.support.scripted_model import Calls, code, text_of
from tests.support.task_client import TaskClient
from tests.support.ui_client import SseClient, said
from tests.support.ws_client import Message, WsClient, of_type

SETUP = """
import datetime, decimal
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
df = pd.DataFrame({"room": ["hall", "attic"], "n": [1, 2]})
spec = {"mark": "bar", "encoding": {"x": {"field": "room"}, "y": {"field": "n", "type": "quantitative"}}}
def plot():
    fig, ax = plt.subplots()
    ax.plot([1, 2])
    return fig, ax
"""
CARDS = ("table", "image", "chart", "file")
SIZE = "Table with 2 rows and 2 columns."
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
# Signs of a Python repr, and of markup that was not escaped.
REPR = re.compile(r"np\.\w+\(|Timestamp\(|dtype|<\w+[ .>].*>|\{'|Decimal\(| at 0x")


def answering(answer: str) -> str:
    """Return code with that answer, and with an open figure if the answer needs one."""
    figure = "fig, ax = plot()\n" if re.search(r"\b(fig|ax)\b", answer) else ""
    return code(SETUP + figure + answer)


def outline(messages: list[Message]) -> list[str]:
    """The answer as the chat shows it: its texts, and the kinds of its cards."""
    parts: list[str] = []
    for message in messages:
        if message["type"] == "text" and message["tone"] == "answer":
            parts.append(message["content"])
        elif message["type"] in CARDS:
            parts.append(message["type"])
        elif message["type"] == "json" and not message.get("inText"):
            parts.append(f"json: {json.dumps(message['content'])}")
    return parts


@pytest.mark.parametrize(("answer", "expected"), ANSWERS)
def test_an_answer_is_shown_as_what_it_is(code_talk: Talk, answer: str, expected: list[str]) -> None:
    code_talk.scene.script(answering(answer))

    live = code_talk.ask()

    assert live[-1]["content"]["state"] == "finished"
    assert outline(live) == expected
    assert not REPR.search("\n".join(message["content"] for message in of_type(live, "text")))
    with WsClient(code_talk.scene.live.ws_url, f"?chat={code_talk.chat_id}&after=0") as again:
        assert outline(again.until_closed()) == expected


def test_an_answer_of_too_many_tables_is_cut_with_a_note(code_talk: Talk) -> None:
    tables = "[df.assign(n=number) for number in range(10_000)]"
    code_talk.scene.script(code(f"{SETUP}final_answer({tables})"))
    shown = outline(code_talk.ask())
    assert shown.count("table") == 50
    assert shown[-1] == "… and 9950 more"


def test_an_endless_repr_is_bounded(code_talk: Talk) -> None:
    huge = "class Huge:\n    def __repr__(self): return 'x' * 10**9\nfinal_answer(Huge())"
    code_talk.scene.script(code(huge))
    messages = code_talk.ask()
    assert messages[-1]["content"]["state"] == "finished"
    assert len(messages[-1]["content"]["text"]) < 3_000


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


KINDS = {"table": "df", "figure": "fig", "dict": "{'mean': np.float64(1.5)}"}
TEXTS = {"table": SIZE, "figure": "An image.", "dict": "| mean | 1.5 |"}


@pytest.mark.parametrize("kind", KINDS)
def test_clients_of_texts_get_a_readable_answer(code_scene: Scene, kind: str) -> None:
    url = code_scene.live.url
    answer = answering(f"final_answer({KINDS[kind]})")

    code_scene.script(answer)
    with SseClient(url, f"sdk-{kind}", "?agent=code") as client:
        assert TEXTS[kind] in said(client.ask("go"))

    code_scene.script(answer)
    body = {"model": "code", "messages": [{"role": "user", "content": "go"}]}
    completion = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=60).json()
    content = completion["choices"][0]["message"]["content"]
    assert TEXTS[kind] in content
    assert ("hall" in content) == (kind == "table")

    code_scene.script(answer)
    with TaskClient(url) as tasks:
        task = tasks.until(tasks.send("go")["id"], "completed")
    texts = json.dumps(task)
    assert TEXTS[kind].replace("\n", "\\n") in texts
    assert not REPR.search(content)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ["html", "notebook", "markdown"])
def test_exports_have_the_answer_readable(code_talk: Talk, kind: str, form: str) -> None:
    code_talk.scene.script(answering(f"final_answer({KINDS[kind]})"))
    code_talk.ask()
    page = httpx.get(
        f"{code_talk.scene.live.url}/api/chats/{code_talk.chat_id}/export",
        params={"format": form},
        timeout=60,
    )
    assert page.status_code == 200
    if form == "html":
        assert ("<td" in page.text) == (kind != "figure")
        assert not re.search(r"np\.float64\(1\.5\)</|<Figure|dtype", page.text)
