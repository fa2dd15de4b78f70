"""Requirements of clients: answers by a JSON Schema (supported schemas, note for the agent, check), and required calls.

A schema comes from outside and costs work. Only keywords of known cost are supported, references stay inside the schema,
and a check is limited: no schema blocks the server for long. Everything else is left to jsonschema.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import islice
from typing import Any, cast

from pydantic import JsonValue

from smoldesk.errors import BadInput, ModelFault
from smoldesk.messages.strict_json import read_strict_json, without_surrogates
from smoldesk.store.run_options import RunOptions

Schema = dict[str, JsonValue]
ANY_OBJECT: Schema = {"type": "object"}
# Characters of a schema as JSON.
LONGEST = 64_000
# Schemas within a schema: jsonschema needs about 0.4 ms to check each.
MAX_SCHEMAS = 5_000
# Applied keywords of one check; long lists and long error messages count as more than one.
MAX_CHECKS = 100_000
# Answers that an agent may give before the run fails.
MAX_ATTEMPTS = 2
# Keywords whose value is a table of schemas, a schema or a list of schemas, and no schema at all. All others are refused:
# `pattern`, for example, would run a client's regular expression, which may take for ever.
_SCHEMA_TABLES = frozenset(["properties", "$defs", "definitions", "dependentSchemas"])
_SCHEMA_KEYWORDS = frozenset(
    [
        *("items", "prefixItems", "contains", "additionalProperties", "propertyNames"),
        *("anyOf", "allOf", "oneOf", "not", "if", "then", "else"),
    ]
)
_PLAIN_KEYWORDS = frozenset(
    [
        *("type", "enum", "const", "required", "dependentRequired", "minimum", "maximum", "exclusiveMinimum"),
        *("exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "minContains"),
        *("maxContains", "minProperties", "maxProperties", "title", "description", "default", "examples"),
        *("$schema", "$comment", "format", "deprecated", "readOnly"),
        *("writeOnly", "discriminator", "nullable"),
    ]
)


def check_schema(schema: object) -> None:
    """Raise BadInput for a schema that is not supported, with the keyword that is the reason."""
    if len(json.dumps(schema)) > LONGEST:
        raise BadInput("The schema is too long.", f"Expected at most {LONGEST:,} characters.", "too_large")
    if not isinstance(schema, dict):
        raise BadInput("The JSON Schema is missing.", "Expected an object.", "invalid_type")
    if _check(schema, schema) > MAX_SCHEMAS:  # pyright: ignore[reportUnknownArgumentType]
        hint = f"Expected at most {MAX_SCHEMAS:,} schemas within it."
        raise BadInput("The schema has too many parts.", hint, "too_large")
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(schema)  # pyright: ignore[reportUnknownArgumentType]
    except SchemaError as fault:
        raise BadInput("That is not a JSON Schema.", f"{fault.json_path}: {fault.message[:300]}") from None


def _check(schema: object, root: Mapping[str, Any]) -> int:
    """Return the number of schemas within a schema. Raises BadInput."""
    count = 1
    if isinstance(schema, bool):
        return count
    if not isinstance(schema, dict):
        raise BadInput("That is not a JSON Schema.", "Expected an object.")
    for name, value in cast("dict[str, Any]", schema).items():
        if name == "$ref":
            if not _is_local_reference(value, root):
                raise BadInput("A `$ref` points outside the schema.", "Expected # or #/$defs/NAME.")
        elif name in _SCHEMA_TABLES:
            for inner in cast("dict[str, Any]", value).values() if isinstance(value, dict) else ():
                count += _check(inner, root)
        elif name in _SCHEMA_KEYWORDS:
            for inner in cast("list[Any]", value) if isinstance(value, list) else [value]:
                count += _check(inner, root)
        elif name not in _PLAIN_KEYWORDS:
            raise BadInput(
                f"The schema keyword `{name[:40]}` is not supported.", "Remove it from the schema."
            )
    return count


def _is_local_reference(reference: object, root: Mapping[str, Any]) -> bool:
    if reference == "#" or not isinstance(reference, str):
        return reference == "#"
    start, _, path = reference.partition("/")
    place, _, name = path.partition("/")
    definitions: Any = root.get(place) if start == "#" and place in ("$defs", "definitions") else None
    return isinstance(definitions, dict) and name in definitions and not set(name) & set("/~%")


class AnswerSchema:
    """Schema of one run's answer. Raises BadInput for one that is not supported."""

    def __init__(self, schema: Any) -> None:
        check_schema(schema)
        self._schema: Schema = schema
        self._missed = ""
        self._attempts = 0
        self.text = ""
        """Answer as JSON, once one fits."""

    @classmethod
    def of(cls, form: Mapping[str, JsonValue]) -> "AnswerSchema":
        """Build the schema that RunOptions.answer_format asks for."""
        return cls(form.get("schema", ANY_OBJECT))

    @property
    def note(self) -> str:
        """Note for the model: answer by this schema."""
        return (
            "a program reads the answer: give final_answer a value (a dict, a list, or their JSON), and no other words, that "
            f"fits this JSON Schema: {json.dumps(self._schema, ensure_ascii=False)}"
        )

    def checks(self, _called: Set[str]) -> list[Callable[..., bool]]:
        """Return smolagents' `final_answer_checks`."""
        return [self.answer_by_schema]

    def answer_by_schema(self, answer: Any, *_: Any, **__: Any) -> bool:
        """Check a final answer. Raises ValueError, for the model, if it does not fit."""
        self._attempts += 1
        value = None
        try:
            value = _value(answer)
            self._missed = _mismatch(self._schema, value)
            if self._missed and isinstance(answer, str) and not _mismatch(self._schema, answer):
                value, self._missed = without_surrogates(answer), ""  # a text that reads as JSON, "12"
        except (ValueError, TypeError, ArithmeticError, RecursionError) as fault:
            self._missed = f"it is not JSON ({fault})"
        if self._missed:
            raise ValueError(f"the answer does not fit the schema: {self._missed}")
        self.text = json.dumps(value, ensure_ascii=False)
        return True

    def raise_for_mismatch(self) -> None:
        """Raise ModelFault when the last allowed attempt did not fit."""
        if self._attempts >= MAX_ATTEMPTS and self._missed:
            raise ModelFault(
                f"The answer does not fit the schema, even after another attempt: {self._missed}",
                "Ask for less, or choose another model.",
                code="answer_misfits",
            )


class RequiredCall:
    """Requirement of one run: call one of the client's tools before the answer."""

    text = ""

    def __init__(self, tools: Sequence[str]) -> None:
        self._tools = ", ".join(tools)
        self._names = frozenset(tools)
        self._attempts = 0

    @property
    def note(self) -> str:
        """Note for the model."""
        return f"call one of these tools before you answer: {self._tools}"

    def checks(self, called: Set[str]) -> list[Callable[..., bool]]:
        """Return smolagents' `final_answer_checks`; `called` are the names of the tools called so far."""

        def tool_called(*_: Any, **__: Any) -> bool:
            self._attempts += 1
            if self._names.isdisjoint(called):
                raise ValueError(f"no tool of the client was called; call one of: {self._tools}")
            self._attempts = 0
            return True

        return [tool_called]

    def raise_for_mismatch(self) -> None:
        """Raise ModelFault when the last allowed attempt answered without a call."""
        if self._attempts >= MAX_ATTEMPTS:
            raise ModelFault(
                f"The agent called none of the client's tools, even after another attempt: {self._tools}",
                "Leave `tool_choice` out, or choose another model.",
                code="tool_not_called",
            )


def requirement_of(options: RunOptions) -> AnswerSchema | RequiredCall | None:
    """Return what the client of a run requires of its answer, or None. Raises BadInput for an unsupported schema."""
    if options.answer_format is not None:
        return AnswerSchema.of(options.answer_format)
    if options.must_call:
        return RequiredCall([tool.name for tool in options.client_tools or ()])
    return None


def _value(answer: Any) -> Any:
    """Read an answer as JSON; a text that is not JSON stands for itself."""
    if not isinstance(answer, str):
        return read_strict_json(json.dumps(answer, allow_nan=False))
    try:
        return read_strict_json(answer)
    except ValueError:
        return without_surrogates(answer)


class _CheckLimitExceeded(Exception):
    pass


def _mismatch(schema: Schema, value: Any) -> str:
    """Return the first mismatch, or an empty text when the value fits."""
    import jsonschema

    library: Any = jsonschema  # its types are incomplete
    remaining_checks = MAX_CHECKS

    def limited(check: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
        def run(validator: Any, keyword: Any, instance: Any, schema: Any) -> Iterator[Any]:
            nonlocal remaining_checks
            remaining_checks -= 1 + _length(keyword) + _length(instance) // 16
            if remaining_checks < 0:
                raise _CheckLimitExceeded
            for error in check(validator, keyword, instance, schema) or ():
                remaining_checks -= len(error.message) // 100  # a message repeats the whole instance
                yield error

        return run

    def multiple(_: Any, of: Any, instance: Any, __: Any) -> Iterator[Any]:
        # jsonschema divides floats, by which 19.99 is not a multiple of 0.01: exact fractions of the decimal texts instead
        if (
            checker.is_type(instance, "number")
            and (Fraction(str(instance)) / Fraction(str(of))).denominator != 1
        ):
            yield library.ValidationError(f"{instance!r} is not a multiple of {of}")

    checks = library.Draft202012Validator.VALIDATORS | {"multipleOf": multiple}
    keywords = {name: limited(check) for name, check in checks.items()}
    try:
        checker = library.validators.extend(library.Draft202012Validator, keywords)(schema)
        # best_match compares all errors it is given: 20 of them are enough for a useful message.
        worst = library.exceptions.best_match(islice(checker.iter_errors(value), 20))
    except (_CheckLimitExceeded, RecursionError):
        return "checking the answer took too long"
    return f"{worst.json_path}: {worst.message[:300]}" if worst else ""


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list | dict) else 0  # pyright: ignore[reportUnknownArgumentType]
