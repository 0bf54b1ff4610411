"""Games as a lobby shows them: options, texts and the catalogue a client draws them from."""

from typing import Any, NewType

import strawberry
from strawberry.types.scalar import scalar

from api.context import Info
from api.games.derive import Derivation
from engines.options import Choice, Option, Value
from engines.protocol import Difficulty, Engine, Guide

OptionValue = NewType("OptionValue", object)

option_value = scalar(
    name="OptionValue",
    description="The value of a game option: an Int, a Boolean, a String or null, "
    "literally one of the option's choices.",
    serialize=lambda value: value,
    parse_value=lambda value: value,
)


@strawberry.type(name="GameOptionChoice", description="One value that a game option may take.")
class ChoiceType:
    choice: strawberry.Private[Choice]

    @strawberry.field(description="The value to send in `createRoom` or `updateRoomOptions`.")
    def value(self) -> OptionValue | None:
        return OptionValue(self.choice.value)

    @strawberry.field(description="How a room form names the value.")
    def label(self, info: Info) -> str:
        return info.context.say(self.choice.label)


@strawberry.type(
    name="GameOption", description="One thing a host may choose before the match starts."
)
class OptionType:
    option: strawberry.Private[Option]

    @strawberry.field(description="The option's key, unique within its game.")
    def key(self) -> str:
        return self.option.key

    @strawberry.field(description="How a room form names the option.")
    def label(self, info: Info) -> str:
        return info.context.say(self.option.label)

    @strawberry.field(description="What the option changes.")
    def description(self, info: Info) -> str:
        return info.context.say(self.option.description)

    @strawberry.field(description="All values it may take, in the order to show them.")
    def choices(self) -> list[ChoiceType]:
        return [ChoiceType(choice=choice) for choice in self.option.choices]

    @strawberry.field(description="The value it has when the host does not choose.")
    def default(self) -> OptionValue | None:
        return OptionValue(self.option.default)


@strawberry.type(description="An option of a room and the value chosen for it.")
class ChosenOption:
    key: str = strawberry.field(description="The option's key.")
    value: OptionValue | None = strawberry.field(description="The value chosen.")


@strawberry.input(description="Input. A value for one option of a game.")
class ChosenOptionInput:
    key: str = strawberry.field(description="The option's key, as in `Game.options`.")
    value: OptionValue | None = strawberry.field(
        description="The value, literally one of the option's choices."
    )


@strawberry.type(description="An inclusive range of whole numbers.")
class IntRange:
    min: int = strawberry.field(description="The least.")
    max: int = strawberry.field(description="The most.")


@strawberry.type(name="GameGuide", description="A rule or help text for players.")
class GuideType:
    guide: strawberry.Private[Guide]

    @strawberry.field(description="Stable key of the topic.")
    def topic(self) -> str:
        return self.guide.topic

    @strawberry.field(description="Heading, in the reader's language.")
    def title(self, info: Info) -> str:
        return info.context.say(self.guide.title)

    @strawberry.field(description="The text in plain sentences, in the reader's language.")
    def body(self, info: Info) -> str:
        return info.context.say(self.guide.body)


GameDifficulty = Derivation("Game").enum(Difficulty)


@strawberry.interface(
    description="A game that rooms can be opened for. The game's own type carries the catalogue "
    "that clients draw it from."
)
class Game:
    engine: strawberry.Private[Engine[Any]]

    @strawberry.field(description="The game's id, as rooms and filters use it.")
    def id(self) -> strawberry.ID:
        return strawberry.ID(self.engine.id)

    @strawberry.field(description="The game's name, in the reader's language.")
    def name(self, info: Info) -> str:
        return info.context.say(self.engine.about.name)

    @strawberry.field(description="The game in one sentence, in the reader's language.")
    def summary(self, info: Info) -> str:
        return info.context.say(self.engine.about.summary)

    @strawberry.field(description="How many can play.")
    def seats(self) -> IntRange:
        return IntRange(min=self.engine.about.seats[0], max=self.engine.about.seats[1])

    @strawberry.field(description="How long a match usually takes, in minutes.")
    def minutes(self) -> IntRange:
        return IntRange(min=self.engine.about.minutes[0], max=self.engine.about.minutes[1])

    @strawberry.field(description="How hard it is to learn.")
    def difficulty(self) -> GameDifficulty:  # type: ignore[valid-type]
        return self.engine.about.difficulty

    @strawberry.field(description="What the host may choose, in the order to show it.")
    def options(self) -> list[OptionType]:
        return [OptionType(option=option) for option in self.engine.option_specs]

    @strawberry.field(description="Rules and help, topic by topic.")
    def guides(self) -> list[GuideType]:
        return [GuideType(guide=guide) for guide in self.engine.about.guides]

    @strawberry.field(description="Known variants that are not played here.")
    def unsupported_variants(self, info: Info) -> list[str]:
        return [info.context.say(text) for text in self.engine.about.unsupported]

    @strawberry.field(description="That money and points are virtual and end with the match.")
    def notice(self, info: Info) -> str:
        return info.context.say(self.engine.about.notice)

    @strawberry.field(description="Version of the rules that new matches are played by.")
    def rules_version(self) -> int:
        return self.engine.rules_version


def game_of(info: Info, game_id: str) -> Game | None:
    """The GraphQL value of a game by id, or None."""
    binding = info.context.services.games.get(game_id)
    return None if binding is None else binding.catalogue()


def chosen_options(engine: Engine[Any], options: Any) -> list[ChosenOption]:
    """An engine's options object as keys and values, in the order of the option list."""
    return [
        ChosenOption(key=spec.key, value=OptionValue(_value(options, spec)))
        for spec in engine.option_specs
    ]


def _value(options: Any, spec: Option) -> Value:
    return getattr(options, spec.field)  # type: ignore[no-any-return]
