"""What GraphQL adds to the number-tiles engine: its tiles, and the pace of drafts (D-12)."""

from pathlib import Path

from api.games.registry import Game, Pace
from engines.number_tiles import ENGINE
from engines.number_tiles.actions import ResetDraft, SetDraft, UndoDraft
from engines.number_tiles.tiles import CATALOGUE

GAME = Game(
    engine=ENGINE,
    catalogue=CATALOGUE,
    examples=Path(__file__).with_name("examples.graphql").read_text("utf-8"),
    paces=(Pace(actions=(SetDraft, UndoDraft, ResetDraft), per_second=10),),
)
