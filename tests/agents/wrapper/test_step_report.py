"""Images of a step, from a real cell to the page: every format, produced or carried inside a text."""

import base64

import httpx

from tests.agents.wrapper.conftest import Talk
from tests.support.scripted_model import code
from tests.support.ws_client import of_type

PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + (3).to_bytes(4) + (2).to_bytes(4) + b"rest"


def test_every_image_format_is_an_image_also_with_an_ending_in_capitals(code_talk: Talk) -> None:
    names = ["a.png", "b.JPG", "c.jpeg", "d.GIF", "e.bmp", "f.svg", "g.txt"]
    code_talk.scene.says(
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
    url = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    code_talk.scene.says(code(f"print({url!r})\nfinal_answer('Look: ![plot]({url}) so.')"))
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
    code_talk.scene.says(code("final_answer({'rows': [1, 2]})"))
    messages = code_talk.ask()
    assert [message["content"] for message in of_type(messages, "json")] == [{"rows": [1, 2]}]
    assert messages[-1]["content"]["state"] == "finished"


def test_rooms_of_an_answer_are_highlighted_unless_the_run_drew_on_them(code_talk: Talk) -> None:
    code_talk.scene.says(code("final_answer('It is warm in the Kitchen and in Room1.')"))
    assert [one["content"] for one in of_type(code_talk.ask(), "highlight_room")] == [
        {"rooms": ["Kitchen", "Room1"]}
    ]
    draw = code("print('ARROW_COMMAND: room=Kitchen, direction=left')")
    code_talk.scene.says(draw, code("final_answer('The arrow in the Kitchen points at Room1.')"))
    messages = code_talk.ask()
    assert len(of_type(messages, "arrow")) == 1
    assert [one["content"] for one in of_type(messages, "highlight_room")] == [{"rooms": ["Room1"]}]
