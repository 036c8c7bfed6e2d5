import { isRecord, present } from '../../core/present';
import type { SeriesContext, SeriesRegion } from '../../core/series/series';
import {
  defaultMetric,
  isRegionKind,
  kindByName,
  phaseRegionName,
  regionKinds,
  unnamedPhase,
} from './contexts';

/** First line of a series file. */
export interface FileHeader {
  readonly unit: string;
  readonly phase?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reports an error in a line: what was expected, and what was found. */
export type Complain = (expected: string, found: string) => never;

/** Ignores unknown fields. */
export function fileHeaderOf(value: unknown, complain: Complain): FileHeader {
  if (!isRecord(value) || value.kymoSeries === undefined)
    return complain('the first line {"kymoSeries":1,"unit":"s"}', 'something else');
  const { kymoSeries, unit = 's', phase } = value;
  if (kymoSeries !== 1) return complain('version 1 (“kymoSeries”)', shown(kymoSeries));
  if (typeof unit !== 'string') return complain('a text as “unit”', shown(unit));
  if (phase === undefined || phase === null) return { unit };
  if (typeof phase !== 'string') return complain('a text as “phase”', shown(phase));
  return { unit, phase };
}

/** The context that a line's fields describe; ignores unknown fields. */
export function contextOf(fields: Fields, phase: string | undefined, complain: Complain): SeriesContext {
  const { metric = defaultMetric, rank = 0, thread = 0, callPath } = fields;
  const region = regionOf(fields, 'region', phase, complain);
  if (typeof metric !== 'string' || metric === '') return complain('a text as “metric”', shown(metric));
  if (!isWhole(rank)) return complain('a whole number from 0 on as “rank”', shown(rank));
  if (!isWhole(thread)) return complain('a whole number from 0 on as “thread”', shown(thread));
  if (callPath === undefined) return { region, metric, rank, thread };
  return { region, callPath: callPathOf(callPath, complain), metric, rank, thread };
}

function callPathOf(value: unknown, complain: Complain): readonly SeriesRegion[] {
  const expected = 'a list of names or regions as “callPath”';
  if (!Array.isArray(value) || value.length === 0) return complain(expected, shown(value));
  return (value as readonly unknown[]).map((step) => {
    const fields: unknown = typeof step === 'string' ? { name: step } : step;
    return isRecord(fields) ? regionOf(fields, 'name', undefined, complain) : complain(expected, shown(step));
  });
}

function regionOf(
  fields: Fields,
  nameField: 'region' | 'name',
  phase: string | undefined,
  complain: Complain,
): SeriesRegion {
  const { [nameField]: text, kind } = fields;
  if (typeof text !== 'string' || text === '') return complain(`a name as “${nameField}”`, shown(text));
  if (kind !== undefined && !isRegionKind(kind))
    return complain(`one of ${regionKinds.join(', ')} as “kind”`, shown(kind));
  const isPhase = text === phaseRegionName;
  const name = isPhase ? (phase ?? unnamedPhase) : text;
  return { name, kind: isPhase ? 'phase' : (kind ?? kindByName(name)), ...placeOf(fields, complain) };
}

function placeOf(
  { file, line, endLine }: Fields,
  complain: Complain,
): Pick<SeriesRegion, 'file' | 'line' | 'endLine'> {
  if (file !== undefined && typeof file !== 'string') return complain('a path as “file”', shown(file));
  for (const [name, value] of Object.entries({ line, endLine }))
    if (value !== undefined && !(isWhole(value) && value > 0))
      return complain(`a line number from 1 on as “${name}”`, shown(value));
  return present({
    file: file === '' ? undefined : file,
    line: isWhole(line) ? line : undefined,
    endLine: isWhole(endLine) ? endLine : undefined,
  });
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** A JSON value for a message. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
