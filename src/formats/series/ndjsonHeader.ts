import { isRecord, present } from '../../core/present';
import type { SeriesContext, SeriesRegion } from '../../core/series/series';
import {
  defaultMetric,
  kindByName,
  phaseRegionName,
  regionKinds,
  unnamedPhase,
  type RegionKind,
} from './contexts';

/** First line of a series file. */
export interface FileHeader {
  readonly unit: string;
  readonly phase?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with a line: what was expected, and what is there. */
export interface Complaint {
  readonly expected: string;
  readonly found: string;
}

/** Unknown fields are passed over. */
export function fileHeaderOf(value: unknown): FileHeader | Complaint {
  if (!isRecord(value) || value.kymoSeries === undefined)
    return { expected: 'the first line {"kymoSeries":1,"unit":"s"}', found: 'something else' };
  const { kymoSeries, unit = 's', phase } = value;
  if (kymoSeries !== 1) return { expected: 'version 1 (“kymoSeries”)', found: shown(kymoSeries) };
  if (typeof unit !== 'string') return { expected: 'a text as “unit”', found: shown(unit) };
  if (phase === undefined || phase === null) return { unit };
  if (typeof phase !== 'string') return { expected: 'a text as “phase”', found: shown(phase) };
  return { unit, phase };
}

/** The context that a line's fields name; unknown fields are passed over. */
export function contextOf(fields: Fields, phase: string | undefined): SeriesContext | Complaint {
  const { metric = defaultMetric, rank = 0, thread = 0, callPath } = fields;
  const region = regionOf(fields, 'region', phase);
  if (isComplaint(region)) return region;
  if (typeof metric !== 'string' || metric === '')
    return { expected: 'a text as “metric”', found: shown(metric) };
  if (!isWhole(rank)) return { expected: 'a whole number from 0 on as “rank”', found: shown(rank) };
  if (!isWhole(thread)) return { expected: 'a whole number from 0 on as “thread”', found: shown(thread) };
  if (callPath === undefined) return { region, metric, rank, thread };
  const path = callPathOf(callPath);
  return isComplaint(path) ? path : { region, callPath: path, metric, rank, thread };
}

function callPathOf(value: unknown): readonly SeriesRegion[] | Complaint {
  const expected = 'a list of names or regions as “callPath”';
  if (!Array.isArray(value) || value.length === 0) return { expected, found: shown(value) };
  const path: SeriesRegion[] = [];
  for (const step of value as readonly unknown[]) {
    const fields: unknown = typeof step === 'string' ? { name: step } : step;
    if (!isRecord(fields)) return { expected, found: shown(step) };
    const region = regionOf(fields, 'name', undefined);
    if (isComplaint(region)) return region;
    path.push(region);
  }
  return path;
}

function regionOf(
  fields: Fields,
  nameField: 'region' | 'name',
  phase: string | undefined,
): SeriesRegion | Complaint {
  const { [nameField]: given, kind } = fields;
  if (typeof given !== 'string' || given === '')
    return { expected: `a name as “${nameField}”`, found: shown(given) };
  if (kind !== undefined && !isKind(kind))
    return { expected: `one of ${regionKinds.join(', ')} as “kind”`, found: shown(kind) };
  const place = placeOf(fields);
  if (isComplaint(place)) return place;
  const isPhase = given === phaseRegionName;
  const name = isPhase ? (phase ?? unnamedPhase) : given;
  return { name, kind: isPhase ? 'phase' : (kind ?? kindByName(name)), ...place };
}

function placeOf({
  file,
  line,
  endLine,
}: Fields): Pick<SeriesRegion, 'file' | 'line' | 'endLine'> | Complaint {
  if (file !== undefined && typeof file !== 'string')
    return { expected: 'a path as “file”', found: shown(file) };
  for (const [name, value] of Object.entries({ line, endLine }))
    if (value !== undefined && !(isWhole(value) && value > 0))
      return { expected: `a line number from 1 on as “${name}”`, found: shown(value) };
  return present({
    file: file === '' ? undefined : file,
    line: isWhole(line) ? line : undefined,
    endLine: isWhole(endLine) ? endLine : undefined,
  });
}

export function isComplaint(value: object): value is Complaint {
  return 'expected' in value && 'found' in value;
}

function isKind(value: unknown): value is RegionKind {
  return regionKinds.some((kind) => kind === value);
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** A JSON value in a message. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
