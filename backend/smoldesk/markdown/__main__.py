"""Writes the stylesheet of code: `python -m smoldesk.markdown frontend/css/highlight.css`."""

import sys
from pathlib import Path

from smoldesk.markdown.code_theme import stylesheet

Path(sys.argv[1]).write_text(stylesheet(), encoding="utf-8")
