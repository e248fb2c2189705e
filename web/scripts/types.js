// Types of the laboratory's HTTP interface, made from its own description:
//   npm run types -- http://127.0.0.1:8050/api/v1/openapi.json     (or the path of a file)
import { readFileSync, writeFileSync } from 'node:fs';
import openapi, { astToString } from 'openapi-typescript';

const source = process.argv[2] ?? 'http://127.0.0.1:8050/api/v1/openapi.json';
const target = new URL('../src/api/schema.ts', import.meta.url);

const text = /^https?:/.test(source) ? await (await fetch(source)).text() : readFileSync(source, 'utf8');
const description = JSON.parse(text);
// Operations are found by their paths; their names are of no use here.
for (const path of Object.values(description.paths)) {
  for (const operation of Object.values(path)) delete operation.operationId;
}
const head = '// Made by `npm run types` from /api/v1/openapi.json: not to be changed by hand.\n\n';
writeFileSync(target, head + astToString(await openapi(description)));
console.log(`wrote ${target.pathname}`);
