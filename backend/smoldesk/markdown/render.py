"""Markdown and code from models, files and people -> HTML a page may show.

Three walls, each enough alone: raw HTML in Markdown is never markup (html off), what comes out passes an
allow-list (nh3), and the page's CSP runs nothing inline. Pictures become their description: a picture of a
remote host would tell that host who reads. Work is linear in the text and bounded; what is too long is shown
as it is. Pure: call it off the loop.
"""

from collections.abc import Iterable, Sequence
from html import escape

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from pygments import lexers

from smoldesk.markdown.code_theme import CLASSES, PREFIX, role_of

# Bytes of Markdown that are rendered; a longer text is shown escaped.
MAX_MARKDOWN = 200_000
# Characters of code that are highlighted; longer code is shown plain.
MAX_CODE = 100_000
# Overrides of the direction: one in a name would turn around the figures after it, 52.50 into 05.25.
_OVERRIDES: dict[int, None] = dict.fromkeys((0x202D, 0x202E))

# Pygments has hundreds of lexers, many of them quadratic on hostile text. These were tried and are linear.
# What a fence may say -> the lexer that colours it.
LANGUAGES = {
    **dict.fromkeys(("python", "py", "python3"), "python"),
    **dict.fromkeys(("pycon", "python-console"), "pycon"),
    **dict.fromkeys(("sql", "sqlite", "postgresql"), "sql"),
    **dict.fromkeys(("bash", "sh", "shell", "zsh"), "bash"),
    "json": "json",
    "toml": "toml",
}

_BLOCKS = "blockquote h1 h2 h3 h4 h5 h6 hr li ol p pre table tbody td th thead tr ul"
_INLINE = "a br code del em s span strong"
_SIDES = {"align": {"left", "right", "center"}}
_CLEANER = nh3.Cleaner(
    tags={*_BLOCKS.split(), *_INLINE.split()},
    clean_content_tags={"script", "style"},
    attributes={"a": {"href", "title"}, "ol": {"start"}},
    tag_attribute_values={"td": _SIDES, "th": _SIDES},
    set_tag_attribute_values={"a": {"target": "_blank"}},
    allowed_classes={
        "span": CLASSES,
        "pre": {"hl"},
        "code": {f"language-{name}" for name in LANGUAGES.values()},
    },
    url_schemes={"http", "https", "mailto"},
    url_relative="deny",
    link_rel="noopener noreferrer",
)


def to_html(markdown: str) -> str:
    """Sanitised HTML of a Markdown text; over MAX_MARKDOWN bytes the text itself, escaped, in a `pre`."""
    data = markdown.encode("utf-8", "replace")
    text = data.decode("utf-8").translate(_OVERRIDES)
    if len(data) > MAX_MARKDOWN:
        return f"<pre>{escape(text)}</pre>"
    return _CLEANER.clean(_MARKDOWN.render(text))


def highlight(code: str, language: str = "python") -> str:
    """Return the code as escaped text in `<span class="hl-...">`s; only escaped if it is long or of an unknown language."""
    name = LANGUAGES.get(language.strip().lower())
    code = code.encode("utf-8", "replace").decode("utf-8")
    if name is None or len(code) > MAX_CODE:
        return escape(code)
    tokens = lexers.get_lexer_by_name(name, stripnl=False, ensurenl=False).get_tokens(code)
    return _spans((role_of(kind), text) for kind, text in tokens)


def _spans(pieces: Iterable[tuple[str, str]]) -> str:
    """Return the neighbours of one role share a span."""
    html: list[str] = []
    current = ""
    for role, text in pieces:
        if role != current and text:
            html.append("</span>" if current else "")
            html.append(f'<span class="{PREFIX}{role}">' if role else "")
            current = role
        html.append(escape(text))
    html.append("</span>" if current else "")
    return "".join(html)


def _code_block(code: str, language: str, _attributes: str) -> str:
    name = LANGUAGES.get(language.strip().lower())
    label = f' class="language-{name}"' if name else ""
    return f'<pre class="hl"><code{label}>{highlight(code, language)}</code></pre>'


def _indented_code(
    _self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
) -> str:
    return _code_block(tokens[index].content, "", "") + "\n"


def _picture(
    self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Render a picture as its description: pictures of the desk are in the image pane."""
    description = self.renderInlineAsText(tokens[index].children, options, env)
    return f"<em>{escape(description)}</em>" if description else ""


def _cell(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    """Render a table cell with its alignment as an attribute: the CSP allows no inline style."""
    side = str(tokens[index].attrs.pop("style", "")).removeprefix("text-align:")
    if side:
        tokens[index].attrs["align"] = side
    return self.renderToken(tokens, index, options, env)


def _make_markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False, "highlight": _code_block})
    markdown.enable(["table", "strikethrough"])
    markdown.add_render_rule("code_block", _indented_code)
    markdown.add_render_rule("image", _picture)
    markdown.add_render_rule("td_open", _cell)
    markdown.add_render_rule("th_open", _cell)
    return markdown


_MARKDOWN = _make_markdown()
