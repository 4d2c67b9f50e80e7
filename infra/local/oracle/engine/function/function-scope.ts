import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import { quoteName } from '../../translate/names.ts';
import type { RoutineNames } from '../../translate/translation.ts';
import type { FunctionDefinition } from '../catalog.ts';

/** PostgreSQL's parameter that counts calls within calls. No Oracle name starts with a dollar sign unless quoted. */
export const DEPTH = '"$depth"';
/** PostgreSQL's variable that counts the turns of all loops. */
export const TURNS = '"$turns"';

const NO_ERROR = "'ORA-0000: normal, successful completion'::text";
const MESSAGE: OracleType = { kind: 'VARCHAR2', length: 512, unit: 'BYTE' };

interface Variable {
  readonly type: OracleType;
  readonly sql: string;
  readonly assignable: boolean;
}

/** What names mean at one place of a stored function. */
export class FunctionScope implements RoutineNames {
  readonly #variables: ReadonlyMap<string, Variable>;
  readonly #functions: ReadonlyMap<string, FunctionDefinition>;
  /** Names of variables of the function around this one. */
  readonly #outer: ReadonlySet<string>;
  readonly inLoop: boolean;
  readonly inHandler: boolean;
  readonly depth = `${DEPTH} + 1`;

  private constructor(parts: ScopeParts) {
    this.#variables = parts.variables;
    this.#functions = parts.functions;
    this.#outer = parts.outer;
    this.inLoop = parts.inLoop;
    this.inHandler = parts.inHandler;
  }

  /** The scope of a function's parameters. `around`: where the function is declared, unless it is stored. */
  static ofFunction(definition: FunctionDefinition, around: FunctionScope | undefined): FunctionScope {
    const variables = new Map(
      definition.parameters.map(({ name, type }) => [
        name,
        { type, sql: quoteName(name), assignable: false },
      ]),
    );
    const functions = around === undefined ? [] : around.#functions;
    const outer = around === undefined ? [] : [...around.#outer, ...around.#variables.keys()];
    return new FunctionScope({
      variables,
      functions: new Map([...functions, [definition.name, definition]]),
      outer: new Set(outer),
      inLoop: false,
      inHandler: false,
    });
  }

  variable(name: string): string | undefined {
    return this.find(name)?.sql ?? this.#currentError(name);
  }

  localFunction(name: string): FunctionDefinition | undefined {
    return this.#functions.get(name);
  }

  /** Types of everything that an expression may read here. */
  get types(): ReadonlyMap<string, OracleType> {
    const types = new Map<string, OracleType>([
      ['SQLCODE', { kind: 'NUMBER' }],
      ['SQLERRM', MESSAGE],
    ]);
    for (const [name, { type }] of this.#variables) {
      types.set(name, type);
    }
    return types;
  }

  /** ORA-03001: the variable is one of the function around this one. */
  find(name: string): Variable | undefined {
    const variable = this.#variables.get(name);
    if (variable === undefined && this.#outer.has(name)) {
      throw new OracleError(
        3001,
        `unimplemented feature: a function that is declared inside uses ${name} of the one around it`,
      );
    }
    return variable;
  }

  withVariable(name: string, type: OracleType, assignable: boolean, sql = quoteName(name)): FunctionScope {
    return this.#with({ variables: new Map([...this.#variables, [name, { type, sql, assignable }]]) });
  }

  withFunction(definition: FunctionDefinition): FunctionScope {
    return this.#with({ functions: new Map([...this.#functions, [definition.name, definition]]) });
  }

  forLoop(): FunctionScope {
    return this.#with({ inLoop: true });
  }

  forHandler(): FunctionScope {
    return this.#with({ inHandler: true });
  }

  #with(changes: Partial<ScopeParts>): FunctionScope {
    return new FunctionScope({
      variables: this.#variables,
      functions: this.#functions,
      outer: this.#outer,
      inLoop: this.inLoop,
      inHandler: this.inHandler,
      ...changes,
    });
  }

  /** SQLCODE and SQLERRM speak of an error only in its handler. */
  #currentError(name: string): string | undefined {
    switch (name) {
      case 'SQLCODE':
        return this.inHandler ? 'ora.sql_code(SQLSTATE, SQLERRM)' : '0::numeric';
      case 'SQLERRM':
        return this.inHandler ? 'ora.sql_message(SQLSTATE, SQLERRM)' : NO_ERROR;
      default:
        return undefined;
    }
  }
}

interface ScopeParts {
  readonly variables: ReadonlyMap<string, Variable>;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly outer: ReadonlySet<string>;
  readonly inLoop: boolean;
  readonly inHandler: boolean;
}
