import { formatBytes, formatSeconds } from '../../src/core/format';
import { agrees, byLast, type Hypothesis } from '../../src/core/diagnosis/hypotheses/hypothesis';
import {
  metricRecord,
  metricValueText,
  type MetricRecord,
} from '../../src/core/diagnosis/hypotheses/metrics';
import {
  resourceTrees,
  type Focus,
  type ResourcePath,
  type ResourceTree,
} from '../../src/core/diagnosis/resources/focus';
import { shareOfSlowDown } from '../../src/core/diagnosis/search/costThrottle';
import { costSentences } from '../../src/core/diagnosis/search/largestCost';
import type { SearchNode, SearchStrategy, Truth } from '../../src/core/diagnosis/search/searchRecord';
import type { DiagnosisHeader } from '../../src/core/views/diagnosis/diagnosisPieces';
import type { SearchRow } from './searchRows';

/** How a result is shown: the sign and the word carry it, the colour only helps. `none`: it only leads to experiments. */
export const truthWords: Readonly<Record<Truth | 'none', { readonly sign: string; readonly word: string }>> =
  {
    true: { sign: '●', word: 'true' },
    false: { sign: '○', word: 'false' },
    unknown: { sign: '?', word: 'undecided' },
    none: { sign: '·', word: '' },
  };

export const activityWords: Readonly<Record<SearchNode['activity'], string>> = {
  inactive: 'not measured now',
  waiting: 'waits to be measured',
  requested: 'measurement requested',
  deferred: 'cannot be measured yet',
  active: 'measured now',
};

/** The same in a narrow column. */
export const shortActivities: Readonly<Record<SearchNode['activity'], string>> = {
  inactive: '',
  waiting: 'waits',
  requested: 'requested',
  deferred: 'deferred',
  active: 'measured',
};

/** What the hypotheses of a search are called, and what their values are. */
export class SearchWords {
  private readonly hypotheses: ReadonlyMap<string, Hypothesis>;

  constructor({ hypotheses }: Pick<DiagnosisHeader, 'hypotheses'>) {
    this.hypotheses = new Map(hypotheses.map((hypothesis) => [hypothesis.id, hypothesis]));
  }

  hypothesis(id: string): Hypothesis | undefined {
    return this.hypotheses.get(id);
  }

  label(id: string): string {
    return this.hypotheses.get(id)?.label ?? id;
  }

  /** Undefined for a virtual hypothesis, and for a metric that this version does not know. */
  metric(id: string): MetricRecord | undefined {
    return metricRecord(this.hypotheses.get(id)?.metric ?? '');
  }

  /** The mean of the experiments with its unit, or their range; empty without a value. */
  value(experiments: readonly SearchNode[]): string {
    const [first] = experiments;
    const values = experiments.flatMap(({ value }) => value ?? []);
    if (first === undefined || values.length === 0 || this.isVirtual(first.hypothesis)) return '';
    const text = (value: number): string => this.text(first.hypothesis, value);
    const least = text(values.reduce((a, b) => Math.min(a, b)));
    const most = text(values.reduce((a, b) => Math.max(a, b)));
    return least === most ? least : `${least} … ${most}`;
  }

  /** `above 30 %` */
  limit(id: string, threshold: number): string {
    if (this.isVirtual(id)) return '';
    return `${this.hypotheses.get(id)?.holds ?? 'above'} ${this.limitText(id, threshold)}`;
  }

  /** Whether it has no metric: it is true if a more precise hypothesis is. */
  isVirtual(id: string): boolean {
    return this.hypotheses.get(id)?.metric === undefined;
  }

  /** `CPU bound in solve, host c33 is true: computing takes 45.0 % of the time, and the threshold is 30 %.` */
  sentence({ hypothesis, focus, truth, value, threshold }: SearchNode): string {
    const subject = `${this.label(hypothesis)} in ${placeText(focus)}`;
    const verdict = truth === 'unknown' ? 'is undecided' : `is ${truth}`;
    if (this.isVirtual(hypothesis))
      return `${subject} ${verdict}: ${truth === 'true' ? 'one' : 'none'} of its more precise hypotheses is true.`;
    if (value === undefined) return `${subject} ${verdict}: there is no value yet.`;
    const numbers = `${this.measured(hypothesis, value)}, and the threshold is ${this.limitText(hypothesis, threshold)}`;
    const { holds = 'above' } = this.hypotheses.get(hypothesis) ?? {};
    const isMean = !agrees({ holds }, { truth, value, threshold });
    return `${subject} ${verdict}: ${numbers}${isMean ? `; ${byLast}` : ''}.`;
  }

  /** `computing takes 45.0 % of the time` */
  private measured(id: string, value: number): string {
    const text = this.text(id, value);
    const { noun = 'the metric', unit } = this.metric(id) ?? {};
    switch (unit) {
      case 'share':
        return `${noun} takes ${text} of the time`;
      case 'loss':
        return `${noun} costs ${text} of the run time`;
      case 'bytes':
      case 'perThousand':
      case 'bytesPerSecond':
        return `${noun}: ${text}`;
      case undefined:
        return `${noun} is ${text}`;
    }
  }

  private text(id: string, value: number): string {
    return metricValueText(this.hypotheses.get(id)?.metric, value);
  }

  private limitText(id: string, threshold: number): string {
    return thresholdText(threshold, this.metric(id)?.unit);
  }
}

/** Thresholds are round numbers: `30 %`, `4 KiB` */
export function thresholdText(threshold: number, unit: MetricRecord['unit'] | undefined): string {
  switch (unit) {
    case 'share':
    case 'loss':
      return `${Number((100 * threshold).toPrecision(4))} %`;
    case 'bytes':
      return formatBytes(threshold);
    case 'bytesPerSecond':
      return `${formatBytes(threshold)}/s`;
    case 'perThousand':
    case undefined:
      return String(Number(threshold.toPrecision(4)));
  }
}

const wordsOf: Readonly<Record<ResourceTree, readonly ((name: string) => string)[]>> = {
  Code: [(name) => `module ${name}`, (name) => name],
  Machine: [(name) => `host ${name}`, (name) => `process ${name}`, (name) => `thread ${name}`],
  SyncObject: [(name) => `objects of type ${name}`, (name) => name],
};

/** The last name of a path with what it is: `host c33`. Undefined for the root. */
export function resourceText(tree: ResourceTree, path: ResourcePath): string | undefined {
  const name = path.at(-1);
  if (name === undefined) return undefined;
  return (wordsOf[tree][path.length - 1] ?? ((given) => given))(name);
}

/** `solve, host c33`; `the whole program` */
export function placeText(focus: Focus): string {
  const parts = resourceTrees.flatMap((tree) => resourceText(tree, focus[tree]) ?? []);
  return parts.length === 0 ? 'the whole program' : parts.join(', ');
}

/** What an experiment adds to the one that it refines: another hypothesis, or a part of the focus. */
export function stepText(words: SearchWords, node: SearchNode, parent: SearchNode | undefined): string {
  if (parent === undefined) {
    const place = placeText(node.focus);
    return `${words.label(node.hypothesis)}${place === 'the whole program' ? '' : ` in ${place}`}`;
  }
  const changed = resourceTrees.filter(
    (tree) => node.focus[tree].join('\0') !== parent.focus[tree].join('\0'),
  );
  const parts = changed.flatMap((tree) => resourceText(tree, node.focus[tree]) ?? []);
  const isOther = node.hypothesis !== parent.hypothesis;
  return [...(isOther || parts.length === 0 ? [words.label(node.hypothesis)] : []), ...parts].join(' in ');
}

/** `3 hosts`; `host` of one. */
export function countedText(count: number, one: string, several = `${one}s`): string {
  return count === 1 ? one : `${count} ${several}`;
}

const strategyWords: Readonly<Record<SearchStrategy, string>> = {
  centralised: 'searched centrally while the program ran',
  'partially distributed': 'searched partly on each host while the program ran',
  'truly distributed': 'searched on each host by itself while the program ran',
  recorded: 'searched in recorded values',
};

const stateWords: Readonly<Record<DiagnosisHeader['state'], string>> = {
  searching: 'The search was under way when this was written.',
  paused: 'The search was paused when this was written.',
  steady: 'Every experiment has concluded; values can still change.',
  complete: 'The search is complete.',
  ended: 'The program ended before the search did: its conclusions until then are shown.',
  stopped: 'The search was stopped: its conclusions until then are shown.',
};

/** Of a search in a run that is under way. */
const runningWords: Readonly<Record<DiagnosisHeader['state'], string>> = {
  searching: 'Searching',
  paused: 'Paused',
  steady: 'Everything has concluded',
  complete: 'Complete',
  ended: 'The program has ended',
  stopped: 'Stopped; the program runs on',
};

/** `Searching, 12 s, cost limit 3 %`; undefined: the run has ended. */
export function runningText({ wanted, state, end, costLimit }: DiagnosisHeader): string | undefined {
  if (wanted === undefined) return undefined;
  return [
    runningWords[state],
    formatSeconds(end),
    `cost limit ${thresholdText(shareOfSlowDown(costLimit), 'share')}`,
  ].join(', ');
}

const clockWords: Readonly<Record<DiagnosisHeader['clock'], string>> = {
  recorded: '',
  wall: 'by the wall clock',
  virtual: 'in virtual time',
};

/** `i3.r1: 120 experiments, 17 true, searched in recorded values.` */
export function summaryText(header: DiagnosisHeader, trueCount: number): string {
  const { run, count, strategy, deepStart, clock, end, state } = header;
  const facts = [`${count} ${count === 1 ? 'experiment' : 'experiments'}`, `${trueCount} true`];
  // A search in recorded values is as complete as it can be, and takes no time.
  if (clock === 'recorded') return `${run}: ${[...facts, strategyWords[strategy]].join(', ')}.`;
  const how = `${strategyWords[strategy]}${deepStart ? ' with Deep Start' : ''}`;
  if (header.wanted !== undefined) return `${run}: ${[...facts, how].join(', ')}.`;
  return `${run}: ${[...facts, how, `${formatSeconds(end)} ${clockWords[clock]}`].join(', ')}. ${[stateWords[state], ...costSentences(header)].join(' ')}`;
}

/** An experiment in words, or what a row stands for. */
export function rowSentence(words: SearchWords, { label, truth, experiments, gauge }: SearchRow): string {
  const [first] = experiments;
  if (first === undefined) return `${label}: no experiment of its own; open it to see those below.`;
  if (gauge === undefined && experiments.length === 1) return words.sentence(first);
  const share = gauge === undefined ? `${experiments.length}` : `${gauge.part} of ${gauge.whole}`;
  const value = words.value(experiments);
  const limit = words.limit(first.hypothesis, first.threshold);
  return `${words.label(first.hypothesis)} in ${label} is ${truthWords[truth ?? 'none'].word} in ${share} experiments${value === '' ? '' : `: ${value}, and it holds ${limit}`}.`;
}

/** `at 21 s: true, 45.0 %` */
export function conclusionTexts(words: SearchWords, node: SearchNode, isTimed: boolean): readonly string[] {
  return node.conclusions.map(({ time, truth, value }) => {
    const at = isTimed ? `at ${formatSeconds(time)}: ` : '';
    const of = words.value([{ ...node, value }]);
    return `${at}${truthWords[truth].word}${of === '' ? '' : `, ${of}`}`;
  });
}
