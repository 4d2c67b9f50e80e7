import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import type { TranslationParameter } from '../../translate/translation.ts';
import type { EngineBind, OracleValue } from '../oracle-engine.ts';
import type { TypesByName } from '../statement-translator.ts';
import type { BlockExpression, Target } from './block-syntax.ts';
import { sqlCode, sqlErrorMessage } from './exception-handler.ts';
import { foldExpression, type Operands } from './fold-expression.ts';
import { assignValue, type TypedValue } from './typed-value.ts';

const NUMBER: OracleType = { kind: 'NUMBER' };
const BOOLEAN: OracleType = { kind: 'BOOLEAN' };
const TIMESTAMP: OracleType = { kind: 'TIMESTAMP', precision: 6, timeZone: true };

/** The values that a running block reads and writes. */
export class BlockFrame implements Operands {
  readonly #types: TypesByName;
  readonly #binds: ReadonlyMap<string, EngineBind>;
  readonly #values = new Map<string, OracleValue>();
  readonly #bindValues = new Map<string, OracleValue>();
  #currentError: OracleError | undefined;
  /** SQL%ROWCOUNT; undefined before the first statement. */
  rowCount: number | undefined;

  constructor(types: TypesByName, binds: readonly EngineBind[]) {
    this.#types = types;
    this.#binds = new Map(binds.map((bind) => [bind.name, bind]));
    for (const bind of binds) {
      this.#bindValues.set(bind.name, bind.direction === 'out' ? null : (bind.value ?? null));
    }
  }

  get currentError(): OracleError | undefined {
    return this.#currentError;
  }

  /** SQLCODE, SQLERRM and RAISE mean this error while a handler runs. */
  async withCurrentError<Result>(error: OracleError, work: () => Promise<Result>): Promise<Result> {
    const outer = this.#currentError;
    this.#currentError = error;
    try {
      return await work();
    } finally {
      this.#currentError = outer;
    }
  }

  fold(expression: BlockExpression): TypedValue | undefined {
    return foldExpression(expression.tree, this);
  }

  variable(name: string): TypedValue | undefined {
    const type = this.#types.get(name);
    if (type !== undefined) {
      return { value: this.#values.get(name) ?? null, type };
    }
    switch (name) {
      case 'SQL$ROWCOUNT':
        return { value: this.rowCount ?? null, type: NUMBER };
      case 'SQL$FOUND':
        return { value: this.rowCount === undefined ? null : this.rowCount > 0, type: BOOLEAN };
      case 'SQL$NOTFOUND':
        return { value: this.rowCount === undefined ? null : this.rowCount === 0, type: BOOLEAN };
      case 'SQLCODE':
        return { value: sqlCode(this.#currentError), type: NUMBER };
      case 'SQLERRM':
        return {
          value: sqlErrorMessage(this.#currentError),
          type: { kind: 'VARCHAR2', length: 512, unit: 'BYTE' },
        };
      case 'SYSTIMESTAMP':
        return { value: currentTimestamp(), type: TIMESTAMP };
      default:
        return undefined;
    }
  }

  bind(name: string): TypedValue | undefined {
    const bind = this.#binds.get(name);
    return bind && { value: this.#bindValues.get(name) ?? null, type: bind.type };
  }

  /** The value of a parameter of a translated statement. */
  readonly valueOf = (parameter: TranslationParameter): OracleValue => {
    const operand = parameter.source === 'bind' ? this.bind(parameter.name) : this.variable(parameter.name);
    return operand?.value ?? null;
  };

  /** Sets a field of a loop record, which has the type of its column. */
  set(name: string, value: OracleValue): void {
    this.#values.set(name, value);
  }

  /** ORA-06502 when the value does not fit, PLS-00363 when the target is an IN bind. */
  assign(target: Target, source: TypedValue): void {
    if (target.source === 'variable') {
      this.#values.set(target.name, assignValue(source, this.#types.get(target.name) ?? NUMBER));
      return;
    }
    const bind = this.#binds.get(target.name);
    if (bind === undefined || bind.direction === 'in') {
      throw new OracleError(
        6550,
        `PLS-00363: expression ':${target.name}' cannot be used as an assignment target`,
      );
    }
    this.#bindValues.set(target.name, assignValue(source, bind.type));
  }

  outValues(): Readonly<Record<string, OracleValue>> {
    const values: Record<string, OracleValue> = {};
    for (const bind of this.#binds.values()) {
      if (bind.direction !== 'in') {
        values[bind.name] = this.#bindValues.get(bind.name) ?? null;
      }
    }
    return values;
  }
}

/** Now, in UTC with microseconds. */
function currentTimestamp(): string {
  const milliseconds = performance.timeOrigin + performance.now();
  const microseconds = String(Math.floor((milliseconds % 1) * 1000)).padStart(3, '0');
  return new Date(milliseconds).toISOString().replace('Z', `${microseconds}Z`);
}
