import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One deployed function: its bundle is `dist/lambda/<name>/index.mjs`. */
export interface LambdaFunction {
  /** Folder and verb, `threads-create`; one word when they are the same. */
  readonly name: string;
  /** Module that exports `handler`, from the root of the project. */
  readonly entry: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Every function that is deployed to AWS Lambda: the modules two levels below `functions` that export a `handler`. */
export const LAMBDA_FUNCTIONS: readonly LambdaFunction[] = readdirSync(join(ROOT, 'functions'), {
  withFileTypes: true,
})
  .filter((folder) => folder.isDirectory())
  .flatMap((folder) =>
    readdirSync(join(ROOT, 'functions', folder.name)).map((file) => `functions/${folder.name}/${file}`),
  )
  .filter((path) => /^export const handler\b/m.test(readFileSync(join(ROOT, path), 'utf8')))
  .map((entry) => ({ name: functionName(entry), entry }))
  .sort((one, other) => one.name.localeCompare(other.name));

function functionName(entry: string): string {
  const folder = basename(dirname(entry));
  const verb = basename(entry, '.ts');
  return folder === verb ? verb : `${folder}-${verb}`;
}
