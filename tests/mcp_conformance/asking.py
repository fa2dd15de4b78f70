"""Tools and a prompt that ask the client: by a request on the way (older protocol), or by a result that wants more (newer)."""

from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import (
    ContentBlock,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    TextContent,
)

Answer = list[ContentBlock] | InputRequiredResult


def text(message: str) -> list[ContentBlock]:
    return [TextContent(type="text", text=message)]


def question(message: str, **properties: dict[str, Any]) -> ElicitRequest:
    schema: Any = {"type": "object", "properties": properties, "required": list(properties)}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(prompt: str, tokens: int) -> CreateMessageRequest:
    sampling_message = SamplingMessage(role="user", content=TextContent(type="text", text=prompt))
    return CreateMessageRequest(
        params=CreateMessageRequestParams(messages=[sampling_message], max_tokens=tokens)
    )


def want(state: str | None = None, **requests: InputRequest) -> InputRequiredResult:
    return InputRequiredResult(input_requests=dict(requests), request_state=state)


def given(ctx: Context, *names: str) -> dict[str, Any] | None:
    """The answers of these names as plain data; None while one is missing or is none."""
    answers = ctx.input_responses or {}
    if any(name not in answers for name in names):
        return None
    return {name: answers[name].model_dump(by_alias=True) for name in names}


NAME = {"type": "string"}


async def test_input_required_result_elicitation(ctx: Context) -> Answer:
    answers = given(ctx, "user_name")
    content = (answers or {}).get("user_name", {}).get("content")
    if not isinstance(content, dict) or not isinstance(content.get("name"), str):  # pyright: ignore
        return want(user_name=question("What is your name?", name=NAME))
    return text(f"Hello, {content['name']}!")


async def test_input_required_result_sampling(ctx: Context) -> Answer:
    answers = given(ctx, "capital_question")
    if answers is None:
        return want(capital_question=sample("What is the capital of France?", 100))
    return text(str(answers["capital_question"].get("content")))


async def test_input_required_result_list_roots(ctx: Context) -> Answer:
    answers = given(ctx, "client_roots")
    return want(client_roots=ListRootsRequest()) if answers is None else text(str(answers["client_roots"]))


async def test_input_required_result_request_state(ctx: Context) -> Answer:
    if given(ctx, "confirm") is None:
        return want("asked", confirm=question("Please confirm", ok={"type": "boolean"}))
    return text("state-ok" if ctx.request_state == "asked" else "state-lost")


async def test_input_required_result_tampered_state(ctx: Context) -> Answer:
    return await test_input_required_result_request_state(ctx)


async def test_input_required_result_multiple_inputs(ctx: Context) -> Answer:
    answers = given(ctx, "user_name", "greeting", "client_roots")
    if answers is None:
        return want(
            "asked",
            user_name=question("What is your name?", name=NAME),
            greeting=sample("Generate a greeting", 50),
            client_roots=ListRootsRequest(),
        )
    return text(str(answers))


async def test_input_required_result_multi_round(ctx: Context) -> Answer:
    if ctx.request_state == "two" and given(ctx, "step2") is not None:
        return text("all steps done")
    if ctx.request_state == "one" and given(ctx, "step1") is not None:
        return want("two", step2=question("Step 2: What is your favorite color?", color=NAME))
    return want("one", step1=question("Step 1: What is your name?", name=NAME))


async def test_input_required_result_capabilities(ctx: Context) -> Answer:
    able = ctx.client_capabilities
    requests: dict[str, InputRequest] = {}
    if able is not None and able.elicitation is not None:
        requests["user_name"] = question("What is your name?", name=NAME)
    if able is not None and able.sampling is not None:
        requests["greeting"] = sample("Generate a greeting", 50)
    if not requests or (ctx.input_responses or {}):
        return text("nothing to ask")
    return InputRequiredResult(input_requests=requests)


async def test_sampling(prompt: str, ctx: Context) -> list[ContentBlock]:
    sampling_message = SamplingMessage(role="user", content=TextContent(type="text", text=prompt))
    answer: Any = await ctx.session.create_message(messages=[sampling_message], max_tokens=100)  # pyright: ignore[reportDeprecated]
    return text(f"LLM response: {getattr(answer.content, 'text', '')}")


async def _elicit(ctx: Context, message: str, properties: dict[str, Any], required: list[str]) -> str:
    schema: Any = {"type": "object", "properties": properties, "required": required}
    answer = await ctx.session.elicit_form(message, schema, ctx.request_id)
    return f"action={answer.action}, content={answer.content}"


async def test_elicitation(message: str, ctx: Context) -> list[ContentBlock]:
    properties = {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    }
    return text(f"User response: {await _elicit(ctx, message, properties, [*properties])}")


async def test_elicitation_sep1034_defaults(ctx: Context) -> list[ContentBlock]:
    properties = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return text(f"Elicitation completed: {await _elicit(ctx, 'Please fill in', properties, [])}")


async def test_elicitation_sep1330_enums(ctx: Context) -> list[ContentBlock]:
    options = ["option1", "option2", "option3"]
    titled = [
        {"const": f"value{number}", "title": f"{nth} Option"}
        for number, nth in enumerate(("First", "Second", "Third"), 1)
    ]
    properties = {
        "untitledSingle": {"type": "string", "enum": options},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return text(f"Elicitation completed: {await _elicit(ctx, 'Please choose', properties, [])}")


TOOLS = (
    test_input_required_result_elicitation,
    test_input_required_result_sampling,
    test_input_required_result_list_roots,
    test_input_required_result_request_state,
    test_input_required_result_tampered_state,
    test_input_required_result_multiple_inputs,
    test_input_required_result_multi_round,
    test_input_required_result_capabilities,
    test_sampling,
    test_elicitation,
    test_elicitation_sep1034_defaults,
    test_elicitation_sep1330_enums,
)


def install(server: MCPServer) -> None:
    """Add them to a server."""
    for tool in TOOLS:
        server.add_tool(tool, description=tool.__name__, structured_output=False)

    @server.prompt(description="for the suite")
    async def test_input_required_result_prompt(ctx: Context) -> Any:  # pyright: ignore[reportUnusedFunction]
        answers = given(ctx, "user_context")
        if answers is None:
            return want(user_context=question("What context should the prompt use?", context=NAME))
        return f"Use this context: {answers['user_context'].get('content')}"
