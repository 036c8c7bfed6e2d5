/** Checks a received value and returns it with its type, or undefined. Guards copy only the fields that they name. */
export type Guard<Value> = (value: unknown) => Value | undefined;

export const nothing: Guard<Record<string, never>> = () => ({});

export const wholeNumber: Guard<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

export const finiteNumber: Guard<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Accepts whole numbers from 0 on that are smaller than `end`. */
export function numberBelow(end: number): Guard<number> {
  return (value) => {
    const given = wholeNumber(value);
    return given !== undefined && given < end ? given : undefined;
  };
}

/** Accepts whole numbers from `first` to `last`. */
export function numberFrom(first: number, last: number): Guard<number> {
  return (value) => {
    const given = wholeNumber(value);
    return given !== undefined && given >= first && given <= last ? given : undefined;
  };
}

export const flag: Guard<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

/** Accepts absolute names of files. */
export const absolutePath: Guard<string> = (value) =>
  typeof value === 'string' && value.startsWith('/') && value.length <= 8192 ? value : undefined;

/** Accepts a text with at most this number of characters. */
export function text(maximum: number): Guard<string> {
  return (value) => (typeof value === 'string' && value.length <= maximum ? value : undefined);
}

export function oneOf<Value extends string>(...values: readonly Value[]): Guard<Value> {
  return (value) => values.find((candidate) => candidate === value);
}

export function optional<Value>(guard: Guard<Value>): Guard<{ readonly given?: Value }> {
  return (value) => {
    if (value === undefined) return {};
    const given = guard(value);
    return given === undefined ? undefined : { given };
  };
}

/** Accepts at most this number of bytes. */
export function bytes(maximum: number): Guard<Uint8Array> {
  return (value) => {
    if (value instanceof Uint8Array) return value.byteLength <= maximum ? value : undefined;
    return value instanceof ArrayBuffer && value.byteLength <= maximum ? new Uint8Array(value) : undefined;
  };
}

/** Accepts at most this number of whole numbers of 32 bits. */
export function positions32(maximum: number): Guard<Uint32Array> {
  return (value) => (value instanceof Uint32Array && value.length <= maximum ? value : undefined);
}

/** Accepts at most this number of elements. */
export function listOf<Value>(guard: Guard<Value>, maximum: number): Guard<readonly Value[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length > maximum) return undefined;
    const copy = value.flatMap((element: unknown) => guard(element) ?? []);
    return copy.length === value.length ? copy : undefined;
  };
}

type Guards = Readonly<Record<string, Guard<unknown>>>;
type Guarded<Shape extends Guards> = {
  readonly [Name in keyof Shape]: Shape[Name] extends Guard<infer Value> ? Value : never;
};

export function record<Shape extends Guards>(shape: Shape): Guard<Guarded<Shape>> {
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    const copy: Record<string, unknown> = {};
    for (const [name, guard] of Object.entries(shape)) {
      const field = guard((value as Readonly<Record<string, unknown>>)[name]);
      if (field === undefined) return undefined;
      copy[name] = field;
    }
    return copy as Guarded<Shape>;
  };
}

/** A record whose fields may be absent; others are refused as in `record`. */
export function partial<Shape extends Guards>(shape: Shape): Guard<Partial<Guarded<Shape>>> {
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    const given = Object.entries(shape).filter(
      ([name]) => (value as Readonly<Record<string, unknown>>)[name] !== undefined,
    );
    return record(Object.fromEntries(given) as unknown as Shape)(value);
  };
}
