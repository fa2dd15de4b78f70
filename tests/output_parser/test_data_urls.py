"""Images that a text carries in itself."""

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.output_parser import EmbeddedImage, without_images
from smoldesk.output_parser import data_urls as limits

BYTES = {
    "png": b"\x89PNG\r\n\x1a\nrest",
    "jpg": b"\xff\xd8\xffrest",
    "gif": b"GIF89arest",
    "bmp": b"BMrest",
    "svg": b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>',
}


def url(kind: str, data: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def extract(text: str) -> tuple[str, list[EmbeddedImage]]:
    images: list[EmbeddedImage] = []

    def keep(image: EmbeddedImage) -> str:
        images.append(image)
        return f"{len(images)}.{image.format}"

    return without_images(text, keep), images


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        ("png", "png"),
        ("jpeg", "jpg"),
        ("jpg", "jpg"),
        ("gif", "gif"),
        ("bmp", "bmp"),
        ("svg+xml", "svg"),
        ("PNG", "png"),
    ],
)
def test_each_format_is_taken_out_and_named(kind: str, form: str) -> None:
    text, images = extract(f"before {url(kind, BYTES[form])} after")
    assert text == f"before [image: 1.{form}] after"
    assert [(image.format, image.data) for image in images] == [(form, BYTES[form])]


def test_several_images_and_the_markdown_around_them() -> None:
    png = url("png", BYTES["png"])
    text, images = extract(
        f'A ![plot]({png}) b ![]({png} "title"), <img src="{png}">. {png.replace(";", ";charset=utf-8;", 1)}'
    )
    assert text == 'A [image: 1.png] b [image: 2.png], <img src="[image: 3.png]">. [image: 4.png]'
    assert len(images) == 4


@pytest.mark.parametrize(
    "text",
    [
        "data:image/png;base64,AAA",
        "data:image/png;base64,",
        "data:image/png;base64,!!!!",
        url("png", BYTES["gif"]),
        url("svg+xml", b"<html><svg/></html>"),
        url("webp", b"RIFFxxxxWEBP"),
        url("png", BYTES["png"])[:-1],
        url("png", BYTES["png"]).replace("base64,", "utf8,"),
        "![x](data:image/png;base64,AAAA)",
    ],
)
def test_what_is_no_image_stays_text(text: str) -> None:
    assert extract(text) == (text, [])


def test_an_image_that_is_too_large_or_not_kept_stays_text(monkeypatch: pytest.MonkeyPatch) -> None:
    png = url("png", BYTES["png"])
    assert without_images(png, lambda image: None) == png
    monkeypatch.setattr(limits, "MAX_IMAGE", 9)
    assert extract(png) == (png, [])


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.sampled_from(
            ["data:image/", "png", ";base64,", "![", "](", ")", "AAAA", "=", url("png", BYTES["png"])]
        ),
        max_size=20,
    )
)
def test_nothing_raises(parts: list[str]) -> None:
    text, images = extract("".join(parts))
    assert text.count("[image: ") == len(images)


@pytest.mark.parametrize(
    "unit",
    ["data:image/png;base64,", "data:image/", "![", "![a](", url("png", BYTES["png"]), "data:image/png;a;"],
)
def test_long_hostile_text_is_read_to_its_end(unit: str) -> None:
    text = unit * (500_000 // len(unit))
    assert extract(text)[0]
