/**
 * An error that Oracle Database itself would report. `message` starts with the number, as the server writes it:
 * `ORA-00942: table or view "NOTES" does not exist`. Anything the emulator does not support is one of these too.
 */
export class OracleError extends Error {
  override readonly name = 'OracleError';
  /** The number, positive: 942, 1, 20404. */
  readonly number: number;
  /** Offset into the statement text where the error was found, when known. */
  readonly offset: number | undefined;

  constructor(number: number, text: string, options: { offset?: number | undefined; cause?: unknown } = {}) {
    super(
      `ORA-${String(number).padStart(5, '0')}: ${text}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.number = number;
    this.offset = options.offset;
  }
}
