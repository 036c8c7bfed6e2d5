import type {
  Characteristic,
  ComparisonSummary,
  ComparedView,
} from '../../../src/core/trace/comparisonPieces';
import { formatPercent } from '../../../src/core/format';
import { visibleControls } from '../../../src/core/names/visibleControls';
import { type Control, element } from '../../ui/base/dom';
import { Grid } from '../../ui/grid/grid';
import { rowColumns } from '../../ui/grid/rowColumns';
import { messageArea } from '../../ui/page/messageArea';
import { differenceNames, differences, kindWords, pairText } from '../words';

export interface Summary extends Control {
  /** @param views named in the pairs */
  show(summary: ComparisonSummary, views: readonly ComparedView[]): void;
}

/** What differs, the most at stake first, with the numbers of each pair, which are the legend as well. */
export function summary(options: {
  readonly layout: unknown;
  readonly onLayout: (layout: unknown) => void;
  readonly onGo: (characteristic: Characteristic) => void;
  readonly onOpen: (characteristic: Characteristic) => void;
}): Summary {
  let shown: readonly Characteristic[] = [];
  const { text, number } = rowColumns((row) => shown[row]);
  const grid = new Grid({
    label: 'Characteristics',
    layout: options.layout,
    columns: [
      text('what', 'What differs', 420, ({ sentence }) => visibleControls(sentence), {
        tooltip: 'The most at stake first; select a row to see its entry below',
        cellTooltip: true,
      }),
      text('kind', 'Characteristic', 132, ({ kind }) => kindWords[kind]),
      text('pair', 'Views', 72, ({ pair }) => pairText(pair)),
      number('share', 'At stake', 96, ({ share }) => formatPercent(share), {
        tooltip: 'Share of the metric that is compared',
        bar: ({ share }) => share,
      }),
    ],
    onLayout: options.onLayout,
    onSelect: (row) => {
      const one = row === undefined ? undefined : shown[row];
      if (one !== undefined) options.onGo(one);
    },
    onActivate: (row) => {
      const one = shown[row];
      if (one !== undefined) options.onOpen(one);
    },
  });
  const message = messageArea();
  const table = element('table', { class: 'pair-facts' });
  return {
    element: element(
      'section',
      { class: 'fill comparison-summary', label: 'Summary' },
      element(
        'div',
        { class: 'pair-facts-place' },
        table,
        element('p', { class: 'comparison-legend muted', text: legendText }),
      ),
      message.element,
      grid.element,
    ),
    show: ({ pairs, characteristics }, views) => {
      table.replaceChildren(
        tableHead(),
        element('tbody', {}, ...pairs.map((facts, pair) => pairRow(facts, pair, views))),
      );
      shown = characteristics;
      grid.select(undefined);
      grid.setRows(characteristics.map((_, row) => row));
      const isEmpty = characteristics.length === 0;
      grid.element.hidden = isEmpty;
      message.show(
        isEmpty ? { kind: 'empty', text: 'Nothing differs by more than the sensitivity.' } : undefined,
      );
    },
  };
}

/** `≠ in both, but different · …` */
const legendText = differenceNames
  .map((kind) => `${differences[kind].symbol} ${differences[kind].meaning}`)
  .join(' · ');

function tableHead(): HTMLElement {
  const head = (text: string, tooltip: string, kind?: keyof typeof differences): HTMLElement =>
    element(
      'th',
      { tooltip, attributes: { scope: 'col' } },
      ...(kind === undefined ? [] : [swatch(kind)]),
      text,
    );
  return element(
    'thead',
    {},
    element(
      'tr',
      {},
      head('Views', 'Each view is compared with the next one'),
      head('matched', 'Call paths that both views have'),
      head('unchanged', 'Matched, and equal within the sensitivity'),
      ...differenceNames.map((kind) => head(differences[kind].label, differences[kind].meaning, kind)),
    ),
  );
}

function swatch(kind: keyof typeof differences): HTMLElement {
  return element('span', {
    class: `swatch is-${kind}`,
    text: differences[kind].symbol,
    attributes: { 'aria-hidden': 'true' },
  });
}

function pairRow(
  facts: ComparisonSummary['pairs'][number],
  pair: number,
  views: readonly ComparedView[],
): HTMLElement {
  const names = `${views[pair]?.name ?? ''} → ${views[pair + 1]?.name ?? ''}`;
  const cell = (text: string | number): HTMLElement => element('td', { text: String(text) });
  return element(
    'tr',
    {},
    element('th', { text: pairText(pair), tooltip: names, attributes: { scope: 'row' } }),
    cell(facts.matched),
    cell(facts.unchanged),
    ...differenceNames.map((kind) => cell(facts[kind])),
  );
}
