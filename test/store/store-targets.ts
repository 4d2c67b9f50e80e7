import { it } from 'vitest';
import { chooseTargets } from '../conformance/choose-targets.ts';
import { type MakeStoreTransport, storeCases } from '../conformance/store-cases.ts';
import { openEmulatedStore } from './emulated-store.ts';

/** Every transport there is, by the name that `STORE_TARGETS` knows it by. */
export const STORE_TARGETS: Readonly<Record<string, MakeStoreTransport>> = {
  ords: () => openEmulatedStore(),
  'ords-port': () => openEmulatedStore(undefined, { entrance: 'port' }),
  'ords-module': () => openEmulatedStore(undefined, { entrance: 'module' }),
  'ords-module-with-model': () =>
    openEmulatedStore(undefined, { entrance: 'module', embedsInDatabase: true }),
  thin: () => openEmulatedStore(undefined, { entrance: 'thin' }),
  'ords-with-model': () => openEmulatedStore(undefined, { embedsInDatabase: true }),
};

/**
 * The store cases over one transport, if it is among those that `STORE_TARGETS` asks for; else it says that they are
 * skipped. One transport a file, so that they run side by side.
 */
export function storeCasesOver(name: string): void {
  const { chosen } = chooseTargets(Object.keys(STORE_TARGETS), process.env.STORE_TARGETS);
  const make = STORE_TARGETS[name];
  if (make === undefined) throw new RangeError(`There is no target ${JSON.stringify(name)}.`);
  if (chosen.includes(name)) storeCases(name, make);
  else it.skip(`the store over ${name}, which STORE_TARGETS leaves out`, () => {});
}
