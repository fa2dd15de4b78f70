"""Processors and memory of the server: of a container's control group, where that has less than the machine."""

import os
import sys
from pathlib import Path

import pytest

from smoldesk.sandbox.machine import free_memory, processors

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
        "memoryDOTstat": f"anon 1\ninactive_file {100 * MIB}\nactive_file 7\n",
    }
    place = tree(tmp_path, "0::/\n", **limits)
    assert processors(*place) == 1
    assert free_memory(*place) == 150 * MIB


def test_a_container_of_version_1_has_its_limits_also_under_the_machine_s_path(tmp_path: Path) -> None:
    limits = {
        "cpu__cpuDOTcfs_quota_us": "100000",
        "cpu__cpuDOTcfs_period_us": "100000",
        "memory__memoryDOTlimit_in_bytes": f"{700 * MIB}",
        "memory__memoryDOTusage_in_bytes": f"{650 * MIB}",
        "memory__memoryDOTstat": f"inactive_file 5\ntotal_inactive_file {20 * MIB}\n",
    }
    place = tree(
        tmp_path, "4:memory:/docker/57552f\n1:cpu,cpuacct:/docker/57552f\n0::/docker/57552f\n", **limits
    )
    assert processors(*place) == 1
    assert free_memory(*place) == 70 * MIB


def test_a_group_is_limited_by_those_above_it(tmp_path: Path) -> None:
    limits = {
        "a__b__memoryDOTmax": "max",
        "a__b__memoryDOTcurrent": "7",
        "a__memoryDOTmax": f"{600 * MIB}",
        "a__memoryDOTcurrent": f"{590 * MIB}",
    }
    assert free_memory(*tree(tmp_path, "0::/a/b\n", **limits)) == 10 * MIB


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
    assert MIB < free_memory(*place) < 2**50


def test_a_group_that_is_full_has_no_memory_left(tmp_path: Path) -> None:
    files = {"memoryDOTmax": f"{MIB}", "memoryDOTcurrent": f"{2 * MIB}"}
    assert free_memory(*tree(tmp_path, "0::/\n", **files)) == 0


def test_this_machine_has_some_of_both() -> None:
    assert 1 <= processors() <= HERE
    assert free_memory() > MIB
