"""What the last release's clients would notice of the schema, and who must have told them."""

import subprocess
from datetime import date
from pathlib import Path

import pytest

from api.changes import Release, compare, last_release, place
from tests.api.test_cli import command

TODAY = date(2030, 6, 1)
OLD = """
type Query { room(id: ID!): Room, old: ID @deprecated(reason: "%s") }
type Room { code: String!, status: Status! }
enum Status { OPEN CLOSED }
"""
OVER = "Use `room`; removed not before 2030-06-01."
EARLY = "Use `room`; removed not before 2030-06-02."
CHANGELOG = "# Changelog\n\n## Unreleased\n\n- {}\n\n## v1.0.0\n\n- `Room.code` is new.\n"


def since(
    new: str, changelog: str = "", reason: str = OVER, promised: bool = True
) -> tuple[list[str], list[str], list[str]]:
    release = Release("v1.0.0", OLD % reason, promised)
    found = compare(release, new, CHANGELOG.format(changelog), TODAY)
    return list(found.breaking), list(found.dangerous), list(found.unannounced)


def changed(old: str, new: str) -> str:
    text = OLD % OVER
    assert old in text
    return text.replace(old, new)


def test_nothing_has_changed() -> None:
    assert since(OLD % OVER) == ([], [], [])


def test_a_change_that_harms_nobody_is_not_told() -> None:
    assert since(changed("code: String!", "code: String!, host: String")) == ([], [], [])


def test_a_new_enum_value_is_dangerous() -> None:
    told = ["Enum value Status.FULL was added."]
    assert since(changed("OPEN CLOSED", "OPEN CLOSED FULL")) == ([], told, [])


def test_a_field_that_went_without_notice() -> None:
    told = ["Field Room.code was removed."]
    assert since(changed("code: String!, ", "")) == (told, [], told)


def test_a_field_whose_end_the_changelog_announces() -> None:
    new = changed("code: String!, ", "")
    assert since(new, "`Room.code` is gone") == (["Field Room.code was removed."], [], [])


def test_what_an_earlier_release_said_announces_nothing() -> None:
    told = ["Enum value Status.OPEN was removed."]
    assert since(changed("OPEN CLOSED", "CLOSED"), "`Room.code`") == (told, [], told)


def test_a_field_that_was_deprecated_until_a_day_that_has_come() -> None:
    new = "type Query { room(id: ID!): Room }" + OLD.split("}", 1)[1]
    told = ["Field Query.old was removed."]
    assert since(new) == (told, [], [])
    assert since(new, reason=EARLY) == (told, [], told)
    assert since(new, reason="Use `room`.") == (told, [], told)


def test_before_the_first_release_nothing_is_promised() -> None:
    told = ["Field Room.code was removed."]
    assert since(changed("code: String!, ", ""), promised=False) == (told, [], [])


@pytest.mark.parametrize(
    ("description", "named"),
    [
        ("Field Room.code was removed.", "Room.code"),
        ("A required argument Query.room(id:) was added.", "Query.room"),
        ("Enum value Status.OPEN was removed.", "Status.OPEN"),
        ("Room no longer implements interface Node.", "Room"),
        ("Hall was removed from union type Place.", "Place"),
        ("Room was removed.", "Room"),
        ("Standard scalar Float was removed because it is not referenced anymore.", "Float"),
        ("Directive @slow was removed.", "@slow"),
    ],
)
def test_the_place_of_a_change(description: str, named: str) -> None:
    assert place(description) == named


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.check_output(["git", "-C", folder, *identity, *arguments], text=True)


def commit(folder: Path, text: str) -> str:
    (folder / "schema.graphql").write_text(text)
    git(folder, "add", "schema.graphql")
    git(folder, "commit", "--quiet", "--message", text)
    return git(folder, "rev-parse", "--short", "HEAD").strip()


def test_the_last_release_is_the_newest_tag_else_the_first_commit(tmp_path: Path) -> None:
    assert last_release(tmp_path) is None
    git(tmp_path, "init", "--quiet")
    assert last_release(tmp_path) is None
    first = commit(tmp_path, "scalar A")
    commit(tmp_path, "scalar B")
    assert last_release(tmp_path) == Release(f"its first commit, {first}", "scalar A", False)
    git(tmp_path, "tag", "v0.9.0")
    git(tmp_path, "tag", "nightly")
    commit(tmp_path, "scalar C")
    assert last_release(tmp_path) == Release("v0.9.0", "scalar B", True)


def test_the_command_shows_them() -> None:
    said = command("schema-changes")
    assert said.returncode == 0, said.stdout + said.stderr
    assert "hanges of the schema since " in said.stdout or "there is no history" in said.stdout
