"""Building files: read in a jailed child by the code of `inside`, checked here as a whole."""

from pathlib import Path

from smoldesk.tables import CHILD_PACKAGES as TABLES

CHILD_PACKAGES = {
    **TABLES,
    "smoldesk.buildings.importers": str(Path(__file__).parent),
    "smoldesk.buildings.evacuation": str(Path(__file__).parents[1] / "evacuation"),
}
