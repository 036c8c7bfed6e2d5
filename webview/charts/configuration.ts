import type { ChartConfiguration, ChartDataset, TooltipItem } from 'chart.js';
import { prefersReducedMotion, themeToken } from '../ui/base/theme';
import { type ChartAxis, type ChartColor, type ChartData, type ChartSeries, valueText } from './data';

/** The kinds of datasets in the charts. */
export type Kinds = 'line' | 'bar';

/** Used only when a theme has no such token. */
const fallbackColors: Readonly<Record<ChartColor, string>> = {
  blue: '#3794ff',
  orange: '#d18616',
  green: '#89d185',
  red: '#f14c4c',
  purple: '#b180d7',
  yellow: '#cca700',
};

/** Colour is never the only difference between series. */
const pointStyles = ['circle', 'rect', 'triangle', 'rectRot'] as const;

/** The configuration of chart.js in the current colours of the theme. */
export function configuration(data: ChartData): ChartConfiguration<Kinds, (number | null)[], string> {
  const text = themeToken('--vscode-foreground', '#cccccc');
  return {
    type: 'line',
    data: {
      labels: [...data.categories],
      datasets: data.series.flatMap((series, index) => datasets(series, index)),
    },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      animation: prefersReducedMotion() ? false : { duration: 200 },
      interaction: { mode: 'index', intersect: false },
      color: text,
      font: font(),
      scales: {
        x: scale({ title: data.categoryTitle, format: String }, { display: true, isValue: false }),
        left: scale(data.left, { display: true, isValue: true }),
        right: scale(data.right ?? data.left, {
          display: data.right !== undefined,
          isValue: true,
          isRight: true,
        }),
      },
      plugins: {
        legend: {
          position: 'top',
          align: 'start',
          labels: {
            color: text,
            font: font(),
            usePointStyle: true,
            boxHeight: 7,
            // The edges of a band have no entry in the legend.
            filter: ({ text: label }) => label !== '',
          },
        },
        tooltip: tooltip(data),
      },
    },
  };
}

function datasets(series: ChartSeries, index: number): ChartDataset<Kinds, (number | null)[]>[] {
  // Some themes derive these from translucent highlights: too pale for a line.
  const color = translucent(themeToken(`--vscode-charts-${series.color}`, fallbackColors[series.color]), 1);
  const yAxisID = series.axis ?? 'left';
  const values = series.values.map((value) => value ?? null);
  if (series.kind === 'bar')
    return [
      {
        type: 'bar',
        label: series.label,
        data: values,
        yAxisID,
        backgroundColor: translucent(color, 0.35),
        borderColor: color,
        borderWidth: 1,
        maxBarThickness: 48,
        pointStyle: 'rect',
        order: 2,
      },
    ];
  const line: ChartDataset<Kinds, (number | null)[]> = {
    type: 'line',
    label: series.label,
    data: values,
    yAxisID,
    borderColor: color,
    backgroundColor: color,
    borderWidth: 2,
    borderDash: series.dashed === true ? [5, 4] : [],
    pointStyle: pointStyles[index % pointStyles.length] ?? 'circle',
    pointRadius: 4,
    pointHoverRadius: 6,
    spanGaps: true,
    order: 0,
  };
  return series.band === undefined ? [line] : [line, ...bandEdges(series.band, color, yAxisID)];
}

/** A band is the area between two lines that are not drawn. */
function bandEdges(
  band: NonNullable<ChartSeries['band']>,
  color: string,
  yAxisID: string,
): ChartDataset<Kinds, (number | null)[]>[] {
  const edge = (pick: 0 | 1, fill: '-1' | false): ChartDataset<Kinds, (number | null)[]> => ({
    type: 'line',
    label: '',
    data: band.map((ends) => ends?.[pick] ?? null),
    yAxisID,
    borderWidth: 0,
    pointRadius: 0,
    pointHoverRadius: 0,
    backgroundColor: translucent(color, 0.15),
    fill,
    spanGaps: true,
    order: 1,
  });
  return [edge(0, false), edge(1, '-1')];
}

function scale(
  axis: ChartAxis,
  { display, isValue, isRight = false }: { display: boolean; isValue: boolean; isRight?: boolean },
): object {
  const text = themeToken('--vscode-foreground', '#cccccc');
  const lines = themeToken('--vscode-charts-lines', text);
  return {
    display,
    ...(isValue ? { type: 'linear', beginAtZero: true, position: isRight ? 'right' : 'left' } : {}),
    title: { display: true, text: axis.title, color: text, font: font() },
    grid: { color: translucent(lines, 0.25), drawOnChartArea: isValue && !isRight },
    border: { color: lines },
    ticks: {
      color: text,
      font: font(),
      maxRotation: 0,
      autoSkip: true,
      maxTicksLimit: isValue ? 6 : 20,
      ...(isValue ? { callback: (value: string | number) => axis.format(Number(value)) } : {}),
    },
  };
}

function tooltip(data: ChartData): object {
  const text = themeToken(
    '--vscode-editorHoverWidget-foreground',
    themeToken('--vscode-foreground', '#cccccc'),
  );
  return {
    backgroundColor: themeToken('--vscode-editorHoverWidget-background', '#252526'),
    borderColor: themeToken('--vscode-editorHoverWidget-border', '#454545'),
    borderWidth: 1,
    titleColor: text,
    bodyColor: text,
    titleFont: { ...font(), weight: 'bold' },
    bodyFont: font(),
    usePointStyle: true,
    filter: (item: TooltipItem<Kinds>) => item.dataset.label !== '',
    callbacks: {
      title: (items: readonly TooltipItem<Kinds>[]) => `${data.categoryTitle} ${items[0]?.label ?? ''}`,
      label: (item: TooltipItem<Kinds>) => {
        const series = data.series.find(({ label }) => label === item.dataset.label);
        return series === undefined ? '' : ` ${series.label}: ${valueText(data, series, item.dataIndex)}`;
      },
    },
  };
}

/** The font that the user chose for VS Code. */
export function font(): { readonly family: string; readonly size: number } {
  const size = Number.parseFloat(themeToken('--vscode-font-size', '13px'));
  return {
    family: themeToken('--vscode-font-family', 'sans-serif'),
    size: Number.isFinite(size) ? size - 1 : 12,
  };
}

/** A colour of the theme (hex or rgb) with another opacity; others stay as they are. */
export function translucent(color: string, alpha: number): string {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})/i.exec(color);
  const rgb = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/i.exec(color);
  const parts = hex?.slice(1).map((part) => Number.parseInt(part, 16)) ?? rgb?.slice(1).map(Number);
  return parts === undefined ? color : `rgba(${parts.join(', ')}, ${alpha})`;
}
