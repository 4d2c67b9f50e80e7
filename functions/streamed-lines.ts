/**
 * An answer of lines that is read while it is sent: its first page is there, so that what fails before it is an answer of its
 * own; each other page is read when it is asked for.
 */
export class StreamedLines<Line> {
  readonly first: readonly Line[];
  readonly rest: AsyncGenerator<readonly Line[], void, undefined>;

  private constructor(first: readonly Line[], rest: AsyncGenerator<readonly Line[], void, undefined>) {
    this.first = first;
    this.rest = rest;
  }

  /** Reads the first page. @throws what reading it throws */
  static async open<Line>(
    pages: AsyncGenerator<readonly Line[], void, undefined>,
  ): Promise<StreamedLines<Line>> {
    const { value = [] } = await pages.next();
    return new StreamedLines(value, pages);
  }
}

/** What may be sent for a whole answer: the stream of its lines, where lines are all that it has. */
export type StreamOf<Answer> = Answer extends { readonly lines: readonly (infer Line)[] }
  ? StreamedLines<Line>
  : never;
