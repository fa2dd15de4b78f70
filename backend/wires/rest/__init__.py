"""Plain HTTP under /api: routes.py has the routes, faults.py the form of every refusal."""

from backend.wires.rest.faults import install as install_faults
from backend.wires.rest.routes import router

__all__ = ["install_faults", "router"]
