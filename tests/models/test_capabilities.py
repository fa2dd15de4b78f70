"""What a server refuses is left out at once and afterwards: the real clients, against a server that refuses as others do."""

from dataclasses import dataclass
from typing import Any, cast

import pytest
from pydantic import SecretStr
from smolagents import ChatMessage, MessageRole, Model
from smolagents.models import CODEAGENT_RESPONSE_FORMAT

from smoldesk.errors import ModelFault
from smoldesk.models import Access, build_model
from smoldesk.models.adaptation import SchemaRefused
from smoldesk.models.capabilities import MAX_MODELS, Capabilities
from smoldesk.tools.policy import DeskTool
from tests.models.test_providers import PROVIDERS
from tests.support.openai_server import Calls, ErrsMidway, Fails, OpenAIServer, Reply, Says, Seen
from tests.support.tools import Noting

SYSTEM = ChatMessage(role=MessageRole.SYSTEM, content=[{"type": "text", "text": "You analyse data."}])
ASK = ChatMessage(role=MessageRole.USER, content=[{"type": "text", "text": "How many rooms?"}])
STOP = ["Observation:"]


def openai_error(message: str, param: str | None, code: str | None = "unsupported_parameter") -> Any:
    """An error as OpenAI words it."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def vllm_error(message: str) -> Any:
    return {"object": "error", "message": message, "type": "BadRequestError", "param": None, "code": 400}


@dataclass(frozen=True)
class Habit:
    """A server that refuses `feature` in its own words, with the issue that quotes them."""

    name: str
    source: str
    feature: str
    body: Any
    status: int = 400

    def __str__(self) -> str:
        return self.name


HABITS = (
    Habit(
        "OpenAI o1 streams nothing",
        "animalnots/BetterChatGPT-PLUS #62",
        "streaming",
        openai_error(
            "Unsupported value: 'stream' does not support true with this model. Only the default (false) value is supported.",
            "stream",
            "unsupported_value",
        ),
    ),
    Habit(
        "OpenAI streams to verified organisations alone, behind OpenRouter",
        "BeehiveInnovations/pal-mcp-server #134",
        "streaming",
        {
            "error": {
                "message": "Provider returned error",
                "code": 400,
                "metadata": {
                    "raw": '{"error": {"message": "Your organization must be verified to stream this model.", '
                    '"type": "invalid_request_error", "param": "stream", "code": "unsupported_value"}}'
                },
            }
        },
    ),
    Habit(
        "Gemma's template knows no system role, vLLM",
        "vllm-project/vllm #2964",
        "system",
        vllm_error("System role not supported"),
    ),
    Habit(
        "OpenAI o1-mini takes no system role",
        "CherryHQ/cherry-studio #4973",
        "system",
        openai_error(
            "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
            "messages[0].role",
            "unsupported_value",
        ),
    ),
    Habit(
        "Google's Gemma takes no instruction",
        "0xPlaygrounds/rig #788",
        "system",
        [
            {
                "error": {
                    "code": 400,
                    "message": "Developer instruction is not enabled for models/gemma-3-27b-it",
                    "status": "INVALID_ARGUMENT",
                }
            }
        ],
    ),
    Habit(
        "Ollama's model takes no tools",
        "pydantic/pydantic-ai #703",
        "tools",
        {
            "error": {
                "message": "registry.ollama.ai/library/llama3:8b does not support tools",
                "type": "api_error",
                "param": None,
                "code": None,
            }
        },
    ),
    Habit(
        "DeepSeek's reasoner calls no functions",
        "spring-projects/spring-ai #2643",
        "tools",
        openai_error("deepseek-reasoner does not support Function Calling", None, "invalid_request_error"),
    ),
    Habit(
        "vLLM without a parser of calls",
        "FoundationAgents/OpenManus #331",
        "tools",
        vllm_error('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    ),
    Habit(
        "OpenRouter finds no endpoint with tools",
        "evalstate/fast-agent #122",
        "tools",
        {"error": {"message": "No endpoints found that support tool use. To learn more, visit", "code": 404}},
        404,
    ),
    Habit(
        "DeepSeek's thinking mode takes no tool_choice",
        "shareAI-lab/Kode-CLI #182",
        "tool_choice",
        openai_error("Thinking mode does not support this tool_choice", None, "invalid_request_error"),
    ),
    Habit(
        "OpenAI's reasoning models take no stop",
        "huggingface/smolagents #1893",
        "stop",
        openai_error("Unsupported parameter: 'stop' is not supported with this model.", "stop"),
    ),
    Habit(
        "xAI's grok-3-mini takes no stop",
        "BerriAI/litellm #11563",
        "stop",
        {
            "code": "Client specified an invalid argument",
            "error": "Argument not supported on this model: stop",
        },
    ),
    Habit(
        "xAI's grok-4.6 takes no stop",
        "lidge-jun/opencodex #5278",
        "stop",
        {"code": "invalid-argument", "error": "Model grok-4.6 does not support parameter stop."},
    ),
    Habit(
        "OpenAI's reasoning models take no max_tokens",
        "griptape-ai/ComfyUI-Griptape #312",
        "max_tokens",
        openai_error(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            "max_tokens",
        ),
    ),
    Habit(
        "GitHub Copilot takes no max_tokens, without naming it in a field",
        "caozhiyuan/copilot-api #164",
        "max_tokens",
        {
            "error": {
                "message": "Unsupported parameter: 'max_tokens' is not supported with this model. "
                "Use 'max_completion_tokens' instead.",
                "code": "invalid_request_body",
            }
        },
    ),
    Habit(
        "gpt-5 has one temperature",
        "owndev/Open-WebUI-Functions #98",
        "temperature",
        openai_error(
            "Unsupported value: 'temperature' does not support 0.01 with this model. Only the default (1) value is supported.",
            "temperature",
            "unsupported_value",
        ),
    ),
    Habit(
        "Anthropic deprecates temperature",
        "The-PR-Agent/pr-agent #2456",
        "temperature",
        {
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": "`temperature` is deprecated for this model.",
            },
        },
    ),
    Habit(
        "OpenAI o3-mini calls one tool after the other",
        "browser-use/web-ui #648",
        "parallel_tool_calls",
        openai_error(
            "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
            "parallel_tool_calls",
        ),
    ),
    Habit(
        "Azure's older API knows no stream_options",
        "Pythagora-io/gpt-pilot #1022",
        "stream_options",
        openai_error(
            "Unrecognized request argument supplied: stream_options. Please contact us through an Azure support request.",
            "",
            None,
        ),
    ),
    Habit(
        "A server checks for extra fields",
        "gpustack/gpustack #429",
        "stream_options",
        {
            "detail": [
                {
                    "type": "extra_forbidden",
                    "loc": ["body", "stream_options"],
                    "msg": "Extra inputs are not permitted",
                    "input": {"include_usage": True},
                }
            ]
        },
        422,
    ),
    Habit(
        "Mistral checks for extra fields",
        "editor-code-assistant/eca #231",
        "reasoning_effort",
        {
            "object": "error",
            "message": {
                "detail": [
                    {
                        "type": "extra_forbidden",
                        "loc": ["body", "reasoning_effort"],
                        "msg": "Extra inputs are not permitted",
                        "input": "low",
                    }
                ]
            },
            "type": "invalid_request_error",
            "param": None,
            "code": None,
        },
        422,
    ),
    Habit(
        "gpt-4o-mini knows no reasoning effort",
        "yaroslavyaroslav/OpenAI-sublime-text #146",
        "reasoning_effort",
        openai_error("Unrecognized request argument supplied: reasoning_effort", None, None),
    ),
    Habit(
        "xAI names the reasoning effort in its own spelling",
        "charmbracelet/crush #386",
        "reasoning_effort",
        {
            "code": "Client specified an invalid argument",
            "error": "Argument not supported on this model: reasoningEffort",
        },
    ),
    Habit(
        "Anthropic takes either of two",
        "chatboxai/chatbox #2670",
        "top_p",
        {
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
            },
        },
    ),
)
SETTINGS = {"temperature": 0.01, "reasoning_effort": "low", "extra_body": {"top_p": 0.9}}


def built(server: OpenAIServer, access: Access | None = None) -> tuple[Model, Access]:
    access = access or Access(5, 0, SecretStr("k"), server.base_url)
    return build_model("openai:scripted", access, lambda: pytest.fail("the built-in model was built")), access


def asked(model: Model, tools: list[DeskTool] | None = None, **more: Any) -> ChatMessage:
    settings: dict[str, Any] = SETTINGS | {"max_tokens": 90, "parallel_tool_calls": True} | more
    return model.generate([SYSTEM, ASK], STOP, tools_to_call_from=cast(Any, tools), **settings)


def has(request: Seen, feature: str) -> bool:
    match feature:
        case "streaming":
            return request.body.get("stream") is True
        case "system":
            return any(message["role"] == "system" for message in request.body["messages"])
        case _:
            return feature in request.body


@pytest.mark.parametrize("habit", HABITS, ids=str)
def test_what_is_refused_once_is_left_out_at_once_and_from_then_on(habit: Habit) -> None:
    with OpenAIServer(
        lambda seen: Fails(habit.status, body=habit.body) if has(seen, habit.feature) else Says("4")
    ) as server:
        model, access = built(server)
        assert asked(model, [Noting([])]).content == "4"
        assert [has(request, habit.feature) for request in server.requests] == [True, False]
        assert access.capability("openai:scripted").refused == (habit.feature,)
        another, _ = built(server, access)  # as for the next run
        assert asked(another, [Noting([])]).content == "4"
        assert len(server.requests) == 3
        kept = {"streaming", "system", "stop", "temperature", "tools", "reasoning_effort"} - {habit.feature}
        assert {feature for feature in kept if has(server.requests[-1], feature)} == kept


def test_every_refusal_of_one_request_is_learned() -> None:
    refused = ("stop", "max_tokens", "temperature", "streaming", "system")
    bodies = {habit.feature: habit.body for habit in HABITS}

    def strict(seen: Seen) -> Reply:
        feature = next((feature for feature in refused if has(seen, feature)), None)
        return Fails(400, body=bodies[feature]) if feature else Says("4")

    with OpenAIServer(strict) as server:
        model, _ = built(server)
        assert asked(model).content == "4"
        assert asked(model).content == "4"
    assert len(server.requests) == len(refused) + 2
    assert server.requests[-1].body["max_completion_tokens"] == 90


def test_the_other_name_of_a_limit_is_taken_and_back() -> None:
    both = {
        name: openai_error(f"Unsupported parameter: '{name}' is not supported with this model.", name)
        for name in ("max_tokens", "max_completion_tokens")
    }
    with OpenAIServer([Fails(400, body=both["max_completion_tokens"]), Says("4")]) as server:
        model, _ = built(server)
        model.generate([ASK], max_completion_tokens=90)
    assert server.requests[1].body["max_tokens"] == 90
    with OpenAIServer([*(Fails(400, body=body) for body in both.values()), Says("4")]) as server:
        model, _ = built(server)
        model.generate([ASK], max_tokens=90)
    assert not both.keys() & server.requests[2].body.keys()


def test_instructions_go_to_the_first_message_of_the_user() -> None:
    with OpenAIServer([Fails(400, "System role not supported"), Says("4")]) as server:
        asked(built(server)[0])
    [message] = server.requests[1].body["messages"]
    assert message["role"] == "user"
    assert [part["text"] for part in message["content"]] == ["You analyse data.\n\nHow many rooms?"]


def test_calls_of_an_answer_without_a_stream_are_calls() -> None:
    with OpenAIServer([Fails(400, "streaming is not supported"), Calls(("note", {"word": "a"}))]) as server:
        reply = asked(built(server)[0], [Noting([])])
    [call] = reply.tool_calls or []
    assert (call.function.name, call.function.arguments) == ("note", '{"word": "a"}')
    assert reply.token_usage is not None and reply.token_usage.input_tokens == 11


@pytest.mark.parametrize(
    "written",
    [
        '{"name": "note", "arguments": {"word": "a"}}',
        '<think>{"name": "note", "arguments": {"word": "b"}}</think>\n```json\n'
        '{"name": "note", "parameters": {"word": "a"}}\n```',
    ],
)
def test_tools_are_described_to_a_model_that_takes_none_and_its_json_is_a_call(written: str) -> None:
    replies = [
        Fails(400, "llama3:8b does not support tools"),
        Says(written[:20], written[20:]),
        Says("No tool fits."),
    ]
    with OpenAIServer(replies) as server:
        model, _ = built(server)
        reply = asked(model, [Noting([])])
        assert asked(model, [Noting([])]).content == "No tool fits."
    [call] = reply.tool_calls or []
    assert (call.function.name, call.function.arguments, reply.content) == ("note", '{"word": "a"}', "")
    instructions = server.requests[1].body["messages"][0]["content"]
    assert '"Notes a word."' in instructions[1]["text"]
    assert not {"tools", "tool_choice", "parallel_tool_calls"} & server.requests[1].body.keys()


def test_a_refused_schema_is_remembered_and_left_to_the_agent() -> None:
    error = openai_error(
        "This response_format type is unavailable now", None, "invalid_request_error"
    )  # llm-exe #662
    with OpenAIServer([Fails(400, body=error)]) as server:
        model, access = built(server)
        with pytest.raises(SchemaRefused, match="is unavailable now"):
            model.generate([ASK], response_format=cast(Any, CODEAGENT_RESPONSE_FORMAT))
    assert access.capability("openai:scripted").refused == ("response_format",)


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (401, openai_error("Incorrect API key. 'stop' is not supported", "stop"), "model_auth"),
        (
            429,
            {"error": {"message": "Rate limit: streaming is not supported on the free tier"}},
            "model_rate_limited",
        ),
        (
            400,
            openai_error("max_tokens is too large: 90. At most 64.", "max_tokens", "invalid_value"),
            "model_refused",
        ),
        (
            400,
            openai_error("Invalid 'stop[0]': string too long.", "stop", "string_above_max_length"),
            "model_refused",
        ),
        (400, openai_error("Invalid image: the format is not supported.", None, None), "model_refused"),
    ],
)
def test_an_error_about_something_else_switches_nothing_off(status: int, body: Any, code: str) -> None:
    with OpenAIServer([Fails(status, body=body)]) as server:
        model, access = built(server)
        with pytest.raises(ModelFault) as caught:
            asked(model)
    assert caught.value.code == code
    assert access.capability("openai:scripted").refused == ()


@pytest.mark.parametrize(
    "body",
    [
        {
            "detail": [
                {
                    "type": "string_type",
                    "loc": ["body", "messages", 0],
                    "msg": "Input should be a list",
                    "input": "{said}",
                }
            ]
        },
        {"error": {"message": "Cannot parse the request: {said}", "code": "bad_request"}},
    ],
)
def test_what_a_person_wrote_switches_nothing_off_when_the_error_repeats_it(body: Any) -> None:
    said = "Why does it say: Unsupported parameter: 'stop' is not supported with this model."

    def repeated(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace("{said}", said)
        if isinstance(value, list):
            return [repeated(item) for item in cast("list[Any]", value)]
        return {key: repeated(item) for key, item in value.items()} if isinstance(value, dict) else value

    question = ChatMessage(role=MessageRole.USER, content=[{"type": "text", "text": said}])
    with OpenAIServer([Fails(400, body=repeated(body))]) as server:
        model, access = built(server)
        with pytest.raises(ModelFault):
            model.generate([question], STOP)
    assert access.capability("openai:scripted").refused == ()


def test_a_server_that_refuses_everything_is_asked_a_bounded_number_of_times() -> None:
    names = [f"option_{at}" for at in range(20)]

    def refuse(seen: Seen) -> Reply:
        name = next(name for name in names if name in seen.body)
        return Fails(400, f"Unsupported parameter: '{name}' is not supported with this model.")

    with OpenAIServer(refuse) as server:
        model, _ = built(server)
        with pytest.raises(ModelFault, match="option_8"):
            model.generate([ASK], extra_body=dict.fromkeys(names, 1))
    assert len(server.requests) == 9


def test_a_refusal_inside_a_stream_counts_only_before_its_first_piece() -> None:
    with OpenAIServer([ErrsMidway(message="'stop' is not supported"), Says("4")]) as server:
        assert asked(built(server)[0]).content == "4"
    replies = [ErrsMidway("a piece", message="'stop' is not supported"), Says("4")]
    with OpenAIServer(replies) as server, pytest.raises(ModelFault):
        asked(built(server)[0])


def test_litellm_learns_as_well() -> None:
    pytest.importorskip("litellm", reason="litellm is not installed")
    provider = PROVIDERS["litellm"]
    error = openai_error("Unsupported parameter: 'stop' is not supported with this model.", "stop")
    with OpenAIServer(lambda seen: Fails(400, body=error) if "stop" in seen.body else Says("4")) as server:
        access = provider.access(Access(20, 0), server)
        for _ in range(2):
            model = build_model(
                provider.model_id, access, lambda: pytest.fail("the built-in model was built")
            )
            assert model.generate([SYSTEM, ASK], STOP).content == "4"
    assert ["stop" in request.body for request in server.requests] == [True, False, False]


def test_refusals_belong_to_an_address_and_a_model_and_are_bounded() -> None:
    capabilities = Capabilities()
    for at in range(MAX_MODELS + 5):
        capabilities.of("http://a", f"model {at}").refuse("stop")
    assert capabilities.of("http://a", f"model {MAX_MODELS + 4}").refused == ("stop",)
    assert capabilities.of("http://b", f"model {MAX_MODELS + 4}").refused == ()
    assert capabilities.of("http://a", "model 0").refused == ()
