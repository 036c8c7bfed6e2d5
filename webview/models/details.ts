import { formatPercent } from '../../src/core/format';
import type { ModelDetail } from '../../src/core/views/modelPieces';
import { type Control, element } from '../ui/base/dom';
import { icon } from '../ui/base/icons';
import { iconButton } from '../ui/controls/button';
import { tabs } from '../ui/controls/tabs';
import { messageArea } from '../ui/page/messageArea';
import { formulasPage } from './formulas';
import type { PredictedRow } from './modelRows';
import { plotPage, type PlotActions, type ShownPlot } from './plot/plotPage';
import type { ViewState } from './viewState';
import { calledFunction, verdictWords, wholePath } from './words';

export interface Details extends Control {
  /** Shows one model, and the call path of the one that it is compared with. */
  showModel(row: PredictedRow, compared: PredictedRow | undefined): void;
  showDetail(detail: ModelDetail, unit: string): void;
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
      element('div', { class: 'model-words' }, title, verdict, facts),
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
      const paths = [row, ...(compared === undefined ? [] : [compared])].map(({ callPath }) => callPath);
      title.textContent = paths.map(calledFunction).join(', compared with ');
      title.title = paths.map(wholePath).join('\n');
      const { icon: name } = verdictWords(row.verdict?.kind);
      const of = compared === undefined ? '' : `${calledFunction(row.callPath)}: `;
      verdict.replaceChildren(
        ...(name === undefined ? [] : [icon(name)]),
        row.verdict === undefined ? '' : `${of}${row.verdict.message}`,
      );
    },
    showDetail: (detail, unit) => {
      facts.textContent = factsText(detail);
      formulas.show(detail, unit);
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
