import { shareOfSlowDown } from '../../../src/core/diagnosis/search/costThrottle';
import { isShare } from '../../../src/core/diagnosis/hypotheses/metrics';
import type { Hypothesis } from '../../../src/core/diagnosis/hypotheses/hypothesis';
import { resourceTrees, type ResourcePath } from '../../../src/core/diagnosis/resources/focus';
import { isWithin } from '../../../src/core/diagnosis/resources/containment';
import { printFocus, printResource } from '../../../src/core/diagnosis/resources/focusText';
import type { ParentEdge, SearchNode, SearchRecord } from '../../../src/core/diagnosis/search/searchRecord';
import { relative } from '../numbers';
import { unless } from './unless';

/** As sentences name an experiment. */
export function nameOf({ hypothesis, focus }: SearchNode): string {
  return `${hypothesis} ${printFocus(focus)}`;
}

/** Whether a search was made in a running program, so that values come over time and conclusions are from the last of them. */
export function isLive({ strategy }: SearchRecord): boolean {
  return strategy !== 'recorded';
}

export function hypothesisOf(
  { hypotheses }: SearchRecord,
  { hypothesis }: SearchNode,
): Hypothesis | undefined {
  return hypotheses.find(({ id }) => id === hypothesis);
}

/** Every contradiction between and within the experiments of a search. */
export function nodeContradictions(record: SearchRecord): readonly string[] {
  const names = record.nodes.map(nameOf);
  return [
    ...(new Set(names).size === names.length ? [] : ['an experiment is in the search twice']),
    ...record.nodes.flatMap((node, position) =>
      [
        ...(node.id === position ? [] : [`is number ${node.id} at position ${position}`]),
        ...ofTimes(node, record),
        ...ofValues(node, record),
        ...ofTruth(node, record),
        ...ofPlace(node, record),
        ...node.parents.flatMap((edge) => ofEdge(node, edge, record)),
      ].map((what) => `search: ${names[position] ?? ''}: ${what}`),
    ),
    ...record.notices.flatMap(({ time, message }) =>
      isIn(time, record)
        ? []
        : [`search: “${message}” is of ${time} s, and the search ends at ${record.end} s`],
    ),
    ...ofCost(record),
  ];
}

function isIn(time: number, { end }: SearchRecord): boolean {
  return time >= 0 && time <= end;
}

function ofTimes({ parents, conclusions, data }: SearchNode, record: SearchRecord): readonly string[] {
  const inOrder = (times: readonly { readonly time: number }[]): boolean =>
    times.every(({ time }, at) => isIn(time, record) && time >= (times[at - 1]?.time ?? 0));
  // Recorded data is of the program's time, and the search takes none.
  const [begin, end] = data ?? [0, 0];
  return [
    ...(inOrder(parents) ? [] : ['it was reached outside of the time of the search, or not in order']),
    ...(inOrder(conclusions) ? [] : ['it was concluded outside of the time of the search, or not in order']),
    ...(begin >= 0 && begin <= end ? [] : [`its data is from ${begin} s to ${end} s`]),
    ...(!isLive(record) || end <= record.end ? [] : [`its data ends at ${end} s, after the search`]),
  ];
}

function ofValues(node: SearchNode, record: SearchRecord): readonly string[] {
  const { value, data, conclusions, runs } = node;
  const metric = hypothesisOf(record, node)?.metric;
  const most = metric !== undefined && isShare(metric) ? 1 + relative : Infinity;
  const values = [...conclusions.map((one) => one.value), ...(runs ?? [])];
  const isBetween = (mean: number, of: readonly number[]): boolean =>
    Math.min(...of) - relative <= mean && mean <= Math.max(...of) + relative;
  return [
    ...(value === undefined ? values : [value, ...values]).flatMap((one) =>
      unless(one >= 0 && one <= most, `its value is ${one}`),
    ),
    ...unless(
      (value === undefined) === (data === undefined),
      'it has a value without data, or data without one',
    ),
    ...unless(
      runs === undefined || isBetween(value ?? NaN, runs),
      'its value is not between those of its runs',
    ),
    ...ofPrediction(node, record),
  ];
}

/** What would cost more than the limit by itself is not measured. */
function ofPrediction(
  { value, parents, predictedCost }: SearchNode,
  record: SearchRecord,
): readonly string[] {
  const limit = shareOfSlowDown(record.costLimit);
  const isRoot = parents.some(({ node }) => node === undefined);
  return unless(
    !isLive(record) || value === undefined || isRoot || predictedCost <= limit + relative,
    `it was measured, and predicted to cost ${predictedCost} where ${limit} is allowed`,
  );
}

function ofTruth(node: SearchNode, record: SearchRecord): readonly string[] {
  const { truth, conclusions } = node;
  const hypothesis = hypothesisOf(record, node);
  if (hypothesis === undefined) return ['its hypothesis is none of the search'];
  if (hypothesis.metric === undefined) return ofVirtual(node, hypothesis, record);
  const last = conclusions.at(-1)?.truth ?? 'unknown';
  return [
    ...unless(last === truth, `it is ${truth}, and its last conclusion is ${last}`),
    ...unless(truth === 'unknown' || node.value !== undefined, `it is ${truth}, and has no value`),
    // The last values of a running program decide, which may differ from the mean of all; and its thresholds may change.
    ...(isLive(record) ? [] : ofRecorded(node, hypothesis)),
  ];
}

function ofRecorded(
  { truth, value, threshold, problem }: SearchNode,
  hypothesis: Hypothesis,
): readonly string[] {
  const isUnknown = truth === 'unknown';
  return [
    ...unless(
      threshold === hypothesis.threshold,
      `its threshold is ${threshold}, and that of its hypothesis ${hypothesis.threshold}`,
    ),
    ...unless(isUnknown || problem === undefined, `it is ${truth}, and was not measured: ${problem ?? ''}`),
    ...unless(
      isUnknown || value === undefined || isBeyond(hypothesis, value, threshold) === (truth === 'true'),
      `it is ${truth}, and its value ${value ?? 0} of the threshold ${threshold}`,
    ),
  ];
}

/** Whether a value is on the side of a threshold where the hypothesis holds. */
export function isBeyond(
  hypothesis: Pick<Hypothesis, 'holds'> | undefined,
  value: number,
  threshold: number,
): boolean {
  return hypothesis?.holds === 'below' ? value < threshold : value > threshold;
}

/** A hypothesis without a measurement holds where one of its children does. */
function ofVirtual(
  { truth, focus }: SearchNode,
  { children }: Hypothesis,
  { nodes }: SearchRecord,
): readonly string[] {
  const place = printFocus(focus);
  const below = nodes.filter(
    (node) => children.includes(node.hypothesis) && printFocus(node.focus) === place,
  );
  const holds = below.some((node) => node.truth === 'true');
  return (truth === 'true') === holds
    ? []
    : [`it is ${truth}, and ${holds ? 'one' : 'none'} of its children is true`];
}

/** Functions, hosts, processes and threads that experiments name are those of the program. */
function ofPlace(
  { focus: { Code, Machine }, truth, ranks = [] }: SearchNode,
  { program }: SearchRecord,
): readonly string[] {
  if (program === undefined) return [];
  const { threads, functions } = program;
  const known = new Set(threads.map(({ rank }) => rank));
  const isFunction =
    Code.length < 2 ||
    functions.some(({ code }) => printResource('Code', code) === printResource('Code', Code));
  return [
    ...(truth !== 'true' || isFunction ? [] : [`the program has no function ${Code.join('/')}`]),
    ...(threads.length === 0 || threads.some(({ machine }) => isWithin(machine, Machine))
      ? []
      : [`the program has no threads at ${Machine.join('/')}`]),
    ...ranks.flatMap((rank) =>
      known.has(rank) ? [] : [`it names rank ${rank}, and the run has ${[...known].join(', ')}`],
    ),
  ];
}

/** How one experiment led to another one. */
function ofEdge(
  child: SearchNode,
  { node: id, by, time }: ParentEdge,
  record: SearchRecord,
): readonly string[] {
  const parent = record.nodes[id ?? -1];
  if (parent === undefined)
    return by === 'root' && id === undefined ? [] : [`its parent ${id ?? 'none'} is no experiment`];
  const what = `it was reached ${by} at ${time} s from ${nameOf(parent)}`;
  switch (by) {
    case 'root':
      return [`${what}, and is a root`];
    case 'deep starter':
    case 'connecting':
      return child.hypothesis === parent.hypothesis ? [] : [`${what}, with another hypothesis`];
    case 'why':
      return [
        ...wasTrue(parent, time, what, record),
        ...(hypothesisOf(record, parent)?.children.includes(child.hypothesis) === true
          ? []
          : [`${what}, whose hypothesis it does not make more precise`]),
        ...(printFocus(child.focus) === printFocus(parent.focus) ? [] : [`${what}, at another place`]),
      ];
    case 'where':
      return [...wasTrue(parent, time, what, record), ...ofStep(child, parent, what)];
  }
}

function wasTrue(parent: SearchNode, time: number, what: string, record: SearchRecord): readonly string[] {
  if (hypothesisOf(record, parent)?.metric === undefined) return [];
  return parent.conclusions.some((conclusion) => conclusion.truth === 'true' && conclusion.time <= time)
    ? []
    : [`${what}, which was not true by then`];
}

/** One tree, one step down; functions are refined to those that they call. */
function ofStep(child: SearchNode, parent: SearchNode, what: string): readonly string[] {
  if (child.hypothesis !== parent.hypothesis) return [`${what}, with another hypothesis`];
  const changed = resourceTrees.filter(
    (tree) => printResource(tree, child.focus[tree]) !== printResource(tree, parent.focus[tree]),
  );
  const [tree] = changed;
  if (tree === undefined || changed.length > 1)
    return [`${what}, which differs in ${changed.length} of the trees`];
  const [part, whole]: readonly ResourcePath[] = [child.focus[tree], parent.focus[tree]];
  if (part === undefined || whole === undefined || tree === 'Code') return [];
  return isWithin(part, whole) && part.length === whole.length + 1 ? [] : [`${what}, and is no part of it`];
}

function ofCost(record: SearchRecord): readonly string[] {
  const { largestCost, costLimit } = record;
  if (largestCost === undefined) return [];
  const limit = shareOfSlowDown(costLimit);
  return [
    ...(isLive(record) ? [] : ['search: a search in recorded values has costs']),
    ...(isIn(largestCost.time, record) ? [] : [`search: its largest cost is of ${largestCost.time} s`]),
    ...(largestCost.share >= 0 && largestCost.share <= limit * (1 + relative)
      ? []
      : [`search: it cost ${largestCost.share} at ${largestCost.time} s, and ${limit} is allowed`]),
  ];
}
