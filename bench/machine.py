"""The machine a report was made on: what a reader needs to weigh its absolute figures, and nothing that names it."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("smolagents", "sqlalchemy", "pydantic", "uvicorn", "gradio")


def facts() -> list[tuple[str, str]]:
    """(name, value) pairs for the head of the report."""
    return [
        ("processors", f"{len(os.sched_getaffinity(0))} ({processor()})"),
        ("memory", f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.1f} GiB"),
        (
            "system",
            f"{platform.system()} {platform.release().split('-')[0]}, Python {platform.python_version()}",
        ),
        ("packages", ", ".join(f"{name} {installed(name)}" for name in PACKAGES)),
        ("load average", load()),
    ]


def load() -> str:
    """How busy the machine is with everything, over 1, 5 and 15 minutes; above the processors, figures are noisy."""
    return " ".join(f"{value:.2f}" for value in os.getloadavg())


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"
