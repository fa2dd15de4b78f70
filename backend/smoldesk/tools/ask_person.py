"""`ask_person`: a question to the person of the chat, with answers to choose from; the run waits for the answer."""

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from pydantic import JsonValue

from smoldesk.errors import BadInput, DeskError
from smoldesk.events import Ask
from smoldesk.tools.policy import LongTool
from smoldesk.tools.run_context import ToolContext

# Number of options of a question: at most the number keys 1 to 9.
FEWEST, MOST = 2, 9
# Maximum characters of a question, and of an option.
LONGEST = 300
ASK_SECONDS = 600.0


class NotAnswered(DeskError):
    """The person said no, or nothing in time."""

    code = "not_answered"


class AskPerson(LongTool):
    """Asks by every wire there is: a card on the page, input_required over A2A and tasks, a part of an AI SDK stream."""

    name = "ask_person"
    description = (
        "Asks the person to choose, if a request can mean different things; returns the chosen text.\n"
        'Example: ask_person(question="Which price?", options=["morning price", "evening price"])'
    )
    inputs: ClassVar = {
        "question": {"type": "string", "description": ""},
        "options": {"type": "array", "description": "2 to 9 short texts"},
    }
    output_type = "string"

    def __init__(self, seconds: float = ASK_SECONDS) -> None:
        """`seconds` is how long an answer is waited for."""
        super().__init__()
        self._seconds = seconds

    def check(self, arguments: Mapping[str, JsonValue]) -> None:
        """Raise BadInput for an invalid question."""
        question, options = arguments.get("question"), arguments.get("options")
        if not isinstance(question, str) or not question.strip() or len(question) > LONGEST:
            raise BadInput("There is no question to ask.", f"Expected a text of at most {LONGEST} letters.")
        texts = (
            [
                option
                for option in options
                if isinstance(option, str) and option.strip() and len(option) <= LONGEST
            ]
            if isinstance(options, list)
            else []
        )
        if (
            not isinstance(options, list)
            or len(texts) != len(options)
            or len(set(texts)) != len(texts)
            or not FEWEST <= len(texts) <= MOST
        ):
            raise BadInput(
                "`options` is not a list of choices.",
                f"Expected {FEWEST} to {MOST} different texts of at most {LONGEST} letters.",
            )

    def forward(self, question: str, options: list[str]) -> Any:
        raise AssertionError("such a call is made with a context")

    def run_in_context(self, context: ToolContext, arguments: dict[str, JsonValue]) -> str:
        """Return the chosen option. Raises NotAnswered, Stopped."""
        self.check(arguments)
        answer = context.ask(
            Ask(
                id=f"a_{secrets.token_hex(12)}",
                kind="input",
                prompt=str(arguments["question"]),
                input_type="selection",
                options=[str(option) for option in arguments["options"]],  # type: ignore[union-attr]
                expires_at=datetime.now(UTC) + timedelta(seconds=self._seconds),
            )
        )
        if not answer.granted or not isinstance(answer.value, str):
            why = "no answer came in time" if answer.by == "expiry" else answer.reason or "nothing was chosen"
            raise NotAnswered(f"The question was not answered: {why.rstrip('.')}.")
        return answer.value
