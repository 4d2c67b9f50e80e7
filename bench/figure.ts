/** One measured number beside the bound it must keep. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'MB' | 'KB' | '';
  /** Absent: the figure is shown, not judged. */
  readonly bound?: number;
}

/** One line for a person: name, value, bound, and whether it holds. */
export function formatFigure(figure: Figure): string {
  const value =
    `${figure.value.toFixed(figure.unit === 'MB' || figure.unit === 'KB' ? 0 : 2)} ${figure.unit}`.trim();
  if (figure.bound === undefined) return `${figure.name.padEnd(64)} ${value.padStart(12)}`;
  const verdict = figure.value <= figure.bound ? 'ok' : 'OVER';
  return `${figure.name.padEnd(64)} ${value.padStart(12)}   bound ${figure.bound} ${figure.unit} ${verdict}`;
}

/** True when every judged figure keeps its bound. */
export function allWithinBounds(figures: readonly Figure[]): boolean {
  return figures.every((figure) => figure.bound === undefined || figure.value <= figure.bound);
}
