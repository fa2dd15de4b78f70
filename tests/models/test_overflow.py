"""A prompt beyond the window, in the words of each server: one code, and the window is learned where the error names it."""

from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import SecretStr

from smoldesk.models import Access, build_model
from smoldesk.models.errors import TooLong
from tests.models.test_providers import ASK
from tests.support.openai_server import Fails, OpenAIServer


@dataclass(frozen=True)
class OverflowHabit:
    """An error body of a server with the place that quotes it; `needed` and `window` if it names them."""

    server: str
    source: str
    body: Any
    needed: int | None = None
    window: int | None = None
    status: int = 400

    def __str__(self) -> str:
        return self.server


def invalid(message: str, **more: Any) -> Any:
    return {"error": {"message": message, "type": "invalid_request_error", **more}}


LLAMA = {"code": 400, "type": "exceed_context_size_error"}
OVERFLOWS = (
    OverflowHabit(
        "llama.cpp",
        "llmmllab/llmmllab-api #69",
        {
            "error": LLAMA
            | {
                "message": "request (25837 tokens) exceeds the available context size (25088 tokens), try increasing it",
                "n_prompt_tokens": 25837,
                "n_ctx": 25088,
            }
        },
        25837,
        25088,
    ),
    OverflowHabit(
        "llama.cpp of 2025, which answered 500",
        "ggml-org/llama.cpp #15780",
        {
            "error": {
                "code": 500,
                "message": "the request exceeds the available context size. try increasing the context size or enable "
                "context shift",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": 1407,
                "n_ctx": 256,
            }
        },
        1407,
        256,
        500,
    ),
    OverflowHabit(
        "llama.cpp through a proxy that keeps the message alone",
        "can1357/oh-my-pi #556",
        {
            "error": "request (20001 tokens) exceeds the available context size (8192 tokens), try increasing it"
        },
        20001,
        8192,
    ),
    OverflowHabit(
        "Ollama with truncation off",
        "ollama/ollama api: prompt too long; quoted by several agents' tables of overflow messages",
        {
            "error": {
                "message": "prompt too long; exceeded max context length by 4096 tokens",
                "type": "api_error",
            }
        },
    ),
    OverflowHabit(
        "vLLM, the prompt alone",
        "vLLM's source: the check of a prompt's token ids against max_model_len",
        {
            "object": "error",
            "message": "This model's maximum context length is 32768 tokens. However, your request has 40000 input tokens. "
            "Please reduce the length of the input messages.",
            "type": "BadRequestError",
            "param": "input_tokens",
            "code": 400,
        },
        40000,
        32768,
    ),
    OverflowHabit(
        "vLLM, prompt and answer",
        "ogx-ai/ogx #4534",
        {
            "object": "error",
            "message": "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the "
            "messages, 6048 in the completion). Please reduce the length of the messages or completion.",
            "type": "BadRequestError",
            "param": None,
            "code": 400,
        },
        6616,
        6048,
    ),
    OverflowHabit(
        "LM Studio 0.3",
        "lmstudio-ai/lmstudio-bug-tracker #546",
        {
            "error": "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with "
            "context length of only 32768 tokens, which is not enough. Try to load the model with a larger context length."
        },
        111490,
        32768,
    ),
    OverflowHabit(
        "LM Studio 0.4",
        "anomalyco/opencode #11141",
        {"error": "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"},
        15028,
        7424,
    ),
    OverflowHabit(
        "LM Studio without figures",
        "lmstudio-ai/lmstudio-bug-tracker #2205",
        {
            "error": "The number of tokens to keep from the initial prompt is greater than the context length. Try to load "
        },
    ),
    OverflowHabit(
        "OpenAI",
        "rahul2002m/ChatPDF #6",
        invalid(
            "This model's maximum context length is 4097 tokens. However, your messages resulted in 6988 tokens. Please "
            "reduce the length of the messages.",
            param="messages",
            code="context_length_exceeded",
        ),
        6988,
        4097,
    ),
    OverflowHabit(
        "OpenAI's newer models",
        "OpenAI error code context_length_exceeded",
        invalid(
            "Your input exceeds the context window of this model.",
            param="input",
            code="context_length_exceeded",
        ),
    ),
    OverflowHabit(
        "Anthropic",
        "anthropics/claude-code #12186",
        {
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": "prompt is too long: 208310 tokens > 200000 maximum",
            },
        },
        208310,
        200000,
    ),
    OverflowHabit(
        "Anthropic, prompt and answer",
        "docker/docker-agent #569",
        {
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length",
            },
        },
        178959,
        200000,
    ),
    OverflowHabit(
        "Gemini",
        "google-gemini/gemini-cli #6678",
        [
            {
                "error": {
                    "code": 400,
                    "message": "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
                    "status": "INVALID_ARGUMENT",
                }
            }
        ],
        1200293,
        1048576,
    ),
    OverflowHabit(
        "Mistral",
        "Mistral's API, quoted by several agents' tables of overflow messages",
        {
            "object": "error",
            "message": "Prompt contains 300000 tokens, too large for model with 131072 maximum context length",
            "type": "invalid_request_error",
            "code": "3051",
        },
        300000,
        131072,
    ),
    OverflowHabit(
        "Groq",
        "OpenHands/OpenHands #1902",
        invalid(
            "Please reduce the length of the messages or completion.",
            param="messages",
            code="context_length_exceeded",
        ),
    ),
    OverflowHabit(
        "Cerebras",
        "cline/cline #5140",
        invalid(
            "Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000"
        ),
        42328,
        40000,
    ),
    OverflowHabit(
        "OpenRouter",
        "topoteretes/cognee #1061",
        {
            "error": {
                "message": "This endpoint's maximum context length is 16384 tokens. However, you requested about 94307 tokens "
                '(94307 of text input). Please reduce the length of either one, or use the "middle-out" transform.',
                "code": 400,
                "metadata": {"provider_name": None},
            }
        },
        94307,
        16384,
    ),
)


@pytest.mark.parametrize("habit", OVERFLOWS, ids=str)
def test_the_overflow_of_each_server_is_one_error_and_its_window_is_learned(habit: OverflowHabit) -> None:
    with OpenAIServer([Fails(habit.status, body=habit.body)]) as server:
        access = Access(5, 0, SecretStr("k"), server.base_url)
        model = build_model("openai:scripted", access, lambda: pytest.fail("the built-in model was built"))
        with pytest.raises(TooLong) as caught:
            model.generate(ASK, ["Observation:"], max_tokens=90)
    assert caught.value.code == "model_too_long"
    assert caught.value.overflow == (habit.needed, habit.window)
    capability = access.capability("openai:scripted")
    assert (capability.window, capability.refused) == (habit.window, ())
