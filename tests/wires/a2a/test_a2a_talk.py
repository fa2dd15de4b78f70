"""The real client of the SDK over both bindings against a real server: send, stream, ask, continue, cancel, get, list."""

import asyncio
import uuid

import pytest
from a2a.types import a2a_pb2 as pb
from a2a.utils.errors import (
    A2AError,
    InvalidParamsError,
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
)

from tests.support.a2a_client import (
    Binding,
    a2a_client,
    artifacts,
    as_dict,
    data,
    events,
    last_status,
    said,
    sent,
    state,
    states,
    texts,
)
from tests.support.desk_server import LiveDesk


def shown(task: pb.Task) -> list[str]:
    return ["".join(texts(artifact)) for artifact in task.artifacts]


def history(task: pb.Task) -> list[tuple[str, str]]:
    return [
        (pb.Role.Name(item.role).removeprefix("ROLE_").lower(), item.parts[0].text) for item in task.history
    ]


async def test_a_message_becomes_a_task_with_its_artifacts(desk: LiveDesk, binding: Binding) -> None:
    async with a2a_client(desk.url, binding, streaming=False) as client:
        task = await sent(client, "talk", message_id="m-" + binding)
        assert await client.get_task(pb.GetTaskRequest(id=task.id)) == task
    assert state(task.status) == "completed"
    assert shown(task) == ["Looking\nat it.\n", "print('hello')", "Done: talk"]
    assert task.history[0].message_id == "m-" + binding
    assert history(task) == [("user", "talk")]
    chat = desk.desk.store.events(task.context_id)
    assert {stored.run_id for stored in chat} == {task.id}, "the context is the chat, the task is the run"


async def test_a_stream_begins_with_the_task_and_ends_with_its_end(desk: LiveDesk, binding: Binding) -> None:
    async with a2a_client(desk.url, binding) as client:
        result = await events(client, said("talk"))
    assert result[0].HasField("task")
    assert states(result)[-1] == "completed"
    joined = ["".join(parts) for parts in artifacts(result).values()]
    assert joined == ["Looking\nat it.\n", "print('hello')", "Done: talk"]


async def test_many_small_pieces_become_few_parts_and_none_is_lost(desk: LiveDesk, binding: Binding) -> None:
    async with a2a_client(desk.url, binding) as client:
        result = await events(client, said("count 400"))
    written = next(iter(artifacts(result).values()))
    assert "".join(written) == "".join(f"{piece};" for piece in range(400))
    assert 2 <= len([part for part in written if part]) < 80


async def test_what_is_shown_comes_as_files_and_data(desk: LiveDesk, binding: Binding) -> None:
    async with a2a_client(desk.url, binding, streaming=False) as client:
        task = await sent(client, "paint")
        import httpx

        async with httpx.AsyncClient(trust_env=False) as http:
            fetched = (await http.get(task.artifacts[0].parts[0].url)).status_code
    image, table, plan, text = task.artifacts
    assert (image.parts[0].filename, image.parts[0].media_type) == ("a plot.png", "image/png")
    assert image.parts[0].url.startswith(desk.url)
    assert fetched == 200
    assert table.parts[0].text == "Table rooms: 1 rows; columns: a"
    assert as_dict(table.parts[1])["data"]["rows"] == [[1]]
    assert table.metadata["type"] == "table"
    assert plan.metadata["type"] == "map"
    assert texts(text) == ["painted"]


# --- input-required --------------------------------------------------------------------------------------------------


async def test_a_task_asks_and_goes_on_by_its_id_alone(desk: LiveDesk, binding: Binding) -> None:
    async with a2a_client(desk.url, binding, streaming=False) as client:
        asking = await sent(client, "name")
        done = await sent(client, "Bo", task_id=asking.id)
    assert state(asking.status) == "input_required"
    assert asking.status.message.parts[0].text == "Your name?"
    question = as_dict(asking.status.message.parts[1])["data"]
    assert (question["kind"], question["inputType"]) == ("input", "text")
    assert (done.id, done.context_id) == (asking.id, asking.context_id)
    assert state(done.status) == "completed"
    assert shown(done) == ["Hello Bo, granted=True"]
    assert history(done) == [("user", "name"), ("agent", "Your name?"), ("user", "Bo")]


async def test_a_stream_ends_at_a_question_and_another_goes_on(desk: LiveDesk, binding: Binding) -> None:
    async with a2a_client(desk.url, binding) as client:
        first = await events(client, said("both"))
        task = first[0].task
        second = await events(client, said("1", task_id=task.id, context_id=task.context_id))
        question = await client.get_task(pb.GetTaskRequest(id=task.id))
        named = as_dict(question.status.message.parts[1])["data"]["askId"]
        third = await events(client, said(data({"askId": named, "value": "2"}), task_id=task.id))
    assert states(first)[-1] == "input_required"
    assert states(second)[-1] == "input_required"
    assert last_status(second).message.parts[0].text == "Two?"
    assert states(third)[-1] == "completed"
    assert list(artifacts(third).values()) == [["1 2"]]


async def test_a_refusal_and_a_wrong_answer(desk: LiveDesk, binding: Binding) -> None:
    async with a2a_client(desk.url, binding, streaming=False) as client:
        asking = await sent(client, "confirm it")
        with pytest.raises(InvalidParamsError, match="Expected y or n"):
            await sent(client, "perhaps", task_id=asking.id)
        with pytest.raises(UnsupportedOperationError, match="not open"):
            await sent(client, data({"askId": "a_other", "granted": True}), task_id=asking.id)
        still = await client.get_task(pb.GetTaskRequest(id=asking.id))
        assert state(still.status) == "input_required", "what is no answer leaves the question open"
        done = await sent(client, data({"granted": False, "reason": "not now"}), task_id=asking.id)
    assert "granted=False" in shown(done)[-1]
    assert as_dict(done.history[-1].parts[0])["data"] == {"granted": False, "reason": "not now"}


async def test_history_returns_what_the_client_said(desk: LiveDesk, binding: Binding) -> None:
    """Ids, kinds of parts and metadata, of the first message and of an answer."""
    async with a2a_client(desk.url, binding, streaming=False) as client:
        first = said("name", data({"of": [1, 2.5]}), message_id=f"first-{binding}", extensions=["urn:mine"])
        first.message.metadata.update({"mood": "good"})
        asking = (await events(client, first))[0].task
        answer = said(data({"value": "Bo"}), message_id=f"answer-{binding}", task_id=asking.id)
        answer.message.metadata.update({"page": 3})
        done = (await events(client, answer))[0].task
    opening, _, answered = done.history
    for stored, sent_before in ((opening, first.message), (answered, answer.message)):
        assert (stored.message_id, stored.task_id, stored.role) == (
            sent_before.message_id,
            asking.id,
            pb.ROLE_USER,
        )
        assert as_dict(stored)["parts"] == as_dict(sent_before)["parts"]
        assert as_dict(stored)["metadata"] == as_dict(sent_before)["metadata"]
    assert list(opening.extensions) == ["urn:mine"]
    assert shown(done) == ["Hello Bo, granted=True"]


async def test_a_password_is_in_no_history(desk: LiveDesk) -> None:
    async with a2a_client(desk.url, streaming=False) as client:
        asking = await sent(client, "secret")
        done = await sent(client, "hunter2", task_id=asking.id)
    assert shown(done) == ["7 characters"]
    assert "hunter2" not in str(done)
    assert history(done)[-1] == ("user", "(not shown)")


# --- contexts and repeats ----------------------------------------------------------------------------------------------


async def test_a_context_is_the_clients_own_or_the_desks(desk: LiveDesk, binding: Binding) -> None:
    text = f"mine-{uuid.uuid4()}"

    async with a2a_client(desk.url, binding, streaming=False) as client:
        first = await sent(client, "hello", context_id=text)
        second = await sent(client, "again", context_id=text)
        free = await sent(client, "hello")
        joined = await sent(client, "again", context_id=free.context_id)
        tasks = await client.list_tasks(pb.ListTasksRequest(context_id=text))
        assert {task.id for task in tasks.tasks} == {first.id, second.id}
    assert first.context_id == second.context_id == text
    assert free.context_id == joined.context_id
    chats = {desk.desk.store.read(lambda c, t=task: _chat(c, t.id)) for task in (first, second)}
    assert len(chats) == 1
    assert chats != {text}, "a client's name is no id of a chat: it can name nobody else's"


def _chat(connection: object, run_id: str) -> str:
    from smoldesk.store.run_rows import get_run

    return get_run(connection, run_id).chat_id  # pyright: ignore


async def test_the_same_message_twice_is_one_task(desk: LiveDesk, binding: Binding) -> None:
    named = uuid.uuid4().hex

    async with a2a_client(desk.url, binding, streaming=False) as client:
        ids = await asyncio.gather(*(sent(client, "hello", message_id=named) for _ in range(3)))
        later = await sent(client, "hello", message_id=named)
        other = await sent(client, "other words", message_id=named)
        *same, other = [task.id for task in (*ids, later, other)]
    assert len(set(same)) == 1
    assert other not in same


async def test_an_answer_that_comes_again_answers_nothing_more(desk: LiveDesk, binding: Binding) -> None:
    """A client whose connection broke sends the same once more; meanwhile the task asks something else."""

    async with a2a_client(desk.url, binding, streaming=False) as client:
        asking = await sent(client, "both")
        named = uuid.uuid4().hex
        answers = await asyncio.gather(
            *(sent(client, "first", task_id=asking.id, message_id=named) for _ in range(3))
        )
        later = await sent(client, "first", task_id=asking.id, message_id=named)
        end = await sent(client, "second", task_id=asking.id)
        over = await sent(client, "first", task_id=asking.id, message_id=named)
        *asking, end, over = [*answers, later, end, over]
    for task in asking:
        assert state(task.status) == "input_required"
        assert task.status.message.parts[0].text == "Two?"
    assert shown(end)[-1] == shown(over)[-1] == "first second"


async def test_two_messages_of_a_context_at_once_take_turns(desk: LiveDesk, binding: Binding) -> None:
    async with a2a_client(desk.url, binding, streaming=False) as client:
        context = uuid.uuid4().hex
        tasks = list(
            await asyncio.gather(
                *(sent(client, f"hello {number}", context_id=context) for number in range(4))
            )
        )
    assert len({task.id for task in tasks}) == 4
    assert sorted(shown(task)[0] for task in tasks) == [f"You said: hello {number}" for number in range(4)]


# --- get, list, subscribe, cancel ---------------------------------------------------------------------------------------


async def test_pages_of_tasks_join_and_the_last_changed_comes_first(desk: LiveDesk, binding: Binding) -> None:
    async with a2a_client(desk.url, binding, streaming=False) as client:
        context = uuid.uuid4().hex
        asking = await sent(client, "name", context_id=context)
        ids = [asking.id]
        for number in range(4):
            ids.append((await sent(client, f"x {number}", context_id=context, now=True)).id)
        await sent(client, "Bo", task_id=asking.id)  # the one that waited has changed, and the others run now
        ids.append((await sent(client, "the last", context_id=context)).id)  # they take turns
        lines: list[str] = []
        token = ""
        while True:
            page = await client.list_tasks(
                pb.ListTasksRequest(context_id=context, page_size=2, page_token=token)
            )
            assert page.total_size == 6
            assert not any(task.artifacts for task in page.tasks)
            lines += [task.id for task in page.tasks]
            token = page.next_page_token
            if not token:
                break
        assert lines == list(reversed(ids))
        times = [
            (await client.get_task(pb.GetTaskRequest(id=item))).status.timestamp.ToMilliseconds()
            for item in lines
        ]
        assert times == sorted(times, reverse=True)
        tasks = await client.list_tasks(
            pb.ListTasksRequest(context_id=context, include_artifacts=True, status=pb.TASK_STATE_COMPLETED)
        )
        assert {shown(task)[0] for task in tasks.tasks} > {"Hello Bo, granted=True"}
        none = await client.list_tasks(pb.ListTasksRequest(context_id=context, status=pb.TASK_STATE_REJECTED))
        assert not none.tasks
        assert not (await client.list_tasks(pb.ListTasksRequest(context_id="nobody's"))).tasks
        for bad in ({"page_size": 0}, {"page_size": 101}, {"page_token": "!"}, {"page_token": "AAAA"}):
            with pytest.raises(A2AError):
                await client.list_tasks(pb.ListTasksRequest(**bad))  # pyright: ignore[reportArgumentType]


async def test_history_is_as_long_as_is_asked_for(desk: LiveDesk, binding: Binding) -> None:
    async with a2a_client(desk.url, binding, streaming=False) as client:
        asking = await sent(client, "name")
        await sent(client, "Bo", task_id=asking.id)
        for length, expected in ((0, []), (1, ["Bo"]), (10, ["name", "Your name?", "Bo"])):
            task = await client.get_task(pb.GetTaskRequest(id=asking.id, history_length=length))
            assert [text for _, text in history(task)] == expected


async def test_whoever_subscribes_sees_the_task_as_it_is_and_what_follows(
    desk: LiveDesk, binding: Binding
) -> None:
    async with a2a_client(desk.url, binding) as client:
        first = await events(client, said("name"))
        task = first[0].task

        async def follow() -> list[pb.StreamResponse]:
            return [event async for event in client.subscribe(pb.SubscribeToTaskRequest(id=task.id))]

        following = [asyncio.create_task(follow()) for _ in range(2)]
        await asyncio.sleep(0.2)
        await events(client, said("Bo", task_id=task.id))
        one, other = [await task for task in following]
        assert [as_dict(event) for event in one] == [as_dict(event) for event in other]
        assert states(one) == ["input_required", "working", "completed"]
        assert list(artifacts(one).values()) == [["Hello Bo, granted=True"]]
        with pytest.raises(UnsupportedOperationError, match="over"):
            await follow()


async def test_a_cancelled_task_is_canceled_and_its_stream_says_so(desk: LiveDesk, binding: Binding) -> None:
    async with a2a_client(desk.url, binding) as client:
        received: list[pb.StreamResponse] = []
        async for event in client.send_message(said("wait")):
            received.append(event)
            if states([event]) == ["working"]:
                task = received[0].task
                ended = await client.cancel_task(pb.CancelTaskRequest(id=task.id))
                assert state(ended.status) == "canceled"
        assert states(received)[-1] == "canceled"
        task = received[0].task
        with pytest.raises(TaskNotCancelableError):
            await client.cancel_task(pb.CancelTaskRequest(id=task.id))
        with pytest.raises(UnsupportedOperationError):
            await events(client, said("go on", task_id=task.id))


async def test_a_failure_says_why(desk: LiveDesk, binding: Binding) -> None:
    async with a2a_client(desk.url, binding, streaming=False) as client:
        task = await sent(client, "fail")
    assert state(task.status) == "failed"
    assert task.status.message.parts[0].text == "It broke. Mend it."
    assert task.status.message.metadata["code"] == "broken"


async def test_nobody_elses_task_can_be_named_by_guessing(desk: LiveDesk, binding: Binding) -> None:
    async with a2a_client(desk.url, binding, streaming=False) as client:
        for ask in (
            client.get_task(pb.GetTaskRequest(id="r_none")),
            client.cancel_task(pb.CancelTaskRequest(id="r_none")),
            sent(client, "hello", task_id="r_none"),
        ):
            with pytest.raises(TaskNotFoundError):
                await ask
        asking = await sent(client, "name")
        with pytest.raises(InvalidParamsError, match="not that of the task"):
            await sent(client, "Bo", task_id=asking.id, context_id="another")
        await client.cancel_task(pb.CancelTaskRequest(id=asking.id))


async def test_a_task_at_work_takes_no_message(desk: LiveDesk, binding: Binding) -> None:
    async with a2a_client(desk.url, binding, streaming=False) as client:
        task = await sent(client, "wait", now=True)
        assert state(task.status) in ("submitted", "working")
        with pytest.raises(UnsupportedOperationError, match="without taskId"):
            await sent(client, "hurry", task_id=task.id)
        await client.cancel_task(pb.CancelTaskRequest(id=task.id))
