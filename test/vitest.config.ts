import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores are what a small machine has, and many files wait for processes and sockets.
    maxWorkers: 2,
  },
});
