import { createOracleEngine } from '../../infra/local/oracle/engine/create-oracle-engine.ts';

/** Run as a process of its own: writes rows for ever and prints the number of each after its commit. */
const [, , dataDirectory] = process.argv;
const engine = await createOracleEngine({ dataDirectory });
const session = engine.openSession();
await session.execute('CREATE TABLE written (id NUMBER(6) PRIMARY KEY)', []);
for (let id = 1; ; id += 1) {
  await session.execute('INSERT INTO written (id) VALUES (:id)', [
    { name: 'ID', type: { kind: 'NUMBER' }, direction: 'in', value: id },
  ]);
  await session.commit();
  process.stdout.write(`${id}\n`);
}
