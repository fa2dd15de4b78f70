"""Writes the stylesheet of code: `python -m smoldesk.wires.markdown frontend/css/highlight.css`."""

import sys
from pathlib import Path

from smoldesk.wires.markdown.code_theme import stylesheet

Path(sys.argv[1]).write_text(stylesheet(), encoding="utf-8")
