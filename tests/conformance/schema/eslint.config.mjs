// The recommended and the relay rules of @graphql-eslint, over the schema in $SCHEMA.
import { readFileSync } from 'node:fs';
import graphqlEslint from '@graphql-eslint/eslint-plugin';
import { buildSchema } from 'graphql';

const file = process.env.SCHEMA;
const schema = buildSchema(readFileSync(file, 'utf8'));
const games = schema.getPossibleTypes(schema.getType('Game')).map(({ name }) => name);

// What has no identity of its own: it is a part of what it lies in, and no client looks it up.
const VALUES = [
  'ChosenOption', 'GameGuide', 'GameOption', 'GameOptionChoice', 'IntRange',
  'MatchDeadline', 'MatchSeat', 'RoomAbsence', 'RoomMember',
  'MatchEvents', 'MatchLog', 'MatchLogEntry', 'PageInfo',
  'LobbyUpdate', 'MatchUpdate',
  'PlaceCount', 'PlayerStatistics', 'RateLimit', 'Session',
];
const PARTS = ['MatchAction', 'MatchEvent', 'UserError'].map((name) => schema.getType(name));

function isValue(type) {
  const ofGame = games.some((game) => type.name.startsWith(game.replace(/Game$/, '')));
  const part = PARTS.some((parent) => schema.isSubType(parent, type));
  return VALUES.includes(type.name) || part || (ofGame && !games.includes(type.name));
}

const values = Object.values(schema.getTypeMap())
  .filter((type) => 'getInterfaces' in type && isValue(type))
  .map(({ name }) => name);

export default [
  {
    files: ['**/*.graphql'],
    plugins: { '@graphql-eslint': graphqlEslint },
    languageOptions: {
      parser: graphqlEslint.parser,
      parserOptions: { graphQLConfig: { schema: file } },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      ...graphqlEslint.configs['flat/schema-recommended'].rules,
      ...graphqlEslint.configs['flat/schema-relay'].rules,
      '@graphql-eslint/strict-id-in-types': [
        'error',
        { exceptions: { types: values, suffixes: ['Connection', 'Edge', 'Payload'] } },
      ],
      // `userErrors` and `nodes` are lists of no edges.
      '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false }],
      '@graphql-eslint/require-description': [
        'error',
        { types: true, FieldDefinition: true, InputValueDefinition: true, EnumValueDefinition: true },
      ],
      '@graphql-eslint/input-name': 'error',
      '@graphql-eslint/no-scalar-result-type-on-mutation': 'error',
    },
  },
];
