"""Cursor connections, as the Relay specification asks for them, over keyset cursors.

A cursor is the position of its row, so inserts and removals elsewhere neither repeat nor skip a
row. All lists run from the newest row to the oldest.
"""

import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

import strawberry
from sqlalchemy import DateTime, Select, SQLColumnExpression, Tuple, Uuid, tuple_

from api import opaque
from api.errors import Code, RequestFault
from engines.texts import Text

T = TypeVar("T")
Row = TypeVar("Row")
S = TypeVar("S", bound=Select[*tuple[Any, ...]])

DEFAULT_SIZE = 20
MAX_SIZE = 100
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
CURSOR = struct.Struct(">q16s")

Position = tuple[datetime, UUID]
"""Where a row lies in its list: by time, rows of one instant by id."""


@strawberry.type(description="Where a page lies in its list.")
class PageInfo:
    has_next_page: bool = strawberry.field(description="Whether more follow this page.")
    has_previous_page: bool = strawberry.field(description="Whether more precede this page.")
    start_cursor: str | None = strawberry.field(
        description="The cursor of the first edge; null if the page is empty."
    )
    end_cursor: str | None = strawberry.field(
        description="The cursor of the last edge; null if the page is empty."
    )


@strawberry.type(description="One place in a list.")
class Edge(Generic[T]):
    cursor: str = strawberry.field(
        description="Opaque position in the list, for `after` and `before`."
    )
    node: T = strawberry.field(description="The object at this place.")


@strawberry.type(description="One page of a list, newest first.")
class Connection(Generic[T]):
    edges: list[Edge[T]] = strawberry.field(description="The objects with their cursors.")
    nodes: list[T] = strawberry.field(description="The objects, where cursors are not needed.")
    page_info: PageInfo = strawberry.field(description="Where the page lies in its list.")


First = Annotated[
    int | None,
    strawberry.argument(
        description=f"How many to give, 1 to {MAX_SIZE}, counted from the newest or from `after`; "
        f"{DEFAULT_SIZE} if neither `first` nor `last` is given. Not together with `last`."
    ),
]
After = Annotated[
    str | None, strawberry.argument(description="A cursor; gives what follows its place.")
]
Last = Annotated[
    int | None,
    strawberry.argument(
        description=f"How many to give, 1 to {MAX_SIZE}, counted back from the oldest or from "
        "`before`. Not together with `first`."
    ),
]
Before = Annotated[
    str | None, strawberry.argument(description="A cursor; gives what precedes its place.")
]


@dataclass(frozen=True, slots=True)
class Window:
    """Which part of a list is asked for: `size` rows from its start, or from its end."""

    size: int
    backward: bool
    after: Position | None
    before: Position | None

    def select(
        self,
        statement: S,
        at: SQLColumnExpression[datetime],
        id_: SQLColumnExpression[UUID],
    ) -> S:
        """The statement narrowed to this part, with one row more to see whether others follow."""
        key = tuple_(at, id_)
        if self.after:
            statement = statement.where(key < _bound(self.after))
        if self.before:
            statement = statement.where(key > _bound(self.before))
        order = (at.asc(), id_.asc()) if self.backward else (at.desc(), id_.desc())
        return statement.order_by(*order).limit(self.size + 1)

    def connection(
        self,
        rows: Sequence[Row],
        position: Callable[[Row], Position],
        present: Callable[[list[Row]], Iterable[T]],
    ) -> Connection[T]:
        """The page of the rows that `select` gave; `present` turns rows into objects."""
        more = len(rows) > self.size
        kept = list(rows[: self.size])
        if self.backward:
            kept.reverse()
        edges = [
            Edge(cursor=write_cursor(position(row)), node=node)
            for row, node in zip(kept, present(kept), strict=True)
        ]
        return Connection(
            edges=edges,
            nodes=[edge.node for edge in edges],
            page_info=PageInfo(
                has_next_page=self.before is not None if self.backward else more,
                has_previous_page=more if self.backward else self.after is not None,
                start_cursor=edges[0].cursor if edges else None,
                end_cursor=edges[-1].cursor if edges else None,
            ),
        )


def window(
    first: int | None = None,
    after: str | None = None,
    last: int | None = None,
    before: str | None = None,
) -> Window:
    """The part of a list that these arguments ask for. Raises BAD_USER_INPUT."""
    if first is not None and last is not None:
        raise bad_input(
            "`first`와 `last` 중 하나만 쓸 수 있어요.", "Use either `first` or `last`, not both."
        )
    size = last if last is not None else DEFAULT_SIZE if first is None else first
    if not 1 <= size <= MAX_SIZE:
        raise bad_input(
            f"`first`와 `last`는 1~{MAX_SIZE}이어야 해요.",
            f"`first` and `last` accept 1 to {MAX_SIZE}.",
        )
    return Window(size, last is not None, read_cursor(after), read_cursor(before))


def write_cursor(position: Position) -> str:
    """A position as an opaque cursor."""
    at, id_ = position
    return opaque.encode(CURSOR.pack((at - EPOCH) // MICROSECOND, id_.bytes))


def read_cursor(cursor: str | None) -> Position | None:
    """The position in a cursor. Raises BAD_USER_INPUT for what `write_cursor` never gave."""
    if cursor is None:
        return None
    try:
        microseconds, id_ = CURSOR.unpack(opaque.decode(cursor) or b"")
        return EPOCH + microseconds * MICROSECOND, UUID(bytes=id_)
    except (struct.error, OverflowError):
        raise bad_input("커서가 올바르지 않아요.", "This is not a cursor.") from None


def _bound(position: Position) -> Tuple:
    return tuple_(*position, types=(DateTime(timezone=True), Uuid()))


def bad_input(ko: str, en: str) -> RequestFault:
    """An argument that no correct client sends."""
    return RequestFault(Code.BAD_USER_INPUT, Text(ko, en))
