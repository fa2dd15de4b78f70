"""What a child that draws says is an SVG: shapes and text alone are given out."""

import pytest

from smoldesk.charts.svg import checked_svg
from smoldesk.errors import BadInput

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'
GOOD = f'{HEAD}<g fill="url(#shade)"><path d="M0,0h1Z" aria-label="a > b, data: 1"/><text>1 &lt; 2</text></g></svg>'


def test_shapes_and_text_are_taken_without_what_xml_cannot_write() -> None:
    assert checked_svg(GOOD.replace("1 &lt;", "1\x00\x1b\ud800 &lt;")) == GOOD


@pytest.mark.parametrize(
    "part",
    [
        "<script>alert(1)</script>",
        "<SCRIPT>alert(1)</SCRIPT>",
        "<foreignObject></foreignObject>",
        '<image width="1"/>',
        "<use/>",
        "<style>@import 'http://nowhere.example/'</style>",
        '<animate attributeName="x"/>',
        "<!-- <script> -->",
        "<![CDATA[<script>]]>",
        '<?xml-stylesheet href="http://nowhere.example/"?>',
        '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<g onload="alert(1)"></g>',
        "<g onload='alert(1)'></g>",
        "<g onload=alert(1)></g>",
        '<g/onload="alert(1)"></g>',
        '<g xlink:href="http://nowhere.example/"></g>',
        '<g href="javascript:alert(1)"></g>',
        '<g fill="url(http://nowhere.example/#a)"></g>',
        '<g fill="URL( http://nowhere.example/)"></g>',
        '<g style="background:url(//nowhere.example)"></g>',
        '<g style="filter:&#117;rl(//nowhere.example)"></g>',
        '<g style="filter:u\\72l(//nowhere.example)"></g>',
        '<g style="background:image-set(&quot;//nowhere.example&quot;)"></g>',
        '<g ONLOAD="alert(1)"></g>',
        '<g xmlns="http://www.w3.org/1999/xhtml"></g>',
        '<x:script xmlns:x="http://www.w3.org/2000/svg"></x:script>',
        "<",
    ],
)
def test_what_runs_loads_or_leads_elsewhere_is_refused(part: str) -> None:
    with pytest.raises(BadInput, match="cannot be kept as SVG"):
        checked_svg(GOOD.replace("</svg>", f"{part}</svg>"))


@pytest.mark.parametrize("text", ["", "no drawing", "<html></html>", " " + GOOD])
def test_what_is_no_svg_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        checked_svg(text)


def test_a_long_one_takes_no_longer_than_it_is() -> None:
    checked_svg(HEAD + '<path d="M0,0" ' + 'x="1" ' * 50_000 + "/></svg>")
    with pytest.raises(BadInput):
        checked_svg(HEAD + "<path" + " x" * 500_000)
