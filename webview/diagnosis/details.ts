import { printFocus } from '../../src/core/diagnosis/resources/focusText';
import type { ParentEdge, SearchNode } from '../../src/core/diagnosis/search/searchRecord';
import { formatPercent, formatSeconds } from '../../src/core/format';
import { copyText } from '../ui/base/clipboard';
import { type Control, element } from '../ui/base/dom';
import { icon } from '../ui/base/icons';
import { button, iconButton } from '../ui/controls/button';
import { messageArea } from '../ui/page/messageArea';
import type { SearchRow } from './searchRows';
import {
  activityWords,
  conclusionTexts,
  placeText,
  resourceText,
  rowSentence,
  truthWords,
  type SearchWords,
} from './words';

/** What the details need to know of the search as a whole. */
export interface SearchFacts {
  readonly words: SearchWords;
  readonly nodes: readonly SearchNode[];
  /** Whether the search took time: a search in recorded values does not. */
  readonly isTimed: boolean;
}

export interface Details extends Control {
  show(row: SearchRow, facts: SearchFacts): void;
  /** Shows a text in place of an experiment. */
  say(text: string): void;
}

type Fact = (name: string, ...value: readonly (Node | string)[]) => readonly HTMLElement[];

/** More members are not listed. */
const mostMembers = 200;

/** Everything about the selected experiment, or about those that are folded, in words. */
export function details(actions: {
  readonly openSource: () => void;
  /** Shows an experiment by itself. */
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
  let shown: SearchRow | undefined;
  return {
    element: element('section', { class: 'fill', label: 'Selected experiment' }, message.element, content),
    show: (row, facts) => {
      // While a search goes on, a text that is being selected stays as long as it is true.
      if (shown !== undefined && isSame(row, shown)) return;
      shown = row;
      message.show(undefined);
      content.hidden = false;
      const { truth = 'none', label, experiments } = row;
      const [first] = experiments;
      title.replaceChildren(
        element('span', {
          class: `truth-${truth}`,
          text: truthWords[truth].sign,
          attributes: { 'aria-hidden': 'true' },
        }),
        ` ${label}`,
      );
      sentence.textContent = rowSentence(facts.words, row);
      const next = truth === 'true' ? (facts.words.hypothesis(first?.hypothesis ?? '')?.advice ?? '') : '';
      advice.hidden = next === '';
      advice.replaceChildren(icon('info'), element('span', { text: next }));
      source.setDisabled(
        first !== undefined && first.focus.Code.length > 1
          ? undefined
          : 'The experiment does not name a function.',
      );
      const buttons = (): readonly HTMLElement[] => [...list.querySelectorAll<HTMLElement>('vscode-button')];
      const focused = buttons().findIndex((one) => one === document.activeElement);
      list.replaceChildren(...factsOf(row, facts, actions.goTo));
      buttons()[focused]?.focus();
    },
    say: (text) => {
      shown = undefined;
      content.hidden = true;
      message.show({ kind: 'empty', text });
    },
  };
}

/** Experiments that have not changed are the same objects. */
function isSame(row: SearchRow, other: SearchRow): boolean {
  const { label, truth, experiments, gauge } = row;
  return (
    label === other.label &&
    truth === other.truth &&
    gauge?.part === other.gauge?.part &&
    gauge?.whole === other.gauge?.whole &&
    experiments.length === other.experiments.length &&
    experiments.every((one, position) => one === other.experiments[position])
  );
}

const fact: Fact = (name, ...value) =>
  value.length === 0 ? [] : [element('dt', { text: name }), element('dd', {}, ...value)];

function factsOf(
  row: SearchRow,
  facts: SearchFacts,
  goTo: (experiment: number) => void,
): readonly HTMLElement[] {
  const { experiments, gauge } = row;
  const [first] = experiments;
  if (first === undefined) return [];
  const { words } = facts;
  const { hypothesis } = first;
  const about = [
    ...fact('Hypothesis', `${words.label(hypothesis)} (${hypothesis})`),
    ...(words.isVirtual(hypothesis)
      ? fact('Value', 'It has no metric of its own: it is true if a more precise hypothesis is.')
      : [
          ...fact('Value', words.value(experiments) || 'none yet'),
          ...(experiments.length > 1 || first.runs === undefined
            ? []
            : fact('Single runs', words.value(first.runs.map((value) => ({ ...first, value }))))),
          ...fact('Holds', words.limit(hypothesis, first.threshold)),
          ...fact(
            'Metric',
            words.metric(hypothesis)?.definition ?? words.hypothesis(hypothesis)?.metric ?? '',
          ),
        ]),
  ];
  if (experiments.length === 1) return [...about, ...experimentFacts(first, facts, goTo)];
  return [
    ...about,
    ...(gauge === undefined ? [] : fact('Share', `${gauge.part} of ${gauge.whole}`)),
    ...fact('Members', ...members(experiments, words, goTo)),
  ];
}

/** Each experiment that is folded here, with its value; a click shows it by itself. */
function members(
  experiments: readonly SearchNode[],
  words: SearchWords,
  goTo: (experiment: number) => void,
): readonly HTMLElement[] {
  const more = experiments.length - mostMembers;
  return [
    ...experiments.slice(0, mostMembers).map((experiment) => {
      const { Machine } = experiment.focus;
      const name = resourceText('Machine', Machine) ?? placeText(experiment.focus);
      const host = Machine.length > 1 ? ` on ${Machine[0] ?? ''}` : '';
      return element(
        'div',
        { class: 'row member' },
        button({
          label: `${name}${host}`,
          tooltip: 'Show its own experiments',
          onClick: () => goTo(experiment.id),
        }).element,
        element('span', { class: 'muted', text: words.value([experiment]) }),
      );
    }),
    ...(more > 0 ? [element('div', { class: 'muted', text: `… and ${more} more` })] : []),
  ];
}

function experimentFacts(
  node: SearchNode,
  { words, nodes, isTimed }: SearchFacts,
  goTo: (experiment: number) => void,
): readonly HTMLElement[] {
  const { data, predictedCost, problem, stale, priority, parents } = node;
  const focus = printFocus(node.focus);
  const lines = conclusionTexts(words, node, isTimed).map((text) => element('div', { text }));
  return [
    ...fact(
      'Focus',
      element('code', { text: focus }),
      iconButton('copy', 'Copy Focus', () => void copyText(focus)).element,
    ),
    ...(isTimed
      ? [
          ...fact('Concluded', ...lines),
          ...(data === undefined
            ? []
            : fact('Measured', `from ${formatSeconds(data[0])} to ${formatSeconds(data[1])} of the search`)),
          ...fact('Activity', activityWords[node.activity]),
          ...fact('Predicted cost', `${formatPercent(predictedCost)} of the processor’s time`),
          ...fact('Priority', priority),
        ]
      : []),
    ...fact('Not measured', ...(problem === undefined ? [] : [problem])),
    ...(stale === true
      ? fact('Stale', 'The agent that measured this was lost: the result is of an earlier time.')
      : []),
    ...fact('Refines', ...parents.flatMap((edge) => parentLink(edge, words, nodes, goTo) ?? [])),
  ];
}

const reached: Readonly<Record<ParentEdge['by'], string>> = {
  root: '',
  why: 'this is a more precise hypothesis',
  where: 'this is a part of its focus',
  'deep starter': 'deep starter: stack samples pointed here',
  connecting: 'this connects a deep starter',
};

function parentLink(
  { node, by }: ParentEdge,
  words: SearchWords,
  nodes: readonly SearchNode[],
  goTo: (experiment: number) => void,
): HTMLElement | undefined {
  const parent = node === undefined ? undefined : nodes[node];
  if (parent === undefined) return undefined;
  return element(
    'div',
    { class: 'row member' },
    button({
      label: `${words.label(parent.hypothesis)} in ${placeText(parent.focus)}`,
      onClick: () => goTo(parent.id),
    }).element,
    element('span', { class: 'muted', text: reached[by] }),
  );
}
