import { formatBytes, formatCount, formatPercent, formatSeconds } from '../../src/core/format';
import { visibleControls } from '../../src/core/names/visibleControls';
import type {
  Characteristic,
  ComparedPairFacts,
  ComparedView,
  ComparisonCell,
  ComparisonHeader,
  ComparisonRow,
  EntryClass,
} from '../../src/core/trace/comparisonPieces';
import { entryClasses } from '../../src/core/trace/comparisonPieces';

export type Difference = Exclude<EntryClass, 'equal'>;

/** How a difference is shown and read out. */
export const differences: Readonly<
  Record<Difference, { readonly symbol: string; readonly label: string; readonly meaning: string }>
> = {
  deleted: { symbol: '−', label: 'deleted', meaning: 'only in the left view of a pair' },
  added: { symbol: '+', label: 'added', meaning: 'only in the right view of a pair' },
  changed: { symbol: '≠', label: 'changed', meaning: 'in both, but different' },
};

/** In the order in which they are shown. */
export const differenceNames = ['changed', 'added', 'deleted'] as const satisfies readonly Difference[];

/** What a row is in a view, compared with the view before it and the one after it; the strongest first. */
export function differencesOf({ cells, classes }: ComparisonRow, view: number): readonly Difference[] {
  if (cells[view] === undefined) return [];
  const found = new Set([classes[view - 1], classes[view]]);
  return [...entryClasses].reverse().flatMap((one) => (one !== 'equal' && found.has(one) ? [one] : []));
}

export function visibleHeader(header: ComparisonHeader): ComparisonHeader {
  return {
    ...header,
    views: header.views.map((view) => ({ ...view, name: visibleControls(view.name) })),
    metrics: header.metrics,
    notes: header.notes.map(visibleControls),
  };
}

/** `[2-625]`, `[2]`; empty where the place is unknown. */
export function linesText({ place, lastLine }: ComparisonRow): string {
  const first = place?.line;
  if (first === undefined) return '';
  return lastLine === undefined || lastLine <= first ? `[${first}]` : `[${first}-${lastLine}]`;
}

/** `sweep.f [2-625]` */
export function entryText(row: ComparisonRow): string {
  const lines = linesText(row);
  return lines === '' ? row.name : `${row.name} ${lines}`;
}

/** What hovering over an entry shows. */
export function entryTooltip(row: ComparisonRow, view: number): string {
  const { place, loop, isHotSpot } = row;
  const repeats = loop?.repeats[view];
  const file = place?.file === undefined ? '' : visibleControls(place.file);
  return [
    [entryText(row), ...differencesOf(row, view).map((one) => differences[one].label)].join(' · '),
    ...(file === '' ? [] : [`${file}${place?.line === undefined ? '' : `:${place.line}`}`]),
    ...(isHotSpot ? ['Hot spot: its inclusive share reaches the threshold.'] : []),
    ...(repeats === undefined ? [] : [loopText(loop?.rows ?? 1, repeats)]),
  ].join('\n');
}

/** `The sequence of 3 rows that begins here is repeated 40 times.` */
export function loopText(rows: number, repeats: number): string {
  const what = rows === 1 ? 'This row' : `The sequence of ${rows} rows that begins here`;
  return `${what} is repeated ${formatCount(repeats)} times.`;
}

/** Texts of the cells of a view. */
export const cellTexts = {
  count: ({ count }: ComparisonCell) => formatCount(count),
  seconds: ({ seconds }: ComparisonCell) => formatSeconds(seconds),
  share: ({ share }: ComparisonCell) => formatPercent(share),
  instructions: ({ instructions }: ComparisonCell) =>
    instructions === undefined ? '' : formatCount(instructions),
  size: ({ size }: ComparisonCell, unit: ComparisonHeader['sizeUnit']) => {
    if (size === undefined) return '';
    const { least, most } = size;
    return least === most ? sizeText(most, unit) : `${sizeText(least, unit)} … ${sizeText(most, unit)}`;
  },
};

/** `mean 620 B, 510 B … 750 B; tag 5, 7 and others` */
export function sizeTooltip({ size, tags }: ComparisonCell, unit: ComparisonHeader['sizeUnit']): string {
  if (size === undefined) return '';
  const { mean, least, most } = size;
  const one = (value: number): string => `${sizeText(value, unit)}${unit === 'elements' ? ' elements' : ''}`;
  const sizes = least === most ? one(most) : `mean ${one(mean)}, ${one(least)} … ${one(most)}`;
  return tags === undefined ? sizes : `${sizes}; tag ${tags}`;
}

function sizeText(size: number, unit: ComparisonHeader['sizeUnit']): string {
  return unit === 'bytes' ? formatBytes(size) : formatCount(size);
}

/** `1,204 entries · 1.5 s` */
export function viewFacts({ entries, seconds }: ComparedView): string {
  return `${formatCount(entries)} ${entries === 1 ? 'entry' : 'entries'} · ${formatSeconds(seconds)}`;
}

/** `1 → 2` */
export function pairText(pair: number): string {
  return `${pair + 1} → ${pair + 2}`;
}

/** `1 → 2: 14 matched (8 unchanged, 6 changed), 2 added, 0 deleted`; for screen readers and announcements. */
export function pairSentence(pair: number, facts: ComparedPairFacts): string {
  const { matched, unchanged, changed, added, deleted } = facts;
  return `${pairText(pair)}: ${matched} matched (${unchanged} unchanged, ${changed} changed), ${added} added, ${deleted} deleted`;
}

export const kindWords: Readonly<Record<Characteristic['kind'], string>> = {
  computation: 'Computation',
  'message sizes': 'Message sizes',
  partners: 'Partners',
  calls: 'Calls',
  counts: 'Frequency',
  order: 'Order',
};

/** `time`, `instructions`, `PAPI_L2_TCM` */
export function metricLabel(metric: string): string {
  return metric === 'time' ? 'Time' : metric === 'instructions' ? 'Instructions' : visibleControls(metric);
}

/** What is read out after going to a row. */
export function rowSentence(row: ComparisonRow, views: number): string {
  const parts = Array.from({ length: views }, (_, view) => {
    if (row.cells[view] === undefined) return `not in view ${view + 1}`;
    const found = differencesOf(row, view).map((one) => differences[one].label);
    return found.length === 0 ? '' : `${found.join(' and ')} in view ${view + 1}`;
  }).filter((part) => part !== '');
  return [entryText(row), ...parts].join(', ');
}
