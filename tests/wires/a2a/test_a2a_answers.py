"""Answers of every kind as the SDK's client has them, over both bindings."""

import pytest
from a2a.types import a2a_pb2 as pb

from tests.support.a2a_client import Binding, a2a_client, sent, state, texts
from tests.support.answer_kinds import KINDS, REPR, answer_of
from tests.support.desk_server import LiveDesk
from tests.support.scripted_model import Scripts
from tests.wires.conftest import desk as scripted

desk = scripted


def answer_texts(task: pb.Task) -> str:
    """The texts of a task's artifacts but the code that ran."""
    return "\n\n".join(
        text for artifact in task.artifacts if artifact.name != "code" for text in texts(artifact) if text
    )


@pytest.mark.parametrize("kind", ["dict", "mixture"])  # a mixture has a table and a figure
async def test_an_answer_is_readable_text_with_its_tables_and_images(
    desk: LiveDesk, scripts: Scripts, binding: Binding, kind: str
) -> None:
    scripts.set(answer_of(kind))
    async with a2a_client(desk.url, binding, streaming=False) as client:
        task = await sent(client, "go")

    assert state(task.status) == "completed"
    text = answer_texts(task)
    has_table, has_image = kind in ("table", "mixture"), kind in ("figure", "mixture")
    assert KINDS[kind][1] in text
    assert ("| room | n |\n| --- | ---: |\n| hall | 1 |" in text) == has_table
    assert not REPR.search(text)
    kinds = [part.media_type for artifact in task.artifacts for part in artifact.parts]
    assert ("image/png" in kinds) == has_image


async def test_the_rows_of_an_answer_are_counted_in_the_language_of_the_question(
    desk: LiveDesk, scripts: Scripts
) -> None:
    scripts.set(
        answer_of("table").replace("final_answer(df)", "final_answer(pd.concat([df] * 6, ignore_index=True))")
    )
    async with a2a_client(desk.url, streaming=False) as client:
        text = answer_texts(await sent(client, "部屋の表は？"))
    assert "12行2列の表" in text and "12件中10件" in text
