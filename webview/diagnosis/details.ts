import { at } from '../../src/core/at';
import { formatPercent, formatSeconds } from '../../src/core/format';
import type { ParentEdge, SearchNode } from '../../src/core/diagnosis/search/searchRecord';
import { type Control, element } from '../ui/base/dom';
import { icon } from '../ui/base/icons';
import { button, iconButton } from '../ui/controls/button';
import { copyText } from '../ui/base/clipboard';
import { messageArea } from '../ui/page/messageArea';
import type { SearchRow } from './searchRows';
import {
  activityWords,
  conclusionTexts,
  focusText,
  truthWords,
  type SearchWords,
} from './words';

/** What the details need to know of the search as a whole. */
export interface SearchFacts {
  readonly words: SearchWords;
  /** Rows of experiments, by their ids. */
  readonly rows: readonly SearchRow[];
  /** Whether the search took time: a search in recorded values does not. */
  readonly isTimed: boolean;
}

export interface Details extends Control {
  show(node: SearchNode, facts: SearchFacts): void;
  /** Shows a text in place of an experiment. */
  say(text: string): void;
}

/** Everything about the selected experiment, in words. */
export function details(actions: {
  readonly openSource: () => void;
  readonly goTo: (experiment: number) => void;
}): Details {
  const title = element('h2', { class: 'experiment-title' });
  const sentence = element('p', { class: 'experiment-sentence' });
  const advice = element('p', { class: 'experiment-advice' });
  const list = element('dl', { class: 'experiment-facts' });
  const source = iconButton('source', 'Go to Source (Enter)', actions.openSource);
  const message = messageArea();
  const content = element(
    'div',
    { class: 'experiment' },
    element('div', { class: 'experiment-head' }, title, source.element),
    sentence,
    advice,
    list,
  );
  content.hidden = true;
  return {
    element: element('section', { class: 'fill', label: 'Selected experiment' }, message.element, content),
    show: (node, facts) => {
      message.show(undefined);
      content.hidden = false;
      const { words } = facts;
      const { truth, focus } = node;
      title.replaceChildren(
        element('span', {
          class: `truth-${truth}`,
          text: truthWords[truth].sign,
          attributes: { 'aria-hidden': 'true' },
        }),
        ` ${at(facts.rows, node.id).label}`,
      );
      sentence.textContent = words.sentence(node);
      const next = truth === 'true' ? (words.hypothesis(node.hypothesis)?.advice ?? '') : '';
      advice.hidden = next === '';
      advice.replaceChildren(icon('info'), element('span', { text: next }));
      const isNamed = focus.Code.length > 1;
      source.setDisabled(isNamed ? undefined : 'The experiment does not name a function.');
      list.replaceChildren(...rowsOf(node, facts, actions.goTo));
    },
    say: (text) => {
      content.hidden = true;
      message.show({ kind: 'empty', text });
    },
  };
}

function rowsOf(
  node: SearchNode,
  { words, rows, isTimed }: SearchFacts,
  goTo: (experiment: number) => void,
): readonly HTMLElement[] {
  const { hypothesis, focus, data, predictedCost, problem, stale, priority, parents } = node;
  const metric = words.metric(hypothesis);
  const fact = (name: string, ...value: readonly (Node | string)[]): readonly HTMLElement[] =>
    value.length === 0
      ? []
      : [element('dt', { text: name }), element('dd', {}, ...value)];
  const lines = (texts: readonly string[]): readonly HTMLElement[] =>
    texts.map((text) => element('div', { text }));
  const text = focusText(focus);
  return [
    ...fact('Hypothesis', `${words.label(hypothesis)} (${hypothesis})`),
    ...fact('Focus', element('code', { text }), iconButton('copy', 'Copy Focus', () => void copyText(text)).element),
    ...(metric === undefined
      ? fact('Value', 'It has no metric of its own: it is true if a more precise hypothesis is.')
      : [
          ...fact('Value', `${words.value(hypothesis, node.value) || 'none yet'} (${metric.label})`),
          ...fact('Holds', words.limit(hypothesis, node.threshold)),
        ]),
    ...fact('Concluded', ...lines(conclusionTexts(words, node, isTimed))),
    ...(isTimed && data !== undefined
      ? fact('Measured', `from ${formatSeconds(data[0])} to ${formatSeconds(data[1])} of the search`)
      : []),
    ...(isTimed ? fact('Activity', activityWords[node.activity]) : []),
    ...(isTimed
      ? fact('Predicted cost', `${formatPercent(predictedCost)} of the processor’s time`)
      : []),
    ...(isTimed ? fact('Priority', priority) : []),
    ...fact('Not measured', ...(problem === undefined ? [] : [problem])),
    ...(stale === true
      ? fact('Stale', 'The agent that measured this was lost: the result is of an earlier time.')
      : []),
    ...fact('Refines', ...parents.flatMap((edge) => parentLink(edge, rows, goTo) ?? [])),
  ];
}

const reached: Readonly<Record<ParentEdge['by'], string>> = {
  root: '',
  why: 'more precise hypothesis',
  where: 'part of its focus',
  'deep starter': 'deep starter: stack samples pointed at it',
  connecting: 'connects a deep starter',
};

function parentLink(
  { node, by }: ParentEdge,
  rows: readonly SearchRow[],
  goTo: (experiment: number) => void,
): HTMLElement | undefined {
  const row = node === undefined ? undefined : rows[node];
  if (row === undefined || node === undefined) return undefined;
  return element(
    'div',
    { class: 'row parent-link' },
    button({ label: row.label, appearance: 'secondary', onClick: () => goTo(node) }).element,
    element('span', { class: 'muted', text: reached[by] }),
  );
}
