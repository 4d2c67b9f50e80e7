/** One thing that SQLcl does with a script: run SQL or PL/SQL, or a command of its own. */
export interface ScriptStep {
  readonly kind: 'sql' | 'plsql' | 'command';
  /** With its substitution variables filled in; SQL without the semicolon, PL/SQL without the slash. */
  readonly text: string;
}

export interface ScriptOptions {
  /** Reads the file that `@@` names. */
  readonly read?: (fileName: string) => string;
  /** Variables that are defined before, and answers to ACCEPT; a DEFINE of the script does not change these. */
  readonly given?: Readonly<Record<string, string>>;
}

const COMMAND = /^(?:@@?|(?:DEFINE|UNDEFINE|SET|WHENEVER|ACCEPT|PROMPT|CONNECT)\b)/i;
const PLSQL =
  /^(?:BEGIN|DECLARE|CREATE\s+(?:OR\s+REPLACE\s+)?(?:PROCEDURE|FUNCTION|PACKAGE|TRIGGER|TYPE))\b/i;

/**
 * Reads a script as SQLcl does (SQLcl and SQL*Plus User's Guides): a semicolon at the end of a line ends SQL, a slash
 * alone on a line ends PL/SQL, `&name.` is a variable unless SET DEFINE OFF. Throws where SQLcl would ask, or would
 * take a part for the whole.
 */
export function readSqlclScript(script: string, options: ScriptOptions = {}): readonly ScriptStep[] {
  const reader = new ScriptReader(options);
  reader.read(script);
  return reader.steps;
}

class ScriptReader {
  readonly steps: ScriptStep[] = [];
  readonly #options: ScriptOptions;
  readonly #variables = new Map<string, string>();
  #substitutes = true;

  constructor(options: ScriptOptions) {
    this.#options = options;
    for (const [name, value] of Object.entries(options.given ?? {})) this.#variables.set(name, value);
  }

  read(script: string): void {
    let lines: string[] = [];
    for (const line of script.split('\n')) {
      if (lines.length === 0 && (line.trim() === '' || line.startsWith('--'))) continue;
      if (lines.length === 0 && COMMAND.test(line)) this.#command(this.#substituted(line));
      else lines = this.#continued([...lines, this.#substituted(line)]);
    }
    if (lines.length > 0) throw new Error(`the script ends inside a statement: ${lines.join('\n')}`);
  }

  /** The lines of the statement that goes on, or none when it has ended. */
  #continued(lines: readonly string[]): string[] {
    const [last = ''] = lines.slice(-1);
    if (PLSQL.test(lines[0] ?? '')) {
      if (last !== '/') return [...lines];
      this.steps.push({ kind: 'plsql', text: lines.slice(0, -1).join('\n') });
      return [];
    }
    if (last.trim() === '') throw new Error(`a blank line ends the statement: ${lines.join('\n')}`);
    if (!last.trimEnd().endsWith(';')) return [...lines];
    this.steps.push({ kind: 'sql', text: lines.join('\n').trimEnd().slice(0, -1) });
    return [];
  }

  #command(line: string): void {
    const [, file] = /^@@?(\S+)$/.exec(line) ?? [];
    if (file !== undefined) {
      if (this.#options.read === undefined) throw new Error(`no file to read: ${file}`);
      this.read(this.#options.read(file));
      return;
    }
    const [, name = '', value = ''] = /^DEFINE\s+(\w+)\s*=\s*(.*)$/i.exec(line) ?? [];
    if (name !== '' && this.#options.given?.[name] === undefined) {
      this.#variables.set(name, value.replace(/^'(.*)'$/, '$1').trim());
    }
    const [, define] = /^SET\s+DEFINE\s+(ON|OFF)$/i.exec(line) ?? [];
    if (define !== undefined) this.#substitutes = define.toUpperCase() === 'ON';
    this.steps.push({ kind: 'command', text: line });
  }

  #substituted(line: string): string {
    if (!this.#substitutes) return line;
    return line.replace(/&(\w+)\.?/g, (_match, name: string) => {
      const value = this.#variables.get(name);
      if (value === undefined) throw new Error(`SQLcl would ask for a value of ${name}: ${line}`);
      return value;
    });
  }
}
