import { readMigrations } from '../../../infra/schema-migrations.ts';
import { ensureSchema } from '../../../lib/schema/ensure-schema.ts';
import { storeCases } from '../../conformance/store-cases.ts';
import { DIMENSIONS, NO_RETENTION } from '../../store/store-samples.ts';
import { LIVE_TARGETS, liveNames } from './live-run.ts';

for (const target of LIVE_TARGETS) {
  storeCases(target.name, async () => {
    const transport = target.openTransport();
    const names = liveNames('store', target);
    await ensureSchema({
      transport,
      names,
      policy: 'create_if_empty',
      migrations: readMigrations(),
      vectorDimensions: DIMENSIONS,
      searchStrategy: 'keyword',
      searchIndexSync: 'on_commit',
      retention: NO_RETENTION,
      embedderModel: 'none',
    });
    return { transport, names };
  });
}
