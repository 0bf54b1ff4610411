// GraphQL Code Generator: TypeScript for the schema, and for the operations of each file given.
// node types.mjs schema.graphql folder operations.graphql...
import { readFileSync, writeFileSync } from 'node:fs';
import { join, parse as pathOf } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as operations from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';

const [source, folder, ...files] = process.argv.slice(2);
const read = (location) => parse(readFileSync(location, 'utf8'));
const schema = read(source);
const config = {
  strictScalars: true,
  scalars: { DateTime: 'string', OptionValue: 'string | number | boolean | null' },
};

async function write(name, plugin, documents) {
  const filename = join(folder, `${name}.ts`);
  const plugins = [{ plugin: {} }];
  const pluginMap = { plugin };
  writeFileSync(filename, await codegen({ filename, schema, documents, config, plugins, pluginMap }));
}

await write('schema', typescript, []);
for (const location of files) {
  await write(pathOf(location).name, operations, [{ location, document: read(location) }]);
}
