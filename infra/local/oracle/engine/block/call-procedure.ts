import { declaredTypes } from '../declared-binds.ts';
import type { EngineBind } from '../oracle-engine.ts';
import type { StatementRunner } from '../statement-runner.ts';
import type { BlockCompiler } from './block-compiler.ts';
import type { BlockExpression, BlockStatement } from './block-syntax.ts';
import { runBlock } from './run-block.ts';
import { assignValue, type TypedValue } from './typed-value.ts';

/** Runs a stored procedure as a block of its own: it sees its parameters and nothing of the block that calls it. */
export async function callProcedure(
  { procedure, values }: BlockStatement & { kind: 'call' },
  runner: StatementRunner,
  compiler: BlockCompiler,
  evaluate: (expression: BlockExpression) => Promise<TypedValue>,
): Promise<void> {
  const { parameters = [], block = '' } = runner.catalog.procedure(procedure) ?? {};
  const binds: EngineBind[] = [];
  for (const [index, { name, type }] of parameters.entries()) {
    const expression = values[index];
    const given = expression && (await evaluate(expression));
    const value = given === undefined ? null : assignValue(given, type);
    binds.push({ name, type, direction: 'in', value });
  }
  const compiled = await compiler.compile(block, declaredTypes(binds), runner);
  await runBlock(compiled, binds, runner, compiler, procedure);
}
