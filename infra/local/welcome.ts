import type { Configuration } from '../../functions/runtime/configuration.ts';

/** What a person sees when the service is ready: where it is, over what, and a line to try. */
export function welcome(
  { transport, server, embedder, llm }: Configuration,
  url: string,
  queuePlace: string,
): string {
  const database =
    transport.kind === 'ords'
      ? `ORDS at ${transport.config.url}`
      : `the embedded Oracle emulator, data in ${server.dataDirectory}`;
  return [
    `agent-memory-functions is ready on ${url}`,
    `  database  ${database}`,
    `  jobs      ${queuePlace}`,
    `  models    embedder ${embedder.kind}, language model ${llm.kind}`,
    '',
    'Try it:',
    `  curl -s ${url}/v1/threads -H 'Content-Type: application/json' -d '{"userId": "maya"}'`,
  ].join('\n');
}
