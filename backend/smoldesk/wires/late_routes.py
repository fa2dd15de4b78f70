"""Routes that FastAPI builds at their first request or for the schema.

A server has some 150 routes and is called on a few of them. To read the signature of each and build its validators is
most of the time in which an app is created.
"""

from collections.abc import Callable
from typing import Any

from fastapi.routing import APIRoute
from starlette.routing import compile_path, get_name
from starlette.types import ASGIApp, Receive, Scope, Send


class LateRoute(APIRoute):
    """Route that knows its path and methods, and builds everything else when that is first read.

    `app` may be wrapped before: it calls the built one. Only one thread may use the routes of an app.
    """

    _built: ASGIApp | None = None

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        self.path = path
        self.endpoint = endpoint
        self.name = options["name"] or get_name(endpoint)
        self.methods = {method.upper() for method in options["methods"] or ["GET"]}
        self.path_regex, self.path_format, self.param_convertors = compile_path(path)
        self.response_class = options["response_class"]
        self.include_in_schema = options["include_in_schema"]
        self._options = options
        self.app = self._call

    def __getattr__(self, name: str) -> Any:
        """Build the route for an attribute that the constructor has not set."""
        if self._built is not None or name.startswith("__") or "_options" not in vars(self):
            raise AttributeError(name)
        self._build()
        return getattr(self, name)

    async def _call(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._built or self._build())(scope, receive, send)

    def _build(self) -> ASGIApp:
        app = self.app
        super().__init__(self.path, self.endpoint, **self._options)
        self._built, self.app = self.app, app
        return self._built
