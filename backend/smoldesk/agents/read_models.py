"""[models.NAME] of agents.toml: models that chats may choose by a name, as the operator writes them."""

from typing import TYPE_CHECKING, Any, cast

from smoldesk.errors import DeskError
from smoldesk.models.access import customary
from smoldesk.models.choices import NamedModel, check_address, check_named

if TYPE_CHECKING:
    from smoldesk.agents.read_entries import Mistake

_FORMS: dict[str, tuple[type, str]] = {
    "model": (str, "the id of a model, as SMOLDESK_MODEL takes it"),
    "base_url": (str, "the address of its server, up to where /chat/completions begins"),
    "key_env": (str, "the name of a variable of the environment that holds its key"),
    "context": (int, "how many tokens its window has"),
    "images": (bool, "true or false: whether it takes pictures"),
    "structured": (bool, "true or false: whether it answers by a schema"),
}


def read_model(name: str, table: Any, mistakes: "list[Mistake]") -> NamedModel | None:
    """A model of the file; None, with what is wrong added to `mistakes`, when it is none."""
    from smoldesk.agents.read_entries import Mistake

    def miss(words: str, key: str | None = None) -> None:
        mistakes.append(Mistake(words, name, key, "model"))

    before = len(mistakes)
    if not isinstance(table, dict):
        miss(f"expected a table [models.{name}].")
        return None
    values = cast("dict[str, Any]", table)
    for key, value in values.items():
        if key not in _FORMS:
            miss(f"there is no such key; expected {', '.join(_FORMS)}.", key)
        elif type(value) is not _FORMS[key][0] or (value in ("", 0) and _FORMS[key][0] is not bool):
            miss(f"expected {_FORMS[key][1]}.", key)
    if "model" not in values:
        miss(f"it is missing; expected {_FORMS['model'][1]}.", "model")
    if len(mistakes) > before:
        return None
    try:
        check_named(name, values["model"])
        base_url = check_address(values["base_url"]) if "base_url" in values else ""
    except DeskError as fault:
        miss(str(fault))
        return None
    variable: str | None = values.get("key_env")
    key = customary(variable) if variable else None
    problem = (
        f"It needs its key in the environment variable {variable} of the desk."
        if variable and not key
        else ""
    )
    told: dict[str, Any] = {fact: values.get(fact) for fact in ("context", "images", "structured")}
    return NamedModel(name, values["model"], base_url, key, **told, problem=problem)
