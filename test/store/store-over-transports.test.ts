import { expect, it } from 'vitest';
import { chooseTargets } from '../conformance/choose-targets.ts';
import { type MakeStoreTransport, storeCases } from '../conformance/store-cases.ts';
import { openEmulatedStore } from './emulated-store.ts';

/** Every transport there is, by the name that `STORE_TARGETS` knows it by. */
const TARGETS: Readonly<Record<string, MakeStoreTransport>> = {
  ords: () => openEmulatedStore(),
  'ords-port': () => openEmulatedStore(undefined, { entrance: 'port' }),
  'ords-module': () => openEmulatedStore(undefined, { entrance: 'module' }),
  'ords-module-with-model': () =>
    openEmulatedStore(undefined, { entrance: 'module', embedsInDatabase: true }),
  thin: () => openEmulatedStore(undefined, { entrance: 'thin' }),
  'ords-with-model': () => openEmulatedStore(undefined, { embedsInDatabase: true }),
};

const { chosen, skipped } = chooseTargets(Object.keys(TARGETS), process.env.STORE_TARGETS);
console.info(`store targets: ${chosen.join(', ')}; skipped: ${skipped.join(', ') || 'none'}`);

for (const name of chosen) {
  const make = TARGETS[name];
  if (make !== undefined) storeCases(name, make);
}

it('takes every target that there is unless told otherwise', () => {
  expect(chooseTargets(Object.keys(TARGETS), undefined)).toEqual({
    chosen: Object.keys(TARGETS),
    skipped: [],
  });
  expect(chooseTargets(Object.keys(TARGETS), 'ords')).toEqual({
    chosen: ['ords'],
    skipped: ['ords-port', 'ords-module', 'ords-module-with-model', 'thin', 'ords-with-model'],
  });
  for (const wish of ['oracle', 'ords,', '']) {
    expect(() => chooseTargets(Object.keys(TARGETS), wish)).toThrow(RangeError);
  }
});
