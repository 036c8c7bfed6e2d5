import { maximumMeans } from '../../../src/protocol/hotSpots';
import { element } from '../../ui/base/dom';
import { checkbox } from '../../ui/controls/checkbox';
import { dropdown, type Choice } from '../../ui/controls/dropdown';
import { slider } from '../../ui/controls/slider';
import { textField } from '../../ui/controls/textField';
import {
  coarserWays,
  comparedThings,
  groupPictures,
  leastThreshold,
  waysOfGrouping,
  type GroupChoices,
} from './groupChoices';
import { groupOrders, groupScales } from './groupModel';

const labels = {
  groupPicture: {
    times: 'Times by function',
    similarity: 'Similarity',
    subsumption: 'Does all of',
    graph: 'What they have in common',
  },
  groupBy: { structure: 'Structure', similarity: 'Similarity', time: 'Time (k-means)' },
  groupKind: { pairs: 'Callers and callees', functions: 'Functions' },
  groupCoarser: {
    automatic: 'As needed',
    functions: 'By functions',
    filter: 'Without what divides most',
    equality: 'Equal processes only',
    combine: 'Irregular processes as one',
  },
  groupOrder: { count: 'Most processes first', time: 'Most time first', place: 'By position' },
  groupScale: { row: 'Each group by itself', all: 'One scale for all groups' },
} as const;

/** While a slider moves or a number is typed, nothing is computed. */
const waitMilliseconds = 200;

/** The choices of the view, and which of them are shown: each has its place only where it matters. */
export interface GroupControls {
  readonly element: HTMLElement;
  readonly show: (choices: GroupChoices) => void;
  /** Shows what was chosen elsewhere. */
  readonly set: (choices: Partial<GroupChoices>) => void;
}

/** @param onChange called with what the user chose */
export function groupControls(
  choices: GroupChoices,
  more: readonly HTMLElement[],
  onChange: (choices: Partial<GroupChoices>) => void,
): GroupControls {
  const soon = delayed(onChange);
  const setters = new Map<string, (value: string) => void>();
  const list = <Name extends keyof typeof labels>(
    name: Name,
    label: string,
    values: readonly (GroupChoices[Name] & string)[],
  ): HTMLElement => {
    const made = dropdown<GroupChoices[Name] & string>({
      label,
      choices: values.map((value): Choice<typeof value> => ({ value, label: textOf(labels[name], value) })),
      value: choices[name],
      onChange: (value) => onChange({ [name]: value }),
    });
    setters.set(name, (wanted) => {
      const value = values.find((one) => one === wanted);
      if (value !== undefined) made.setValue(value);
    });
    return made.element;
  };
  const steps = Math.round((1 - leastThreshold) * 100);
  const threshold = slider({
    label: 'At least',
    count: steps + 1,
    position: Math.round((choices.groupThreshold - leastThreshold) * 100),
    text: (position) => (leastThreshold + position / 100).toFixed(2),
    tooltip: 'Any two processes of a group are at least this similar',
    // Without the rounding of a sum.
    onChange: (position) => soon({ groupThreshold: (100 * leastThreshold + position) / 100 }),
  });
  const count = textField({
    label: `Number of groups, 1 to ${maximumMeans}; none: as many as by structure`,
    placeholder: 'Groups: as by structure',
    maximumLength: 3,
    onInput: (text) => {
      const number = text.trim() === '' ? 0 : Number(text);
      const isValid = Number.isInteger(number) && number >= 0 && number <= maximumMeans;
      count.setInvalid(!isValid);
      if (isValid) soon({ groupCount: number });
    },
  });
  if (choices.groupCount > 0) count.setValue(String(choices.groupCount));
  const closure = checkbox({
    label: 'Calls of calls',
    checked: choices.groupClosure,
    onChange: (groupClosure) => onChange({ groupClosure }),
  });
  closure.element.title =
    'What a callee calls counts as called by its caller, too: inlining and intermediate calls are no difference';
  const lattice = checkbox({
    label: 'Whole lattice',
    checked: choices.groupLattice,
    onChange: (groupLattice) => onChange({ groupLattice }),
  });
  lattice.element.title = 'Also the nodes that hold neither processes nor calls of their own';
  // Most people never change how processes are compared.
  const comparison = element(
    'details',
    { class: 'group-comparison' },
    element('summary', { text: 'Comparison' }),
    element(
      'div',
      { class: 'row' },
      list('groupKind', 'Compare', comparedThings),
      closure.element,
      list('groupCoarser', 'Coarser', coarserWays),
    ),
  );
  comparison.open =
    choices.groupKind !== 'pairs' || choices.groupClosure || choices.groupCoarser !== 'automatic';
  const order = list('groupOrder', 'Order', groupOrders);
  const scale = list('groupScale', 'Bars', groupScales);
  const show = ({ groupBy, groupPicture, groupKind }: GroupChoices): void => {
    threshold.element.hidden = groupBy !== 'similarity';
    count.element.hidden = groupBy !== 'time';
    closure.element.hidden = groupKind !== 'pairs';
    order.hidden = groupPicture !== 'times';
    scale.hidden = groupPicture !== 'times';
    lattice.element.hidden = groupPicture !== 'graph';
  };
  show(choices);
  return {
    element: element(
      'div',
      { class: 'rank-controls row' },
      list('groupPicture', 'Picture', groupPictures),
      order,
      scale,
      lattice.element,
      list('groupBy', 'Group by', waysOfGrouping),
      threshold.element,
      count.element,
      ...more,
      comparison,
    ),
    show,
    set: (given) => {
      comparison.open ||= 'groupCoarser' in given;
      for (const [name, value] of Object.entries(given)) setters.get(name)?.(String(value));
    },
  };
}

function textOf(texts: Readonly<Record<string, string>>, value: string): string {
  return texts[value] ?? value;
}

function delayed(run: (choices: Partial<GroupChoices>) => void): typeof run {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (choices) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(choices), waitMilliseconds);
  };
}
