"""Faults of the object store that holds the files of a desk."""

from pathlib import Path

import httpx

from tests.faults.fault import CannotTry, Client, Fault, Outcome, code_of
from tests.support.desk_server import Servers
from tests.support.waiting import come_true

CSV = b"shop,amount\nNorth,3\nSouth,4\n"
TUS = {"Tus-Resumable": "1.0.0"}
NEW = TUS | {"Upload-Length": str(len(CSV)), "Upload-Metadata": "filename dC5jc3Y="}


def absent_store(folder: Path) -> Outcome:
    """Stop the object store between two pieces of an upload, and start it again."""
    try:
        from tests.support.bucket import a_bucket
    except ImportError as reason:
        raise CannotTry(f"no S3 server: {reason}") from None
    with a_bucket() as bucket, Servers(folder, SMOLDESK_FILES_URL=bucket.url) as servers:
        client = Client(servers.start())
        client.come_ready()
        client.answers()
        path = httpx.URL(
            client.http.post(f"/api/chats/{client.chat}/uploads", headers=NEW).headers["Location"]
        ).path
        assert _send(client, path, 0, 10).status_code == 204
        bucket.stop()
        try:
            client.come_ready("object_store_away")
            codes = client.codes()
            assert set(codes.values()) <= {"object_store_away", ""}, codes
            assert codes["upload"] == "object_store_away" and codes["REST"] == "", codes
            assert code_of(_send(client, path, 10, len(CSV))) == "object_store_away"
            assert client.http.get(f"/api/chats/{client.chat}/files").json()["files"] == []
        finally:
            bucket.start()
        client.come_ready()
        offset = int(client.http.head(path, headers=TUS).headers["Upload-Offset"])
        assert _send(client, path, offset, len(CSV)).status_code in (200, 204)
        come_true(lambda: client.http.get(f"/api/chats/{client.chat}/files/t.csv").content == CSV)
        assert not any(client.codes().values())
        client.answers()
    wires = ", ".join(name for name, code in codes.items() if code)
    return Outcome(
        f"`object_store_away` in `/readyz` and on {wires}; chats without files go on",
        "by itself; an upload goes on where it was",
    )


def _send(client: Client, path: str, start: int, end: int) -> httpx.Response:
    headers = TUS | {"Content-Type": "application/offset+octet-stream", "Upload-Offset": str(start)}
    return client.http.patch(path, headers=headers, content=CSV[start:end])


FAULTS: dict[str, Fault] = {"object store away": absent_store}
