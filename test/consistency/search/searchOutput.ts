import { lastOnce } from '../../../src/core/diagnosis/recorded/notSearched';
import { usualHypotheses } from '../../../src/core/diagnosis/hypotheses/usual';
import { formatPercent, formatSeconds } from '../../../src/core/format';
import { metricValueText } from '../../../src/core/diagnosis/hypotheses/metrics';
import type { ObservedCost, SearchRecord } from '../../../src/core/diagnosis/search/searchRecord';
import type { DiagnosisOutput } from '../diagnosis';
import { foundContradictions } from './searchFindings';
import { isLive, nodeContradictions } from './searchNodes';
import { sumContradictions } from './searchSums';
import { treeContradictions } from './searchTree';
import { unless } from './unless';

const searchers: Readonly<Record<SearchRecord['strategy'], string>> = {
  centralised: 'one search of all processes',
  'partially distributed': 'one search of the whole program, and each host its own part',
  'truly distributed': 'each host by itself',
  recorded: 'in a measurement',
};

/** What `kymo diagnose --json` prints. */
export interface SearchOutput extends Omit<DiagnosisOutput, 'base' | 'findings'> {
  readonly base?: DiagnosisOutput['base'];
  readonly run: string;
  readonly strategy: SearchRecord['strategy'];
  readonly state: SearchRecord['state'];
  readonly experiments: number;
  readonly largestCost?: ObservedCost;
  readonly findings: readonly {
    readonly hypothesis: string;
    readonly label: string;
    readonly advice: string;
    readonly nodes: readonly number[];
    readonly data?: readonly [number, number];
    readonly property: string;
  }[];
  readonly notSearched: readonly { readonly hypothesis: string; readonly reason: string }[];
  readonly notes: readonly string[];
}

/**
 * Every contradiction within a search, off-line or in a running program, and between it and what is printed of it.
 * @param record as `--export` or the run wrote it
 * @param output of `--json`
 * @param text of `--tree`
 */
export function searchContradictions(
  record: SearchRecord,
  output: SearchOutput,
  text: string,
): readonly string[] {
  return [
    ...nodeContradictions(record),
    ...sumContradictions(record),
    ...ofDocument(record, output),
    ...foundContradictions(record, output),
    ...ofHead(record, output, text),
    ...ofFoundText(record, output, text),
    ...treeContradictions(record, text),
    ...ofEnd(output, text),
  ];
}

/** The head of the document is that of the record. */
function ofDocument(record: SearchRecord, output: SearchOutput): readonly string[] {
  const { run, strategy, state, nodes, notices, hypotheses, largestCost, program } = record;
  // What makes the times of the run mean little is known of its measurement, and comes first.
  const doubts = output.notes.filter((note) => /^(The run took only |\d+ ranks shared )/.test(note));
  const own = {
    run,
    strategy,
    state,
    experiments: nodes.length,
    notes: [...doubts, ...lastOnce(notices.map(({ message }) => message))],
    hypotheses,
    largestCost,
  };
  const ranks = new Set(program?.threads.map(({ rank }) => rank)).size;
  return [
    ...Object.entries(own).flatMap(([name, value]) =>
      JSON.stringify(output[name as keyof typeof own]) === JSON.stringify(value)
        ? []
        : [`diagnosis: ${name} is not that of the search`],
    ),
    ...(program === undefined || (output.processes === ranks && output.threads === program.threads.length)
      ? []
      : [
          `diagnosis: ${output.processes} processes with ${output.threads} threads, and the search has ${ranks} with ${program.threads.length}`,
        ]),
    ...output.notSearched.flatMap(({ hypothesis, reason }) =>
      nodes.some((node) => node.hypothesis === hypothesis && node.problem === reason)
        ? []
        : [`diagnosis: ${hypothesis} was searched`],
    ),
  ];
}

function ofHead(
  record: SearchRecord,
  { base, processes, threads, largestCost }: SearchOutput,
  text: string,
): readonly string[] {
  const [first = '', ...others] = (text.split('\n\n')[0] ?? '').split('\n');
  const [, ofProcesses, ofThreads] = /^(\d+) process(?:es)?, (\d+) threads?; /.exec(first) ?? [];
  const how = others.find((line) => line.startsWith('Searched while it ran ')) ?? '';
  const cost = others.find((line) => line.startsWith('Recording for the search took ')) ?? '';
  const stale = record.nodes.filter((node) => node.stale === true).length;
  const says = (line: string, words: readonly string[]): readonly string[] =>
    words.flatMap((word) => (line.includes(word) ? [] : [`diagnosis: “${line}” lacks ${word}`]));
  return [
    ...(base === undefined
      ? says(first, [record.run])
      : [
          ...(Number(ofProcesses) === processes && Number(ofThreads) === threads
            ? []
            : [`diagnosis: “${first}”, and there are ${processes} processes with ${threads} threads`]),
          ...says(first, [formatSeconds(base.seconds), base.run]),
        ]),
    ...(isLive(record) ? says(how, [`(${searchers[record.strategy]}`, formatSeconds(record.end)]) : []),
    ...(isLive(record) && how.includes('Deep Start') !== record.deepStart ? [`diagnosis: “${how}”`] : []),
    ...(largestCost === undefined
      ? []
      : says(cost, [formatPercent(largestCost.share), formatSeconds(largestCost.time)])),
    ...(stale === 0 ? [] : says(others.join('\n'), [`${stale} result`])),
  ];
}

/** Findings are numbered in their order, with the numbers of the JSON. */
function ofFoundText(
  record: SearchRecord,
  { findings, properties }: SearchOutput,
  text: string,
): readonly string[] {
  const lines = (text.split('\nSearch (+ true')[0] ?? '').split('\n');
  const heads = lines.flatMap((line, at) => (/^\d+\. /.test(line) ? [at] : []));
  const nothing = /^(Nothing found|Nothing was concluded)/m.test(text);
  return [
    ...(heads.length === findings.length
      ? []
      : [`diagnosis: the text has ${heads.length} of ${findings.length} findings`]),
    ...(nothing === (findings.length === 0) ? [] : ['diagnosis: the text finds nothing, or does not say so']),
    ...heads.flatMap((at, position) =>
      ofFinding(position, lines.slice(at), record, { findings, properties }),
    ),
  ];
}

function ofFinding(
  position: number,
  [head = '', facts = '', next = '']: readonly string[],
  record: SearchRecord,
  { findings, properties }: Pick<SearchOutput, 'findings' | 'properties'>,
): readonly string[] {
  const [property, finding] = [properties[position], findings[position]];
  if (property === undefined || finding === undefined) return [];
  const { title, evidence } = property;
  const parts = facts.trim().split(' · ');
  const metric = record.hypotheses.find(({ id }) => id === finding.hypothesis)?.metric;
  const threshold = record.nodes[finding.nodes[0] ?? -1]?.threshold;
  const expected = [
    finding.label,
    ...(threshold === undefined
      ? []
      : [
          `${metricValueText(metric, Object.values(evidence)[0] ?? 0)} here, threshold ${metricValueText(metric, threshold)}`,
        ]),
    ...factsOf(property),
    ...timeOf(finding),
  ];
  return [
    ...unless(
      head === `${position + 1}. ${title}`,
      `diagnosis: “${head}” is number ${position + 1}, ${title}`,
    ),
    ...expected.flatMap((part) =>
      unless(parts.includes(part), `diagnosis: “${facts}” of ${title} lacks ${part}`),
    ),
    ...unless(next === `   Next: ${finding.advice}`, `diagnosis: “${next}” of ${title}`),
    ...ofTitle(title, evidence, metric, threshold, parts),
  ];
}

function factsOf({ severity = 0, region }: SearchOutput['properties'][number]): readonly string[] {
  const place = region?.file === undefined ? [] : [`${region.file}:${region.line ?? 1}`];
  return [`${formatPercent(severity)} of the run`, ...place];
}

function timeOf({ data }: SearchOutput['findings'][number]): readonly string[] {
  return data === undefined
    ? []
    : [`measured from ${formatSeconds(data[0])} to ${formatSeconds(data[1])} of the search`];
}

/** The number of a title is that of the evidence, and beyond the threshold unless the text says why not. */
function ofTitle(
  title: string,
  evidence: Readonly<Record<string, number>>,
  metric: string | undefined,
  threshold: number | undefined,
  parts: readonly string[],
): readonly string[] {
  const [value] = Object.values(evidence);
  if (value === undefined || threshold === undefined) return [];
  const number = metricValueText(metric, value);
  const isBelow = 'bytesPerOperation' in evidence;
  const isBeyond = isBelow ? value < threshold : value > threshold;
  const isExplained = parts.some((part) => part.startsWith('concluded from the last values'));
  return [
    ...(title.includes(number) ? [] : [`diagnosis: ${title} has ${number}`]),
    ...(isBeyond || isExplained ? [] : [`diagnosis: ${title} is not beyond its threshold ${threshold}`]),
  ];
}

/** What was not searched, and other notes, stand at the end. */
function ofEnd({ notes, notSearched, findings, hypotheses }: SearchOutput, text: string): readonly string[] {
  // Those that a running program cannot answer are not among its own.
  const ids = new Map([...usualHypotheses, ...hypotheses].map(({ id, label }) => [label, id]));
  const left = [...text.matchAll(/^Not searched: ([^.]*)\. /gm)].flatMap(([, names = '']) =>
    names.split(', ').map((label) => ids.get(label) ?? label),
  );
  const noted = notes.flatMap((note) => /^(\S+) was not searched\. /.exec(note)?.[1] ?? []);
  const expected = new Set([...notSearched.map(({ hypothesis }) => hypothesis), ...noted]);
  return [
    ...[...expected].flatMap((id) =>
      left.includes(id) ? [] : [`diagnosis: the text does not say that ${id} was not searched`],
    ),
    ...left.flatMap((id) =>
      expected.has(id) ? [] : [`diagnosis: the text says that ${id} was not searched`],
    ),
    ...(new Set(left).size === left.length ? [] : [`diagnosis: the text says twice what was not searched`]),
    ...left.flatMap((id) =>
      findings.some(({ hypothesis }) => hypothesis === id)
        ? [`diagnosis: ${id} is found, and was not searched`]
        : [],
    ),
    ...notes.flatMap((note) =>
      note.includes(' was not searched. ') || text.includes(note)
        ? []
        : [`diagnosis: the text lacks “${note}”`],
    ),
  ];
}
