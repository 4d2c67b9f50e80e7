import { listStatements } from '../../infra/ords/statement-list.ts';
import { storeCases } from '../conformance/store-cases.ts';
import { openEmulatedStore } from '../store/emulated-store.ts';
import { DIMENSIONS } from '../store/store-samples.ts';
import { createFilterFunction, withInstalledStatements } from './installed-statements.ts';

for (const embedsInDatabase of [false, true]) {
  storeCases(`installed statements alone, ${embedsInDatabase ? 'with' : 'without'} a model`, async () => {
    const { transport, names } = await openEmulatedStore(undefined, { embedsInDatabase });
    await createFilterFunction(transport, names);
    const list = await listStatements({ names, dimensions: DIMENSIONS, vectorIndex: 'hnsw' });
    return { transport: withInstalledStatements(transport, list), names };
  });
}
