import { transportCases } from '../../conformance/sql-transport-cases.ts';
import { LIVE_TARGETS } from './live-run.ts';

for (const target of LIVE_TARGETS) {
  transportCases(target.name, async (options) => target.openTransport(options));
}
