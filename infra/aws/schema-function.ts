import { env } from 'node:process';
import * as z from 'zod';
import { readStoredVariables } from '../../functions/runtime/stored-variables.ts';
import { runSchemaCommand } from '../schema-command.ts';

const payloadSchema = z.strictObject({ arguments: z.array(z.string()).min(1) });

/** What the command printed. */
export interface SchemaAnswer {
  readonly output: string;
}

/**
 * AWS Lambda entry of `npm run schema`, for databases that only the functions reach. It is invoked by hand with the
 * arguments of the command, `{"arguments": ["apply"]}`.
 *
 * @throws Error with what the command printed when it failed, so that the invocation fails
 */
export async function handler(payload: unknown): Promise<SchemaAnswer> {
  const { arguments: commandLine } = payloadSchema.parse(payload);
  let output = '';
  const exitCode = await runSchemaCommand(commandLine, {
    variables: await readStoredVariables(env),
    write: (text) => {
      output += text;
    },
  });
  if (exitCode !== 0) throw new Error(output);
  return { output };
}
