"""spec/guides/add_a_message_type.md, followed to the letter in a copy of the package."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "spec" / "guides" / "add_a_message_type.md"

TRY = """
import json
from smoldesk.messages import as_json
from smoldesk.output_parser import OutputParser
from pydantic import TypeAdapter
from smoldesk.messages import Message, StepOutput
given = [{"label": "Load", "percent": 40.5}, {"label": "Broken", "percent": "much"}, 7]
found = [as_json(m) for m in OutputParser(["Kitchen"]).parse({"gauges": given, "text": "In the Kitchen."})]
for union in (Message, StepOutput):
    TypeAdapter(union).validate_python(found[0])
print(json.dumps(found))
"""


def edited(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file.name} has {text.count(old)} of {old!r}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_the_steps_of_the_page_add_an_output_type(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    message, finder = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    after, place = re.findall(r"```diff\n (.*?\n)\+(.*?\n)```", page, re.DOTALL)[0]
    for package in ("messages", "output_parser"):
        shutil.copytree(ROOT / "backend" / "smoldesk" / package, tmp_path / "backend" / "smoldesk" / package)
    (tmp_path / "backend" / "smoldesk" / "__init__.py").touch()

    chat_pane = tmp_path / "backend" / "smoldesk" / "messages" / "chat_pane.py"
    chat_pane.write_text(chat_pane.read_text(encoding="utf-8") + "\n\n" + message, encoding="utf-8")
    package = tmp_path / "backend" / "smoldesk" / "messages" / "__init__.py"
    edited(
        package, "    FileContent,\n    Image,", "    FileContent,\n    Gauge,\n    GaugeContent,\n    Image,"
    )
    edited(package, '    "GeoPoint",\n', '    "Gauge",\n    "GaugeContent",\n    "GeoPoint",\n')
    text = package.read_text(encoding="utf-8")
    assert text.count("    | Json\n") == 2
    package.write_text(text.replace("    | Json\n", "    | Json\n    | Gauge\n"), encoding="utf-8")

    parser = tmp_path / "backend" / "smoldesk" / "output_parser" / "parser.py"
    edited(parser, "    FileContent,\n", "    FileContent,\n    Gauge,\n    GaugeContent,\n")
    edited(parser, "def _files(", f"{finder}\n\ndef _files(")
    edited(parser, after, after + place)

    done = subprocess.run(
        [sys.executable, "-c", TRY], cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "backend")}, capture_output=True, text=True,
        timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [
        {"type": "gauge", "content": {"label": "Load", "percent": 40.5}},
        {"type": "highlight_room", "content": {"rooms": ["Kitchen"]}},
        {"type": "text", "content": "In the Kitchen.", "tone": "answer"},
    ]


def test_every_file_the_page_names_is_there() -> None:
    text = PAGE.read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:backend|frontend|spec|tests)/[\w/.-]+\w)`", text))
    assert len(named) >= 8
    assert [name for name in named if not (ROOT / name).exists()] == []
    assert all((ROOT / "frontend" / "js" / name).exists() for name in ("chat/shown.js", "debug/words.js"))
