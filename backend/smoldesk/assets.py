"""Files the server serves or reads beside its code: the page, bitmaps, floors, bundled tables.

In a checkout they lie in `frontend/` and `backend/`, in an installed wheel inside the package (see pyproject.toml).
"""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
# Place of the assets in a wheel: `frontend`, `bitmaps` and `data` side by side.
INSTALLED = PACKAGE / "_assets"

# Holds `bitmaps/` and `data/`.
SERVED = INSTALLED if INSTALLED.is_dir() else PACKAGE.parent

FRONTEND = INSTALLED / "frontend" if INSTALLED.is_dir() else PACKAGE.parent.parent / "frontend"
# The page in few small files, if the wheel was built with esbuild (scripts/bundle_page.py).
BUNDLED = INSTALLED / "page"

# The folder that browsers load.
PAGE = BUNDLED if BUNDLED.is_dir() else FRONTEND
# In a checkout, the bundle that `make run` makes of it; it is served as long as it was made of these very files.
CHECKOUT_BUNDLE = PACKAGE.parent.parent / ".cache" / "page" / "run"

DATA = SERVED / "data"
BITMAPS = SERVED / "bitmaps"
