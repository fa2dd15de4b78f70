"""What a file is served with: shown or downloaded, under which name, and what it may run."""

import pytest

from smoldesk.wires.security import served_file_headers


@pytest.mark.parametrize(
    "kind", ["image/png", "image/jpeg", "image/gif", "image/bmp", "image/webp", "IMAGE/PNG"]
)
def test_only_raster_images_open_in_the_browser(kind: str) -> None:
    headers = served_file_headers("plot.png", kind)
    assert headers["content-disposition"] == 'inline; filename="plot.png"'
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "kind",
    [
        "text/html",
        "application/pdf",
        "text/csv; charset=utf-8",
        "image/svg+xml",
        "text/xml",
        "image/x-icon",
        "",
        "image/png\r\nX: 1",
    ],
)
def test_everything_else_is_a_download_that_can_run_nothing(kind: str) -> None:
    headers = served_file_headers("a.html", kind)
    assert headers["content-disposition"].startswith("attachment")
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert "sandbox" in headers["content-security-policy"]
    assert "\n" not in "".join(headers.values())


def test_svg_shows_only_where_an_image_was_asked_for() -> None:
    displayed = served_file_headers("plan.svg", "image/svg+xml", "image")
    assert displayed["content-disposition"].startswith("inline")
    assert displayed["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    for dest in (None, "document", "iframe", "object", "embed", "empty"):
        assert served_file_headers("p.svg", "image/svg+xml", dest)["content-disposition"].startswith(
            "attachment"
        )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("report 1.csv", 'attachment; filename="report 1.csv"'),
        ("表.csv", "attachment; filename=\"_.csv\"; filename*=UTF-8''%E8%A1%A8.csv"),
        ('a"b.csv', "attachment; filename=\"a_b.csv\"; filename*=UTF-8''a%22b.csv"),
        (
            "a\r\nSet-Cookie: x.csv",
            "attachment; filename=\"a__Set-Cookie_ x.csv\"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x.csv",
        ),
        ("../../etc/passwd", 'attachment; filename="passwd"'),
        ("..\\..\\x.csv", 'attachment; filename="x.csv"'),
        ("", 'attachment; filename="file"'),
        ("100%.csv", "attachment; filename=\"100_.csv\"; filename*=UTF-8''100%25.csv"),
        ("\ud800.csv", "attachment; filename=\"_.csv\"; filename*=UTF-8''%3F.csv"),
    ],
)
def test_a_download_has_its_name_in_a_form_every_browser_reads(name: str, expected: str) -> None:
    assert served_file_headers(name, "text/csv")["content-disposition"] == expected
