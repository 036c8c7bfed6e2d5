import type { FilterClass } from './filter';
import { Aligned } from './aligned';
import { Classes } from './classes';
import { Digests } from './digests';
import { Foldings } from './foldings';
import { Average, Concat, Max, Min, Sum } from './reductions';

/** Filters that are there without being loaded; `none` passes packets on as they are. */
export type BuiltInFilter =
  | 'none'
  | 'sum'
  | 'min'
  | 'max'
  | 'avg'
  | 'concat'
  | 'classes'
  | 'aligned'
  | 'digests'
  | 'folding';

/** The name of a filter in the network: a built-in one, or what `loadFilter` has returned. */
export type FilterName = BuiltInFilter | `custom ${string}`;

const builtIn: Readonly<Record<Exclude<BuiltInFilter, 'none'>, FilterClass>> = {
  sum: Sum,
  min: Min,
  max: Max,
  avg: Average,
  concat: Concat,
  classes: Classes,
  aligned: Aligned,
  digests: Digests,
  folding: Foldings,
};

export function isFilterName(name: unknown): name is FilterName {
  return (
    typeof name === 'string' &&
    (name === 'none' || Object.hasOwn(builtIn, name) || name.startsWith('custom '))
  );
}

/** The filters that a process knows. */
export class FilterTable {
  private readonly loaded = new Map<string, FilterClass>();

  add(name: FilterName, filter: FilterClass): void {
    this.loaded.set(name, filter);
  }

  /** Undefined for `none`, and for what has not been loaded here: then packets pass. */
  find(name: FilterName): FilterClass | undefined {
    if (Object.hasOwn(builtIn, name)) return builtIn[name as keyof typeof builtIn];
    return this.loaded.get(name);
  }
}
