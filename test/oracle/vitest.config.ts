import { defineConfig } from 'vitest/config';

/** The conformance cases on a real database. `npm run test:oracle` runs them; `npm test` does not find them. */
export default defineConfig({
  test: {
    include: ['test/oracle/conformance/*.live.ts'],
    // A database far away: a case is many round trips, and creating an index may take its time.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    // One file at a time: a small database has few sessions.
    fileParallelism: false,
  },
});
