"""Draw every picture the desk ships: floor plans, arrows and icons.

Run `python scripts/draw_assets.py [FOLDER]`, where the folder stands for `backend/`. Needs Pillow; the same
Pillow gives the same pixels. The drawings themselves are in `drawing/`.
"""

import sys
from pathlib import Path

from drawing.floors import FLOORS
from drawing.icons import ARROWS, ICONS, flat

BACKEND = Path(__file__).parents[1] / "backend"


def draw(backend: Path) -> list[Path]:
    """Write all pictures below the folder; their paths."""
    floors, bitmaps = backend / "data" / "floors", backend / "bitmaps"
    floors.mkdir(parents=True, exist_ok=True)
    bitmaps.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for name, plan in FLOORS.items():
        written.append(floors / name)
        plan().image().save(floors / name, optimize=True)
    for name, icon in {**ARROWS, **ICONS}.items():
        written.append(bitmaps / f"{name}.png")
        icon().save(bitmaps / f"{name}.png", optimize=True)
    for name, arrow in ARROWS.items():
        written.append(bitmaps / f"{name}.bmp")
        flat(arrow()).save(bitmaps / f"{name}.bmp")
    return written


if __name__ == "__main__":
    for path in draw(Path(sys.argv[1]) if len(sys.argv) > 1 else BACKEND):
        sys.stdout.write(f"{path} {path.stat().st_size:,} bytes\n")
