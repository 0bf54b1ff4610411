"""The number-tile game: lay groups and runs, rearrange the table, empty your rack. See RULES.md."""

from typing import Final

from engines.number_tiles.about import ABOUT
from engines.number_tiles.actions import ACTIONS, HOST_ACTIONS, Concede
from engines.number_tiles.events import EVENTS
from engines.number_tiles.options import OPTION_SPECS, Options, options
from engines.number_tiles.play import apply, setup
from engines.number_tiles.reasons import Refusal
from engines.number_tiles.redaction import redact, redact_action
from engines.number_tiles.results import MatchResult, result, summary
from engines.number_tiles.state import State
from engines.number_tiles.timeouts import ABSENCE, deadline, on_timeout
from engines.number_tiles.views import View, view
from engines.protocol import Engine

ENGINE: Final[Engine[State]] = Engine(
    id="number_tiles",
    rules_version=1,
    about=ABOUT,
    option_specs=OPTION_SPECS,
    options_type=Options,
    state_type=State,
    view_type=View,
    result_type=MatchResult,
    actions=ACTIONS,
    host_actions=HOST_ACTIONS,
    concessions=(Concede,),
    events=EVENTS,
    reasons=Refusal,
    options=options,
    setup=setup,
    apply=apply,
    on_timeout=on_timeout,
    view=view,
    redact=redact,
    redact_action=redact_action,
    deadline=deadline,
    result=result,
    summary=summary,
    absence=ABSENCE,
)
