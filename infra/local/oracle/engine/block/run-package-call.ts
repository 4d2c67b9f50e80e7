import { OracleError } from '../../sql/oracle-error.ts';
import type { RowPolicy } from '../catalog.ts';
import { removeConditions } from '../row-isolation/row-policies.ts';
import type { StatementRunner } from '../statement-runner.ts';
import type { BlockExpression, BlockStatement } from './block-syntax.ts';
import type { TypedValue } from './typed-value.ts';

/** A statement that calls a procedure of a package. */
export type PackageCall = Extract<
  BlockStatement,
  {
    readonly kind: ContextCall['kind'] | 'add_policy' | 'drop_policy' | 'sync_index' | 'optimize_index';
  }
>;

type ContextCall = Extract<BlockStatement, { readonly kind: 'set_context' | 'clear_context' }>;

/** What the calls take from the block that runs. */
export interface PackageCallScope {
  readonly runner: StatementRunner;
  /** The stored procedure that runs; undefined in an anonymous block. */
  readonly procedure: string | undefined;
  evaluate(expression: BlockExpression): Promise<TypedValue>;
}

export async function runPackageCall(call: PackageCall, scope: PackageCallScope): Promise<void> {
  switch (call.kind) {
    case 'set_context':
    case 'clear_context':
      return changeContext(call, scope);
    case 'add_policy':
      return addPolicy(call.policy, scope.runner);
    case 'drop_policy':
      return dropPolicy(call.table, call.name, scope.runner);
    case 'sync_index':
      return scope.runner.syncTextIndex(await textIndex(call.index, scope));
    case 'optimize_index':
      await textIndex(call.index, scope);
  }
}

/** ORA-01031: the context belongs to another procedure, or to none. */
async function changeContext(call: ContextCall, scope: PackageCallScope): Promise<void> {
  const values: string[] = [];
  for (const expression of call.values) {
    values.push(String((await scope.evaluate(expression)).value ?? ''));
  }
  const [namespace = '', attribute = '', value = ''] = values;
  const { catalog, context } = scope.runner;
  const trusted = catalog.contextProcedure(namespace.toUpperCase());
  if (trusted === undefined || trusted !== scope.procedure) {
    throw new OracleError(1031, 'insufficient privileges');
  }
  if (call.kind === 'set_context') context.set(namespace, attribute, value);
  else context.clear(namespace);
}

/** Name of a text index; DRG-10502: there is none. Optimizing it changes no answer, so that is all it needs. */
async function textIndex(index: BlockExpression, { runner, evaluate }: PackageCallScope): Promise<string> {
  const name = String((await evaluate(index)).value ?? '').toUpperCase();
  if (runner.catalog.index(name)?.kind !== 'TEXT') {
    throw new OracleError(20000, `Oracle Text error:\nDRG-10502: index ${name} does not exist`);
  }
  return name;
}

/** ORA-28101: the table has a policy of this name. */
async function addPolicy(policy: RowPolicy, runner: StatementRunner): Promise<void> {
  const { catalog } = runner;
  if (catalog.table(policy.table) === undefined) {
    throw new OracleError(942, `table or view "${policy.table}" does not exist`);
  }
  if (catalog.policies().some(({ table, name }) => table === policy.table && name === policy.name)) {
    throw new OracleError(28101, 'policy already exists');
  }
  await runner.changeCatalog('ADD POLICY', [], [{ kind: 'policy', policy }]);
}

/** ORA-28102: the table has no policy of this name. */
async function dropPolicy(table: string, name: string, runner: StatementRunner): Promise<void> {
  const ofTable = runner.catalog.policies().filter((policy) => policy.table === table);
  if (!ofTable.some((policy) => policy.name === name)) {
    throw new OracleError(28102, 'policy does not exist');
  }
  const steps = ofTable.length === 1 ? removeConditions(table) : [];
  await runner.changeCatalog('DROP POLICY', steps, [{ kind: 'drop_policy', table, name }]);
}
