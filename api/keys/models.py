"""API keys as stored: of the key itself there is only a hash."""

from datetime import datetime
from uuid import UUID, uuid4

from sqlalchemy import ARRAY, LargeBinary, Text
from sqlmodel import Field, SQLModel


class ApiKey(SQLModel, table=True):
    """A program's key. `last_used_at` lags by a minute at most; a revoked key stays listed."""

    __tablename__ = "api_key"

    id: UUID = Field(default_factory=uuid4, primary_key=True)
    name: str = Field(sa_type=Text)
    scopes: list[str] = Field(sa_type=ARRAY(Text))
    hash: bytes = Field(sa_type=LargeBinary, unique=True)
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
