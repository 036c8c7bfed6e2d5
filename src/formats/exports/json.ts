import { atInt, atUint } from '../../core/at';
import { present } from '../../core/present';
import type { Base } from '../../core/functions/base';
import type { ProfileFunction } from '../../core/problems/profileFunctions';
import { hasNumbers } from '../../core/profile/metrics';
import type { Metric, Profile } from '../../core/profile/profile';
import { exclusive, exclusivePerLocation, inclusive, inclusivePerLocation } from '../../core/profile/values';
import { exactValues, withExact, type ValueKind } from '../../core/profile/wholeNumbers';

/** The output of `kymo profile show --json` (docs/INTERFACES.md). */
export interface ProfileJson {
  readonly metrics: readonly {
    readonly name: string;
    readonly unit: string;
    readonly dtype: string;
    /** Why some or all values are missing. */
    readonly note?: string;
  }[];
  readonly regions: readonly {
    readonly name: string;
    readonly mangled?: string;
    readonly file?: string;
    readonly line?: number;
    readonly endLine?: number;
  }[];
  /** `parent` and `region` are positions, -1 at a root; `fileId` is the id in the file. */
  readonly callTree: readonly {
    readonly parent: number;
    readonly region: number;
    readonly fileId: number;
  }[];
  readonly locations: readonly { readonly name: string; readonly rank: number; readonly thread: number }[];
  /** In call-tree order; without derived metrics. */
  readonly values: Readonly<Record<string, ProfileJsonValues>>;
  /** The flat profile of `kymo profile show`: times without waiting and without recording overhead, and the base of their shares. */
  readonly base?: Base;
  readonly functions?: readonly ProfileFunction[];
}

/** Combined over locations, or `[callPath][location]`. */
export interface ProfileJsonValues {
  readonly inclusive: readonly JsonNumber[] | readonly (readonly JsonNumber[])[];
  readonly exclusive: readonly JsonNumber[] | readonly (readonly JsonNumber[])[];
}

/** Whole numbers above 2^53, which a double cannot represent, are strings of decimal digits. */
export type JsonNumber = number | string;

export interface JsonOptions {
  /** Export the values of each location, exactly as the Cube library computes them, instead of combined ones. */
  readonly perLocation?: boolean;
}

/** A profile as plain data. Minima and maxima are combined over the locations that visited the call path. */
export function profileJson(profile: Profile, options: JsonOptions = {}): ProfileJson {
  const { callPaths } = profile;
  const nothing = zeros(profile, options.perLocation === true);
  const values = profile.metrics
    .filter(hasNumbers)
    .map(
      (metric) =>
        [
          metric.name,
          profile.stored.has(metric.name) ? valuesOf(profile, metric, options.perLocation === true) : nothing,
        ] as const,
    );
  return {
    metrics: profile.metrics.map(({ name, unit, dtype, note }) => ({
      name,
      unit,
      dtype,
      ...present({ note }),
    })),
    regions: profile.regions.map(({ name, mangledName, file, firstLine, lastLine }) => ({
      name,
      ...present({ mangled: mangledName, file, line: firstLine, endLine: lastLine }),
    })),
    callTree: Array.from({ length: callPaths.count }, (_, i) => ({
      parent: atInt(callPaths.parent, i),
      region: atUint(callPaths.region, i),
      fileId: atUint(callPaths.fileId, i),
    })),
    locations: profile.locations.map(({ name, rank, thread }) => ({ name, rank, thread })),
    // A metric may have the name `__proto__`; fromEntries makes an own property of it.
    values: Object.fromEntries(values),
  };
}

function valuesOf(profile: Profile, metric: Metric, perLocation: boolean): ProfileJsonValues {
  const { name } = metric;
  const of = (kind: ValueKind, values: Float64Array): readonly JsonNumber[] | readonly JsonNumber[][] => {
    const exact = exactValues(withExact(profile, metric, values), metric, kind, perLocation);
    const numbers = exact === undefined ? Array.from(values) : Array.from(exact, jsonNumber);
    return perLocation ? rows(profile, numbers) : numbers;
  };
  if (!perLocation)
    return {
      inclusive: of('inclusive', inclusive(profile, name)),
      exclusive: of('exclusive', exclusive(profile, name)),
    };
  return {
    inclusive: of('inclusive', inclusivePerLocation(profile, name, 'as-stored')),
    exclusive: of('exclusive', exclusivePerLocation(profile, name, 'as-stored')),
  };
}

function jsonNumber(value: bigint): JsonNumber {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** The values of all metrics without any value. */
function zeros({ callPaths, locations }: Profile, perLocation: boolean): ProfileJsonValues {
  const row = new Array<number>(perLocation ? locations.length : callPaths.count).fill(0);
  const all = perLocation ? new Array<readonly number[]>(callPaths.count).fill(row) : row;
  return { inclusive: all, exclusive: all };
}

function rows({ callPaths, locations }: Profile, values: readonly JsonNumber[]): JsonNumber[][] {
  const width = locations.length;
  return Array.from({ length: callPaths.count }, (_, i) => values.slice(i * width, (i + 1) * width));
}
