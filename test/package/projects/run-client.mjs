import { useClient } from './client-program.ts';

console.log(JSON.stringify(await useClient(process.env.AGENT_MEMORY_URL ?? '', 'node')));
