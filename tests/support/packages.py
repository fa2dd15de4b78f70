"""Packages that are installed as far as Python can see: a folder for its path, with a module and its entry points."""

from pathlib import Path


def install_package(folder: Path, name: str, modules: dict[str, str], entry_points: str) -> Path:
    """Write a package's modules and its metadata, as an installer does; the folder."""
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(entry_points)
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text)
    return folder
