"""Processors and memory of the server: of a container's control group, where that has less than the machine."""

import os
import sys
from pathlib import Path

import pytest

from smoldesk.sandbox.machine import is_short_of_memory, memory, processors

MIB = 2**20
HERE = max(1, len(os.sched_getaffinity(0))) if sys.platform == "linux" else 1
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="control groups are Linux's")


def tree(folder: Path, membership: str, **files: str) -> tuple[Path, Path]:
    """Folders of groups with these files (`__` stands for a slash, `DOT` for a point), and the membership of a process."""
    groups, member = folder / "groups", folder / "cgroup"
    groups.mkdir()
    member.write_text(membership)
    for name, content in files.items():
        file = groups / name.replace("__", "/").replace("DOT", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    return groups, member


def test_a_container_of_version_2_has_its_limits(tmp_path: Path) -> None:
    limits = {
        "cpuDOTmax": "50000 100000\n",
        "memoryDOTmax": f"{700 * MIB}\n",
        "memoryDOTcurrent": f"{650 * MIB}\n",
        "memoryDOTstat": f"anon 1\ninactive_file {60 * MIB}\nactive_file {60 * MIB}\nslab_reclaimable {10 * MIB}\n",
    }
    place = tree(tmp_path, "0::/\n", **limits)
    assert processors(*place) == 1
    assert memory(*place) == (700 * MIB, 150 * MIB)


def test_a_container_of_version_1_has_its_limits_also_under_the_machine_s_path(tmp_path: Path) -> None:
    limits = {
        "cpu__cpuDOTcfs_quota_us": "100000",
        "cpu__cpuDOTcfs_period_us": "100000",
        "memory__memoryDOTlimit_in_bytes": f"{700 * MIB}",
        "memory__memoryDOTusage_in_bytes": f"{650 * MIB}",
        "memory__memoryDOTstat": f"inactive_file 5\ntotal_inactive_file {20 * MIB}\ntotal_active_file {10 * MIB}\n",
    }
    place = tree(
        tmp_path, "4:memory:/docker/57552f\n1:cpu,cpuacct:/docker/57552f\n0::/docker/57552f\n", **limits
    )
    assert processors(*place) == 1
    assert memory(*place) == (700 * MIB, 75 * MIB)


def test_a_group_is_limited_by_those_above_it(tmp_path: Path) -> None:
    limits = {
        "a__b__memoryDOTmax": "max",
        "a__b__memoryDOTcurrent": "7",
        "a__memoryDOTmax": f"{600 * MIB}",
        "a__memoryDOTcurrent": f"{590 * MIB}",
    }
    assert memory(*tree(tmp_path, "0::/a/b\n", **limits)) == (600 * MIB, 10 * MIB)


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"cpuDOTmax": "max 100000", "memoryDOTmax": "max", "memoryDOTcurrent": "7"},
        {"cpuDOTmax": "100000 0", "memoryDOTmax": "none", "memoryDOTcurrent": ""},
        {"cpuDOTmax": "", "memoryDOTmax": f"{2**62}", "memoryDOTcurrent": "0", "memoryDOTstat": "what"},
    ],
)
def test_without_limits_the_machine_counts(tmp_path: Path, files: dict[str, str]) -> None:
    place = tree(tmp_path, "9:name=systemd:/\n0::/\nnonsense\n", **files)
    assert processors(*place) == HERE
    limit, free = memory(*place)
    assert MIB < free < limit < 2**50


def test_a_group_that_is_full_has_no_memory_left(tmp_path: Path) -> None:
    files = {"memoryDOTmax": f"{MIB}", "memoryDOTcurrent": f"{2 * MIB}"}
    assert memory(*tree(tmp_path, "0::/\n", **files)) == (MIB, 0)


@pytest.mark.parametrize(
    ("limit", "used", "stat", "short"),
    [
        (512, 120, {"anon": 110}, False),  # a server without a chat
        (1024, 550, {"anon": 550}, False),
        (1024, 900, {"anon": 900}, True),
        (2048, 2040, {"anon": 700, "active_file": 1100, "inactive_file": 200, "slab_reclaimable": 40}, False),
        (2048, 2040, {"anon": 1900, "active_file": 140}, True),
        (65_536, 65_100, {"anon": 65_100}, True),  # less than 512 MiB
        (65_536, 64_900, {"anon": 64_900}, False),
    ],
)
def test_a_container_is_short_of_memory_by_what_it_has_and_by_what_its_caches_would_give_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int, used: int, stat: dict[str, int], short: bool
) -> None:
    monkeypatch.setattr("smoldesk.sandbox.machine.MEMINFO", tmp_path / "none")  # this machine may have less
    files = {
        "memoryDOTmax": f"{limit * MIB}",
        "memoryDOTcurrent": f"{used * MIB}",
        "memoryDOTstat": "".join(f"{name} {size * MIB}\n" for name, size in stat.items()),
    }
    assert is_short_of_memory(512 * MIB, *tree(tmp_path, "0::/\n", **files)) is short


def test_this_machine_has_some_of_both() -> None:
    assert 1 <= processors() <= HERE
    assert memory().free > MIB
