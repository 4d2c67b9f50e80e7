import process from 'node:process';
import { runLiveSuite } from './live-suite.ts';

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => ending.abort(new Error(signal)));

process.exitCode = await runLiveSuite(process.argv.slice(2), {
  variables: process.env,
  write: (text) => process.stdout.write(text),
  signal: ending.signal,
});
