"""GraphiQL for people who open the endpoint in a browser; it works without the internet."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

# Only its files are used: GraphiQL 2, React 17 and the query builder, as their authors built them.
_WHEEL = "graphene_django_graphiql_static"


def wants_explorer(request: Request) -> bool:
    """Whether a person is looking: a browser asks for HTML and sends no query."""
    return (
        request.method == "GET"
        and "query" not in request.query_params
        and "text/html" in request.headers.get("accept", "")
    )


def explorer_page() -> Response:
    """The page; it loads its files from `explorer/` beside the endpoint."""
    return HTMLResponse(_page(), headers={"content-security-policy": "frame-ancestors 'none'"})


@dataclass(frozen=True, slots=True)
class Tab:
    """Operations that the page opens with, and their variables as JSON text."""

    query: str
    variables: str = ""


def explorer_files(tabs: Sequence[Tab] = ()) -> Mount:
    """The routes of the page's scripts and styles, and of the tabs it opens with."""
    shown = [asdict(tab) for tab in tabs]

    async def opening(_: Request) -> Response:
        return JSONResponse(shown)

    files = StaticFiles(packages=[(_WHEEL, f"static/{_WHEEL}")])
    return Mount("/explorer", routes=[Route("/tabs.json", opening), Mount("", files)])


@cache
def _page() -> str:
    return Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
