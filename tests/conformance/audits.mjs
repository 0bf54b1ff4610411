// The audits of graphql-http: `node audits.mjs <http url>` prints one JSON line and fails unless
// every audit is ok; a warning counts as a failure.
import { serverAudits } from 'graphql-http';

const [url] = process.argv.slice(2);
const results = [];
for (const audit of serverAudits({ url, fetchFn: fetch })) {
  results.push(await audit.fn());
}
const others = results
  .filter(({ status }) => status !== 'ok')
  .map(({ id, name, status, reason }) => ({ id, name, status, reason }));
console.log(JSON.stringify({ ok: results.length - others.length, others }));
process.exitCode = others.length ? 1 : 0;
