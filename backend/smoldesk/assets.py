"""Files the server serves or reads beside its code: the page, bitmaps, floors, bundled tables.

In a checkout they lie in `frontend/` and `backend/`, in an installed wheel inside the package (see pyproject.toml).
"""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
INSTALLED = PACKAGE / "_assets"
"""Where a wheel has them: `frontend`, `bitmaps` and `data` side by side."""

SERVED = INSTALLED if INSTALLED.is_dir() else PACKAGE.parent
"""Holds `bitmaps/` and `data/`."""

FRONTEND = INSTALLED / "frontend" if INSTALLED.is_dir() else PACKAGE.parent.parent / "frontend"
BUNDLED = INSTALLED / "page"
"""The page in few small files, where the wheel was made with esbuild (scripts/bundle_page.py)."""

PAGE = BUNDLED if BUNDLED.is_dir() else FRONTEND
"""What a browser loads."""

DATA = SERVED / "data"
BITMAPS = SERVED / "bitmaps"
