"""World Land Race: roll, buy, build, collect tolls. The rules are in RULES.md."""

from typing import Final

from engines.marble.actions import ACTIONS, Concede
from engines.marble.events import EVENTS
from engines.marble.guides import ABOUT
from engines.marble.options import OPTION_SPECS, Options, options
from engines.marble.play import apply, setup
from engines.marble.reasons import Refusal
from engines.marble.results import Result, result, summary
from engines.marble.state import State
from engines.marble.timeouts import ABSENCE, deadline, on_timeout
from engines.marble.views import View, redact, redact_action, view
from engines.protocol import Engine

ENGINE: Final[Engine[State]] = Engine(
    id="marble",
    rules_version=1,
    about=ABOUT,
    option_specs=OPTION_SPECS,
    options_type=Options,
    state_type=State,
    view_type=View,
    result_type=Result,
    actions=ACTIONS,
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
    concessions=(Concede,),
    absence=ABSENCE,
)
