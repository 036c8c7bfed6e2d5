import { at } from '../../core/at';
import { getOrMake } from '../../core/getOrMake';
import {
  groupMatrices,
  readingOptions,
  type Comparison,
  type Grouping,
} from '../../core/groups/comparison/compareGroups';
import type { ProcessContext } from '../../core/groups/context';
import { profileValues, type ProfileValues } from '../../core/groups/differences/processTimes';
import { groupNames, groupReadings } from '../../core/groups/differences/readings';
import { graphSvg } from '../../core/groups/graph/svg';
import { groupsHeading } from '../../core/groups/comparison/heading';
import { capitalised } from '../../core/groups/words';
import { present } from '../../core/present';
import { foldIterations } from '../../core/profile/foldIterations';
import {
  functionTimes,
  rangeOf,
  type FunctionTimes,
  type GroupDetails,
  type GroupMatrix,
  type GroupPicture,
  type GroupRow,
  type GroupSummary,
  type ProcessGroups,
} from '../../core/views/groupSummary';
import { positionsIn, rangesOf } from '../../core/views/ranks/processRanges';
import { groupsOf, processesOf, reportOf, type GroupsInput } from '../groups';
import { groupDetails, type DetailsAsked } from '../grouping/groupDetails';
import { dotGraph, drawnGraph } from '../grouping/groupGraph';
import { cachedProfile, type CachedProfile } from '../opened/profileCache';
import { RecentResults } from '../opened/recentResults';
import { turn, type Cancellable } from '../running/turn';
import type { ProfileName } from './profileView';

/** Nobody reads more rows, and irregular programs have a group per process. */
const mostGroups = 2_000;
const noNumbers = new Float64Array();
/** Ways of grouping that are remembered: a view asks for its rows, its matrices and its graph. */
const mostComparisons = 6;

/** A question on the groups of a profile; always of all processes. */
export interface GroupsQuestion extends ProfileName {
  readonly grouping: Grouping;
}

/** What is known of an opened profile; answers differ in how processes are grouped only. */
interface Known {
  readonly input: GroupsInput;
  readonly wholes: Map<string, ProcessContext>;
  /** By the grouping. */
  readonly comparisons: RecentResults<Comparison>;
  values?: ProfileValues;
  times?: FunctionTimes;
}

const known = new WeakMap<CachedProfile, Known>();

function knownOf(opened: CachedProfile): Known {
  const before = known.get(opened);
  if (before !== undefined) return before;
  const measured = { ...opened.input, profile: foldIterations(opened.input.profile) };
  const now = {
    input: { run: opened.run, measured },
    wholes: new Map<string, ProcessContext>(),
    comparisons: new RecentResults<Comparison>(mostComparisons),
  };
  known.set(opened, now);
  return now;
}

async function comparisonOf(
  { file, id, grouping }: GroupsQuestion,
  context: Cancellable,
): Promise<{ readonly opened: CachedProfile; readonly own: Known; readonly comparison: Comparison }> {
  const opened = await cachedProfile(file, id, context);
  const own = knownOf(opened);
  const { kind = 'pairs', closure = false, threshold, kMeans, coarser } = grouping;
  const key = [kind, closure, threshold, kMeans, coarser].join();
  const compare = async (shared: Cancellable): Promise<Comparison> => {
    await turn(shared);
    const whole = getOrMake(own.wholes, kind, () => processesOf([own.input], grouping));
    await turn(shared);
    // Where the times of all processes are too many, nothing of the panel has them.
    const hasTimes = opened.panel().cells !== undefined;
    return groupsOf([own.input], grouping, whole, (profile) =>
      hasTimes ? (own.values ??= profileValues(profile)) : undefined,
    );
  };
  return { opened, own, comparison: await own.comparisons.get(key, compare, context) };
}

/** Which processes behave alike, with the times of their members by function. */
export async function profileGroups(
  question: GroupsQuestion,
  context: Cancellable = {},
): Promise<ProcessGroups> {
  const { opened, own, comparison } = await comparisonOf(question, context);
  const { profile, cells } = opened.panel();
  const all = summariesOf(comparison).map((group) => ({ ...group, positions: positionsIn(group.members) }));
  await turn(context);
  if (cells !== undefined) own.times ??= functionTimes(profile, cells);
  const { times } = own;
  await turn(context);
  const shown = all.sort((a, b) => b.positions.length - a.positions.length).slice(0, mostGroups);
  const ranks = new Set(profile.locations.map(({ rank }) => rank)).size;
  return {
    heading: groupsHeading(comparison, question.grouping),
    notes: comparison.notes,
    numbers: Uint32Array.from(profile.locations, ({ rank, thread }) => (ranks === 1 ? thread : rank)),
    noun: ranks === 1 ? 'thread' : 'rank',
    hasThreads: ranks < profile.locations.length,
    functions: times?.regions ?? [],
    leftOut: all.length - shown.length,
    groups: shown.map(({ positions, ...group }) => ({
      ...group,
      count: positions.length,
      ...(times === undefined ? { sections: [] } : timesOf(times, positions)),
    })),
  };
}

/** How groups differ from the largest one is said of those that are described. */
function summariesOf(comparison: Comparison): readonly GroupSummary[] {
  const { groups, clustering, comparable } = comparison;
  const { names, differences } = groupReadings(groups, readingOptions(comparison));
  const sizes = clustering.clusters.map(({ processes }) => processes.length);
  const largest = sizes.indexOf(sizes.reduce((most, size) => Math.max(most, size), 0));
  return clustering.clusters.map(({ processes, similarity }, group) => {
    const difference =
      comparable.step === 'equality'
        ? undefined
        : differences.find(
            ({ one, other }) => (one === group && other === largest) || (one === largest && other === group),
          );
    return {
      group,
      members: rangesOf(processes),
      text: capitalised(at(names, group).text),
      similarity: similarity.least,
      ...present({ sentence: difference?.sentence }),
    };
  });
}

function timesOf(
  { seconds, rest, whole }: FunctionTimes,
  positions: Uint32Array,
): Pick<GroupRow, 'sections' | 'whole'> {
  const sections = [...seconds, rest].map((values) => {
    const range = rangeOf(values, positions);
    return range.maximum > 0 ? range : undefined;
  });
  return { sections, whole: rangeOf(whole, positions) };
}

/** How similar the groups are, and which does the work of which; none where only equality is known. */
export async function profileGroupMatrix(
  question: GroupsQuestion,
  context: Cancellable = {},
): Promise<GroupMatrix> {
  const { comparison } = await comparisonOf(question, context);
  const { groups, comparable } = comparison;
  const names = groupNames(groups, readingOptions(comparison));
  const isCompared = comparable.step !== 'equality';
  return {
    names: isCompared ? names.map(({ text }) => text) : [],
    isOne: isCompared ? names.map(({ isOne }) => isOne) : [],
    ...(isCompared ? groupMatrices(groups) : { similarity: noNumbers, subsumption: noNumbers }),
  };
}

/** A group, or how two groups differ, in words. */
export async function profileGroupDetails(
  question: GroupsQuestion & DetailsAsked,
  context: Cancellable = {},
): Promise<GroupDetails> {
  const { comparison } = await comparisonOf(question, context);
  return groupDetails(comparison, question);
}

interface GraphQuestion extends GroupsQuestion {
  /** The whole concept lattice. */
  readonly isWhole: boolean;
}

/** What groups have in common, with the places of the boxes. */
export async function profileGroupGraph(
  question: GraphQuestion,
  context: Cancellable = {},
): Promise<GroupPicture> {
  const { comparison } = await comparisonOf(question, context);
  const drawing = drawnGraph(comparison, question.isWhole);
  if ('reason' in drawing) return drawing;
  const { width, height, nodes, edges } = drawing;
  return {
    width,
    height,
    nodes: nodes.map(({ centre, lines, processes, all }, node) => ({
      ...centre,
      lines,
      processes: rangesOf(processes),
      ...(all === undefined ? {} : { all: rangesOf(all) }),
      above: edges.filter(({ lower }) => lower === node).map(({ upper }) => upper),
    })),
    edges: edges.map(({ points }) => points.flatMap(({ x, y }) => [x, y])),
  };
}

/** The comparison as a file: what `kymo groups` writes with `--json` and `--graph`. */
export async function profileGroupFile(
  question: GraphQuestion & { readonly format: 'json' | 'dot' | 'svg' },
  context: Cancellable = {},
): Promise<{ readonly text: string } | { readonly reason: string }> {
  const { comparison, own } = await comparisonOf(question, context);
  const { grouping, isWhole, format } = question;
  if (format === 'dot') return dotGraph(comparison, isWhole);
  if (format === 'json') {
    if (comparison.groups.sets.length > mostGroups)
      return { reason: `There are more than ${mostGroups} groups. kymo groups --json writes all of them.` };
    return { text: `${JSON.stringify(reportOf([own.input], comparison, grouping), undefined, 1)}\n` };
  }
  const drawing = drawnGraph(comparison, isWhole);
  return 'reason' in drawing ? drawing : { text: graphSvg(drawing) };
}
