import { formatPercent, formatSeconds } from '../../../src/core/format';
import { metricValueText } from '../../../src/core/diagnosis/hypotheses/metrics';
import type { ObservedCost, SearchRecord } from '../../../src/core/diagnosis/search/searchRecord';
import type { DiagnosisOutput } from '../diagnosis';
import { foundContradictions } from './searchFindings';
import { hypothesisOf, isLive, nameOf, nodeContradictions } from './searchNodes';
import { sumContradictions } from './searchSums';

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
    ...ofTree(record, text),
    ...ofEnd(output, text),
  ];
}

/** The head of the document is that of the record. */
function ofDocument(record: SearchRecord, output: SearchOutput): readonly string[] {
  const { run, strategy, state, nodes, notices, hypotheses, largestCost, program } = record;
  const own = {
    run,
    strategy,
    state,
    experiments: nodes.length,
    notes: notices.map(({ message }) => message),
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
    ...(isLive(record) ? says(how, [`(${record.strategy}`, formatSeconds(record.end)]) : []),
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
    ...heads.flatMap((at, position) => {
      const [property, finding] = [properties[position], findings[position]];
      const [head = '', facts = '', next = ''] = lines.slice(at);
      if (property === undefined || finding === undefined) return [];
      const parts = facts.trim().split(' · ');
      const metric = record.hypotheses.find(({ id }) => id === finding.hypothesis)?.metric;
      const [node] = finding.nodes.flatMap((id) => record.nodes[id] ?? []);
      const { region } = property;
      const expected = [
        finding.label,
        `${formatPercent(property.severity ?? 0)} of the run`,
        ...(node === undefined ? [] : [`threshold ${metricValueText(metric, node.threshold)}`]),
        ...(region?.file === undefined ? [] : [`${region.file}:${region.line ?? 1}`]),
        ...(finding.data === undefined
          ? []
          : [
              `measured from ${formatSeconds(finding.data[0])} to ${formatSeconds(finding.data[1])} of the search`,
            ]),
      ];
      return [
        ...(head === `${position + 1}. ${property.title}`
          ? []
          : [`diagnosis: “${head}” is number ${position + 1}, ${property.title}`]),
        ...expected.flatMap((part) =>
          parts.includes(part) ? [] : [`diagnosis: “${facts}” of ${property.title} lacks ${part}`],
        ),
        ...(next === `   Next: ${finding.advice}` ? [] : [`diagnosis: “${next}” of ${property.title}`]),
        ...ofTitle(property.title, property.evidence, metric, node?.threshold, parts),
      ];
    }),
  ];
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

const signs = { true: '+', false: '-', unknown: '?' } as const;

/** Each experiment stands in the tree once, with its result and a relation of its numbers that is right. */
function ofTree(record: SearchRecord, text: string): readonly string[] {
  const [, tree = ''] = text.split('\nSearch (+ true');
  const lines = tree.split('\n').flatMap((line) => {
    const [, sign = '', name = '', rest = ''] = /^ *([+?-]) (\S+ < .*? >(?= |:|$))(.*)$/.exec(line) ?? [];
    return name === '' || rest.endsWith(' (above)') ? [] : [{ sign, name, rest }];
  });
  const byName = new Map(lines.map((line) => [line.name, line]));
  return [
    ...(lines.length === record.nodes.length
      ? []
      : [`diagnosis: the tree has ${lines.length} of ${record.nodes.length} experiments`]),
    ...record.nodes.flatMap((node) => {
      const line = byName.get(nameOf(node));
      if (line === undefined) return [`diagnosis: the tree lacks ${nameOf(node)}`];
      const { value, threshold, truth, problem, stale } = node;
      const metric = hypothesisOf(record, node)?.metric;
      const what = `diagnosis: “${line.name}${line.rest}”`;
      if (line.sign !== signs[truth]) return [`${what} is ${truth}`];
      const [, shown = '', relation = '', limit = ''] =
        /^ (\S.*?) ([<>≤≥]) (\S.*?)(?: \(|:|$)/.exec(line.rest) ?? [];
      const isRight = {
        '<': (a: number) => a < threshold,
        '>': (a: number) => a > threshold,
        '≤': (a: number) => a <= threshold,
        '≥': (a: number) => a >= threshold,
      }[relation];
      const isBeyond =
        value !== undefined &&
        (hypothesisOf(record, node)?.holds === 'below' ? value < threshold : value > threshold);
      const needsWhy = value !== undefined && truth !== 'unknown' && isBeyond !== (truth === 'true');
      return [
        ...(value === undefined ||
        (shown === metricValueText(metric, value) && limit === metricValueText(metric, threshold))
          ? []
          : [`${what} has ${value} and ${threshold}`]),
        ...(value === undefined || isRight?.(value) === true
          ? []
          : [`${what}: ${value} is not ${relation} ${threshold}`]),
        ...(needsWhy === line.rest.includes('(concluded from the last values')
          ? []
          : [`${what} does not say why it is ${truth}`]),
        ...((stale === true) === line.rest.includes('(stale)')
          ? []
          : [`${what} is ${stale === true ? '' : 'not '}stale`]),
        ...(problem === undefined || line.rest.includes(problem.slice(0, 40))
          ? []
          : [`${what} lacks ${problem}`]),
      ];
    }),
  ];
}

/** What was not searched, and other notes, stand at the end. */
function ofEnd({ notes, notSearched, findings }: SearchOutput, text: string): readonly string[] {
  const left = [...text.matchAll(/^Not searched: ([^.]*)\. /gm)].flatMap(([, names = '']) =>
    names.split(', '),
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
      / was not searched\. /.test(note) || text.includes(note) ? [] : [`diagnosis: the text lacks “${note}”`],
    ),
  ];
}
