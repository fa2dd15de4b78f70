"""Text of models and people as HTML for the page: `render` makes it, `code_theme` colours the code in it.

The renderers are imported when first used (the server warms them up once its port is open): call off the loop.
"""


def to_html(markdown: str) -> str:
    """See render.to_html."""
    from smoldesk.markdown import render

    return render.to_html(markdown)


def highlight(code: str, language: str = "python") -> str:
    """See render.highlight."""
    from smoldesk.markdown import render

    return render.highlight(code, language)


def stylesheet() -> str:
    """See code_theme.stylesheet."""
    from smoldesk.markdown import code_theme

    return code_theme.stylesheet()


def warm() -> None:
    """Do early what the first rendering needs: its imports."""
    to_html("`x`")
    highlight("x")


__all__ = ["highlight", "stylesheet", "to_html", "warm"]
