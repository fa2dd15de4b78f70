"""A prompt within the window of its model: what goes first, what never does, and that it costs what the prompt is long."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from smolagents.models import ChatMessage, MessageRole

from smoldesk.agents.wrapper.window import NEWEST_STEPS, OMITTED_OUTPUT, Window

R = MessageRole


def message(role: MessageRole, text: str) -> ChatMessage:
    return ChatMessage(role=role, content=[{"type": "text", "text": text}])


def text_of(entry: ChatMessage) -> str:
    content: Any = entry.content
    return content[0]["text"]


def prompt(*outputs: str, reply: str = "I print it.") -> list[ChatMessage]:
    """A system prompt, a task, and a step for each of these outputs."""
    steps = [
        part
        for n, output in enumerate(outputs)
        for part in (message(R.ASSISTANT, f"{n}: {reply}"), message(R.TOOL_RESPONSE, output))
    ]
    return [message(R.SYSTEM, "You are an analyst."), message(R.USER, "New task:\nadd it up"), *steps]


def test_without_a_known_length_everything_is_sent() -> None:
    messages = prompt("x" * 1_000_000, "y")
    assert Window(None).fit(messages) == (messages, 0)


def test_the_oldest_outputs_go_first_and_what_went_stays_gone() -> None:
    window = Window(4_000)
    messages = prompt(*("x" * 2_700 for _ in range(3)))
    assert window.fit(messages) == (messages, 0)
    messages = prompt(*("x" * 2_700 for _ in range(4)))
    sent, shortened_count = window.fit(messages)
    gone = [at for at, entry in enumerate(sent) if text_of(entry) == OMITTED_OUTPUT]
    assert gone == [3, 5][:shortened_count] and shortened_count > 0
    assert [entry for at, entry in enumerate(sent) if at not in gone] == [
        message for at, message in enumerate(messages) if at not in gone
    ]
    assert text_of(messages[3]) == "x" * 2_700, "the memory itself is whole"
    longer = [*messages, message(R.ASSISTANT, "4"), message(R.TOOL_RESPONSE, "z")]
    again, _ = window.fit(longer)
    assert again[: len(sent)] == sent, "the beginning that a provider keeps is the same"


def test_a_models_own_counts_tell_how_long_its_tokens_are() -> None:
    messages = prompt(*("x" * 3_000 for _ in range(4)))
    wide, narrow = Window(8_000), Window(8_000)
    assert wide.fit(messages)[1] == narrow.fit(messages)[1] == 0
    narrow.calibrate(12_000)  # a token a byte
    assert wide.fit(messages)[1] == 0 < narrow.fit(messages)[1]


texts = st.text(max_size=40).flatmap(lambda word: st.integers(0, 400).map(lambda n: word * n))


@given(st.integers(300, 6_000), st.lists(texts, max_size=12), st.lists(texts, max_size=6))
def test_the_task_and_the_newest_steps_are_whole_and_the_rest_fits_where_it_can(
    context: int, outputs: list[str], more: list[str]
) -> None:
    window = Window(context)
    window.fit(prompt(*outputs))
    messages = [*prompt(*outputs, *more), message(R.USER, "New task:\nand now?")]
    sent, shortened_count = window.fit(messages)
    assert [entry.role for entry in sent] == [message.role for message in messages]
    changed = {at for at, (entry, other) in enumerate(zip(sent, messages, strict=True)) if entry != other}
    assert len(changed) <= shortened_count
    protected = [at for at, message in enumerate(messages) if message.role in (R.SYSTEM, R.USER)]
    steps = [at for at, message in enumerate(messages) if message.role == R.ASSISTANT]
    newest = range(steps[-NEWEST_STEPS] if len(steps) >= NEWEST_STEPS else 0, len(messages))
    assert not changed & {*protected, *newest}
    size = sum(len(text_of(entry).encode("utf-8", "replace")) + 24 for entry in sent)
    room = (context - min(context // 4, 4_096)) * 3
    expendable = [
        entry
        for at, entry in enumerate(sent)
        if at not in {*protected, *newest} and len(text_of(entry)) > 120
    ]
    assert size <= room or not expendable
    assert all(len(text_of(sent[at])) < len(text_of(messages[at]).encode()) for at in changed)


def test_it_costs_what_the_prompt_is_long() -> None:
    """Sizes are taken a fixed number of times for each message, however many there are."""
    size_calls = 0

    class Counted(list[Any]):
        def __iter__(self) -> Any:
            nonlocal size_calls
            size_calls += 1
            return super().__iter__()

    def looks(steps: int) -> int:
        nonlocal size_calls
        size_calls = 0
        messages = prompt(*("x" * 100 for _ in range(steps)))
        for message in messages:
            message.content = Counted(message.content or [])
        Window(600).fit(messages)
        return size_calls

    assert looks(400) <= 2.1 * looks(200)


def test_a_limited_answer_needs_its_own_room_and_no_more() -> None:
    entries = prompt("x" * 3_000, "y" * 3_000, "z", "w")
    whole, _ = Window(4_000, max_tokens=100).fit(entries)
    assert whole == entries
    _, omitted = Window(4_000, max_tokens=3_000).fit(entries)  # at most half of the window is reserved
    assert omitted == 1
