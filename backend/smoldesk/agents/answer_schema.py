"""Answers by a client's JSON Schema: which schemas are taken, what the agent is told, and whether its answer fits.

A schema is a stranger's program. Only keywords whose cost is known are run, references lead nowhere but into the schema
itself, and a check has an end: no schema holds up the server for long. Of the rest jsonschema is the judge.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import Any, cast

from pydantic import JsonValue

from smoldesk.errors import BadInput, ModelFault
from smoldesk.messages.strict_json import read_strict_json, without_surrogates

Schema = dict[str, JsonValue]
ANY_OBJECT: Schema = {"type": "object"}
# Characters of a schema as JSON.
LONGEST = 64_000
# Schemas within a schema: each takes jsonschema some 0.4 ms to judge.
MOST_SCHEMAS = 5_000
# Keywords of a schema, entries included, that one answer is held to; long lists and words of faults count as more.
MOST_CHECKS = 100_000
MOST_ATTEMPTS = 2
_HOLD_SCHEMAS = frozenset(["properties", "$defs", "definitions", "dependentSchemas"])
_ARE_SCHEMAS = frozenset(
    [
        *("items", "prefixItems", "contains", "additionalProperties", "propertyNames"),
        *("anyOf", "allOf", "oneOf", "not", "if", "then", "else"),
    ]
)
_ARE_PLAIN = frozenset(
    [
        *("type", "enum", "const", "required", "dependentRequired", "minimum", "maximum", "exclusiveMinimum"),
        *("exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "minContains"),
        *("maxContains", "minProperties", "maxProperties", "title", "description", "default", "examples"),
        *("$schema", "$comment", "format", "deprecated", "readOnly"),
        *("writeOnly", "discriminator", "nullable"),
    ]
)


def check_schema(schema: object) -> None:
    """Raises BadInput for a schema that no answer is held to here, with the keyword that is in the way."""
    if len(json.dumps(schema)) > LONGEST:
        raise BadInput("The schema is too long.", f"Expected at most {LONGEST:,} characters.", "too_large")
    if not isinstance(schema, dict):
        raise BadInput("The JSON Schema is missing.", "Expected an object.", "invalid_type")
    if _check(schema, schema) > MOST_SCHEMAS:  # pyright: ignore[reportUnknownArgumentType]
        hint = f"Expected at most {MOST_SCHEMAS:,} schemas within it."
        raise BadInput("The schema has too many parts.", hint, "too_large")
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(schema)  # pyright: ignore[reportUnknownArgumentType]
    except SchemaError as fault:
        raise BadInput("That is not a JSON Schema.", f"{fault.json_path}: {fault.message[:300]}") from None


def _check(schema: object, root: Mapping[str, Any]) -> int:
    """How many schemas it is. Raises BadInput."""
    count = 1
    if isinstance(schema, bool):
        return count
    if not isinstance(schema, dict):
        raise BadInput("That is not a JSON Schema.", "Expected an object.")
    for name, value in cast("dict[str, Any]", schema).items():
        if name == "$ref":
            if not _leads_inside(value, root):
                raise BadInput("A `$ref` leads out of the schema.", "Expected # or #/$defs/NAME.")
        elif name in _HOLD_SCHEMAS:
            for inner in cast("dict[str, Any]", value).values() if isinstance(value, dict) else ():
                count += _check(inner, root)
        elif name in _ARE_SCHEMAS:
            for inner in cast("list[Any]", value) if isinstance(value, list) else [value]:
                count += _check(inner, root)
        elif name not in _ARE_PLAIN:
            raise BadInput(f"Answers are not held to `{name[:40]}` here.", "Remove it from the schema.")
    return count


def _leads_inside(reference: object, root: Mapping[str, Any]) -> bool:
    if reference == "#" or not isinstance(reference, str):
        return reference == "#"
    start, _, path = reference.partition("/")
    place, _, name = path.partition("/")
    definitions: Any = root.get(place) if start == "#" and place in ("$defs", "definitions") else None
    return isinstance(definitions, dict) and name in definitions and not set(name) & set("/~%")


class AnswerSchema:
    """What the answer of one run is to be. Raises BadInput for a schema that is not taken."""

    def __init__(self, schema: Any) -> None:
        check_schema(schema)
        self._schema: Schema = schema
        self._missed = ""
        self._attempts = 0
        self.text = ""
        """The answer as JSON, once one fitted."""

    @classmethod
    def of(cls, form: Mapping[str, JsonValue]) -> "AnswerSchema":
        """What RunOptions.answer_format stands for."""
        return cls(form.get("schema", ANY_OBJECT))

    @property
    def note(self) -> str:
        """What the model is told."""
        return (
            "a program reads the answer: give final_answer a value (a dict, a list, or their JSON), and no other words, that "
            f"fits this JSON Schema: {json.dumps(self._schema, ensure_ascii=False)}"
        )

    def answer_by_schema(self, answer: Any, *_: Any, **__: Any) -> bool:
        """A check of a final answer, as smolagents has them. Raises ValueError with what does not fit, for the model."""
        self._attempts += 1
        value = None
        try:
            value = _value(answer)
            self._missed = _misfit(self._schema, value)
            if self._missed and isinstance(answer, str) and not _misfit(self._schema, answer):
                value, self._missed = without_surrogates(answer), ""  # a text that reads as JSON, "12"
        except (ValueError, TypeError, ArithmeticError, RecursionError) as fault:
            self._missed = f"it is no JSON ({fault})"
        if self._missed:
            raise ValueError(f"the answer does not fit the schema: {self._missed}")
        self.text = json.dumps(value, ensure_ascii=False)
        return True

    def refuse_misfits(self) -> None:
        """Raises ModelFault when the answer did not fit, and another attempt neither."""
        if self._attempts >= MOST_ATTEMPTS and self._missed:
            raise ModelFault(
                f"The answer does not fit the schema, also after another attempt: {self._missed}",
                "Ask for less, or choose another model.",
                code="answer_misfits",
            )


def _value(answer: Any) -> Any:
    """JSON as Python has it; a text may be JSON, or be meant as it stands."""
    if not isinstance(answer, str):
        return read_strict_json(json.dumps(answer, allow_nan=False))
    try:
        return read_strict_json(answer)
    except ValueError:
        return without_surrogates(answer)


class _TooMuch(Exception):
    pass


def _misfit(schema: Schema, value: Any) -> str:
    """The first thing that does not fit; empty when all does."""
    import jsonschema

    library: Any = jsonschema  # which says little of its types
    remaining_checks = MOST_CHECKS

    def counted(check: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
        def run(validator: Any, keyword: Any, instance: Any, schema: Any) -> Iterator[Any]:
            nonlocal remaining_checks
            remaining_checks -= 1 + _length(keyword) + _length(instance) // 16
            if remaining_checks < 0:
                raise _TooMuch
            for error in check(validator, keyword, instance, schema) or ():
                remaining_checks -= len(error.message) // 100  # all of the instance stands in it
                yield error

        return run

    def multiple(_: Any, of: Any, instance: Any, __: Any) -> Iterator[Any]:
        """As people count: jsonschema's own finds 19.99 no multiple of 0.01."""
        if (
            judge.is_type(instance, "number")
            and (Fraction(str(instance)) / Fraction(str(of))).denominator != 1
        ):
            yield library.ValidationError(f"{instance!r} is not a multiple of {of}")

    checks = library.Draft202012Validator.VALIDATORS | {"multipleOf": multiple}
    keywords = {name: counted(check) for name, check in checks.items()}
    try:
        judge = library.validators.extend(library.Draft202012Validator, keywords)(schema)
        worst = library.exceptions.best_match(islice(judge.iter_errors(value), 20))
    except (_TooMuch, RecursionError):
        return "it takes too long to tell whether it does"
    return f"{worst.json_path}: {worst.message[:300]}" if worst else ""


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list | dict) else 0  # pyright: ignore[reportUnknownArgumentType]
