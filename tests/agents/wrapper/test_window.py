"""A prompt within the window of its model: what goes first, what never does, and that it costs what the prompt is long."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from smolagents.models import ChatMessage, MessageRole

from smoldesk.agents.wrapper.window import LEFT_OUT, NEWEST_STEPS, Window

R = MessageRole


def message(role: MessageRole, text: str) -> ChatMessage:
    return ChatMessage(role=role, content=[{"type": "text", "text": text}])


def text_of(item: ChatMessage) -> str:
    content: Any = item.content
    return content[0]["text"]


def prompt(*outputs: str, text: str = "I print it.") -> list[ChatMessage]:
    """A system prompt, a task, and a step for each of these outputs."""
    steps = [
        part
        for n, output in enumerate(outputs)
        for part in (message(R.ASSISTANT, f"{n}: {text}"), message(R.TOOL_RESPONSE, output))
    ]
    return [message(R.SYSTEM, "You are an analyst."), message(R.USER, "New task:\nadd it up"), *steps]


def test_without_a_known_length_everything_is_sent() -> None:
    messages = prompt("x" * 1_000_000, "y")
    assert Window(None).fitted(messages) == (messages, 0)


def test_the_oldest_outputs_go_first_and_what_went_stays_gone() -> None:
    window = Window(4_000)
    messages = prompt(*("x" * 2_700 for _ in range(3)))
    assert window.fitted(messages) == (messages, 0)
    messages = prompt(*("x" * 2_700 for _ in range(4)))
    sent, left_out = window.fitted(messages)
    gone = [at for at, item in enumerate(sent) if text_of(item) == LEFT_OUT]
    assert gone == [3, 5][:left_out] and left_out > 0
    assert [item for at, item in enumerate(sent) if at not in gone] == [
        message for at, message in enumerate(messages) if at not in gone
    ]
    assert text_of(messages[3]) == "x" * 2_700, "the memory itself is whole"
    longer = [*messages, message(R.ASSISTANT, "4"), message(R.TOOL_RESPONSE, "z")]
    again, _ = window.fitted(longer)
    assert again[: len(sent)] == sent, "the beginning that a provider keeps is the same"


def test_a_models_own_counts_tell_how_long_its_tokens_are() -> None:
    messages = prompt(*("x" * 3_000 for _ in range(4)))
    wide, narrow = Window(8_000), Window(8_000)
    assert wide.fitted(messages)[1] == narrow.fitted(messages)[1] == 0
    narrow.calibrate(12_000)  # a token a byte
    assert wide.fitted(messages)[1] == 0 < narrow.fitted(messages)[1]


texts = st.text(max_size=40).flatmap(lambda word: st.integers(0, 400).map(lambda n: word * n))


@given(st.integers(300, 6_000), st.lists(texts, max_size=12), st.lists(texts, max_size=6))
def test_the_task_and_the_newest_steps_are_whole_and_the_rest_fits_where_it_can(
    context: int, outputs: list[str], more: list[str]
) -> None:
    window = Window(context)
    window.fitted(prompt(*outputs))
    messages = [*prompt(*outputs, *more), message(R.USER, "New task:\nand now?")]
    sent, left_out = window.fitted(messages)
    assert [one.role for one in sent] == [message.role for message in messages]
    changed = {at for at, (one, other) in enumerate(zip(sent, messages, strict=True)) if one != other}
    assert len(changed) <= left_out
    matching_messages = [at for at, message in enumerate(messages) if message.role in (R.SYSTEM, R.USER)]
    steps = [at for at, message in enumerate(messages) if message.role == R.ASSISTANT]
    newest = range(steps[-NEWEST_STEPS] if len(steps) >= NEWEST_STEPS else 0, len(messages))
    assert not changed & {*matching_messages, *newest}
    size = sum(len(text_of(one).encode("utf-8", "replace")) + 24 for one in sent)
    room = (context - min(context // 4, 4_096)) * 3
    expendable = [
        one
        for at, one in enumerate(sent)
        if at not in {*matching_messages, *newest} and len(text_of(one)) > 120
    ]
    assert size <= room or not expendable
    assert all(len(text_of(sent[at])) < len(text_of(messages[at]).encode()) for at in changed)


def test_it_costs_what_the_prompt_is_long() -> None:
    """Sizes are taken a fixed number of times for each message, however many there are."""
    inspected = 0

    class Counted(list[Any]):
        def __iter__(self) -> Any:
            nonlocal inspected
            inspected += 1
            return super().__iter__()

    def looks(steps: int) -> int:
        nonlocal inspected
        inspected = 0
        messages = prompt(*("x" * 100 for _ in range(steps)))
        for message in messages:
            message.content = Counted(message.content or [])
        Window(600).fitted(messages)
        return inspected

    assert looks(400) <= 2.1 * looks(200)
