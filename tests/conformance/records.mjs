// Export records against docs/export.schema.json: `node records.mjs <schema> <file>...` prints for
// each file what is wrong with it, null if nothing is.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

const [schema, ...files] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const ajv = new Ajv2020({ allErrors: true, validateFormats: false });
const validate = ajv.compile(schema);
console.log(JSON.stringify(files.map((file) => (validate(file) ? null : ajv.errorsText(validate.errors)))));
