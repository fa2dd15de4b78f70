"""Matplotlib figures and PIL images as PNG files; each figure is reported once, however it was shown.

Nothing here imports matplotlib: `adopt` notices when the cell has, then sets our style and lets `plt.show()`
mean "show it at the desk".
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import labels, style
from .other_tables import is_a
from .places import OutputNames

SHOWABLE = {".png", ".jpg", ".jpeg", ".gif", ".svg", ".bmp"}
MAX_FIGURES = 100

# Reports a relative path as a figure.
Show = Callable[[str], None]


class Figures:
    """The figures of one child; `begin` and `finish` bracket a cell."""

    def __init__(self) -> None:
        self._adopted = False
        self._japanese: list[str] = []
        self._numbered = OutputNames(Path(), "0")
        self._show: Show = _nowhere
        self._note: Show = _nowhere
        self._figure_count = 0
        self._by_hand: dict[int, tuple[Any, Path]] = {}
        self.saved: set[str] = set()
        """Relative paths the cell gave to savefig itself, and that a page can show."""

    def begin(self, numbered: OutputNames, show: Show, note: Show) -> None:
        self._numbered, self._show, self._note = numbered, show, note
        self._figure_count = 0
        self._by_hand, self.saved = {}, set()
        self.adopt()

    def adopt(self) -> None:
        """Once pyplot is there: our style, and `show` that shows."""
        pyplot: Any = sys.modules.get("matplotlib.pyplot")
        if self._adopted or pyplot is None or not hasattr(pyplot, "show"):
            return
        self._adopted = True
        from matplotlib.figure import Figure

        self._japanese = style.apply()
        save: Any = getattr(Figure, "savefig")  # noqa: B009 - matplotlib types it in part only

        def savefig(figure: Any, fname: Any, *args: Any, **kwargs: Any) -> None:
            self._spell_japanese(figure)
            labels.straighten(figure)
            save(figure, fname, *args, **kwargs)
            self._saved_by_hand(figure, fname)

        def show_all(*_args: Any, **_kwargs: Any) -> None:
            self.show_open()

        def show_one(figure: Any, *_args: Any, **_kwargs: Any) -> None:
            self.show(figure)

        savefig.__doc__ = save.__doc__
        patched: Any = Figure
        patched.savefig, patched.show = savefig, show_one
        pyplot.show = show_all

    def is_figure(self, value: Any) -> bool:
        module: Any = sys.modules.get("matplotlib.figure")
        return module is not None and isinstance(value, module.Figure)

    def is_picture(self, value: Any) -> bool:
        module: Any = sys.modules.get("PIL.Image")
        return module is not None and isinstance(value, module.Image)

    def figure_of(self, value: Any) -> Any:
        """Return the figure of axes, of an artist or of a grid of seaborn; None for a value that is in none."""
        if is_a(value, "matplotlib.container", "Container") and len(value):
            value = value[0]
        if is_a(value, "matplotlib.artist", "Artist"):
            return value.get_figure(root=True)
        grids = ("Grid", "JointGrid", "PairGrid")
        return value.figure if any(is_a(value, "seaborn.axisgrid", kind) for kind in grids) else None

    def show(self, figure: Any, is_answer: bool = False) -> None:
        """Save and report one figure, then close it, so that the end of the cell does not show it again.

        For an answer, the file that the cell saved it to is enough.
        """
        _, saved = self._by_hand.get(id(figure), (None, None))
        if is_answer and saved is not None and saved.is_file():
            self._show(self._numbered.relative(saved))
            self._close(figure)
            return
        path = self._numbered.next("figures", "png")

        def save() -> None:
            labels.straighten(figure)
            labels.move_legends(figure)
            figure.savefig(path, dpi=style.DPI, bbox_inches="tight")

        self._report(path, save)
        self._close(figure)

    def finish(self) -> None:
        """End the cell: show open figures and keep none alive."""
        self.show_open()
        self._by_hand = {}

    def show_picture(self, picture: Any) -> None:
        path = self._numbered.next("figures", "png")
        self._report(path, lambda: picture.save(path, format="PNG"))

    def show_open(self) -> None:
        """Report every open figure that the cell has not saved into its folder itself; close all."""
        pyplot: Any = sys.modules.get("matplotlib.pyplot")
        if pyplot is None or not hasattr(pyplot, "get_fignums"):
            return
        for number in pyplot.get_fignums():
            figure = pyplot.figure(number)
            open_figure = self._by_hand.get(id(figure))
            if open_figure is not None and open_figure[1].is_file():
                self._close(figure)
            else:
                self.show(figure)

    def _report(self, path: Path, save: Callable[[], None]) -> None:
        if self._figure_count >= MAX_FIGURES:
            return
        self._figure_count += 1
        try:
            save()
        except Exception as fault:  # drawing runs the cell's own data and labels: anything may be raised
            self._note(f"[a figure could not be drawn: {type(fault).__name__}: {str(fault)[:500]}]\n")
            path.unlink(missing_ok=True)
        else:
            self._show(self._numbered.relative(path))

    def _close(self, figure: Any) -> None:
        pyplot: Any = sys.modules.get("matplotlib.pyplot")
        if pyplot is not None:
            pyplot.close(figure)

    def _saved_by_hand(self, figure: Any, target: Any) -> None:
        """Remember a savefig of the cell's own, when it went into the chat's folder as something a page can
        show.
        """
        if not isinstance(target, str | Path):
            return
        path = Path(target)
        path = path if path.suffix else path.with_suffix(".png")  # matplotlib's default
        folder = self._numbered.folder
        full = path.absolute()
        if full.suffix.lower() not in SHOWABLE or not full.is_relative_to(folder):
            return
        relative = full.relative_to(folder)
        if not any(part.startswith(".") for part in relative.parts):
            self.saved.add(relative.as_posix())
            self._by_hand[id(figure)] = (figure, full)

    def _spell_japanese(self, figure: Any) -> None:
        """Give text beyond Latin a font that has it, also after seaborn or a style replaced the fonts."""
        if not self._japanese:
            return
        from matplotlib.text import Text

        for text in figure.findobj(Text):
            families = text.get_fontfamily()
            if not text.get_text().isascii() and self._japanese[0] not in families:
                text.set_fontfamily([*families, *self._japanese])


def _nowhere(_text: str) -> None:
    """No cell runs: nothing is shown."""
