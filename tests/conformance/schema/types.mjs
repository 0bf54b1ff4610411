// GraphQL Code Generator: TypeScript for the schema, and for every operation in the files given.
// node types.mjs schema.graphql schema.ts operations.ts operations.graphql...
import { readFileSync, writeFileSync } from 'node:fs';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as operations from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';

const [source, schemaTypes, operationTypes, ...files] = process.argv.slice(2);
const read = (location) => parse(readFileSync(location, 'utf8'));
const schema = read(source);
const documents = files.map((location) => ({ location, document: read(location) }));
const config = {
  strictScalars: true,
  scalars: { DateTime: 'string', OptionValue: 'string | number | boolean | null' },
};

for (const [filename, plugin] of [[schemaTypes, typescript], [operationTypes, operations]]) {
  const plugins = [{ plugin: {} }];
  const pluginMap = { plugin };
  writeFileSync(filename, await codegen({ filename, schema, documents, config, plugins, pluginMap }));
}
