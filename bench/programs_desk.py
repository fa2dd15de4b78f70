"""`python -m bench.programs_desk FOLDER PROGRAMS`: a served desk whose agent is a program that writes pieces."""

import json
import sys
from pathlib import Path

from bench.until_told import serve_until_told
from bench.writing_program import PROMPT
from smoldesk.cli.server import build_server
from smoldesk.desk import build_desk
from smoldesk.settings import Settings

ROOT = Path(__file__).parents[1]


def main(folder: Path, programs: int) -> None:
    folder.mkdir(parents=True)
    profile = {  # JSON is YAML
        "command": "{python}",
        "args": ["-m", "bench.writing_program"],
        "env": {"PYTHONPATH": str(ROOT)},
        "submit": "\n",
        "echo": False,
        "startup": {"ready": f"{PROMPT}$"},
        "idle": {"strategy": "pattern", "pattern": f"{PROMPT}$"},
    }
    (folder / "writer.yaml").write_text(json.dumps(profile))
    (folder / "agents.toml").write_text('[agents.writer]\nkind = "terminal"\nprofile = "writer.yaml"\n')
    settings = Settings(
        _env_file=None,  # pyright: ignore[reportCallIssue]
        data_dir=folder,
        port=0,
        log_level="ERROR",
        sandbox_preload=[],
        allow_unisolated=True,
        agent="writer",
        max_terminals=programs,
    )
    serve_until_told(build_server(build_desk(settings)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
