"""The prompts of one run on their way into the store: each message once, without secrets, deflated by what the log has.

Answers of the model wait for the end of their step: the event that ends it has their words, and is their dictionary.
"""

from collections.abc import Callable, Iterable

from pydantic_core import PydanticSerializationError

from smoldesk.events import Nested, RunEvent, StepFinished
from smoldesk.messages.strict_json import without_surrogates
from smoldesk.store.prompt_messages import StepBody, StoredMessage, deflated, message_id


class PromptRecorder:
    """Prompt messages that one run's calls add to the stored ones of its chat. Used on the run's thread only."""

    def __init__(
        self, run_id: str, load_stored_ids: Callable[[], set[str]], hide: Callable[[str], str]
    ) -> None:
        """`load_stored_ids` are the ids that the chat has, asked for once; `hide` takes secrets out of a text."""
        self._run_id = run_id
        self._load_stored_ids = load_stored_ids
        self._stored_ids: set[str] | None = None
        self._hide = hide
        self._base: StepBody | None = None
        self._ready: list[StoredMessage] = []
        self._answers: list[str] = []

    def keep(self, text: str, is_answer: bool = False) -> str:
        """Take in a message; the id it is kept under. An answer is stored with the end of its step."""
        text = self._hide(without_surrogates(text))
        name = message_id(text)
        if self._stored_ids is None:
            self._stored_ids = self._load_stored_ids()
        if name not in self._stored_ids:
            self._stored_ids.add(name)
            if is_answer:
                self._answers.append(text)
            else:
                self._ready.append(deflated(text, self._base))
        return name

    def note_step(self, run_id: str, step: int, body: str) -> None:
        """Note the end of a step; later messages are compressed with its event's JSON as dictionary."""
        self._base = StepBody.of(run_id, step, body)

    def note(self, events: Iterable[RunEvent]) -> None:
        """Take in what the run says."""
        for event in events:
            if isinstance(event, StepFinished) and self._stored_ids is not None:
                try:
                    self.note_step(self._run_id, event.step, event.model_dump_json())
                except PydanticSerializationError:  # the log has it mended
                    self._base = None
                self._end_answers()
            elif isinstance(event, Nested) and isinstance(event.event, StepFinished):
                self._end_answers()  # a reader of the running call finds them

    def drain(self, is_over: bool = False) -> list[StoredMessage]:
        """Return the messages to store with the next events; with `is_over`, all of them."""
        if is_over:
            self._end_answers()
        ready, self._ready = self._ready, []
        return ready

    def _end_answers(self) -> None:
        self._ready += [deflated(text, self._base) for text in self._answers]
        self._answers.clear()
