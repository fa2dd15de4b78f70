"""The colours of code: what a token is called on the page, and the stylesheet that paints it.

Highlighted code carries classes by role (`hl-keyword`), never inline styles, which the page's CSP forbids.
Code blocks are dark in both themes, soft not black; every colour keeps at least 4.5:1 on all of the grounds
it may stand on. After a change write the stylesheet anew:
`python -m smoldesk.markdown frontend/css/highlight.css`.
"""

from pygments.token import Token

PREFIX = "hl-"
GROUND, TEXT = "#232832", "#dfe4ee"
# Colour of each role; other tokens have the colour of plain code.
COLOURS = {
    "comment": "#a0aabc",
    "keyword": "#c9b6ff",
    "name": "#9ccbff",
    "builtin": "#86d9d3",
    "string": "#b5d99c",
    "escape": "#e6d08a",
    "number": "#f2b98f",
    "operator": "#c3cbd9",
}

_ROLES: dict[tuple[str, ...], str] = {
    Token.Comment: "comment",
    Token.Keyword: "keyword",
    Token.Operator.Word: "keyword",
    Token.Name.Function: "name",
    Token.Name.Class: "name",
    Token.Name.Decorator: "name",
    Token.Name.Tag: "name",
    Token.Name.Builtin: "builtin",
    Token.Name.Exception: "builtin",
    Token.Keyword.Type: "builtin",
    Token.Literal.String: "string",
    Token.Literal.String.Escape: "escape",
    Token.Literal.String.Interpol: "escape",
    Token.Literal.String.Affix: "keyword",
    Token.Literal.String.Doc: "comment",
    Token.Literal.Number: "number",
    Token.Operator: "operator",
    Token.Generic.Prompt: "comment",
    Token.Generic.Output: "operator",
}
CLASSES = frozenset(PREFIX + role for role in COLOURS)


def role_of(token: tuple[str, ...]) -> str:
    """Return the role of a token, or of the nearest kind it belongs to; "" for plain code."""
    kinds = (token[:length] for length in range(len(token), 0, -1))
    return next((_ROLES[kind] for kind in kinds if kind in _ROLES), "")


def stylesheet() -> str:
    """Return the text of `highlight.css`: custom properties in layer tokens, rules in layer panes."""
    properties = "".join(f"    --{PREFIX}{role}: {colour};\n" for role, colour in COLOURS.items())
    rules = "".join(f"  .{PREFIX}{role} {{\n    color: var(--{PREFIX}{role});\n  }}\n" for role in COLOURS)
    slanted = f"  .{PREFIX}comment {{\n    font-style: italic;\n  }}\n"
    return (
        "/* Written by backend/smoldesk/markdown/code_theme.py; change the colours there. */\n"
        f"@layer tokens {{\n  :root {{\n{properties}  }}\n}}\n\n"
        "@layer panes {\n"
        f"  pre.hl {{\n    background: var(--code-ground, {GROUND});\n    color: var(--code-text, {TEXT});\n  }}\n"
        f"{rules}{slanted}}}\n"
    )
