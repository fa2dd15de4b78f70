"""Output of a terminal program as events: text as it comes, and a batch for every complete block.

Deltas carry the text of one text artifact; a Shown(Text) that repeats them closes it. Code, files, data and errors are
Shown when they are complete, in one batch with the text before them. Every batch begins with the debug pane's message.
"""

import time
from collections.abc import Callable, Sequence

from pydantic import JsonValue

from smoldesk.agents.terminal.mentioned import MentionedFiles
from smoldesk.events import (
    Delta,
    RunEvent,
    Shown,
    StepFinished,
    StepStarted,
)
from smoldesk.messages import (
    Code,
    Debug,
    DebugContent,
    Error,
    Json,
    StepOutput,
    Text,
    as_json,
)
from smoldesk.output_parser import (
    Artifact,
    CodeArtifact,
    ErrorArtifact,
    FileArtifact,
    JsonArtifact,
    StreamingOutputParser,
    TextArtifact,
)
from smoldesk.tools.run_context import RunContext


class ClippedText:
    """Text collected in pieces, in memory of a fixed size: its start and its end."""

    def __init__(self, limit: int) -> None:
        self._half = limit // 2
        self._head = ""
        self._tail = ""
        self._omitted_characters = 0

    def add(self, text: str) -> None:
        room = self._half - len(self._head)
        self._head += text[:room]
        tail = self._tail + text[room:]
        self._tail = tail[-self._half :]
        self._omitted_characters += len(tail) - len(self._tail)

    def take(self) -> str:
        """Return the text, with a note in place of the gap, and start over."""
        gap = f"\n… {self._omitted_characters:,} characters left out …\n" if self._omitted_characters else ""
        text = self._head + gap + self._tail
        self._head = self._tail = ""
        self._omitted_characters = 0
        return text


RESTART_NOTICE = "The program was restarted. It does not remember earlier messages."
# Characters shown of one run; further ones are only counted.
LONGEST_RUN = 1_000_000
# Characters of one text; a longer one continues as another message.
LONGEST_TEXT = 50_000
# Characters of the run's answer, which joins all its texts.
LONGEST_ANSWER = 100_000
# Characters of raw output in one batch, and of one repeated message, for the debug pane.
LONGEST_RAW = 20_000
# Size of the screen in the debug pane.
SCREEN_ROWS = 40
SCREEN_COLUMNS = 300


class Report:
    """Writer of one run's events. Used on the run's own thread only."""

    def __init__(self, ctx: RunContext, agent: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._ctx = ctx
        self._agent = agent
        self._clock = clock
        self._parser = StreamingOutputParser()
        self._files = MentionedFiles(ctx)
        self._raw = ClippedText(LONGEST_RAW)
        self._memory = ClippedText(LONGEST_RAW)
        self._open: list[str] = []
        self._open_size = 0
        self._streams = False
        self._answer: list[str] = []
        self._room = LONGEST_RUN
        self._omitted_characters = 0
        self._step = 0
        self._started_at = 0.0

    @property
    def answer(self) -> str:
        """All texts of the run so far."""
        text = "\n\n".join(self._answer)
        return text if len(text) <= LONGEST_ANSWER else f"{text[:LONGEST_ANSWER]}…"

    def begin_step(self) -> None:
        self._step += 1
        self._started_at = self._clock()
        self._ctx.emit(StepStarted(step=self._step))

    def note(self, text: str) -> None:
        """Add output that is not part of the answer, such as a greeting: for the debug pane alone."""
        self._raw.add(text)

    def show(self, text: str, screen: Sequence[str]) -> None:
        """Show text that was noted before, in one piece: it turned out to be part of the dialogue."""
        if text:
            self._memory.add(text)
            messages = self._messages([*self._parser.feed(text), *self._parser.flush()])
            self._batch([*messages, self._end_text()] if self._open else messages, screen)

    def forget_answer(self) -> None:
        """Start the run's answer over: the texts so far belong to the start of the program."""
        self._answer.clear()

    def emit_restart_notice(self) -> None:
        """Tell the person that the program was restarted and does not know the chat so far."""
        self._ctx.emit(Shown(message=Text(content=RESTART_NOTICE, tone="notice", code="program_anew")))

    def take(self, text: str, screen: Sequence[str]) -> None:
        """Add output, in pieces of any size."""
        if not text:
            return
        self._raw.add(text)
        self._memory.add(text)
        accepted = text[: self._room]
        self._room -= len(accepted)
        self._omitted_characters += len(text) - len(accepted)
        if accepted:
            self._show(self._parser.feed(accepted), screen)

    def end_step(self, screen: Sequence[str], question: str = "", is_answer: bool = False) -> None:
        """End a step, because the program asks `question`, is done (`is_answer`), or failed; closes open text."""
        messages = self._messages(self._parser.flush())
        if self._open:
            messages.append(self._end_text())
        if not question and self._omitted_characters:
            notice = (
                f"The program's output is too long: {self._omitted_characters:,} characters are left out."
            )
            messages.append(
                Text(
                    content=notice,
                    tone="notice",
                    code="program_cut",
                    facts={"left": self._omitted_characters},
                )
            )
        if question:
            self._memory.add(question + "\n")
        memory: dict[str, JsonValue] = {
            "step_number": self._step,
            "model_output": None,
            "code_action": None,
            "tool_calls": [],
            "observations": self._memory.take(),
            "error": None,
            "is_final_answer": is_answer,
            "agent": self._agent,
        }
        duration = self._clock() - self._started_at
        self._batch(messages, screen, StepFinished(step=self._step, memory=memory, duration=duration))

    def _show(self, artifacts: Sequence[Artifact], screen: Sequence[str]) -> None:
        """Emit complete blocks with the texts before them in one batch; the text after them stays open."""
        blocks = [at for at, artifact in enumerate(artifacts) if not isinstance(artifact, TextArtifact)]
        end = blocks[-1] + 1 if blocks else 0
        if messages := self._messages(artifacts[:end]):
            self._batch(messages, screen)
        for artifact in artifacts[end:]:
            if isinstance(artifact, TextArtifact):
                self._stream(artifact.content)
        if self._open_size > LONGEST_TEXT:
            self._batch([self._end_text()], screen)

    def _messages(self, artifacts: Sequence[Artifact]) -> list[StepOutput]:
        """Return the messages that these artifacts complete."""
        messages: list[StepOutput] = []
        for artifact in artifacts:
            if not isinstance(artifact, TextArtifact):
                if self._open:
                    messages.append(self._end_text())
                messages.append(self._message(artifact))
            elif self._streams:  # a text that was streamed so far must stay in step with its deltas
                self._stream(artifact.content)
            else:
                self._append(artifact.content)
        return messages

    def _stream(self, text: str) -> None:
        self._append(text)
        self._streams = True
        self._ctx.emit_soon(Delta(step=self._step, kind="output", text=text))

    def _append(self, text: str) -> None:
        self._open.append(text)
        self._open_size += len(text)

    def _end_text(self) -> Text:
        text = "".join(self._open)
        self._open, self._open_size, self._streams = [], 0, False
        self._answer.append(text)
        return Text(content=text)

    def _message(self, artifact: CodeArtifact | FileArtifact | JsonArtifact | ErrorArtifact) -> StepOutput:
        match artifact:
            case CodeArtifact():
                return Code(content=artifact.content, language=artifact.language, step=f"Step {self._step}")
            case FileArtifact():
                return self._files.file(artifact.path)
            case JsonArtifact():
                return Json(content=artifact.data)
            case ErrorArtifact():
                return Error(content=artifact.content, code="traceback")

    def _batch(self, messages: Sequence[StepOutput], screen: Sequence[str], *after: RunEvent) -> None:
        rows: list[JsonValue] = [row[:SCREEN_COLUMNS] for row in screen[-SCREEN_ROWS:]]
        response: dict[str, JsonValue] = {
            "raw_output": self._raw.take(),
            "screen": rows,
            "agent": self._agent,
        }
        debug = DebugContent(
            agent_response=response,
            parsed_outputs=[_repeated(message) for message in messages],
            output_count=len(messages),
        )
        outputs = (Shown(message=message) for message in messages)
        self._ctx.emit(Shown(message=Debug(content=debug)), *outputs, *after)


def _repeated(message: StepOutput) -> dict[str, JsonValue]:
    """Return a message for the debug pane, with long content cut."""
    data = as_json(message)
    content = data.get("content")
    if isinstance(content, str) and len(content) > LONGEST_RAW:
        data["content"] = f"{content[:LONGEST_RAW]}… ({len(content):,} characters)"
    elif len(str(content)) > LONGEST_RAW:
        data["content"] = f"… ({len(str(content)):,} characters)"
    return data
