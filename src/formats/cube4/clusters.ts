import { remembered } from '../../core/remembered';
import { at, atFloat, atInt, atUint } from '../../core/at';
import type { CallPaths, CallSite, Parameter, Profile, Region } from '../../core/profile/profile';
import { preOrder, subtreeEnds } from '../../core/profile/tree';
import { valueType, type Part } from './values/valueTypes';

/**
 * Score-P may store similar iterations of a loop once, as clusters: children of one call path, with the values of all their
 * iterations together. Attributes name the cluster of each iteration, per process. As the Cube library does, each
 * iteration gets its cluster's call paths with an equal share of the values; minima and maxima stay as they are.
 */
interface Clusters {
  /** Position of the call path whose children are the clusters. */
  readonly root: number;
  /** For each iteration, the positions of its clusters: one for all processes, or one for each rank. */
  readonly iterations: readonly (readonly number[])[];
}

/** Maximum number of new call paths; a damaged file could request any number. */
const mostCallPaths = 2 ** 20;
/** Memory of a call path besides its values, in values. */
const cellsPerCallPath = 64;

/**
 * The profile with all iterations, without the attributes that describe clusters. Undefined when it has no clusters, when
 * the attributes do not fit the call tree, or when more than `cells` values would be needed.
 */
export function expandClusters(profile: Profile, cells: number): Profile | undefined {
  const clusters = clustersOf(profile);
  if (clusters === undefined) return undefined;
  const ends = subtreeEnds(profile.callPaths);
  const size = (position: number): number => atUint(ends, position) - position;
  const added = clusters.iterations.flat().reduce((sum, cluster) => sum + size(cluster), 0);
  const rows = cellsPerCallPath + profile.locations.length * (columnCount(profile) + 1);
  if (added > mostCallPaths || (profile.callPaths.count + added) * rows > cells) return undefined;
  return build(profile, clusters, ends);
}

function columnCount({ stored, components }: Profile): number {
  return [...(components?.values() ?? [])].reduce((sum, parts) => sum + parts.length, stored.size);
}

function clustersOf({ attributes, callPaths }: Profile): Clusters | undefined {
  const count = wholeNumber(attributes.get('CLUSTER ITERATION COUNT'));
  const root = callPaths.fileId.indexOf(wholeNumber(attributes.get('CLUSTER ROOT CNODE ID')) ?? -1);
  if (attributes.get('CLUSTERING') !== 'ON' || count === undefined || count > attributes.size || root < 0)
    return undefined;
  const positions = new Map<number, number>();
  for (let i = root + 1; i < callPaths.count; i++)
    if (callPaths.parent[i] === root) positions.set(atUint(callPaths.fileId, i), i);
  const iterations: number[][] = [];
  for (let i = 0; i < count; i++) {
    const ids = attributes.get(`CLUSTER MAPPING ${i}`)?.split(',') ?? [];
    const clusters = ids.map((id) => positions.get(wholeNumber(id.trim()) ?? -1) ?? -1);
    if (clusters.length === 0 || clusters.includes(-1)) return undefined;
    iterations.push(clusters);
  }
  return { root, iterations };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/** Origin of a new call path's values: for each location, the old call path and the number of iterations that share its value. */
interface NewPath {
  readonly region: number;
  /** Old call path that provides parameters and call site. */
  readonly like: number;
  /** Undefined for an unchanged call path. Otherwise one cell per location; -1 for a location without values. */
  readonly from?: { readonly callPath: Int32Array; readonly share: Uint32Array };
}

function build(profile: Profile, { root, iterations }: Clusters, ends: Uint32Array): Profile {
  const { callPaths } = profile;
  const tree: NewTree = { parents: [], paths: [] };
  const newPosition = new Int32Array(callPaths.count).fill(-1);
  const clustered = new Set(iterations.flat());
  for (let i = 0; i < callPaths.count; i++) {
    if (clustered.has(i)) {
      i = atUint(ends, i) - 1;
      continue;
    }
    const parent = atInt(callPaths.parent, i);
    const above = parent < 0 ? -1 : atInt(newPosition, parent);
    newPosition[i] = add(tree, above, { region: atUint(callPaths.region, i), like: i });
  }
  const regions: Region[] = [...profile.regions];
  const regionOf = iterationRegions(profile, regions);
  const shares = sharesOf(iterations);
  iterations.forEach((clusters, iteration) => {
    const top = regionOf(atUint(callPaths.region, at(clusters, 0)), iteration);
    const grafts = new Map<string, number>();
    for (const cluster of new Set(clusters)) {
      const map = graft(
        profile,
        { cluster, end: atUint(ends, cluster), top, below: atInt(newPosition, root) },
        tree,
        grafts,
      );
      for (const [old, grafted] of map)
        takeOver(at(tree.paths, grafted), old, cluster, profile, clusters, shares);
    }
  });
  return assemble(profile, regions, tree.parents, tree.paths);
}

/** Call paths in any order, parents before children. */
interface NewTree {
  readonly parents: number[];
  readonly paths: NewPath[];
}

function add(tree: NewTree, parent: number, path: NewPath): number {
  tree.parents.push(parent);
  return tree.paths.push(path) - 1;
}

/**
 * Adds a cluster's call paths for one iteration; reuses those that another process's cluster has added (same parent, region
 * and parameters, and the same place among such siblings). Returns the new call path of each old one.
 */
function graft(
  { callPaths, locations }: Profile,
  { cluster, end, top, below }: { cluster: number; end: number; top: number; below: number },
  tree: NewTree,
  grafts: Map<string, number>,
): Map<number, number> {
  const result = new Map<number, number>();
  const ordinals = new Map<string, number>();
  for (let i = cluster; i < end; i++) {
    const parent = i === cluster ? below : (result.get(atInt(callPaths.parent, i)) ?? -1);
    const region = i === cluster ? top : atUint(callPaths.region, i);
    const alike = JSON.stringify([parent, region, callPaths.parameters?.get(i)]);
    const ordinal = ordinals.get(alike) ?? 0;
    ordinals.set(alike, ordinal + 1);
    const key = `${ordinal} ${alike}`;
    const grafted =
      grafts.get(key) ?? add(tree, parent, { region, like: i, from: emptyCells(locations.length) });
    grafts.set(key, grafted);
    result.set(i, grafted);
  }
  return result;
}

function emptyCells(width: number): { callPath: Int32Array; share: Uint32Array } {
  return { callPath: new Int32Array(width).fill(-1), share: new Uint32Array(width).fill(1) };
}

function takeOver(
  { from }: NewPath,
  old: number,
  cluster: number,
  profile: Profile,
  clusters: readonly number[],
  shares: ReadonlyMap<string, number>,
): void {
  profile.locations.forEach(({ rank }, l) => {
    const lane = clusters.length === 1 ? 0 : rank;
    if (from === undefined || clusters[lane] !== cluster) return;
    from.callPath[l] = old;
    from.share[l] = shares.get(`${lane} ${cluster}`) ?? 1;
  });
}

/** Number of iterations of each process in each cluster. */
function sharesOf(iterations: readonly (readonly number[])[]): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const clusters of iterations)
    clusters.forEach((cluster, lane) => {
      const key = `${lane} ${cluster}`;
      shares.set(key, (shares.get(key) ?? 0) + 1);
    });
  return shares;
}

/** A region per iteration, `iteration=0` first, as the Cube library names them (Score-P's own, `instance=1` first, are clusters here). */
function iterationRegions(profile: Profile, regions: Region[]): (like: number, iteration: number) => number {
  const byName = new Map(profile.regions.map((region, position) => [region.name, position]));
  return (like, iteration) => {
    const name = `iteration=${iteration}`;
    const region = { paradigm: 'user', role: 'dynamic', ...profile.regions[like], name, mangledName: name };
    return remembered(byName, name, () => regions.push(region) - 1);
  };
}

function assemble(
  profile: Profile,
  regions: Region[],
  parents: readonly number[],
  paths: readonly NewPath[],
): Profile {
  const order = preOrder(parents);
  const position = new Int32Array(order.length);
  order.forEach((path, place) => {
    position[path] = place;
  });
  const old = profile.callPaths;
  const parameters = new Map<number, readonly Parameter[]>();
  const callSites = new Map<number, CallSite>();
  order.forEach((path, place) => {
    const list = old.parameters?.get(at(paths, path).like);
    if (list !== undefined) parameters.set(place, list);
    const site = old.callSites?.get(at(paths, path).like);
    if (site !== undefined) callSites.set(place, site);
  });
  const callPaths: CallPaths = {
    count: order.length,
    parent: Int32Array.from(order, (path) => {
      const parent = at(parents, path);
      return parent < 0 ? -1 : atInt(position, parent);
    }),
    region: Uint32Array.from(order, (path) => at(paths, path).region),
    fileId: Uint32Array.from(order, (_, place) => place),
    ...(parameters.size === 0 ? {} : { parameters }),
    ...(callSites.size === 0 ? {} : { callSites }),
  };
  const attributes = new Map([...profile.attributes].filter(([key]) => !key.startsWith('CLUSTER ')));
  attributes.set('CLUSTERING', 'OFF');
  const ordered = Array.from(order, (path) => at(paths, path));
  const stored = new Map<string, Float64Array>();
  const components = new Map<string, readonly Float64Array[]>();
  for (const { name, dtype, combine } of profile.metrics) {
    const type = valueType(dtype);
    const parts = profile.components?.get(name)?.map((column, p) => {
      const extreme = type?.parts.length === 5 && (p === 1 || p === 2);
      return spread(column, ordered, profile.locations.length, extreme ? undefined : type?.parts[p]);
    });
    const column = profile.stored.get(name);
    const shown = parts?.[type?.shown ?? 0];
    if (parts !== undefined) components.set(name, parts);
    if (shown !== undefined) stored.set(name, shown);
    else if (column !== undefined)
      stored.set(
        name,
        spread(column, ordered, profile.locations.length, combine === 'sum' ? type?.parts[0] : undefined),
      );
  }
  return {
    ...profile,
    attributes,
    regions,
    callPaths,
    stored,
    ...(components.size === 0 ? {} : { components }),
  };
}

/** A column for the new call paths. `part` determines how shares are rounded; undefined for values that are not shared (minima, maxima). */
function spread(
  column: Float64Array,
  paths: readonly NewPath[],
  width: number,
  part: Part | undefined,
): Float64Array {
  const result = new Float64Array(paths.length * width);
  paths.forEach((path, callPath) => {
    for (let l = 0; l < width; l++) {
      const from = path.from === undefined ? path.like : atInt(path.from.callPath, l);
      if (from < 0) continue;
      const value = atFloat(column, from * width + l);
      const share =
        part === undefined ? value : value / (path.from === undefined ? 1 : atUint(path.from.share, l));
      result[callPath * width + l] = part === undefined || part === 'f64' ? share : Math.trunc(share);
    }
  });
  return result;
}
