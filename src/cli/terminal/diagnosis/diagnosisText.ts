import type { Diagnosis } from '../../../workflows/diagnose';
import type { Finding } from '../../../core/diagnosis/findings/findings';
import { byLast, isBeyond } from '../../../core/diagnosis/hypotheses/hypothesis';
import { metricValueText } from '../../../core/diagnosis/hypotheses/metrics';
import { failedHypotheses, noticeTexts } from '../../../core/diagnosis/recorded/notSearched';
import { focusWords, printFocus } from '../../../core/diagnosis/resources/focusText';
import type { SearchNode, SearchRecord } from '../../../core/diagnosis/search/searchRecord';
import { pushTo } from '../../../core/remembered';
import { findingFacts, isDecidedByLast, searchFacts, staleText } from './searchFacts';
import { printable } from '../table';

/** What was found, where, and what to do next; then what could not be searched. */
export function diagnosisText(diagnosis: Diagnosis, tree: boolean): string {
  const { record, findings } = diagnosis;
  const found = findings.flatMap((finding, index) => ['', ...findingLines(finding, index + 1, record)]);
  return [
    ...searchFacts(diagnosis).map(printable),
    ...(found.length === 0 ? ['', nothingText(record)] : found),
    ...(tree ? ['', ...treeLines(record)] : []),
    ...notSearched(record),
  ].join('\n');
}

/** Also what a reader has to know of the run that was searched. */
export function withNotes(text: string, notes: readonly string[] = []): string {
  return [text, ...notes.map(printable)].join('\n');
}

export function nothingText({ nodes, strategy }: SearchRecord): string {
  return strategy === 'recorded' || nodes.some(({ truth }) => truth !== 'unknown')
    ? 'Nothing found: no hypothesis holds.'
    : 'Nothing was concluded: the search was too short for its values to agree. Give the program more to do, or set a shorter time with --conclude-after.';
}

/** Lines on what has become true, or true no longer, since the last call. @param told truth of experiments that were told of, by their names; is changed */
export function concludedText(
  record: SearchRecord,
  told: Map<string, SearchNode['truth']>,
): readonly string[] {
  return record.nodes.flatMap((node) => {
    const name = `${node.hypothesis} ${printFocus(node.focus)}`;
    const before = told.get(name) ?? 'false';
    if (node.truth === 'unknown' || node.truth === before) return [];
    told.set(name, node.truth);
    const time = node.conclusions.at(-1)?.time ?? record.end;
    const label = record.hypotheses.find(({ id }) => id === node.hypothesis)?.label ?? node.hypothesis;
    return [
      `${time.toFixed(1).padStart(7)} s  ${nodeText(record, node, `${label}${focusWords(node.focus)}:`)}`,
    ];
  });
}

function findingLines(finding: Finding, number: number, record: SearchRecord): readonly string[] {
  const { property, advice } = finding;
  const { title, region } = property;
  const where = region?.file === undefined ? [] : [`${region.file}:${region.line ?? 1}`];
  return [
    printable(`${number}. ${title}`),
    printable(`   ${[...where, ...findingFacts(finding, record)].join(' · ')}`),
    `   Next: ${printable(advice)}`,
  ];
}

function valueText({ hypotheses }: SearchRecord, { hypothesis }: SearchNode, value: number): string {
  return metricValueText(hypotheses.find(({ id }) => id === hypothesis)?.metric, value);
}

/** The search as text: below each experiment those that it was refined to; one that was reached twice is written out the first time. */
function treeLines(record: SearchRecord): readonly string[] {
  const children = new Map<number, SearchNode[]>();
  for (const node of record.nodes)
    for (const { node: parent = -1 } of node.parents) pushTo(children, parent, node);
  const written = new Set<number>();
  const lines = ['Search (+ true, - false, ? not measured):'];
  const open = (children.get(-1) ?? []).map((node) => ({ node, depth: 0 })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    const isAgain = written.has(node.id);
    written.add(node.id);
    lines.push(`${'  '.repeat(depth)}${nodeText(record, node)}${isAgain ? ' (above)' : ''}`);
    if (!isAgain)
      open.push(
        ...(children.get(node.id) ?? []).map((child) => ({ node: child, depth: depth + 1 })).reverse(),
      );
  }
  return lines;
}

const signs = { true: '+', false: '-', unknown: '?' } as const;

/** @param name of the experiment; default: as the search names it */
function nodeText(
  record: SearchRecord,
  node: SearchNode,
  name = `${node.hypothesis} ${printFocus(node.focus)}`,
): string {
  const { truth, value, threshold, problem } = node;
  const numbers =
    value === undefined
      ? ''
      : ` ${valueText(record, node, value)} ${relationOf(node, value, record)} ${valueText(record, node, threshold)}`;
  const last = isDecidedByLast(node, record) ? [byLast] : [];
  const marks = [...last, ...staleText([node])].map((mark) => ` (${mark})`);
  return printable(
    `${signs[truth]} ${name}${numbers}${marks.join('')}${problem === undefined ? '' : `: ${problem}`}`,
  );
}

/** Of a value to its threshold. */
function relationOf(
  { hypothesis, threshold }: SearchNode,
  value: number,
  { hypotheses }: SearchRecord,
): string {
  const { holds = 'above' } = hypotheses.find(({ id }) => id === hypothesis) ?? {};
  const [beyond, notBeyond] = holds === 'above' ? ['>', '≤'] : ['<', '≥'];
  return isBeyond({ holds }, { value, threshold }) ? beyond : notBeyond;
}

/** Notices, and the hypotheses that failed where the search began: each reason once. */
export function notSearched({ nodes, notices, hypotheses }: SearchRecord): readonly string[] {
  const labels = new Map(hypotheses.map(({ id, label }) => [id, label]));
  const lines = noticeTexts(notices, failedHypotheses(nodes), (id) => labels.get(id));
  return lines.length === 0 ? [] : ['', ...lines.map(printable)];
}
