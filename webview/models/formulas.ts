import { formatPercent, formatValue } from '../../src/core/format';
import type { FormulaStyle } from '../../src/core/modeling/formulaText';
import type { ModelDetail } from '../../src/core/views/modelPieces';
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

/** A model as expressions to copy, and the formulas that it was chosen from. */
export function formulasPage(): Control & { show(detail: ModelDetail, unit: string): void } {
  const expressions = element('dl', { class: 'expressions' });
  const compared = element('div', { class: 'compared' });
  return {
    element: element('div', { class: 'formulas' }, expressions, compared),
    show: (detail, unit) => {
      expressions.replaceChildren(
        ...styles.flatMap(([style, name]) => {
          const text = detail.formulas[style];
          const copy = iconButton('copy', `Copy ${name}`, () => {
            void copyText(text);
            announce('Copied');
          });
          return [
            element('dt', { text: name }),
            element('dd', {}, element('code', { text, attributes: { tabindex: '0' } }), copy.element),
          ];
        }),
      );
      compared.replaceChildren(...comparedTable(detail, unit));
    },
  };
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
