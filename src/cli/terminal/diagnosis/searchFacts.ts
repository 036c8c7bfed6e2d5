import type { Finding } from '../../../core/diagnosis/findings/findings';
import { evidenceNames, inRuns } from '../../../core/diagnosis/findings/words';
import { agrees, byLast } from '../../../core/diagnosis/hypotheses/hypothesis';
import { metricRecord, metricValueText } from '../../../core/diagnosis/hypotheses/metrics';
import { costSentences } from '../../../core/diagnosis/search/largestCost';
import type { SearchNode, SearchRecord } from '../../../core/diagnosis/search/searchRecord';
import { counted, formatPercent, formatSeconds } from '../../../core/format';
import { baseText, togetherWords } from '../../../core/functions/base';
import type { Diagnosis } from '../../../workflows/diagnose';

const clocks: Readonly<Record<SearchRecord['clock'], string>> = {
  recorded: 'of recorded time',
  wall: 'by the wall clock',
  virtual: 'of virtual time',
};

/** Who searches, as the option `--strategy` says it. */
const searchers: Readonly<Record<SearchRecord['strategy'], string>> = {
  centralised: 'one search of all processes',
  'partially distributed': 'one search of the whole program, and each host its own part',
  'truly distributed': 'each host by itself',
  recorded: 'in a measurement',
};

const states: Readonly<Record<SearchRecord['state'], string>> = {
  searching: 'still searching',
  paused: 'paused',
  steady: 'everything has concluded',
  complete: 'complete',
  ended: 'until the program ended',
  stopped: 'stopped',
};

/** What was searched: its size and time; and of a search in a running program, how. */
export function searchFacts({ record, base, processes, threads, doubts = [] }: Diagnosis): readonly string[] {
  const size = `${counted(processes, 'process', 'processes')}, ${counted(threads, 'thread')}`;
  const first =
    base === undefined
      ? `Run ${record.run}.`
      : `${size}; ${baseText(base, togetherWords(processes, threads))}.`;
  return [
    first,
    ...doubts,
    ...howSearched(record),
    ...(base === undefined && processes > 0
      ? ['The file does not have the times of the processes: in shares of the run, each counts the same.']
      : []),
  ];
}

function howSearched(record: SearchRecord): readonly string[] {
  const { strategy, deepStart, clock, state, end, nodes } = record;
  if (strategy === 'recorded') return [];
  const stale = nodes.filter((node) => node.stale === true).length;
  const how = `${searchers[strategy]}${deepStart ? ', with Deep Start' : ''}`;
  return [
    `Searched while it ran (${how}): ${states[state]}, ${formatSeconds(end)} ${clocks[clock]}.`,
    ...costSentences(record),
    ...(stale === 0
      ? []
      : [
          `${counted(stale, 'result')} of ${nodes.length} ${stale === 1 ? 'is' : 'are'} stale: the agent that measured there was lost.`,
        ]),
  ];
}

/** What a finding says beside its title and place. The threshold is one of the value at the place, and not of its share of the run. */
export function findingFacts(
  { property, hypothesis: id, label, nodes, data }: Finding,
  record: SearchRecord,
): readonly string[] {
  const own = nodes.flatMap((node) => record.nodes[node] ?? []);
  const { metric = '' } = record.hypotheses.find((one) => one.id === id) ?? {};
  const text = (value: number): string => metricValueText(metric, value);
  const { severity, evidence } = property;
  const { value } = evidenceNames(metricRecord(metric)?.unit);
  const [least, most] = [evidence[inRuns('least', value)], evidence[inRuns('most', value)]];
  return [
    label,
    ...own
      .slice(0, 1)
      .map(({ threshold }) => `${text(evidence[value] ?? 0)} here, threshold ${text(threshold)}`),
    ...(severity === undefined ? [] : [`${formatPercent(severity)} of the run`]),
    ...(least === undefined || most === undefined
      ? []
      : [`${text(least)} to ${text(most)} in ${evidence.runs ?? 0} runs`]),
    ...(data === undefined
      ? []
      : [`measured from ${formatSeconds(data[0])} to ${formatSeconds(data[1])} of the search`]),
    ...(own.some((node) => isDecidedByLast(node, record)) ? [byLast] : []),
    ...staleText(own),
  ];
}

/** Whether the mean of all values says something else than the last ones, from which a search in a running program concludes. */
export function isDecidedByLast(node: SearchNode, { hypotheses }: SearchRecord): boolean {
  const hypothesis = hypotheses.find(({ id }) => id === node.hypothesis);
  const { value } = node;
  return hypothesis !== undefined && value !== undefined && !agrees(hypothesis, { ...node, value });
}

export function staleText(nodes: readonly Pick<SearchNode, 'stale'>[]): readonly string[] {
  return nodes.some(({ stale }) => stale === true) ? ['stale'] : [];
}
