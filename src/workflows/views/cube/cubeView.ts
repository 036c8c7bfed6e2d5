import { present } from '../../../core/present';
import path from 'node:path';
import type { Metric, Profile } from '../../../core/profile/profile';
import type {
  CubeCallPaths,
  CubeHeader,
  CubeMetric,
  CubeRegion,
  CubeSelected,
  CubeSystemNodes,
  CubeValues,
} from '../../../core/views/cubePieces';
import { withCube, type OpenedCube } from '../../opened/openedCubes';
import { profileIdentity } from '../../opened/recentResults';
import { isTuple } from '../../opened/tupleColumns';
import { turn, type Cancellable } from '../../running/turn';
import type { CubeName, CubeRange } from './cubeName';
import { describeTopologies } from './cubeTopology';

/** Longer texts are cut; files may be hostile. */
const longestText = 2000;

/** Reads the sizes of the definitions, and the metrics, but no values. @throws KymoError for files that are missing, damaged, or no Cube profile */
export function openCubeView(file: string): Promise<CubeHeader> {
  return withCube(file, undefined, ({ id, cube: { definitions } }) => ({
    id,
    title: path.basename(file),
    callPaths: definitions.callPaths.count,
    regions: definitions.regions.length,
    locations: definitions.locations.length,
    systemNodes: definitions.system.length + definitions.locations.length,
    metrics: definitions.metrics.map(describeMetric),
    topologies: describeTopologies(definitions),
  }));
}

function describeMetric(metric: Metric): CubeMetric {
  const {
    name,
    displayName,
    unit,
    dtype,
    combine,
    description,
    parent = -1,
    derivation,
    ghost,
    note,
  } = metric;
  return {
    name: name.slice(0, longestText),
    displayName: displayName.slice(0, longestText),
    unit: unit.slice(0, longestText),
    dtype: dtype.slice(0, longestText),
    parent,
    description: (note === undefined ? description : `${note}\n${description}`).slice(0, longestText),
    combine,
    ...(metric.stored === 'derived' ? { expression: expressionOf(derivation) } : {}),
    ...(ghost === true ? { hidden: true } : {}),
    ...(isTuple(dtype) ? { tuple: true } : {}),
  };
}

function expressionOf(derivation: Metric['derivation']): string {
  return (derivation?.expressions.get('cubepl') ?? '').trim().slice(0, longestText);
}

/** Whether a file still has the content of the given id; false if it is missing. */
export async function cubeIsSame({ file, id }: CubeName): Promise<{ readonly same: boolean }> {
  return { same: (await profileIdentity(file).catch(() => undefined)) === id };
}

/** @throws KymoError `profile-changed` when the file is another one by now */
export function cubeCallPaths({ file, id, first, count }: CubeRange): Promise<CubeCallPaths> {
  return withCube(file, id, ({ cube }) => {
    const { parent, region, parameters } = cube.definitions.callPaths;
    const texts: [number, string][] = [];
    const end = Math.min(first + count, parent.length);
    for (let callPath = first; parameters !== undefined && callPath < end; callPath++) {
      const given = parameters.get(callPath);
      if (given === undefined) continue;
      const text = given.map((parameter) => `${parameter.name}=${parameter.value}`).join(', ');
      texts.push([callPath, text.slice(0, longestText)]);
    }
    return { first, parent: parent.slice(first, end), region: region.slice(first, end), parameters: texts };
  });
}

/** Maximum number of characters in an answer, except for its first region: names of hostile programs are long. */
const mostCharacters = 500_000;

/** Fewer than asked for when their names are long; at least one. */
export function cubeRegions({ file, id, first, count }: CubeRange): Promise<readonly CubeRegion[]> {
  return withCube(file, id, ({ cube }) => {
    const answer: CubeRegion[] = [];
    let characters = 0;
    for (const region of cube.definitions.regions.slice(first, first + count)) {
      characters += region.name.length + (region.mangledName?.length ?? 0) + (region.file?.length ?? 0);
      if (characters > mostCharacters && answer.length > 0) break;
      answer.push(describeRegion(region));
    }
    return answer;
  });
}

function describeRegion(region: Profile['regions'][number]): CubeRegion {
  const { name, mangledName, file, firstLine, lastLine, paradigm, role, description } = region;
  const line = firstLine !== undefined && firstLine > 0 ? firstLine : undefined;
  return {
    name,
    ...(mangledName === undefined || mangledName === name ? {} : { mangledName }),
    ...present({ file, line }),
    ...(line === undefined || lastLine === undefined || lastLine < line ? {} : { endLine: lastLine }),
    paradigm,
    role,
    ...(description === undefined ? {} : { description: description.slice(0, longestText) }),
  };
}

/** Fewer than asked for when their names are long; at least one. */
export function cubeSystem({ file, id, first, count }: CubeRange): Promise<CubeSystemNodes> {
  return withCube(file, id, ({ cube: { definitions } }) => {
    const { system, locations } = definitions;
    const names: string[] = [];
    const kinds: string[] = [];
    const parents: number[] = [];
    const positions: number[] = [];
    const end = Math.min(first + count, system.length + locations.length);
    let characters = 0;
    for (let position = first; position < end && characters < mostCharacters; position++) {
      const node = system[position];
      const location = locations[position - system.length];
      names.push(nodeName(node, location).slice(0, longestText));
      kinds.push((node?.kind ?? location?.kind ?? '').slice(0, longestText));
      parents.push(node === undefined ? (location?.process ?? -1) : (node.parent ?? -1));
      positions.push(node === undefined ? position - system.length : -1);
      characters += names.at(-1)?.length ?? 0;
    }
    return {
      first,
      names,
      kinds,
      parent: Int32Array.from(parents),
      location: Int32Array.from(positions),
    };
  });
}

/** Nameless nodes are shown by their number. */
function nodeName(
  node: Profile['system'][number] | undefined,
  location: Profile['locations'][number] | undefined,
): string {
  const { name = '' } = node ?? location ?? {};
  if (name !== '') return name;
  if (node === undefined) return `${location?.kind ?? 'location'} ${location?.thread ?? 0}`;
  return node.rank === undefined ? node.kind : `${node.kind} ${node.rank}`;
}

/** Values of a metric at some call paths. @throws KymoError also for values that cannot be read, and for derived metrics */
export function cubeValues(
  { file, id, metric, first, count }: CubeRange & { readonly metric: number },
  context: Cancellable = {},
): Promise<CubeValues> {
  return withCube(file, id, async (cube) => {
    await turn(context);
    const { inclusive, exclusive, tuple } = cube.columnsOf(metric);
    const part = (column: Float64Array): Float64Array => column.slice(first, first + count);
    return {
      first,
      inclusive: part(inclusive),
      exclusive: part(exclusive),
      ...(tuple === undefined
        ? {}
        : {
            tuple: { count: part(tuple.count), minimum: part(tuple.minimum), maximum: part(tuple.maximum) },
          }),
    };
  });
}

/**
 * A metric's value for the whole run. Inclusively stored metrics need only the rows of the roots.
 * @throws KymoError
 */
export function cubeTotal(
  { file, id, metric }: CubeName & { readonly metric: number },
  context: Cancellable = {},
): Promise<{ readonly total: number }> {
  return withCube(file, id, async (cube) => {
    await turn(context);
    const { name, combine, stored } = cube.metric(metric);
    const roots = rootsOf(cube.cube.definitions);
    if (combine === 'sum' && stored !== 'exclusive') {
      const rows = roots.map((root) => sum(cube.values.atCallPath(name, root, 'inclusive')));
      return { total: sum(rows) };
    }
    const { inclusive } = cube.columnsOf(metric);
    return {
      total: together(
        combine,
        roots.map((root) => inclusive[root] ?? 0),
      ),
    };
  });
}

function rootsOf({ callPaths }: Profile): number[] {
  const roots: number[] = [];
  callPaths.parent.forEach((above, callPath) => {
    if (above < 0) roots.push(callPath);
  });
  return roots;
}

function sum(values: Iterable<number>): number {
  let all = 0;
  for (const value of values) all += value;
  return all;
}

/** Extremes over visited nodes: 0 means not visited. */
function together(combine: Metric['combine'], values: readonly number[]): number {
  if (combine === 'sum') return sum(values);
  const some = values.filter((value) => value !== 0);
  return some.length === 0
    ? 0
    : some.reduce((a, b) => (combine === 'minimum' ? Math.min(a, b) : Math.max(a, b)));
}

/**
 * The given call paths combined, one value per location.
 * @param question.minus metrics whose values are subtracted: children of the metric when it is shown exclusively
 */
export function cubeLocations(
  question: CubeName & {
    readonly metric: number;
    readonly minus: readonly number[];
    readonly selected: readonly CubeSelected[];
  },
  context: Cancellable = {},
): Promise<{ readonly values: Float64Array }> {
  const { file, id, metric, minus, selected } = question;
  return withCube(file, id, async (cube) => {
    await turn(context);
    const values = await perLocation(cube, metric, selected, context);
    for (const child of minus) {
      const less = await perLocation(cube, child, selected, context);
      for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) - (less[i] ?? 0);
    }
    return { values };
  });
}

/** After this many call paths other requests are served, and this one can be cancelled. */
const callPathsPerTurn = 50;

async function perLocation(
  cube: OpenedCube,
  position: number,
  selected: readonly CubeSelected[],
  context: Cancellable,
): Promise<Float64Array> {
  const { name, combine } = cube.metric(position);
  const { callPaths, locations } = cube.cube.definitions;
  const rows: Float64Array[] = [];
  const width = locations.length;
  for (const [row, { callPath, exclusive }] of selected.entries()) {
    if (callPath >= callPaths.count) continue;
    rows.push(cube.values.atCallPath(name, callPath, exclusive ? 'exclusive' : 'inclusive'));
    if ((row + 1) % callPathsPerTurn !== 0) continue;
    // The rows so far are replaced by their combination.
    rows.splice(0, rows.length, combinedRows(combine, rows, width));
    await turn(context);
  }
  return combinedRows(combine, rows, width);
}

function combinedRows(
  combine: Metric['combine'],
  rows: readonly Float64Array[],
  width: number,
): Float64Array {
  return Float64Array.from({ length: width }, (_, location) =>
    together(
      combine,
      rows.map((row) => row[location] ?? 0),
    ),
  );
}
