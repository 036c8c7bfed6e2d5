import { formatPercent, formatValue } from '../../src/core/format';
import type { FormulaStyle } from '../../src/core/modeling/formulaText';
import type { ModelDetail } from '../../src/core/views/models/modelPieces';
import { copyText } from '../ui/base/clipboard';
import { type Control, element } from '../ui/base/dom';
import { announce } from '../ui/base/liveRegion';
import { iconButton } from '../ui/controls/button';

const styles: readonly (readonly [FormulaStyle, string])[] = [
  ['text', 'Text'],
  ['python', 'Python'],
  ['latex', 'LaTeX'],
  ['javascript', 'JavaScript'],
];

export interface NamedDetail {
  /** Of the model among several. */
  readonly name: string;
  readonly detail: ModelDetail;
}

/** One or two models as expressions to copy, and the formulas that they were chosen from. */
export function formulasPage(): Control & { show(models: readonly NamedDetail[], unit: string): void } {
  const page = element('div', { class: 'formulas' });
  return {
    element: page,
    show: (models, unit) =>
      page.replaceChildren(
        ...models.flatMap(({ name, detail }) => [
          ...(models.length > 1 ? [element('h3', { class: 'formulas-of', text: name })] : []),
          expressions(detail, models.length > 1 ? ` of ${name}` : ''),
          element('div', { class: 'compared' }, ...comparedTable(detail, unit)),
        ]),
      ),
  };
}

function expressions({ formulas }: ModelDetail, of: string): HTMLElement {
  return element(
    'dl',
    { class: 'expressions' },
    ...styles.flatMap(([style, name]) => {
      const text = formulas[style];
      const copy = iconButton('copy', `Copy ${name}${of}`, () => {
        void copyText(text);
        announce('Copied');
      });
      return [
        element('dt', { text: name }),
        element('dd', {}, element('code', { text, attributes: { tabindex: '0' } }), copy.element),
      ];
    }),
  );
}

function comparedTable({ compared }: ModelDetail, unit: string): readonly Node[] {
  if (compared.length === 0) return [];
  const head = element(
    'tr',
    {},
    ...['Formula', 'Probability', 'Predicted'].map((text) =>
      element('th', { text, attributes: { scope: 'col' } }),
    ),
  );
  const rows = compared.map(({ formula, probability, value }) =>
    element(
      'tr',
      {},
      ...[formula, formatPercent(probability), formatValue(value, unit)].map((text) =>
        element('td', { text }),
      ),
    ),
  );
  return [
    element(
      'table',
      { class: 'compared-table' },
      element('caption', { text: 'The most probable formulas' }),
      element('thead', {}, head),
      element('tbody', {}, ...rows),
    ),
  ];
}
