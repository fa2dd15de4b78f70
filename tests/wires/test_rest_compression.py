"""Large answers of /api are compressed for who takes it; small ones, files and streams are not."""

import httpx

from smoldesk.wires.rest.routes import COMPRESSED_FROM


def test_large_json_is_compressed_for_a_client_that_takes_it(inside_http: httpx.Client) -> None:
    small = inside_http.get("/api/chats")
    assert "content-encoding" not in small.headers
    for number in range(60):
        assert inside_http.post("/api/chats", json={"title": f"{number} {'title ' * 25}"}).status_code == 201
    large = inside_http.get("/api/chats")
    assert len(large.content) > COMPRESSED_FROM
    assert large.headers["content-encoding"] == "gzip"
    assert int(large.headers["content-length"]) < len(large.content) / 4
    plain = inside_http.get("/api/chats", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.json() == large.json()


def test_an_upload_tells_its_states_uncompressed_and_a_file_comes_as_it_is(http: httpx.Client) -> None:
    chat = http.post("/api/chats", json={}).json()["id"]
    table = b"room,value\n" + b"Kitchen,1\n" * 5000
    lines = {"accept": "application/x-ndjson"}
    response = http.post(f"/api/chats/{chat}/files", files={"file": ("t.csv", table)}, headers=lines)
    assert (response.status_code, response.headers.get("content-encoding")) == (201, None)
    file = http.get(f"/api/chats/{chat}/files/t.csv")
    assert (file.content, file.headers.get("content-encoding")) == (table, None)


def test_a_stream_of_events_is_not_compressed(http: httpx.Client) -> None:
    project = http.post("/api/projects", json={"name": "streams"}).json()["id"]
    with http.stream("GET", f"/api/projects/{project}/events") as stream:
        assert stream.status_code == 200
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in stream.headers
