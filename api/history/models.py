"""What is looked up about matches after the move is made: the listing, and the players' records.

Kept apart from `match`, so that no index of the history is touched by a move.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, Index, SmallInteger, Text, text
from sqlmodel import Field, SQLModel

LISTED = text("listed")


class MatchListing(SQLModel, table=True):
    """One match as lists find it; written when it starts and once more when it ends.

    `listed`: all who are signed in may read it as things are. `end_reason` is the code of the
    result's reason. `counted`: it is in the players' records. `number`: its place in the export,
    given after its end.
    """

    __tablename__ = "match_listing"
    __table_args__ = (
        Index("ix_match_listing", "started_at", "match_id", postgresql_where=LISTED),
        Index("ix_match_listing_game", "game", "started_at", "match_id", postgresql_where=LISTED),
        Index(
            "ix_match_listing_reason",
            "end_reason",
            "game",
            "started_at",
            "match_id",
            postgresql_where=text("listed AND end_reason IS NOT NULL"),
        ),
        Index(
            "ix_match_listing_status",
            "status",
            "started_at",
            "match_id",
            postgresql_where=text("listed AND status <> 'FINISHED'"),
        ),
        Index(
            "ix_match_listing_span",
            text("tstzrange(started_at, finished_at, '[]'::text)"),
            postgresql_using="gist",
            postgresql_where=text("listed AND finished_at IS NOT NULL"),
        ),
        Index(
            "ix_match_listing_uncounted",
            "finished_at",
            postgresql_where=text("status = 'FINISHED' AND NOT counted"),
        ),
        Index(
            "uq_match_listing_number",
            "number",
            unique=True,
            postgresql_where=text("number IS NOT NULL"),
        ),
        Index(
            "ix_match_listing_unnumbered",
            "finished_at",
            "match_id",
            postgresql_where=text("number IS NULL AND status <> 'RUNNING'"),
        ),
    )

    match_id: UUID = Field(primary_key=True, foreign_key="match.id")
    game: str = Field(sa_type=Text)
    public: bool
    listed: bool
    status: str = Field(default="RUNNING", sa_type=Text)
    started_at: datetime
    finished_at: datetime | None = None
    end_reason: str | None = Field(default=None, sa_type=Text)
    counted: bool = False
    number: int | None = Field(default=None, sa_type=BigInteger)


class PlayerPlaces(SQLModel, table=True):
    """How often a person took a place in the finished matches of a game."""

    __tablename__ = "player_places"

    account_id: UUID = Field(primary_key=True, foreign_key="account.id")
    game: str = Field(primary_key=True, sa_type=Text)
    rank: int = Field(primary_key=True, sa_type=SmallInteger)
    matches: int
