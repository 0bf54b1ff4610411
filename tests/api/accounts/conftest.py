"""The services in this process."""

from tests.api.in_process import games, services

__all__ = ["games", "services"]
