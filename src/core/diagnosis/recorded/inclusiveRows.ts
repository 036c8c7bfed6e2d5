import { at, atByte, atFloat, atUint } from '../../at';
import { getOrMake } from '../../getOrMake';
import type { Profile } from '../../profile/profile';
import { outermostOfRegion } from '../../profile/regions';
import { depths } from '../../profile/tree';
import { addTo, largestOf } from '../../sums';
import type { ResourcePath } from '../resources/focus';
import type { Amount } from './amounts';
import { pathKey } from '../resources/pathKey';

/** Whether what belongs to a synchronisation object (`undefined`: to none) is in a focus. */
export type IsChosen = (sync: ResourcePath | undefined) => boolean;

/** Sums per location, by `pathKey` of a resource of `Code`; a resource without an entry has nothing. */
export type Rows = ReadonlyMap<string, Float64Array>;

/** Adds amounts up over functions with what they call, and over modules. What both need of the call tree is computed once. */
export class InclusiveRows {
  private readonly depth: Uint32Array;
  /** By region: keys of the function and of its module, `undefined` of what is no code. */
  private readonly functions: readonly (string | undefined)[];
  private readonly modules: readonly (string | undefined)[];
  /** 1 where no call path above is of the same function, or module: its sum contains this one already. */
  private readonly outermostFunction: Uint8Array;
  private readonly outermostModule: Uint8Array;

  constructor(
    private readonly profile: Profile,
    paths: readonly (ResourcePath | undefined)[],
  ) {
    const { callPaths } = profile;
    this.depth = depths(callPaths);
    this.functions = paths.map((path) => (path === undefined ? undefined : pathKey(path)));
    this.modules = paths.map((path) => (path === undefined ? undefined : pathKey(path.slice(0, 1))));
    const numbers = new Map<string | undefined, number>();
    const moduleOf = this.modules.map((module) => getOrMake(numbers, module, () => numbers.size));
    const region = callPaths.region.map((own) => at(moduleOf, own));
    this.outermostFunction = outermostOfRegion(profile);
    this.outermostModule = outermostOfRegion({
      callPaths: { ...callPaths, region },
      regions: { length: numbers.size },
    });
  }

  /** Of the whole program: without a look at the tree. */
  whole(amount: Amount, isChosen: IsChosen): Float64Array {
    const row = new Float64Array(this.profile.locations.length);
    const add = this.adding(amount, isChosen);
    for (let path = 0; path < this.profile.callPaths.count; path++) add(row, path);
    return row;
  }

  of(amount: Amount, isChosen: IsChosen): Rows {
    const { callPaths, locations } = this.profile;
    const width = locations.length;
    const add = this.adding(amount, isChosen);
    const rows = new Map<string, Float64Array>();
    // A row for each depth, with the callees as far as these have come.
    const open = new Float64Array((largestOf(this.depth, 0) + 2) * width);
    for (let path = callPaths.count - 1; path >= 0; path--) {
      const above = atUint(this.depth, path) * width;
      const row = open.subarray(above + width, above + 2 * width);
      add(row, path);
      addTo(open.subarray(above, above + width), row);
      this.addToResources(rows, path, row);
      row.fill(0);
    }
    return rows;
  }

  private addToResources(rows: Map<string, Float64Array>, path: number, row: Float64Array): void {
    const region = atUint(this.profile.callPaths.region, path);
    const own = [
      atByte(this.outermostFunction, path) === 1 ? at(this.functions, region) : undefined,
      atByte(this.outermostModule, path) === 1 ? at(this.modules, region) : undefined,
    ];
    for (const key of own)
      if (key !== undefined)
        addTo(
          getOrMake(rows, key, () => new Float64Array(row.length)),
          row,
        );
  }

  private adding(amount: Amount, isChosen: IsChosen): (row: Float64Array, path: number) => void {
    const { callPaths, locations } = this.profile;
    const width = locations.length;
    return (row, path) => {
      const region = atUint(callPaths.region, path);
      for (const { cells, counts, sync } of amount) {
        if (!counts(path) || !isChosen(sync?.[region])) continue;
        const from = path * width;
        for (let i = 0; i < width; i++) row[i] = atFloat(row, i) + atFloat(cells, from + i);
      }
    };
  }
}
