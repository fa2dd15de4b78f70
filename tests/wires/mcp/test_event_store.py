"""What was sent is kept for those who come back, and no more than its bounds."""

from mcp.server.streamable_http import EventMessage
from mcp_types import JSONRPCNotification

from smoldesk.wires.mcp.server import BoundedEventStore
from tests.support.aio import run_async


def said(text: str) -> JSONRPCNotification:
    return JSONRPCNotification(jsonrpc="2.0", method="notifications/x", params={"text": text})


async def replayed(store: BoundedEventStore, after: str) -> tuple[str | None, list[str]]:
    texts: list[str] = []

    async def send(event: EventMessage) -> None:
        texts.append(event.message.params["text"])  # pyright: ignore

    return await store.replay_events_after(after, send), texts


def test_what_followed_on_the_same_stream_is_sent_again() -> None:
    async def scenario() -> tuple[str | None, list[str]]:
        store = BoundedEventStore()
        first = await store.store_event("one", None)
        await store.store_event("two", said("elsewhere"))
        await store.store_event("one", said("a"))
        await store.store_event("one", None)
        await store.store_event("one", said("b"))
        return await replayed(store, first)

    assert run_async(scenario()) == ("one", ["a", "b"])


def test_an_unknown_id_is_none() -> None:
    async def scenario() -> list[tuple[str | None, list[str]]]:
        store = BoundedEventStore()
        await store.store_event("one", said("a"))
        return [await replayed(store, wrong) for wrong in ("", "99", "-1", "x", "9" * 5000 + "x", "１")]

    assert set(map(str, run_async(scenario()))) == {"(None, [])"}


def test_it_is_bounded_in_number_and_in_size() -> None:
    async def scenario() -> list[tuple[str | None, list[str]]]:
        few, small = BoundedEventStore(most_events=3), BoundedEventStore(most_bytes=1_000)
        out: list[tuple[str | None, list[str]]] = []
        for store, size in ((few, 1), (small, 400)):
            ids = [await store.store_event("one", said(str(number) * size)) for number in range(5)]
            out += [await replayed(store, ids[0]), await replayed(store, ids[3])]
        return out

    few_first, few_last, small_first, small_last = run_async(scenario())
    assert few_first == small_first == (None, [])
    assert few_last == ("one", ["4"])
    assert small_last in (("one", ["4" * 400]), (None, []))
