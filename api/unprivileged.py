"""PostgreSQL refuses to run as root: the account it gets then, and what that account must reach."""

import logging
import os
import pwd
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)

ACCOUNT = "board-postgres"


@dataclass(frozen=True, slots=True)
class Account:
    """A user id and a group id of this machine."""

    uid: int
    gid: int


def account_for(cluster: Path) -> Account | None:
    """Who runs PostgreSQL on this cluster: None, which is ourselves, unless we are root.

    As root it is the cluster's owner, else a system account that is made when first needed.
    Raises OSError.
    """
    if os.geteuid() != 0:
        return None
    if cluster.exists() and (owner := cluster.stat()).st_uid != 0:
        return Account(owner.st_uid, owner.st_gid)
    try:
        entry = pwd.getpwnam(ACCOUNT)
    except KeyError:
        _create_account()
        entry = pwd.getpwnam(ACCOUNT)
    return Account(entry.pw_uid, entry.pw_gid)


def hand_over(folder: Path, account: Account | None) -> None:
    """Make the account the owner of an empty folder."""
    if account is not None:
        os.chown(folder, account.uid, account.gid)


def let_through(path: Path, account: Account) -> None:
    """Let the account pass through the parents of `path`, without a right to list them.

    As little as will do: where it cannot pass, a folder gets the search bit for others.
    """
    for folder in path.parents:
        found = folder.stat()
        if found.st_uid == account.uid:
            searchable = found.st_mode & stat.S_IXUSR
        elif found.st_gid == account.gid:
            searchable = found.st_mode & stat.S_IXGRP
        else:
            searchable = found.st_mode & stat.S_IXOTH
        if not searchable:
            log.warning("PostgreSQL does not run as root: letting its account through %s", folder)
            folder.chmod(stat.S_IMODE(found.st_mode) | stat.S_IXOTH)


def open_tree(root: Path) -> None:
    """Let everyone read and run an installed tree that a strict umask has closed."""
    for folder, _, files in os.walk(root):
        for path in (Path(folder), *(Path(folder, name) for name in files)):
            if path.is_symlink():
                continue
            mode = stat.S_IMODE(path.stat().st_mode)
            # What the owner may read or run, all may.
            wanted = mode | (mode & 0o500) >> 3 | (mode & 0o500) >> 6
            if wanted != mode:
                path.chmod(wanted)


def _create_account() -> None:
    useradd = shutil.which("useradd")
    if useradd is None:
        raise OSError(
            "PostgreSQL refuses to run as root and there is no useradd to make an account for it: "
            "run the server as an ordinary user or set DATABASE_URL"
        )
    made = subprocess.run(  # noqa: S603
        [useradd, "--system", "--user-group", "--no-create-home", "--home-dir=/nonexistent",
         "--shell=/usr/sbin/nologin", ACCOUNT],
        capture_output=True,
        text=True,
    )  # fmt: skip
    already_there = 9  # another process was faster
    if made.returncode not in (0, already_there):
        raise OSError(f"useradd {ACCOUNT}: {made.stderr.strip()}")
