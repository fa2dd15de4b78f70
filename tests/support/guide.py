"""A guide of spec/guides/ as its test follows it: the code it gives for each file, taken from the page to the letter."""

import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.warm import ROOT

_FILE = re.compile(r"`((?:backend|frontend|tests)/[^`\s]+)`")
_PATCH = re.compile(r"^```diff\n(.*?)^```", re.M | re.S)
_CODE = re.compile(
    r"`((?:backend|frontend)/[^`\s]+)`[^`]*?\n\n```(?:python|js|toml|text)\n(.*?)^```", re.M | re.S
)


class Guide:
    """One page. `files` are those it touches, by path from the root: the code of new ones, what is put into others."""

    def __init__(self, name: str) -> None:
        text = (ROOT / "spec" / "guides" / f"{name}.md").read_text(encoding="utf-8")
        self.files: dict[str, str] = dict(_CODE.findall(text))
        self.patches = [
            (_FILE.findall(text[: results.start()])[-1], results[1]) for results in _PATCH.finditer(text)
        ]
        """What the page changes: a file, named last before it, and lines as in a diff."""

    def apply(self, root: Path, *files: str) -> None:
        """Do what the page says in a copy of the repository, or in these files of it: new files, ends of files, changes."""
        for path, code in self.files.items():
            if not files or path in files:
                file = root / path
                file.parent.mkdir(parents=True, exist_ok=True)
                before = file.read_text(encoding="utf-8") + "\n\n" if file.exists() else ""
                file.write_text(before + code, encoding="utf-8")
        for path, patch in self.patches:
            if not files or path in files:
                _change(root / path, patch.splitlines())

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


def _change(file: Path, lines: list[str]) -> None:
    """Lines of a diff without places: what stands there must be there once."""
    text = file.read_text(encoding="utf-8")
    old = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "+")
    new = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "-")
    assert text.count(old) == 1, f"{file.name} has {text.count(old)} of {old!r}"
    file.write_text(text.replace(old, new), encoding="utf-8")
