"""What a client of the last release would notice of the schema as it is now."""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLSchema,
    build_schema,
    find_breaking_changes,
    find_dangerous_changes,
)

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = "schema.graphql"

_MEMBER = re.compile(r"@\w+|\b[A-Z]\w*\.\w+")
_TYPE = re.compile(r"(?:^Standard scalar |^|\bunion type )(\w+)")
_KEPT_UNTIL = re.compile(r"removed not before (\d{4}-\d\d-\d\d)")


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes since `base`, in sentences. `unannounced` are those of the breaking ones that
    neither a deprecation nor the changelog told of.
    """

    base: str
    breaking: Sequence[str]
    dangerous: Sequence[str]
    unannounced: Sequence[str]

    def __str__(self) -> str:
        lines = []
        for kind, found in (("Breaking", self.breaking), ("Dangerous", self.dangerous)):
            lines.append(f"{kind} changes of the schema since {self.base}: {len(found)}")
            lines.extend(f"  {'!' if each in self.unannounced else '-'} {each}" for each in found)
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Release:
    """A schema that clients were given, by its name. Before the first release all may change."""

    name: str
    sdl: str
    promised: bool


def last_release(root: Path = ROOT) -> Release | None:
    """The schema of the newest version tag before this commit, else the first ever committed.
    None where there is no history to look into.
    """
    tag = _git(root, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*")
    if tag and (sdl := _git(root, "show", f"{tag}:{SCHEMA}")):
        return Release(tag, sdl, promised=True)
    commits = _git(root, "log", "--format=%h", "--diff-filter=A", "--", SCHEMA)
    if commits:
        first = commits.split()[-1]
        if sdl := _git(root, "show", f"{first}:{SCHEMA}"):
            return Release(f"its first commit, {first}", sdl, promised=False)
    return None


def compare(release: Release, now: str, changelog: str, today: date) -> Changes:
    """What has changed. Of `changelog` only what stands under Unreleased announces anything."""
    old, new = build_schema(release.sdl), build_schema(now)
    breaking = [change.description for change in find_breaking_changes(old, new)]
    dangerous = [change.description for change in find_dangerous_changes(old, new)]
    chapters = re.split(r"^## ", changelog, flags=re.MULTILINE)
    unreleased = "".join(each for each in chapters if each.startswith("Unreleased"))
    unannounced = [
        each
        for each in breaking
        if release.promised
        and f"`{place(each)}`" not in unreleased
        and not was_to_go(old, place(each), today)
    ]
    return Changes(release.name, breaking, dangerous, unannounced)


def place(description: str) -> str:
    """The `Type`, `Type.member` or `@directive` that a change concerns; changelogs name it so."""
    if member := _MEMBER.search(description):
        return member[0]
    return str(_TYPE.findall(description)[-1])


def was_to_go(old: GraphQLSchema, name: str, today: date) -> bool:
    """Whether this member was deprecated in the release, until a day that has come."""
    type_name, _, member = name.partition(".")
    type_ = old.get_type(type_name)
    found = None
    if isinstance(type_, GraphQLEnumType):
        found = type_.values.get(member)
    elif isinstance(type_, GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType):
        found = type_.fields.get(member)
    until = _KEPT_UNTIL.search((found and found.deprecation_reason) or "")
    return until is not None and date.fromisoformat(until[1]) <= today


def _git(root: Path, *arguments: str) -> str:
    """What git says; empty where there is no git, no repository, or no answer."""
    try:
        said = subprocess.run(  # noqa: S603 - fixed arguments
            ["git", "-C", str(root), *arguments],  # noqa: S607 - the git of whoever calls
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        return ""
    return said.stdout.strip() if said.returncode == 0 else ""
