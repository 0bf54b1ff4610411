"""GraphiQL for people who open the endpoint in a browser."""

from functools import cache

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from strawberry.http.ides import get_graphql_ide_html


def wants_explorer(request: Request) -> bool:
    """Whether a person is looking: a browser asks for HTML and sends no query."""
    return (
        request.method == "GET"
        and "query" not in request.query_params
        and "text/html" in request.headers.get("accept", "")
    )


def explorer() -> Response:
    """The page; its scripts come from a CDN, pinned by hash."""
    return HTMLResponse(_page())


@cache
def _page() -> str:
    return get_graphql_ide_html("graphiql")
