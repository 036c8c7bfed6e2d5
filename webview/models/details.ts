import { formatPercent } from '../../src/core/format';
import type { ModelDetail } from '../../src/core/views/models/modelPieces';
import { type Control, element } from '../ui/base/dom';
import { icon } from '../ui/base/icons';
import { iconButton } from '../ui/controls/button';
import { tabs } from '../ui/controls/tabs';
import { messageArea } from '../ui/page/messageArea';
import { formulasPage, type NamedDetail } from './formulas';
import type { PredictedRow } from './modelRows';
import { plotPage, type PlotActions, type ShownPlot } from './plot/plotPage';
import type { ViewState } from './viewState';
import { calledFunction, verdictWords, wholePath } from './words';

export interface Details extends Control {
  /** Shows one model, and what it is compared with: the call path of another one, or other measurements. */
  showModel(row: PredictedRow, compared: { readonly name: string; readonly path: string } | undefined): void;
  /** The first one is the selected model. */
  showDetails(models: readonly NamedDetail[], unit: string): void;
  showPlot(plot: ShownPlot): void;
  /** Shows a text in place of a model. */
  say(text: string): void;
}

/** Everything about the selected model: its plot, its formulas, and how far it can be relied on. */
export function details(
  state: ViewState,
  actions: PlotActions & {
    readonly keep: (part: Partial<ViewState>) => void;
    readonly openSource: () => void;
  },
): Details {
  const title = element('h2', { class: 'model-title ellipsis' });
  const verdict = element('p', { class: 'model-verdict' });
  const expected = element('p', { class: 'model-verdict' });
  const facts = element('p', { class: 'model-facts muted' });
  const source = iconButton('source', 'Go to Source', actions.openSource);
  const plot = plotPage(state, actions);
  const formulas = formulasPage();
  const message = messageArea();
  const pages = tabs({
    label: 'Details',
    tabs: [
      { id: 'plot', label: 'Plot', content: plot.element },
      { id: 'formulas', label: 'Formulas', content: formulas.element },
    ],
    selected: state.tab,
    onSelect: (tab) => actions.keep({ tab }),
  });
  const content = element(
    'div',
    { class: 'details-content fill' },
    element(
      'div',
      { class: 'model-head' },
      element('div', { class: 'model-words' }, title, verdict, expected, facts),
      source.element,
    ),
    pages.element,
  );
  content.hidden = true;
  return {
    element: element('section', { class: 'details fill', label: 'Selected model' }, message.element, content),
    showModel: (row, compared) => {
      message.show(undefined);
      content.hidden = false;
      const own = calledFunction(row.callPath);
      title.textContent = [own, ...(compared === undefined ? [] : [compared.name])].join(', compared with ');
      title.title = [wholePath(row.callPath), ...(compared === undefined ? [] : [compared.path])].join('\n');
      const { icon: name } = verdictWords(row.verdict?.kind);
      const of = compared === undefined ? '' : `${own}: `;
      verdict.replaceChildren(
        ...(name === undefined ? [] : [icon(name)]),
        row.verdict === undefined ? '' : `${of}${row.verdict.message}`,
      );
      expected.replaceChildren(
        ...(row.expected?.isWorse === true ? [icon('warning')] : []),
        row.expected?.message ?? '',
      );
      expected.hidden = row.expected === undefined;
    },
    showDetails: (models, unit) => {
      facts.textContent = models
        .slice(0, 1)
        .map(({ detail }) => factsText(detail))
        .join('');
      formulas.show(models, unit);
    },
    showPlot: (shown) => plot.show(shown),
    say: (text) => {
      content.hidden = true;
      message.show({ kind: 'empty', text });
    },
  };
}

/** `25 points · noise 2.1 % · SMAPE 1.2 % · adjusted R² 0.998` */
function factsText({ points, noise, smape, ar2 }: ModelDetail): string {
  return [
    `${points} ${points === 1 ? 'point' : 'points'}`,
    noise === undefined ? 'no repetitions' : `noise ${formatPercent(noise)}`,
    `SMAPE ${smape.toFixed(1)} %`,
    ...(Number.isFinite(ar2) ? [`adjusted R² ${Number(ar2.toFixed(4))}`] : []),
  ].join(' · ');
}
