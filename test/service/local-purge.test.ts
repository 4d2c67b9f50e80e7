import { expect, it, onTestFinished, vi } from 'vitest';
import type { LogFields } from '../../functions/http/logger.ts';
import { readConfiguration } from '../../functions/runtime/configuration.ts';
import { openLocalService, PURGE_MILLISECONDS } from '../../infra/local/open-local-service.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { createManualClock } from '../../lib/testing/manual-clock.ts';

it('the process of npm start purges at its start and every hour', async () => {
  const logged: LogFields[] = [];
  const clock = createManualClock({ sleepAdvances: false });
  const service = await openLocalService(
    readConfiguration({ MEMORY_EXTRACTION: '{"extractMemories":false}' }, 'local'),
    { log: (level, event, fields) => void logged.push({ level, event, ...fields }) },
    undefined,
    clock,
  );
  onTestFinished(() => service.close());
  const purges = () => logged.filter(({ event, job }) => event === 'job_finished' && job === 'purge');
  await vi.waitFor(() => expect(purges()).toMatchObject([{ level: 'debug', records: 0 }]));
  const memory = createAgentMemoryClient({
    baseUrl: 'http://memory.test',
    fetch: (url, init) => Promise.resolve(service.app.request(url, init)),
  });
  const expired = { timestamp: '2020-01-01T00:00:00Z', ttlDays: 1, ttlAnchor: 'timestamp' } as const;
  await memory.addMemory('of no use any more', { memoryId: 'expired', ...expired });
  clock.advance(PURGE_MILLISECONDS);
  await vi.waitFor(() => expect(purges()[1]).toMatchObject({ level: 'info', records: 1, chunks: 1 }));
  expect(await memory.addMemory('of use', { memoryId: 'expired' })).toBe('expired');
  expect(logged.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
});
