"""Measures how plain the language of the code is. Run: python scripts/language.py [--list] [PATH ...]

Counts, over Python and JavaScript files, what makes a name or a sentence hard to read: everyday words as names,
docstrings that start with a question word, indefinite pronouns, strings with "is no", lines that are too wide.
`tests/test_language.py` holds the limits.
"""

import argparse
import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = ("backend/smoldesk", "frontend/js")
SUPPORT = ("tests", "bench", "scripts")

# Words that say that somebody did something, not what a thing is.
EVERYDAY = frozenset(
    re.findall(
        r"\w+",
        "asked began begun beside due found given heard held kept known left listed look looked made one others own rest "
        "said say says seen shown taken tell tells there told wanted way ways whole words",
    )
)
OPENING = re.compile(r"(?:How|It|Of|One that|That|The same|Those|What|When|Where|Which|Who|Whose|Why)\b")
PRONOUN = re.compile(r"\b(?:every|some|no)body\b|\bwh(?:o|at|ich|om)ever\b", re.I)
IS_NO = re.compile(r"(?<![Tt]here )\b(?:is|are|was) (?:none|no)\b(?! (?:longer|more)\b)")
COMMENT = re.compile(r"(?:^|\s)#\s")
JS_NAME = re.compile(
    r"\b(?:const|let|class|function)\s+(\w+)|^\s+(?:(?:async|static|get|set)\s+)*(\w+)\([^()]*\)\s*\{", re.M
)
JS_WIDTH = 120
JS_STATEMENTS = frozenset(("catch", "for", "if", "switch", "while"))


@dataclass
class Measure:
    """Counts of one set of files; `places` are "file:line: what" for each fault."""

    counts: Counter[str] = field(default_factory=Counter[str])
    places: list[str] = field(default_factory=list[str])

    def share(self, part: str, of: str) -> float:
        """Return the count of `part` as a percentage of the count of `of`."""
        return 100 * self.counts[part] / max(1, self.counts[of])

    def figures(self) -> dict[str, float]:
        """Return the figures that have limits: percentages, a rate per 1,000 lines, and a count."""
        return {
            "names": self.share("everyday", "names"),
            "parts": self.share("compound", "names"),
            "openings": self.share("openings", "docstrings"),
            "pronouns": 10 * self.share("pronouns", "lines"),
            "is no": self.counts["is no"],
            "comments": self.share("comments", "python lines"),
            "wide lines": self.share("wide", "javascript lines"),
        }

    def add(self, kind: str, path: Path, line: int, text: str) -> None:
        """Count a fault and note its place."""
        self.counts[kind] += 1
        self.places.append(
            f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}:{line}: {kind}: {text}"
        )

    def add_name(self, path: Path, line: int, name: str) -> None:
        """Count a bound name, and whether it is or has an everyday word."""
        self.counts["names"] += 1
        if name.lstrip("_") in EVERYDAY:
            self.add("everyday", path, line, name)
        elif EVERYDAY & {part.lower() for part in re.findall(r"[A-Z]?[a-z]+", name)}:
            self.add("compound", path, line, name)

    def add_python(self, path: Path, text: str) -> None:
        """Count the names, docstrings, strings and comments of a Python file."""
        tree = ast.parse(text)
        for node in ast.walk(tree):
            for line, name in bound_names(node):
                self.add_name(path, line, name)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                docstring = ast.get_docstring(node)
                if docstring:
                    self.counts["docstrings"] += 1
                    if OPENING.match(docstring):
                        self.add("openings", path, getattr(node, "lineno", 1), docstring.partition("\n")[0])
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and IS_NO.search(node.value):
                self.add("is no", path, node.lineno, node.value[:100])
        lines = text.splitlines()
        self.counts["python lines"] += len(lines)
        self.counts["comments"] += sum(bool(COMMENT.search(line)) for line in lines)

    def add_javascript(self, path: Path, text: str) -> None:
        """Count the names and the wide lines of a JavaScript file."""
        for match in JS_NAME.finditer(text):
            name = match[1] or match[2]
            if name not in JS_STATEMENTS:
                self.add_name(path, text.count("\n", 0, match.start(match.lastindex or 0)) + 1, name)
        lines = text.splitlines()
        self.counts["javascript lines"] += len(lines)
        for number, line in enumerate(lines, 1):
            if len(line) > JS_WIDTH:
                self.add("wide", path, number, f"{len(line)} characters")


def bound_names(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of what a node binds: a variable, parameter, attribute, function or class."""
    match node:
        case (
            ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name)
        ):
            yield node.lineno, name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield node.lineno, name
        case _:
            pass


def source_files(roots: Iterable[str]) -> Iterator[Path]:
    """Yield the Python and JavaScript files below some folders of the repository, without database migrations."""
    for root in roots:
        place = ROOT / root
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            if (
                path.suffix in (".py", ".js")
                and "migrations" not in path.parts
                and "node_modules" not in path.parts
            ):
                yield path


def measure(files: Iterable[Path]) -> Measure:
    """Return what all files come to."""
    result = Measure()
    for path in files:
        text = path.read_text(encoding="utf-8")
        result.counts["lines"] += text.count("\n")
        for number, line in enumerate(text.splitlines(), 1):
            for match in PRONOUN.finditer(line):
                result.add("pronouns", path, number, match.group())
        add = result.add_python if path.suffix == ".py" else result.add_javascript
        add(path, text)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how plain the language of the code is.")
    parser.add_argument("paths", nargs="*", default=PRODUCT)
    parser.add_argument("--list", action="store_true", help="print the place of each fault")
    arguments = parser.parse_args()
    result = measure(source_files(arguments.paths))
    if arguments.list:
        print("\n".join(result.places))
    for name, figure in result.figures().items():
        print(f"{name:12}{figure:8.2f}")


if __name__ == "__main__":
    main()
