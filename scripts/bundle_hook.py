"""Build hook of hatchling (pyproject.toml) that puts the page's bundle into a wheel.

Where esbuild cannot be had the wheel is made all the same, serves the modules themselves, and the build says so;
SMOLDESK_BUNDLE=require makes that a failure.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # a build runs elsewhere

from scripts.bundle_page import FRONTEND, bundle, compress
from scripts.node import CannotHave

IN_THE_WHEEL = "smoldesk/_assets/page"
REQUIRE = "SMOLDESK_BUNDLE"


class BundlePage(BuildHookInterface[Any]):
    """Puts the bundle into a wheel; an editable install has the checkout's own files."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        self.out = Path(tempfile.mkdtemp(prefix="smoldesk-page-"))
        try:
            bundle(FRONTEND, self.out)
            compress(self.out)
        except CannotHave as reason:
            shutil.rmtree(self.out)
            if os.environ.get(REQUIRE) == "require":
                raise
            self.app.display_warning(f"The page is not bundled, this wheel serves its modules: {reason}.")
            return
        build_data["force_include"][str(self.out)] = IN_THE_WHEEL

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "out"):
            shutil.rmtree(self.out, ignore_errors=True)
