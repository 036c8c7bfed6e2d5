import { formatCount, formatSeconds } from '../../core/format';
import type { Anchor } from './anchor';
import type { Definitions } from './definitions/model';

/**
 * Properties of an archive that tell what it lacks of the run: one of OTF2 itself, and those of Kymo, whose values are JSON (`LostEvents`,
 * `RecordedIterations`) and a number of processes.
 */
export const completenessProperties = {
  communication: 'OTF2::MPI_COMMUNICATION_COMPLETE',
  lost: 'KYMO::TRACE::LOST',
  iterations: 'KYMO::TRACE::ITERATIONS',
  processes: 'KYMO::TRACE::MISSING_PROCESSES',
} as const;

/** Events that the memory of the recording had no room for. */
export interface LostEvents {
  readonly events: number;
  /** Which ones were kept. */
  readonly kept: 'first' | 'last';
  /** Number of locations that lost some. */
  readonly locations: number;
  /** Those that lost the most. */
  readonly most: readonly LosingLocation[];
}

export interface LosingLocation {
  /** Id of its definition, in decimal. */
  readonly location: string;
  readonly events: number;
  /** Since the begin of the archive: of the first event that was lost, or, where the last ones were kept, behind the last one that was. */
  readonly seconds: number;
}

/** Numbers of the run's iterations, from 1. */
export interface RecordedIterations {
  readonly first: number;
  readonly last: number;
}

/** A property that lists more is none of Kymo's. */
const mostText = 1 << 14;
const mostLocations = 16;
const namedLocations = 3;
const mostName = 80;

/** The properties of an archive that lacks something. @param lost ordered by `events`, the most first */
export function completenessOf(
  kept: LostEvents['kept'],
  lost: readonly LosingLocation[],
  iterations: RecordedIterations | undefined,
  missingProcesses: number,
): ReadonlyMap<string, string> {
  const isComplete = lost.length === 0 && iterations === undefined && missingProcesses === 0;
  const properties = new Map<string, string>([[completenessProperties.communication, String(isComplete)]]);
  const events = lost.reduce((sum, location) => sum + location.events, 0);
  const losses: LostEvents = { events, kept, locations: lost.length, most: lost.slice(0, mostLocations) };
  if (lost.length > 0) properties.set(completenessProperties.lost, JSON.stringify(losses));
  if (iterations !== undefined) properties.set(completenessProperties.iterations, JSON.stringify(iterations));
  if (missingProcesses > 0) properties.set(completenessProperties.processes, String(missingProcesses));
  return properties;
}

/** The iterations that the trace was to have, where that is not all of them. */
export function recordedIterations({ properties }: Anchor): RecordedIterations | undefined {
  const { first, last } = record(properties.get(completenessProperties.iterations));
  return isCount(first) && isCount(last) && first >= 1 && last >= first ? { first, last } : undefined;
}

/** Whether the numbers of the iterations in the trace are unknown, for the first ones may be lost. */
export function losesBegin({ properties }: Anchor): boolean {
  return record(properties.get(completenessProperties.lost)).kept === 'last';
}

/** What the archive says that it lacks, a sentence each. Nothing of the properties' text is repeated: it is whatever a file has. */
export function completenessNotes(file: string, anchor: Anchor, definitions: Definitions): readonly string[] {
  const { properties } = anchor;
  const lost = properties.get(completenessProperties.lost);
  const iterations = recordedIterations(anchor);
  const processes = Number(properties.get(completenessProperties.processes)?.slice(0, 16));
  const own = [
    ...(lost === undefined ? [] : [`${file} ${lostEvents(record(lost), definitions)}`]),
    ...(iterations === undefined ? [] : [`${file} has ${iterationsText(iterations, definitions)} only.`]),
    ...(isCount(processes) && processes > 0
      ? [`${file} has no events of ${formatCount(processes)} processes of the run.`]
      : []),
  ];
  if (own.length > 0 || properties.get(completenessProperties.communication) !== 'false') return own;
  return [
    `${file} does not have the whole communication of the run, according to its recording: messages and collective operations may be missing.`,
  ];
}

function lostEvents(
  { events, kept, locations, most }: Readonly<Record<string, unknown>>,
  definitions: Definitions,
): string {
  const what = isCount(events) && events > 0 ? `${formatCount(events)} events` : 'events';
  const named = (Array.isArray(most) ? most.slice(0, namedLocations) : []).flatMap((one: unknown) => {
    const { location, events: own, seconds } = isRecord(one) ? one : {};
    const found = definitions.locations.find(({ id }) => String(id) === location);
    if (found === undefined || !isCount(own) || !isTime(seconds)) return [];
    const who = `rank ${found.rank}${found.thread === 0 ? '' : `, thread ${found.thread}`}`;
    const when = formatSeconds(seconds);
    return [`${formatCount(own)} of ${who} ${kept === 'last' ? `up to ${when}` : `from ${when} on`}`];
  });
  const others = isCount(locations) ? locations - named.length : 0;
  const list = [
    ...named,
    ...(others > 0 && named.length > 0 ? [`the others of ${formatCount(others)} more locations`] : []),
  ];
  return `lacks ${what} that the memory of its recording had no room for${list.length === 0 ? '' : `: ${list.join('; ')}`}. Its events in these times are incomplete.`;
}

function iterationsText({ first, last }: RecordedIterations, { regions }: Definitions): string {
  const phases = [...regions.values()].filter(({ flags }) => flags.includes('PHASE'));
  const name = phases.length === 1 ? phases[0]?.name : undefined;
  const of = name === undefined ? 'the run' : `“${name.slice(0, mostName)}”`;
  return first === last ? `iteration ${first} of ${of}` : `iterations ${first} to ${last} of ${of}`;
}

/** Empty where it is no object. */
function record(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined || text.length > mostText) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Of a year at most: a time is to be read by people. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 3e7;
}
