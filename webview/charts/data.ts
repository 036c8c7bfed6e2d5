/** What a chart shows, in the field's words; nothing of the library that draws it. */
export interface ChartData {
  /** One per place on the horizontal axis. */
  readonly categories: readonly string[];
  /** E.g. `Iteration`. */
  readonly categoryTitle: string;
  readonly series: readonly ChartSeries[];
  readonly left: ChartAxis;
  /** For series on the other axis. */
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
  /** Undefined: unknown there. */
  readonly values: readonly (number | undefined)[];
  /** Lowest and highest value that the noise allows, drawn behind a line. */
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

/** One value as it is shown and read out. */
export function valueText(data: ChartData, series: ChartSeries, position: number): string {
  const value = series.values[position];
  if (value === undefined) return '–';
  const { format } = axisOf(data, series);
  const band = series.band?.[position];
  return band === undefined ? format(value) : `${format(value)} (${format(band[0])} to ${format(band[1])})`;
}

/** All values at one place, as a sentence for people who do not see the chart. */
export function pointText(data: ChartData, position: number): string {
  const values = data.series
    .filter(({ values: all }) => all[position] !== undefined)
    .map((series) => `${series.label} ${valueText(data, series, position)}`);
  return `${data.categoryTitle} ${data.categories[position] ?? ''}: ${values.length === 0 ? 'no values' : values.join(', ')}`;
}
