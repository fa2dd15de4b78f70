"""Amazon Bedrock by its Converse API, streamed. smolagents' own class neither streams nor reads an answer without tools."""

import base64
import contextlib
from typing import Any, cast

from smolagents import ChatMessageStreamDelta, MessageRole, TokenUsage, models
from smolagents.models import ChatMessageToolCallFunction, ChatMessageToolCallStreamDelta

from smoldesk.errors import ModelFault, Stopped
from smoldesk.models import bedrock_faults
from smoldesk.models.access import (
    BEDROCK,
    Access,
    library,
    revealed,
)
from smoldesk.models.pumped import PumpedModel, Say
from smoldesk.models.reasoning import ReasonedDelta
from smoldesk.models.stop_words import StopWords

CONNECT_SECONDS = 10.0
ROLES = {MessageRole.TOOL_CALL: MessageRole.ASSISTANT, MessageRole.TOOL_RESPONSE: MessageRole.USER}


class StoppableBedrockModel(PumpedModel):
    """One run's client of Bedrock; without keys boto3 looks where it always looks (AWS_*, profiles, roles)."""

    def __init__(self, model_id: str, access: Access) -> None:
        boto3 = library("boto3", "bedrock", f"bedrock:{model_id}")
        config = library("botocore.config", "bedrock", f"bedrock:{model_id}")
        self._keys = (access.bedrock_secret_access_key, access.bedrock_access_key_id)
        super().__init__(
            model_id,
            retries=access.retries,
            passing=bedrock_faults.passing,
            names=BEDROCK,
            secrets=self._keys,
        )
        try:
            self._client: Any = boto3.session.Session().client(
                "bedrock-runtime",
                region_name=access.bedrock_region or None,
                endpoint_url=access.bedrock_endpoint or None,
                aws_access_key_id=revealed(access.bedrock_access_key_id),
                aws_secret_access_key=revealed(access.bedrock_secret_access_key),
                config=config.Config(
                    connect_timeout=min(access.timeout, CONNECT_SECONDS),
                    read_timeout=access.timeout,
                    retries={"total_max_attempts": 1},
                ),
            )
        except Exception as error:  # no region, half a pair of keys, a profile that does not exist
            fault = self.fault(error)
        else:
            return
        raise fault

    def fault(self, error: Exception) -> ModelFault | Stopped:
        """See PumpedModel.fault."""
        if isinstance(error, ModelFault | Stopped):
            return error
        return bedrock_faults.translate(error, *self._keys)

    def speak(self, say: Say, messages: Any, stop_sequences: list[str] | None, **kwargs: Any) -> None:
        """See PumpedModel.speak."""
        request = request_of(messages, kwargs.get("tools_to_call_from"), kwargs.get("max_tokens"))
        answer: dict[str, Any] = self.retries(self._client.converse_stream, modelId=self.model_id, **request)
        stop = StopWords(stop_sequences)
        with contextlib.closing(answer["stream"]) as stream:
            for event in stream:
                for piece in pieces_of(event, stop):
                    say(piece)
                if stop.reached:
                    return
        if rest := stop.flush():
            say(ChatMessageStreamDelta(content=rest))


def request_of(messages: Any, tools: Any, max_tokens: int | None) -> dict[str, Any]:
    """The body of a Converse request: system texts apart, tools as Bedrock writes them."""
    plain = models.get_clean_message_list(
        messages, role_conversions=ROLES, convert_images_to_image_urls=False
    )
    request: dict[str, Any] = {"messages": []}
    for message in plain:
        content = [_block(part) for part in message["content"]]
        if str(getattr(message["role"], "value", message["role"])) == "system":
            request.setdefault("system", []).extend(content)
        else:
            role = str(getattr(message["role"], "value", message["role"]))
            request["messages"].append({"role": role, "content": content})
    if tools:
        request["toolConfig"] = {"tools": [_tool(tool) for tool in tools], "toolChoice": {"any": {}}}
    if max_tokens is not None:
        request["inferenceConfig"] = {"maxTokens": max_tokens}
    return request


def pieces_of(event: dict[str, Any], stop: StopWords) -> list[ChatMessageStreamDelta]:
    """What one event of the stream says; text goes through `stop`."""
    match event:
        case {"contentBlockDelta": {"delta": {"text": str(text)}}}:
            shown = stop.feed(text)
            return [ChatMessageStreamDelta(content=shown)] if shown else []
        case {"contentBlockDelta": {"delta": {"reasoningContent": {"text": str(text)}}}}:
            return [ReasonedDelta(reasoning=text)] if text else []
        case {"contentBlockStart": {"start": {"toolUse": {"name": name, "toolUseId": call}}, **place}}:
            return [_call(place, name=name, call_id=call)]
        case {"contentBlockDelta": {"delta": {"toolUse": {"input": str(text)}}, **place}}:
            return [_call(place, arguments=text)]
        case {"metadata": {"usage": {"inputTokens": int(came), "outputTokens": int(went)}}}:
            return [ChatMessageStreamDelta(content="", token_usage=TokenUsage(came, went))]
        case {"messageStop": {"stopReason": "guardrail_intervened" | "content_filtered" as reason}}:
            raise ModelFault(
                "The provider's content filter stopped this.",
                f"Ask in other words. It said: {reason}",
                "model_refused",
            )
        case _:
            return []


def _call(
    place: dict[str, Any], name: str = "", call_id: str | None = None, arguments: str = ""
) -> ChatMessageStreamDelta:
    call = ChatMessageToolCallStreamDelta(
        index=place.get("contentBlockIndex", 0),
        id=call_id,
        type="function",
        function=ChatMessageToolCallFunction(name=name, arguments=arguments),
    )
    return ChatMessageStreamDelta(tool_calls=[call])


def _block(part: dict[str, Any]) -> dict[str, Any]:
    if part["type"] == "image":
        return {"image": {"format": "png", "source": {"bytes": base64.b64decode(part["image"])}}}
    return {"text": str(part["text"])}


def _tool(tool: Any) -> dict[str, Any]:
    schema = cast(Any, models.get_tool_json_schema(tool))["function"]
    return {
        "toolSpec": {
            "name": schema["name"],
            "description": schema["description"],
            "inputSchema": {"json": schema["parameters"]},
        }
    }
