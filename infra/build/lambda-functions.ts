import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One function for AWS Lambda: its bundle is `dist/lambda/<name>/index.mjs`. */
export interface LambdaFunction {
  /** Folder and verb, `threads-create`; one word when they are the same. */
  readonly name: string;
  /** Module that exports `handler`, from the root of the project. */
  readonly entry: string;
  /** Name of the operation or job in it, `createThread`; of others the name of the function. */
  readonly id: string;
  /** Files that it reads, by pattern from the root of the project, to their folder beside it. */
  readonly assets?: Readonly<Record<string, string>>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The command for the schema, which is no part of the service and so stands beside the command. */
const SCHEMA_FUNCTION: LambdaFunction = {
  name: 'schema',
  entry: 'infra/aws/schema-function.ts',
  id: 'schema',
  assets: { 'infra/sql/*.sql': 'sql', 'infra/ords/*.sql': '.' },
};

/** Every function for AWS Lambda: the modules two levels below `functions` that export a `handler`, and the schema's. */
export const LAMBDA_FUNCTIONS: readonly LambdaFunction[] = [...serviceFunctions(), SCHEMA_FUNCTION].sort(
  (one, other) => one.name.localeCompare(other.name),
);

function serviceFunctions(): readonly LambdaFunction[] {
  return readdirSync(join(ROOT, 'functions'), { withFileTypes: true })
    .filter((folder) => folder.isDirectory())
    .flatMap((folder) =>
      readdirSync(join(ROOT, 'functions', folder.name)).map((file) => `functions/${folder.name}/${file}`),
    )
    .map((entry) => ({ entry, source: readFileSync(join(ROOT, entry), 'utf8') }))
    .filter(({ source }) => /^export const handler\b/m.test(source))
    .map(({ entry, source }) => {
      const name = functionName(entry);
      return { name, entry, id: /^export const (\w+)(?:Operation|Job)\b/m.exec(source)?.[1] ?? name };
    });
}

function functionName(entry: string): string {
  const folder = basename(dirname(entry));
  const verb = basename(entry, '.ts');
  return folder === verb ? verb : `${folder}-${verb}`;
}
