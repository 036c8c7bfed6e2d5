/** The data of a chart, independent of the library that draws it. */
export interface ChartData {
  /** One category per position on the horizontal axis. */
  readonly categories: readonly string[];
  /** E.g. `Iteration`. */
  readonly categoryTitle: string;
  readonly series: readonly ChartSeries[];
  readonly left: ChartAxis;
  /** The axis on the right, if series need it. */
  readonly right?: ChartAxis;
  /** Values to compare with, drawn across the chart. */
  readonly references?: readonly ChartReference[];
}

export interface ChartAxis {
  readonly title: string;
  readonly format: (value: number) => string;
}

export type ChartColor = 'blue' | 'orange' | 'green' | 'red' | 'purple' | 'yellow';

export interface ChartSeries {
  readonly label: string;
  readonly kind: 'line' | 'bar';
  readonly axis?: 'left' | 'right';
  readonly color: ChartColor;
  readonly dashed?: boolean;
  /** One value per category; undefined where it is unknown. */
  readonly values: readonly (number | undefined)[];
  /** Lowest and highest value within the noise, drawn behind a line. */
  readonly band?: readonly (readonly [low: number, high: number] | undefined)[];
}

export interface ChartReference {
  readonly label: string;
  readonly value: number;
  readonly axis?: 'left' | 'right';
}

/** The axis that a series is drawn on. */
export function axisOf(data: ChartData, { axis }: { readonly axis?: 'left' | 'right' }): ChartAxis {
  return axis === 'right' ? (data.right ?? data.left) : data.left;
}

/** One value as the chart shows it and a screen reader reads it. */
export function valueText(data: ChartData, series: ChartSeries, position: number): string {
  const value = series.values[position];
  if (value === undefined) return '–';
  const { format } = axisOf(data, series);
  const band = series.band?.[position];
  return band === undefined ? format(value) : `${format(value)} (${format(band[0])} to ${format(band[1])})`;
}

/** All values at one position, as a sentence for screen readers. */
export function pointText(data: ChartData, position: number): string {
  const values = data.series
    .filter(({ values: all }) => all[position] !== undefined)
    .map((series) => `${series.label} ${valueText(data, series, position)}`);
  return `${data.categoryTitle} ${data.categories[position] ?? ''}: ${values.length === 0 ? 'no values' : values.join(', ')}`;
}
