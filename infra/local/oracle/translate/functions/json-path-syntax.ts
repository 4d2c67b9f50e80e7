import { OracleError } from '../../sql/oracle-error.ts';

const STEP = /^\.\s*(?:(\*)|("(?:[^"\\]|\\.)*")|([\p{L}_][\p{L}\p{N}_$]*))(?!\s*\()/u;
const METHOD = /^\.(type|size|number|string|double|boolean|ceiling|floor|abs)\(\)/;
const INDEX =
  /^\[\s*(?:\*|(?:\d+|last(?:\s*-\s*\d+)?)(?:\s+to\s+(?:\d+|last(?:\s*-\s*\d+)?))?(?:\s*,\s*\d+(?:\s+to\s+\d+)?)*)\s*\]/;
const FILTER_TOKEN =
  /^(?:\s+|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\$[\p{L}_][\p{L}\p{N}_]*|==|!=|<>|<=|>=|<|>|&&|\|\||!|(?:true|false|null|exists|starts|with|like_regex)\b)/u;

/**
 * Checks a JSON path of Oracle and writes it as PostgreSQL's, with quoted member names. ORA-40442: wrong or outside
 * the supported subset (member and array steps, filters, the item methods that both databases have).
 */
export function translateJsonPathText(path: string, offset: number): string {
  const reader = new PathReader(path, offset);
  return reader.readPath('$');
}

/** The members and indexes of a path without wildcards and filters, for JSON_TRANSFORM. */
export function simpleSteps(path: string, offset: number): readonly string[] {
  const steps: string[] = [];
  let rest = path.trim();
  if (!rest.startsWith('$')) {
    throw syntaxError(path, offset);
  }
  rest = rest.slice(1);
  while (rest !== '') {
    const member = STEP.exec(rest);
    const index = /^\[\s*(\d+)\s*\]/.exec(rest);
    const name = member?.[3] ?? (member?.[2] === undefined ? undefined : String(JSON.parse(member[2])));
    if (member !== null && name !== undefined) {
      steps.push(name);
      rest = rest.slice(member[0].length);
    } else if (index?.[1] !== undefined) {
      steps.push(index[1]);
      rest = rest.slice(index[0].length);
    } else {
      throw syntaxError(path, offset);
    }
  }
  return steps;
}

function syntaxError(path: string, offset: number): OracleError {
  return new OracleError(40442, `JSON path expression syntax error ('${path.slice(0, 80)}')`, { offset });
}

class PathReader {
  readonly #path: string;
  readonly #offset: number;
  #rest: string;

  constructor(path: string, offset: number) {
    this.#path = path;
    this.#offset = offset;
    this.#rest = path.trim();
  }

  readPath(root: string): string {
    if (!this.#rest.startsWith(root)) {
      throw syntaxError(this.#path, this.#offset);
    }
    this.#rest = this.#rest.slice(1);
    const written = root + this.#readSteps();
    if (this.#rest.trim() !== '') {
      throw syntaxError(this.#path, this.#offset);
    }
    return written;
  }

  #readSteps(): string {
    let written = '';
    for (;;) {
      const method = this.#take(METHOD);
      const step = method === undefined ? this.#takeStep() : undefined;
      const index = method === undefined && step === undefined ? this.#take(INDEX) : undefined;
      const part = method ?? step ?? index ?? this.#readFilter();
      if (part === undefined) {
        return written;
      }
      written += part;
    }
  }

  #take(expression: RegExp): string | undefined {
    const match = expression.exec(this.#rest);
    if (match === null || match[0] === '') {
      return undefined;
    }
    this.#rest = this.#rest.slice(match[0].length);
    return match[0];
  }

  #takeStep(): string | undefined {
    const match = STEP.exec(this.#rest);
    if (match === null) {
      return undefined;
    }
    this.#rest = this.#rest.slice(match[0].length);
    const [, star, quoted, name] = match;
    return star === undefined ? `.${quoted ?? `"${name}"`}` : '.*';
  }

  /** `?(condition)`. */
  #readFilter(): string | undefined {
    const match = /^\s*\?\s*\(/.exec(this.#rest);
    if (match === null) {
      return undefined;
    }
    this.#rest = this.#rest.slice(match[0].length);
    return ` ? (${this.#readCondition()})`;
  }

  /** Tokens up to the right parenthesis that ends the condition. */
  #readCondition(): string {
    let written = '';
    for (;;) {
      if (this.#rest.startsWith(')')) {
        this.#rest = this.#rest.slice(1);
        return written;
      }
      if (this.#rest.startsWith('(')) {
        this.#rest = this.#rest.slice(1);
        written += `(${this.#readCondition()})`;
      } else if (this.#rest.startsWith('@') || /^\$(?![\p{L}_])/u.test(this.#rest)) {
        const root = this.#rest.charAt(0);
        this.#rest = this.#rest.slice(1);
        written += root + this.#readSteps();
      } else {
        const token = this.#take(FILTER_TOKEN);
        if (token === undefined) {
          throw syntaxError(this.#path, this.#offset);
        }
        written += token;
      }
    }
  }
}
