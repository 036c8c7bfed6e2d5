import type { Base } from '../../functions/base';
import { present } from '../../present';
import { shareOf } from '../../functions/share';
import { rankSet } from '../../properties/rankSet';
import { bySeverity, type Property } from '../../properties/property';
import { isShare, metricRecord } from '../hypotheses/metrics';
import type { Hypothesis } from '../hypotheses/hypothesis';
import { printResource } from '../resources/focusText';
import type { SearchNode, SearchRecord } from '../search/searchRecord';
import { grouped, mostRefined, type Group } from './refined';
import { groupsSaidOnce, saidOnce } from './saidOnce';
import type { SearchedPlaces } from './searchedPlaces';
import { evidenceNames, inRuns, titleOf } from './words';

/** What a search found, and what to do next. */
export interface Finding {
  readonly property: Property;
  readonly hypothesis: string;
  /** Of the hypothesis. */
  readonly label: string;
  readonly advice: string;
  /** Ids of the nodes that it is of. */
  readonly nodes: readonly number[];
  /** Of a search in a running program: begin and end of its data, in seconds since the search began. Others have data of other times. */
  readonly data?: readonly [number, number];
}

/** The id of what is found of a hypothesis in the whole program. */
const wholeId = (hypothesis: string): string => `diagnosis:${hypothesis}`;

/**
 * The most refined true nodes of a search, one finding for those that differ in processes and threads only, the most severe first; and for each hypothesis that the search began with and that holds in the whole
 * program, that it does: what makes it more precise refines it.
 */
export function findings(record: SearchRecord, places: SearchedPlaces): readonly Finding[] {
  const refined = saidOnce(mostRefined(record), record);
  const isRefined = new Set(refined);
  const wholes = record.nodes.filter(
    (node) => node.truth === 'true' && node.value !== undefined && isWholeRoot(node) && !isRefined.has(node),
  );
  const rootOf = rootsOf(record);
  const hypothesisOf = (group: Group): Hypothesis | undefined =>
    record.hypotheses.find(({ id }) => id === group.hypothesis);
  const valueOf = (group: Group): number => {
    const hypothesis = hypothesisOf(group);
    return hypothesis === undefined ? 0 : meanOf({ record, places, group, hypothesis });
  };
  const groups = [...grouped(wholes), ...groupsSaidOnce(grouped(refined), record, valueOf)];
  const found = groups.flatMap((group) => {
    const hypothesis = hypothesisOf(group);
    if (hypothesis?.metric === undefined) return [];
    const root = rootOf(group.nodes);
    const refines = wholes.some((whole) => whole.hypothesis === root) ? wholeId(root ?? '') : undefined;
    return [findingOf({ record, places, group, hypothesis }, refines)];
  });
  return withoutRepeated(found).sort((a, b) => bySeverity(a.property, b.property));
}

/** Of a run of one process, the process is the whole program: what is found in it says nothing more. */
function withoutRepeated(found: readonly Finding[]): Finding[] {
  const wholes = new Set(
    found.flatMap(({ property: { id, title }, hypothesis }) => (id === wholeId(hypothesis) ? [title] : [])),
  );
  return found.filter(
    ({ property: { id, title, region }, hypothesis }) =>
      id === wholeId(hypothesis) || region !== undefined || !wholes.has(title),
  );
}

interface Subject {
  readonly record: SearchRecord;
  readonly places: SearchedPlaces;
  readonly group: Group;
  readonly hypothesis: Hypothesis;
}

function findingOf(subject: Subject, refines: string | undefined): Finding {
  const { record, places, group, hypothesis } = subject;
  const { id, label, metric = '', advice } = hypothesis;
  const { nodes } = group;
  const own = places.functionOf(group.focus.Code);
  const { severity, base, part } = severityOf(subject);
  const ranks = [...new Set(nodes.flatMap((node) => node.ranks ?? places.ranks(node.focus)))];
  const some = ranks.length < places.processes ? ranks : [];
  const value = meanOf(subject);
  const isWhole = nodes.some(isWholeRoot);
  return {
    property: {
      id: isWhole ? wholeId(id) : partId(group, own?.key),
      kind: metric === 'computing' ? 'diagnosis-computing' : 'diagnosis',
      title: titleOf({
        ...{ hypothesis, value, group, part },
        ...{ name: own?.name, ranks: ranks.length === 0 ? undefined : some, processes: places.processes },
      }),
      severity,
      confidence: 1,
      ...present({
        region: own?.place,
        ranks: some.length === 0 ? undefined : rankSet(some),
        refines: isWhole ? undefined : refines,
      }),
      evidence: {
        ...valueEvidence(subject, value),
        ...(base === undefined ? {} : { seconds: severity * base.seconds }),
        ...(ranks.length === 0 ? {} : { processes: ranks.length }),
      },
      ...present({ base }),
      origin: { run: record.run, analysis: 'diagnosis' },
    },
    hypothesis: id,
    label,
    advice,
    nodes: nodes.map((node) => node.id),
    ...present({ data: record.strategy === 'recorded' ? undefined : intervalOf(nodes) }),
  };
}

/** From the first begin to the last end of their data; undefined: none has any. */
function intervalOf(nodes: readonly SearchNode[]): readonly [number, number] | undefined {
  const intervals = nodes.flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (intervals.length === 0) return undefined;
  return [Math.min(...intervals.map(([begin]) => begin)), Math.max(...intervals.map(([, end]) => end))];
}

function valueEvidence(subject: Subject, value: number): Readonly<Record<string, number>> {
  const { group, hypothesis } = subject;
  const names = evidenceNames(metricRecord(hypothesis.metric ?? '')?.unit);
  return {
    [names.value]: value,
    [names.threshold]: group.nodes[0]?.threshold ?? hypothesis.threshold,
    ...overRuns(subject, names.value),
  };
}

/** The same in every run: of the hypothesis, the function (its key, or the module) and the synchronisation object. */
function partId({ hypothesis, focus: { Code, SyncObject } }: Group, key: string | undefined): string {
  const where = key ?? (Code.length === 0 ? [] : printResource('Code', Code));
  const object = SyncObject.length === 0 ? [] : SyncObject.join('/');
  // Without any of them, and not the whole: a part of the machine.
  const parts = [where, object].flat();
  return [wholeId(hypothesis), ...(parts.length === 0 ? ['ranks'] : parts)].join(':');
}

/** What is lost there, as a share of the whole program. A quantity that is no share has the severity of what it makes more precise. */
function severityOf({ record, places, group, hypothesis }: Subject): {
  readonly severity: number;
  readonly base: Base | undefined;
  readonly part: number;
} {
  const { metric = '' } = hypothesis;
  let [severity, part] = [0, 0];
  let base = places.base(metric);
  for (const node of group.nodes) {
    const shown = shareNode(record, node);
    const of = metricOf(record, shown);
    if (of !== undefined) base = places.base(of);
    const own = places.partOf(of ?? metric, node.focus);
    part += own;
    severity += (of === undefined ? 0 : (shown.value ?? 0)) * own;
  }
  // An imbalance is of the whole run time in each process that has one: of several, the mean.
  return { severity: shareOf(severity, { seconds: Math.max(1, part) }), base, part };
}

/** The node itself if its value is a share, else the nearest one at the same focus of a less precise hypothesis whose value is. */
function shareNode(record: SearchRecord, node: SearchNode): SearchNode {
  let shown = node;
  // A node is younger than what it was refined from.
  while (metricOf(record, shown) === undefined) {
    const above = shown.parents.find(({ by, node: id = Infinity }) => by === 'why' && id < shown.id);
    const next = record.nodes[above?.node ?? -1];
    if (next === undefined) return shown;
    shown = next;
  }
  return shown;
}

/** The metric of a node if it is a share. */
function metricOf({ hypotheses }: SearchRecord, { hypothesis }: SearchNode): string | undefined {
  const metric = hypotheses.find(({ id }) => id === hypothesis)?.metric;
  return metric !== undefined && isShare(metric) ? metric : undefined;
}

function meanOf(subject: Subject): number {
  return weightedMean(subject, ({ value = 0 }) => value);
}

/** The mean over the parts of the machine. */
function weightedMean(
  { places, group: { nodes }, hypothesis: { metric = '' } }: Subject,
  valueOf: (node: SearchNode) => number,
): number {
  let [sum, weights] = [0, 0];
  for (const node of nodes) {
    const weight = places.partOf(metric, node.focus);
    sum += weight * valueOf(node);
    weights += weight;
  }
  return weights > 0 ? sum / weights : nodes[0] === undefined ? 0 : valueOf(nodes[0]);
}

/** Least and most of the value in the single runs; nothing unless several show all of it. */
function overRuns(subject: Subject, name: string): Readonly<Record<string, number>> {
  const { nodes } = subject.group;
  const runs = nodes[0]?.runs?.length ?? 0;
  if (runs < 2 || nodes.some((node) => node.runs?.length !== runs)) return {};
  const values = Array.from({ length: runs }, (_, run) =>
    weightedMean(subject, (node) => node.runs?.[run] ?? 0),
  );
  return { runs, [inRuns('least', name)]: Math.min(...values), [inRuns('most', name)]: Math.max(...values) };
}

function isWholeRoot({ focus, parents }: SearchNode): boolean {
  const isWhole = focus.Code.length + focus.Machine.length + focus.SyncObject.length === 0;
  return isWhole && parents.some(({ by }) => by === 'root');
}

/** The hypothesis that the search began with on the way to some nodes. */
function rootsOf({ nodes }: SearchRecord): (of: readonly SearchNode[]) => string | undefined {
  const known = new Map<number, string>();
  // In the order in which they were made: parents come first.
  for (const { id, hypothesis, parents } of nodes) {
    const [first] = parents;
    known.set(id, first?.node === undefined ? hypothesis : (known.get(first.node) ?? hypothesis));
  }
  return ([first]) => (first === undefined ? undefined : known.get(first.id));
}
