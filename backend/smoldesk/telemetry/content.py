"""Words of prompts, answers, calls and results, as the conventions write them; only where the operator allowed them."""

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

# smolagents' roles that the conventions lack, with their replacements.
ROLES = {"tool-call": "assistant", "tool-response": "tool"}


class Content:
    """Content of spans: reads the messages of a chat by their ids and hides secrets in them."""

    def __init__(
        self,
        read_messages: Callable[[str, Collection[str]], Mapping[str, str]],
        hide: Callable[[str], str],
    ) -> None:
        self._read = read_messages
        self.hide = hide

    def data(self, value: object) -> str:
        """Return data as JSON text without secrets."""
        return self.hide(json.dumps(value, ensure_ascii=False))

    def of_call(self, chat_id: str, prompt: list[str], response: str | None) -> dict[str, str]:
        """Return the attributes of one model call; messages that cannot be read are left out."""
        texts = self._read(chat_id, [*prompt, *([response] if response else [])])
        sent = [_message(texts[name]) for name in prompt if name in texts]
        attributes = {"gen_ai.input.messages": self.data(sent)}
        if response is not None and response in texts:
            answer = _message(texts[response])
            reason = "tool_call" if any(part["type"] == "tool_call" for part in answer["parts"]) else "stop"
            attributes["gen_ai.output.messages"] = self.data([answer | {"finish_reason": reason}])
        return attributes


def _message(text: str) -> dict[str, Any]:
    """Return a stored message (spec/reference/traces.md) in the form of the conventions."""
    stored = json.loads(text)
    content: str | list[dict[str, Any]] = stored["content"] or []
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    parts_ = [{"type": "text", "content": part.get("text", "")} for part in parts]
    calls = [{"type": "tool_call", **call} for call in stored.get("tool_calls", [])]
    return {"role": ROLES.get(stored["role"], stored["role"]), "parts": [*parts_, *calls]}
