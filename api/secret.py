"""The process's secret when none is configured: made once, kept in the data folder."""

import os
import secrets
from pathlib import Path

SECRET_BYTES = 32


def load_secret(data_dir: Path) -> bytes:
    """The 32 bytes in `data_dir/secret`, mode 0600, made at the first call.

    Processes that start side by side get the same bytes. Raises OSError.
    """
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = data_dir / "secret"
    if not path.exists():
        _create(path, secrets.token_bytes(SECRET_BYTES))
    secret = path.read_bytes()
    if len(secret) != SECRET_BYTES:
        raise OSError(f"{path} does not hold {SECRET_BYTES} bytes")
    return secret


def _create(path: Path, content: bytes) -> None:
    """Write whole or not at all; an existing file wins."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            return
    finally:
        draft.unlink(missing_ok=True)
