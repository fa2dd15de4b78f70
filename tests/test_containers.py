"""Dockerfile and compose.yaml as their linters see them, and held to the desk: no engine is here to run them."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from smoldesk import __version__
from smoldesk.settings import Settings
from tests.support.warm import ROOT

BIN = Path(sys.executable).parent


@pytest.mark.parametrize(("tool", "file"), [("hadolint", "Dockerfile"), ("compose-lint", "compose.yaml")])
def test_a_linter_finds_nothing(tool: str, file: str) -> None:
    if not (BIN / tool).exists():
        pytest.skip(f"{tool} is not there for this platform: make test brings it where there is one")
    options = ["--failure-threshold", "warning"] if tool == "hadolint" else []
    done = subprocess.run([BIN / tool, *options, file], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_copied_into_the_image_is_all_that_a_wheel_is_built_of() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    copied = {
        word
        for line in dockerfile.splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for word in line.split()[1:-1]
    }
    ignored = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    built = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    hook = built["hooks"]["custom"]["path"]
    folders = {path.split("/")[0] for path in [*built["sources"], *built["only-include"], hook]}
    assert copied == ignored
    assert folders | {"pyproject.toml", "constraints.txt", "README.md"} == copied


def test_the_services_set_what_the_desk_reads() -> None:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    desk, database = compose["services"]["desk"], compose["services"]["database"]
    fields = {f"SMOLDESK_{name.upper()}" for name in Settings.model_fields}
    assert desk["environment"].keys() <= fields
    assert desk["image"] == f"smoldesk:{__version__}"
    user = database["environment"]["POSTGRES_USER"]
    assert f"postgresql://{user}:" in desk["environment"]["SMOLDESK_DATABASE_URL"]
    assert desk["ports"] == ["127.0.0.1:8000:8000"]
