"""Steps of a release, which .github/workflows/publish.yml runs and `make release` runs on a developer's machine.

    python scripts/release.py tag v0.3.0   compare a tag with the version and the changelog
    python scripts/release.py build        write the sdist, and the wheel built from it, to dist/
    python scripts/release.py check        check both, install the wheel in a clean environment and start it there
    python scripts/release.py sbom         write that environment's packages to sbom/ as CycloneDX
    python scripts/release.py notes        print the changelog's section of this version

Needs the extra `release`. `sbom` uses the environment that `check` leaves in build/release.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
from collections.abc import Callable, Collection, Mapping
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
SBOM = ROOT / "sbom"
CLEAN = ROOT / "build" / "release"
# Files that name the image with the version.
IMAGE_FILES = ("compose.yaml", "deploy/compose.yaml", "deploy/kubernetes.yaml", "deploy/nodes.yaml")
VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
SECTION = re.compile(r"^## \[([^]]+)\](?: - (\S+))?$", re.MULTILINE)


class ReleaseError(Exception):
    """Reason why this tree cannot be released."""


def version_of(root: Path = ROOT) -> str:
    """Return the version in backend/smoldesk/__init__.py, without importing the package."""
    match = VERSION.search((root / "backend" / "smoldesk" / "__init__.py").read_text("utf-8"))
    if match is None:
        raise ReleaseError('backend/smoldesk/__init__.py has no line `__version__ = "..."`.')
    return match[1]


def changelog_sections(text: str) -> list[tuple[str, str | None, str]]:
    """Return name, date and text of each section of a changelog, newest first; the date is None for [Unreleased]."""
    matches = list(SECTION.finditer(text))
    ends = [match.start() for match in matches[1:]] + [len(text)]
    return [
        (match[1], match[2], text[match.end() : end].strip())
        for match, end in zip(matches, ends, strict=True)
    ]


def release_notes(version: str, root: Path = ROOT) -> str:
    """Return the changelog's text of `version`. Raises ReleaseError without such a section, or if it has no date."""
    for name, day, text in changelog_sections((root / "CHANGELOG.md").read_text("utf-8")):
        if name == version:
            try:
                date.fromisoformat(day or "")
            except ValueError:
                raise ReleaseError(f"CHANGELOG.md: [{version}] has no date like 2026-11-28.") from None
            if not text:
                raise ReleaseError(f"CHANGELOG.md: [{version}] is empty.")
            return text
    raise ReleaseError(f"CHANGELOG.md has no section [{version}].")


def check_tag(tag: str, root: Path = ROOT) -> None:
    """Raises ReleaseError unless `tag` is `v` and the version, all changes are in its section, and the files with the
    image name it.
    """
    version = version_of(root)
    if tag != f"v{version}":
        raise ReleaseError(f"The tag is {tag}, but the version is {version}: expected the tag v{version}.")
    release_notes(version, root)
    sections = changelog_sections((root / "CHANGELOG.md").read_text("utf-8"))
    if any(name == "Unreleased" and text for name, _, text in sections):
        raise ReleaseError(f"CHANGELOG.md: [Unreleased] is not empty. Move its lines to [{version}].")
    for name in IMAGE_FILES:
        if f"image: smoldesk:{version}\n" not in (root / name).read_text("utf-8"):
            raise ReleaseError(f"{name}: expected `image: smoldesk:{version}`.")


def build() -> None:
    """Build the sdist, then the wheel from the unpacked sdist, so that a file missing there is noticed."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", DIST)
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(sdist_path()) as archive:
            archive.extractall(folder, filter="data")
        (source,) = Path(folder).iterdir()
        bundled = os.environ | {
            "SMOLDESK_BUNDLE": "require"
        }  # a release without the page's bundle loads slowly
        run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", DIST, cwd=source, env=bundled)


def check() -> None:
    """Check the metadata of both files, then install the wheel alone and run `smoldesk --version` and `smoldesk doctor`."""
    run(sys.executable, "-m", "twine", "check", "--strict", sdist_path(), wheel_path())
    shutil.rmtree(CLEAN, ignore_errors=True)
    venv.create(CLEAN, symlinks=True)  # without pip: the SBOM lists what the wheel needs, nothing else
    pip = [sys.executable, "-m", "pip", "--python", clean_python()]
    run(*pip, "install", "-q", "-c", ROOT / "constraints.txt", wheel_path())
    with tempfile.TemporaryDirectory() as folder:
        # elsewhere, and without this tree's .env and variables: what a user's first start finds
        env = {
            name: value for name, value in os.environ.items() if not name.startswith(("SMOLDESK_", "PYTHON"))
        }
        command = clean_python().with_name("smoldesk")
        printed = run(command, "--version", cwd=Path(folder), env=env, capture=True)
        if printed.strip() != f"smoldesk {version_of()}":
            raise ReleaseError(f"The wheel's command prints {printed.strip()!r}, expected {version_of()}.")
        run(command, "doctor", cwd=Path(folder), env=env)


def write_sbom() -> None:
    """Write the packages of the clean environment as CycloneDX JSON. Raises ReleaseError if they are not the pinned ones."""
    SBOM.mkdir(exist_ok=True)
    path = SBOM / f"smoldesk-{version_of()}.cdx.json"
    options = ["--pyproject", ROOT / "pyproject.toml", "--output-reproducible", "--sv", "1.6", "-o", path]
    run(sys.executable, "-m", "cyclonedx_py", "environment", *options, clean_python())
    sbom = json.loads(path.read_text("utf-8"))
    # the tool does not know the version, because pyproject.toml takes it from the package
    main = {"version": version_of(), "purl": f"pkg:pypi/smoldesk@{version_of()}"}
    sbom["metadata"]["component"] |= main
    path.write_text(json.dumps(sbom, indent=2, sort_keys=True) + "\n", "utf-8")
    if problems := sbom_problems(sbom, version_of(), pinned_versions(), direct_dependencies()):
        raise ReleaseError(f"{path.name}: {'; '.join(problems)}.")
    sys.stdout.write(f"{path.relative_to(ROOT)}: {len(sbom['components'])} components\n")


def pinned_versions(root: Path = ROOT) -> dict[str, str]:
    """Return the version of each package in constraints.txt, by canonical name."""
    lines = (root / "constraints.txt").read_text("utf-8").splitlines()
    pairs = (line.split("==", 1) for line in lines if "==" in line and not line.startswith("#"))
    return {canonical(name): version.strip() for name, version in pairs}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def direct_dependencies(root: Path = ROOT) -> set[str]:
    """Return the canonical names of the packages that smoldesk itself requires, without those of extras."""
    lines = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    return {canonical(re.split(r"[^A-Za-z0-9._-]", line)[0]) for line in lines}


def sbom_problems(sbom: Any, version: str, pins: Mapping[str, str], direct: Collection[str]) -> list[str]:
    """Compare an SBOM with the version, the pins and the direct dependencies; the list is empty if all agree."""
    main = sbom["metadata"]["component"]
    packages = {canonical(component["name"]): component["version"] for component in sbom["components"]}
    problems: list[str] = []
    if (main["name"], main.get("version")) != ("smoldesk", version):
        problems.append(f"its subject is {main['name']} {main.get('version')}, expected smoldesk {version}")
    problems += [f"{name} is missing" for name in sorted(set(direct) - packages.keys())]
    problems += [
        f"{name} is {actual}, constraints.txt has {pins.get(name, 'no pin')}"
        for name, actual in sorted(packages.items())
        if pins.get(name) != actual
    ]
    return problems


def sdist_path() -> Path:
    return DIST / f"smoldesk-{version_of()}.tar.gz"


def wheel_path() -> Path:
    return DIST / f"smoldesk-{version_of()}-py3-none-any.whl"


def clean_python() -> Path:
    return CLEAN / "bin" / "python"


def run(
    *command: str | Path, cwd: Path = ROOT, env: Mapping[str, str] = os.environ, capture: bool = False
) -> str:
    """Run a command and return its output if it is captured. Raises ReleaseError with the command when it fails."""
    done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE if capture else None, text=True)
    if done.returncode:
        raise ReleaseError(f"`{' '.join(map(str, command))}` ended with exit code {done.returncode}.")
    return done.stdout or ""


STEPS: dict[str, Callable[[], None]] = {
    "build": build,
    "check": check,
    "sbom": write_sbom,
    "notes": lambda: print(release_notes(version_of())),
}


def main(arguments: list[str] | None = None) -> int:
    """Run one step; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("step", choices=["tag", *STEPS])
    parser.add_argument("tag", nargs="?", help="with `tag`: the tag to compare, such as v0.3.0")
    options = parser.parse_args(arguments)
    if (options.step == "tag") != (options.tag is not None):
        parser.error("a tag is expected after `tag`, and only there")
    try:
        if options.step == "tag":
            check_tag(options.tag)
        else:
            STEPS[options.step]()
    except ReleaseError as error:
        sys.stderr.write(f"release: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
