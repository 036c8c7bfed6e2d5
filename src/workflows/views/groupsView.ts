import { at } from '../../core/at';
import { profileContext } from '../../core/groups/attributes/profileContext';
import { clusterProcesses } from '../../core/groups/clusters/clusterProcesses';
import { groupReadings } from '../../core/groups/differences/readings';
import { capitalised } from '../../core/groups/words';
import { present } from '../../core/present';
import type { Profile } from '../../core/profile/profile';
import {
  functionTimes,
  rangeOf,
  type GroupRow,
  type GroupSummary,
  type ProcessGroups,
} from '../../core/views/groupSummary';
import { positionsIn, rangesOf } from '../../core/views/processRanges';
import { cachedProfile, type CachedProfile } from '../opened/profileCache';
import { turn, type Cancellable } from '../running/turn';
import type { ProfileName } from './profileView';

/** Nobody reads more rows, and irregular programs have a group per process. */
const mostGroups = 2_000;

/** Those that call the same, as far as chance does not explain a difference, and how they differ from the largest group. */
function groupsOf(profile: Profile): readonly GroupSummary[] {
  const context = profileContext(profile);
  const { clusters, clusterOf } = clusterProcesses(context);
  const sets = clusters.map(({ prototype }) => prototype);
  const { names, differences } = groupReadings({ ...context, sets, groupOf: clusterOf });
  const sizes = clusters.map(({ processes }) => processes.length);
  const largest = sizes.indexOf(sizes.reduce((most, size) => Math.max(most, size), 0));
  return clusters.map(({ processes, similarity }, group) => {
    const difference = differences.find(
      ({ one, other }) => (one === group && other === largest) || (one === largest && other === group),
    );
    return {
      members: rangesOf(processes),
      text: capitalised(at(names, group).text),
      similarity: similarity.least,
      ...present({ sentence: difference?.sentence }),
    };
  });
}

/** The page asks again each time that it shows other processes. */
const known = new WeakMap<CachedProfile, ProcessGroups>();

/** Which processes behave alike; always of all processes. */
export async function profileGroups(
  { file, id }: ProfileName,
  context: Cancellable = {},
): Promise<ProcessGroups> {
  const opened = await cachedProfile(file, id, context);
  const groups = known.get(opened) ?? (await findGroups(opened, context));
  known.set(opened, groups);
  return groups;
}

async function findGroups(opened: CachedProfile, context: Cancellable): Promise<ProcessGroups> {
  const { profile, cells } = opened.panel();
  await turn(context);
  const all = groupsOf(profile).map((group) => ({ ...group, positions: positionsIn(group.members) }));
  await turn(context);
  const times = cells === undefined ? undefined : functionTimes(profile, cells);
  await turn(context);
  const shown = all.sort((a, b) => b.positions.length - a.positions.length).slice(0, mostGroups);
  const ranks = new Set(profile.locations.map(({ rank }) => rank)).size;
  return {
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

function timesOf(
  { seconds, rest, whole }: ReturnType<typeof functionTimes>,
  positions: Uint32Array,
): Pick<GroupRow, 'sections' | 'whole'> {
  const sections = [...seconds, rest].map((values) => {
    const range = rangeOf(values, positions);
    return range.maximum > 0 ? range : undefined;
  });
  return { sections, whole: rangeOf(whole, positions) };
}
