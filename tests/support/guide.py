"""A guide of spec/guides/ as its test follows it: the code it gives for each file, taken from the page to the letter."""

import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.warm import ROOT

_CODE = re.compile(
    r"`((?:backend|frontend)/[^`\s]+)`[^`]*?\n\n```(?:python|js|toml|text)\n(.*?)^```", re.M | re.S
)


class Guide:
    """One page. `files` are those it touches, by path from the root: the code of new ones, what is put into others."""

    def __init__(self, name: str) -> None:
        text = (ROOT / "spec" / "guides" / f"{name}.md").read_text(encoding="utf-8")
        self.files: dict[str, str] = dict(_CODE.findall(text))

    def new_module(self, path: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
        """The page's new file as a module of its package, which finds it in `folder` instead of among ours."""
        parts = path.removeprefix("backend/").removesuffix(".py").split("/")
        package = importlib.import_module(".".join(parts[:-1]))
        (folder / f"{parts[-1]}.py").write_text(self.files[path])
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        monkeypatch.syspath_prepend(folder)  # forgets what was looked for before
        return importlib.import_module(".".join(parts))

    def new_package(self, root: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
        """All of the page's new files below `root`, as a package of ours; its name."""
        parent, _, name = root.removeprefix("backend/").strip("/").replace("/", ".").rpartition(".")
        package = importlib.import_module(parent)
        (folder / name).mkdir()
        for path, code in self.files.items():
            if path.startswith(root):
                (folder / name / Path(path).name).write_text(code)
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        importlib.invalidate_caches()
        return f"{parent}.{name}"
