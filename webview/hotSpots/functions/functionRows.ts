import { at, atInt, atUint } from '../../../src/core/at';
import { getOrMake } from '../../../src/core/getOrMake';
import { outermostOfRegion } from '../../../src/core/profile/regions';
import { subtreeEnds } from '../../../src/core/profile/tree';
import type { Extent } from '../../../src/core/views/ranks/rankRows';
import type { Measured, Model, Values } from '../data/model';

export const directions = ['callers', 'callees'] as const;
/** What functions are expanded to. */
export type Direction = (typeof directions)[number];

/** Group of a function that the profile says nothing of. */
const otherGroup = 'Other';

/** What a row stands for. */
export type FunctionRow =
  | { readonly kind: 'function'; readonly region: number }
  | { readonly kind: 'group'; readonly name: string; readonly members: number }
  | {
      readonly kind: Direction;
      /** −1: it was called by no recorded function. */
      readonly region: number;
      /** Line of the call, 0: unknown. */
      readonly line: number;
    };

/** A caller or callee of a row. */
interface Below {
  readonly kind: Direction;
  readonly parent: number;
  readonly level: number;
  readonly region: number;
  readonly line: number;
  /** Call paths whose values it has. */
  readonly counted: Uint32Array;
  /** Call paths of its own function, in the same order: for callers, above the counted ones. */
  readonly own: Uint32Array;
  readonly values: Map<number, Measured>;
}

/**
 * Rows of functions, of their groups, and of what is called or calls below them, which exists once it was asked for: thousands of
 * functions cost nothing before they are expanded. A row keeps its number. Functions are numbered as in the model, everything else from there on.
 *
 * **Callers** split the values of a function, caller by caller, so they add up to it. Calls within a recursion are the function's own
 * caller, and add nothing to the inclusive value, for they are part of the outermost call.
 * **Callees** are what the outermost calls of a function call; a row has the values of just these calls. Below a recursive function the
 * function is again, with what it did there. An inclusive value is never more than that of the row above.
 * If the profile has call sites, each line of a caller is a row.
 */
export class FunctionRows {
  private readonly functions: number;
  private readonly rowOfGroup = new Map<string, number>();
  private readonly groupOrder: string[] = [];
  private groupOf: Uint32Array;
  private members: number[] = [];
  private regroupings = 0;
  /** What is not a function: a caller or callee, or the position of a group. */
  private readonly more: (Below | number)[] = [];
  private readonly built: Readonly<Record<Direction, Map<number, readonly number[]>>> = {
    callers: new Map(),
    callees: new Map(),
  };
  private measured: { readonly metric: number; readonly rows: number; readonly all: Measured }[] = [];
  private readonly grouped = new Map<number, Measured>();
  private readonly ends: Uint32Array;
  private readonly outermost: Uint32Array;
  private readonly pathsOf: (region: number) => Uint32Array;

  constructor(
    private readonly model: Model,
    moved: ReadonlyMap<string, string>,
  ) {
    const { count, parent, region, names } = model;
    this.functions = names.length;
    const callPaths = { count, parent, region };
    this.ends = subtreeEnds(callPaths);
    this.outermost = Uint32Array.from(outermostOfRegion({ callPaths, regions: names }));
    this.pathsOf = byRegion(region, names.length);
    this.groupOf = new Uint32Array(names.length);
    this.regroup(moved);
  }

  get count(): number {
    return this.functions + this.more.length;
  }

  /** Changes when there are more rows, or they are below others. */
  get version(): string {
    return `${this.count} ${this.regroupings}`;
  }

  /** Puts functions into groups: the ones that the user chose, by full name, else those of the profile. */
  regroup(moved: ReadonlyMap<string, string>): void {
    this.groupOf = Uint32Array.from(this.model.names, (name, region) =>
      this.groupNamed(moved.get(name) ?? this.ownGroup(region)),
    );
    this.members = this.groupOrder.map(() => 0);
    // Libraries such as MPI have hundreds of functions in a profile that no call path has.
    this.groupOf.forEach((group, region) => {
      if (this.pathsOf(region).length > 0) this.members[group] = at(this.members, group) + 1;
    });
    this.regroupings++;
    this.measured = [];
    this.grouped.clear();
  }

  /** The group that a function is in unless the user chooses another one. */
  ownGroup(region: number): string {
    return this.model.row(region).group ?? otherGroup;
  }

  /** Name of the group that a function is in. */
  groupNameOf(region: number): string {
    return at(this.groupOrder, atUint(this.groupOf, region));
  }

  /** Names of the groups that have functions. */
  get groups(): readonly string[] {
    return this.groupOrder.filter((_, group) => at(this.members, group) > 0);
  }

  at(row: number): FunctionRow {
    if (row < this.functions) return { kind: 'function', region: row };
    const entry = at(this.more, row - this.functions);
    if (typeof entry !== 'number') return entry;
    return { kind: 'group', name: at(this.groupOrder, entry), members: at(this.members, entry) };
  }

  /** Rows of the groups. */
  get groupRows(): readonly number[] {
    return [...this.rowOfGroup.values()];
  }

  /** Identifies a row among those below the same one, also in another profile; it is at the top where it is no caller or callee. */
  keyOf(row: number): string {
    const of = this.at(row);
    if (of.kind === 'group') return `group ${of.name}`;
    const name = of.region < 0 ? '' : at(this.model.names, of.region);
    return of.kind === 'function' ? `function ${name}` : `${of.kind} ${of.line} ${name}`;
  }

  /** Rows that `keyOf` tells apart: functions and groups, or (below a row) its callers and callees. */
  keyedBelow(row: number): readonly number[] {
    if (row < 0) return [...this.model.names.keys(), ...this.groupRows];
    return directions.flatMap((direction) => this.below(row, direction));
  }

  /** The function that a row names; −1: none. */
  regionOf(row: number): number {
    const entry = this.at(row);
    return entry.kind === 'group' ? -1 : entry.region;
  }

  /** The row above; −1 at the top. @param inGroups whether functions are below their groups */
  parentOf(row: number, inGroups: boolean): number {
    if (row < this.functions) return inGroups ? (this.rowOfGroup.get(this.groupNameOf(row)) ?? -1) : -1;
    const entry = at(this.more, row - this.functions);
    return typeof entry === 'number' ? -1 : entry.parent;
  }

  /** 1 for functions that are not in groups, and for groups. */
  levelOf(row: number, inGroups: boolean): number {
    const own = inGroups ? 2 : 1;
    if (row < this.functions) return own;
    const entry = at(this.more, row - this.functions);
    return typeof entry === 'number' ? 1 : own + entry.level;
  }

  /** Call paths whose values make the value of a row, as `SpreadRows` asks for them. */
  valuePathsOf(row: number, extent: Extent): ArrayLike<number> {
    if (row < this.functions) return this.counting(this.pathsOf(row), extent);
    const entry = at(this.more, row - this.functions);
    if (typeof entry === 'number') return this.pathsOfGroup(entry, extent);
    return entry.kind === 'callees' ? entry.counted : this.counting(entry.counted, extent);
  }

  /** Whether a function, caller or callee has something below it; no call path is copied for this. */
  hasBelow(row: number, direction: Direction): boolean {
    const known = this.built[direction].get(row);
    if (known !== undefined) return known.length > 0;
    const { parent } = this.model;
    return this.standsAt(row, direction).some((path) =>
      direction === 'callers' ? atInt(parent, path) >= 0 : atUint(this.ends, path) > path + 1,
    );
  }

  /** Rows of the callers or callees of a row, which are made when this is called first. */
  below(row: number, direction: Direction): readonly number[] {
    return getOrMake(this.built[direction], row, () =>
      this.hasBelow(row, direction)
        ? direction === 'callers'
          ? this.callersOf(row)
          : this.calleesOf(row)
        : [],
    );
  }

  /** Values of all rows, by their numbers. */
  values(metric: number): Measured {
    const { count } = this;
    const known = this.measured.find((one) => one.metric === metric);
    if (known?.rows === count) return known.all;
    const functions = this.model.functions(metric);
    const groups = getOrMake(this.grouped, metric, () =>
      this.model.ofSets(metric, this.groupOf, this.groupOrder.length),
    );
    const side = (of: 'main' | 'compare'): Values | undefined => {
      const [own, grouped] = [functions[of], groups[of]];
      if (own === undefined || grouped === undefined) return undefined;
      const column = (name: keyof Values): Float64Array => {
        const all = new Float64Array(count);
        all.set(own[name]);
        this.more.forEach((entry, position) => {
          const value =
            typeof entry === 'number' ? grouped[name][entry] : this.sums(entry, metric)[of]?.[name][0];
          all[this.functions + position] = value ?? 0;
        });
        return all;
      };
      return {
        inclusive: column('inclusive'),
        exclusive: column('exclusive'),
        visits: column('visits'),
        overhead: column('overhead'),
      };
    };
    const compare = side('compare');
    const all: Measured = {
      main: side('main') ?? functions.main,
      ...(compare !== undefined && { compare }),
    };
    this.measured = [{ metric, rows: count, all }, ...this.measured.filter((one) => one.metric !== metric)];
    return all;
  }

  /** Calls within a recursion are part of the outermost one. */
  private counting(paths: Uint32Array, extent: Extent): Uint32Array {
    return extent === 'exclusive' ? paths : paths.filter((path) => this.outermost[path] === 1);
  }

  /** Of inclusive values, calls from outside of the group only, as `Model.ofSets` counts them. */
  private pathsOfGroup(group: number, extent: Extent): readonly number[] {
    const { count, parent, region } = this.model;
    const isIn = (path: number): boolean => this.groupOf[atUint(region, path)] === group;
    const paths: number[] = [];
    for (let path = 0; path < count; path++) {
      if (!isIn(path)) continue;
      paths.push(path);
      if (extent === 'exclusive') continue;
      let above = atInt(parent, path);
      while (above >= 0 && !isIn(above)) above = atInt(parent, above);
      if (above >= 0) paths.pop();
    }
    return paths;
  }

  private groupNamed(name: string): number {
    const row = getOrMake(this.rowOfGroup, name, () => this.add(this.groupOrder.push(name) - 1));
    return at(this.more, row - this.functions) as number;
  }

  private add(entry: Below | number): number {
    return this.functions + this.more.push(entry) - 1;
  }

  /** Call paths of the function that a row names; of a function that is expanded to its callees the outermost ones. */
  private standsAt(row: number, direction: Direction): Uint32Array {
    if (row >= this.functions) {
      const entry = at(this.more, row - this.functions);
      return typeof entry === 'number' ? new Uint32Array() : entry.own;
    }
    const paths = this.pathsOf(row);
    return direction === 'callers' ? paths : paths.filter((path) => this.outermost[path] === 1);
  }

  private callersOf(row: number): readonly number[] {
    const { parent } = this.model;
    const own = this.standsAt(row, 'callers');
    const counted = this.countedOf(row) ?? own;
    const lists = new Lists();
    own.forEach((path, position) => {
      const above = atInt(parent, path);
      const counts = atUint(counted, position);
      if (above < 0) lists.add(-1, 0, counts, 0);
      else lists.add(atUint(this.model.region, above), this.model.line?.[path] ?? 0, counts, above);
    });
    return this.addAll(row, 'callers', lists);
  }

  private calleesOf(row: number): readonly number[] {
    const lists = new Lists();
    for (const path of this.standsAt(row, 'callees')) {
      const end = atUint(this.ends, path);
      for (let callee = path + 1; callee < end; callee = atUint(this.ends, callee))
        lists.add(atUint(this.model.region, callee), this.model.line?.[callee] ?? 0, callee, callee);
    }
    return this.addAll(row, 'callees', lists);
  }

  private countedOf(row: number): Uint32Array | undefined {
    const entry = row < this.functions ? undefined : at(this.more, row - this.functions);
    return typeof entry === 'object' ? entry.counted : undefined;
  }

  private addAll(parent: number, kind: Direction, { all }: Lists): readonly number[] {
    const level = this.levelOf(parent, false);
    return [...all.values()].map(({ region, line, counted, own }) =>
      this.add({
        kind,
        parent,
        level,
        region,
        line,
        counted: Uint32Array.from(counted),
        own: region < 0 ? new Uint32Array() : Uint32Array.from(own),
        values: new Map(),
      }),
    );
  }

  /** Values of one row, in arrays of length 1. */
  private sums(entry: Below, metric: number): Measured {
    return getOrMake(entry.values, metric, () => {
      const paths = this.model.paths(metric);
      const isOutermost = (path: number): boolean => entry.kind === 'callees' || this.outermost[path] === 1;
      const sum = (column: Float64Array, counts: (path: number) => boolean): Float64Array =>
        Float64Array.of(
          entry.counted.reduce((all, path) => all + (counts(path) ? (column[path] ?? 0) : 0), 0),
        );
      const every = (): boolean => true;
      const side = ({ inclusive, exclusive, visits, overhead }: Values): Values => ({
        inclusive: sum(inclusive, isOutermost),
        exclusive: sum(exclusive, every),
        visits: sum(visits, every),
        overhead: sum(overhead, every),
      });
      return {
        main: side(paths.main),
        ...(paths.compare !== undefined && { compare: side(paths.compare) }),
      };
    });
  }
}

/** Call paths by function and line of the call. */
class Lists {
  readonly all = new Map<
    number,
    { readonly region: number; readonly line: number; readonly counted: number[]; readonly own: number[] }
  >();

  add(region: number, line: number, counted: number, own: number): void {
    const list = getOrMake(this.all, (region + 1) * mostLines + Math.min(line, mostLines - 1), () => ({
      region,
      line,
      counted: [],
      own: [],
    }));
    list.counted.push(counted);
    list.own.push(own);
  }
}

/** More lines than a file has; a region's number times this is a whole number that doubles hold. */
const mostLines = 2 ** 21;

/** Call paths of each region, ascending. */
function byRegion(region: Uint32Array, regions: number): (region: number) => Uint32Array {
  const first = new Uint32Array(regions + 1);
  for (const own of region) first[own + 1] = (first[own + 1] ?? 0) + 1;
  for (let i = 1; i <= regions; i++) first[i] = atUint(first, i) + atUint(first, i - 1);
  const next = first.slice();
  const paths = new Uint32Array(region.length);
  region.forEach((own, path) => {
    const place = atUint(next, own);
    paths[place] = path;
    next[own] = place + 1;
  });
  return (own) => paths.subarray(atUint(first, own), atUint(first, own + 1));
}
