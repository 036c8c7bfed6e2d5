import { KymoError } from '../../core/errors';

/** A place in a JSON document: keys joined with dots. */
export interface Place {
  readonly file: string;
  readonly path: string;
}

/** A JSON object; a map, because files may use any name as key. */
export type JsonRecord = ReadonlyMap<string, unknown>;

export function fail(place: Place, what: string): never {
  const where = place.path === '' ? 'the document' : `“${place.path}”`;
  throw new KymoError('metacg-invalid', `${place.file} is not a MetaCG call graph: ${where} ${what}.`, {
    file: place.file,
  });
}

export function parseJson(content: string, file: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const offset = /position (\d+)/.exec(message)?.[1];
    throw new KymoError(
      'metacg-invalid',
      `${file} is not a MetaCG call graph: it is not JSON (${message}).`,
      { file, offset: offset === undefined ? content.length : Number(offset) },
      { cause: error },
    );
  }
}

export function record(value: unknown, place: Place): JsonRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fail(place, `must be an object, not ${kindOf(value)}`);
  }
  return new Map(Object.entries(value));
}

export function array(value: unknown, place: Place): readonly unknown[] {
  return Array.isArray(value)
    ? (value as readonly unknown[])
    : fail(place, `must be a list, not ${kindOf(value)}`);
}

export function text(value: unknown, place: Place): string {
  return typeof value === 'string' ? value : fail(place, `must be a text, not ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
