"""Reader of [models.NAME] in agents.toml: models that a chat can choose by name."""

from dataclasses import fields
from typing import Any, cast

from smoldesk.errors import DeskError
from smoldesk.models.access import customary
from smoldesk.models.choices import NamedModel, check_address, check_named
from smoldesk.models.options import ModelOptions, options_from

# The options are checked by `options_from`.
_OPTIONS = tuple(option.name for option in fields(ModelOptions))
_OF_SERVERS = {"reasoning_effort", "extra_body"}
_FORMS: dict[str, tuple[type, str]] = {
    "model": (str, "the id of a model, as SMOLDESK_MODEL takes it"),
    "base_url": (str, "the address of its server, up to where /chat/completions begins"),
    "key_env": (str, "the name of a variable of the environment that holds its key"),
    "context": (int, "how many tokens its window has"),
    "images": (bool, "true or false: whether it takes pictures"),
    "structured": (bool, "true or false: whether it answers by a schema"),
}


def read_model(name: str, table: Any) -> tuple[NamedModel | None, list[tuple[str | None, str]]]:
    """Return a model of the file, or None, and the mistakes in it, each with its key."""
    mistakes: list[tuple[str | None, str]] = []

    def miss(text: str, key: str | None = None) -> None:
        mistakes.append((key, text))

    if not isinstance(table, dict):
        miss(f"expected a table [models.{name}].")
        return None, mistakes
    values = cast("dict[str, Any]", table)
    for key, value in values.items():
        if key in _OPTIONS:
            continue
        if key not in _FORMS:
            miss(f"there is no such key; expected {', '.join((*_FORMS, *_OPTIONS))}.", key)
        elif type(value) is not _FORMS[key][0] or (value in ("", 0) and _FORMS[key][0] is not bool):
            miss(f"expected {_FORMS[key][1]}.", key)
    if "model" not in values:
        miss(f"it is missing; expected {_FORMS['model'][1]}.", "model")
    if mistakes:
        return None, mistakes
    try:
        check_named(name, values["model"])
        base_url = check_address(values["base_url"]) if "base_url" in values else ""
        options = options_from(values)
    except DeskError as fault:
        option = fault.code.removeprefix("bad_")
        miss(str(fault), option if option in _OPTIONS else None)
        return None, mistakes
    local = _OF_SERVERS & options.set_options().keys() if values["model"].startswith("transformers:") else ()
    for option in local:
        miss("a model on this machine has no such option.", option)
        return None, mistakes
    variable: str | None = values.get("key_env")
    key = customary(variable) if variable else None
    problem = (
        f"It needs its key in the environment variable {variable} of the desk."
        if variable and not key
        else ""
    )
    properties: dict[str, Any] = {fact: values.get(fact) for fact in ("context", "images", "structured")}
    return NamedModel(
        name, values["model"], base_url, key, **properties, problem=problem, options=options
    ), []
