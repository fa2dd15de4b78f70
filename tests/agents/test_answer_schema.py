"""Schemas of strangers: what is taken, what is held to them, and that none costs more than a bounded time."""

from typing import Any

import pytest

from smoldesk.agents import answer_schema
from smoldesk.agents.answer_schema import AnswerSchema, check_schema
from smoldesk.errors import BadInput, ModelFault

PEOPLE: Any = {
    "type": "object",
    "properties": {
        "people": {"type": "array", "items": {"$ref": "#/$defs/Person"}, "minItems": 1},
        "pattern": {"enum": ["$id", 1, None]},
    },
    "required": ["people"],
    "additionalProperties": False,
    "$defs": {"Person": {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}},
}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (None, "The JSON Schema is missing"),
        ([], "The JSON Schema is missing"),
        ({"type": "text"}, "That is not a JSON Schema"),
        ({"properties": {"x": 3}}, "That is not a JSON Schema"),
        ({"properties": []}, "That is not a JSON Schema"),
        ({"items": {"pattern": "(a+)+$"}}, "`pattern`"),
        ({"$defs": {"a": {"patternProperties": {"(a+)+$": {}}}}}, "`patternProperties`"),
        ({"anyOf": [{"uniqueItems": True}]}, "`uniqueItems`"),
        ({"unevaluatedProperties": False}, "`unevaluatedProperties`"),
        ({"$id": "http://127.0.0.1:9/x"}, "`$id`"),
        ({"properties": {"x": {"$ref": "http://127.0.0.1:9/x"}}}, "points outside the schema"),
        ({"$ref": "#/$defs/none"}, "points outside the schema"),
        ({"$ref": "file:///etc/passwd"}, "points outside the schema"),
        ({"title": {"pattern": "(a+)+$"}, "$ref": "#/title"}, "points outside the schema"),
        ({"description": "x" * 70_000}, "too long"),
        ({"anyOf": [True] * 5_001}, "too many parts"),
    ],
)
def test_a_schema_that_is_not_taken_says_why(schema: Any, expected: str) -> None:
    with pytest.raises(BadInput, match=expected.replace("$", r"\$")):
        check_schema(schema)


@pytest.mark.parametrize(
    ("answer", "missed"),
    [
        ({"people": [{"age": 3}], "pattern": "$id"}, ""),
        (' {"people": [{"age": 3}]} ', ""),
        ({"people": [{"age": "3"}]}, r"\$.people\[0\].age"),
        ({"people": []}, r"\$.people"),
        ("Nobody is there.", "is not of type 'object'"),
        ({"people": [{"age": 3}], "more": 1}, "more"),
        ({"people": [{"age": float("nan")}]}, "not JSON"),
        ('{"people": [{"age": NaN}]}', "is not of type 'object'"),
        ({"people": object()}, "not JSON"),
    ],
)
def test_an_answer_is_held_to_it(answer: Any, missed: str) -> None:
    schema = AnswerSchema(PEOPLE)
    if not missed:
        assert schema.answer_by_schema(answer)
        schema.raise_for_mismatch()
        return
    for attempt in (1, 2):
        with pytest.raises(ValueError, match=missed):
            schema.answer_by_schema(answer)
        if attempt == 1:
            schema.raise_for_mismatch()
    with pytest.raises(ModelFault, match=missed) as fault:
        schema.raise_for_mismatch()
    assert fault.value.code == "answer_misfits"


@pytest.mark.parametrize(
    ("schema", "answer", "text"),
    [
        ({"type": "string"}, "12", '"12"'),
        ({"enum": ["true", "1"]}, "1", '"1"'),
        ({"type": ["string", "number"]}, "12", "12"),
        ({"type": "number", "multipleOf": 0.01}, 19.99, "19.99"),
        ({"multipleOf": 1e-300}, 1e300, "1e+300"),
        ({}, "1e999", '"1e999"'),
        ({}, '["\\ud83d", "é\\u0000"]', '["?", "é\\u0000"]'),
        ({}, {"\ud83d": 1}, '{"?": 1}'),
        ({}, "no \udc00", '"no ?"'),
    ],
)
def test_what_fits_is_json_that_can_be_kept_and_sent(schema: Any, answer: Any, text: str) -> None:
    checked = AnswerSchema(schema)
    assert checked.answer_by_schema(answer)
    assert checked.text == text


def test_a_part_of_a_multiple_is_none() -> None:
    with pytest.raises(ValueError, match=r"19.995 is not a multiple of 0.01"):
        AnswerSchema({"multipleOf": 0.01}).answer_by_schema(19.995)


def test_no_schema_takes_longer_than_its_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each level tries the next one twice: without an end, 2 to the power of 60 checks."""
    monkeypatch.setattr(answer_schema, "MAX_CHECKS", 5_000)
    levels: Any = {f"l{n}": {"anyOf": [{"$ref": f"#/$defs/l{n + 1}"}] * 2} for n in range(60)}
    doubling: Any = {"$ref": "#/$defs/l0", "$defs": levels | {"l60": {"type": "null"}}}
    many: Any = {"items": {"type": "integer"}}
    for schema, value in (
        (doubling, {}),
        ({"$ref": "#"}, {}),
        ({"anyOf": [{"$ref": "#"}] * 2}, {}),
        (many, [1] * 5_001),
        (
            {"anyOf": [{"type": "null"}] * 900},
            ["x" * 600_000],
        ),  # each fault has all of the answer in its words
        ({"allOf": [{"additionalProperties": {}}] * 100}, {str(key): key for key in range(2_000)}),
    ):
        with pytest.raises(ValueError, match="took too long"):
            AnswerSchema(schema).answer_by_schema(value)
