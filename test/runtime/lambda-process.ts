import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type ClientRequest, EVENT_KINDS } from './lambda-events.ts';

/** What AWS Lambda is to a function: a process that has nothing but the folder. */
const RUNTIME = `
  const { handler } = await import('./index.mjs');
  process.on('message', async (event) => process.send(await handler(event)));
  process.send('ready');
`;
const answerSchema = z.looseObject({ statusCode: z.number(), body: z.string() });
const [, makeEvent] = EVENT_KINDS[0];

/** A built function in a process of its own. */
export interface LambdaProcess {
  readonly child: ChildProcess;
  invoke(request: ClientRequest): Promise<{
    readonly statusCode: number;
    readonly body: Readonly<Record<string, unknown>>;
  }>;
}

/** Starts the function of a folder with no variables but these. */
export async function startLambdaProcess(
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<LambdaProcess> {
  await writeFile(join(folder, 'runtime.mjs'), RUNTIME);
  const options = { cwd: folder, env: { ...variables }, execArgv: [], silent: true };
  const child = fork(join(folder, 'runtime.mjs'), options);
  await once(child, 'message');
  return {
    child,
    async invoke(request) {
      const answered = once(child, 'message');
      child.send(makeEvent(request));
      const [answer] = await answered;
      const { statusCode, body } = answerSchema.parse(answer);
      return { statusCode, body: z.looseObject({}).parse(JSON.parse(body)) };
    },
  };
}
