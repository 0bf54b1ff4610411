"""The web application: one schema over one database, and what runs beside it."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute

from api import clock, examples, metrics, schema, turns
from api.accounts import service as accounts
from api.bus import Hub, carrier
from api.config import Config
from api.db import Database
from api.errors import fault_of
from api.export.endpoint import Exports
from api.gateway import AppGateway
from api.matches import store as matches
from api.presence import store as presence
from api.rooms import store as rooms
from api.services import Services
from api.transport import GraphQLEndpoint, HTTPLimits, SocketLimits, explorer_files

log = logging.getLogger(__name__)

READY_SECONDS = 2.0
BURST_SECONDS = 5
PREFLIGHT_SECONDS = 600


def create_app(config: Config, database: Database) -> Starlette:
    """The application on an open database."""
    games = schema.bind(config.game_packages)
    services = Services(config, database, Hub(carrier(config.bus)), games)
    built = schema.build(games)
    metrics.count_subscriptions(built._schema)
    gateway = AppGateway(services)
    endpoint = GraphQLEndpoint(
        built,
        gateway,
        allowed_origins=config.allowed_origins,
        http=HTTPLimits(body_bytes=config.max_request_bytes),
        socket=SocketLimits(
            operations=config.operations_per_socket,
            messages_per_second=config.messages_per_second,
            message_burst=BURST_SECONDS * config.messages_per_second,
        ),
    )

    exports = Exports(services, gateway, lambda: endpoint.streams.stopping)

    async def health(_: Request) -> Response:
        """The process is alive."""
        return JSONResponse({"status": "ok"})

    async def ready(_: Request) -> Response:
        """The process can serve: its database answers. Without the bus it is only slower."""
        try:
            with turns.as_kind(turns.Kind.HOUSE):
                async with asyncio.timeout(READY_SECONDS):
                    await database.ping()
        except Exception as error:
            if fault_of(error) is None:
                log.exception("the database does not answer as it should")
            return JSONResponse({"status": "unavailable", "database": "away"}, 503)
        if not services.hub.status.connected:
            return JSONResponse({"status": "degraded", "bus": "away"})
        return JSONResponse({"status": "ready"})

    async def measured(_: Request) -> Response:
        """All metrics, as of now."""
        look(services)
        content, media_type = await metrics.exposition()
        return Response(content, media_type=media_type)

    async def home(_: Request) -> Response:
        """Browsers that come to the root find the explorer."""
        return RedirectResponse("/graphql")

    app = Starlette(
        routes=[
            Route("/", home),
            Route("/health", health),
            Route("/ready", ready),
            Route("/metrics", measured),
            Route("/graphql", endpoint),
            WebSocketRoute("/graphql", endpoint),
            Route("/graphql/stream", endpoint.streams),
            Route("/export/matches.ndjson", exports.answer, methods=["GET"]),
            explorer_files(examples.tabs(games)),
        ],
        middleware=[_other_origins(config)],
        lifespan=lambda _: _lifespan(services),
    )
    app.state.streams = endpoint.streams  # for the server to stop
    return app


def _other_origins(config: Config) -> Middleware:
    """What lets the pages of the allowed origins read our answers; they send tokens, no cookies."""
    return Middleware(
        CORSMiddleware,
        allow_origins=config.allowed_origins,
        allow_methods=["GET", "POST"],
        allow_headers=["Authorization", "Content-Type", "Accept-Language"],
        expose_headers=["Retry-After"],
        max_age=PREFLIGHT_SECONDS,
    )


@asynccontextmanager
async def _lifespan(services: Services) -> AsyncIterator[None]:
    """The hub, the clock and the metrics at work."""
    turns.be(turns.Kind.HOUSE)
    database, hub = services.database, services.hub
    hub.probe("match", lambda ids: matches.markers(database, ids))
    hub.probe("room", lambda ids: rooms.revisions(database, ids))
    hub.probe("presence", lambda ids: presence.revisions(database, ids))
    hub.probe("account", lambda ids: accounts.revisions(services, ids))
    async with hub.running(), services.presence.running():
        works = (clock.run(services), metrics.keep_sampling(lambda: look(services)))
        tasks = [asyncio.create_task(work) for work in works]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await services.rates.close()


def look(services: Services) -> None:
    """Measure what is only known by looking."""
    metrics.sample(services.database.pool_use(), services.hub.status.connected)
