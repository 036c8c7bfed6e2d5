import { gunzipSync } from 'node:zlib';
import type { Metric, Profile } from '../../core/profile/profile';
import { needsExact } from '../../core/profile/wholeNumbers';
import type { AnchorMetric } from './anchor/anchorModel';
import { readAnchor } from './anchor/anchorReader';
import { expandClusters } from './clusters';
import type { CubeFile } from './cubeFile';
import { definitionsOf } from './anchor/definitions';
import { damaged, notACube, tooLarge } from './archive/errors';
import { checkCells, limitsFor, type CubeLimits } from './archive/limits';
import { memoryCube } from './memoryCube';
import { OpenedCube, type Column } from './openedCube';
import { bytesSource, type ByteSource, type Range } from '../byteSource';
import { tarMembers } from './archive/tar';
import { valueType } from './values/valueTypes';

/** Reads a whole Cube 4 file. Throws `KymoError` (`CubeReason`) with file, byte offset, what was expected and found. */
export function readCube(bytes: Uint8Array, fileName: string, limits: Partial<CubeLimits> = {}): Profile {
  return readWhole(bytesSource(bytes), fileName, limits);
}

/** As `readCube`, from any source; expands iterations that Score-P clustered, as the Cube library does. */
export function readWhole(source: ByteSource, fileName: string, limits: Partial<CubeLimits> = {}): Profile {
  return wholeProfile(openCube(source, fileName, limits), fileName);
}

/**
 * Opens a file to show it: as `openCube`, but with the iterations that Score-P clustered. Such a file is read
 * completely; clustering makes it small.
 */
export function openExpanded(source: ByteSource, fileName: string): CubeFile {
  const cube = openCube(source, fileName);
  if (cube.definitions.attributes.get('CLUSTERING') !== 'ON') return cube;
  return memoryCube(wholeProfile(cube, fileName), cube.limits, fileName);
}

/** Reads all values of an opened file, as `readWhole` does. */
function wholeProfile(cube: CubeFile, fileName: string): Profile {
  const { definitions, limits } = cube;
  checkTable(fileName, definitions, limits);
  const stored = new Map<string, Float64Array>();
  const components = new Map<string, readonly Float64Array[]>();
  const exact = new Map<string, BigInt64Array>();
  let cells = 0;
  for (const metric of definitions.metrics) {
    const { name, dtype } = metric;
    const parts = cube.parts(name);
    const shown = parts?.[valueType(dtype)?.shown ?? 0];
    if (parts === undefined || shown === undefined) continue;
    cells += parts.length * shown.length;
    checkCells(fileName, 'it has at least', cells, limits);
    stored.set(name, shown);
    if (parts.length > 1) components.set(name, parts);
    const column = needsExact(metric, shown) ? cube.exact(name) : undefined;
    if (column !== undefined) exact.set(name, column);
  }
  const profile = {
    ...definitions,
    stored,
    ...(components.size === 0 ? {} : { components }),
  };
  return expandClusters(profile, limits.cells) ?? { ...profile, ...(exact.size === 0 ? {} : { exact }) };
}

/** Reading a whole profile allocates tables of metrics and call paths, also for metrics without a value. */
function checkTable(file: string, { metrics, callPaths }: Profile, { tableCells }: CubeLimits): void {
  const stored = metrics.filter((metric) => metric.stored !== 'derived').length;
  if (stored * callPaths.count > tableCells)
    throw tooLarge(
      file,
      `it has ${stored} metrics at ${callPaths.count} call paths, and a file of its size may have ${tableCells} of both together`,
    );
}

/** Opens a Cube 4 file and reads its definitions. Errors as for `readCube`. */
export function openCube(
  source: ByteSource,
  fileName: string,
  overrides: Partial<CubeLimits> = {},
): CubeFile {
  const limits = limitsFor(source.size, overrides);
  const { members, ended } = tarMembers(source, fileName);
  const anchor = members.get('anchor.xml');
  if (anchor === undefined) throw notACube(fileName);
  const model = readAnchor(anchorBytes(source, anchor, fileName, limits), fileName, anchor.offset, limits);
  const { profile: described, filed } = definitionsOf(model, fileName, anchor.offset);
  const metrics = [...described.metrics];
  const columns = new Map<string, Column>();
  model.metrics.forEach((element, position) => {
    const metric = metrics[position];
    if (metric === undefined) return;
    if (columns.has(metric.name))
      throw damaged(fileName, anchor.offset, 'unique names of metrics', `“${metric.name}” twice`);
    const column = columnOf(metric, element, members);
    if (metric.stored !== 'derived' && isCutOff(column, ended))
      throw damaged(fileName, source.size, `the values of “${metric.name}”`, 'the end of the archive');
    columns.set(metric.name, column);
    const note = metric.stored === 'derived' ? undefined : incomplete(column);
    if (note !== undefined) metrics[position] = { ...metric, note };
  });
  return new OpenedCube(source, fileName, { ...described, metrics }, filed, columns, limits);
}

function anchorBytes(
  source: ByteSource,
  anchor: Range,
  file: string,
  { anchorBytes: most }: CubeLimits,
): Uint8Array {
  if (anchor.length > most) throw tooLarge(file, `its anchor.xml has more than ${most} bytes`);
  const bytes = source.read(anchor.offset, anchor.length);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(file, `its anchor.xml has more than ${most} bytes`);
    throw damaged(file, anchor.offset, 'a gzip stream', error instanceof Error ? error.message : 'another');
  }
}

/** A metric without files is all 0, but only in a complete archive. */
function isCutOff({ index, data }: Column, ended: boolean): boolean {
  return !ended && (index === undefined || data === undefined);
}

/** A metric with only one of both files has no values. The Cube library treats it so without a message. */
function incomplete({ index, data }: Column): string | undefined {
  if ((index === undefined) === (data === undefined)) return undefined;
  return index === undefined
    ? 'The file has values of this metric, but no index that assigns them to call paths: they are shown as 0.'
    : 'The file has an index of this metric, but no values: they are shown as 0.';
}

function columnOf(metric: Metric, { id, type }: AnchorMetric, members: ReadonlyMap<string, Range>): Column {
  const plain = `${id}`;
  const ghost = `ghost_${id}`;
  const stem = members.has(`${ghost}.index`) && (metric.ghost ?? false) ? ghost : plain;
  return { metric, type, index: members.get(`${stem}.index`), data: members.get(`${stem}.data`) };
}
