import { schemaCases } from '../../conformance/schema-cases.ts';
import { LIVE_TARGETS, liveNames } from './live-run.ts';

for (const target of LIVE_TARGETS) {
  schemaCases(target.name, async () => ({
    memoryStoreId: liveNames('schema', target).prefix.slice(0, -1),
    connect: () => target.openTransport(),
    async close() {},
  }));
}
