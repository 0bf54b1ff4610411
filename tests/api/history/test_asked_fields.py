"""Lists read what is asked for: the same as a single match tells, and no states for nothing."""

from graphql import GraphQLObjectType, get_named_type, is_leaf_type, is_required_argument

from tests.api.client import Client
from tests.api.documents import schema_of, selection
from tests.api.history.conftest import Archive, match_ref

OTHERS = {"Room", "Player", "Game", "CoinRaceGame", "MarbleGame", "NumberTilesGame"}


async def fields_of_a_match(client: Client) -> list[str]:
    """Each field of a match with all that it holds, but for the time of the reading."""
    schema = await schema_of(client)
    match = schema.type_map["Match"]
    assert isinstance(match, GraphQLObjectType)

    def keep(type_name: str, name: str) -> bool:
        ours = type_name not in OTHERS and not type_name.startswith(("Marble", "NumberTiles"))
        return (ours or name == "id") and name != "serverTime"

    fields = ["then: viewAt(version: 1) { version }"]
    for name, field in match.fields.items():
        if any(is_required_argument(argument) for argument in field.args.values()):
            continue
        inner = get_named_type(field.type)
        below = "" if is_leaf_type(inner) else f"{{ {selection(schema, inner.name, 3, keep)} }}"
        fields.append(f"{name} {below}")
    return fields


async def test_each_field_is_that_of_the_match(archive: Archive) -> None:
    """One field at a time, so that none lives on what is read for another; lists first, for what
    is read of a single match is remembered.
    """
    people = await archive.people(2)
    await archive.ended(people)
    await archive.start(people)
    reader = people[1]
    fields = await fields_of_a_match(reader)
    assert len(fields) > 15
    told = {}
    for field in fields:
        nodes = f"nodes {{ id {field} }}"
        document = (
            f"query L($me: ID!) {{ matches(first: 5, filter: {{player: $me}}) {{ {nodes} }} }}"
        )
        found = (await reader.run(document, {"me": reader.player_id}))["matches"]["nodes"]
        assert len(found) == 2
        told[field] = found
    for field, nodes in told.items():
        for node in nodes:
            single = f"query M($id: ID!) {{ match(id: $id) {{ id {field} }} }}"
            assert node == (await reader.run(single, {"id": node["id"]}))["match"], field


async def test_a_list_without_views_reads_no_state(archive: Archive) -> None:
    """The states cannot be decoded, and nobody notices."""
    people = await archive.people(2)
    match_id = await archive.ended(people)
    await archive.sql("UPDATE match SET state = '{}' WHERE id = $1", match_id)
    document = """
    query L($me: ID!) {
      player(id: $me) {
        matches(first: 5) {
          nodes {
            id status startedAt finishedAt version rulesVersion yourSeat options { key value }
            seats { player { displayName } } result { summary ranking { rank } }
            events(first: 9) { nodes { version } } log(first: 9) { nodes { version } }
          }
        }
      }
    }
    """
    data = await people[0].run(document, {"me": people[0].player_id})
    (found,) = data["player"]["matches"]["nodes"]
    assert (found["id"], found["status"]) == (match_ref(match_id), "FINISHED")
    assert len(found["events"]["nodes"]) >= 2


async def test_a_view_is_found_wherever_it_is_asked_for(archive: Archive) -> None:
    """In fragments, below aliases, and where a directive decides."""
    people = await archive.people(2)
    await archive.start(people)
    document = """
    query L($me: MatchFilter, $yes: Boolean!) {
      matches(filter: $me) { edges { node { ...A } } }
      more: matches(filter: $me) { nodes { ... @include(if: $yes) { seen: view { version } } } }
    }
    fragment A on Match { ...B }
    fragment B on Node { ... on Match { deadline { seat } } }
    """
    me = {"player": people[0].player_id}
    found = await people[0].run(document, {"me": me, "yes": True})
    assert found["matches"]["edges"][0]["node"]["deadline"]["seat"] == 0
    assert found["more"]["nodes"][0]["seen"]["version"] == 1
    assert (await people[0].run(document, {"me": me, "yes": False}))["more"]["nodes"] == [{}]
