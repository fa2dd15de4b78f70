"""Plain HTTP under /api: routes.py has the routes, faults.py the form of every refusal."""

from smoldesk.wires.rest.errors import install as install_faults
from smoldesk.wires.rest.project_routes import add_project_routes
from smoldesk.wires.rest.routes import router

__all__ = ["add_project_routes", "install_faults", "router"]
