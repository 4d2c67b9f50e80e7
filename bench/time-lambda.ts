import * as z from 'zod';
import type { LambdaHandler } from '../functions/runtime/lambda.ts';
import { EVENT_KINDS } from '../test/runtime/lambda-events.ts';
import { median, percentile } from './statistics.ts';

const WARM_UP = 50;
const ROUNDS = 5;
const SAMPLES = 100;
const requestSchema = z.object({
  method: z.string(),
  target: z.string(),
  route: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().optional(),
});
const moduleSchema = z.looseObject({
  handler: z.custom<LambdaHandler>((value) => typeof value === 'function'),
});
const [, makeEvent] = EVENT_KINDS[0];

const [path = '', text = ''] = process.argv.slice(2);
const request = requestSchema.parse(JSON.parse(text));
const { handler } = moduleSchema.parse(await import(path));

const { fetch: original } = globalThis;
let waited = 0;
globalThis.fetch = async (input, init) => {
  const start = performance.now();
  const response = await original(input, init);
  const answer = await response.arrayBuffer();
  waited += performance.now() - start;
  return new Response(answer, response);
};

async function invoke(): Promise<number> {
  waited = 0;
  const start = performance.now();
  const { statusCode, body } = await handler(makeEvent(request));
  const passed = performance.now() - start;
  if (statusCode >= 300) throw new Error(`${request.target} answered ${statusCode}: ${body}`);
  return passed - waited;
}

async function invokeTimes(count: number): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let index = 0; index < count; index += 1) samples.push(await invoke());
  return samples;
}

await invokeTimes(WARM_UP);
const rounds: (readonly number[])[] = [];
for (let round = 0; round < ROUNDS; round += 1) rounds.push(await invokeTimes(SAMPLES));
const best = rounds.reduce((one, other) => (median(other) < median(one) ? other : one));
process.stdout.write(String(percentile(best, 0.95)), () => process.exit(0));
