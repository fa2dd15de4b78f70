"""`smoldesk building export` and `import`: buildings of the desk that has the data directory, as files."""

import argparse
import re
import sys
from pathlib import Path

import httpx2

from smoldesk.cli.open_files import client_of, running, send_request
from smoldesk.cli.projects import printable
from smoldesk.cli.umasks import give_usual_mode
from smoldesk.errors import BadInput, DeskError
from smoldesk.export.exports import write_atomically
from smoldesk.folders import free_name
from smoldesk.settings import Settings

AN_ID = re.compile(r"\w+")


def buildings(settings: Settings, options: argparse.Namespace) -> int:
    """Do what the options ask for; the exit code. Raises DeskError for a refusal, or if no desk runs."""
    address = running(settings)
    if address is None:
        raise DeskError("No desk runs with this data directory.", "Start one: smoldesk serve")
    with client_of(settings, address) as client:
        try:
            result = _export(client, options) if options.action == "export" else _import(client, options)
        except OSError as fault:
            raise DeskError(
                f"The file cannot be read or written: {fault.strerror}.", "Choose another path."
            ) from None
    sys.stdout.write(f"{printable(result)}\n")
    return 0


def _export(client: httpx2.Client, options: argparse.Namespace) -> str:
    """Write a building into a file; returns its path."""
    if not AN_ID.fullmatch(options.building):
        raise BadInput(f"{options.building!r} is not the id of a building.", "Ids are in GET /api/buildings.")
    query = {"format": options.format}
    answer = send_request(client, "GET", f"/api/buildings/{options.building}/export", params=query)
    suffix = {"imdf": "imdf.zip", "geojson": "geojson"}.get(options.format)
    suffix = suffix or ("zip" if answer.content.startswith(b"PK") else "json")
    path = options.output or Path(free_name(Path(), f"{options.building}.{suffix}"))
    write_atomically(path, lambda target: target.write(answer.content))
    give_usual_mode(path)
    return str(path)


def _import(client: httpx2.Client, options: argparse.Namespace) -> str:
    """Import the building in a file; returns its id."""
    with options.file.open("rb") as file:
        form = {"building": options.choice} if options.choice else {}
        files = [("file", (options.file.name, file))]
        answer = send_request(client, "POST", "/api/buildings", data=form, files=files)
    for line in answer.json()["report"]:
        sys.stderr.write(printable(f"{line['severity']}: {line['message']}") + "\n")
    return answer.json()["buildingId"]
