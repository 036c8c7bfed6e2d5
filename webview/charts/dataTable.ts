import { element } from '../ui/base/dom';
import { axisOf, type ChartData, valueText } from './data';

/** The numbers of a chart as a table, for everybody who cannot see the picture or prefers numbers. */
export function dataTable(caption: string, data: ChartData): HTMLElement {
  const head = element(
    'tr',
    {},
    headCell(data.categoryTitle, 'col'),
    ...data.series.map(({ label }) => headCell(label, 'col')),
  );
  const rows = data.categories.map((category, position) =>
    element(
      'tr',
      {},
      headCell(category, 'row'),
      ...data.series.map((series) => element('td', { text: valueText(data, series, position) })),
    ),
  );
  const table = element(
    'table',
    { class: 'chart-table' },
    element('caption', { text: caption }),
    element('thead', {}, head),
    element('tbody', {}, ...rows),
  );
  const references = (data.references ?? []).map(
    (reference) => `${reference.label}: ${axisOf(data, reference).format(reference.value)}`,
  );
  const scroller = element('div', { class: 'chart-table-area' }, table);
  if (references.length > 0) scroller.append(element('p', { class: 'muted', text: references.join(' · ') }));
  // A scrolling area must be reachable by keys.
  scroller.tabIndex = 0;
  scroller.setAttribute('role', 'region');
  scroller.setAttribute('aria-label', caption);
  return scroller;
}

function headCell(text: string, scope: 'col' | 'row'): HTMLElement {
  return element('th', { text, attributes: { scope } });
}
