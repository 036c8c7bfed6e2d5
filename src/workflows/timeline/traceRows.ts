import type { TimelineRow } from '../../core/timeline/pieces';
import type { Definitions, Location } from '../../formats/otf2/definitions/model';

/** Names of streams come from the trace, and may be of any length. */
const longestName = 100;

/** The locations that are rows: those of a process after each other, threads before accelerators. Locations of metrics have no calls. */
export function rowLocations({ locations }: Definitions): readonly Location[] {
  const rankOf = ({ rank }: Location): number => (rank < 0 ? Infinity : rank);
  const isStream = ({ type }: Location): number => (type === 'CPU_THREAD' ? 0 : 1);
  return locations
    .filter(({ type }) => type !== 'METRIC')
    .map((location, at) => ({ location, at }))
    .sort(
      (one, other) =>
        compared(rankOf(one.location), rankOf(other.location)) ||
        isStream(one.location) - isStream(other.location) ||
        one.at - other.at,
    )
    .map(({ location }) => location);
}

function compared(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** @param events that were found */
export function timelineRow(location: Location, events: number): TimelineRow {
  const { name, type, rank, thread, group } = location;
  if (type === 'CPU_THREAD' && rank >= 0) {
    const text = thread === 0 ? `rank ${rank}` : `rank ${rank}, thread ${thread}`;
    return { name: text, rank, thread, events };
  }
  const own = `${group?.type === 'ACCELERATOR' ? '' : (group?.name ?? '')} ${name}`.trim();
  const shown = own.length > longestName ? `${own.slice(0, longestName)}…` : own;
  return { name: rank < 0 ? shown : `${shown} of rank ${rank}`, rank: -1, thread, events };
}
