"""Tool calls that a model wrote as text, in the forms of `reply_marks.CALLS`.

The forms differ in their marks only: a call is a JSON object with a name and arguments, or a name followed by its arguments
(as JSON, as XML parameters, or as Python code). So one search reads them all.
"""

import json
import re
from typing import Any, NamedTuple, cast

# Names of the tool that runs Python, as models call it.
INTERPRETERS = frozenset(
    [
        "python_interpreter",
        "python",
        "ipython",
        "code_interpreter",
        "execute_python",
        "run_python",
        "python_code",
    ]
)
NAME_KEYS = ("name", "tool_name", "tool", "function")
ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "tool_arguments")

_MARK = re.compile(r"<[|｜][^<>\n]{0,40}>|\[[A-Z_]{3,16}\]|</?tool_call>|</?function_call>")
_FORMAT = re.compile(r"```(?:json)?|\b(?:json|code)\s*\Z|:\d+\s*\Z")
_RECIPIENT = re.compile(r"\bto=([\w.-]+)")
_NAME = re.compile(r"([A-Za-z_][\w.-]{0,127})[^A-Za-z_]*\Z")
_XML = re.compile(r"<function=([\w.-]{1,128})>\s*(?=<parameter=|</function>)")
_XML_ARGUMENT = re.compile(r"<parameter=([\w.-]{1,128})>(.*?)</parameter>", re.DOTALL)
_GLM_ARGUMENT = re.compile(r"<arg_key>([^<]{1,128})</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)
# JSON values that do not parse: each try reads to the end of the text.
MAX_BROKEN = 8


class WrittenCall(NamedTuple):
    """Tool call; `arguments` are an object, or the text that stands in its place."""

    name: str
    arguments: dict[str, Any] | str


class BrokenCall(ValueError):
    """A section of calls that cannot be read; its text says why."""


def text_calls(text: str) -> list[WrittenCall]:
    """Return the calls in a section of a reply that starts with a mark. Raises BrokenCall if there is none."""
    calls = _xml_calls(text) or _json_calls(text) or _code_call(text)
    if not calls:
        raise BrokenCall("the tool call has no name, or its arguments are not valid JSON")
    return calls


def json_reply(text: str) -> list[WrittenCall]:
    """Return the calls of a reply that is nothing but JSON (Llama 3.2), perhaps fenced or after "Action:"; else []."""
    body = re.sub(r"\A\s*(?:Action:\s*)?(?:```(?:json)?\s*)?", "", text)
    body = re.sub(r"\s*(?:```|<end_code>)?\s*\Z", "", body)
    if not body.startswith(("{", "[")):
        return []
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return []
    items: list[Any] = cast("list[Any]", value) if isinstance(value, list) else [value]
    calls = [_call_of(item) for item in items]
    return [call for call in calls if call is not None] if all(calls) else []


def _json_calls(text: str) -> list[WrittenCall]:
    decoder, calls, at, last, broken = json.JSONDecoder(), list[WrittenCall](), 0, 0, 0
    while (match := re.compile(r"[{\[]").search(text, at)) is not None and broken < MAX_BROKEN:
        try:
            value, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            broken += match[0] == "{"
            end = match.end()
        else:
            items: list[Any] = cast("list[Any]", value) if isinstance(value, list) else [value]
            named = [call for call in map(_call_of, items) if call is not None]
            name = "" if named or not isinstance(value, dict) else _name_before(text[last : match.start()])
            last = end
            calls += named or ([WrittenCall(name, cast("dict[str, Any]", value))] if name else [])
        at = end
    return calls if not broken else []


def _call_of(value: Any) -> WrittenCall | None:
    """Return the call that an object is, if it has a name and arguments."""
    if not isinstance(value, dict):
        return None
    fields = cast("dict[str, Any]", value)
    if isinstance(fields.get("function"), dict):
        fields = cast("dict[str, Any]", fields["function"])
    name = next((fields[key] for key in NAME_KEYS if isinstance(fields.get(key), str)), None)
    key = next((key for key in ARGUMENT_KEYS if key in fields), None)
    if name is None or key is None:
        return None
    return WrittenCall(_plain(name), arguments_of_json(fields[key]))


def arguments_of_json(arguments: Any) -> dict[str, Any] | str:
    """Return arguments as an object; JSON in a text is read, and other text stays. None, "" and "null" mean none."""
    if isinstance(arguments, str) and arguments.lstrip().startswith("{"):
        arguments = json.loads(arguments)
    if isinstance(arguments, dict):
        return cast("dict[str, Any]", arguments)
    if arguments in (None, "", "null", []):
        return {}
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _name_before(text: str) -> str:
    recipient = _RECIPIENT.search(text)
    if recipient:
        return _plain(recipient[1])
    plain = _MARK.sub(" ", text[-400:]).rstrip()
    for _ in range(3):
        plain = _FORMAT.sub("", plain).rstrip()
    match = _NAME.search(plain)
    return _plain(match[1]) if match else ""


def _xml_calls(text: str) -> list[WrittenCall]:
    starts = [*_XML.finditer(text)]
    ends = [*(start.start() for start in starts[1:]), len(text)] if starts else []
    calls = [
        WrittenCall(_plain(start[1]), _values(_XML_ARGUMENT.findall(text, start.end(), end)))
        for start, end in zip(starts, ends, strict=True)
    ]
    if not calls and "<arg_key>" in text:
        for section in text.split("<tool_call>"):
            if name := _NAME.search(section.partition("<arg_key>")[0]):
                calls.append(WrittenCall(_plain(name[1]), _values(_GLM_ARGUMENT.findall(section))))
    return calls


def _values(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """Return arguments of XML: JSON where a text is JSON, else the text without the newlines around it."""

    def value(text: str) -> Any:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text.strip("\r\n")

    return {name: value(text) for name, text in pairs}


def _code_call(text: str) -> list[WrittenCall]:
    """Return Python code that was sent to an interpreter without JSON: Llama's `<|python_tag|>`, harmony's `to=python`."""
    recipient = _RECIPIENT.search(text)
    if not text.startswith("<|python_tag|>") and (not recipient or _plain(recipient[1]) not in INTERPRETERS):
        return []
    code = _MARK.sub("", text.partition("\n")[2] if recipient else text).strip()
    return [WrittenCall("python_interpreter", {"code": code})] if code and not code.startswith("{") else []


def _plain(name: str) -> str:
    """Return a name without the namespace of harmony and Kimi: `functions.draw_arrow`."""
    return name.removeprefix("functions.").removeprefix("tools.")
