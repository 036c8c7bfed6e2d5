import { formatPercent, formatRoundPercent, formatSeconds, formatValue } from '../../src/core/format';
import type { Hypothesis } from '../../src/core/diagnosis/hypotheses/hypothesis';
import {
  resourceTrees,
  type Focus,
  type ResourcePath,
  type ResourceTree,
} from '../../src/core/diagnosis/resources/focus';
import type { SearchNode, SearchStrategy, Truth } from '../../src/core/diagnosis/search/searchRecord';
import type { DiagnosisHeader, MetricWords } from '../../src/core/views/diagnosis/diagnosisPieces';

/** How a truth is shown: the sign and the word carry it, the colour only helps. */
export const truthWords: Readonly<Record<Truth, { readonly sign: string; readonly word: string }>> = {
  true: { sign: '●', word: 'true' },
  false: { sign: '○', word: 'false' },
  unknown: { sign: '?', word: 'undecided' },
};

export const activityWords: Readonly<Record<SearchNode['activity'], string>> = {
  inactive: 'not measured now',
  waiting: 'waits to be measured',
  requested: 'measurement requested',
  deferred: 'cannot be measured yet',
  active: 'measured now',
};

/** What hypotheses and metrics of a search are called. */
export class SearchWords {
  private readonly hypotheses: ReadonlyMap<string, Hypothesis>;
  private readonly metrics: Readonly<Record<string, MetricWords>>;

  constructor({ hypotheses, metrics }: Pick<DiagnosisHeader, 'hypotheses' | 'metrics'>) {
    this.hypotheses = new Map(hypotheses.map((hypothesis) => [hypothesis.id, hypothesis]));
    this.metrics = metrics;
  }

  hypothesis(id: string): Hypothesis | undefined {
    return this.hypotheses.get(id);
  }

  label(id: string): string {
    return this.hypotheses.get(id)?.label ?? id;
  }

  /** Undefined for a virtual hypothesis, which has no metric. */
  metric(id: string): MetricWords | undefined {
    const name = this.hypotheses.get(id)?.metric;
    return name === undefined ? undefined : (this.metrics[name] ?? { label: name, unit: '' });
  }

  /** A value of the hypothesis' metric with its unit; empty without one. */
  value(id: string, value: number | undefined): string {
    const metric = this.metric(id);
    return value === undefined || metric === undefined ? '' : valueText(value, metric.unit);
  }

  /** `above 30 %` */
  limit(id: string, threshold: number): string {
    const metric = this.metric(id);
    if (metric === undefined) return '';
    return `${this.hypotheses.get(id)?.holds ?? 'above'} ${limitText(threshold, metric.unit)}`;
  }

  /** `CPU bound in solve on host c33 is true: CPU time per process is 45.0 %, and the threshold is 30 %.` */
  sentence(node: SearchNode): string {
    const { hypothesis, focus, truth, value, threshold } = node;
    const subject = `${this.label(hypothesis)} in ${placeText(focus)}`;
    const metric = this.metric(hypothesis);
    const verdict = truth === 'unknown' ? 'is undecided' : `is ${truth}`;
    if (metric === undefined)
      return `${subject} ${verdict}: ${truth === 'true' ? 'one' : 'none'} of its more precise hypotheses is true.`;
    if (value === undefined) return `${subject} ${verdict}: there is no value yet.`;
    const [is, limit] = [valueText(value, metric.unit), limitText(threshold, metric.unit)];
    return `${subject} ${verdict}: ${metric.label} is ${is}, and the threshold is ${limit}.`;
  }
}

function valueText(value: number, unit: string): string {
  return unit === 'share' ? formatPercent(value) : formatValue(value, unit);
}

/** Thresholds are round numbers. */
function limitText(value: number, unit: string): string {
  return unit === 'share' ? formatRoundPercent(value) : formatValue(value, unit);
}

/** `< /Code/om3.c/main, /Machine/c2-047, /SyncObject >` */
export function focusText(focus: Focus): string {
  return `< ${resourceTrees.map((tree) => ['', tree, ...focus[tree]].join('/')).join(', ')} >`;
}

const wordsOf: Readonly<Record<ResourceTree, readonly ((name: string) => string)[]>> = {
  Code: [(name) => `module ${name}`, (name) => name],
  Machine: [(name) => `host ${name}`, (name) => `process ${name}`, (name) => `thread ${name}`],
  SyncObject: [(name) => `objects of type ${name}`, (name) => name],
};

/** The last name of a path with what it is: `host c33`. Undefined for the root. */
function resourceText(tree: ResourceTree, path: ResourcePath): string | undefined {
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

/** Seconds of the search's clock. */
export function timeText(seconds: number): string {
  return formatSeconds(seconds);
}

const strategyWords: Readonly<Record<SearchStrategy, string>> = {
  centralised: 'searched centrally while the program ran',
  'partially distributed': 'searched partly on each host while the program ran',
  'truly distributed': 'searched on each host by itself while the program ran',
  recorded: 'searched in recorded values',
};

const stateWords: Readonly<Record<DiagnosisHeader['state'], string>> = {
  searching: 'The search goes on.',
  paused: 'The search is paused.',
  steady: 'Every experiment has concluded; values can still change.',
  complete: 'The search is complete.',
  ended: 'The program ended before the search did: what it had concluded until then is shown.',
  stopped: 'The search was stopped: what it had concluded until then is shown.',
};

const clockWords: Readonly<Record<DiagnosisHeader['clock'], string>> = {
  recorded: '',
  wall: 'by the wall clock',
  virtual: 'in virtual time',
};

/** `i3.r1: 120 experiments, 17 true, searched in recorded values. The search is complete.` */
export function summaryText(header: DiagnosisHeader, trueCount: number): string {
  const { run, count, strategy, deepStart, clock, end, state } = header;
  const time = clock === 'recorded' ? '' : `, ${formatSeconds(end)} ${clockWords[clock]}`;
  return [
    `${run}: ${count} ${count === 1 ? 'experiment' : 'experiments'}, ${trueCount} true, ${strategyWords[strategy]}`,
    `${deepStart ? ' with Deep Start' : ''}${time}. ${stateWords[state]}`,
  ].join('');
}

/** `at 21 s: true, 45.0 %` */
export function conclusionTexts(words: SearchWords, node: SearchNode, isTimed: boolean): readonly string[] {
  return node.conclusions.map(({ time, truth, value }) => {
    const at = isTimed ? `at ${formatSeconds(time)}: ` : '';
    const of = words.value(node.hypothesis, value);
    return `${at}${truthWords[truth].word}${of === '' ? '' : `, ${of}`}`;
  });
}
