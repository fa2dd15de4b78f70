"""The page's JavaScript modules as one script, for an engine that loads no files. Pure but for reading them.

It reads the forms that prettier writes and the page uses: named imports, `* as` imports, exported declarations, lists of
exports. Each module becomes a function that returns its exports, after those that it imports; the page has no circular
imports (tests/test_architecture.py).
"""

import re
from pathlib import Path

_IMPORT = re.compile(r'^import (\{[^}]*\}|\* as \w+) from "(\.[^"]+)";$', re.MULTILINE)
_EXPORTED = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_PASSED_ON = re.compile(r'^export (\{[^}]*\}) from "(\.[^"]+)";$', re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


def linked(entry: Path) -> str:
    """Return a script whose value is the object of the entry's exports. Raises ValueError for any other form."""
    parts: dict[Path, str] = {}
    _add(entry.resolve(), parts)
    names = {path: f"module{number}" for number, path in enumerate(parts)}
    script = "\n".join(f"const {names[path]} = {text};" for path, text in parts.items())
    for path, name in names.items():
        script = script.replace(f"<{path}>", name)
    return f"(() => {{\n{script}\nreturn {names[entry.resolve()]};\n}})()"


def _add(path: Path, parts: dict[Path, str]) -> None:
    """Add a module after those that it imports, each once; `<path>` stands for the name of another one."""
    text = path.read_text("utf-8")
    for _, target in [*_IMPORT.findall(text), *_PASSED_ON.findall(text)]:
        if (path.parent / target).resolve() not in parts:
            _add((path.parent / target).resolve(), parts)

    def bound(match: re.Match[str]) -> str:
        names = match[1].removeprefix("* as ").replace(" as ", ": ")
        return f"const {names} = <{(path.parent / match[2]).resolve()}>;"

    exported = _EXPORTED.findall(text)
    passed_on = [
        f"{name.strip()}: <{(path.parent / target).resolve()}>.{name.strip()}"
        for names, target in _PASSED_ON.findall(text)
        for name in names.strip("{} \n").split(",")
        if name.strip()
    ]
    body = _PASSED_ON.sub("", _EXPORTED.sub("", _IMPORT.sub(bound, text)))
    if other := _OTHER.search(body):
        raise ValueError(f"{path.name} has a form of import or export that is not known here: {other[0]}")
    parts[path] = f"(() => {{\n{body}\nreturn {{ {', '.join([*exported, *passed_on])} }};\n}})()"
