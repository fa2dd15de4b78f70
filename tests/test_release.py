"""The version, the changelog, the release steps and the files in .github/ agree with each other."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts import release
from smoldesk import __version__
from smoldesk.cli.main import main
from tests.support.warm import ROOT

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")
PINNED = re.compile(r"uses: [\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")
WRITES = {
    ("publish", "attest"): {"attestations": "write", "id-token": "write"},
    ("publish", "publish"): {"id-token": "write"},
    ("publish", "release"): {"contents": "write"},
}
"""Permissions of the jobs that write; all other jobs may only read the repository."""


def read(workflow: Path) -> dict[str, Any]:
    """Return a parsed workflow."""
    content = yaml.safe_load(workflow.read_text("utf-8"))
    content["on"] = content.pop(True)  # YAML 1.1 reads the key `on` as a boolean
    return content


def steps() -> list[dict[str, Any]]:
    return [
        step for file in WORKFLOWS for job in read(file)["jobs"].values() for step in job.get("steps", [])
    ]


def tree_with(tmp_path: Path, **replaced: str) -> Path:
    """Copy the files that name a version to a folder, some of them with another text."""
    for name in ("backend/smoldesk/__init__.py", "CHANGELOG.md", *release.IMAGE_FILES):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, path)
    for name, text in replaced.items():
        (tmp_path / {"changelog": "CHANGELOG.md", "compose": "compose.yaml"}[name]).write_text(text, "utf-8")
    return tmp_path


# --- version and changelog ------------------------------------------------------------------------------------


def test_the_newest_dated_section_is_the_version() -> None:
    sections = release.changelog_sections(CHANGELOG)
    assert [name for name, _, _ in sections[:2]] == ["Unreleased", __version__]
    assert all(re.fullmatch(r"\d{4}-\d{2}-\d{2}", day or "") for _, day, _ in sections[1:])


def test_the_notes_of_the_version_are_short_and_grouped() -> None:
    notes = release.release_notes(__version__)
    assert len(notes.splitlines()) < 120
    groups = re.findall(r"^### (.+)$", notes, re.MULTILINE)
    assert groups == [name for name in ("Added", "Changed", "Fixed", "Security") if name in groups] != []


def test_the_command_prints_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"smoldesk {release.version_of()}\n")


def test_the_tag_of_the_version_is_accepted_when_its_changes_are_in_its_section(tmp_path: Path) -> None:
    empty = re.sub(r"(## \[Unreleased\]\n).*?(?=\n## )", r"\1", CHANGELOG, flags=re.DOTALL)
    release.check_tag(f"v{__version__}", tree_with(tmp_path, changelog=empty))


@pytest.mark.parametrize(
    ("tag", "replaced", "message"),
    [
        ("v9.9.9", {}, f"the version is {__version__}"),
        (__version__, {}, f"expected the tag v{__version__}"),
        (f"v{__version__}", {"changelog": "## [Unreleased]\n"}, "no section"),
        (f"v{__version__}", {"changelog": f"## [{__version__}] - soon\n\n- x\n"}, "no date"),
        (f"v{__version__}", {"changelog": f"## [{__version__}] - 2026-11-28\n"}, "is empty"),
        (
            f"v{__version__}",
            {"changelog": f"## [Unreleased]\n\n- y\n\n## [{__version__}] - 2026-11-28\n\n- x\n"},
            r"\[Unreleased\] is not empty",
        ),
        (
            f"v{__version__}",
            {"changelog": f"## [{__version__}] - 2026-11-28\n\n- x\n", "compose": "image: smoldesk:0.0.1\n"},
            "compose.yaml",
        ),
    ],
)
def test_another_tag_or_an_unfinished_changelog_is_refused(
    tag: str, replaced: dict[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(release.ReleaseError, match=message):
        release.check_tag(tag, tree_with(tmp_path, **replaced))


def test_a_failed_step_prints_the_reason_and_ends_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(["tag", "v9.9.9"]) == 1
    assert capsys.readouterr().err.startswith("release: The tag is v9.9.9")


# --- the SBOM -------------------------------------------------------------------------------------------------


def sbom_of(version: str, packages: dict[str, str]) -> dict[str, Any]:
    components = [{"name": name, "version": version} for name, version in packages.items()]
    return {"metadata": {"component": {"name": "smoldesk", "version": version}}, "components": components}


def test_an_sbom_of_the_pinned_packages_has_no_problems() -> None:
    pins, direct = release.pinned_versions(), release.direct_dependencies()
    assert {"fastapi", "smolagents", "a2a-sdk"} <= direct <= pins.keys()
    packages = {name: pins[name] for name in direct}
    assert release.sbom_problems(sbom_of(__version__, packages), __version__, pins, direct) == []


def test_an_sbom_of_other_packages_is_refused() -> None:
    sbom = sbom_of("0.0.1", {"FastAPI": "1", "stranger": "2"})
    assert release.sbom_problems(sbom, "0.3.0", {"fastapi": "3"}, {"fastapi", "numpy"}) == [
        "its subject is smoldesk 0.0.1, expected smoldesk 0.3.0",
        "numpy is missing",
        "fastapi is 1, constraints.txt has 3",
        "stranger is 2, constraints.txt has no pin",
    ]


# --- workflows ------------------------------------------------------------------------------------------------


def test_every_action_is_pinned_by_commit_with_its_version_beside_it() -> None:
    lines = [line.strip() for file in WORKFLOWS for line in file.read_text("utf-8").splitlines()]
    uses = [line.removeprefix("- ") for line in lines if re.match(r"(- )?uses: [^$]", line)]
    assert uses
    assert [line for line in uses if not PINNED.match(line)] == []


def test_one_action_has_one_version() -> None:
    commits: dict[str, set[str]] = {}
    for step in steps():
        if "uses" in step:
            action, _, commit = step["uses"].partition("@")
            commits.setdefault(action, set()).add(commit)
    assert {action for action, commit in commits.items() if len(commit) > 1} == set()


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: file.stem)
def test_a_job_has_the_permissions_it_needs_and_no_others(workflow: Path) -> None:
    content = read(workflow)
    assert content["permissions"] == {}
    for name, job in content["jobs"].items():
        assert job["permissions"] == WRITES.get((workflow.stem, name), {"contents": "read"}), name
        assert "timeout-minutes" in job or "uses" in job, name


def test_no_checkout_leaves_its_credentials_behind_and_no_step_has_a_secret() -> None:
    checkouts = [step for step in steps() if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)
    assert not [file.name for file in WORKFLOWS if "secrets." in file.read_text("utf-8")]


def test_the_publish_workflow_checks_the_tag_first_and_publishes_what_was_tested_and_attested() -> None:
    content = read(GITHUB / "workflows" / "publish.yml")
    assert content["on"] == {"push": {"tags": ["v[0-9]*"]}}
    commands = [step["run"] for step in content["jobs"]["build"]["steps"] if "run" in step]
    called = [match[1] for run in commands if (match := re.match(r"python scripts/release\.py (\w+)", run))]
    assert called == ["tag", *release.STEPS]
    assert set(content["jobs"]["publish"]["needs"]) == {"test", "build", "attest"}


def test_ci_runs_on_every_version_of_python_that_is_classified() -> None:
    matrix = read(GITHUB / "workflows" / "ci.yml")["jobs"]["test"]["strategy"]
    classified = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert matrix == {"fail-fast": False, "matrix": {"python": classified}}
    assert PROJECT["requires-python"] == f">={classified[0]}"


def test_a_linter_finds_nothing_in_the_workflows() -> None:
    zizmor = Path(sys.executable).with_name("zizmor")
    if not zizmor.exists():
        pytest.skip("zizmor is not installed: the extra dev brings it")
    command = [zizmor, "--offline", "--no-progress", "--persona", "pedantic", GITHUB]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# --- forms and updates ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["bug", "feature"])
def test_an_issue_form_asks_for_what_is_needed(form: str) -> None:
    content = yaml.safe_load((GITHUB / "ISSUE_TEMPLATE" / f"{form}.yml").read_text("utf-8"))
    assert {"name", "description", "body"} <= content.keys()
    fields = [field for field in content["body"] if field["type"] != "markdown"]
    ids = [field["id"] for field in fields]
    assert len(ids) == len(set(ids))
    assert all(field["attributes"]["label"] for field in fields)
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_updates_cover_every_folder_with_packages() -> None:
    updates = yaml.safe_load((GITHUB / "dependabot.yml").read_text("utf-8"))["updates"]
    folders = {kind["package-ecosystem"]: kind.get("directories") or [kind["directory"]] for kind in updates}
    assert folders.keys() == {"pip", "github-actions", "npm", "docker", "docker-compose"}
    listing = subprocess.run(
        ["git", "ls-files", "*package.json"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listing.returncode:
        pytest.skip("needs a checkout of git to list the project's files")
    assert sorted(folders["npm"]) == sorted(f"/{Path(name).parent}" for name in listing.stdout.split())
