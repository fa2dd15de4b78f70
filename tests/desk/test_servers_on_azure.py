"""Two desks on one container of Azurite, Azure's own emulator (`npm install azurite`): SMOLDESK_AZURITE is its azurite-blob."""

import base64
import hashlib
import hmac
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import formatdate

import httpx
import pytest

from tests.desk.test_servers_without_a_shared_disk import (
    servers,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    test_a_file_of_one_server_is_code_s_and_a_client_s_at_the_other,  # noqa: F401  # pyright: ignore
    test_an_upload_goes_on_at_the_other_server,  # noqa: F401  # pyright: ignore
    test_copies_of_a_deleted_chat_go_from_the_disk_of_the_other_server,  # noqa: F401  # pyright: ignore
)
from tests.support.servers import free_port
from tests.support.waiting import come_true

pytestmark = pytest.mark.slow
ACCOUNT = "devstoreaccount1"
# The account of every Azurite; its documentation has it.
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


@dataclass(frozen=True)
class Container:
    """What takes the place of a bucket."""

    url: str


@pytest.fixture(scope="module")
def bucket() -> Iterator[Container]:
    program = os.environ.get("SMOLDESK_AZURITE")
    if program is None:
        pytest.skip(
            "no Azurite: npm install azurite, and name node_modules/.bin/azurite-blob in SMOLDESK_AZURITE"
        )
    port = free_port()
    address = f"http://127.0.0.1:{port}/{ACCOUNT}"
    options = ["--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry", "--silent"]
    process = subprocess.Popen([program, "--blobPort", str(port), *options])
    try:
        come_true(lambda: _create(f"{address}/desk"))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("AZURE_STORAGE_ACCOUNT_NAME", ACCOUNT)
            patch.setenv("AZURE_STORAGE_ACCOUNT_KEY", KEY)
            patch.setenv("AZURE_STORAGE_ENDPOINT", address)
            yield Container("az://desk/below")
    finally:
        process.terminate()
        process.wait(20)


def _create(container: str) -> bool:
    """Create a container, as the desk does not; False while nobody listens."""
    headers = {"x-ms-date": formatdate(usegmt=True), "x-ms-version": "2021-12-02"}
    stated = "".join(f"{name}:{value}\n" for name, value in headers.items())
    text = "PUT" + "\n" * 12 + stated + f"/{ACCOUNT}/{ACCOUNT}/desk\nrestype:container"
    signature = hmac.new(base64.b64decode(KEY), text.encode(), hashlib.sha256).digest()
    headers["Authorization"] = f"SharedKey {ACCOUNT}:{base64.b64encode(signature).decode()}"
    try:
        return httpx.put(f"{container}?restype=container", headers=headers).status_code == 201
    except httpx.TransportError:
        return False
