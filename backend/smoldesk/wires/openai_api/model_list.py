"""The desk's agents as models."""

from smoldesk.agents import DeskAgents
from smoldesk.errors import NotFound
from smoldesk.wires.openai_api.models import Object
from smoldesk.wires.openai_api.question_handling import DEFAULT


class ModelList:
    """The agents that can answer; each is looked at anew. Imports smolagents, perhaps, so not on the event loop."""

    def __init__(self, agents: DeskAgents) -> None:
        self._agents = agents

    def all(self) -> list[Object]:
        """All of them, after the one that is whatever agent the desk or the chat chose."""
        entries = self._agents.listed.entries
        names = [name for name, entry in entries.items() if not self._agents.checks.problems(entry)]
        return [_model(name) for name in dict.fromkeys([DEFAULT, *names])]

    def get(self, name: str) -> Object:
        """One by its name. Raises NotFound."""
        if any(model["id"] == name for model in self.all()):
            return _model(name)
        message = f"The model {name[:80]!r} does not exist."
        raise NotFound(message, "GET /v1/models lists those that there are.", code="model_not_found")


def _model(name: str) -> Object:
    return {"id": name, "object": "model", "created": 0, "owned_by": "smoldesk"}
