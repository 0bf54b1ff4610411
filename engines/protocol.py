"""What a game is: a frozen bundle of pure functions, and the few types that every game shares.

Time is an argument in integer milliseconds, chance is a stream held in the state, seats are
0..n-1. Engines never know who the players are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, Final, Generic, Literal, NoReturn, Protocol, TypeVar

from engines.options import Option
from engines.texts import Text

Seat = int
Viewer = Seat | None
"""Who looks: a seat, or None for a spectator."""
SPECTATOR: Final = None


class System(Enum):
    """The actor of everything that no player sends."""

    SYSTEM = "system"


SYSTEM: Final = System.SYSTEM
Actor = Seat | Literal[System.SYSTEM]


class Described(str, Enum):
    """Base of a game's public enums: `NAME = "wire value", "Description for client authors."`."""

    description: str

    def __new__(cls, value: str, description: str) -> "Described":
        member = str.__new__(cls, value)
        member._value_ = value
        member.description = description
        return member


@dataclass(frozen=True, slots=True)
class AtMost:
    """Behind a field's description: how many items its list holds at most, where they are few.

    Asking is paid for by it: `seats: Annotated[tuple[int, ...], "Text.", AtMost(4)]`.
    """

    items: int


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The deadline passed, and the game acted by itself.

    Replay hands this row to `on_timeout` again.
    """


class LeaveCause(Described):
    """Why a seat is given up for good."""

    LEFT = "left", "The player left."
    KICKED = "kicked", "The host removed the player."
    DELETED = "deleted", "The player deleted the account."


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat is given up for good, in or out of its turn."""

    seat: Annotated[Seat, "The seat given up."]
    cause: Annotated[LeaveCause, "Why the seat was given up."] = LeaveCause.LEFT


@dataclass(frozen=True, slots=True)
class Away:
    """The server declares a seat absent; what follows is the game's own rule."""

    seat: Annotated[Seat, "The absent seat."]


@dataclass(frozen=True, slots=True)
class Back:
    """An absent seat returned."""

    seat: Annotated[Seat, "The seat that is back."]


@dataclass(frozen=True, slots=True)
class ShiftDeadline:
    """The service was unavailable; a running deadline moves by as much."""

    by: Annotated[int, "How far it moves, in milliseconds."]


@dataclass(frozen=True, slots=True)
class DeadlineShifted:
    """The running deadline moved because the service had been unavailable."""

    milliseconds: Annotated[int, "How far the deadline moved, in milliseconds."]


SYSTEM_ACTIONS: Final[tuple[type, ...]] = (TimeOut, Leave, Away, Back, ShiftDeadline)
SHARED_EVENTS: Final[tuple[type, ...]] = (DeadlineShifted,)


class Reason(Enum):
    """Base of a game's refusal codes: the member's name is the code, its value the text.

    Texts may hold `{named}` places that `Illegal.params` fills.
    """

    def __init__(self, ko: str, en: str) -> None:
        self.text = Text(ko, en)


class Illegal(Exception):
    """A refusal: the state did not change. Carries a code, the rule's section and a text.

    `path` names the input fields at fault (engine field names, outermost first), `params` fill
    the text's named places and may hold only what the refused actor is allowed to know.
    """

    def __init__(
        self, reason: Reason, rule: str, *, path: tuple[str, ...] = (), **params: object
    ) -> None:
        super().__init__(reason.name)
        self.reason = reason
        self.rule = rule
        self.path = path
        self.params = params

    @property
    def text(self) -> Text:
        """The refusal in both languages."""
        return self.reason.text.format(**self.params)


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The outcome of one accepted action: the next state and the facts that led to it."""

    state: S
    events: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Deadline:
    """What the game is waiting for: since when, until when (None: no limit), and for whom.

    `since` and `until` are game time in milliseconds; `seat` is None where all are waited for
    or the wait is the system's own (the pause between two games of a match).
    """

    since: int
    until: int | None
    seat: Seat | None


class Placing(Protocol):
    """One row of a ranking; equal places share a rank and the next rank skips."""

    @property
    def rank(self) -> int: ...
    @property
    def seat(self) -> Seat: ...


class Result(Protocol):
    """A finished match: places in order, winners, and a named reason (a `Described` member)."""

    @property
    def reason(self) -> Described: ...
    @property
    def ranking(self) -> tuple[Placing, ...]: ...
    @property
    def winners(self) -> tuple[Seat, ...]: ...


class Difficulty(Described):
    """How hard a game is to learn."""

    EASY = "easy", "Understood in five minutes."
    NORMAL = "normal", "Takes a game or two to play well."
    HARD = "hard", "For experienced players."


@dataclass(frozen=True, slots=True)
class Guide:
    """A rule or help text for players, by topic."""

    topic: Annotated[str, "Stable key of the topic, such as `doubles`."]
    title: Annotated[Text, "Heading of the text."]
    body: Annotated[Text, "The text, in plain sentences without mark-up."]


@dataclass(frozen=True, slots=True)
class About:
    """What a lobby shows of a game before anyone plays it."""

    name: Text
    summary: Text
    seats: tuple[int, int]
    minutes: tuple[int, int]
    difficulty: Difficulty
    guides: tuple[Guide, ...]
    unsupported: tuple[Text, ...]
    notice: Text
    """That money and points are virtual and end with the match."""


class AbsenceRemedy(Enum):
    """What is done about a seat that has been absent for long enough."""

    ASK_HOST = "askHost"
    """The host is asked once whether to remove it; play goes on meanwhile."""

    PLAY_ON = "playOn"
    """The seat is declared `Away`, and `Back` when it returns; the game deals with it."""


@dataclass(frozen=True, slots=True, eq=False)
class Absence(Generic[S]):
    """What a game does about a seat that is away.

    `grace` is how long in ms of game time an awaited seat may be gone before the time-out comes,
    None if its clock simply runs on. `unit` numbers the stretch of play that is going on (a round,
    a turn); a unit counts as absent when the seat was waited for in it and all that came was the
    timer, `only_if_away` while it was disconnected. After `units` of them in a row, the `remedy`;
    any action of the seat's own starts the count anew.
    """

    grace: int | None
    unit: Callable[[S], int]
    units: int
    only_if_away: bool
    remedy: AbsenceRemedy


@dataclass(frozen=True, slots=True, eq=False)
class Engine(Generic[S]):
    """One game. All functions are pure; none changes its arguments.

    `options` checks a mapping of option keys and gives the options object, raising `BadOption`.
    `setup` deals for `seats` players from a 32-byte seed.
    `apply` judges and performs one action of `actions` (by a seat), `host_actions` or
    `SYSTEM_ACTIONS` (by SYSTEM); it raises `Illegal` and then nothing has changed. A step whose
    state is the very state passed in is a no-op: it is not logged and moves no version.
    `on_timeout` performs the automatic action that is due at the deadline; it always moves the
    deadline or ends the match. It carries the rule book's penalty, so it never raises.
    `view` builds all that a viewer may know; `redact` gives the part of one event the viewer
    may know, or None; `redact_action` the same for an action in the log. Both need the options
    only, never the state, so that an old log row reads as it did when it was new.
    `deadline` is None only when the game waits for nobody; `result` is None until the end.
    `summary` words a result, given the display name of each seat.
    `host_actions` are sent by the room's host and applied as SYSTEM; `concessions` are those of
    `actions` that give up the sender's seat, which is possible at any version and any time.
    `absence` is None where a seat that is away is simply timed out like any other.
    `earlier` are the engines of older rules versions, by which matches that began under them go on
    and are replayed. States, options and functions are their own; their views, results, actions,
    events and reasons are of the classes named here.
    """

    id: str
    rules_version: int
    about: About
    option_specs: tuple[Option, ...]
    options_type: type
    state_type: type[S]
    view_type: type
    result_type: type
    actions: tuple[type, ...]
    events: tuple[type, ...]
    reasons: type[Reason]
    options: Callable[[Mapping[str, object]], Any]
    setup: Callable[[Any, int, bytes, int], Step[S]]
    apply: Callable[[S, Actor, Any, int], Step[S]]
    on_timeout: Callable[[S, int], Step[S]]
    view: Callable[[S, Viewer], Any]
    redact: Callable[[Any, Any, Viewer], Any]
    redact_action: Callable[[Any, Actor, Any, Viewer], Any]
    deadline: Callable[[S], Deadline | None]
    result: Callable[[S], Any]
    summary: Callable[[Any, Sequence[str]], Text]
    host_actions: tuple[type, ...] = field(default=())
    concessions: tuple[type, ...] = field(default=())
    absence: Absence[S] | None = None
    earlier: "tuple[Engine[Any], ...]" = ()


def refuse(reason: Reason, rule: str, *, path: tuple[str, ...] = (), **params: object) -> NoReturn:
    """Raise `Illegal`; reads as a sentence in `check_*` functions."""
    raise Illegal(reason, rule, path=path, **params)
