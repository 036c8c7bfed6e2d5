import { metricRecord, wholeOf } from '../../../src/core/diagnosis/hypotheses/metrics';
import { pathKey } from '../../../src/core/diagnosis/resources/pathKey';
import { printFocus, printResource } from '../../../src/core/diagnosis/resources/focusText';
import type { Focus } from '../../../src/core/diagnosis/resources/focus';
import type { SearchNode, SearchRecord } from '../../../src/core/diagnosis/search/searchRecord';
import { getOrMake } from '../../../src/core/getOrMake';
import { pushTo } from '../../../src/core/remembered';
import { hypothesisOf, isLive, nameOf } from './searchNodes';

/** Recorded sums were added in another order; those of a running program are means of intervals, whose processes have different times. */
const [recorded, live] = [1e-6, 0.02];

/** Parts of a time that exclude each other, at the same place; by metric. */
const apart = [
  { whole: undefined, parts: ['computing', 'synchronisation', 'inputOutput', 'blocked'] },
  { whole: 'synchronisation', parts: ['mpiWaiting', 'barrierWaiting', 'lockWaiting'] },
  { whole: 'mpiWaiting', parts: ['lateSender', 'lateReceiver', 'collectiveWaiting'] },
] as const;

/** Every contradiction between values that add up, as far as they are of the same time. */
export function sumContradictions(record: SearchRecord): readonly string[] {
  const known = new Map(record.nodes.map((node) => [nameOf(node), node]));
  const tolerance = isLive(record) ? live : recorded;
  return [
    ...ofReasons(record, tolerance),
    ...ofMachine(record, tolerance),
    ...ofParts(record, known, tolerance),
  ];
}

/** The sum of those whose data is of the same time as that of the first one. */
function sumOf(nodes: readonly SearchNode[]): {
  readonly sum: number;
  readonly like: SearchNode | undefined;
} {
  const [like] = nodes;
  const same = nodes.filter((node) => like !== undefined && areAtOnce(node, like));
  return { sum: same.reduce((sum, { value = 0 }) => sum + value, 0), like };
}

export function areAtOnce(
  { data: a }: Pick<SearchNode, 'data'>,
  { data: b }: Pick<SearchNode, 'data'>,
): boolean {
  return (
    a !== undefined && b !== undefined && [0, 1].every((at) => Math.abs((a[at] ?? 0) - (b[at] ?? 0)) < 1e-6)
  );
}

function ofReasons(record: SearchRecord, tolerance: number): readonly string[] {
  const places = new Map<string, Map<string, SearchNode>>();
  for (const node of record.nodes) {
    const metric = hypothesisOf(record, node)?.metric;
    if (metric !== undefined && node.value !== undefined)
      getOrMake(places, printFocus(node.focus), () => new Map<string, SearchNode>()).set(metric, node);
  }
  return [...places].flatMap(([place, byMetric]) =>
    apart.flatMap(({ whole, parts }) => {
      const { sum, like } = sumOf(parts.flatMap((metric) => byMetric.get(metric) ?? []));
      const all = whole === undefined ? undefined : byMetric.get(whole);
      if (like === undefined || (whole !== undefined && (all === undefined || !areAtOnce(all, like))))
        return [];
      const most = all?.value ?? 1;
      return sum <= most + tolerance
        ? []
        : [
            `search: at ${place} ${parts.join(', ')} have ${sum} together, and ${whole ?? 'all the time'} is ${most}`,
          ];
    }),
  );
}

/** A share of a part of the machine is the mean over its parts, each as heavy as its time. */
function ofMachine(record: SearchRecord, tolerance: number): readonly string[] {
  const { nodes, program } = record;
  if (program === undefined) return [];
  const seconds = new Map<string, number>();
  const partsOf = new Map<string, Set<string>>();
  for (const { machine, seconds: own } of program.threads)
    for (let depth = 0; depth <= machine.length; depth++) {
      const key = pathKey(machine.slice(0, depth));
      seconds.set(key, (seconds.get(key) ?? 0) + own);
      if (depth === machine.length) continue;
      const parts = partsOf.get(key) ?? new Set<string>();
      partsOf.set(key, parts.add(pathKey(machine.slice(0, depth + 1))));
    }
  const children = new Map<number, SearchNode[]>();
  for (const node of nodes)
    for (const { node: parent, by } of node.parents)
      if (parent !== undefined && by === 'where' && isMachineStep(node.focus, nodes[parent]?.focus))
        pushTo(children, parent, node);
  return nodes.flatMap((node) => {
    if (!isOfThreads(record, node)) return [];
    const parts = children.get(node.id) ?? [];
    const isWhole = parts.length === partsOf.get(pathKey(node.focus.Machine))?.size;
    if (!isWhole || !parts.every((part) => part.value !== undefined && areAtOnce(part, node))) return [];
    const weight = (part: SearchNode): number => seconds.get(pathKey(part.focus.Machine)) ?? 0;
    const all = parts.reduce((sum, part) => sum + weight(part), 0);
    const mean = parts.reduce((sum, part) => sum + weight(part) * (part.value ?? 0), 0) / all;
    return Math.abs(mean - (node.value ?? 0)) <= tolerance
      ? []
      : [`search: ${nameOf(node)} is ${node.value ?? 0}, and the mean of its parts ${mean}`];
  });
}

function isMachineStep(part: Focus, whole: Focus | undefined): boolean {
  return whole !== undefined && part.Machine.length > whole.Machine.length;
}

/** Of functions and synchronisation objects, none has more than the whole program, and all objects of a type no more than the type. */
function ofParts(
  record: SearchRecord,
  known: ReadonlyMap<string, SearchNode>,
  tolerance: number,
): readonly string[] {
  const objects = new Map<string, SearchNode[]>();
  const contradictions = record.nodes.flatMap((node) => {
    if (!isOfThreads(record, node) || node.value === undefined) return [];
    const { Code, SyncObject } = node.focus;
    if (SyncObject.length > 0) {
      const type = { ...node.focus, SyncObject: SyncObject.slice(0, -1) };
      pushTo(objects, `${node.hypothesis} ${printFocus(type)}`, node);
    }
    const whole =
      Code.length === 0 ? undefined : known.get(nameOf({ ...node, focus: { ...node.focus, Code: [] } }));
    return whole?.value === undefined || !areAtOnce(whole, node) || node.value <= whole.value + tolerance
      ? []
      : [`search: ${nameOf(node)} is ${node.value}, more than ${whole.value} of the whole program`];
  });
  const sums = [...objects].flatMap(([name, parts]) => {
    const whole = known.get(name);
    const { sum, like } = sumOf(parts);
    if (whole?.value === undefined || like === undefined || !areAtOnce(whole, like)) return [];
    return sum <= whole.value + tolerance
      ? []
      : [
          `search: objects ${parts.map(({ focus }) => printResource('SyncObject', focus.SyncObject)).join(', ')} of ${name} have ${sum}, more than ${whole.value}`,
        ];
  });
  return [...contradictions, ...sums];
}

function isOfThreads(record: SearchRecord, node: SearchNode): boolean {
  const metric = hypothesisOf(record, node)?.metric ?? '';
  return metricRecord(metric)?.unit === 'share' && wholeOf(metric) === 'threads';
}
