"""Images of a step, from a real cell to the page: every format, produced or carried inside a text however that is cut."""

import base64
from itertools import pairwise
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.agents.wrapper.embedded_images import EmbeddedImages, PrintedPieces
from tests.agents.wrapper.conftest import Talk
from tests.support.scripted_model import code, text_of
from tests.support.ws_client import of_type

PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + (3).to_bytes(4) + (2).to_bytes(4) + b"rest"
URL = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"


def test_every_image_format_is_an_image_also_with_an_ending_in_capitals(code_talk: Talk) -> None:
    names = ["a.png", "b.JPG", "c.jpeg", "d.GIF", "e.bmp", "f.svg", "g.txt"]
    code_talk.scene.script(
        code(f"for name in {names}:\n    open(name, 'wb').write(b'x')\nfinal_answer('made')")
    )
    messages = code_talk.ask()
    images = {message["path"]: message["format"] for message in of_type(messages, "image")}
    assert images == {
        "a.png": "png",
        "b.JPG": "jpg",
        "c.jpeg": "jpeg",
        "d.GIF": "gif",
        "e.bmp": "bmp",
        "f.svg": "svg",
    }
    assert [message["content"]["name"] for message in of_type(messages, "file")] == ["g.txt"]


def test_an_image_inside_an_answer_becomes_a_file_and_the_text_names_it(code_talk: Talk) -> None:
    code_talk.scene.script(code(f"print({URL!r})\nfinal_answer('Look: ![plot]({URL}) so.')"))
    messages = code_talk.ask()
    (image,) = of_type(messages, "image")
    assert (image["format"], image["width"], image["height"]) == ("png", 3, 2)
    assert of_type(messages, "text")[-1]["content"] == f"Look: [image: {image['path']}] so."
    assert messages[-1]["content"]["text"] == f"Look: [image: {image['path']}] so."
    served = httpx.get(code_talk.scene.live.url + image["url"], timeout=30)
    assert served.content == PNG
    debug = of_type(messages, "debug")[-1]["content"]["agent_response"]
    assert debug["raw_output"] == f"[image: {image['path']}]\n"


def test_an_answer_that_is_data_is_sent_as_data(code_talk: Talk) -> None:
    code_talk.scene.script(code("final_answer({'rows': [1, 2]})"))
    messages = code_talk.ask()
    assert [message["content"] for message in of_type(messages, "json")] == [{"rows": [1, 2]}]
    assert messages[-1]["content"]["state"] == "finished"


def test_rooms_of_an_answer_are_highlighted_unless_the_run_drew_on_them(code_talk: Talk) -> None:
    code_talk.scene.script(code("final_answer('It is warm in the Kitchen and in Room1.')"))
    assert [message["content"] for message in of_type(code_talk.ask(), "highlight_room")] == [
        {"rooms": ["Kitchen", "Room1"]}
    ]
    draw = code("print('ARROW_COMMAND: room=Kitchen, direction=left')")
    code_talk.scene.script(draw, code("final_answer('The arrow in the Kitchen points at Room1.')"))
    messages = code_talk.ask()
    assert len(of_type(messages, "arrow")) == 1
    assert [message["content"] for message in of_type(messages, "highlight_room")] == [{"rooms": ["Room1"]}]


TEXTS = [
    f"before {URL} after\n",
    f"![a plot]({URL})\n",
    f'![a plot](<{URL}> "what it shows" )\n',
    f"{URL}",
    f"{URL}{URL}\n{URL}",
    "data: 12, database64,abc ![no image] d",
    "data:image/png;base64,brok=en\nmore",
    f"x ![{'p' * 400}]( {URL} ) y",
]


class RecordingImages(EmbeddedImages):
    """Keeps nothing anywhere: names alone matter here."""

    def __init__(self) -> None:
        self.count = 0

    def _keep(self, image: Any) -> str | None:
        return "figure"


def joined(pieces: list[str]) -> str:
    printed = PrintedPieces(RecordingImages())
    return "".join([*(printed.feed(piece) for piece in pieces), printed.flush()])


@given(st.sampled_from(TEXTS), st.lists(st.integers(0, 600), max_size=6))
def test_cuts_make_no_difference(text: str, cuts: list[int]) -> None:
    borders = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [text[start:end] for start, end in pairwise(borders)]

    assert joined(pieces) == RecordingImages().replace_images(text)


@pytest.mark.parametrize("text", TEXTS)
def test_one_character_at_a_time_gives_the_same(text: str) -> None:
    assert joined(list(text)) == RecordingImages().replace_images(text)


def test_a_line_without_an_image_is_said_at_once() -> None:
    printed = PrintedPieces(RecordingImages())

    assert printed.feed("epoch 1: loss 0.3\n") == "epoch 1: loss 0.3\n"
    assert printed.feed("50 %") == "50 %"


def test_neither_the_page_nor_the_model_is_told_the_bytes_of_a_printed_image(code_talk: Talk) -> None:
    print_it = (
        "import base64\n"
        + f"url = 'data:image/png;base64,' + base64.b64encode({PNG!r} + b'x' * 90_000).decode()\n"
    )
    model = code_talk.scene.script(
        code(print_it + "print('Look:', url)"), code("final_answer('seen: ' + url)")
    )

    messages = code_talk.ask()

    (image,) = of_type(messages, "image")
    printed = "".join(message["content"] for message in of_type(messages, "printed"))
    assert printed == f"Look: [image: {image['path']}]\n"
    assert f"Look: [image: {image['path']}]" in text_of(model.seen[-1])
    assert of_type(messages, "text")[-1]["content"] == f"seen: [image: {image['path']}]"
    remembered = [
        message["memory"]["observations"] for message in code_talk.log() if message["type"] == "step_finished"
    ]
    assert [image["path"] in observed for observed in remembered[-2:]] == [True, True]
    assert not any("base64" in observed for observed in remembered)


def test_code_of_an_earlier_step_is_still_a_block_of_the_answer(code_talk: Talk) -> None:
    fenced = "So:\n```python\nprint('once')\n```\nand:\n```sql\nselect 1\n```"
    code_talk.scene.script(code("print('once')"), code(f"final_answer({fenced!r})"))

    blocks = [message["content"] for message in of_type(code_talk.ask(), "code") if "step" not in message]

    assert blocks == ["print('once')", "select 1"]
