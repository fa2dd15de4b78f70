"""What Markdown and code become before a page shows them: no payload survives, nothing readable is lost."""

import re
import sys
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.markdown import code_theme
from smoldesk.markdown.render import (
    LANGUAGES,
    MAX_CODE,
    MAX_MARKDOWN,
    highlight,
    to_html,
)

ROOT = Path(__file__).parents[2]
TAGS = re.compile(r"a|blockquote|br|code|em|h[1-6]|hr|li|[ou]l|p|pre|s|span|strong|table|tbody|t[dhr]|thead")


class Markup(HTMLParser):
    """Every tag and attribute of a piece of HTML, as a browser would see them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def assert_harmless(html: str) -> None:
    for tag, attributes in Markup(html).tags:
        assert TAGS.fullmatch(tag)
        for name, value in attributes.items():
            match tag, name:
                case "a", "href":
                    assert re.match(r"(https?://|mailto:)", value or "")
                case "a", "target":
                    assert value == "_blank"
                case "a", "rel":
                    assert value == "noopener noreferrer"
                case ("a", "title") | ("ol", "start"):
                    pass
                case (("td" | "th"), "align"):
                    assert value in ("left", "right", "center")
                case "span", "class":
                    assert value in code_theme.CLASSES
                case "pre", "class":
                    assert value == "hl"
                case "code", "class":
                    assert (value or "").removeprefix("language-") in LANGUAGES.values()
                case _:
                    raise AssertionError(f"{tag} carries {name}={value!r}")
        if "href" in attributes:
            assert attributes["target"] == "_blank"
            assert attributes["rel"] == "noopener noreferrer"


PAYLOADS = [
    "<script>alert(1)</script>",
    "<ScRiPt src=//evil.example/x.js></sCrIpT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    '<img src="x" onerror="alert(1)" ',
    "<svg onload=alert(1)><animate onbegin=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>",
    "<style>*{background:url(//evil.example)}</style>",
    '<p style="background:url(//evil.example)">x</p>',
    '<a href="javascript:alert(1)">x</a>',
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=data:text/html,x></object><embed src=//evil.example>",
    "<base href=//evil.example><form action=//evil.example><button formaction=javascript:alert(1)>x",
    "<body onload=alert(1)><details open ontoggle=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<!--><script>alert(1)</script-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](&#x6A;&#x61;vascript&colon;alert(1))",
    "[x](javascript&#58;alert(1))",
    "[x](\x01javascript:alert(1))",
    "[x](<java\u0000script:alert(1)>)",
    "[x](vbscript:msgbox(1))",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](data:image/svg+xml,<svg onload=alert(1)>)",
    "[x](//evil.example)",
    "[x](/api/chats)",
    "[x](\\\\evil.example)",
    "[x](blob:http://127.0.0.1/1)",
    "[x](file:///etc/passwd)",
    "<javascript:alert(1)>",
    '[x](http://a.example "\\" onmouseover=alert(1) x=\\"")',
    "[x](http://a.example/\"onmouseover='alert(1)')",
    "[x]\n\n[x]: javascript:alert(1)",
    "[x]\n\n[x]: http://a.example '\"><script>alert(1)</script>'",
    "![x](http://evil.example/seen.png)",
    "![x](javascript:alert(1))",
    '![<script>alert(1)</script>](x "onerror=alert(1)")',
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    '```python"><script>alert(1)</script>\nx\n```',
    "```html onload=alert(1)\n<script>alert(1)</script>\n```",
    "```\n</code></pre><script>alert(1)</script>\n```",
    "```python\n'</span></code></pre><img src=x onerror=alert(1)>'\n```",
    "`<img src=x onerror=alert(1)>`",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "| a |\n|---|\n| <td onclick=alert(1)> |",
    '<span class="hl-keyword" id="composer">x</span>',
    "# <a name=x onclick=alert(1)>h</a>",
    "[a](<http://x.example/><script>alert(1)</script>)",
    'x<x@y.example"onclick=alert(1)>',
]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_payload_becomes_markup_that_acts(payload: str) -> None:
    for frame in (
        "{}",
        "> - {}",
        "**{}**",
        "| h |\n|---|\n| {} |",
        "[{}](http://a.example)",
        "```{}\n{}\n```",
    ):
        assert_harmless(to_html(frame.replace("{}", payload)))


hostile = st.lists(
    st.sampled_from([*"<>\"'`&[]()!*_~|\\:\n ", "javascript:", "<script>", "onerror=", "![", "](", "&#"])
)


@settings(deadline=None)
@given(hostile.map("".join) | st.text())
def test_no_mixture_of_marks_becomes_markup_that_acts(text: str) -> None:
    assert_harmless(to_html(text))
    assert_harmless(highlight(text, "python"))


def test_the_common_marks_work() -> None:
    html = to_html(
        "# Title\n\n**bold** *soft* ~~gone~~ `x < 1`\n\n- one\n- two\n\n3. three\n\n> said\n\n---\n"
    )
    for piece in (
        *("<h1>Title</h1>", "<strong>bold</strong>", "<em>soft</em>", "<s>gone</s>", "<code>x &lt; 1</code>"),
        *("<li>one</li>", '<ol start="3">', "<blockquote>", "<hr>"),
    ):
        assert piece in html


def test_html_in_markdown_is_text() -> None:
    assert to_html("a <b>x</b>") == "<p>a &lt;b&gt;x&lt;/b&gt;</p>\n"
    assert to_html("<div>\n\n*x*") == "<p>&lt;div&gt;</p>\n<p><em>x</em></p>\n"


def test_a_table_keeps_its_alignment_without_inline_style() -> None:
    html = to_html("| a | b | c |\n|--:|:-:|---|\n| 1 | 2 | 3 |\n")
    assert '<th align="right">a</th>' in html
    assert '<td align="center">2</td>' in html
    assert "<td>3</td>" in html
    assert "style" not in html


def test_links_open_elsewhere_and_tell_nothing() -> None:
    html = to_html('[desk](https://a.example/?q=1&r=2 "the title") <mailto:me@a.example>')
    ((_, link), (_, mail)) = [tag for tag in Markup(html).tags if tag[0] == "a"]
    expected = {"href": "https://a.example/?q=1&r=2", "title": "the title"}
    assert link == expected | {"target": "_blank", "rel": "noopener noreferrer"}
    assert mail["href"] == "mailto:me@a.example"


def test_a_picture_becomes_its_description() -> None:
    assert to_html("![The *plan* <b>](http://a.example/x.png)") == "<p><em>The plan &lt;b&gt;</em></p>\n"
    assert to_html("![](http://a.example/x.png)") == "<p></p>\n"


def test_a_fence_is_coloured_by_its_language_and_plain_without_one() -> None:
    assert '<pre class="hl"><code class="language-python"><span class="hl-keyword">def</span>' in to_html(
        "```py\ndef f(): pass\n```"
    )
    assert to_html("```klingon\n<b>\n```") == '<pre class="hl"><code>&lt;b&gt;\n</code></pre>\n'
    assert to_html("    <b>\n") == '<pre class="hl"><code>&lt;b&gt;\n</code></pre>\n'


def test_japanese_and_broken_text_come_through() -> None:
    assert to_html("**平均気温**は21度") == "<p><strong>平均気温</strong>は21度</p>\n"
    assert to_html("a\ud800b") == "<p>a?b</p>\n"
    assert highlight("'\udfff'", "python") == '<span class="hl-string">&#x27;?&#x27;</span>'


def test_a_name_turns_around_no_figure_after_it() -> None:
    assert to_html("Highest: מחיר\u202e)x (52.50)\u202d") == "<p>Highest: מחיר)x (52.50)</p>\n"
    assert "مبيعات\u200f" in to_html("مبيعات\u200f (52.50)")


def test_text_beyond_the_limit_is_shown_as_it_is() -> None:
    text = "<b>**x**</b>" + "あ" * (MAX_MARKDOWN // 3)
    assert to_html(text) == f"<pre>&lt;b&gt;**x**&lt;/b&gt;{'あ' * (MAX_MARKDOWN // 3)}</pre>"
    assert "<strong>" in to_html("**x**" + "a" * (MAX_MARKDOWN - 5))


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_colours_and_loses_nothing(language: str) -> None:
    code = 'x = {"a": 1, "b": "<&>"}  # note\n>>> select 1\nfor i in 1 2; do echo "$i"; done\n[table]\n\n'
    html = highlight(code, language)
    assert 'class="hl-' in html
    assert Markup(html).text == code


@settings(deadline=None)
@given(
    code=st.text(alphabet="abc012<>&\"'\\#(){}[]:=.,@ \n\t", max_size=80),
    language=st.sampled_from(sorted(LANGUAGES)),
)
def test_the_text_of_highlighted_code_is_the_code(code: str, language: str) -> None:
    assert unescape(re.sub(r"</?span[^>]*>", "", highlight(code, language))) == code


def test_code_that_is_too_long_or_of_no_known_language_is_plain() -> None:
    assert highlight("<i>", "klingon") == "&lt;i&gt;"
    assert highlight("<i>", "") == "&lt;i&gt;"
    assert "<span" not in highlight("def f(): pass\n" * (MAX_CODE // 10), "python")


# --- hostile sizes -------------------------------------------------------------------------------------

UNITS = [
    *(
        "[",
        "![",
        "[a](",
        "[a][",
        "*a _b ",
        "**a ",
        "`",
        "<",
        "<a@b>",
        "&#",
        "> ",
        "- ",
        "1. ",
        "|",
        "a|b\n-|-\n",
    ),
    *(
        "\\",
        "~~a",
        "[a]: b\n",
        "[a]: <",
        "![> ~~_:~",
        "a\n=\n",
        "> - ",
        "  - a\n",
        "```\n",
        "\n",
        "```python\n{\n",
    ),
]


def lines_run(text: str) -> int:
    """Python lines executed to render the text: work that does not depend on the machine or its load."""
    count = 0

    def each(_frame: FrameType, event: str, _arg: object) -> Callable[..., Any]:
        nonlocal count
        count += event == "line"
        return each

    before = sys.gettrace()
    sys.settrace(each)
    try:
        to_html(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("unit", UNITS)
def test_work_grows_with_the_length_of_hostile_text_and_not_with_its_square(unit: str) -> None:
    short, long = (unit * (size // len(unit)) for size in (300, 1200))
    assert lines_run(long) < 7 * lines_run(short)  # linear: 4, quadratic: 16


@pytest.mark.parametrize("unit", UNITS)
def test_a_page_of_hostile_text_is_answered_and_stays_in_proportion(unit: str) -> None:
    text = unit * (6_000 // len(unit))
    html = to_html(text)
    assert_harmless(html)
    assert len(html) < 80 * len(text) + 1000


@pytest.mark.parametrize(
    "text",
    [
        "".join(" " * (2 * depth) + "- a\n" for depth in range(300)),
        ">" * 5000 + " a",
        "[" * 5000 + "a" + "](x)" * 5000,
        "".join("`" * length + "a" for length in range(300)),
        "|" * 2000 + "\n" + "|-" * 2000 + "\n" + "|\n" * 2000,
        "*a" * 5000 + "a*" * 5000,
        "**" * 20_000,
        "".join(f"[{index}]: b\n" for index in range(3000)) + "".join(f"[{index}] " for index in range(3000)),
    ],
)
def test_deep_nesting_is_answered(text: str) -> None:
    assert_harmless(to_html(text))


@pytest.mark.parametrize("language", sorted(set(LANGUAGES.values())))
def test_hostile_code_is_coloured_to_its_end(language: str) -> None:
    """A lexer that backtracks without end would run into the suite's timeout."""
    for unit in ("{", '{"', "'", '"\\', "$(", "/*", "[a", "=", "f'{", "@@", ">>> '", "\n"):
        code = unit * (5_000 // len(unit))
        assert unescape(re.sub(r"</?span[^>]*>", "", highlight(code, language))) == code


# --- colours -------------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def grounds() -> set[str]:
    """Every ground code may stand on: the theme's own, and those the page's tokens name."""
    tokens = ROOT / "frontend" / "css" / "tokens.css"
    named = (
        re.findall(r"--code-(?:ground|raised): (#[0-9a-f]{6})", tokens.read_text()) if tokens.exists() else []
    )
    return {code_theme.GROUND, *named}


def test_the_stylesheet_in_the_repo_is_the_one_the_theme_writes() -> None:
    assert (ROOT / "frontend" / "css" / "highlight.css").read_text(
        encoding="utf-8"
    ) == code_theme.stylesheet()


def test_every_colour_of_code_can_be_read_on_every_ground() -> None:
    css = code_theme.stylesheet()
    colours = re.findall(r"--hl-(\w+): (#[0-9a-f]{6});", css)
    assert {f"hl-{role}" for role, _ in colours} == code_theme.CLASSES
    for ground in grounds():
        assert luminance(ground) < 0.05  # dark
        assert contrast(ground, "#000000") > 1.2  # soft, not black
        assert contrast(code_theme.TEXT, ground) >= 7
        for role, colour in colours:
            assert contrast(colour, ground) >= 4.5, role


def test_every_role_has_a_rule_and_no_rule_has_a_bare_colour() -> None:
    _, panes = code_theme.stylesheet().split("@layer panes")
    for role in code_theme.COLOURS:
        assert f".hl-{role} {{\n    color: var(--hl-{role});\n  }}" in panes
    assert not re.search(r"(?<!, )#[0-9a-f]{6}", panes)
