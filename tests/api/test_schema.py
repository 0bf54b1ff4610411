"""The schema as a product: everything described, and the conventions kept without exception."""

import re
from collections.abc import Iterator

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    build_schema,
    get_named_type,
    is_list_type,
    specified_directives,
)

from api.schema import bind, build, sdl

SCHEMA: GraphQLSchema = build_schema(sdl())
OWN = {
    name: type_
    for name, type_ in SCHEMA.type_map.items()
    if not name.startswith("__") and name not in {"String", "Int", "Boolean", "Float", "ID"}
}


def described() -> Iterator[tuple[str, str | None]]:
    """Everything that can have a description, with it."""
    for name, type_ in OWN.items():
        yield name, type_.description
        if isinstance(type_, GraphQLEnumType):
            yield from ((f"{name}.{key}", v.description) for key, v in type_.values.items())
        if isinstance(type_, GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType):
            for key, field in type_.fields.items():
                yield f"{name}.{key}", field.description
                for argument, given in getattr(field, "args", {}).items():
                    yield f"{name}.{key}({argument})", given.description


def test_everything_is_described() -> None:
    assert [place for place, text in described() if not text or len(text) < 8] == []


def test_descriptions_are_sentences() -> None:
    assert [place for place, text in described() if text and text[-1] not in ".:)"] == []


def test_codes_are_described_by_what_people_are_told() -> None:
    codes = SCHEMA.type_map["AccountErrorCode"].values
    assert codes["NAME_TOO_LONG"].description == "A name has at most … characters."


def test_moments_have_an_example() -> None:
    assert "`2026-01-31T12:00:00.250000+00:00`" in SCHEMA.type_map["DateTime"].description


def test_mutations_take_one_input_and_answer_with_user_errors() -> None:
    assert SCHEMA.mutation_type is not None
    for name, field in SCHEMA.mutation_type.fields.items():
        stem = name[0].upper() + name[1:]
        assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", name)
        assert {key: str(given.type) for key, given in field.args.items()} == {
            "input": f"{stem}Input!"
        }
        assert str(field.type) == f"{stem}Payload!"
        payload = get_named_type(field.type)
        for key, inner in payload.fields.items():
            if key == "userErrors":
                error = get_named_type(inner.type)
                assert str(inner.type) == f"[{error.name}!]!"
                assert SCHEMA.type_map["UserError"] in error.interfaces
                assert isinstance(error.fields["code"].type.of_type, GraphQLEnumType)
            else:
                assert not isinstance(inner.type, GraphQLNonNull) or is_list_type(
                    inner.type.of_type
                ), f"{name}.{key} cannot be null when the request is refused"
        assert "userErrors" in payload.fields


def test_root_fields_may_be_null_and_lists_hold_no_nulls() -> None:
    assert SCHEMA.query_type is not None
    for name, field in SCHEMA.query_type.fields.items():
        if isinstance(field.type, GraphQLNonNull):
            assert is_list_type(field.type.of_type), name
    for type_name, type_ in OWN.items():
        if isinstance(type_, GraphQLObjectType | GraphQLInterfaceType):
            for name, field in type_.fields.items():
                text = str(field.type)
                if "[" in text and (type_name, name) != ("Query", "nodes"):
                    assert re.fullmatch(r"\[\w+!\]!?", text), f"{type_name}.{name}: {text}"


def test_an_id_is_one_objects_alone() -> None:
    """Clients keep what they read under its `id`: one that two objects share mixes them up."""
    for type_name, type_ in OWN.items():
        if isinstance(type_, GraphQLObjectType | GraphQLInterfaceType) and "id" in type_.fields:
            assert str(type_.fields["id"].type) == "ID!", type_name
            names = {type_name, *(interface.name for interface in type_.interfaces)}
            assert names & {"Node", "Game"}, type_name


def test_no_game_is_named_outside_its_own_types() -> None:
    prefixes = tuple(binding.game.prefix for binding in bind().values())
    for type_name, type_ in OWN.items():
        if type_name in {"Mutation", "Subscription"} or type_name.startswith(prefixes):
            continue
        for name, field in getattr(type_, "fields", {}).items():
            inner = get_named_type(field.type).name
            assert not inner.startswith(prefixes), f"{type_name}.{name}: {inner}"


def test_a_game_of_another_package_plugs_in() -> None:
    extended = build(bind(["tests.extra_games"]))._schema
    added = {name for name in extended.type_map if name not in SCHEMA.type_map}
    assert {name for name in added if not name.startswith("CoinRace")} == set()
    assert extended.mutation_type is not None
    mutations = [name for name in extended.mutation_type.fields if name.startswith("coinRace")]
    assert mutations == ["coinRaceFlip", "coinRaceChoose", "coinRacePlayCard"]


def test_deprecations_say_what_to_use_and_how_long() -> None:
    told = re.compile(r"deprecated\(reason: \"(.*?)\"\)")
    form = re.compile(r".*[Uu]se `.+`.*; removed not before \d{4}-\d\d-\d\d\.")
    assert [reason for reason in told.findall(sdl()) if not form.fullmatch(reason)] == []


def test_directives_are_the_standard_ones() -> None:
    assert {d.name for d in SCHEMA.directives} == {d.name for d in specified_directives}
