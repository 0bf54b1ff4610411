"""The guides do what they say, from the first block to the last."""

import re
from pathlib import Path

import pytest

from tests.api.play import Play
from tests.api.server import ROOT, ServerProcess

GUIDES = ["front-end", "mobile", "integrators"]
FALSE = [
    '```graphql\n{ games { id } }\n```\n```json\n{"data": {"games": [{"id": "chess"}]}}\n```',
    "```graphql\n{ games { id } }\n```\n<!-- keep id = games.9.id -->",
    '```graphql\nmutation { joinRoom(input: {code: "0"}) { userErrors { code } } }\n```',
    "```graphql\nquery { goals }\n```",
    "```http\nGET /nowhere\n```",
    "<!-- sing a song -->",
]


@pytest.mark.parametrize("name", GUIDES)
async def test_the_guide_plays(name: str, server: ServerProcess, tmp_path: Path) -> None:
    await Play(server, tmp_path).run((ROOT / "docs" / f"{name}.md").read_text("utf-8"))


@pytest.mark.parametrize("path", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))])
def test_links_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", path.read_text("utf-8"))
    lost = [link for link in links if "://" not in link and not (path.parent / link).exists()]
    assert lost == []


@pytest.mark.parametrize("text", FALSE)
async def test_a_guide_that_is_wrong_fails(
    text: str, server: ServerProcess, tmp_path: Path
) -> None:
    with pytest.raises((AssertionError, IndexError)):
        await Play(server, tmp_path).run(text)
